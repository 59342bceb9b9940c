package sessions_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"society-tui/runtime/archive"
	"society-tui/runtime/sessions"
	"society-tui/runtime/society"
	"society-tui/storage"
)

// An export without a file name makes a new file, named for its content.
func TestAnExportOfARunningSocietyOverwritesNothing(t *testing.T) {
	p := crowd(t, 5)
	p.do(society.Interrupt{Agent: "worker-2"})
	p.do(society.Rename{Agent: "worker-2", Name: "../The *second* 工人.."})
	t.Chdir(t.TempDir())
	for _, c := range []struct {
		export sessions.Export
		file   string
	}{
		{sessions.Export{Agent: "worker-1", Alone: true, Format: sessions.Markdown}, "worker-1.md"},
		{sessions.Export{Agent: "worker-1", Alone: true, Format: sessions.Markdown}, "worker-1-2.md"},
		{sessions.Export{Agent: "worker-1", Alone: true, Format: sessions.JSON}, "worker-1.json"},
		{sessions.Export{Agent: "root", Format: sessions.Markdown}, "root-and-below.md"},
		{sessions.Export{Agent: "worker-2", Alone: true, Format: sessions.Markdown}, "The-second-工人.md"},
		{sessions.Export{Format: sessions.JSON}, "society.json"},
		{sessions.Export{Format: sessions.Markdown, Out: "own name"}, "own name"},
	} {
		got, tally, err := c.export.Copy(t.Context(), p.store)
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(c.file)
		if err != nil || !strings.HasSuffix(got.Path, "/"+c.file) || int64(len(text)) != got.Size {
			t.Errorf("%+v: %+v, %v", c.export, got, err)
		}
		var all strings.Builder
		if err := p.store.View(func(tx storage.Tx) error {
			return archive.WriteJSON(&all, tx, archive.Options{Agent: c.export.Agent, Alone: c.export.Alone})
		}); err != nil {
			t.Fatal(err)
		}
		midTurn := tally.Unfinished > 0 // worker-2 has ended its turn
		if (c.export.Agent == "worker-2") == midTurn || c.export.Agent == "worker-1" && tally.Unfinished != 1 {
			t.Errorf("%s: %d agents are in the middle of a turn", c.file, tally.Unfinished)
		}
		in := strings.Count(all.String(), `{"table":"said"`)
		if tally.Steps != in || in == 0 {
			t.Errorf("%s: %d steps of conversations, in it are %d:\n%s", c.file, tally.Steps, in, text)
		}
	}
	if _, _, err := (sessions.Export{Out: "own name"}).Copy(t.Context(), p.store); !errors.Is(err, fs.ErrExist) {
		t.Errorf("over a file: %v", err)
	}
}

// What is given up or refused leaves no file.
func TestAnExportThatFailsLeavesNothing(t *testing.T) {
	p := crowd(t, 50)
	t.Chdir(t.TempDir())
	done, cancel := context.WithCancel(t.Context())
	cancel()
	for _, format := range []string{sessions.JSON, sessions.Markdown} {
		if _, _, err := (sessions.Export{Format: format}).Copy(done, p.store); !errors.Is(err, context.Canceled) {
			t.Errorf("%s, given up: %v", format, err)
		}
		if _, _, err := (sessions.Export{Agent: "nobody-1", Format: format}).Copy(t.Context(), p.store); !errors.Is(err, archive.ErrNobody) {
			t.Errorf("%s of nobody: %v", format, err)
		}
	}
	if left, err := os.ReadDir("."); err != nil || len(left) > 0 {
		t.Errorf("left: %v, %v", left, err)
	}
}

// A file that somebody makes while the export is written is not overwritten either.
func TestAnExportOverwritesNothingThatCameMeanwhile(t *testing.T) {
	t.Parallel()
	p := crowd(t, 3)
	path := filepath.Join(t.TempDir(), "out.json")
	came := func(line string) string {
		if err := os.WriteFile(path, []byte("theirs"), 0o600); err != nil {
			t.Error(err)
		}
		return line
	}
	_, _, err := (sessions.Export{Format: sessions.JSON, Out: path, Redact: came}).Copy(t.Context(), p.store)
	if there, readErr := os.ReadFile(path); !errors.Is(err, fs.ErrExist) || readErr != nil || string(there) != "theirs" {
		t.Errorf("%v; the file holds %.20q, %v", err, there, readErr)
	}
}

// Whether a society is open or not, an export names its file whole.
func TestAnExportOfAClosedSocietyNamesItsFileWhole(t *testing.T) {
	p := withResult(t)
	t.Chdir(t.TempDir())
	got, err := sessions.Export{Format: sessions.JSON, Out: "out.json"}.Write(t.Context(), p.path, nil)
	if err != nil || !filepath.IsAbs(got.Path) || filepath.Base(got.Path) != "out.json" {
		t.Errorf("Write = %+v, %v, want a whole path", got, err)
	}
}
