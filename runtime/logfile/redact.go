package logfile

import (
	"encoding/base64"
	"encoding/json"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// redacted replaces a key.
const redacted = "[redacted]"

// shortestKey is the length in bytes from which a configured key is looked for.
// Local endpoints take any word for a key ("none", "ollama"); such a word is no
// secret, and redacting it would garble ordinary text.
const shortestKey = 8

// lookAlike matches what keys look like: the well-known prefixes, and whatever
// follows Bearer.
var lookAlike = regexp.MustCompile(`(?i)\bbearer\s+[A-Za-z0-9._~+/=-]{8,}` +
	`|\b(?:sk|pk|rk|gsk|xai|hf|ghp|gho|ghs|github_pat|glpat|xox[abpr]|AIza|AKIA)[-_]?[A-Za-z0-9_-]{16,}`)

// A Redactor removes keys from text. It may be used from any goroutine; its zero value knows
// no key.
type Redactor struct {
	mu    sync.Mutex                       // held by Add
	keys  []string                         // that are known
	exact atomic.Pointer[strings.Replacer] // nil: no key is known
}

// NewRedactor returns a redactor that knows the keys, and their forms in a URL
// and in base64. Empty and very short ones are left out.
func NewRedactor(keys ...string) *Redactor {
	r := new(Redactor)
	r.Add(keys...)
	return r
}

// Add makes further keys known, as soon as they are found or entered.
func (r *Redactor) Add(keys ...string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	before := len(r.keys)
	for _, key := range keys {
		if !slices.Contains(r.keys, key) {
			r.keys = append(r.keys, key)
		}
	}
	if len(r.keys) == before {
		return
	}
	var forms []string
	for _, key := range r.keys {
		if len(key) >= shortestKey {
			forms = append(forms, key, url.QueryEscape(key), url.PathEscape(key))
			forms = append(append(forms, inBase64(key)...), inJSON(key)...)
		}
	}
	if len(forms) == 0 {
		return
	}
	// The longest first: a form may be the beginning of another.
	slices.SortFunc(forms, func(a, b string) int { return len(b) - len(a) })
	var pairs []string
	for _, form := range slices.Compact(forms) {
		pairs = append(pairs, form, redacted)
	}
	r.exact.Store(strings.NewReplacer(pairs...))
}

// inJSON returns the key as JSON spells it, with < > & as they are, and escaped.
func inJSON(key string) []string {
	escaped, _ := json.Marshal(key) // a text can be encoded
	html := string(escaped[1 : len(escaped)-1])
	return []string{html, strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&").Replace(html)}
}

// inBase64 returns the forms of the key inside something that was encoded: three by its
// offset there, in both alphabets, each without the ends, which its neighbours decide.
func inBase64(key string) []string {
	var forms []string
	for before := range 3 {
		padded := append(make([]byte, before), key...)
		from := (before*8 + 5) / 6
		upto := len(padded) * 8 / 6
		for _, encoding := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
			forms = append(forms, encoding.EncodeToString(padded)[from:upto])
		}
	}
	return forms
}

// redactKeys redacts the configured keys only, for text that is otherwise unchanged.
func (r *Redactor) redactKeys(text string) string {
	exact := r.exact.Load()
	if exact == nil {
		return text
	}
	return exact.Replace(text)
}

// Redact redacts the configured keys and what looks like one: for logs, error
// texts and panics.
func (r *Redactor) Redact(text string) string {
	return lookAlike.ReplaceAllString(r.redactKeys(text), redacted)
}
