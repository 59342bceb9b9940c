package cli

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"society-tui/runtime/config"
	"society-tui/tui"
)

// A setting that is what it is to be is left alone, but not one that a variable sets or whose
// default may depend on where the program runs.
func TestASettingThatIsSetAlreadyIsNotWritten(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := filepath.Join(dir, "config.toml")
	variables := map[string]string{}
	c := &console{sources: config.Sources{Themes: func(string) []string { return nil }, Places: config.Places{Data: dir, File: file, Logs: dir, Templates: dir, Themes: dir}, Getenv: func(name string) string { return variables[name] }}}
	change := c.changesSettings(func(context.Context, config.Settings) []tui.Setting { return nil })
	for _, step := range []struct {
		key, text string
		same      bool
	}{
		{"reduced_motion", "false", true},
		{"reduced_motion", "true", false},
		{"reduced_motion", "true", true},
		{"reduced_motion", "false", false},
		{"limits.agents", "50", false},
		{"limits.agents", "50", true},
	} {
		before, _ := os.ReadFile(file)
		changed, err := change(t.Context(), step.key, step.text)
		after, _ := os.ReadFile(file)
		if err != nil || changed.Unwritten != nil || changed.Same != step.same || (string(before) == string(after)) != step.same {
			t.Errorf("%s = %s: same is %v, want %v; %v, %v; the file is\n%s", step.key, step.text, changed.Same, step.same, err, changed.Unwritten, after)
		}
	}
	variables["SOCIETY_SESSION"] = "work"
	if changed, err := change(t.Context(), "session", "work"); err != nil || changed.Same || changed.Overridden == "" {
		t.Errorf("of what a variable sets same is %v, overridden is %q, %v", changed.Same, changed.Overridden, err)
	}
}
