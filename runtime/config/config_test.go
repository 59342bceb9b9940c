package config

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"
	"pgregory.net/rapid"

	"society-tui/runtime/i18n"
	"society-tui/runtime/protocol"
)

// home is a folder with places of its own, and what is written to the settings
// file there, if anything.
func home(t *testing.T, file string) Sources {
	t.Helper()
	dir := t.TempDir()
	places := Places{
		Data: filepath.Join(dir, "data"),
		File: filepath.Join(dir, "config.toml"),
		Logs: filepath.Join(dir, "logs"),
	}
	if file != "" {
		if err := os.WriteFile(places.File, []byte(file), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return Sources{Places: places, Getenv: func(string) string { return "" }, Themes: func(string) []string { return []string{"dark", "light"} }}
}

func environment(pairs ...string) func(string) string {
	return func(name string) string {
		for i := 0; i < len(pairs); i += 2 {
			if pairs[i] == name {
				return pairs[i+1]
			}
		}
		return ""
	}
}

// settings loads, and fails the test if that fails.
func settings(t *testing.T, src Sources) Settings {
	t.Helper()
	s, err := Load(src)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestDefaultsApplyWhenNothingIsSet(t *testing.T) {
	t.Parallel()
	s := settings(t, home(t, ""))
	if offline, err := s.Offline(); !offline || err != nil {
		t.Errorf("offline %v, %v; want the offline model", offline, err)
	}
	if s.Limits != Defaults().Limits || !reflect.DeepEqual(s.Model, Defaults().Model) {
		t.Errorf("got %+v", s)
	}
	for _, e := range s.Effective() {
		if e.From != (Origin{}) {
			t.Errorf("%s comes from %s", e.Key, e.From)
		}
	}
}

func TestAFlagBeatsTheEnvironmentBeatsTheFileBeatsTheDefault(t *testing.T) {
	t.Parallel()
	src := home(t, "lang = 'zh-CN'\n\n[model]\nname = 'of-the-file'\nbase_url = 'http://127.0.0.1:1/v1'\nmax_tokens = 5\n")
	src.Getenv = environment("SOCIETY_MODEL", "of-the-environment", "OPENAI_BASE_URL", " http://127.0.0.1:2/v1\n")
	src.Flags = []Flag{{Name: "--model", Key: "model.name", Value: "of-the-flag"}}
	s := settings(t, src)
	want := map[string][2]string{
		"model.name":       {`"of-the-flag"`, "flag --model"},
		"model.base_url":   {`"http://127.0.0.1:2/v1"`, "environment OPENAI_BASE_URL"},
		"model.max_tokens": {"5", src.Places.File + ":6"},
		"lang":             {`"zh-CN"`, src.Places.File + ":1"},
		"theme":            {`"auto"`, "default"},
		"data":             {src.Places.Data, "default"},
	}
	for _, e := range s.Effective() {
		if w, ok := want[e.Key]; ok && w != [2]string{e.Value, e.From.String()} {
			t.Errorf("%s = %s from %s, want %s from %s", e.Key, e.Value, e.From, w[0], w[1])
		}
		delete(want, e.Key)
	}
	if len(want) > 0 {
		t.Errorf("not listed: %v", want)
	}
}

func TestTheSessionIsASettingLikeAnyOther(t *testing.T) {
	t.Parallel()
	if s := settings(t, home(t, "")); s.Session != "society" {
		t.Errorf("without a word it is %q", s.Session)
	}
	src := home(t, "session = 'of-the-file'\n")
	for i, want := range []string{"of-the-file", "of-the-environment", "第二章"} {
		if i > 0 {
			src.Getenv = environment("SOCIETY_SESSION", "of-the-environment")
		}
		if i > 1 {
			src.Flags = []Flag{{Name: "--session", Key: "session", Value: want}}
		}
		if s := settings(t, src); s.Session != want {
			t.Errorf("%q, not %q", s.Session, want)
		}
	}
	for _, name := range []string{"a/b", "..", "con", "x.db", "a b"} {
		src.Flags = []Flag{{Name: "--session", Key: "session", Value: name}}
		if _, err := Load(src); err == nil || !strings.Contains(err.Error(), "flag --session: ") || !strings.Contains(err.Error(), "digits of any script") {
			t.Errorf("%q: %v", name, err)
		}
	}
}

func TestLinesAreFoundInEveryFormOfATable(t *testing.T) {
	t.Parallel()
	src := home(t, "limits.agents = 3\nmodel = {name = 'm', max_tokens = 7}\n\n# more\nlimits.depth = 2\n")
	s := settings(t, src)
	for key, line := range map[string]int{"limits.agents": 1, "model.name": 2, "model.max_tokens": 2, "limits.depth": 5} {
		if got, want := s.origin[key].String(), fmt.Sprintf("%s:%d", src.Places.File, line); got != want {
			t.Errorf("%s comes from %s, want %s", key, got, want)
		}
	}
}

// Each mistake is named with its line and key.
func TestMistakesInTheFileAreNamedWithLineAndKey(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ file, want string }{
		"unknown key":       {"\nagents = 3\n", ":2: agents: unknown setting; did you mean limits.agents?"},
		"unknown table":     {"[modle]\nname = 'x'\n", ":1: modle: unknown setting"},
		"two unknown keys":  {"a = 1\nb = 2\n", ":2: b: unknown setting"},
		"wrong spelling":    {"reduced-motion = true\n", "did you mean reduced_motion?"},
		"text for a number": {"[limits]\nagents = 'many'\n", ":2: limits.agents: must be a whole number, not string"},
		"number for text":   {"lang = 3\n", ":1: lang: must be text in quotes, not integer"},
		"float":             {"[limits]\nagents = 2.5\n", ":2: limits.agents:"},
		"no unit":           {"[model]\nidle_timeout = '300'\n", `:2: model.idle_timeout: "300" is not a duration`},
		"number as time":    {"[model]\nidle_timeout = 300\n", `:2: model.idle_timeout: "300" is not a duration`},
		"no TOML":           {"lang = 'en'\n<xml/>\n", ":2: "},
		"twice":             {"lang = 'en'\nlang = 'en'\n", ":2: lang"},
		"below":             {"[limits]\n\nagents = 0\n", ":3: limits.agents: must be from 1 to 10000, not 0"},
		"above":             {"[model]\nidle_timeout = '25h'\n", ":2: model.idle_timeout: must be from 0s to 24h, not 25h"},
		"beyond a number":   {"[limits]\nagents = 99999999999999999999\n", ":2: "},
		"none of":           {"lang = 'fr'\n", `:1: lang: must be one of auto, en, zh-CN, not "fr"`},
		"no theme":          {"theme = 'neon'\n", `:1: theme: must be one of auto, dark, light, not "neon"`},
		"ended before":      {"[limits]\nrepeats_ended = 2\n", ":2: limits.repeats_ended: must be at least repeats_warned (3), not 2"},
		"keeps all":         {"[limits]\nkeep_recent = 50\n", ":2: limits.keep_recent: must be below max_context_messages (50), not 50"},
		"escape bytes":      {"[model]\nname = \"a\\u001b[2Jb\"\n", ":2: model.name:"},
		"key with a space":  {"[model]\nkey = 'sk-one two'\n", ":2: model.key: contains a space"},
		"no key variable":   {"[model]\nkey_env = ''\n", ":2: model.key_env: must not be empty"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := Load(home(t, c.file))
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("got %v\nwant …%s…", err, c.want)
			}
			if strings.ContainsRune(err.Error(), '\x1b') {
				t.Errorf("an escape byte came through: %q", err)
			}
			if strings.Contains(err.Error(), "sk-one") {
				t.Errorf("the key came through: %v", err)
			}
		})
	}
}

func TestAllMistakesAreToldAtOnce(t *testing.T) {
	t.Parallel()
	src := home(t, "lang = 'fr'\n[limits]\nagents = 0\n")
	src.Flags = []Flag{{Name: "--theme", Key: "theme", Value: "neon"}}
	_, err := Load(src)
	for _, want := range []string{"lang", "limits.agents", "flag --theme: "} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v does not speak of %s", err, want)
		}
	}
}

func TestSpecialFilesAreRefusedWithoutWaiting(t *testing.T) {
	t.Parallel()
	src := home(t, strings.Repeat("# 10 MB of nothing\n", 10<<20/19))
	if _, err := Load(src); err == nil || !strings.Contains(err.Error(), "is larger than") {
		t.Errorf("10 MB: %v", err)
	}
	src.Flags = []Flag{{Name: "--config", Key: "file", Value: t.TempDir()}}
	if _, err := Load(src); err == nil || !strings.Contains(err.Error(), "is not a file") {
		t.Errorf("a folder: %v", err)
	}
	src.Flags[0].Value = filepath.Join(t.TempDir(), "none.toml")
	if _, err := Load(src); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that was asked for and is not there: %v", err)
	}
}

func TestAByteOrderMarkIsNoMistake(t *testing.T) {
	t.Parallel()
	if s := settings(t, home(t, "\ufefflang = 'zh-CN'\n")); s.Language() != "zh-CN" {
		t.Errorf("language %s", s.Language())
	}
}

func TestAKeyThatOthersCanReadIsWarnedOf(t *testing.T) {
	t.Parallel()
	src := home(t, "[model]\nname = 'm'\nkey = 'sk-canary-in-the-file'\n")
	if s := settings(t, src); len(s.Warnings) != 0 {
		t.Errorf("warned of a file for its owner alone: %v", s.Warnings)
	}
	if err := os.Chmod(src.Places.File, 0o644); err != nil {
		t.Fatal(err)
	}
	s := settings(t, src)
	if len(s.Warnings) != 1 || !strings.Contains(s.Warnings[0].Error(), "0644") || !strings.Contains(s.Warnings[0].Error(), "chmod 600") {
		t.Errorf("warnings %v", s.Warnings)
	}
}

func TestAKeyIsTrimmedOrRefused(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"sk-1":                         "sk-1",
		"  sk-1\r\n":                   "sk-1",
		"\ufeffsk-1":                   "sk-1",
		`"sk-1"`:                       "sk-1",
		" 'sk-1' ":                     "sk-1",
		"sk-1\nX-Evil: 1":              "refused",
		"sk-1 sk-2":                    "refused",
		"sk-\x00":                      "refused",
		"schlüssel":                    "refused",
		"sk-\u200b1":                   "refused",
		strings.Repeat("k", maxText+1): "refused",
	} {
		src := home(t, "")
		src.Getenv = environment("OPENAI_API_KEY", text, "SOCIETY_MODEL", "m")
		s, err := Load(src)
		if want == "refused" {
			if err == nil || !strings.Contains(err.Error(), "environment OPENAI_API_KEY: model.key") {
				t.Errorf("%q: %v", text, err)
			}
			continue
		}
		if err != nil || s.Model.Key.Reveal() != want {
			t.Errorf("%q became %q, %v", text, s.Model.Key.Reveal(), err)
		}
	}
}

func TestNoWayOfPrintingShowsAKey(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		key := rapid.StringMatching(`CANARY[A-Za-z0-9]{8,40}`).Draw(t, "key")
		s := Defaults()
		s.Model.Key = Secret{key}
		verb := rapid.SampledFrom([]string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d"}).Draw(t, "verb")
		var list strings.Builder
		for _, e := range s.Effective() {
			list.WriteString(e.Value)
		}
		j, _ := json.Marshal(s)
		tm, _ := toml.Marshal(s)
		for _, text := range []string{
			fmt.Sprintf(verb, s), fmt.Sprintf(verb, &s.Model), fmt.Sprintf(verb, s.Model.Key),
			list.String(), string(j), string(tm),
		} {
			for _, form := range []string{key, fmt.Sprintf("%x", key), fmt.Sprintf("%X", key), key[:8]} {
				if strings.Contains(text, form) {
					t.Fatalf("%s shows the key: %s", verb, text)
				}
			}
		}
	})
}

func TestWhichModelIsChosen(t *testing.T) {
	t.Parallel()
	const asked = "[model]\noffline = true\n"
	for name, c := range map[string]struct {
		environment []string
		flags       []Flag
		file        string
		offline     bool
		err         string
	}{
		"nothing":               {offline: true},
		"all but asked offline": {environment: []string{"OPENAI_API_KEY", "sk-1", "SOCIETY_MODEL", "m"}, flags: []Flag{{"--demo", "model.offline", "true"}}, offline: true},
		"key and name":          {environment: []string{"OPENAI_API_KEY", "sk-1", "SOCIETY_MODEL", "m"}},
		"address and name":      {environment: []string{"OPENAI_BASE_URL", "http://127.0.0.1:1/v1"}, flags: []Flag{{"--model", "model.name", "m"}}},
		"key without a name":    {environment: []string{"OPENAI_API_KEY", "sk-1"}, err: "environment OPENAI_API_KEY: model.key: is set, but no model is chosen: set SOCIETY_MODEL or use --model"},
		"address alone":         {environment: []string{"OPENAI_BASE_URL", "http://127.0.0.1:1/v1"}, err: "environment OPENAI_BASE_URL: model.base_url: is set, but no model is chosen"},
		"name alone":            {flags: []Flag{{"--model", "model.name", "m"}}, err: "flag --model: is set, but without a key or an address: set OPENAI_API_KEY"},
		"empty key is none":     {environment: []string{"OPENAI_API_KEY", " "}, offline: true},

		"named for this start":          {file: asked, environment: []string{"OPENAI_BASE_URL", "http://127.0.0.1:1/v1", "SOCIETY_MODEL", "m"}},
		"named by a flag":               {file: asked, environment: []string{"OPENAI_API_KEY", "sk-1"}, flags: []Flag{{"--model", "model.name", "m"}}},
		"named, but asked offline":      {file: asked, flags: []Flag{{"--model", "model.name", "m"}, {"--demo", "model.offline", "true"}}, offline: true},
		"named in the file":             {file: asked + "name = 'm'\nbase_url = 'http://127.0.0.1:1/v1'\n", offline: true},
		"the file beats a key alone":    {file: asked, environment: []string{"OPENAI_API_KEY", "sk-1"}, offline: true},
		"the file beats a key and name": {file: asked + "name = 'm'\n", environment: []string{"OPENAI_API_KEY", "sk-1"}, offline: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			src := home(t, c.file)
			src.Getenv, src.Flags = environment(c.environment...), c.flags
			s := settings(t, src)
			offline, err := s.Offline()
			if c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)) || c.err == "" && err != nil {
				t.Fatalf("got %v, want …%s…", err, c.err)
			}
			if offline != c.offline {
				t.Errorf("offline %v", offline)
			}
		})
	}
}

func TestTheKeyComesFromTheVariableThatTheFileNames(t *testing.T) {
	t.Parallel()
	src := home(t, "[model]\nname = 'm'\nkey_env = 'MY_KEY'\n")
	src.Getenv = environment("MY_KEY", "sk-mine", "OPENAI_API_KEY", "sk-other")
	if s := settings(t, src); s.Model.Key.Reveal() != "sk-mine" {
		t.Errorf("the key is %q", s.Model.Key.Reveal())
	}
}

func TestAutoFollowsTheLocale(t *testing.T) {
	t.Parallel()
	for locale, want := range map[string]string{"": "en", "C": "en", "de_DE.UTF-8": "en", "zh_CN.UTF-8": "zh-CN", "zh_TW": "zh-CN"} {
		src := home(t, "")
		src.Getenv = environment("LANG", locale)
		if s := settings(t, src); s.Language() != want {
			t.Errorf("%q gives %s, want %s", locale, s.Language(), want)
		}
	}
}

func TestPoorTerminalsGetASCII(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		environment []string
		file        string
		ascii       bool
		from        string
	}{
		{from: "default"},
		{environment: []string{"LANG", "C"}, from: "default"}, // says nothing of the terminal
		{environment: []string{"LANG", "de_DE.utf8"}, from: "default"},
		{environment: []string{"TERM", "linux"}, ascii: true, from: "environment TERM"},
		{environment: []string{"TERM", "vt100"}, ascii: true, from: "environment TERM"},
		{environment: []string{"TERM", "vt220", "LANG", "de_DE.UTF-8"}, ascii: true, from: "environment TERM"},
		{environment: []string{"TERM", "vte-256color"}, from: "default"},
		{environment: []string{"TERM", "vt100"}, file: "ascii = false", from: ":1"},
		{environment: []string{"LANG", "zh_CN.GB18030"}, ascii: true, from: "environment LANG"},
		{environment: []string{"LANG", "de_DE.ISO-8859-15@euro", "LC_ALL", "de_DE.UTF-8"}, from: "default"},
		{environment: []string{"TERM", "linux"}, file: "ascii = false", from: ":1"},
	} {
		src := home(t, c.file)
		src.Getenv = environment(c.environment...)
		s := settings(t, src)
		if s.ASCII != c.ascii || !strings.HasSuffix(s.origin["ascii"].String(), c.from) {
			t.Errorf("%v: ascii %v from %s", c.environment, s.ASCII, s.origin["ascii"].String())
		}
	}
}

func TestPlacesAreAbsolute(t *testing.T) {
	t.Parallel()
	src := home(t, "")
	src.Flags = []Flag{{Name: "--data", Key: "data", Value: "somewhere"}}
	if s := settings(t, src); !filepath.IsAbs(s.Data) || filepath.Base(s.Data) != "somewhere" {
		t.Errorf("data is %s", s.Data)
	}
	src.Places.Logs = "relative"
	if _, err := Load(src); err == nil || !strings.Contains(err.Error(), "HOME") {
		t.Errorf("without a home: %v", err)
	}
}

func TestAWrittenFileChangesNothingUntilALineIsUncommented(t *testing.T) {
	t.Parallel()
	src := home(t, "")
	if err := Write(src.Places.File, protocol.English, src.Keys); err != nil {
		t.Fatal(err)
	}
	if s := settings(t, src); s.Limits != Defaults().Limits || !reflect.DeepEqual(s.Model, Defaults().Model) {
		t.Errorf("the file changed the settings: %+v", s)
	}
	if err := Write(src.Places.File, protocol.English, src.Keys); !errors.Is(err, fs.ErrExist) {
		t.Errorf("written twice: %v", err)
	}
	if info, err := os.Stat(src.Places.File); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}

	// With every line that assigns uncommented, all settings stand in the file
	// and are the defaults still.
	text := template(protocol.English, Bindings{})
	for _, f := range fields(new(Settings)) {
		own := f.key[strings.LastIndexByte(f.key, '.')+1:]
		text = strings.Replace(text, "# "+own+" = ", own+" = ", 1)
	}
	src = home(t, text)
	s := settings(t, src)
	for _, e := range s.Effective()[5:] {
		if e.From.File != src.Places.File {
			t.Errorf("%s comes from %s", e.Key, e.From)
		}
	}
	if s.Limits != Defaults().Limits || !reflect.DeepEqual(s.Model, Defaults().Model) || s.Theme != "auto" {
		t.Errorf("the defaults that the file shows are others: %+v", s)
	}
}

func TestEverySettingSaysWhatItIsAndKeepsItsOwnBounds(t *testing.T) {
	t.Parallel()
	s := Defaults()
	for _, f := range fields(&s) {
		if f.tag.Get("about") == "" {
			t.Errorf("%s says nothing about itself", f.key)
		}
		if err := f.check(); err != nil {
			t.Errorf("the default of %s: %v", f.key, err)
		}
	}
}

func FuzzSettingsFile(f *testing.F) {
	f.Add([]byte(template(protocol.English, Bindings{})))
	f.Add([]byte("limits = {agents = 3}\n[model]\nkey = 'x'"))
	f.Add([]byte("[[limits]]\nagents = 3"))
	f.Add([]byte("limits.agents = 3\n[limits]\ndepth=2"))
	f.Fuzz(func(t *testing.T, content []byte) {
		s := Defaults()
		s.File, s.origin = "f", map[string]Origin{}
		found, problems, whole := s.decode(content)
		if !whole && len(problems) == 0 {
			t.Errorf("decode(%q) is not whole, and reports no problem", content)
		}
		for key, at := range found {
			if at.Line < 1 || at.Line > strings.Count(string(content), "\n")+1 {
				t.Errorf("%s is on line %d", key, at.Line)
			}
		}
	})
}

// What is said to every agent may have lines, and nothing that a terminal obeys.
func TestTheAdditionToThePromptsMayHaveLines(t *testing.T) {
	t.Parallel()
	s := settings(t, home(t, "[prompts]\naddition = \"\"\"\nAnswer in verse.\n\tAlways.\"\"\"\n"))
	if s.Prompts.Addition != "Answer in verse.\n\tAlways." {
		t.Errorf("%q", s.Prompts.Addition)
	}
	for name, text := range map[string]string{
		"an escape":  "[prompts]\naddition = \"a\\u001b[2J\"\n",
		"too long":   "[prompts]\naddition = \"" + strings.Repeat("x", maxLines+1) + "\"\n",
		"other line": "[model]\nname = \"a\\nb\"\n",
	} {
		if _, err := Load(home(t, text)); err == nil {
			t.Errorf("%s was taken", name)
		}
	}
}

func TestEverySettingIsDescribedInBothLanguages(t *testing.T) {
	t.Parallel()
	s := Defaults()
	s.Models = []Endpoint{{}}
	for _, f := range s.allFields() {
		for _, said := range []i18n.Text{about(f.tag), about(f.table)} {
			if f.table == "" && said.IsZero() {
				continue // in no table
			}
			if !strings.HasSuffix(said.EN, ".") || !strings.HasSuffix(said.ZH, "。") {
				t.Errorf("%s: about is %q, zh is %q; want a sentence each", f.key, said.EN, said.ZH)
			}
		}
	}
}

func TestMistakesAreToldInTheLanguageOfTheUser(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]string{
		"lang = 'zh-CN'\n[limits]\nagnets = 3\nqueue = 0\n": ":3：limits.agnets：没有这项设置；是否指 limits.agents？\nFILE:4：limits.queue：应在 1 到 100000 之间，而不是 0",
		"lang = 'zh-CN'\ntheme = 'drak'\n":                  ":2：theme：应为 auto、dark、light 之一，而不是 \"drak\"；是否指 dark？",
		"lang = 'zh-CN'\n[model]\nkey = 'a b'\n":            ":3：model.key：含有空格、换行或密钥不能有的其他字符",
		"lang = 'zh-CN'\n[model]\nidle_timeout = 'soon'\n":  ":3：model.idle_timeout：\"soon\" 不是时长：请写数字和单位，如 \"30s\" 或 \"5m\"",
	} {
		src := home(t, file)
		s, err := Load(src)
		if err == nil {
			t.Fatalf("%q: no mistake", file)
		}
		got := strings.ReplaceAll(i18n.Error(protocol.Lang(s.Language()), err), src.Places.File, "FILE")
		if got != "FILE"+want {
			t.Errorf("%q: got %s, want FILE%s", file, got, want)
		}
	}
}

// The language is known even if the file cannot be read.
func TestTheFlagForTheLanguageHoldsForEveryMistake(t *testing.T) {
	t.Parallel()
	src := home(t, "lang = \n")
	src.Flags = []Flag{{Name: "--lang", Key: "lang", Value: "zh-CN"}}
	s, err := Load(src)
	if s.Language() != "zh-CN" || err == nil {
		t.Errorf("Language = %s, want zh-CN; the error is %v", s.Language(), err)
	}
}

// A language that there is not is refused in that of the environment.
func TestAWrongLanguageIsRefusedInThatOfTheEnvironment(t *testing.T) {
	t.Parallel()
	src := home(t, "")
	src.Getenv = func(name string) string { return map[string]string{"LANG": "zh_CN.UTF-8"}[name] }
	src.Flags = []Flag{{Name: "--lang", Key: "lang", Value: "中文"}}
	if s, err := Load(src); s.Language() != "zh-CN" || err == nil {
		t.Errorf("Language = %s, want zh-CN; the error is %v", s.Language(), err)
	}
}

func TestTheShortNameOfChineseIsTaken(t *testing.T) {
	t.Parallel()
	src := home(t, "")
	src.Flags = []Flag{{"--lang", "lang", "zh"}}
	for _, s := range []Settings{settings(t, home(t, "lang = 'zh'\n")), settings(t, src)} {
		if s.Language() != "zh-CN" || s.Lang != "zh-CN" {
			t.Errorf("language %s", s.Lang)
		}
	}
}
