package modelsetup_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"society-tui/llm"
	"society-tui/llm/chatapi"
	"society-tui/runtime/config"
	"society-tui/runtime/modelsetup"
)

// asked is how the first model of a settings file is asked.
func asked(t *testing.T, table string) chatapi.Config {
	t.Helper()
	_, path, _ := setUp(t, "[[models]]\nname = \"a\"\nmodel = \"gpt-x\"\n"+table)
	s, err := config.Load(config.Sources{
		Places: config.Places{Data: filepath.Join(t.TempDir(), "data"), File: path, Logs: t.TempDir()},
		Themes: func(string) []string { return nil },
		Getenv: func(name string) string {
			return map[string]string{"GATEWAY": "canary-of-the-gateway", "SHORT": "abc"}[name]
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	e := s.Models[0]
	return chatapi.Config{BaseURL: e.BaseURL, Model: e.Model, Options: modelsetup.OptionsOf(e)}
}

func TestAValueFromElsewhereIsInNoFailure(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.WriteHeader(http.StatusForbidden)
		said := r.Header.Get("X-Gateway") + " " + r.URL.RawQuery + " " + strings.ReplaceAll(string(body), `"`, "")
		_, _ = fmt.Fprintf(w, `{"error":{"message":"not for you: %s"}}`, said)
	}))
	defer server.Close()
	for _, table := range []string{
		`headers = { X-Gateway = "env:GATEWAY" }`, `query = { user = "env:GATEWAY" }`, `extra_body = { provider = { api_key = "canary-of-the-gateway" } }`,
	} {
		model, err := chatapi.New(asked(t, "base_url = \""+server.URL+"/v1\"\n"+table))
		if err != nil {
			t.Fatal(err)
		}
		for _, err := range model.Generate(t.Context(), llm.Request{Messages: []llm.Message{{Role: llm.User, Text: "hi"}}}) {
			if text := llm.AsError(err).Text; strings.Contains(text, "canary") || !strings.Contains(text, "[redacted]") {
				t.Errorf("with %s the failure says %q", table, text)
			}
		}
		_ = model.Close()
	}
}

// A secret needs the same leave as a key to cross the user's own network unencrypted.
func TestASecretOverPlainHTTPIsAskedFor(t *testing.T) {
	t.Parallel()
	for table, asks := range map[string]bool{
		`headers = { X-Gateway = "env:GATEWAY" }`:                      true,
		`query = { user = "env:SHORT" }`:                               true,
		`extra_body = { api_key = "canary-of-the-gateway" }`:           true,
		"headers = { X-Gateway = \"env:GATEWAY\" }\nplain_http = true": false,
		`headers = { X-Title = "my society" }`:                         false,
		`extra_body = { tokenizer = "llama-three" }`:                   false,
	} {
		model, err := chatapi.New(asked(t, "base_url = \"http://192.168.1.5/v1\"\n"+table))
		if errors.Is(err, chatapi.ErrPlainHTTP) != asks || (err == nil) == asks {
			t.Errorf("%s: %v", table, err)
		}
		if err == nil {
			_ = model.Close()
		}
	}
}
