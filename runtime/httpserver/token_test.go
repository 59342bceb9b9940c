//go:build linux || darwin

package httpserver_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"society-tui/runtime/httpserver"
	"society-tui/runtime/i18n"
	"society-tui/runtime/protocol"
)

func TestTheTokenIsMadeOnceAndKept(t *testing.T) {
	t.Parallel()
	cfg := config(t, &journal{}, nil)
	var tokens []string
	for range 2 {
		// A power cut may leave the draft beside the token.
		if err := os.WriteFile(filepath.Join(cfg.Folder, name+".token.new"), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if notices, failed := began(t, cfg); notices+failed != "" {
			t.Fatalf("Start = %q, %q", notices, failed)
		}
		token, err := httpserver.ReadToken(cfg.Folder, name)
		if err != nil {
			t.Fatal(err)
		}
		tokens = append(tokens, token)
	}
	if tokens[0] != tokens[1] || len(tokens[0]) != 43 {
		t.Errorf("the tokens are %q, want one of 32 bytes", tokens)
	}
	info, err := os.Stat(filepath.Join(cfg.Folder, name+".token"))
	if err != nil || info.Mode() != 0o600 {
		t.Errorf("the file has mode %v, %v, want 0600", info.Mode(), err)
	}
	if entries, _ := os.ReadDir(cfg.Folder); len(entries) != 1 {
		t.Errorf("the folder has %v, want the token alone", entries)
	}
}

// spoil puts something in the place of the token, and returns what the notice is to say.
var spoil = map[string]struct {
	do   func(path string) error
	want string
}{
	"mode 0644":     {func(path string) error { return os.Chmod(path, 0o644) }, "others can read"},
	"mode 0620":     {func(path string) error { return os.Chmod(path, 0o620) }, "others can read"},
	"empty":         {func(path string) error { return os.Truncate(path, 0) }, "no token"},
	"short":         {func(path string) error { return os.WriteFile(path, []byte("secret"), 0o600) }, "no token"},
	"long":          {func(path string) error { return os.Truncate(path, 1<<30) }, "no token"},
	"a pipe":        {func(path string) error { return replaced(path, syscall.Mkfifo(path+"x", 0o600)) }, "not a regular file"},
	"a link":        {func(path string) error { return replaced(path, os.Symlink("/etc/hostname", path+"x")) }, "not a regular file"},
	"a broken link": {func(path string) error { return replaced(path, os.Symlink("/none", path+"x")) }, "not a regular file"},
	"a link to a token": {func(path string) error {
		return replaced(path, os.Rename(path, path+"-true"), os.Symlink(path+"-true", path+"x"))
	}, "not a regular file"},
	"of another user": {func(path string) error { return os.Chown(path, 65534, -1) }, "belongs to another user"},
}

// replaced puts path+"x", which was just made, in the place of path.
func replaced(path string, errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return os.Rename(path+"x", path)
}

func TestAnUnsafeTokenFileTurnsTheAPIOff(t *testing.T) {
	t.Parallel()
	for what, c := range spoil {
		if what == "of another user" && os.Getuid() != 0 {
			continue
		}
		cfg := config(t, &journal{}, nil)
		path := filepath.Join(cfg.Folder, name+".token")
		if _, err := httpserver.NewToken(cfg.Folder, name); err != nil {
			t.Fatal(err)
		}
		if err := c.do(path); err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		before, _ := os.Lstat(path)
		server, notices, err := httpserver.Start(cfg)
		if server != nil || len(notices) > 0 || err == nil {
			t.Fatalf("%s: Start = %v, %v, %v, want an error alone", what, server, notices, err)
		}
		for _, want := range []string{c.want, "The HTTP API is off", "society-tui token --new", path} {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: Start = %v, want %q", what, err, want)
			}
		}
		if zh := i18n.Error(protocol.Chinese, err); !strings.Contains(zh, "HTTP API 已关闭") || !strings.Contains(zh, "请运行") {
			t.Errorf("%s: in Chinese %s", what, zh)
		}
		if after, _ := os.Lstat(path); after.Mode() != before.Mode() || after.Size() != before.Size() {
			t.Errorf("%s: the file was changed", what)
		}
		if _, err := os.Lstat(filepath.Join(cfg.Folder, name+".sock")); err == nil {
			t.Errorf("%s: there is a socket", what)
		}
		if _, err := httpserver.NewToken(cfg.Folder, name); err != nil {
			t.Errorf("%s: NewToken = %v", what, err)
		}
		if notices, failed := began(t, cfg); notices+failed != "" {
			t.Errorf("%s: with a new token Start = %q, %q", what, notices, failed)
		}
	}
}

func TestATokenThatOthersCanReadNowIsRefused(t *testing.T) {
	t.Parallel()
	s := open(t, nil, nil)
	s.alive("unix")
	if err := os.Chmod(filepath.Join(s.folder, name+".token"), 0o644); err != nil {
		t.Fatal(err)
	}
	if r := s.raw("unix", s.request("GET", "/api/health")); r.StatusCode != http.StatusUnauthorized {
		t.Errorf("with a token that others can read = %d, want 401", r.StatusCode)
	}
	s.until("others can read")
	if strings.Contains(s.log.String(), s.token) {
		t.Error("the token is in the log")
	}
}
