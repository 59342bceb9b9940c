package modelsetup_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"society-tui/llm"
	"society-tui/llm/catalog"
	"society-tui/llm/chatapi"
	"society-tui/llm/limits"
	"society-tui/llm/registry"
	"society-tui/runtime/api"
	"society-tui/runtime/apikey"
	"society-tui/runtime/config"
	"society-tui/runtime/i18n"
	"society-tui/runtime/modelsetup"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
)

const rightKey = "sk-canary-of-the-endpoint"

// An endpoint has a list of models for everybody, and answers with a call for its key.
func endpoint(t *testing.T, lists bool) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/v1/models" && lists:
			_, _ = io.WriteString(w, `{"object":"list","data":[{"id":"gpt-x","context_window":9000},{"id":"gpt-y"}]}`)
		case r.URL.Path != "/v1/chat/completions":
			http.NotFound(w, r)
		case r.Header.Get("Authorization") != "Bearer "+rightKey:
			w.WriteHeader(http.StatusUnauthorized)
			_, _ = io.WriteString(w, `{"error":{"message":"Incorrect API key provided"}}`)
		default:
			w.Header().Set("Content-Type", "text/event-stream")
			_, _ = io.WriteString(w, `data: {"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"report","arguments":"{\"word\":\"ok\"}"}}]}}]}`+"\n\n"+
				`data: {"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":3,"completion_tokens":4,"total_tokens":7}}`+"\n\ndata: [DONE]\n\n")
		}
	}))
	t.Cleanup(server.Close)
	return server
}

// noRing is a desktop without a keyring.
type noRing struct{}

func (noRing) Get(string, string) (string, error) { return "", errors.New("no session bus") }
func (noRing) Set(string, string, string) error   { return errors.New("no session bus") }
func (noRing) Delete(string, string) error        { return errors.New("no session bus") }

// setUp is the set-up of a program with that settings file, and these variables with their
// values; taken are the names of the models that the society uses.
func setUp(t *testing.T, file string, variables ...string) (u *modelsetup.Setup, path string, taken *[]string) {
	t.Helper()
	dir := t.TempDir()
	path = filepath.Join(dir, "config.toml")
	if file != "" {
		if err := os.WriteFile(path, []byte(file), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	src := config.Sources{
		Places: config.Places{Data: filepath.Join(dir, "data"), File: path, Logs: dir, Templates: filepath.Join(dir, "templates")},
		Themes: func(string) []string { return nil },
	}
	src.Getenv = func(name string) string {
		if i := slices.Index(variables, name); i >= 0 {
			return variables[i+1]
		}
		return ""
	}
	s, err := config.Load(src)
	if err != nil {
		t.Fatal(err)
	}
	u, taken = modelsetup.New(s), new([]string)
	u.Sources, u.Keys, u.Hide, u.Ports = src, noRing{}, func(string) {}, []modelsetup.Port{}
	u.Open = func(e config.Endpoint) (registry.Entry, error) {
		model, err := chatapi.New(chatapi.Config{BaseURL: e.BaseURL, Key: chatapi.Key(e.Key.Reveal()), Model: e.Model})
		return registry.Entry{Name: e.Name, Model: model, Endpoint: e.BaseURL}, err
	}
	u.For(modelsetup.Society{Trial: func(e registry.Entry) registry.Entry { return e }, Take: func(_ context.Context, m modelsetup.Models) error {
		*taken = nil
		for _, e := range m.Endpoints {
			*taken = append(*taken, e.Name)
		}
		return nil
	}})
	return u, path, taken
}

func read(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return string(text)
}

func TestAListProvesNoKeyAndATrialDoes(t *testing.T) {
	t.Parallel()
	u, path, _ := setUp(t, "")
	at, err := u.Address(endpoint(t, true).URL)
	if err != nil {
		t.Fatal(err)
	}
	d := api.ModelDraft{Name: "x", Model: "gpt-x", URL: at.URL, Key: api.KeyInFile, Entered: "sk-wrong-key"}
	list, err := u.List(t.Context(), d)
	if err != nil || !list.Listed || len(list.Models) != 2 || list.Models[0].Window != 9000 {
		t.Errorf("%+v, %v", list, err)
	}
	if trial := u.Try(t.Context(), d); trial.Reached != api.Works || trial.Key != api.Fails || trial.Class != string(llm.Auth) || trial.Err == nil {
		t.Errorf("with a wrong key: %+v", trial)
	}
	d.Entered = " " + rightKey + "\n"
	if trial := u.Try(t.Context(), d); trial.Err != nil || trial.Key != api.Works || trial.Stream != api.Works || trial.Tools != api.Works || trial.Usage != api.Works {
		t.Errorf("with the right one: %+v", trial)
	}
	if read(t, path) != "" {
		t.Error("a trial has written the settings")
	}
}

func TestAnEndpointWithoutAListIsTriedByATypedName(t *testing.T) {
	t.Parallel()
	u, _, _ := setUp(t, "")
	at, _ := u.Address(endpoint(t, false).URL)
	d := api.ModelDraft{Name: "x", Model: "typed", URL: at.URL, Key: api.KeyInFile, Entered: rightKey}
	if list, err := u.List(t.Context(), d); err != nil || list.Listed {
		t.Errorf("%+v, %v", list, err)
	}
	if trial := u.Try(t.Context(), d); trial.Err != nil {
		t.Errorf("%+v", trial)
	}
}

// The names of the catalogue are there to choose from when the list of a service cannot be read.
func TestAListThatCannotBeReadLeavesTheNamesOfTheCatalogue(t *testing.T) {
	t.Parallel()
	u, path, _ := setUp(t, "")
	file := filepath.Join(filepath.Dir(path), "models.json")
	if err := os.WriteFile(file, []byte(`{"at":"2026-01-02T00:00:00Z","providers":[{"id":"here","name":"Here","base_url":"http://127.0.0.1:1/v1","models":[{"id":"big","context_window":9000},{"id":"small"}]}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	u.Catalog = catalog.New(file)
	for _, d := range []api.ModelDraft{{URL: "http://127.0.0.1:1/v1", Key: api.NoKey}, {URL: "http://127.0.0.1:1/v1", Key: api.KeyInEnv, Entered: "NOT_SET"}} {
		list, err := u.List(t.Context(), d)
		if err == nil || list.Listed || list.Class == "" || len(list.Models) != 2 || list.Models[0].ID != "big" || list.Models[0].Window != 9000 {
			t.Errorf("%+v, %v", list, err)
		}
	}
	if list, err := u.List(t.Context(), api.ModelDraft{URL: "http://127.0.0.1:2/v1", Key: api.NoKey}); err == nil || len(list.Models) != 0 {
		t.Errorf("another service: %+v, %v", list, err)
	}
}

func TestAnAddressIsMended(t *testing.T) {
	t.Parallel()
	u, _, _ := setUp(t, "")
	for given, want := range map[string]string{
		"http:/127.0.0.1:8080": "http://127.0.0.1:8080/v1", "api.example.com": "https://api.example.com/v1", " https://api.example.com/v1 ": "https://api.example.com/v1",
		"http://192.168.1.5:8000": "http://192.168.1.5:8000/v1", "http:localhost": "http://localhost/v1", "http://100.64.0.9/v1": "http://100.64.0.9/v1", "http://8.8.8.8/v1": "http://8.8.8.8/v1",
	} {
		at, err := u.Address(given)
		if err != nil || at.URL != want || (len(at.Mended) > 0) != (strings.TrimSpace(given) != want) {
			t.Errorf("%q: %+v, %v", given, at, err)
		}
		if plain, public := strings.Contains(want, "192") || strings.Contains(want, "100.64"), strings.Contains(want, "8.8.8.8"); at.Plain != (plain || public) || at.Public != public {
			t.Errorf("%q: %+v", given, at)
		}
	}
	if _, err := u.Address("ftp://x"); err == nil {
		t.Error("ftp can be asked")
	}
}

func TestASavedModelAnswersAtOnceAndAtTheNextStart(t *testing.T) {
	t.Parallel()
	u, path, taken := setUp(t, "# mine\nlang = 'en'\n\n[[models]]\nname = 'old'\nbase_url = 'http://127.0.0.1:1/v1'\ndefault = true\n")
	d := api.ModelDraft{Name: "new", Model: "gpt-x", URL: "https://api.example.com/v1", Key: api.KeyInKeyring, Entered: rightKey}
	saved, err := u.Save(t.Context(), d, true)
	if err != nil || saved.Unwritten != nil || saved.KeyInFile == nil || fmt.Sprint(*taken) != "[new old]" {
		t.Fatalf("%+v, %v; taken %v", saved, err, *taken)
	}
	text := read(t, path)
	if strings.Contains(text, "canary") || !strings.HasPrefix(text, "# mine\nlang = 'en'\n") {
		t.Errorf("%s", text)
	}
	s, err := config.Load(u.Sources)
	if err != nil {
		t.Fatal(err)
	}
	list, err := s.Endpoints()
	if err != nil || list[0].Name != "new" {
		t.Fatalf("%v, %v", list, err)
	}
	if key, err := list[0].Source.Find(t.Context(), noRing{}); key != rightKey || err != nil {
		t.Errorf("%q, %v", key, err)
	}
	if _, err := u.Save(t.Context(), api.ModelDraft{Name: "old", Model: "m", URL: d.URL}, false); err == nil {
		t.Error("a name is taken twice")
	}
	kept, ok := u.Draft("new")
	if kept.Name = "renamed"; !ok || kept.Key != api.KeyStays {
		t.Fatalf("%+v, %t", kept, ok)
	}
	if _, err := u.Save(t.Context(), kept, true); err != nil || fmt.Sprint(*taken) != "[renamed old]" {
		t.Errorf("%v; taken %v", err, *taken)
	}
	kept.Before, kept.URL = "renamed", "https://evil.example.com/v1"
	if _, err := u.Save(t.Context(), kept, true); err == nil {
		t.Error("a key stays with another endpoint")
	}
	if _, err := u.MakeDefault(t.Context(), "old"); err != nil || fmt.Sprint(*taken) != "[old renamed]" {
		t.Errorf("%v; taken %v", err, *taken)
	}
	if _, err := u.Remove(t.Context(), "renamed"); err != nil || fmt.Sprint(*taken) != "[old]" || read(t, filepath.Join(filepath.Dir(path), apikey.KeysFile)) != "" {
		t.Errorf("%v; taken %v; keys %q", err, *taken, read(t, filepath.Join(filepath.Dir(path), apikey.KeysFile)))
	}
	if saved, err := u.MakeDefault(t.Context(), "offline demo model"); err != nil || saved.Unwritten != nil || len(*taken) != 0 {
		t.Errorf("%+v, %v; taken %v", saved, err, *taken)
	}
}

func TestWhatCannotBeWrittenHoldsForTheRun(t *testing.T) {
	t.Parallel()
	u, path, taken := setUp(t, "models = [{name = 'old', base_url = 'http://127.0.0.1:1/v1'}]\n")
	before := read(t, path)
	saved, err := u.Save(t.Context(), api.ModelDraft{Name: "new", Model: "gpt-x", URL: "http://127.0.0.1:2/v1"}, true)
	if err != nil || saved.Unwritten == nil || !strings.Contains(saved.Lines, "base_url = \"http://127.0.0.1:2/v1\"") || fmt.Sprint(*taken) != "[new old]" {
		t.Errorf("%+v, %v; taken %v", saved, err, *taken)
	}
	if read(t, path) != before {
		t.Error("the file has changed")
	}
}

// A model whose thoughts use up the short answer is given room for the call.
func TestATrialLeavesRoomForThoughts(t *testing.T) {
	t.Parallel()
	var asked []int
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var in struct {
			MaxTokens int `json:"max_tokens"`
		}
		_ = json.NewDecoder(r.Body).Decode(&in)
		asked = append(asked, in.MaxTokens)
		delta, finish := `{}`, "length"
		if in.MaxTokens > 100 {
			delta, finish = `{"tool_calls":[{"index":0,"id":"c","function":{"name":"report","arguments":"{\"word\":\"ok\"}"}}]}`, "tool_calls"
		}
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprintf(w, "data: {\"choices\":[{\"index\":0,\"delta\":%s,\"finish_reason\":%q}]}\n\ndata: [DONE]\n\n", delta, finish)
	}))
	defer srv.Close()
	u, _, _ := setUp(t, "")
	trial := u.Try(t.Context(), api.ModelDraft{Name: "x", Model: "thinker", URL: srv.URL + "/v1"})
	if trial.Err != nil || trial.Tools != api.Works || len(asked) != 2 || asked[0] != 64 {
		t.Errorf("got %+v after requests of %v tokens, want a call in the second", trial, asked)
	}
}

// What is in a variable comes before the rest, an address without a model first of all.
func TestProvidersWhoseKeyIsSetComeFirst(t *testing.T) {
	t.Parallel()
	u, _, _ := setUp(t, "[model]\nbase_url = 'https://models.example.com/v1'\n")
	u.Catalog = catalog.New("")
	u.Sources.Getenv = func(name string) string { return map[string]string{"GROQ_API_KEY": "gsk-1"}[name] }
	all := u.Providers(t.Context())
	if len(all) < 10 || all[0].Address != "https://models.example.com/v1" || all[1].KeyEnv != "GROQ_API_KEY" {
		t.Errorf("got %+v first", all[:min(2, len(all))])
	}
}

func TestModelsThatCannotBeUsedAreListedWithTheReason(t *testing.T) {
	u, _, _ := setUp(t, "[[models]]\nname = \"well\"\nbase_url = \"https://a.example/v1\"\n\n[[models]]\nname = \"wrong\"\nbase_url = \"https://a.example/v1\"\ncalls = -1\n\n"+
		"[[models]]\nname = \"unopened\"\nbase_url = \"ftp://a.example/v1\"\n")
	all := u.Disabled()
	if len(all) != 2 || all[0].Name != "wrong" || !strings.Contains(all[0].Why.Error(), "calls") || all[1].Name != "unopened" || !strings.Contains(all[1].Why.Error(), "ftp") {
		t.Errorf("disabled are %+v", all)
	}
}

func TestATrialOfAnEndpointThatIsNotThereIsToldInBothLanguages(t *testing.T) {
	t.Parallel()
	u, _, _ := setUp(t, "")
	trial := u.Try(t.Context(), api.ModelDraft{Model: "gpt-x", URL: "http://127.0.0.1:1/v1"})
	if en, zh := i18n.Error(protocol.English, trial.Err), i18n.Error(protocol.Chinese, trial.Err); en != "127.0.0.1:1 cannot be reached: connection refused" || zh != "连不上 127.0.0.1:1：连接被拒绝" {
		t.Errorf("got %q, %q", en, zh)
	}
}

// A model that may not be asked now is not asked: the report says why and until when, and nothing is
// said of what was not seen.
func TestATrialThatIsNotMadeTellsWhy(t *testing.T) {
	t.Parallel()
	now := time.Now()
	soon := time.Date(now.Year(), now.Month(), now.Day(), 23, 59, 58, 0, time.Local)
	later := soon.AddDate(0, 0, 1)
	for name, c := range map[string]struct {
		err    error
		class  string
		en, zh string
	}{
		"held":        {&limits.Held{Until: soon}, "rate", "until 23:59:58", "23:59:58 之前"},
		"held longer": {&limits.Held{Until: later}, "rate", "until " + later.Format(time.DateTime), later.Format(time.DateTime) + " 之前"},
		"no turn":     {fmt.Errorf("%w: %w", limits.ErrNoTurn, context.DeadlineExceeded), "rate", "not asked", "没有询问模型"},
		"budget":      {&society.Refusal{Why: protocol.Because(protocol.BudgetSpent, society.BudgetScope{Day: "2026-11-29"})}, "budget", "the budget of day 2026-11-29 is spent; raise it first with /budget", "预算已用完（2026-11-29 当天）；请先用 /budget 提高"},
	} {
		u, _, _ := setUp(t, "")
		asked := registry.Entry{}
		u.For(modelsetup.Society{Trial: func(e registry.Entry) registry.Entry {
			asked = e
			e.Model, e.Facts.Window = unaskedModel{err: c.err}, llm.Fact[int]{Value: 9000, Source: llm.FromEndpoint}
			return e
		}})
		trial := u.Try(t.Context(), api.ModelDraft{Model: "gpt-x", URL: "http://127.0.0.1:1/v1"})
		if en, zh := i18n.Error(protocol.English, trial.Err), i18n.Error(protocol.Chinese, trial.Err); trial.Class != c.class || !strings.Contains(en, c.en) || !strings.Contains(zh, c.zh) {
			t.Errorf("%s: class %q, %q, %q, want %q, %q, %q", name, trial.Class, en, zh, c.class, c.en, c.zh)
		}
		if trial.Reached != api.NotFound || trial.Key != api.NotFound || trial.Window != 9000 || asked.Name != "gpt-x" || asked.Endpoint != "http://127.0.0.1:1/v1" {
			t.Errorf("%s: %+v of %+v", name, trial, asked)
		}
	}
}

// An unaskedModel may not be asked.
type unaskedModel struct {
	llm.Model

	err error
}

func (m unaskedModel) Generate(context.Context, llm.Request) iter.Seq2[llm.Chunk, error] {
	return func(yield func(llm.Chunk, error) bool) { yield(llm.Chunk{}, m.err) }
}

// An endpoint that refuses a trial for a while is named with the time.
func TestATrialThatIsRefusedTellsUntilWhen(t *testing.T) {
	t.Parallel()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "172800")
		w.WriteHeader(http.StatusTooManyRequests)
		_, _ = io.WriteString(w, `{"error":{"message":"slow down"}}`)
	}))
	defer srv.Close()
	u, _, _ := setUp(t, "")
	trial := u.Try(t.Context(), api.ModelDraft{Name: "x", Model: "m", URL: srv.URL + "/v1"})
	from := time.Now().AddDate(0, 0, 2).Format(time.DateOnly)
	if said := fmt.Sprint(trial.Err); trial.Class != "rate" || trial.Key != api.Works || !strings.Contains(said, "slow down; ask again from "+from) {
		t.Errorf("%+v, want the time on %s", trial, from)
	}
}

// The offline model can be the default for a while: the other models wait with all that is set
// for them, also after a restart, until one of them is the default again.
func TestModelsWaitWhileTheOfflineOneIsTheDefault(t *testing.T) {
	t.Parallel()
	for name, file := range map[string]string{
		"a table": "[[models]]\nname = 'a'\nbase_url = 'http://127.0.0.1:1/v1'\ndefault = true\n\n[[models]]\nname = 'b'\nbase_url = 'http://127.0.0.1:2/v1'\nkey_env = 'KEY'\n",
		"[model]": "[model]\nname = 'b'\nbase_url = 'http://127.0.0.1:2/v1'\nkey_env = 'KEY'\n\n[[models]]\nname = 'a'\nbase_url = 'http://127.0.0.1:1/v1'\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			u, _, taken := setUp(t, file, "KEY", rightKey)
			waits := func(at string) {
				t.Helper()
				all := u.Disabled()
				slices.SortFunc(all, func(a, b api.DisabledModel) int { return strings.Compare(a.Name, b.Name) })
				if d, ok := u.Draft("b"); len(all) != 2 || all[0].Name != "a" || !all[1].Waits || !u.Waits("a") || u.Waits("c") || !ok || d.Key != api.KeyStays || len(u.Endpoints()) != 0 {
					t.Fatalf("%s: disabled %+v; the draft of b is %+v, %t; %d are used", at, all, d, ok, len(u.Endpoints()))
				}
			}
			if _, err := u.MakeDefault(t.Context(), "offline demo model"); err != nil || len(*taken) != 0 {
				t.Fatalf("MakeDefault: %v; taken %v", err, *taken)
			}
			waits("at once")
			s, err := config.Load(u.Sources)
			if err != nil || !s.Model.Offline {
				t.Fatalf("Load: %v; offline %t, want true", err, s.Model.Offline)
			}
			before := u
			u = modelsetup.New(s)
			u.Sources, u.Keys, u.Hide, u.Open = before.Sources, before.Keys, before.Hide, before.Open
			var told modelsetup.Models
			u.For(modelsetup.Society{Take: func(_ context.Context, m modelsetup.Models) error { told = m; return nil }})
			waits("after a restart")
			d, _ := u.Draft("b")
			if _, err := u.Save(t.Context(), d, false); err != nil || len(told.Endpoints) != 0 || !told.Offline {
				t.Fatalf("Save: %v; told %+v", err, told)
			}
			if saved, err := u.MakeDefault(t.Context(), "b"); err != nil || saved.Unwritten != nil || len(told.Endpoints) != 2 || told.Endpoints[0].Name != "b" || told.Endpoints[0].Key.Reveal() != rightKey || told.Offline {
				t.Errorf("MakeDefault: %+v, %v; told %+v", saved, err, told)
			}
			if s, err = config.Load(u.Sources); err != nil || s.Model.Offline || len(u.Disabled()) != 0 || u.Waits("a") {
				t.Errorf("Load: %v; offline %t, want false; disabled %v", err, s.Model.Offline, u.Disabled())
			}
		})
	}
}

// The first model takes the place of the offline one only if it is saved as the default.
func TestSaveLeavesTheOfflineModelTheDefault(t *testing.T) {
	t.Parallel()
	for name, file := range map[string]string{"written": "", "for this run": "models = []\n"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			u, _, taken := setUp(t, file)
			d := api.ModelDraft{Name: "first", Model: "m", URL: "http://127.0.0.1:1/v1"}
			saved, err := u.Save(t.Context(), d, false)
			if all := u.Disabled(); err != nil || len(*taken) != 0 || len(all) != 1 || !all[0].Waits {
				t.Fatalf("Save: %+v, %v; taken %v; disabled %+v", saved, err, *taken, all)
			}
			if s, err := config.Load(u.Sources); err != nil || s.Model.Offline != (saved.Unwritten == nil) || saved.Unwritten != nil && !strings.Contains(saved.Lines, "offline = true") {
				t.Errorf("Load: %v; offline %t; %+v", err, s.Model.Offline, saved)
			}
			d.Name = "second"
			if _, err := u.Save(t.Context(), d, true); err != nil || fmt.Sprint(*taken) != "[second first]" {
				t.Errorf("Save as default: %v; taken %v", err, *taken)
			}
		})
	}
}
