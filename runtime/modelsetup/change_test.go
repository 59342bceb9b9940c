package modelsetup_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/zalando/go-keyring"

	"society-tui/llm/chatapi"
	"society-tui/llm/registry"
	"society-tui/runtime/api"
	"society-tui/runtime/config"
	"society-tui/runtime/i18n"
	"society-tui/runtime/modelsetup"
	"society-tui/runtime/protocol"
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
	u.Open = func(e config.Endpoint) (registry.Entry, error) {
		model, err := chatapi.New(chatapi.Config{BaseURL: e.BaseURL, Key: chatapi.Key(e.Key.Reveal()), Model: e.Model, Options: modelsetup.OptionsOf(e)})
		return registry.Entry{Name: e.Name, Model: model, Endpoint: e.BaseURL}, err
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
	u.Open = func(e config.Endpoint) (registry.Entry, error) {
		asked = e
		return registry.Entry{}, errors.New("not asked")
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

	u, path, _ = setUp(t, "[model]\nname = 'own'\nbase_url = 'http://127.0.0.1:9/v1'\nfallback = ['b', 'a'] # in this order\n\n[[models]]\nname = 'a'\n\n[[models]]\nname = 'b'\n")
	d, _ = u.Draft("b")
	d.Name = "big"
	if saved, err := u.Save(t.Context(), d, false); err != nil || saved.Unwritten != nil || fmt.Sprint(u.Endpoints()[0].Fallback) != "[big a]" || !strings.Contains(read(t, path), "# in this order") {
		t.Errorf("%+v, %v; the model of [model] falls back to %v\n%s", saved, err, u.Endpoints()[0].Fallback, read(t, path))
	}

	const graphs = "\n[[graphs]]\nname = 'twice'\nentry_points = ['write']\nend_points = ['send']\n\n[[graphs.nodes]]\nkey = 'write'\nmodel = 'b' # it writes best\n\n" +
		"[[graphs.nodes]]\nkey = 'send'\n\n[graphs.nodes.graph]\nname = 'inner'\nentry_points = ['in']\nend_points = ['in']\n\n[[graphs.nodes.graph.nodes]]\nkey = 'in'\nmodel = 'b'\n\n[[graphs.edges]]\nfrom = 'write'\nto = 'send'\n"
	u, path, _ = setUp(t, file+graphs)
	team := filepath.Join(filepath.Dir(path), "templates", "team.toml")
	if err := errors.Join(os.Mkdir(filepath.Dir(team), 0o700), os.WriteFile(team, []byte("[[roles]]\nname = 'writer'\nmodel = 'b'\n"), 0o600)); err != nil {
		t.Fatal(err)
	}
	d, _ = u.Draft("b")
	d.Name = "big"
	want := strings.Replace(strings.Replace(graphs, "model = 'b' #", "model = \"big\" #", 1), "model = 'b'", "model = \"big\"", 1)
	if saved, err := u.Save(t.Context(), d, false); err != nil || saved.Unwritten != nil || !strings.HasSuffix(read(t, path), want) {
		t.Errorf("%+v, %v: of the graphs is left\n%s", saved, err, read(t, path))
	}
	if got := read(t, team); !strings.HasSuffix(got, "model = \"big\"\n") {
		t.Errorf("a template is\n%s", got)
	}
	if saved, err := u.Remove(t.Context(), "big"); err != nil || saved.Unwritten != nil || strings.Contains(read(t, path), "big") {
		t.Errorf("%+v, %v: of the graphs is left\n%s", saved, err, read(t, path))
	}

	u, path, _ = setUp(t, file, "SOCIETY_MODEL", "b")
	d, _ = u.Draft("b")
	d.Name = "big"
	_, err := u.Save(t.Context(), d, false)
	if _, err2 := u.Remove(t.Context(), "b"); err == nil || err2 == nil || read(t, path) != file {
		t.Errorf("%v, %v: SOCIETY_MODEL names nothing that is in\n%s", err, err2, read(t, path))
	}
}

// The model of the [model] table is edited and removed as any other: it gets a table of its own.
func TestTheModelOfTheModelTableIsEditedAndRemoved(t *testing.T) {
	t.Parallel()
	const file = "# mine\n[model]\nname = 'own'\nbase_url = 'http://127.0.0.1:1/v1'\nrpm = 7 # slow\nidle_timeout = '2m'\n\n[[models]]\nname = 'b'\nbase_url = 'http://127.0.0.1:2/v1'\nfallback = ['own']\n"
	u, path, taken := setUp(t, file)
	d, ok := u.Draft("own")
	if !ok || d.URL != "http://127.0.0.1:1/v1" || d.Model != "own" {
		t.Fatalf("%+v, %t", d, ok)
	}
	d.Name, d.Window = "mine", 9000
	if saved, err := u.Save(t.Context(), d, true); err != nil || saved.Unwritten != nil || fmt.Sprint(*taken, len(u.Disabled())) != "[mine b] 0" {
		t.Fatalf("%+v, %v; taken %v\n%s", saved, err, *taken, read(t, path))
	}
	list := u.Endpoints()
	if e := list[0]; e.Model != "own" || e.ContextWindow != 9000 || e.RPM != 7 || fmt.Sprint(list[1].Fallback) != "[mine]" {
		t.Errorf("%+v, falls back to %v\n%s", e, list[1].Fallback, read(t, path))
	}
	if got := read(t, path); !strings.HasPrefix(got, "# mine\n[model]\nname = \"mine\"\nidle_timeout = '2m'\n") || !strings.Contains(got, "rpm = 7 # slow\n") {
		t.Errorf("the file is\n%s", got)
	}

	u, path, taken = setUp(t, file)
	if saved, err := u.Remove(t.Context(), "own"); err != nil || saved.Unwritten != nil || fmt.Sprint(*taken) != "[b]" || strings.Contains(read(t, path), "own") || strings.Contains(read(t, path), "rpm") {
		t.Errorf("%+v, %v; taken %v\n%s", saved, err, *taken, read(t, path))
	}
	u, path, _ = setUp(t, strings.Replace(file, "rpm = 7", "key = 'sk-plain-key'", 1))
	if _, ok := u.Draft("own"); ok {
		t.Error("a key that cannot leave its table is to leave it")
	}
	if _, err := u.Remove(t.Context(), "own"); err == nil || !strings.Contains(read(t, path), "own") {
		t.Errorf("%v\n%s", err, read(t, path))
	}
}

// A change names the renamed model and the unchanged ones to the society.
func TestTheSocietyIsToldWhatHasChanged(t *testing.T) {
	t.Parallel()
	u, _, _ := setUp(t, "[[models]]\nname = 'a'\nbase_url = 'http://127.0.0.1:1/v1'\n\n[[models]]\nname = 'b'\nbase_url = 'http://127.0.0.1:2/v1'\n")
	told := ""
	u.For(modelsetup.Society{Trial: func(e registry.Entry) registry.Entry { return e }, Take: func(_ context.Context, m modelsetup.Models) error {
		told = fmt.Sprint(len(m.Endpoints), m.Same, m.Before, ">", m.Now)
		return nil
	}})
	d, _ := u.Draft("b")
	d.Name = "big"
	for _, c := range []struct {
		do   func() (api.ModelSaved, error)
		want string
	}{
		{func() (api.ModelSaved, error) { return u.Save(t.Context(), d, false) }, "2 [a]b>big"},
		{func() (api.ModelSaved, error) { return u.MakeDefault(t.Context(), "big") }, "2 [big a]>"},
		{func() (api.ModelSaved, error) {
			return u.Save(t.Context(), api.ModelDraft{Before: "a", Name: "a", Model: "a", URL: "http://127.0.0.1:1/v1"}, false)
		}, "2 [big]a>a"},
		{func() (api.ModelSaved, error) { return u.Remove(t.Context(), "big") }, "1 [a]big>"},
	} {
		if _, err := c.do(); err != nil || told != c.want {
			t.Errorf("%v; told %q, want %q", err, told, c.want)
		}
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

// The same settings may stand in tables of their own.
func TestAFormerDefaultKeepsItsTables(t *testing.T) {
	t.Parallel()
	u, path, _ := setUp(t, "[model]\nname = 'a'\nbase_url = 'http://127.0.0.1:1/v1'\n\n[model.headers]\nX-Team = 'blue'\n# which?\nX-Site = 'env:SITE'\n\n"+
		"[model.query]\napi-version = '7'\n\n[limits]\nagents = 9\n\n[[models]]\nname = 'b'\nbase_url = 'http://127.0.0.1:2/v1'\n", "SITE", "north")
	saved, err := u.MakeDefault(t.Context(), "b")
	if err != nil || saved.Unwritten != nil {
		t.Fatalf("%+v, %v", saved, err)
	}
	e := u.Endpoints()[1]
	if e.Name != "a" || e.Headers["X-Team"] != "blue" || e.Headers["X-Site"] != "north" || e.Query["api-version"] != "7" {
		t.Errorf("%s is asked with %v and %v; the file is\n%s", e.Name, e.Headers, e.Query, read(t, path))
	}
	if e = u.Endpoints()[0]; len(e.Headers) > 0 || strings.Contains(read(t, path), "north") {
		t.Errorf("%s is asked with %v; the file is\n%s", e.Name, e.Headers, read(t, path))
	}
}

// A ring asks the set-up while it is asked to keep a key.
type ring struct{ during func() }

func (ring) Get(string, string) (string, error) { return "", keyring.ErrNotFound }
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
	d.Name, d.URL, d.Query = "other", "https://team.services.ai.azure.com/openai/v1", nil
	if _, err := u.Save(t.Context(), d, true); err != nil || u.Endpoints()[0].KeyHeader != "api-key" {
		t.Errorf("%v; asked at %s with %q", err, d.URL, u.Endpoints()[0].KeyHeader)
	}
	if text := read(t, path); !strings.Contains(text, `query = { api-version = "2026-01-01" }`) || !strings.Contains(text, `key_header = "api-key"`) {
		t.Errorf("the file is\n%s", text)
	}
	if _, err := u.Address("https://a.example.com/v1?api_key=sk-1"); err == nil || strings.Contains(err.Error(), "sk-1") {
		t.Errorf("with a key in it: %v", err)
	}
}

// Two accounts at one endpoint each have their key, and a key that is entered anew replaces that
// of its model alone.
func TestTwoKeysOfOneEndpointAreBothKept(t *testing.T) {
	t.Parallel()
	for _, place := range []api.KeyPlace{api.KeyInKeyring, api.KeyInFile} {
		t.Run(string(place), func(t *testing.T) {
			t.Parallel()
			u, path, _ := setUp(t, "")
			held := heldKeys{}
			u.Keys = held
			kept := func(name string) string {
				for _, e := range u.Endpoints() {
					if e.Name == name {
						key, err := e.Source.Find(t.Context(), held)
						if err := errors.Join(err, e.Source.CheckFor(e.BaseURL)); err != nil {
							t.Error(err)
						}
						return key
					}
				}
				return "none"
			}
			for _, c := range []struct{ before, name, key, want string }{
				{"", "work", "k-work", "k-work none none"},
				{"", "home", "k-home", "k-work k-home none"},
				{"", "more", "k-home", "k-work k-home k-home"},
				{"work", "work", "k-work-2", "k-work-2 k-home k-home"},
				{"home", "home", "k-home-2", "k-work-2 k-home-2 k-home"},
			} {
				d := api.ModelDraft{Before: c.before, Name: c.name, Model: "m", URL: "https://one.example/v1", Key: place, Entered: api.Entered(c.key)}
				saved, err := u.Save(t.Context(), d, true)
				if got := kept("work") + " " + kept("home") + " " + kept("more"); err != nil || saved.Unwritten != nil || saved.KeyInFile != nil || got != c.want {
					t.Fatalf("after %q of %s: %s, want %s; %+v, %v\n%s", c.key, c.name, got, c.want, saved, err, read(t, path))
				}
			}
			for _, name := range []string{"home", "work", "more"} {
				if _, err := u.Remove(t.Context(), name); err != nil {
					t.Error(err)
				}
			}
			file := read(t, filepath.Join(filepath.Dir(path), "keys.toml"))
			if len(held) > 0 || strings.Contains(file, "k-") {
				t.Errorf("of removed models are left %v and %s", held, file)
			}
		})
	}
}

// A key that was entered while the file could not be written is in the settings once it can be.
func TestAKeyOfThisRunIsKeptWhenItsModelIsWritten(t *testing.T) {
	t.Parallel()
	for place, entered := range map[api.KeyPlace]api.Entered{api.KeyInFile: rightKey, api.KeyInEnv: "MINE", api.KeyByCommand: "echo " + rightKey} {
		u, path, _ := setUp(t, "models = [{ name = 'old', base_url = 'http://127.0.0.1:1/v1' }]\n", "MINE", rightKey)
		saved, err := u.Save(t.Context(), api.ModelDraft{Name: "new", Model: "m", URL: "https://one.example/v1", Key: place, Entered: entered}, false)
		if err != nil || saved.Unwritten == nil {
			t.Fatalf("%+v, %v", saved, err)
		}
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		d, _ := u.Draft("new")
		d.Name = "newer"
		if saved, err := u.Save(t.Context(), d, true); err != nil || saved.Unwritten != nil || d.Key != api.KeyStays {
			t.Fatalf("%+v, %v; the key %s", saved, err, d.Key)
		}
		s, err := config.Load(u.Sources)
		if err != nil {
			t.Fatal(err)
		}
		list, err := s.Endpoints()
		if err != nil || len(list) != 1 || list[0].Name != "newer" || len(u.Endpoints()) != 1 {
			t.Fatalf("at the next start there is %v, %v\n%s", list, err, read(t, path))
		}
		key := list[0].Key.Reveal()
		if key == "" {
			key, err = list[0].Source.Find(t.Context(), noRing{})
		}
		if key != rightKey || err != nil {
			t.Errorf("with the key of %s: %v\n%s", place, err, read(t, path))
		}
	}
}

// A second model at a host has the key of the first, which stays until both are gone.
func TestAKeyIsSharedWithinItsHost(t *testing.T) {
	t.Parallel()
	u, path, _ := setUp(t, "")
	server := endpoint(t, true)
	if _, err := u.Save(t.Context(), api.ModelDraft{Name: "a", Model: "gpt-x", URL: server.URL + "/v1", Key: api.KeyInFile, Entered: rightKey}, true); err != nil {
		t.Fatal(err)
	}
	d := api.ModelDraft{Name: "b", Model: "gpt-y", URL: server.URL + "/v1", Key: api.KeyOfOther, Entered: "a"}
	if trial := u.Try(t.Context(), d); trial.Err != nil {
		t.Errorf("the test of it: %v", trial.Err)
	}
	for _, bad := range []api.ModelDraft{{Name: "c", Model: "m", URL: "https://evil.example/v1", Key: api.KeyOfOther, Entered: "a"}, {Name: "c", Model: "m", URL: d.URL, Key: api.KeyOfOther, Entered: "none"}} {
		if _, err := u.Save(t.Context(), bad, false); err == nil || u.Try(t.Context(), bad).Err == nil {
			t.Errorf("the key of %q is sent to %s: %v", bad.Entered, bad.URL, err)
		}
	}
	if saved, err := u.Save(t.Context(), d, false); err != nil || saved.Unwritten != nil {
		t.Fatalf("%+v, %v", saved, err)
	}
	if _, err := u.Remove(t.Context(), "a"); err != nil {
		t.Fatal(err)
	}
	if key, err := u.Endpoints()[0].Source.Find(t.Context(), noRing{}); key != rightKey || err != nil {
		t.Errorf("b has the key %q, %v\n%s", key, err, read(t, path))
	}
}

// An entered key that no model has any more is removed, whatever has replaced it.
func TestAReplacedKeyIsRemoved(t *testing.T) {
	t.Parallel()
	const base = "https://one.example/v1"
	for name, change := range map[string]func(d *api.ModelDraft){
		"by the key of another": func(d *api.ModelDraft) { d.Key, d.Entered = api.KeyInFile, "k-first" },
		"by a variable":         func(d *api.ModelDraft) { d.Key, d.Entered = api.KeyInEnv, "MINE" },
		"by none":               func(d *api.ModelDraft) { d.Key = api.NoKey },
		"by a new one":          func(d *api.ModelDraft) { d.Key, d.Entered = api.KeyInFile, "k-new" },
		"after a new name":      func(d *api.ModelDraft) { d.Name = "new" },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			u, path, _ := setUp(t, "[[models]]\nname = 'wrong'\nbase_url = 'https://two.example/v1'\nkey_from = 'file:keys.toml#https://two.example'\ncalls = -1\n", "MINE", "k-mine")
			file := filepath.Join(filepath.Dir(path), "keys.toml")
			if err := os.WriteFile(file, []byte("\"https://two.example\" = 'k-wrong'\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			for model, key := range map[string]api.Entered{"a": "k-first", "c": "k-wrong"} {
				at := map[string]string{"a": base, "c": "https://two.example/v1"}[model]
				if _, err := u.Save(t.Context(), api.ModelDraft{Name: model, Model: "m", URL: at, Key: api.KeyInFile, Entered: key}, false); err != nil {
					t.Fatal(err)
				}
			}
			d := api.ModelDraft{Name: "b", Model: "m", URL: base, Key: api.KeyInFile, Entered: "k-second"}
			if _, err := u.Save(t.Context(), d, false); err != nil || !strings.Contains(read(t, file), "k-second") {
				t.Fatalf("%v\n%s", err, read(t, file))
			}
			d, _ = u.Draft("b")
			change(&d)
			if saved, err := u.Save(t.Context(), d, false); err != nil || saved.Unwritten != nil || strings.Contains(read(t, file), "k-second") != (d.Key == api.KeyStays) {
				t.Errorf("%+v, %v\n%s", saved, err, read(t, file))
			}
			for _, name := range []string{d.Name, "c"} {
				if _, err := u.Remove(t.Context(), name); err != nil {
					t.Error(err)
				}
			}
			if keys := read(t, file); strings.Contains(keys, "k-second") || strings.Contains(keys, "k-new") || !strings.Contains(keys, "k-first") || !strings.Contains(keys, "k-wrong") {
				t.Errorf("after the removal there is\n%s", keys)
			}
		})
	}
}

// A name that the settings would refuse is refused before a key is kept or anything is written.
func TestANameThatCannotBeIsRefused(t *testing.T) {
	t.Parallel()
	u, path, taken := setUp(t, "")
	for name, want := range map[string]string{"my model": "最多 64 个字母", "": "请输入一个", strings.Repeat("a", 65): "最多 64"} {
		_, err := u.Save(t.Context(), api.ModelDraft{Name: name, Model: "m", URL: "https://one.example/v1", Key: api.KeyInFile, Entered: rightKey}, true)
		if err == nil || !strings.Contains(i18n.Error(protocol.Chinese, err), want) || len(*taken) > 0 || read(t, path)+read(t, filepath.Join(filepath.Dir(path), "keys.toml")) != "" {
			t.Errorf("Save as %q: %v; taken %v", name, err, *taken)
		}
	}
}

// The table of the default goes with the model that it names, unless something else stands there.
func TestAnEmptyTableIsNotLeft(t *testing.T) {
	t.Parallel()
	const entry = "[[models]]\nname = 'a'\nbase_url = 'http://127.0.0.1:1/v1'\n"
	for before, want := range map[string]string{
		"lang = 'en'\n\n[model]\nname = 'a'\n\n" + entry:          "lang = 'en'\n",
		"[model]\n# mine\nname = 'a'\n\n" + entry:                 "[model]\n# mine\n",
		"[model]\nname = 'a'\nmax_tokens = 7\n\n" + entry:         "[model]\nmax_tokens = 7\n",
		entry + "\n[model]\nname = 'a'\n\n[limits]\nagents = 9\n": "[limits]\nagents = 9\n",
	} {
		u, path, taken := setUp(t, before)
		if saved, err := u.Remove(t.Context(), "a"); err != nil || saved.Unwritten != nil || len(*taken) > 0 || strings.TrimSpace(read(t, path)) != strings.TrimSpace(want) {
			t.Errorf("%+v, %v; of\n%s\nis left\n%s", saved, err, before, read(t, path))
		}
	}
}

// heldKeys is a keyring in memory.
type heldKeys map[string]string

func (h heldKeys) Get(_, name string) (string, error) {
	if key, ok := h[name]; ok {
		return key, nil
	}
	return "", keyring.ErrNotFound
}

func (h heldKeys) Set(_, name, key string) error { h[name] = key; return nil }
func (h heldKeys) Delete(_, name string) error   { delete(h, name); return nil }

// Where the key of a model is now is known when it is changed, and never more of it.
func TestADraftTellsWhereItsKeyIs(t *testing.T) {
	t.Parallel()
	for key, want := range map[string]string{
		"key_env = 'MINE'": "stays env MINE", "key_from = 'env:MINE'": "stays env MINE", "key_from = 'keyring:https://a.example'": "stays keyring https://a.example",
		"key_from = 'file:keys.toml#https://a.example'": "stays file keys.toml", "key_from = ['pass', 'sk-secret']": "stays command pass", "": "  ",
	} {
		u, _, _ := setUp(t, "[[models]]\nname = 'a'\nbase_url = 'https://a.example/v1'\n"+key+"\n")
		d, ok := u.Draft("a")
		if got := fmt.Sprint(string(d.Key), " ", string(d.Kept), " ", d.KeptIn); !ok || got != want {
			t.Errorf("with %s the key is %q, want %q", key, got, want)
		}
	}
	u, _, _ := setUp(t, "")
	if err := u.NoKeyring(t.Context()); err == nil {
		t.Error("NoKeyring() = nil, want why there is none")
	}
}

// besides is the set-up of another settings file in the folder of the first, with the same
// keyring.
func besides(t *testing.T, first *modelsetup.Setup, name, text string) *modelsetup.Setup {
	t.Helper()
	src := first.Sources
	src.Places.File = filepath.Join(filepath.Dir(src.Places.File), name)
	if err := os.WriteFile(src.Places.File, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	s, err := config.Load(src)
	if err != nil {
		t.Fatal(err)
	}
	u := modelsetup.New(s)
	u.Sources, u.Keys, u.Hide = src, first.Keys, func(string) {}
	u.For(modelsetup.Society{Take: func(context.Context, modelsetup.Models) error { return nil }})
	return u
}

// keyOf returns the key that a model of the settings has.
func keyOf(t *testing.T, u *modelsetup.Setup, name string) string {
	t.Helper()
	for _, e := range u.Endpoints() {
		if e.Name == name {
			key, err := e.Source.Find(t.Context(), u.Keys)
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			return key
		}
	}
	return ""
}

// Keys are kept in one place for all settings of the user: what is done to a model in one file
// does nothing to the models of another.
func TestSettingsLeaveTheKeysOfOtherSettingsAlone(t *testing.T) {
	t.Parallel()
	const base = "https://one.example/v1"
	for _, place := range []api.KeyPlace{api.KeyInKeyring, api.KeyInFile} {
		t.Run(string(place), func(t *testing.T) {
			t.Parallel()
			one, _, _ := setUp(t, "")
			held := heldKeys{}
			one.Keys = held
			two := besides(t, one, "work.toml", "")
			for _, u := range []*modelsetup.Setup{one, two} {
				if _, err := u.Save(t.Context(), api.ModelDraft{Name: "m", Model: "m", URL: base, Key: place, Entered: "k-same"}, true); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := one.Save(t.Context(), api.ModelDraft{Before: "m", Name: "m", Model: "m", URL: base, Key: place, Entered: "k-new"}, false); err != nil {
				t.Fatal(err)
			}
			if a, b := keyOf(t, one, "m"), keyOf(t, two, "m"); a != "k-new" || b != "k-same" {
				t.Errorf("after a change in one file the keys are %q and %q", a, b)
			}
			if saved, err := one.Remove(t.Context(), "m"); err != nil || saved.KeyLeft != nil {
				t.Errorf("%+v, %v", saved, err)
			}
			if b := keyOf(t, two, "m"); b != "k-same" {
				t.Errorf("after a removal in one file the key of the other is %q", b)
			}
			saved, err := two.Remove(t.Context(), "m")
			if file := read(t, filepath.Join(filepath.Dir(one.Sources.Places.File), "keys.toml")); err != nil || saved.KeyLeft != nil || len(held) > 0 || strings.Contains(file, "k-") {
				t.Errorf("%+v, %v; left are %v and %s", saved, err, held, file)
			}
		})
	}
}

// An entry of an older version may be that of any settings, and a copy of the settings has the
// keys of the original: they stay, which is said.
func TestAKeyThatOtherSettingsMayUseStaysAndIsNamed(t *testing.T) {
	t.Parallel()
	const table = "[[models]]\nname = 'm'\nbase_url = 'https://one.example/v1'\nkey_from = 'keyring:https://one.example'\n"
	for name, change := range map[string]func(u *modelsetup.Setup) (api.ModelSaved, error){
		"removed": func(u *modelsetup.Setup) (api.ModelSaved, error) { return u.Remove(t.Context(), "m") },
		"replaced": func(u *modelsetup.Setup) (api.ModelSaved, error) {
			return u.Save(t.Context(), api.ModelDraft{Before: "m", Name: "m", Model: "m", URL: "https://one.example/v1", Key: api.KeyInKeyring, Entered: "k-new"}, false)
		},
	} {
		u, _, _ := setUp(t, table)
		held := heldKeys{"https://one.example": "k-old"}
		u.Keys = held
		if key := keyOf(t, u, "m"); key != "k-old" {
			t.Errorf("%s: the key is %q, want that of the older version", name, key)
		}
		saved, err := change(u)
		if err != nil || held["https://one.example"] != "k-old" || saved.KeyLeft == nil || !strings.Contains(saved.KeyLeft.Error(), "keyring:https://one.example,") {
			t.Errorf("%s: %v, %v, left is %v", name, saved.KeyLeft, err, held)
		}
		if name == "replaced" && keyOf(t, u, "m") != "k-new" {
			t.Errorf("the new key is %q", keyOf(t, u, "m"))
		}
	}

	u, path, _ := setUp(t, "")
	u.Keys = heldKeys{}
	if _, err := u.Save(t.Context(), api.ModelDraft{Name: "m", Model: "m", URL: "https://one.example/v1", Key: api.KeyInKeyring, Entered: "k-copied"}, true); err != nil {
		t.Fatal(err)
	}
	copied := besides(t, u, "copy.toml", read(t, path))
	if saved, err := u.Remove(t.Context(), "m"); err != nil || saved.KeyLeft == nil || keyOf(t, copied, "m") != "k-copied" {
		t.Errorf("with a copy of the settings: %v, %v, its key is %q", saved.KeyLeft, err, keyOf(t, copied, "m"))
	}
}

// A model that this start names answers in place of the offline one of the file, and what is
// chosen afterwards is written as ever.
func TestAModelOfThisStartBeatsTheOfflineOneOfTheFile(t *testing.T) {
	t.Parallel()
	const models = "[[models]]\nname = 'a'\nbase_url = 'http://127.0.0.1:1/v1'\n\n[[models]]\nname = 'b'\nbase_url = 'http://127.0.0.1:2/v1'\n"
	u, path, _ := setUp(t, "[model]\noffline = true\n\n"+models, "SOCIETY_MODEL", "b")
	if list := u.Endpoints(); len(list) == 0 || list[0].Name != "b" {
		t.Fatalf("the models are %v", list)
	}
	saved, err := u.MakeDefault(t.Context(), "offline")
	if err != nil || saved.Unwritten != nil || saved.Overridden != "SOCIETY_MODEL" || len(u.Endpoints()) != 0 || !strings.Contains(read(t, path), "offline = true") {
		t.Errorf("%+v, %v: offline leads to %v\n%s", saved, err, u.Endpoints(), read(t, path))
	}
	saved, err = u.MakeDefault(t.Context(), "a")
	if list := u.Endpoints(); err != nil || saved.Unwritten != nil || saved.Overridden != "SOCIETY_MODEL" || len(list) == 0 || strings.Contains(read(t, path), "offline") {
		t.Errorf("%+v, %v: a leads to %v\n%s", saved, err, list, read(t, path))
	}
}
