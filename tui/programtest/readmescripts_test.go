package programtest

import (
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// The lines of README are run as they stand, but for the port.
func TestREADMEScriptsRunAsWritten(t *testing.T) {
	t.Parallel()
	h := newHome(t, "[model]", fast)
	h.write("notes.txt", "Sales rose by 12 % to 40 units. The stand was closed on Monday.\n")
	at := freePort(t)
	got := h.runREADMEScript(at)
	if got.code != 0 {
		t.Errorf("exit code %d", got.code)
	}
	for _, want := range []string{
		`(?m)^## Plan a picnic`, `Session society is open\. Other programs reach it at .*, http://` + regexp.QuoteMeta(at),
		`"outcome":"done","text":"## Plan a walk`, `(?m)^root +root +reported`, `done .* Plan a walk`,
		`\{"agents":\[\{"id":"root"`, `"text":"Plan a feast","state":"settled"`, `"messages":\[.*"text":"## Plan a feast`,
		`(?m)^event: begin`, `(?m)^event: task`, `The program has ended`,
	} {
		if !regexp.MustCompile(want).MatchString(got.out) {
			t.Errorf("it does not print %q:\n%s\n%s", want, got.out, got.err)
		}
	}
	if !strings.Contains(h.read("summary.txt"), "12 %") {
		t.Errorf("the summary is %q", h.read("summary.txt"))
	}
	if info, err := os.Stat(h.path("header")); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the token is in a file of mode %v, %v", info.Mode(), err)
	}
}

// The token is for no other program: where one has the port, the script ends before it asks.
func TestREADMEScriptsSendNoTokenToAnotherProgram(t *testing.T) {
	t.Parallel()
	var asked atomic.Int32
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { asked.Add(1) }))
	defer other.Close()
	h := newHome(t, "[model]", fast)
	h.write("notes.txt", "Sales rose by 12 %.\n")
	got := h.runREADMEScript(strings.TrimPrefix(other.URL, "http://"))
	if got.code != 1 || asked.Load() != 0 || !strings.Contains(got.err, "in use") {
		t.Errorf("the other program was asked %d times: %+v", asked.Load(), got)
	}
}

// runREADMEScript runs the lines of README with another address in place of 127.0.0.1:3000.
func (h *home) runREADMEScript(at string) said {
	t := h.t
	t.Helper()
	for _, tool := range []string{"sh", "curl"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip(err)
		}
	}
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, script, found := strings.Cut(string(readme), "-run READMEScripts -->\n")
	script, _, closed := strings.Cut(script, "\n\nExit codes")
	if !found || !closed || !strings.Contains(script, "127.0.0.1:3000") {
		t.Fatalf("README has another script: %s", script)
	}
	path, err := built()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(path, h.path("society-tui")); err != nil {
		t.Fatal(err)
	}
	r := &running{t: t, cmd: h.command(), waited: make(chan struct{})}
	r.cmd.Path, r.cmd.Args = "/bin/sh", []string{"sh", "-euc", strings.ReplaceAll(script, "127.0.0.1:3000", at)}
	r.cmd.Env = append(h.env, "PATH="+h.dir+":"+os.Getenv("PATH"))
	guard := time.AfterFunc(patience, func() { _ = r.cmd.Process.Kill() })
	defer guard.Stop()
	r.start()
	return r.ends()
}
