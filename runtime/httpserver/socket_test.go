//go:build linux || darwin

package httpserver_test

import (
	"errors"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"society-tui/runtime/httpserver"
)

func TestALostSocketIsMadeAgain(t *testing.T) {
	t.Parallel()
	s := open(t, nil, func(c *httpserver.Config) { c.Limits.LookTime = 5 * time.Millisecond })
	kept := s.dial("unix")
	health := s.request("GET", "/api/health")
	if r := s.exchange(kept, health); r.StatusCode != http.StatusOK {
		t.Fatalf("before = %d", r.StatusCode)
	}
	if err := os.Remove(s.Socket()); err != nil {
		t.Fatal(err)
	}
	s.until("made again")
	s.alive("unix")
	if r := s.exchange(kept, health); r.StatusCode != http.StatusOK {
		t.Errorf("on the connection from before = %d", r.StatusCode)
	}
	if info, err := os.Stat(s.Socket()); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the new socket has mode %v, %v", info.Mode(), err)
	}
}

func TestASocketThatNobodyServesIsReplaced(t *testing.T) {
	t.Parallel()
	cfg := config(t, &journal{}, nil)
	path := filepath.Join(cfg.Folder, name+".sock")
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		t.Fatal(err)
	}
	l.SetUnlinkOnClose(false)
	_ = l.Close()
	if notices, failed := began(t, cfg); notices+failed != "" {
		t.Errorf("Start = %q, %q", notices, failed)
	}
	if _, err := os.Lstat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("after Close the socket is there: %v", err)
	}
}

func TestWhatIsInThePlaceOfTheSocketStays(t *testing.T) {
	t.Parallel()
	for what, put := range map[string]func(path string) error{
		"a file":   func(path string) error { return os.WriteFile(path, []byte("mine"), 0o600) },
		"a folder": func(path string) error { return os.Mkdir(path, 0o700) },
		"a link":   func(path string) error { return os.Symlink("elsewhere", path) },
		"a socket in use": func(path string) error {
			l, err := net.Listen("unix", path)
			if err == nil {
				t.Cleanup(func() { _ = l.Close() })
			}
			return err
		},
	} {
		cfg := config(t, &journal{}, nil)
		path := filepath.Join(cfg.Folder, name+".sock")
		if err := put(path); err != nil {
			t.Fatal(err)
		}
		before, _ := os.Lstat(path)
		notices, failed := began(t, cfg)
		if failed != "" || !strings.Contains(notices, "no socket") || !strings.Contains(notices, path) || !strings.Contains(notices, "start again") {
			t.Errorf("%s: Start = %q, %q, want a notice that names %s", what, notices, failed, path)
		}
		if after, err := os.Lstat(path); err != nil || !os.SameFile(before, after) {
			t.Errorf("%s was removed: %v", what, err)
		}
	}
}

// deep returns a folder whose path is too long for a socket.
func deep(t *testing.T) string {
	t.Helper()
	folder := filepath.Join(shortFolder(t), strings.Repeat("long", 30))
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	return folder
}

func TestALongPathMovesTheSocket(t *testing.T) {
	run := shortFolder(t)
	t.Setenv("XDG_RUNTIME_DIR", run)
	folder := deep(t)
	s := open(t, nil, func(c *httpserver.Config) { c.Folder, c.Limits.LookTime = folder, 5*time.Millisecond })
	if filepath.Dir(s.Socket()) != filepath.Join(run, "society-tui") {
		t.Errorf("Socket() = %q, want it in %s", s.Socket(), run)
	}
	info, err := os.Stat(filepath.Dir(s.Socket()))
	if err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the folder has mode %v, %v, want 0700", info.Mode(), err)
	}
	link := filepath.Join(run, "link")
	if err := os.Symlink(folder, link); err != nil {
		t.Fatal(err)
	}
	for _, from := range []string{folder, link} {
		c, err := httpserver.Dial(t.Context(), from, name)
		if err != nil {
			t.Fatalf("Dial by %s = %v", from, err)
		}
		if r := s.exchange(c, s.request("GET", "/api/health")); r.StatusCode != http.StatusOK {
			t.Errorf("GET /api/health by %s = %d", from, r.StatusCode)
		}
		_ = c.Close()
	}
	if err := os.RemoveAll(filepath.Dir(s.Socket())); err != nil { // as the end of a login does
		t.Fatal(err)
	}
	s.until("made again")
	s.alive("unix")
}

func TestAFolderThatOthersCanWriteTakesNoSocket(t *testing.T) {
	run := shortFolder(t)
	cfg := config(t, &journal{}, nil)
	if err := os.Chmod(cfg.Folder, 0o777); err != nil { //nolint:gosec // that is the case
		t.Fatal(err)
	}
	t.Setenv("XDG_RUNTIME_DIR", "")
	if notices, failed := began(t, cfg); failed != "" || !strings.Contains(notices, "chmod go-w") {
		t.Errorf("Start = %q, %q, want a notice with the remedy", notices, failed)
	}
	t.Setenv("XDG_RUNTIME_DIR", run)
	if notices, failed := began(t, cfg); notices+failed != "" {
		t.Errorf("with another folder for the socket Start = %q, %q", notices, failed)
	}
	if entries, _ := os.ReadDir(filepath.Join(run, "society-tui")); len(entries) != 0 {
		t.Errorf("after Close there is %v", entries)
	}
}

func TestAnUnsafeFolderForSocketsIsRefused(t *testing.T) {
	for what, c := range map[string]struct {
		make func(path string) error
		want string
	}{
		"open to all":     {func(path string) error { return errors.Join(os.Mkdir(path, 0o700), os.Chmod(path, 0o777)) }, "mode 0700"}, //nolint:gosec // that is the case
		"open to a group": {func(path string) error { return errors.Join(os.Mkdir(path, 0o700), os.Chmod(path, 0o750)) }, "mode 0700"}, //nolint:gosec // that is the case
		"of another user": {func(path string) error { return errors.Join(os.Mkdir(path, 0o700), os.Chown(path, 65534, -1)) }, "mode 0700"},
		"a link": {func(path string) error {
			return errors.Join(os.Mkdir(path+"-true", 0o700), os.Symlink(path+"-true", path))
		}, "mode 0700"},
		"a file":        {func(path string) error { return os.WriteFile(path, nil, 0o600) }, "mode 0700"},
		"nowhere":       {nil, "there is no file"},
		"a longer path": {nil, "too long"},
		"none":          {nil, "XDG_RUNTIME_DIR"},
	} {
		if what == "of another user" && os.Getuid() != 0 {
			continue
		}
		run := shortFolder(t)
		switch {
		case what == "nowhere":
			run = filepath.Join(run, "none")
		case what == "a longer path":
			run = deep(t)
		case what == "none":
			run = ""
		}
		t.Setenv("XDG_RUNTIME_DIR", run)
		path := filepath.Join(run, "society-tui")
		if c.make != nil {
			if err := c.make(path); err != nil {
				t.Fatal(err)
			}
		}
		before, _ := os.Lstat(path)
		cfg := config(t, &journal{}, nil)
		cfg.Folder = deep(t)
		if notices, failed := began(t, cfg); failed != "" || !strings.Contains(notices, "no socket") || !strings.Contains(notices, c.want) {
			t.Errorf("%s: Start = %q, %q, want a notice with %q", what, notices, failed, c.want)
		}
		if c.make == nil {
			continue
		}
		if after, err := os.Lstat(path); err != nil || !os.SameFile(before, after) || before.Mode() != after.Mode() {
			t.Errorf("%s: the folder was changed: %v", what, err)
		}
	}
}

func TestCloseLeavesTheSocketOfAnother(t *testing.T) {
	t.Parallel()
	s := open(t, nil, nil)
	if err := os.Remove(s.Socket()); err != nil {
		t.Fatal(err)
	}
	other, err := net.Listen("unix", s.Socket())
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	if err := s.Close(t.Context()); err != nil {
		t.Errorf("Close = %v", err)
	}
	if _, err := os.Lstat(s.Socket()); err != nil {
		t.Errorf("the socket of another is gone: %v", err)
	}
}
