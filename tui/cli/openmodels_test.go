package cli

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"society-tui/llm"
	"society-tui/llm/discover"
	"society-tui/llm/limits"
	"society-tui/llm/registry"
	"society-tui/runtime/apikey"
	"society-tui/runtime/config"
)

// A command for a header is run when its model is used, and what it prints is hidden from then on.
func TestAHeaderByCommandIsFoundWhenItsModelIsUsed(t *testing.T) {
	t.Parallel()
	const canary = "canary-of-the-gateway"
	var seen string
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen = r.Header.Get("X-Gateway")
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprint(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"it is "+seen+"\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")
	}))
	defer srv.Close()
	dir := t.TempDir()
	path, ran := filepath.Join(dir, "config.toml"), filepath.Join(dir, "ran")
	text := fmt.Sprintf("[[models]]\nname = 'a'\nbase_url = '%s/v1'\nheaders = { X-Gateway = ['sh', '-c', 'echo x >> %s; echo %s'] }\n", srv.URL, ran, canary)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := config.Load(config.Sources{
		Places: config.Places{Data: filepath.Join(dir, "data"), File: path, Logs: dir},
		Themes: func(string) []string { return nil }, Getenv: func(string) string { return "" },
	})
	if err != nil || len(s.Models) != 1 || s.Models[0].Wrong != nil {
		t.Fatalf("%+v, %v", s.Models, err)
	}
	if shown := fmt.Sprintf("%v %+v", s.Effective(), s.Models[0].HeaderValues); strings.Contains(shown, canary) {
		t.Errorf("the settings show %s", shown)
	}
	c := newConsole(os.Stdin, os.Stdout, os.Stderr, &commandLine{})
	models, _, err := c.registryOf(s, s.Models)
	if err != nil {
		t.Fatal(err)
	}
	defer models.Close()
	discover.Learn(t.Context(), models, catalogOf(s), false)
	if _, err := os.Stat(ran); err == nil {
		t.Error("the command ran before the model was used")
	}
	said := ""
	for chunk, err := range models.All()[0].Model.Generate(t.Context(), llm.Request{Messages: []llm.Message{{Role: llm.User, Text: "hi"}}}) {
		if err != nil {
			t.Fatal(err)
		}
		said += chunk.Text
	}
	if seen != canary || said != "it is [redacted]" || strings.Contains(c.redactor.Redact("is "+canary), canary) {
		t.Errorf("sent %q, answered %q", seen, said)
	}
}

// An endpoint that refuses an option is asked with it once, also by the next run.
func TestWhatAnEndpointRefusedIsKnownAfterARestart(t *testing.T) {
	asked := 0
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked++
		if text, _ := io.ReadAll(r.Body); strings.Contains(string(text), "temperature") {
			w.WriteHeader(http.StatusBadRequest)
			_, _ = io.WriteString(w, `{"error":{"message":"Unsupported value: 'temperature' does not support 0.7 with this model."}}`)
			return
		}
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"hi\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")
	}))
	defer srv.Close()
	dir := t.TempDir()
	warm := 0.7
	e := config.Endpoint{Name: "a", BaseURL: srv.URL + "/v1"}
	e.Model, e.Temperature = "m", &warm
	for run, want := range []int{2, 3, 4} {
		c := newConsole(os.Stdin, os.Stdout, os.Stderr, &commandLine{})
		c.adapted = adaptedIn(dir)
		entry, _, err := c.openModel(config.Defaults(), e)
		if err != nil {
			t.Fatal(err)
		}
		for _, err := range entry.Model.Generate(t.Context(), llm.Request{Messages: []llm.Message{{Role: llm.User, Text: "hi"}}}) {
			if err != nil {
				t.Fatal(err)
			}
		}
		if asked != want {
			t.Errorf("after run %d the endpoint was asked %d times, want %d", run, asked, want)
		}
	}
	c := newConsole(os.Stdin, os.Stdout, os.Stderr, &commandLine{})
	c.adapted = adaptedIn(dir)
	sought := e
	var err error
	if sought.Source, err = apikey.Parse("file:key", dir); err != nil {
		t.Fatal(err)
	}
	entry, _, err := c.openModel(config.Defaults(), sought)
	if err != nil {
		t.Fatal(err)
	}
	adapter := entry.Model.(llm.Adapter)
	if got := adapter.Adapted(); len(got) != 1 || got[0] != "no_temperature" {
		t.Errorf("before its key is found, %q was adapted, want no_temperature", got)
	}
	path := filepath.Join(dir, adaptedFile)
	if adapter.ForgetAdapted(); len(adapter.Adapted()) > 0 || !llm.SeeksKey(entry.Model) {
		t.Errorf("before its key is found, %q is not forgotten", adapter.Adapted())
	}
	if text, err := os.ReadFile(path); strings.Contains(string(text), "no_temperature") {
		t.Errorf("what is forgotten before the key is found is kept: %s, %v", text, err)
	}
	if err := os.WriteFile(filepath.Join(dir, "key"), []byte("sk-canary-9"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, err := range entry.Model.Generate(t.Context(), llm.Request{Messages: []llm.Message{{Role: llm.User, Text: "hi"}}}) {
		if err != nil {
			t.Fatal(err)
		}
	}
	if got := adapter.Adapted(); asked != 6 || len(got) != 1 {
		t.Errorf("after it was forgotten the endpoint was asked %d times in all, want 6; adapted is %q", asked, got)
	}
	if text, err := os.ReadFile(path); err != nil || !strings.HasPrefix(string(text), "#") || !strings.Contains(string(text), "/v1 m' = ['no_temperature']") {
		t.Errorf("the file is %q, %v", text, err)
	}
	if err := keepAdapted(path, srv.URL+"/v1 m", nil); err != nil {
		t.Fatal(err)
	}
	if text, _ := os.ReadFile(path); strings.Contains(string(text), "no_temperature") {
		t.Errorf("what is forgotten is kept: %s", text)
	}
}

// A key in a variable and the same key in a file are one key of the endpoint: what it refuses to
// one model stops the other. Nothing by which they are told apart holds a key.
func TestModelsWithTheSameKeyShareTheirBrakeWhereverItIs(t *testing.T) {
	t.Parallel()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "600")
		w.WriteHeader(http.StatusTooManyRequests)
	}))
	defer srv.Close()
	dir := t.TempDir()
	text := ""
	for name, from := range map[string]string{"a": "key_env = 'KEY'", "b": "key_from = 'file:same'", "c": "key_from = 'file:other'", "d": "key_from = ['cat', '" + filepath.Join(dir, "same") + "']"} {
		text += fmt.Sprintf("[[models]]\nname = '%s'\nbase_url = '%s/v1'\n%s\n\n", name, srv.URL, from)
	}
	path := filepath.Join(dir, "config.toml")
	for file, holds := range map[string]string{path: text, filepath.Join(dir, "same"): "sk-canary-same", filepath.Join(dir, "other"): "sk-canary-other"} {
		if err := os.WriteFile(file, []byte(holds), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s, err := config.Load(config.Sources{
		Places: config.Places{Data: filepath.Join(dir, "data"), File: path, Logs: dir},
		Themes: func(string) []string { return nil }, Getenv: func(name string) string { return map[string]string{"KEY": "sk-canary-same"}[name] },
	})
	if err != nil {
		t.Fatal(err)
	}
	models, _, err := newConsole(os.Stdin, os.Stdout, os.Stderr, &commandLine{}).registryOf(s, s.Models)
	if err != nil {
		t.Fatal(err)
	}
	defer models.Close()
	all := limits.New(8)
	of := func(name string) registry.Entry {
		e, _ := models.For(name, "")
		if err := llm.FindKey(t.Context(), e.Model); err != nil {
			t.Fatal(err)
		}
		if account := e.Account + llm.AccountOf(e.Model); strings.Contains(account, "canary") || strings.Contains(account, dir) {
			t.Errorf("the account of %s is %q", name, account)
		}
		return e
	}
	call, err := all.Begin(t.Context(), limits.Request{Model: of("a")})
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range of("a").Model.Generate(t.Context(), llm.Request{Messages: []llm.Message{{Role: llm.User, Text: "hi"}}}) {
		call.Ended(err, llm.Usage{})
	}
	call.Done()
	for name, stops := range map[string]bool{"a": true, "b": true, "c": false, "d": true} {
		if until := all.HeldUntil(of(name)); until.IsZero() == stops {
			t.Errorf("%s is held until %v, want held: %t", name, until, stops)
		}
	}
}

// A mistake in the user's own catalogue ends nothing; a notice says where it is and what to do.
func TestAMistakeInTheUsersCatalogueIsTold(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	own := filepath.Join(dir, "catalogue.json")
	s := config.Defaults()
	s.File = filepath.Join(dir, "config.toml")
	for text, want := range map[string]string{"{}": "", "{\n\"providers\":[{\"id\":\"a\",\n\"modles\":[]}]}": "line 3", "{\n": "line 1"} {
		if err := os.WriteFile(own, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		models, warnings, err := newConsole(os.Stdin, os.Stdout, os.Stderr, &commandLine{}).openModels(s, false)
		if err != nil || len(models.All()) == 0 {
			t.Fatalf("with %q there are the models %v, %v", text, models, err)
		}
		said := strings.Join(warnings, " ")
		if want == "" && said != "" || want != "" && (!strings.Contains(said, own) || !strings.Contains(said, want) || !strings.Contains(said, "start again")) {
			t.Errorf("of %q is told %q, want %q", text, said, want)
		}
	}
}
