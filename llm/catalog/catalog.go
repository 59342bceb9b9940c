// Package catalog knows models of public providers: their windows, prices and abilities as of
// a day before the program was made, and what a file of the user's says instead.
package catalog

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"strings"
	"sync"
	"time"

	"society-tui/llm"
)

// A Provider is a service with a chat-completions API.
type Provider struct {
	ID   string `json:"id"`
	Name string `json:"name,omitempty"`
	// BaseURL is empty for those whose customers have addresses of their own.
	BaseURL string `json:"base_url,omitempty"`
	// KeyEnv is the environment variable in which its key is usually kept.
	KeyEnv string  `json:"key_env,omitempty"`
	Models []Model `json:"models"`
}

// A Model is one of a provider's. What is absent is unknown.
type Model struct {
	ID   string `json:"id"`
	Name string `json:"name,omitempty"`
	// Window is the size of its context in tokens.
	Window int `json:"context_window,omitempty"`
	// The prices are those of a million tokens.
	Input      *float64 `json:"input,omitempty"`
	Output     *float64 `json:"output,omitempty"`
	CacheRead  *float64 `json:"cache_read,omitempty"`
	CacheWrite *float64 `json:"cache_write,omitempty"`
	Images     *bool    `json:"images,omitempty"`
	Tools      *bool    `json:"tools,omitempty"`
	Reasoning  *bool    `json:"reasoning,omitempty"`
	Efforts    []string `json:"efforts,omitempty"`
}

// A list is the form of the catalogue, built in or the user's.
type list struct {
	At        time.Time  `json:"at"` // when it was right
	Providers []Provider `json:"providers"`
}

// A Catalog is the built-in list with the user's before it. It is read when it is first asked,
// and its methods may be called from any goroutine.
type Catalog struct {
	own func() (list, error)
}

// New returns the catalogue. file is the user's own list and may be absent or "".
func New(file string) *Catalog {
	return &Catalog{own: sync.OnceValues(func() (list, error) { return readFile(file) })}
}

// Err returns what is wrong with the user's list, a *Mistake. The built-in one holds then.
func (c *Catalog) Err() error {
	_, err := c.own()
	return err
}

// Providers returns all providers, those of the user's list first.
func (c *Catalog) Providers() []Provider {
	own, _ := c.own()
	known := map[string]bool{}
	var all []Provider
	for _, p := range own.Providers {
		known[p.ID] = true
		if i := builtIn().index(p.ID); i >= 0 {
			p = p.over(builtIn().Providers[i])
		}
		all = append(all, p)
	}
	for _, p := range builtIn().Providers {
		if !known[p.ID] {
			all = append(all, p)
		}
	}
	return all
}

// Facts returns what is known of a model by its exact name, of the provider with exactly the
// host of an address. Names that only begin alike are other models, with other prices.
func (c *Catalog) Facts(baseURL, id string) llm.Facts {
	own, _ := c.own()
	return own.facts(baseURL, id).Or(builtIn().facts(baseURL, id))
}

// IDs returns the names of the models of the provider with the host of an address.
func (c *Catalog) IDs(baseURL string) []string {
	own, _ := c.own()
	var ids []string
	for _, p := range append(own.at(baseURL), builtIn().at(baseURL)...) {
		for _, m := range p.Models {
			ids = append(ids, m.ID)
		}
	}
	return ids
}

// over returns p, with what it does not say taken from the built-in provider.
func (p Provider) over(builtIn Provider) Provider {
	if p.Name == "" {
		p.Name = builtIn.Name
	}
	if p.BaseURL == "" {
		p.BaseURL = builtIn.BaseURL
	}
	if p.KeyEnv == "" {
		p.KeyEnv = builtIn.KeyEnv
	}
	own := map[string]bool{}
	for _, m := range p.Models {
		own[m.ID] = true
	}
	for _, m := range builtIn.Models {
		if !own[m.ID] {
			p.Models = append(p.Models, m)
		}
	}
	return p
}

func (l list) index(id string) int {
	for i := range l.Providers {
		if l.Providers[i].ID == id {
			return i
		}
	}
	return -1
}

// at returns the providers with the host of an address; if one of them has the path too, that
// one alone. Some offer a subscription and single requests at different paths.
func (l list) at(baseURL string) []Provider {
	host, path := split(baseURL)
	var same []Provider
	for _, p := range l.Providers {
		switch h, at := split(p.BaseURL); {
		case h == "" || h != host:
		case at == path:
			return []Provider{p}
		default:
			same = append(same, p)
		}
	}
	return same
}

// facts returns what the list says. Where several providers of a host could be meant, it says
// nothing.
func (l list) facts(baseURL, id string) llm.Facts {
	providers := l.at(baseURL)
	if len(providers) != 1 {
		return llm.Facts{}
	}
	for _, m := range providers[0].Models {
		if m.ID == id {
			return m.facts(l.At)
		}
	}
	return llm.Facts{}
}

// split returns the host of an address with its port, and its path.
func split(baseURL string) (host, path string) {
	u, err := url.Parse(strings.ToLower(strings.TrimSpace(baseURL)))
	if err != nil {
		return "", ""
	}
	host = u.Host
	if u.Port() == "443" && u.Scheme == "https" || u.Port() == "80" && u.Scheme == "http" {
		host = u.Hostname()
	}
	return host, strings.Trim(u.Path, "/")
}

// Facts returns what the catalogue says of a model that one of its providers lists.
func (m Model) facts(at time.Time) llm.Facts {
	var f llm.Facts
	if m.Window > 0 {
		f.Window = fact(m.Window, at)
	}
	if m.Input != nil && m.Output != nil {
		f.Price = fact(llm.Price{Input: *m.Input, Output: *m.Output, CacheRead: m.CacheRead, CacheWrite: m.CacheWrite}, at)
	}
	for _, of := range []struct {
		from *bool
		to   *llm.Fact[bool]
	}{{m.Images, &f.Images}, {m.Tools, &f.Tools}, {m.Reasoning, &f.Reasoning}} {
		if of.from != nil {
			*of.to = fact(*of.from, at)
		}
	}
	if len(m.Efforts) > 0 {
		f.Efforts = fact(m.Efforts, at)
	}
	return f
}

func fact[T any](value T, at time.Time) llm.Fact[T] {
	return llm.Fact[T]{Value: value, Source: llm.FromCatalogue, At: at}
}

//go:embed catalogue.json.gz
var compressed []byte

// builtIn returns the list that was made with the program.
var builtIn = sync.OnceValue(func() list {
	l, err := decode(compressed)
	if err != nil {
		panic(err) // a test has read it
	}
	l.Providers = append(l.Providers, mainland...)
	return l
})

func decode(compressed []byte) (l list, err error) {
	r, err := gzip.NewReader(bytes.NewReader(compressed))
	if err != nil {
		return l, fmt.Errorf("unpack the catalogue: %w", err)
	}
	text, err := io.ReadAll(r)
	if err != nil {
		return l, fmt.Errorf("unpack the catalogue: %w", err)
	}
	if err := json.Unmarshal(text, &l); err != nil {
		return l, fmt.Errorf("read the catalogue: %w", err)
	}
	return l, nil
}
