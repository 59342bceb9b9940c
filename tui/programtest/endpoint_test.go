package programtest

import (
	"bufio"
	"encoding/base64"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// The society uses the endpoint of the settings. Here it is the offline model
// in another process of the same program.
func TestSocietyUsesTheConfiguredEndpoint(t *testing.T) {
	t.Parallel()
	h := newHome(t, "[model]", fast)
	server := h.command("demo-model", "--addr", "127.0.0.1:0")
	out, err := server.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	guard := time.AfterFunc(patience, func() { _ = server.Process.Kill() })
	defer guard.Stop()
	line, err := bufio.NewReader(out).ReadString('\n')
	_, address, found := strings.Cut(line, "http://")
	address, _, _ = strings.Cut(address, " ")
	if err != nil || !found {
		t.Fatalf("it says %q, %v", line, err)
	}

	h.env = append(h.env, "OPENAI_BASE_URL=http://"+address, "SOCIETY_MODEL=any-name")
	x := h.open(120, 150).opened()
	x.write("Plan a picnic")
	x.press("enter")
	x.sees("any-name ok", "No language model made this")
	x.quit()

	if err := server.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := server.Wait(); err != nil {
		t.Errorf("the server ended with %v", err)
	}
}

// An endpoint that echoes the key, in whatever form, gets it onto no screen and
// no disk.
func TestEchoedKeyIsNotShownOrStored(t *testing.T) {
	t.Parallel()
	for name, setUp := range map[string]func(address, key string) *home{
		"the environment's model": func(address, key string) *home {
			h := newHome(t, `log_level = "wire"`)
			h.env = append(h.env, "OPENAI_BASE_URL="+address, "OPENAI_API_KEY="+key, "SOCIETY_MODEL=any-name")
			return h
		},
		"one of several": func(address, key string) *home {
			h := newHome(t, `log_level = "wire"`, "[[models]]", `name = "any-name"`, `base_url = "`+address+`"`, `key_env = "MINE"`)
			h.env = append(h.env, "MINE="+key)
			return h
		},
	} {
		t.Run(name, func(t *testing.T) { keyIsFoundNowhere(t, setUp) })
	}
}

func keyIsFoundNowhere(t *testing.T, setUp func(address, key string) *home) {
	t.Helper()
	const key = "sk-canary-0123456789+abcdefghij/XYZ"
	forms := []string{key, url.QueryEscape(key), base64.StdEncoding.EncodeToString([]byte(key)), "canary-0123456789"}
	endpoint := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer "+key {
			t.Errorf("the endpoint was sent %q", r.Header.Get("Authorization"))
		}
		w.WriteHeader(http.StatusUnauthorized)
		_, _ = fmt.Fprintf(w, `{"error":{"message":"no such key: %s, %s, %s","code":"%s"}}`, key, forms[1], forms[2], key)
	}))
	defer endpoint.Close()

	h := setUp(endpoint.URL+"/v1", key)
	x := h.open(120, 40).opened()
	x.write("hello")
	x.press("enter")
	x.until("the refusal", func(rows []string) bool { return stands(rows, "Key refused") })
	x.quit()

	if log := h.read("state/society-tui/society-tui.log"); !strings.Contains(log, "model call on the wire") || !strings.Contains(log, "hello") || !strings.Contains(log, "no such key") {
		t.Errorf("the log lacks the call that has failed:\n%s", log)
	}
	h.nowhereHolds(forms, "", map[string]string{"the screen": x.written()})
}

// nowhereHolds checks that neither a file, but for the one that may, nor another place holds
// one of the texts.
func (h *home) nowhereHolds(texts []string, may string, found map[string]string) {
	h.t.Helper()
	err := filepath.WalkDir(h.dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || filepath.Base(path) == may {
			return err
		}
		text, err := os.ReadFile(path)
		found[path] = string(text)
		return err
	})
	if err != nil || len(found) < 3 {
		h.t.Fatalf("looked at %d places, %v", len(found), err)
	}
	for place, text := range found {
		for _, form := range texts {
			if strings.Contains(text, form) {
				h.t.Errorf("%s holds %q", place, form)
			}
		}
	}
}
