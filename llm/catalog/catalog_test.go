package catalog

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"charm.land/catwalk/pkg/catwalk"
	"charm.land/catwalk/pkg/embedded"

	"society-tui/llm"
)

var update = flag.Bool("update", false, "write catalogue.json.gz from the module charm.land/catwalk")

// published is when the version of catwalk in go.mod was.
var published = time.Date(2026, 8, 19, 0, 0, 0, 0, time.UTC)

// addresses are those of providers that catwalk reads from the environment.
var addresses = map[catwalk.InferenceProvider]string{
	catwalk.InferenceProviderOpenAI: "https://api.openai.com/v1",
	catwalk.InferenceProviderGemini: "https://generativelanguage.googleapis.com/v1beta/openai",
	catwalk.InferenceProviderAzure:  "",
}

// speaks reports whether a provider has the chat-completions protocol, and a key.
func speaks(p catwalk.Provider) bool {
	if _, ok := addresses[p.ID]; ok {
		return true
	}
	switch p.Type {
	case catwalk.TypeOpenAI, catwalk.TypeOpenAICompat, catwalk.TypeOpenRouter, catwalk.TypeVercel:
		return p.APIKey != "" && strings.HasPrefix(p.APIEndpoint, "https://")
	}
	return false
}

// converted is catwalk's list in our form. The size of the file counts, because it is part of
// every program: uncompressed, as catwalk embeds it, it is twenty times as large.
func converted() list {
	l := list{At: published}
	for _, p := range embedded.GetAll() {
		if !speaks(p) {
			continue
		}
		to := Provider{ID: string(p.ID), Name: p.Name, BaseURL: p.APIEndpoint, KeyEnv: strings.TrimPrefix(p.APIKey, "$")}
		if address, ok := addresses[p.ID]; ok {
			to.BaseURL = address
		}
		for _, m := range p.Models {
			to.Models = append(to.Models, convertedModel(m))
		}
		l.Providers = append(l.Providers, to)
	}
	return l
}

func convertedModel(m catwalk.Model) Model {
	to := Model{ID: m.ID, Window: int(m.ContextWindow), Images: &m.SupportsImages, Reasoning: &m.CanReason, Efforts: m.ReasoningLevels}
	if m.Name != m.ID {
		to.Name = m.Name
	}
	if m.CostPer1MIn > 0 || m.CostPer1MOut > 0 {
		to.Input, to.Output = &m.CostPer1MIn, &m.CostPer1MOut
		to.CacheRead, to.CacheWrite = cached(m)
	}
	return to
}

// cached returns the prices of reading from a cache and of writing to it. The two columns
// mean one thing in some entries and another in others, so the prices themselves decide.
func cached(m catwalk.Model) (read, write *float64) {
	for _, price := range []float64{m.CostPer1MInCached, m.CostPer1MOutCached} {
		switch {
		case price <= 0:
		case price <= m.CostPer1MIn:
			if read == nil || price < *read {
				read = &price
			}
		case price != m.CostPer1MOut:
			write = &price
		}
	}
	return read, write
}

func TestBuiltInListIsThatOfCatwalk(t *testing.T) {
	t.Parallel()
	want := converted()
	if *update {
		var file bytes.Buffer
		w, err := gzip.NewWriterLevel(&file, gzip.BestCompression)
		if err != nil {
			t.Fatal(err)
		}
		if err := json.NewEncoder(w).Encode(want); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile("catalogue.json.gz", file.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		return
	}
	want.Providers = append(want.Providers, mainland...)
	if got := builtIn(); !reflect.DeepEqual(got, want) {
		t.Errorf("catalogue.json.gz is not the list of the module; run go test ./llm/catalog -update")
	}
	models := 0
	for _, p := range want.Providers {
		models += len(p.Models)
	}
	if len(want.Providers) < 30 || models < 1300 || len(compressed) > 100<<10 {
		t.Errorf("%d providers, %d models in %d bytes", len(want.Providers), models, len(compressed))
	}
}

func TestPricesOfCacheAreReadFromColumnsOfEitherMeaning(t *testing.T) {
	t.Parallel()
	c := New("")
	for _, of := range []struct {
		address, id string
		read, write float64 // 0: unknown
	}{
		{"https://api.openai.com/v1", "gpt-5.6-sol", 0.5, 6.25},
		{"https://opencode.ai/zen/v1", "gpt-5.6-sol", 0.5, 6.25}, // the columns are the other way round
		{"https://generativelanguage.googleapis.com/v1beta/openai/", "gemini-3.7-flash", 0.075, 0},
		{"https://aihubmix.com/v1", "gemini-3.7-flash", 0.075, 0},
		{"https://api.cortecs.ai/v1", "gpt-5.6-sol", 0, 0},
	} {
		price := c.Facts(of.address, of.id).Price
		if !price.IsKnown() {
			t.Errorf("%s of %s has no price", of.id, of.address)
			continue
		}
		if got := [2]float64{value(price.Value.CacheRead), value(price.Value.CacheWrite)}; got != [2]float64{of.read, of.write} {
			t.Errorf("%s of %s: read and write cost %v, want %v, %v", of.id, of.address, got, of.read, of.write)
		}
	}
}

func value(p *float64) float64 {
	if p == nil {
		return 0
	}
	return *p
}

func TestFactsAreThoseOfTheHostAndTheWholeName(t *testing.T) {
	t.Parallel()
	c := New("")
	for name, of := range map[string]struct {
		address, id string
		window      int
	}{
		"as listed":             {"https://openrouter.ai/api/v1", "openai/gpt-5.6-sol", 1_050_000},
		"another spelling":      {"HTTPS://OpenRouter.ai:443/api/v1/", "openai/gpt-5.6-sol", 1_050_000},
		"a beginning of a name": {"https://openrouter.ai/api/v1", "openai/gpt-5.6-so", 0},
		"more than a name":      {"https://openrouter.ai/api/v1", "openai/gpt-5.6-sol-2", 0},
		"the name elsewhere":    {"https://api.openai.com/v1", "openai/gpt-5.6-sol", 0},
		"an unknown host":       {"https://proxy.example/v1", "gpt-5.6-sol", 0},
		"a longer host":         {"https://api.openai.com.example/v1", "gpt-5.6-sol", 0},
		"this machine":          {"http://127.0.0.1:11434/v1", "gpt-5.6-sol", 0},
		"no address":            {"", "gpt-5.6-sol", 0},
		"one path of two":       {"https://opencode.ai/zen/v1", "gpt-5.6-sol", 1_050_000},
		"neither path":          {"https://opencode.ai/other", "gpt-5.6-sol", 0},
	} {
		f := c.Facts(of.address, of.id)
		if f.Window.Value != of.window || f.Window.IsKnown() != (of.window > 0) {
			t.Errorf("%s: the window is %+v, want %d", name, f.Window, of.window)
		}
		if f.Window.IsKnown() && (f.Window.Source != llm.FromCatalogue || !f.Window.At.Equal(published)) {
			t.Errorf("%s: the window comes from %s, %s", name, f.Window.Source, f.Window.At)
		}
	}
}

func TestProvidersOfOtherProtocolsAreHidden(t *testing.T) {
	t.Parallel()
	for _, p := range New("").Providers() {
		if slices.Contains([]string{"anthropic", "bedrock", "vertexai", "minimax", "kimi-coding", "copilot"}, p.ID) {
			t.Errorf("%s is listed", p.ID)
		}
		if p.ID != "azure" && !strings.HasPrefix(p.BaseURL, "https://") || p.KeyEnv == "" || len(p.Models) == 0 && !isMainland(p) {
			t.Errorf("%s at %q with the key in %q has %d models", p.ID, p.BaseURL, p.KeyEnv, len(p.Models))
		}
	}
}

// isMainland reports whether only the endpoint of a provider knows its models.
func isMainland(p Provider) bool {
	return slices.ContainsFunc(mainland, func(m Provider) bool { return m.ID == p.ID })
}

func TestUsersListOverridesTheBuiltInOne(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "catalogue.json")
	write(t, file, `{"at":"2026-11-01T00:00:00Z","providers":[
		{"id":"openai","base_url":"https://api.openai.com/v1","models":[{"id":"gpt-5.6-sol","input":4,"output":20},{"id":"mine","context_window":5000}]},
		{"id":"lan","name":"LAN","base_url":"http://10.0.0.7:8000/v1","models":[{"id":"qwen","context_window":32768,"images":false}]}]}`)
	c := New(file)
	if err := c.Err(); err != nil {
		t.Fatal(err)
	}
	f := c.Facts("https://api.openai.com/v1", "gpt-5.6-sol")
	if f.Price.Value.Input != 4 || f.Price.Value.CacheRead != nil || f.Price.At.Month() != time.November || f.Window.Value != 1_050_000 {
		t.Errorf("the price is %+v, the window %+v", f.Price, f.Window)
	}
	if f := c.Facts("http://10.0.0.7:8000/v1", "qwen"); f.Window.Value != 32768 || !f.Images.IsKnown() || f.Images.Value || f.Price.IsKnown() {
		t.Errorf("of a provider of the user's is known: %+v", f)
	}
	all := c.Providers()
	if all[0].ID != "openai" || all[0].KeyEnv != "OPENAI_API_KEY" || len(all[0].Models) != 29 || all[1].ID != "lan" {
		t.Errorf("the first providers are %s with %d models and the key in %s, and %s", all[0].ID, len(all[0].Models), all[0].KeyEnv, all[1].ID)
	}
	if ids := c.IDs("http://10.0.0.7:8000/v1"); !slices.Equal(ids, []string{"qwen"}) {
		t.Errorf("its models are %q", ids)
	}
}

func TestWrongListOfTheUserIsNamedAndLeftOut(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text string
		line int
	}{
		"cut off": {"{\n", 1}, "no JSON": {"{\n\"at\" 5}", 2}, "another type": {"{\"providers\":[\n{\"id\":5}]}", 2},
		"an unknown field": {"{\"providers\":[{\"id\":\"a\",\n\"modles\":[]}]}", 2}, "no id": {"{\"providers\":[{\"id\":\"a\"},\n\n{\"models\":[]}]}", 3},
		"no id of a model":  {"{\"providers\":[{\"id\":\"a\",\"models\":[\n{\"name\":\"x\"}]}]}", 2},
		"a negative price":  {"{\"providers\":[{\"id\":\"a\",\"models\":[\n{\"id\":\"c\"},\n{\"id\":\"b\",\"input\":-1}]}]}", 3},
		"a negative window": {"{\"providers\":[{\"id\":\"a\",\"models\":[{\"id\":\"b\",\"context_window\":-1}]}]}", 1},
		"two lists":         {"{}\n{}", 2}, "too much": {strings.Repeat(" ", mostOfFile+1), 0},
	} {
		file := filepath.Join(t.TempDir(), "catalogue.json")
		write(t, file, c.text)
		line, c := c.line, New(file)
		if m, ok := errors.AsType[*Mistake](c.Err()); !ok || m.File != file || m.Line != line || !strings.Contains(m.Error(), "catalogue.json") {
			t.Errorf("%s: %v, want line %d of %s", name, c.Err(), line, file)
		}
		if !c.Facts("https://api.openai.com/v1", "gpt-5.6-sol").Window.IsKnown() {
			t.Errorf("%s: the built-in list is lost", name)
		}
	}
	if m, ok := errors.AsType[*Mistake](New(t.TempDir()).Err()); !ok || m.Line != 0 {
		t.Errorf("a folder: %v", m)
	}
	if err := New(filepath.Join(t.TempDir(), "absent.json")).Err(); err != nil {
		t.Errorf("a list that is absent: %v", err)
	}
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestNearNamesAreThoseThatWereProbablyMeant(t *testing.T) {
	t.Parallel()
	ids := append(New("").IDs("https://openrouter.ai/api/v1"), "llama3.2:3b", "qwen3:8b")
	for name, want := range map[string]string{
		"gpt5.6-sol": "openai/gpt-5.6-sol", "openai/gpt-5.6-sool": "openai/gpt-5.6-sol", "Gemini-3.7-Flash": "google/gemini-3.7-flash",
		"llama3.2": "llama3.2:3b", "qwen3-8b": "qwen3:8b",
	} {
		if near := Near(name, ids); len(near) == 0 || len(near) > 3 || near[0] != want {
			t.Errorf("Near(%q) = %q, want %q first", name, near, want)
		}
	}
	for _, name := range []string{"", "书", "zzzzzz"} {
		if near := Near(name, ids); len(near) > 0 {
			t.Errorf("Near(%q) = %q", name, near)
		}
	}
}

func BenchmarkFirstUse(b *testing.B) {
	for b.Loop() {
		if _, err := decode(compressed); err != nil {
			b.Fatal(err)
		}
	}
}
