package config

import (
	"os"
	"slices"
	"strings"
	"testing"

	"society-tui/runtime/session"
)

// A session takes the folder of its last --workspace again. A flag and the environment come
// first, the settings file after it; one that is gone is warned of.
func TestASessionTakesItsFolderAgain(t *testing.T) {
	t.Parallel()
	dirs := []string{t.TempDir(), t.TempDir(), t.TempDir()}
	src := home(t, "workspace = '"+dirs[0]+"'")
	flagged := src
	flagged.Flags = append(slices.Clone(src.Flags), Flag{Name: "--workspace", Key: "workspace", Value: dirs[1]})
	s := settings(t, src)
	if err := s.KeepWorkspace(s.Session); err != nil || settings(t, src).Recalled {
		t.Errorf("the folder of the settings file was remembered: %v", err)
	}
	s = settings(t, flagged)
	if err := s.KeepWorkspace(s.Session); err != nil {
		t.Fatal(err)
	}
	if got := settings(t, src); got.Workspace != dirs[1] || !got.Recalled || len(got.Warnings) > 0 {
		t.Errorf("it works in %s, recalled %t: %v", got.Workspace, got.Recalled, got.Warnings)
	}
	flagged.Flags[len(flagged.Flags)-1].Value = dirs[2]
	if got := settings(t, flagged); got.Workspace != dirs[2] || got.Recalled {
		t.Errorf("with a flag it works in %s", got.Workspace)
	}

	of := func(name string) Settings { return settings(t, src).InSession(name) }
	if got := of("other"); got.Workspace != dirs[0] || got.Recalled {
		t.Errorf("a session without one works in %s", got.Workspace)
	}
	moded := flagged
	moded.Flags = append(slices.Clone(flagged.Flags), Flag{Name: "--mode", Key: "mode", Value: "edits"})
	if got := settings(t, moded).InSession("other"); got.ModeFlag() != "" || got.Mode != AutoMode {
		t.Errorf("--mode of the first session sets %q, %q in another", got.ModeFlag(), got.Mode)
	}
	if err := os.WriteFile(session.Workspace(s.Data, "other"), []byte(dirs[2]+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := of("other"); got.Workspace != dirs[2] || !got.Recalled {
		t.Errorf("another session works in %s", got.Workspace)
	}
	if err := os.Remove(dirs[1]); err != nil {
		t.Fatal(err)
	}
	if got := settings(t, src); got.Workspace != dirs[0] || len(got.Warnings) != 1 || !strings.Contains(got.Warnings[0].Error(), dirs[1]) {
		t.Errorf("without its folder it works in %s: %v", got.Workspace, got.Warnings)
	}
}
