package tui_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"syscall"
	"testing"

	"society-tui/tui"
	"society-tui/tui/screentest"
)

// A backup runs outside the event loop and reports its outcome; a failed
// command returns to the composer.
func TestBackupCommandWritesABackup(t *testing.T) {
	answers := map[string]error{
		"/tmp/new.db": nil,
		"/tmp/old.db": fmt.Errorf("it is there: %w", fs.ErrExist),
		"/none/x.db":  fmt.Errorf("copy to a long way: %w", fs.ErrNotExist),
		"/full/x.db":  fmt.Errorf("copy to a long way: %w", syscall.ENOSPC),
		"/evil/x.db":  errors.New("evil \x1b[2J"),
	}
	asked, release := make(chan string, 1), make(chan struct{})
	onScreenWith(t, 100, 30, func(cfg *tui.Config) {
		asked, release = make(chan string, 1), make(chan struct{})
		cfg.Backup = func(ctx context.Context, file string) (string, error) {
			asked <- file
			select {
			case <-release:
				return file + ": 64 KiB", answers[file]
			case <-ctx.Done():
				return "", ctx.Err()
			}
		}
	}, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		s.Type("/backup").Press("enter").Press("enter").Shows("needs the name of a new file", "/backup")
		s.Press("ctrl+c")
		for _, c := range []struct{ file, says, keeps string }{
			{"/tmp/new.db", "Backup written: /tmp/new.db: 64 KiB", ""},
			{"/tmp/old.db", "File exists and was left as it is: /tmp/old.db", "/backup /tmp/old.db"},
			{"/none/x.db", "Cannot write the backup: no folder /none", "/backup /none/x.db"},
			{"/full/x.db", "Cannot write the backup: no space left on device", "/backup /full/x.db"},
			{"/evil/x.db", "Cannot write the backup: evil", "/backup /evil/x.db"},
		} {
			s.Type("/backup " + c.file).Press("enter").Shows("Copying to " + c.file)
			s.Type("still live").Shows("still live").Press("ctrl+c")
			if got := <-asked; got != c.file {
				t.Fatalf("%q was asked for", got)
			}
			release <- struct{}{}
			s.Idle()
			s.Shows(c.says, c.keeps)
			if c.keeps != "" {
				s.Press("ctrl+c")
			}
		}
		s.Type("/backup /tmp/last.db").Press("enter").Shows("Copying")
		// The screen closes without waiting for it.
	})
}
