package shell_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"society-tui/runtime/protocol"
	"society-tui/runtime/sandbox"
	"society-tui/runtime/tool"
	"society-tui/runtime/tool/shell"
)

func TestACommandHasNeitherInputNorTerminalNorStartupFiles(t *testing.T) {
	b := newBench(t)
	want(t, b.bash("cat; tty; echo $-").Text, "not a tty")
	if r := b.bash("cat"); r.Failed {
		t.Errorf("cat waited for input: %s", r.Text)
	}
	home := filepath.Join(b.data, "scratch", "outside", "home")
	for _, name := range []string{".bashrc", ".bash_profile", ".profile"} {
		if err := os.WriteFile(filepath.Join(home, name), []byte("echo started\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if r := b.bash("echo hello"); strings.Contains(r.Text, "started") {
		t.Errorf("a startup file was read: %s", r.Text)
	}
}

func TestNamesResolveInAPathWithoutTheWorkspace(t *testing.T) {
	b := newBench(t)
	b.write("git", "#!/bin/sh\necho theirs\n")
	if err := os.Chmod(filepath.Join(b.dir, "git"), 0o755); err != nil {
		t.Fatal(err)
	}
	path := b.bash("echo $PATH").Text
	for dir := range strings.SplitSeq(strings.Split(path, "\n")[1], ":") {
		if !filepath.IsAbs(dir) || strings.HasPrefix(dir, b.dir) {
			t.Errorf("%q is in PATH", dir)
		}
	}
	if r := b.bash("git --version"); strings.Contains(r.Text, "theirs") {
		t.Errorf("a program of the workspace ran: %s", r.Text)
	}
}

// What a rule allowed runs as the words that the rule was compared with.
func TestWhatARuleAllowedRunsFromItsWords(t *testing.T) {
	b := newBench(t)
	b.by.ByRule = true
	if r := b.bash("ec'ho' 'a  b'"); !strings.Contains(r.Text, "\na  b\n") {
		t.Errorf("the words ran as %s", r.Text)
	}
	for _, command := range []string{"echo $HOME", "echo $(id)", "echo a > b", "echo *"} {
		if r := b.bash(command); !r.Failed || !strings.Contains(r.Text, "not_plain") {
			t.Errorf("%s ran: %s", command, r.Text)
		}
	}
	if _, err := os.Stat(filepath.Join(b.dir, "b")); err == nil {
		t.Error("the file b was written")
	}
}

func TestWrongCallsSayWhatToDo(t *testing.T) {
	b := newBench(t)
	b.write("a.txt", "a\n")
	if err := os.Symlink(t.TempDir(), filepath.Join(b.dir, "out")); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args object
		code string
		says string
	}{
		{object{"command": "  \n "}, "invalid_arguments", "empty"},
		{object{"command": "ls", "timeout": 601}, "invalid_arguments", "background true"},
		{object{"command": "ls", "timeout": 0}, "invalid_arguments", "1 to 600"},
		{object{"command": "ls\x00"}, "invalid_arguments", "zero byte"},
		{object{"command": strings.Repeat("x", 65<<10)}, "too_large", "script"},
		{object{"command": "ls", "workdir": ".."}, "bad_workdir", "Name a folder"},
		{object{"command": "ls", "workdir": "/"}, "bad_workdir", "Name a folder"},
		{object{"command": "ls", "workdir": "out"}, "bad_workdir", "is_link"},
		{object{"command": "ls", "workdir": "a.txt"}, "bad_workdir", "not_a_folder"},
		{object{"command": "ls", "workdir": "nothing"}, "bad_workdir", "not_found"},
		{object{}, "invalid_arguments", "command"},
	} {
		_, err := b.plan(c.args)
		refused, ok := errors.AsType[tool.Refused](err)
		if !ok || !strings.Contains(string(refused), `"error":"`+c.code+`"`) || !strings.Contains(string(refused), c.says) {
			t.Errorf("Plan(%.60v) = %v, want %s that says %q", c.args, err, c.code, c.says)
		}
		if r := b.call(t.Context(), shell.Bash, c.args); !r.Failed || r.Text != string(refused) {
			t.Errorf("Call(%.60v) = %+v, want %s", c.args, r, refused)
		}
	}
	b.by.Lang = protocol.Chinese
	if _, err := b.plan(object{"command": ""}); err == nil || !strings.Contains(err.Error(), "命令为空") {
		t.Errorf("in Chinese: %v", err)
	}
}

func TestAPlanShowsTheExactCommandAndWhereItWouldRun(t *testing.T) {
	whole := func(c *shell.Config) { c.Sandbox = func() sandbox.State { return sandbox.State{Level: sandbox.Full} } }
	b := newBench(t, whole)
	if err := os.Mkdir(filepath.Join(b.dir, "sub"), 0o755); err != nil {
		t.Fatal(err)
	}
	command := "go test ./...\n# outside the sandbox"
	p, err := b.plan(object{"cmd": command, "cwd": filepath.Join(b.dir, "sub"), "reason": "to see"})
	if err != nil {
		t.Fatal(err)
	}
	if p.Preview != "# in sub · in the sandbox\n"+command || p.Why != "to see" || p.Target.Outside || p.Target.Command == nil {
		t.Errorf("the plan is %+v", p)
	}
	if p.Summary != "go test ./... # outside the sandbox" {
		t.Errorf("the summary is %q", p.Summary)
	}
	if p, err := b.plan(object{"command": "id", "outside": "true", "background": true}); err != nil || !p.Target.Outside || p.Preview != "# outside the sandbox · in the background\nid" {
		t.Errorf("outside: %+v, %v", p, err)
	}
}

// Without a sandbox every command is one outside of it, which no mode lets run unasked.
func TestWithoutASandboxEveryCommandIsOutside(t *testing.T) {
	b := newBench(t)
	p, err := b.plan(object{"command": "true"})
	if err != nil || !p.Target.Outside || !strings.Contains(p.Preview, "no sandbox on this machine") {
		t.Errorf("the plan is %+v, %v", p, err)
	}
}

func TestALongOutputLosesItsMiddle(t *testing.T) {
	b := newBench(t)
	var seen int64
	b.by.Output = func(piece []byte) { seen += int64(len(piece)) }
	r := b.call(t.Context(), shell.Bash, object{"command": "echo first; head -c 33554432 /dev/zero | tr '\\0' x; echo; printf '\\377'; echo last"})
	want(t, r.Text[:100], "exit code 0", "first")
	want(t, r.Text[len(r.Text)-200:], "\uFFFDlast")
	want(t, r.Text, "bytes left out here")
	if seen != 33554432+13 || len(r.Text) > 16<<20 {
		t.Errorf("%d bytes were written, and the result has %d", seen, len(r.Text))
	}
}

func TestBuildsHaveLongerUnlessTheCallSaysOtherwise(t *testing.T) {
	b := newBench(t)
	for args, want := range map[string]int{
		`{"command": "ls"}`:                              120,
		`{"command": "go version"}`:                      120,
		`{"command": "go run ./server"}`:                 120,
		`{"command": "cd sub && go test ./... | tail"}`:  600,
		`{"command": "GOFLAGS=-v env go build"}`:         600,
		`{"command": "sh -c 'cargo test'"}`:              600,
		`{"command": "cargo build > log", "timeout": 7}`: 7,
	} {
		if got, err := b.shell.Seconds(b.by, json.RawMessage(args)); err != nil || got != want {
			t.Errorf("%s has %d seconds, %v; want %d", args, got, err, want)
		}
	}
}

func TestATimeoutEndsACommandAndSaysWhatToDo(t *testing.T) {
	b := newBench(t)
	begun := time.Now()
	r := b.call(t.Context(), shell.Bash, object{"command": "echo begun; sleep 300", "timeout": 1})
	if took := time.Since(begun); took > 20*time.Second {
		t.Errorf("it took %s", took)
	}
	want(t, r.Text, "begun", "did not end within 1s", "background true")
	if !r.Failed || strings.Contains(r.Text, "compiled") {
		t.Errorf("a timeout is no failure, or one of a build: %s", r.Text)
	}
	r = b.call(t.Context(), shell.Bash, object{"command": "go() { sleep 300; }; go test ./...", "timeout": 1})
	want(t, r.Text, "did not end within 1s", "compiled so far is kept")
}

// After a restart on a machine without a sandbox a yes, or a rule, is none to the same command
// outside.
func TestWhatWasAllowedInTheSandboxDoesNotRunOutside(t *testing.T) {
	var none bool
	b := confined(t, func(c *shell.Config) {
		state := c.Sandbox
		c.Sandbox = func() sandbox.State {
			if none {
				return sandbox.State{}
			}
			return state()
		}
	})
	plan, err := b.plan(object{"command": "echo ran"})
	if err != nil || plan.Target.Outside {
		t.Fatalf("the plan is %+v, %v", plan, err)
	}
	for _, b.by.ByRule = range []bool{false, true} {
		b.by.Hashes = plan.Hashes
		want(t, b.bash("echo ran").Text, "exit code 0")
		none = true
		want(t, b.bash("echo ran").Text, `"error":"stale"`)
		none = false
	}
}
