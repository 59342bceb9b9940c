package modelsetup_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"society-tui/llm"
	"society-tui/llm/chatapi"
	"society-tui/runtime/api"
	"society-tui/runtime/config"
	"society-tui/runtime/modelsetup"
)

// A model is tested as it is asked: with its header for the key, its query and its fields.
func TestATrialAsksTheModelThatIsSet(t *testing.T) {
	t.Parallel()
	var list, asked string
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		about := fmt.Sprint(r.Header.Get("Api-Key"), r.Header.Get("X-Team"), r.URL.RawQuery)
		if r.Method == http.MethodGet {
			list = about
			_, _ = w.Write([]byte(`{"data":[{"id":"gpt-x"}]}`))
			return
		}
		var in map[string]any
		_ = json.NewDecoder(r.Body).Decode(&in)
		asked = about + fmt.Sprint(in["seed"], in["reasoning_effort"])
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprint(w, "data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"ok\"},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")
	}))
	defer srv.Close()
	u, _, _ := setUp(t, fmt.Sprintf("[[models]]\nname = 'a'\nbase_url = '%s/v1'\nkey_header = 'api-key'\nkey_env = 'KEY_OF_A'\nreasoning = 'low'\nheaders = { X-Team = 'blue' }\nquery = { api-version = '7' }\nextra_body = { seed = 5 }\n", srv.URL), "KEY_OF_A", "k-1")
	u.Open = func(e config.Endpoint) (llm.Model, error) {
		return chatapi.New(chatapi.Config{BaseURL: e.BaseURL, Key: chatapi.Key(e.Key.Reveal()), Model: e.Model, Options: modelsetup.OptionsOf(e)})
	}
	d, _ := u.Draft("a")
	if trial := u.Try(t.Context(), d); trial.Err != nil || asked != "k-1blueapi-version=75low" {
		t.Errorf("asked with %q, %v", asked, trial.Err)
	}
	if _, err := u.List(t.Context(), d); err != nil || list != "k-1blueapi-version=7" {
		t.Errorf("asked for the list with %q, %v", list, err)
	}
}

// Headers and the query may be secrets of the endpoint that a model had.
func TestAModelThatIsMovedLeavesItsHeadersBehind(t *testing.T) {
	t.Parallel()
	u, path, _ := setUp(t, "[[models]]\nname = 'a'\nbase_url = 'https://one.example/v1'\nreasoning = 'low'\nheaders = { X-Team = 'blue' }\nquery = { tenant = '7' }\n")
	var asked config.Endpoint
	u.Open = func(e config.Endpoint) (llm.Model, error) {
		asked = e
		return nil, errors.New("not asked")
	}
	d, _ := u.Draft("a")
	d.URL, d.Key = "https://two.example/v1", api.NoKey
	u.Try(t.Context(), d)
	if asked.BaseURL != d.URL || len(asked.Headers)+len(asked.Query) > 0 {
		t.Errorf("the other endpoint is asked with %v and %v at %s", asked.Headers, asked.Query, asked.BaseURL)
	}
	if _, err := u.Save(t.Context(), d, false); err != nil {
		t.Fatal(err)
	}
	if file := read(t, path); strings.Contains(file, "blue") || strings.Contains(file, "tenant") || !strings.Contains(file, "reasoning") {
		t.Errorf("the file is\n%s", file)
	}
}

// A model without an address has the key of OpenAI, and keeps it when it is edited.
func TestAnEditedModelOfOpenAIKeepsItsKey(t *testing.T) {
	t.Parallel()
	u, path, _ := setUp(t, "[[models]]\nname = 'a'\n", "OPENAI_API_KEY", "sk-openai")
	d, ok := u.Draft("a")
	if !ok || d.Key != api.KeyStays {
		t.Fatalf("%+v, %t", d, ok)
	}
	d.Window = 9000
	if saved, err := u.Save(t.Context(), d, false); err != nil || saved.Unwritten != nil {
		t.Fatalf("%+v, %v", saved, err)
	}
	if list := u.Endpoints(); list[0].Key.Reveal() != "sk-openai" || list[0].ContextWindow != 9000 {
		t.Errorf("the model is %+v with the file\n%s", list[0], read(t, path))
	}
}

// What names a model in the settings names it under its new name, and no model that is gone.
func TestWhatNamesAModelFollowsIt(t *testing.T) {
	t.Parallel()
	const file = "[model]\nname = 'b'\n\n[[models]]\nname = 'a'\nbase_url = 'http://127.0.0.1:1/v1'\nfallback = ['b', 'c']\n\n" +
		"[[models]]\nname = 'b'\nbase_url = 'http://127.0.0.1:2/v1'\n\n[[models]]\nname = 'c'\nbase_url = 'http://127.0.0.1:3/v1'\nfallback = ['b']\n"
	u, path, taken := setUp(t, file)
	d, _ := u.Draft("b")
	d.Name = "big"
	if saved, err := u.Save(t.Context(), d, false); err != nil || saved.Unwritten != nil || fmt.Sprint(*taken, len(u.Disabled())) != "[big a c] 0" {
		t.Fatalf("%+v, %v; taken %v; disabled %v\n%s", saved, err, *taken, u.Disabled(), read(t, path))
	}
	if list := u.Endpoints(); fmt.Sprint(list[1].Fallback, list[2].Fallback) != "[big c] [big]" {
		t.Errorf("fall back to %v, %v", list[1].Fallback, list[2].Fallback)
	}
	if saved, err := u.Remove(t.Context(), "big"); err != nil || saved.Unwritten != nil || fmt.Sprint(*taken, len(u.Disabled())) != "[a c] 0" {
		t.Fatalf("%+v, %v; taken %v; disabled %v\n%s", saved, err, *taken, u.Disabled(), read(t, path))
	}
	if list := u.Endpoints(); fmt.Sprint(list[0].Fallback, list[1].Fallback) != "[c] []" {
		t.Errorf("fall back to %v, %v", list[0].Fallback, list[1].Fallback)
	}

	u, path, _ = setUp(t, file, "SOCIETY_MODEL", "b")
	d, _ = u.Draft("b")
	d.Name = "big"
	_, err := u.Save(t.Context(), d, false)
	if _, err2 := u.Remove(t.Context(), "b"); err == nil || err2 == nil || read(t, path) != file {
		t.Errorf("%v, %v: SOCIETY_MODEL names nothing that is in\n%s", err, err2, read(t, path))
	}
}

// A model of the [model] table is asked in the same way after another has become the default.
func TestAFormerDefaultKeepsAllThatIsSetForIt(t *testing.T) {
	t.Parallel()
	const other = "\n[[models]]\nname = 'b'\nbase_url = 'http://127.0.0.1:2/v1'\n"
	u, path, taken := setUp(t, "[model]\nname = 'a' # mine\nbase_url = 'http://127.0.0.1:1/v1'\nkey_header = 'api-key'\nheaders = { X-Team = 'env:TEAM' }\nquery = { api-version = '7' }\n"+
		"extra_body = { seed = 5 }\nplain_http = true\nreasoning = 'low'\ntemperature = 0.5\nmax_tokens = 70\n"+other, "OPENAI_API_KEY", "sk-a", "TEAM", "blue")
	told := func(e config.Endpoint) string {
		asking, err := json.Marshal(e.Asking)
		return fmt.Sprint(string(asking), err, e.Headers["X-Team"] == "blue", e.Query["api-version"] == "7", e.MaxTokens, e.Key.Reveal())
	}
	before := told(u.Endpoints()[0])
	if saved, err := u.MakeDefault(t.Context(), "b"); err != nil || saved.Unwritten != nil || fmt.Sprint(*taken) != "[b a]" {
		t.Fatalf("%+v, %v; taken %v", saved, err, *taken)
	}
	if now := told(u.Endpoints()[1]); now != before {
		t.Errorf("asked with %s, before with %s; the file is\n%s", now, before, read(t, path))
	}
	if text := read(t, path); strings.Contains(text, "blue") || !strings.Contains(text, "[model]\nname = \"b\" # mine\n\n") {
		t.Errorf("the file is now\n%s", text)
	}

	plain := "[model]\nname = 'a'\nbase_url = 'http://127.0.0.1:1/v1'\nkey = 'sk-plain'\n" + other
	u, path, _ = setUp(t, plain)
	d := api.ModelDraft{Name: "new", Model: "m", URL: "http://127.0.0.1:3/v1", Key: api.KeyInFile, Entered: rightKey}
	_, err := u.MakeDefault(t.Context(), "b")
	if _, err2 := u.Save(t.Context(), d, true); err == nil || err2 == nil || read(t, path) != plain {
		t.Errorf("%v, %v; the file is now\n%s", err, err2, read(t, path))
	}
}

// A ring asks the set-up while it is asked to keep a key.
type ring struct{ during func() }

func (ring) Get(string, string) (string, error) { return "", errors.New("not there") }
func (r ring) Set(string, string, string) error { r.during(); return nil }
func (ring) Delete(string, string) error        { return nil }

// The screen reads models while a change of them waits for the keyring: one that had to wait
// would let the keyring time out here.
func TestWhatIsReadDoesNotWaitForAChange(t *testing.T) {
	t.Parallel()
	u, _, _ := setUp(t, "[[models]]\nname = 'a'\nbase_url = 'http://127.0.0.1:1/v1'\n\n[[models]]\nname = 'b'\ncontext_window = 'wide'\n")
	var known bool
	var disabled, all int
	u.Keys = ring{func() {
		_, known = u.Draft("a")
		disabled, all = len(u.Disabled()), len(u.Endpoints())
	}}
	saved, err := u.Save(t.Context(), api.ModelDraft{Name: "c", Model: "m", URL: "http://127.0.0.1:2/v1", Key: api.KeyInKeyring, Entered: rightKey}, true)
	if err != nil || saved.KeyInFile != nil || !known || disabled != 1 || all != 1 {
		t.Errorf("%+v, %v; read %t, %d disabled, %d in use", saved, err, known, disabled, all)
	}
	if _, known := u.Draft("c"); !known {
		t.Error("the new model is not known")
	}
}

// An address of Azure is set up as it is copied: with its version, and its header for keys.
func TestAnAddressWithAQueryIsSetUp(t *testing.T) {
	t.Parallel()
	u, path, _ := setUp(t, "")
	at, err := u.Address("https://team.openai.azure.com/openai/deployments/big?api-version=2026-01-01")
	if err != nil || at.URL != "https://team.openai.azure.com/openai/deployments/big" {
		t.Fatalf("%+v, %v", at, err)
	}
	d := api.ModelDraft{Name: "big", Model: "big", Key: api.KeyInFile, Entered: rightKey}
	d.URL, d.Query = at.URL, at.Query
	saved, err := u.Save(t.Context(), d, true)
	e := u.Endpoints()[0]
	if err != nil || saved.Unwritten != nil || e.Query["api-version"] != "2026-01-01" || e.KeyHeader != "api-key" || e.BaseURL != at.URL {
		t.Errorf("%+v, %v; asked at %s with %q; the file is\n%s", saved, err, e.BaseURL, e.KeyHeader, read(t, path))
	}
	if text := read(t, path); !strings.Contains(text, `query = { api-version = "2026-01-01" }`) || !strings.Contains(text, `key_header = "api-key"`) {
		t.Errorf("the file is\n%s", text)
	}
	if _, err := u.Address("https://a.example.com/v1?api_key=sk-1"); err == nil || strings.Contains(err.Error(), "sk-1") {
		t.Errorf("with a key in it: %v", err)
	}
}
