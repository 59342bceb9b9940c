package modelsetup

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"society-tui/llm/catalog"
	"society-tui/runtime/api"
)

// A Port is where a local server usually listens, and which server that is.
type Port struct {
	Number int
	Name   string
}

// usual are the ports of local servers.
var usual = []Port{{11434, "Ollama"}, {1234, "LM Studio"}, {8080, "llama.cpp"}, {8000, "vLLM"}}

// localTime is how long a server on this machine may take to answer.
const localTime = time.Second

// Providers returns where models can be had: servers that answer on this machine, then the
// services of the catalogue.
func (u *Setup) Providers(ctx context.Context) []api.ModelProvider {
	ports := u.Ports
	if ports == nil {
		ports = usual
	}
	found := make([]*api.ModelProvider, len(ports))
	var asked sync.WaitGroup
	for i, p := range ports {
		asked.Go(func() { found[i] = local(ctx, p) })
	}
	asked.Wait()
	var all []api.ModelProvider
	for _, p := range found {
		if p != nil {
			all = append(all, *p)
		}
	}
	if set, ok := u.unnamed(); ok {
		all = append(all, set)
	}
	if u.Catalog == nil {
		return all
	}
	services := u.Catalog.Providers()
	slices.SortStableFunc(services, func(a, b catalog.Provider) int {
		if set := u.isSet(a.KeyEnv); set != u.isSet(b.KeyEnv) {
			return map[bool]int{true: -1, false: 1}[set]
		}
		return strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name))
	})
	for _, p := range services {
		all = append(all, api.ModelProvider{Name: p.Name, Address: p.BaseURL, KeyEnv: p.KeyEnv, KeySet: u.isSet(p.KeyEnv), Models: len(p.Models)})
	}
	return all
}

// unnamed returns the address that the settings have without the name of a model.
func (u *Setup) unnamed() (api.ModelProvider, bool) {
	m := u.seen.Load().now.Model
	if m.Name != "" || m.BaseURL == "" {
		return api.ModelProvider{}, false
	}
	return api.ModelProvider{Name: "OPENAI_BASE_URL", Address: m.BaseURL, KeyEnv: m.KeyEnv, KeySet: u.isSet(m.KeyEnv)}, true
}

func (u *Setup) isSet(variable string) bool {
	return variable != "" && u.Sources.Getenv(variable) != ""
}

// local returns the server at a port of this machine, nil if none answers there that has
// models.
func local(ctx context.Context, p Port) *api.ModelProvider {
	ctx, cancel := context.WithTimeout(ctx, localTime)
	defer cancel()
	address := fmt.Sprintf("http://127.0.0.1:%d/v1", p.Number)
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address+"/models", nil)
	if err != nil {
		return nil
	}
	client := http.Client{ // no proxy is asked about this machine
		Transport:     &http.Transport{DisableKeepAlives: true},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	answer, err := client.Do(r)
	if err != nil {
		return nil
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(io.LimitReader(answer.Body, 2<<20))
	var list struct {
		Data []json.RawMessage `json:"data"`
	}
	switch {
	case err == nil && answer.StatusCode == http.StatusUnauthorized: // a server with a key
	case err != nil || json.Unmarshal(text, &list) != nil || list.Data == nil:
		return nil
	}
	return &api.ModelProvider{Name: p.Name, Address: address, Local: true, Models: len(list.Data)}
}
