package programtest

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"society-tui/runtime/protocol"
	"society-tui/tui/docs"
)

func TestPipedOutputHoldsNoEscapeSequence(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	for _, args := range [][]string{
		{"--help"},
		{"--version"},
		{"version"},
		{"config"},
		{"config", "--help"},
		{"check"},
		{"reset"},
		{"--nonsense"},
		{},
		{"backup", h.path("copy.db")},
		{"export"},
		{"export", "--format", "markdown"},
		{"export", "--org"},
		{"import", h.path("\x1b[2Jnowhere")},
		{"compact"},
		{"config", "init"},
		{"models"},
		{"templates"},
		{"templates", "plan"},
		{"help"},
		{"help", "keys"},
		{"help", "\x1b[2J"},
		{"backup", "--help"},
		{"export", "--help"},
		{"import", "--help"},
		{"demo-model", "--help"},
		{"--theme", "\x1b[2J"},
		{"--data", "/dev/null/\x1b]0;x\a"},
	} {
		got := h.run(args...)
		if strings.ContainsAny(got.out+got.err, "\x1b\x07\u009b") {
			t.Errorf("%q printed %q and %q", args, got.out, got.err)
		}
		if got.out+got.err == "" && args[0] != "backup" && args[0] != "compact" {
			t.Errorf("%q printed nothing", args)
		}
	}
}

func TestTheExitCodeTellsAFailureFromAMistakeInTheCall(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		args  []string
		env   string
		code  int
		hints []string // in the error output
	}{
		"help":                              {args: []string{"--help"}},
		"version":                           {args: []string{"version"}},
		"nothing stored":                    {args: []string{"check"}},
		"unknown flag":                      {args: []string{"--demmo"}, code: 2, hints: []string{"--demmo", "--demo", "--help"}},
		"unknown command":                   {args: []string{"chekc"}, code: 2, hints: []string{"chekc", "--help"}},
		"a list of sessions":                {args: []string{"sessions"}, code: 2, hints: []string{"unexpected argument sessions", "/sessions lists the sessions"}},
		"flag without its value":            {args: []string{"--model"}, code: 2, hints: []string{"--model"}},
		"no such language":                  {args: []string{"--lang", "fr", "config"}, code: 2, hints: []string{"flag --lang", "auto, en, zh-CN"}},
		"no such theme":                     {args: []string{"--theme", "neon", "config"}, code: 2, hints: []string{"flag --theme", "dark"}},
		"no such settings file":             {args: []string{"--config", "none.toml", "config"}, code: 2, hints: []string{"none.toml"}},
		"a key without a model":             {args: []string{"config"}, env: "OPENAI_API_KEY=sk-canary-0123456789", code: 2, hints: []string{"SOCIETY_MODEL", "--model"}},
		"no such language, and no terminal": {args: []string{"--lang", "fr"}, code: 2, hints: []string{"flag --lang", "auto, en, zh-CN", "--help"}},
		"no such template, and no terminal": {args: []string{"--template", "nosuch"}, code: 2, hints: []string{"--template nosuch", "there are research, plan", "society-tui templates"}},
		"no such template":                  {args: []string{"templates", "nosuch"}, code: 2, hints: []string{`"nosuch"`, "society-tui templates"}},
		"no terminal":                       {args: nil, code: 1, hints: []string{"standard input is not a terminal", "start it in a terminal"}},
		"no such folder":                    {args: []string{"--data", "/nowhere/at/all", "check"}, code: 2, hints: []string{"no folder /nowhere/at/all", "--data"}},
		"no such folder, in Chinese":        {args: []string{"--lang", "zh-CN", "--data", "/nowhere", "compact"}, code: 2, hints: []string{"没有 --data 指定的文件夹 /nowhere", "society-tui compact --help 列出它的参数"}},
		"no such folder, to ask there":      {args: []string{"agents", "--data", "/nowhere/x"}, code: 2, hints: []string{"no folder /nowhere/x, which --data names"}},
		"no such folder, to send there":     {args: []string{"send", "--data", "/nowhere/x", "hi"}, code: 2, hints: []string{"no folder /nowhere/x, which --data names"}},
		"no such folder of a token":         {args: []string{"token", "--data", "/nowhere/x"}, code: 2, hints: []string{"no folder /nowhere/x, which --data names"}},
		"nothing to import":                 {args: []string{"import", "-"}, code: 1, hints: []string{"standard input: no society can be read from it"}},
		"a rule for no tool":                {args: []string{"--demo", "--allow", "wriet", "ask", "hi"}, code: 2, hints: []string{`--allow "wriet": there is no tool "wriet"; did you mean write?`, "society-tui ask --help lists"}},
		"a rule for no tool, in Chinese":    {args: []string{"--demo", "--lang", "zh-CN", "--allow", "bash", "serve"}, code: 2, hints: []string{`--allow "bash": bash `, "society-tui serve --help 列出它的参数"}},
		"no such session":                   {args: []string{"check", "--session", "nosuch"}, code: 1, hints: []string{"nosuch.db: no data yet"}},
		"a folder that cannot be read":      {args: []string{"agents", "--data", "/dev/null/x"}, code: 1, hints: []string{"not a directory"}},
		"a time that is none":               {args: []string{"ask", "--timeout", "abc", "x"}, code: 2, hints: []string{"--timeout needs a time such as 90s or 5m, not \"abc\"", "society-tui ask --help lists its arguments"}},
		"a time without a wait":             {args: []string{"send", "--timeout", "9s", "x"}, code: 2, hints: []string{"--timeout counts only while send waits", "Add --wait, or leave out --timeout."}},
		"an end without a wait":             {args: []string{"send", "--cancel", "x"}, code: 2, hints: []string{"--cancel counts only while send waits", "Add --wait"}},
		"events without a wait":             {args: []string{"--lang", "zh-CN", "send", "--output", "stream-json", "x"}, code: 2, hints: []string{"--output stream-json 只在", "请加上 --wait"}},
		"no text":                           {args: []string{"ask"}, code: 2, hints: []string{"there is no text", "society-tui ask --help lists"}},
		"a port that is none":               {args: []string{"serve", "--http", "x"}, code: 2, hints: []string{"flag --http", "society-tui serve --help lists"}},
		"no agent":                          {args: []string{"pause"}, code: 2, hints: []string{"<agent>", " is missing", "society-tui pause --help"}},
		"a kind of events":                  {args: []string{"events", "--kinds", "message,mail"}, code: 2, hints: []string{"--kinds must be one of message, timeline, task, agent, text, output, not \"mail\"", "--help"}},
		"an organisation to read":           {args: []string{"export", "--org", "--format", "markdown"}, code: 2, hints: []string{"--org writes JSON only"}},
		"a file for the folder":             {args: []string{"--data", "/dev/null", "check"}, code: 2, hints: []string{"/dev/null, which --data names, is a file", "society.db", "--from FILE"}},
		"no such backup":                    {args: []string{"export", "--from", "/nowhere/nosuch.db"}, code: 1, hints: []string{"/nowhere/nosuch.db does not exist"}},
		"no such backup, in Chinese":        {args: []string{"--lang", "zh-CN", "export", "--from", "/nowhere/nosuch.db"}, code: 1, hints: []string{"/nowhere/nosuch.db 不存在"}},
		"data in a file":                    {args: []string{"--data", "/dev/null/x", "check"}, code: 1, hints: []string{"not a directory"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHome(t)
			if c.env != "" {
				h.env = append(h.env, c.env)
			}
			got := h.run(c.args...)
			if got.code != c.code {
				t.Errorf("exit code %d, want %d: %s", got.code, c.code, got.err)
			}
			for _, hint := range c.hints {
				if !strings.Contains(got.err, hint) {
					t.Errorf("%q does not speak of %q", got.err, hint)
				}
			}
			if c.code == 0 && got.err != "" {
				t.Errorf("it complains: %s", got.err)
			}
			if strings.Contains(got.out+got.err, "canary") {
				t.Errorf("the key was printed: %s%s", got.out, got.err)
			}
		})
	}
}

func TestARuleOfTheSettingsThatNeverMatchesIsAMistakeInThem(t *testing.T) {
	t.Parallel()
	h := newHome(t, "[model]", fast, "[[rules]]", `tool = "wriet"`, `do = "allow"`)
	if got := h.run("ask", "hi"); got.code != 2 || !strings.Contains(got.err, "did you mean write?\nFix it, or name another settings file with --config.\n") {
		t.Errorf("ask = %+v", got)
	}
}

func TestConfigTellsWhereEachSettingCameFrom(t *testing.T) {
	t.Parallel()
	h := newHome(t, "[model]", "max_tokens = 77")
	h.env = append(h.env, "SOCIETY_MODEL=m-1", "OPENAI_API_KEY=sk-canary-0123456789")
	got := h.run("config", "--lang", "zh-CN")
	for _, want := range []string{
		`model.name "m-1" 环境变量 SOCIETY_MODEL`,
		`model.max_tokens 77 ` + h.path("config/society-tui/config.toml") + `:2`,
		`model.key "[redacted]" 环境变量 OPENAI_API_KEY`,
		`lang "zh-CN" 选项 --lang`,
		`limits.agents 200 默认`,
		`data ` + h.path("data/society-tui") + ` 默认`,
	} {
		found := false
		for line := range strings.Lines(got.out) {
			found = found || strings.Join(strings.Fields(line), " ") == want
		}
		if !found {
			t.Errorf("no line %q in\n%s", want, got.out)
		}
	}
	listed := h.run("config", "--lang", "zh-CN", "--output", "json")
	if !json.Valid([]byte(listed.out)) || !strings.Contains(listed.out, `{"key":"model.name","value":"\"m-1\"","from":"environment SOCIETY_MODEL"}`) {
		t.Errorf("as JSON: %+v", listed)
	}
	if strings.Contains(got.out+got.err+listed.out, "canary") {
		t.Error("the key was printed")
	}
}

func TestConfigInitWritesOnceAndOverwritesNothing(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	if got := h.run("config", "init"); got.code != 0 {
		t.Fatal(got.err)
	}
	name := "config/society-tui/config.toml"
	written := h.read(name)
	if !strings.Contains(written, "# agents = 200") {
		t.Errorf("written:\n%s", written)
	}
	h.write(name, "lang = 'en'\n")
	if got := h.run("config", "init"); got.code != 1 || h.read(name) != "lang = 'en'\n" {
		t.Errorf("exit code %d, and now it holds\n%s", got.code, h.read(name))
	}
}

// Nothing that exists is overwritten.
func TestCheckNamesTheDamageAndChangesNothing(t *testing.T) {
	t.Parallel()
	for name, content := range map[string]string{
		"empty":   "",
		"garbage": strings.Repeat("no database ", 1000),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHome(t)
			h.write("data/society-tui/society.db", content)
			got := h.run("check")
			if got.code != 1 || !strings.Contains(got.err, "damaged") {
				t.Errorf("exit code %d: %s", got.code, got.err)
			}
			if h.read("data/society-tui/society.db") != content {
				t.Error("the file was changed")
			}
			if all, err := os.ReadDir(filepath.Dir(h.path("data/society-tui/society.db"))); err != nil || len(all) != 1 {
				t.Errorf("now there are %v, %v", all, err)
			}
		})
	}
}

func TestHelpPrintsTheReference(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	list := h.run("help")
	for _, topic := range docs.Topics(protocol.English) {
		if !strings.Contains(list.out, topic.Name+"  ") || !strings.Contains(list.out, topic.About) {
			t.Errorf("help does not list %s:\n%s", topic.Name, list.out)
		}
		got := h.run("help", topic.Name)
		if got.code != 0 || got.out != strings.TrimSpace(topic.Text)+"\n" {
			t.Errorf("help %s: exit code %d, %s%s", topic.Name, got.code, got.out, got.err)
		}
	}
	if got := h.run("help", "graphs"); !strings.Contains(got.out, "AddLLMNode") {
		t.Errorf("help graphs: %s", got.out)
	}
	for name, want := range map[string]string{"kyes": "did you mean keys?", "modle": "did you mean models?", "Theme": "did you mean themes?", "nonsense": `No help topic "nonsense"` + "\n"} {
		if got := h.run("help", name); got.code != 2 || !strings.Contains(got.err, want) || !strings.Contains(got.err, "society-tui help lists the topics") {
			t.Errorf("help %s: exit code %d, %s", name, got.code, got.err)
		}
	}
	if got := h.run("help", "ask"); got.code != 2 || !strings.Contains(got.err, `No help topic "ask"`+"\nsociety-tui ask --help lists") {
		t.Errorf("help of a command: exit code %d, %s", got.code, got.err)
	}
	wrong := newHome(t, "nonsense = 1")
	if got := wrong.run("help", "settings"); got.code != 0 {
		t.Errorf("help settings, with wrong settings: exit code %d, %s", got.code, got.err)
	}
}

func TestTheReferenceNamesEveryCommandAndFlagOfTheCommandLine(t *testing.T) {
	t.Parallel()
	help := newHome(t).run("--help").out
	text, _ := docs.Find(protocol.English, "command-line")
	named := regexp.MustCompile(`(?m)^  (?:(?:-h, |    )(--[a-z]+)|([a-z-]+) )`).FindAllStringSubmatch(help, -1)
	if len(named) < 20 {
		t.Fatalf("--help names %q:\n%s", named, help)
	}
	for _, m := range named {
		if name := m[1] + m[2]; !strings.Contains(text.Text, name) && name != "screen" {
			t.Errorf("society-tui help command-line does not name %s", name)
		}
	}
}

// A typo in --data is one for every command, also for those that need an open session.
func TestDataMustBeAFolder(t *testing.T) {
	t.Parallel()
	h := newHome(t, "[model]", fast)
	h.write("file", "")
	for _, args := range [][]string{{"check"}, {"ask", "plan a walk"}, {"agents"}, {"send", "hello"}, {"serve"}, {"quit"}} {
		if got := h.run(append(args, "--data", h.path("file"))...); got.code != 2 || !strings.Contains(got.err, "is a file, not a folder") {
			t.Errorf("%q = %+v", args, got)
		}
	}
}
