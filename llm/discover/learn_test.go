package discover_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"society-tui/llm"
	"society-tui/llm/catalog"
	"society-tui/llm/chatapi"
	"society-tui/llm/discover"
	"society-tui/llm/llmtest"
	"society-tui/llm/registry"
)

// A listing is a transport that answers as one endpoint, whatever its address.
type listing struct {
	body  string
	key   string // that it accepts; "" for any
	asked atomic.Int32
}

func (l *listing) RoundTrip(r *http.Request) (*http.Response, error) {
	l.asked.Add(1)
	w := httptest.NewRecorder()
	if l.key != "" && r.Header.Get("Authorization") != "Bearer "+l.key {
		w.WriteHeader(http.StatusUnauthorized)
	} else {
		_, _ = io.WriteString(w, l.body)
	}
	return w.Result(), nil
}

func (l *listing) entry(t *testing.T, name, address, model, key string) registry.Entry {
	t.Helper()
	m, err := chatapi.New(chatapi.Config{BaseURL: address, Model: model, Key: chatapi.Key(key), Client: &http.Client{Transport: l}})
	if err != nil {
		t.Fatal(err)
	}
	return registry.Entry{Name: name, Model: m, Endpoint: address}
}

func TestModelsLearnFromCatalogueAndEndpoint(t *testing.T) {
	t.Parallel()
	const openRouter, own = "https://openrouter.ai/api/v1", "https://models.example/v1"
	far := &listing{body: `{"data":[{"id":"openai/gpt-5.6-sol","context_length":900000,"top_provider":{"context_length":800000}}]}`, key: "right"}
	near := &listing{body: `{"data":[{"id":"qwen","max_model_len":40960},{"id":"other"}]}`}
	silent := &listing{body: `<html>`}
	entries := []registry.Entry{
		far.entry(t, "a", openRouter, "openai/gpt-5.6-sol", "wrong"), far.entry(t, "b", openRouter, "openai/gpt-5.6-sol-pro", "right"),
		near.entry(t, "c", own, "qwen", ""), near.entry(t, "d", own, "qwenn", ""),
		silent.entry(t, "e", "https://api.openai.com/v1", "gpt-5.6-sol", ""),
		{Name: "offline", Model: llmtest.Func("offline", llmtest.Say("")), Endpoint: "built in"},
	}
	entries[2].Window = 50_000
	models, err := registry.New(entries...)
	if err != nil {
		t.Fatal(err)
	}
	answers := discover.Learn(t.Context(), models, catalog.New(""), true)
	if len(answers) != 3 || answers[0].Err != nil || answers[1].Err != nil || answers[2].Err == nil || answers[2].Endpoint != "https://api.openai.com/v1" {
		t.Errorf("the endpoints answered %+v", answers)
	}
	if far.asked.Load() != 2 || near.asked.Load() != 1 {
		t.Errorf("the endpoints were asked %d and %d times", far.asked.Load(), near.asked.Load())
	}
	for _, want := range []struct {
		name   string
		window int
		from   llm.Source
		priced bool
	}{
		{"a", 800_000, llm.FromEndpoint, true},
		{"b", 1_050_000, llm.FromCatalogue, true},
		{"c", 50_000, llm.FromSetting, false},
		{"d", 0, "", false},
		{"e", 1_050_000, llm.FromCatalogue, true},
		{"offline", 0, "", false},
	} {
		e, _ := models.For(want.name, "")
		if e.Window != want.window || e.Facts.Window.Source != want.from || e.Facts.Price.IsKnown() != want.priced {
			t.Errorf("%s has learnt %+v, want %+v", want.name, e.Facts, want)
		}
	}
	if d, _ := models.For("d", ""); !slices.Equal(d.Offers, []string{"qwen", "other"}) || !slices.Equal(d.Near(), []string{"qwen"}) {
		t.Errorf("the endpoint of d offers %q, near are %q", d.Offers, d.Near())
	}
	if e, _ := models.For("e", ""); !slices.Contains(e.Offers, "gpt-5.6-sol") || strings.Contains(strings.Join(e.Offers, " "), "/") {
		t.Errorf("the silent endpoint offers %q", e.Offers)
	}

	// A model that the server has loaded with less is told so when it is asked again.
	near.body = `{"data":[{"id":"qwenn","max_model_len":4096}]}`
	discover.Learn(t.Context(), models, catalog.New(""), true)
	if d, _ := models.For("d", ""); d.Window != 4096 {
		t.Errorf("asked again, d has %d", d.Window)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	near.body = `{"data":[]}`
	discover.Learn(gone, models, catalog.New(""), true)
	if d, _ := models.For("d", ""); d.Window != 4096 {
		t.Errorf("an endpoint that did not answer made d forget: %d", d.Window)
	}
}
