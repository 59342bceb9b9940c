package boltdb

import (
	"errors"
	"fmt"
	"os"
	"testing"
	"time"
)

// brief is a wait that ends at once.
var brief = limits{size: MaxSize, lockWait: time.Millisecond, steps: steps()}

func TestAFalseNoteOnlyMakesTheMessageShorter(t *testing.T) {
	t.Parallel()
	note := func(pid int, since string) []byte { return fmt.Appendf(nil, "pid %d\nsince %s\n", pid, since) }
	const since = "2026-11-21T03:15:00Z"
	file := func(content []byte) func(string) error {
		return func(path string) error { return os.WriteFile(path, content, 0o600) }
	}
	for name, leave := range map[string]func(path string) error{
		"missing":       func(string) error { return nil },
		"garbage":       file([]byte("\x00\xff\x1b]52;c;\x07")),
		"huge":          file(make([]byte, 1<<20)),
		"a dead holder": file(note(1<<30, since)),
		"no process":    file(note(-1, since)),
		"no time":       file(note(os.Getpid(), "yesterday")),
		"a folder":      func(path string) error { return os.Mkdir(path, 0o700) },
		"a link": func(path string) error {
			return errors.Join(os.WriteFile(path+".target", note(os.Getpid(), since), 0o600), os.Symlink(path+".target", path))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := fresh(t, MaxSize, 3)
			path := s.path + ".lock"
			leaveAgain := func() {
				t.Helper()
				if err := errors.Join(os.RemoveAll(path), os.RemoveAll(path+".target"), leave(path)); err != nil {
					t.Fatal(err)
				}
			}
			leaveAgain()
			var locked *LockedError
			if _, err := open(s.path, brief); !errors.As(err, &locked) || *locked != (LockedError{}) {
				t.Errorf("a second open: %v", err)
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
			// A note that nobody removed does not keep anybody out.
			leaveAgain()
			again, err := Open(s.path)
			if err != nil {
				t.Fatal(err)
			}
			holds(t, again, 3)
			if err := again.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}
