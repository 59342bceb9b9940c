package config

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"society-tui/runtime/protocol"
)

// Each mistake stands at its own line, all at once, and none hides another.
func TestAllMistakesOfGraphsAreToldAtTheirOwnLines(t *testing.T) {
	t.Parallel()
	_, err := Load(home(t, `colour = "red"

[limits]
agents = "many"
children = 0

[[graphs]]
name = "one"
max_iterations = 5000
entry_points = ["a", "z"]
end_points = ["b"]
[[graphs.nodes]]
key = "a"
promt = "x"
[[graphs.nodes]]
key = "b"
retries = 99
[graphs.nodes.graph]
name = "inner"
entry_points = ["i"]
[[graphs.nodes.graph.nodes]]
key = "i"
[[graphs.edges]]
from = "a"
to = "b"
[[graphs.edges]]
from = "a"
to = "c"
[[graphs.fan_outs]]
from = "a"
join = "b"
branches = [{to = "y"}]

[[graphs]]
name = "two"
timeout = "ages"
[[graphs.nodes]]
key = 5

[[graphs]]
name = "three"
entry_points = ["a"]
end_points = ["a"]
`))
	if err == nil {
		t.Fatal("it was taken")
	}
	got := map[string]bool{}
	before := 0
	for line := range strings.Lines(err.Error()) {
		_, said, _ := strings.Cut(strings.TrimSpace(line), "config.toml:")
		got[said] = true
		var at int
		if _, err := fmt.Sscanf(said, "%d:", &at); err != nil || at < before {
			t.Errorf("out of order: %s", line)
		}
		before = at
	}
	for _, want := range []string{
		`1: colour: unknown setting`,
		`4: limits.agents: must be a whole number, not string`,
		`5: limits.children: must be from 1 to 1000, not 0`,
		`9: graphs[0].max_iterations: one: max_iterations is 5000, and must be from 0 to 1000`,
		`10: graphs[0].entry_points[1]: one: the entry point "z" is not a node`,
		`14: graphs.nodes.promt: unknown setting; did you mean graphs.nodes.prompt?`,
		`17: graphs[0].nodes[1].retries: one: "b": retries is 99, and must be from 0 to 10`,
		`18: graphs[0].nodes[1].graph: one: "b": the graph has no end point`,
		`26: graphs[0].edges[1]: one: "a": the end of an edge "c" is not a node`,
		`32: graphs[0].fan_outs[0].branches[0]: one: "a": the beginning of a branch "y" is not a node`,
		`36: graphs.timeout: "ages" is not a duration: write a number with a unit, as in "30s" or "5m"`,
		`38: graphs.nodes.key: must be text in quotes, not integer`,
		`42: graphs[2].entry_points[0]: three: the entry point "a" is not a node`,
	} {
		if !got[want] {
			t.Errorf("not said: %s", want)
		}
	}
	if t.Failed() {
		t.Logf("said:\n%v", err)
	}
}

// What a new file shows of graphs is one, when it is no comment.
func TestTheGraphOfANewFileIsOne(t *testing.T) {
	t.Parallel()
	_, shown, ok := strings.Cut(template(protocol.English, Bindings{}), "# [[graphs]]\n")
	if !ok {
		t.Fatal("a new file says nothing of graphs")
	}
	lines := strings.Split("# [[graphs]]\n"+shown, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimPrefix(strings.TrimPrefix(line, "#"), " ")
	}
	s := settings(t, home(t, strings.Join(lines, "\n")))
	if len(s.Graphs) != 1 || s.Graphs[0].Name != "twice" || len(s.Graphs[0].Edges) != 2 {
		t.Errorf("%+v", s.Graphs)
	}
}

func TestGraphsOfTheSettingsAreReadAndEachMistakeIsNamed(t *testing.T) {
	t.Parallel()
	const sound = `
[[graphs]]
name = "twice"
timeout = "5m"
entry_points = ["write"]
end_points = ["read"]
[[graphs.nodes]]
key = "write"
[[graphs.nodes]]
key = "read"
prompt = "Read it."
[[graphs.edges]]
from = "write"
to = "read"
`
	for name, c := range map[string]struct {
		text string
		want []string // in the error; none for a sound file
	}{
		"sound":         {sound, nil},
		"twice":         {sound + sound, []string{`"twice" is already the name of graphs[0]`}},
		"unknown field": {strings.Replace(sound, "timeout", "time_out", 1), []string{"time_out"}},
		"two mistakes":  {strings.ReplaceAll(strings.Replace(sound, `end_points = ["read"]`, "", 1), `to = "read"`, `to = "red"`), []string{"no end point", `"red"`}},
		"bad type":      {strings.ReplaceAll(strings.Replace(sound, `"Read it."`, "5", 1), `to = "read"`, `to = "red"`), []string{"must be text in quotes", `"red"`}},
		"odd name":      {strings.Replace(sound, `"twice"`, `"two words"`, 1), []string{`"two words" is not a valid graph name`}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			file := filepath.Join(dir, "config.toml")
			if err := os.WriteFile(file, []byte(c.text), 0o600); err != nil {
				t.Fatal(err)
			}
			s, err := Load(Sources{
				Getenv: func(string) string { return "" }, Themes: func(string) []string { return []string{"dusk"} },
				Places: Places{Data: dir, File: file, Logs: dir, Templates: dir},
			})
			if c.want == nil {
				if err != nil || len(s.Graphs) != 1 || s.Graphs[0].Nodes[1].Prompt != "Read it." {
					t.Fatalf("%+v, %v", s.Graphs, err)
				}
				return
			}
			for _, want := range c.want {
				if err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("got %v, want %q", err, want)
				}
			}
		})
	}
}
