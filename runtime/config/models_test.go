package config

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"society-tui/runtime/protocol"
	"society-tui/runtime/tomlfile"
)

// two are tables of a model far away and one on this machine.
const two = `
[[models]]
name = "big"
model = "gpt-x"
context_window = 128000
capabilities = ["reasoning", "long-context"]

[[models]]
name = "local"
base_url = "http://127.0.0.1:11434/v1"
calls = 1
capabilities = ["fast", "cheap"]
`

func names(t *testing.T, s Settings) []string {
	t.Helper()
	list, err := s.Endpoints()
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, m := range list {
		all = append(all, m.Name)
	}
	return all
}

func TestSeveralModelsAreReadWithTheirKeysAndPlaces(t *testing.T) {
	t.Parallel()
	src := home(t, two)
	src.Getenv = environment("OPENAI_API_KEY", "sk-canary-of-openai")
	s := settings(t, src)
	big, local := s.Models[0], s.Models[1]
	if big.Model != "gpt-x" || big.Key.Reveal() != "sk-canary-of-openai" || big.ContextWindow != 128000 {
		t.Errorf("%+v", big)
	}
	// A key of OpenAI's is no business of another endpoint.
	if local.Model != "local" || local.Key.Reveal() != "" || local.KeyEnv != "" || local.Calls != 1 {
		t.Errorf("%+v", local)
	}
	want := map[string][2]string{
		"models[0].name":         {`"big"`, src.Places.File + ":3"},
		"models[1].base_url":     {`"http://127.0.0.1:11434/v1"`, src.Places.File + ":10"},
		"models[1].capabilities": {`["fast", "cheap"]`, src.Places.File + ":12"},
		"models[1].default":      {"false", "default"},
	}
	for _, e := range s.Effective() {
		if w, ok := want[e.Key]; ok && w != [2]string{e.Value, e.From.String()} {
			t.Errorf("%s = %s from %s, want %v", e.Key, e.Value, e.From, w)
		}
		delete(want, e.Key)
		if strings.Contains(e.Value, "canary") {
			t.Errorf("%s shows a key", e.Key)
		}
	}
	if len(want) > 0 {
		t.Errorf("not listed: %v", want)
	}
	if !slices.Contains(s.Keys(), "sk-canary-of-openai") {
		t.Errorf("Keys() is %q, without that of the model", s.Keys())
	}
}

func TestTablesOnOneLineAreFoundToo(t *testing.T) {
	t.Parallel()
	src := home(t, "lang = 'en'\nmodels = [{name = 'a'},\n {name = 'b', calls = 2}]\n")
	if s := settings(t, src); len(s.Models) != 2 || s.origin["models[1].calls"].String() != src.Places.File+":3" {
		t.Errorf("%+v, from %s", s.Models, s.origin["models[1].calls"].String())
	}
}

func TestWhichOfSeveralModelsIsTheDefault(t *testing.T) {
	t.Parallel()
	withDefault := strings.Replace(two, "calls = 1", "calls = 1\ndefault = true", 1)
	for name, c := range map[string]struct {
		file        string
		environment []string
		flags       []Flag
		want        string
	}{
		"the first":                  {file: two, want: "big local"},
		"the one that says so":       {file: withDefault, want: "local big"},
		"the flag's":                 {file: two, flags: []Flag{{"--model", "model.name", "local"}}, want: "local big"},
		"the environment's":          {file: withDefault, environment: []string{"SOCIETY_MODEL", "big"}, want: "big local"},
		"that of the model table":    {file: "[model]\nname = 'own'\nbase_url = 'http://127.0.0.1:1'\n" + two, want: "own big local"},
		"an address is not named":    {file: two, environment: []string{"OPENAI_BASE_URL", "http://127.0.0.1:1", "OPENAI_API_KEY", "sk-1"}, want: "big local"},
		"asked for offline":          {file: two, flags: []Flag{{"--demo", "model.offline", "true"}}, want: ""},
		"a flag beside a default":    {file: withDefault, flags: []Flag{{"--model", "model.name", "other"}}, environment: []string{"OPENAI_API_KEY", "sk-1"}, want: "other big local"},
		"a name that chooses a file": {file: "[model]\nname = 'local'\n" + two, want: "local big"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			src := home(t, c.file)
			src.Getenv, src.Flags = environment(c.environment...), c.flags
			if got := strings.Join(names(t, settings(t, src)), " "); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
	src := home(t, two)
	src.Flags = []Flag{{"--model", "model.name", "nobody"}}
	s := settings(t, src)
	if _, err := s.Endpoints(); err == nil || !strings.Contains(err.Error(), "[[models]] has big, local") {
		t.Errorf("a name that nothing leads to: %v", err)
	}
}

func TestMistakesInModelsAreNamedWithWhatToDo(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ file, want string }{
		"no name":         {"[[models]]\nmodel = 'm'\n", ":1: models[0]: needs a name, as in name"},
		"odd name":        {"[[models]]\nname = 'a b'\n", `:2: models[0].name: "a b" is not a valid model name: use at most 64 letters, digits`},
		"twice":           {two + "[[models]]\nname = 'big'\n", `:14: models[2].name: "big" is already the name of models[0]`},
		"a key":           {"[[models]]\nname = 'a'\nkey = 'sk-canary-0123456789abcdef'\n", ":3: models.key: keys of [[models]] cannot be in this file: put the key into an environment variable and name it in key_env"},
		"an api key":      {"[[models]]\nname = 'a'\napi_key = 'sk-canary-0123456789abcdef'\n", "keys of [[models]] cannot be in this file"},
		"a token":         {"[[models]]\nname = 'a'\nauth_token = 'sk-canary-0123456789abcdef'\n", "keys of [[models]] cannot be in this file"},
		"key for a name":  {"[[models]]\nname = 'a'\nkey_env = 'sk-canary-0123456789abcdef'\n", ":3: models[0].key_env: must be the name of an environment variable"},
		"password":        {"[[models]]\nname = 'a'\nbase_url = 'https://me:sk-canary-0123@example.org/v1'\n", ":3: models[0].base_url: contains a user name or password"},
		"header":          {"[[models]]\nname = 'a'\nheaders = { \"a b\" = 'sk-canary-0123' }\n", `:3: models[0].headers: "a b" cannot be sent as a header`},
		"what is asked":   {"[[models]]\nname = 'a'\nextra_body = { stream = false }\n", ":3: models[0].extra_body: cannot set stream"},
		"no effort":       {"[[models]]\nname = 'a'\nreasoning = 'hard'\n", ":3: models[0].reasoning: must be one of none, minimal"},
		"too hot":         {"[[models]]\nname = 'a'\ntemperature = 3.5\n", ":3: models[0].temperature: must be from -1 to 2, not 3.5"},
		"no number":       {"[[models]]\nname = 'a'\ntop_p = 'x'\n", ":3: models.top_p: must be a number, not string"},
		"no variable":     {"[[models]]\nname = 'a'\nheaders = { X-Key = 'env:GONE' }\n", ":3: models[0].headers.X-Key: the environment variable for it is not set"},
		"old password":    {"[model]\nname = 'a'\nbase_url = 'https://me:sk-canary-0123@example.org/v1'\n", ":3: model.base_url: contains a user name or password"},
		"unknown":         {"[[models]]\nname = 'a'\nprize_money = 3\n", ":3: models.prize_money: unknown setting of a model; there are name, base_url, key_env"},
		"capability":      {"[[models]]\nname = 'a'\ncapabilities = ['clever']\n", `:3: models[0].capabilities: must be one of fast, cheap, reasoning, long-context, not "clever"`},
		"same capability": {"[[models]]\nname = 'a'\ncapabilities = ['fast', 'fast']\n", `"fast" is listed twice`},
		"no list":         {"[[models]]\nname = 'a'\ncapabilities = 'fast'\n", `must be a list in brackets, as in ["fast"], not string`},
		"one bracket":     {"[models]\nname = 'a'\n", ":1: models: use two brackets, [[models]], for each model"},
		"text":            {"[[models]]\nname = 'a'\ncontext_window = 'wide'\n", ":3: models.context_window: must be a whole number"},
		"below":           {"[[models]]\nname = 'a'\n[[models]]\nname = 'b'\ncontext_window = -1\n", ":5: models[1].context_window: must be from 0 to 100000000, not -1"},
		"too many calls":  {"[[models]]\nname = 'a'\ncalls = 9\n", ":3: models[0].calls: must be at most limits.model_calls (8), not 9"},
		"two defaults":    {"[[models]]\nname = 'a'\ndefault = true\n[[models]]\nname = 'b'\ndefault = true\n", ":6: models[1].default: models[0] is already the default"},
		"default beside":  {"[model]\nname = 'm'\nbase_url = 'http://127.0.0.1:1'\n[[models]]\nname = 'a'\ndefault = true\n", ":6: models[0].default: model.name chooses the default model, too"},
		"escape bytes":    {"[[models]]\nname = 'a'\nmodel = \"a\\u001b[2Jb\"\n", ":3: models[0].model:"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, err := Load(home(t, c.file))
			said := fmt.Sprint(err, s.Warnings)
			if !strings.Contains(said, c.want) {
				t.Fatalf("got %s\nwant …%s…", said, c.want)
			}
			if err == nil {
				said += fmt.Sprint(s.Effective())
			}
			if strings.Contains(said, "canary") || strings.ContainsRune(said, '\x1b') {
				t.Errorf("a key or an escape byte came through: %q", said)
			}
		})
	}
}

func TestHowAModelIsAskedIsReadAndItsSecretsAreHidden(t *testing.T) {
	t.Parallel()
	team := filepath.Join(t.TempDir(), "team")
	if err := os.WriteFile(team, []byte("canary-of-team\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	src := home(t, `[[models]]
name = "azure"
base_url = "https://example.org/openai/deployments/x?api-version=2026-01-01&sig=canary-of-query"
key_header = "api-key"
headers = { X-Title = "my society", X-Gateway-Key = "env:GATEWAY", X-Route = "env:ROUTE", X-Team = 'file:`+team+`' }
query = { user = "env:PERSON" }
extra_body = { seed = 7, provider = { order = ["a-long-name"], api_key = "secret-of-field" }, tokens = ["secret-of-list"], tokenizer = "llama-three", servers = [{ authorization = "secret-of-table" }] }
reasoning = "high"
reasoning_form = "thinking.type"
temperature = 0
top_p = 0.9
cache = "markers"
plain_http = true
`)
	src.Getenv = environment("GATEWAY", "canary-of-header", "ROUTE", "canary-of-route", "PERSON", "canary-of-person")
	s := settings(t, src)
	m := s.Models[0]
	if len(m.Wrong) > 0 {
		t.Fatal(m.Wrong)
	}
	if m.BaseURL != "https://example.org/openai/deployments/x" || string(m.Query["api-version"]) != "2026-01-01" || string(m.Headers["X-Gateway-Key"]) != "canary-of-header" ||
		string(m.Headers["X-Title"]) != "my society" || m.KeyHeader != "api-key" || *m.Temperature != 0 || *m.TopP != 0.9 || !m.PlainHTTP || m.ExtraBody["seed"] != int64(7) {
		t.Errorf("read is %+v", m)
	}
	want := []string{"canary-of-header", "canary-of-person", "canary-of-query", "canary-of-route", "canary-of-team", "secret-of-field", "secret-of-list", "secret-of-table"}
	if got := m.Secrets(); !slices.Equal(got, want) {
		t.Errorf("secrets are %q, want %q", got, want)
	}
	if keys := s.Keys(); !slices.Contains(keys, "canary-of-route") || slices.Contains(keys, "my society") {
		t.Errorf("%d keys are to be redacted, without one that is a secret", len(keys))
	}
	if shown := fmt.Sprintf("%v %+v %#v", s.Effective(), m, m); strings.Contains(shown, "canary") {
		t.Errorf("a secret is shown: %s", shown)
	}
	if own := settings(t, home(t, "[model]\nname = 'a'\nbase_url = 'http://127.0.0.1:1?v=2'\nreasoning = 'low'\n")); own.Model.Reasoning != "low" || string(own.Model.Query["v"]) != "2" {
		t.Errorf("of [model] is read %+v", own.Model)
	}
}

// A keyring and a command are left for when the model is asked: neither may hold up the start.
func TestWhatAKeyringOrACommandHoldsIsSoughtLater(t *testing.T) {
	t.Parallel()
	s := settings(t, home(t, "[[models]]\nname = 'a'\nheaders = { X-A = ['pass', 'a'], X-B = 'keyring:b', X-C = 'plain' }\nquery = { q = 'keyring:q', v = '1' }\n"))
	m := s.Models[0]
	var sought []string
	for _, one := range m.Sought {
		sought = append(sought, fmt.Sprint(one.Name, one.InQuery, one.Source))
	}
	if want := []string{"X-Afalse pass a", "X-Bfalse keyring:b", "qtrue keyring:q"}; !slices.Equal(sought, want) || len(m.Headers) != 1 || len(m.Query) != 1 {
		t.Errorf("sought are %q, want %q; known %d and %d", sought, want, len(m.Headers), len(m.Query))
	}
	with := m.With([]string{"1", "2", "3"})
	if with.Headers["X-A"] != "1" || with.Headers["X-B"] != "2" || with.Headers["X-C"] != "plain" || with.Query["q"] != "3" || with.Query["v"] != "1" || len(m.Headers) != 1 {
		t.Error("what was found is not what is sent")
	}
	for _, table := range []string{"headers = { X-A = [] }", "headers = { X-A = 3 }", "headers = { Host = ['pass'] }"} {
		if bad := settings(t, home(t, "[[models]]\nname = 'a'\n"+table+"\n")); bad.Models[0].Wrong == nil {
			t.Errorf("%s is taken", table)
		}
	}
}

func TestAKeyThatIsMissingOrNoneIsTold(t *testing.T) {
	t.Parallel()
	file := "[[models]]\nname = 'a'\nbase_url = 'http://127.0.0.1:1'\nkey_env = 'MINE'\n"
	if s := settings(t, home(t, file)); len(s.Warnings) != 1 || !strings.Contains(s.Warnings[0].Error(), `Model "a" has no key: set MINE.`) {
		t.Errorf("warnings %v", s.Warnings)
	}
	src := home(t, file)
	src.Getenv = environment("MINE", "sk-canary one")
	s, err := Load(src)
	if said := fmt.Sprint(err, s.Warnings); !strings.Contains(said, "environment MINE: models[0].key_env: contains a space") || strings.Contains(said, "canary") {
		t.Errorf("%v", err)
	}
}

// What the written file shows of a model is what a table may hold, and no more.
func TestTheExampleOfAModelCanBeUsed(t *testing.T) {
	t.Parallel()
	_, example, _ := strings.Cut(template(protocol.English, Bindings{}), "# [[models]]\n")
	example, _, _ = strings.Cut(example, "[[graphs]]")
	text := "[[models]]\n"
	for line := range strings.Lines(example) {
		if bare, ok := strings.CutPrefix(line, "# "); ok && strings.Contains(bare, " = ") && !strings.Contains(bare, ". ") {
			text += strings.Replace(bare, `name = ""`, `name = "a"`, 1)
		}
	}
	s := settings(t, home(t, text))
	for _, f := range s.modelFields(0) {
		if s.origin[f.key].String() == "default" {
			t.Errorf("%s is not in the example:\n%s", f.key, text)
		}
		if f.tag.Get("about") == "" {
			t.Errorf("%s says nothing about itself", f.key)
		}
	}
}

func TestAWrongTableDisablesItsModelAlone(t *testing.T) {
	t.Parallel()
	for name, file := range map[string]string{
		"a number":      "[[models]]\nname = 'bad'\ndefault = true\ncontext_window = 'wide'\n" + two,
		"unknown":       "[model]\nname = 'bad'\n" + two + "[[models]]\nname = 'bad'\nprize = 3\n",
		"no source":     "[[models]]\nname = 'bad'\nkey_from = 'sk-canary'\n" + two,
		"two keys":      "[[models]]\nname = 'bad'\nkey_from = 'env:A'\nkey_env = 'B'\n" + two,
		"other's key":   "[[models]]\nname = 'bad'\nbase_url = 'https://evil.example.com/v1'\nkey_from = 'keyring:https://api.openai.com'\n" + two,
		"of a command ": "[[models]]\nname = 'bad'\nkey_from = [1]\n" + two,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			src := home(t, file)
			s := settings(t, src)
			said := fmt.Sprint(s.Warnings)
			if got := strings.Join(names(t, s), " "); got != "big local" || !strings.Contains(said, "Model bad is not available: "+src.Places.File+":") || strings.Contains(said, "canary") {
				t.Errorf("models %s; %s", got, said)
			}
		})
	}
	s := settings(t, home(t, "[model]\nname = 'bad'\n[[models]]\nname = 'bad'\nprize = 3\n"))
	if offline, err := s.Offline(); !offline || err != nil {
		t.Errorf("with no other model: %v, %v", offline, err)
	}
}

func TestTheSourceOfAKeyBeatsTheOthers(t *testing.T) {
	t.Parallel()
	src := home(t, "[model]\nname = 'own'\nkey_from = 'env:MINE'\n[[models]]\nname = 'a'\nkey_from = ['pass', 'a']\n[[models]]\nname = 'b'\nkey_from = 'env:MINE'\n")
	src.Getenv = environment("OPENAI_API_KEY", "sk-usual", "MINE", "sk-mine")
	s := settings(t, src)
	list, err := s.Endpoints()
	if err != nil || len(list) != 3 || list[0].Key.Reveal() != "sk-mine" || list[1].Source.String() != "pass a" || list[1].Key.Reveal() != "" || list[2].Key.Reveal() != "sk-mine" {
		t.Errorf("%+v, %v", list, err)
	}
	src = home(t, "[model]\nname = 'own'\nkey_from = 'keyring:mine'\n")
	src.Getenv = environment("OPENAI_API_KEY", "sk-usual")
	s = settings(t, src)
	if list, err = s.Endpoints(); err != nil || len(list) != 1 || list[0].Key.Reveal() != "" || list[0].Source.String() != "keyring:mine" {
		t.Errorf("%+v, %v", list, err)
	}
	if _, err := Load(home(t, "[model]\nname = 'own'\nkey_from = 'keyring:mine'\nkey = 'sk'\n")); err == nil || !strings.Contains(err.Error(), "model.key_from: says where the key is, and so does key") {
		t.Errorf("%v", err)
	}
}

func TestAPriceIsATableOrIncluded(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"{input = 2, output = 10.5}": "", `"included"`: "", `""`: "",
		"3": "must be a table", `"free"`: "must be a table", "{input = 2}": "needs both", "{input = -1, output = 2}": "must be a number",
		"{input = 2, output = 1, cache = 1}": "unknown part cache",
	} {
		s, err := Load(home(t, "[[models]]\nname = 'a'\nbase_url = 'http://127.0.0.1:1/v1'\nprice = "+text+"\n"))
		got := ""
		if err == nil && s.Models[0].Wrong != nil {
			got = s.Models[0].Wrong[0].Error()
		}
		if err != nil || want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("price = %s: %q, %v; want …%s…", text, got, err, want)
		}
	}
}

// settingsOfAModel has, for each setting of a [[models]] table that the [model] table has too, a
// value that differs from the default.
var settingsOfAModel = map[string]string{
	"name": `"m"`, "base_url": `"https://example.org/v1"`, "key_env": `"OTHER"`, "key_from": `["pass", "show"]`,
	"model": `"gpt-x"`, "context_window": `9000`, "max_tokens": `100`, "calls": `2`, "rpm": `3`, "tpm": `4`,
	"fallback": `["other"]`, "capabilities": `["fast"]`, "images": `"no"`, "price": `{ input = 1, output = 2.5 }`,
	"key_header": `"api-key"`, "headers": `{ X-Team = "blue" }`, "query": `{ v = "7" }`, "extra_body": `{ seed = 5 }`,
	"reasoning": `"low"`, "reasoning_form": `"enable_thinking"`, "temperature": `0.5`, "top_p": `0.5`, "cache": `"off"`, "plain_http": `true`,
}

func TestTheModelTableHasEverySettingOfAModel(t *testing.T) {
	t.Parallel()
	of, own := tomlfile.Fields[Endpoint](), tomlfile.Fields[Model]()
	for _, key := range of {
		if _, there := settingsOfAModel[key]; !there && key != "default" { // the [model] table is that by itself
			t.Errorf("no value to try %s with", key)
		}
	}
	for _, key := range own { // the rest is of the program, and of a key that no [[models]] table may hold
		if !slices.Contains(of, key) && !slices.Contains([]string{"key", "idle_timeout", "offline", "offline_pace"}, key) {
			t.Errorf("no [[models]] table has %s", key)
		}
	}
	const other = "[[models]]\nname = \"other\"\n"
	for key, value := range settingsOfAModel {
		t.Run(key, func(t *testing.T) {
			t.Parallel()
			table := "name = \"m\"\nbase_url = \"http://127.0.0.1:1/v1\"\nkey_env = \"MINE\"\n"
			switch key {
			case "name", "base_url", "key_env":
				table = regexp.MustCompile(key+` = .*`).ReplaceAllString(table, key+" = "+value)
			case "key_from":
				table = strings.Replace(table, "key_env = \"MINE\"", key+" = "+value, 1)
			default:
				table += key + " = " + value + "\n"
			}
			endpoint := func(file string) (Settings, string) {
				src := home(t, file)
				src.Getenv = environment("MINE", "sk-1", "OTHER", "sk-2")
				s := settings(t, src)
				list, err := s.Endpoints()
				if err != nil || len(list) != 2 || list[0].Wrong != nil || list[0].Name != "m" {
					t.Fatalf("%+v, %v", list, err)
				}
				e := list[0]
				secrets := fmt.Sprint(e.Key.Reveal(), e.Secrets())
				for _, values := range []map[string]Private{e.Headers, e.Query} {
					for name, value := range values {
						secrets += name + string(value)
					}
				}
				price, _ := json.Marshal(e.Cost)
				effort := fmt.Sprint(e.Temperature != nil && *e.Temperature == 0.5, e.TopP != nil && *e.TopP == 0.5)
				e.Temperature, e.TopP, e.Price, e.KeyFrom = nil, nil, nil, nil
				return s, fmt.Sprintf("%+v", e) + secrets + effort + string(price)
			}
			s, got := endpoint("[model]\n" + table + other)
			_, want := endpoint("[[models]]\n" + table + "default = true\n" + other)
			if got = strings.Replace(got, "Default:false", "Default:true", 1); got != want {
				t.Errorf("in [model]\n%s\nin [[models]]\n%s", got, want)
			}
			if basic := []string{"name", "base_url", "key_env", "key_from"}; !slices.Contains(basic, key) { // which the others need
				if _, without := endpoint(strings.Replace("[model]\n"+table, key+" = "+value+"\n", "", 1) + other); without == got {
					t.Error("it has no effect")
				}
			}
			at := slices.IndexFunc(s.Effective(), func(e Setting) bool { return e.Key == "model."+key })
			if at < 0 || s.Effective()[at].From.File == "" {
				t.Error("it is not shown")
			}
			if !strings.Contains(template(protocol.English, Bindings{}), "# "+key+" = ") {
				t.Error("it is not in a new file")
			}
		})
	}
}

func TestAMistakeInTheModelTableIsNamed(t *testing.T) {
	t.Parallel()
	for table, want := range map[string]string{
		"price = 3":                          ":4: model.price: must be a table",
		"calls = 9":                          ":4: model.calls: must be at most limits.model_calls (8)",
		"fallback = ['gone']":                ":4: model.fallback: \"gone\" is no model here",
		"fallback = ['m']":                   ":4: model.fallback: names the model itself",
		"capabilities = ['x']":               ":4: model.capabilities: must be one of",
		"key_env = 'A'\nkey = 'sk-canary-9'": ":4: model.key_env: says where the key is, and so does key",
	} {
		if _, err := Load(home(t, "[model]\nname = 'm'\nbase_url = 'http://127.0.0.1:1/v1'\n"+table+"\n")); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want …%s…", table, err, want)
		}
	}
}

func TestAModelThatIsMovedToItsOwnTableTakesAllItsSettings(t *testing.T) {
	t.Parallel()
	file := "[model]\nname = \"m\"\nbase_url = \"https://example.org/v1\"\n"
	for key, value := range settingsOfAModel {
		if key != "name" && key != "base_url" && key != "key_from" {
			file += key + " = " + value + " # of " + key + "\n"
		}
	}
	src := home(t, file+"[[models]]\nname = \"other\"\n")
	former := settings(t, src)
	before, err := former.Endpoints()
	if err != nil {
		t.Fatal(err)
	}
	before[0].KeyFrom = nil // the default of [model] is ""
	s, text := edited(t, src, append(MoveModel("m"), Change{Key: "model.name", Value: "other"})...)
	list, err := s.Endpoints()
	for key, value := range settingsOfAModel {
		if line := "\n" + key + " = " + value + " # of " + key + "\n"; strings.Contains(file, line) != strings.Contains(text, line) {
			t.Errorf("%s has lost its comment in\n%s", key, text)
		}
	}
	if err != nil || len(list) != 2 || !reflect.DeepEqual(list[1].ModelSettings, before[0].ModelSettings) || list[1].KeyEnv != "OTHER" || list[1].BaseURL != before[0].BaseURL {
		t.Errorf("%v\nbefore %+v\nafter %+v\n%s", err, before, list, text)
	}
}
