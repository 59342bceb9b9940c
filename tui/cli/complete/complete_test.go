package complete_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"society-tui/tui/cli/complete"
)

type commandLine struct {
	Theme  string `values:"themes" help:"Colours."`
	Data   string `values:"folders"`
	Plain  bool   `negatable:""`
	Secret string `hidden:""`

	Import struct {
		File string `arg:"" values:"files"`
	} `cmd:"" help:"Import a file."`
	Stop struct {
		Agents []string `arg:"" values:"agents"`
		Output string   `enum:"text,json" default:"text" short:"o"`
	} `cmd:""`
	Show struct {
		All struct{} `cmd:"" default:"1"`
		One struct {
			Theme string `arg:"" values:"themes"`
		} `cmd:""`
	} `cmd:""`
	Internal struct{} `cmd:"" hidden:""`
}

func TestAnswersNameWhatMayStandAtTheCursor(t *testing.T) {
	t.Parallel()
	grammar := complete.Grammar{
		Root: kong.Must(&commandLine{}).Model.Node,
		Values: func(name string) []complete.Candidate {
			return map[string][]complete.Candidate{
				"themes": {{Word: "dark", About: "At night."}, {Word: "day"}, {Word: "light"}},
				"agents": {{Word: "root"}, {Word: "a-1"}},
			}[name]
		},
		About: func(help string, _ *kong.Tag) string { return help },
	}
	for line, want := range map[string]string{
		"":                          "none: import stop show",
		"s":                         "none: stop show",
		"nonsense":                  "none:",
		"--":                        "none: --help --theme --data --plain --no-plain",
		"--t":                       "none: --theme",
		"--theme ":                  "none: dark day light",
		"--theme da":                "none: dark day",
		"--theme=da":                "none: --theme=dark --theme=day",
		"--theme = da":              "none: dark day", // as bash splits it
		"--theme =":                 "none: dark day light",
		"--theme dark s":            "none: stop show",
		"--theme=dark s":            "none: stop show",
		"--theme = dark s":          "none: stop show",
		"--plain s":                 "none: stop show",
		"--data ":                   "folders:",
		"--data=x":                  "folders:",
		"--secret x --unknown s":    "none: stop show",
		"import ":                   "files:",
		"import a ":                 "none:",
		"stop ":                     "none: root a-1",
		"stop root a":               "none: a-1",
		"stop -o ":                  "none: text json",
		"stop --output=j":           "none: --output=json",
		"stop --o":                  "none: --output",
		"stop -- r":                 "none: root",
		"stop stop":                 "none:",
		"show ":                     "none: all one",
		"show one d":                "none: dark day",
		"show one --th":             "none: --theme",
		"internal --pl":             "none: --plain",
		"show one dark --theme lig": "none: light",
	} {
		answer := grammar.After(strings.Split(line, " "))
		got := string(answer.Paths) + ":"
		for _, c := range answer.Candidates {
			got += " " + c.Word
		}
		if got != want {
			t.Errorf("%q: %s, want %s", line, got, want)
		}
	}
	if got := grammar.After(nil); len(got.Candidates) != 3 || got.Candidates[0].About != "Import a file." {
		t.Errorf("without a word: %v", got)
	}
	if got := grammar.After([]string{"--theme", "dark"}).Candidates; !slices.Equal(got, []complete.Candidate{{Word: "dark", About: "At night."}}) {
		t.Errorf("a value lost its meaning: %v", got)
	}
}

func TestEveryShellHasItsScript(t *testing.T) {
	t.Parallel()
	for _, shell := range complete.Shells() {
		if !strings.Contains(complete.Script(shell), "complete-words") {
			t.Errorf("%s asks the program nothing", shell)
		}
	}
	if got := complete.Script("tcsh"); got != "" {
		t.Errorf("a script for an unknown shell: %q", got)
	}
}
