package programtest

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// The lines of README are run as they stand, but for the port.
func TestREADMEScriptsRunAsWritten(t *testing.T) {
	t.Parallel()
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
	h := newHome(t, "[model]", fast)
	h.write("notes.txt", "Sales rose by 12 % to 40 units. The stand was closed on Monday.\n")
	path, err := built()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(path, h.path("society-tui")); err != nil {
		t.Fatal(err)
	}
	at := freePort(t)
	r := &running{t: t, cmd: h.command(), waited: make(chan struct{})}
	r.cmd.Path, r.cmd.Args = "/bin/sh", []string{"sh", "-euc", strings.ReplaceAll(script, "127.0.0.1:3000", at)}
	r.cmd.Env = append(h.env, "SOCIETY_HTTP="+at, "PATH="+h.dir+":"+os.Getenv("PATH"))
	guard := time.AfterFunc(patience, func() { _ = r.cmd.Process.Kill() })
	defer guard.Stop()
	r.start()
	got := r.ends()
	if got.code != 0 {
		t.Errorf("exit code %d", got.code)
	}
	for _, want := range []string{
		`(?m)^## Plan a picnic`, `Session society is open\. Other programs reach it at .*, http://` + regexp.QuoteMeta(at),
		`"outcome":"done","text":"## Plan a walk`, `(?m)^root +root +reported`, `done .* Plan a walk`,
		`\{"agents":\[\{"id":"root"`, `"text":"Plan a feast","state":"settled"`, `"messages":\[.*"text":"## Plan a feast`,
		`(?m)^event: begin`, `(?m)^event: task`, `The program is leaving`,
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
