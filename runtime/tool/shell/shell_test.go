package shell_test

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"society-tui/runtime/protocol"
	"society-tui/runtime/sandbox"
	"society-tui/runtime/tool"
	"society-tui/runtime/tool/shell"
	"society-tui/runtime/workspace"
)

func TestMain(m *testing.M) {
	sandbox.Main() // this binary is the helper of its commands
	os.Exit(m.Run())
}

// A bench is a shell with a workspace, and an agent that calls it.
type bench struct {
	t     *testing.T
	dir   string
	data  string // of the program
	set   *workspace.Set
	shell *shell.Shell
	by    tool.Caller
}

func newBench(t *testing.T, change ...func(*shell.Config)) *bench {
	t.Helper()
	t.Parallel()
	return sequential(t, change...)
}

// sequential is a bench of a test that has the process for itself.
func sequential(t *testing.T, change ...func(*shell.Config)) *bench {
	t.Helper()
	b := &bench{t: t, dir: t.TempDir(), data: t.TempDir(), by: tool.Caller{Agent: "coder-1", Task: "t1", CallID: "c1"}}
	b.set = workspace.Shared(b.dir)
	c := shell.Config{
		Workspaces: b.set, Scratch: filepath.Join(b.data, "scratch"), Aside: b.data,
		AlsoRead: func() []string { return nil }, Sandbox: func() sandbox.State { return sandbox.State{} },
	}
	for _, f := range change {
		f(&c)
	}
	b.shell = shell.New(c)
	if len(b.shell.Tools()) == 0 {
		t.Skip("there is no shell on this machine")
	}
	return b
}

func (b *bench) tool(name string) tool.Tool {
	for _, t := range b.shell.Tools() {
		if t.Spec(protocol.English).Name == name {
			return t
		}
	}
	b.t.Fatalf("there is no tool %s", name)
	return nil
}

type object map[string]any

func (b *bench) call(ctx context.Context, name string, args object) tool.Result {
	b.t.Helper()
	raw, err := json.Marshal(args)
	if err != nil {
		b.t.Fatal(err)
	}
	result, err := b.tool(name).Call(ctx, b.by, raw)
	if err != nil && ctx.Err() == nil {
		b.t.Fatalf("%s %s: %v", name, raw, err)
	}
	return result
}

// bash runs a command and returns its result.
func (b *bench) bash(command string) tool.Result {
	b.t.Helper()
	return b.call(b.t.Context(), shell.Bash, object{"command": command})
}

func (b *bench) plan(args object) (tool.Plan, error) {
	b.t.Helper()
	raw, err := json.Marshal(args)
	if err != nil {
		b.t.Fatal(err)
	}
	return b.tool(shell.Bash).(tool.Planner).Plan(b.t.Context(), b.by, raw)
}

func (b *bench) write(name, content string) {
	b.t.Helper()
	path := filepath.Join(b.dir, name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(content), 0o644)); err != nil {
		b.t.Fatal(err)
	}
}

func (b *bench) content(name string) string {
	content, err := os.ReadFile(filepath.Join(b.dir, name))
	if err != nil {
		return err.Error()
	}
	return string(content)
}

func want(t *testing.T, got string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if !strings.Contains(got, p) {
			t.Errorf("%q is not in\n%s", p, got)
		}
	}
}

func TestACommandReturnsWhatItWroteInOrder(t *testing.T) {
	b := newBench(t)
	r := b.bash("echo one; echo two >&2; echo three; exit 3")
	want(t, r.Text, "exit code 3 after ", "\none\ntwo\nthree\n")
	if !r.Failed {
		t.Error("a command that failed is no failure")
	}
	if r := b.bash("true"); r.Failed || !strings.Contains(r.Text, "exit code 0") || !strings.Contains(r.Text, "(no output)") {
		t.Errorf("true: %+v", r)
	}
}
