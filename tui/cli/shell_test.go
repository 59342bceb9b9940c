package cli

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"society-tui/runtime/config"
)

func TestTheProgramsOwnFoldersAreHiddenFromCommands(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	s := config.Settings{}
	s.File, s.Data, s.Logs = filepath.Join(home, "config", "settings.toml"), filepath.Join(home, "data"), filepath.Join(home, "logs")
	want := []string{filepath.Join(home, "config"), s.Data, s.Logs}
	if run := os.Getenv("XDG_RUNTIME_DIR"); filepath.IsAbs(run) {
		want = append(want, filepath.Join(run, "society-tui"))
	}
	if got := ownFolders(s, "work"); !slices.Equal(got, want) {
		t.Errorf("hidden are %q, want %q", got, want)
	}
}
