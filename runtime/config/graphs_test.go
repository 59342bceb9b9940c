package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

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
		"twice":         {sound + sound, []string{`"twice" is the name of graphs[0] already`}},
		"unknown field": {strings.Replace(sound, "timeout", "time_out", 1), []string{"time_out"}},
		"two mistakes":  {strings.ReplaceAll(strings.Replace(sound, `end_points = ["read"]`, "", 1), `to = "read"`, `to = "red"`), []string{"no end point", `"red"`}},
		"odd name":      {strings.Replace(sound, `"twice"`, `"two words"`, 1), []string{`"two words" is no name for a graph`}},
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
