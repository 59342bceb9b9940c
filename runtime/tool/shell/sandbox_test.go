package shell_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"society-tui/runtime/sandbox"
	"society-tui/runtime/tool/shell"
)

var probed = sync.OnceValue(func() sandbox.State { return sandbox.Probe(context.Background()) })

// confined is a bench whose commands run in the sandbox of this machine.
func confined(t *testing.T, change ...func(*shell.Config)) *bench {
	t.Helper()
	b := newBench(t, append([]func(*shell.Config){func(c *shell.Config) { c.Sandbox = probed }}, change...)...)
	if probed().Level == sandbox.None {
		t.Skip("there is no sandbox on this machine:", probed().Missing)
	}
	return b
}

// What the sandbox refuses is named with the way out, and nothing else is.
func TestWhatTheSandboxRefusesIsNamedWithTheWayOut(t *testing.T) {
	b := confined(t)
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("canary-4711"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{"cat " + secret, "echo x >> " + secret, "bash -c 'exec 3<>/dev/tcp/127.0.0.1/22 && echo reached' || bash -c 'exec 3<>/dev/udp/192.0.2.1/53; echo x >&3'; false"} {
		r := b.bash(command)
		want(t, r.Text, "blocked_by_sandbox", "outside true")
		if strings.Contains(r.Text, "canary") || strings.Contains(r.Text, "reached") {
			t.Errorf("%s reached what it must not: %s", command, r.Text)
		}
	}
	for _, command := range []string{"true", "false", "echo x > a; cat a; echo y > $TMPDIR/b; cat $TMPDIR/b; echo z > $HOME/c"} {
		if r := b.bash(command); strings.Contains(r.Text, "blocked_by_sandbox") {
			t.Errorf("%s was blocked: %s", command, r.Text)
		}
	}
	r := b.call(t.Context(), shell.Bash, object{"command": "cat " + secret, "outside": true})
	want(t, r.Text, "canary-4711")
}

// Go builds in the sandbox with what is found of it, and nothing is asked to run outside.
func TestGoBuildsInTheSandbox(t *testing.T) {
	b := confined(t, func(c *shell.Config) { c.AlsoRead = sync.OnceValue(shell.Found) })
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("Go is not installed")
	}
	b.write("go.mod", "module example.test/small\n\ngo 1.24\n")
	b.write("small.go", "package small\n\nfunc Double(n int) int { return 2 * n }\n")
	r := b.call(t.Context(), shell.Bash, object{"command": "go version && go build ./... && gofmt -l . && go list ./...", "timeout": 600})
	want(t, r.Text, "exit code 0", "go version go", "example.test/small")
}
