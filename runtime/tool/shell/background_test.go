package shell_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
	"society-tui/runtime/tool/shell"
)

// background starts a command and returns its id.
func (b *bench) background(command string) string {
	b.t.Helper()
	r := b.call(b.t.Context(), shell.Bash, object{"command": command, "background": true})
	_, rest, ok := strings.Cut(r.Text, " as ")
	id, _, _ := strings.Cut(rest, ",")
	if !ok || r.Failed {
		b.t.Fatalf("%s was not started: %s", command, r.Text)
	}
	return id
}

func (b *bench) running() (ids []string) {
	for _, p := range b.shell.Running(society.AgentID(b.by.Agent)) {
		ids = append(ids, p.ID)
	}
	return ids
}

func (b *bench) eventually(what string, happened func() bool) {
	b.t.Helper()
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if happened() {
			return
		}
	}
	b.t.Fatalf("%s does not happen", what)
}

func TestABackgroundCommandIsReadAsItWritesAndEnded(t *testing.T) {
	b := newBench(t)
	mark := fmt.Sprint("SOCIETY_BACK_", os.Getpid())
	id := b.background("echo one; trap 'echo ending' TERM; while ! test -e go; do sleep 0.05; done; echo two; exec -a " + mark + " sleep 1000")
	if id != "bg1" || !slices.Equal(b.running(), []string{"bg1"}) {
		t.Fatalf("%q was started, and %v run", id, b.running())
	}
	out := func(wait int) string {
		return b.call(t.Context(), shell.BashOutput, object{"id": id, "wait": wait}).Text
	}
	want(t, out(60), "bg1 is running", "\none\n")
	if got := out(0); !strings.Contains(got, "nothing new") || strings.Contains(got, "one") {
		t.Errorf("what was read is shown again: %s", got)
	}
	b.write("go", "")
	want(t, out(60), "\ntwo\n")
	want(t, b.call(t.Context(), shell.BashKill, object{"id": id}).Text, "bg1 has ended", "with all that it had started")
	if left := marked(t, mark); len(left) > 0 || len(b.running()) > 0 {
		t.Errorf("left are %v, %v", left, b.running())
	}
}

func TestABackgroundCommandThatEndsSaysHow(t *testing.T) {
	b := newBench(t)
	changed := make(chan society.AgentID, 10)
	b.shell.Notify(func(agent society.AgentID) { changed <- agent })
	id := b.background("echo said; exit 7")
	for range 2 { // that it began, and that it ended
		if agent := <-changed; agent != "coder-1" {
			t.Errorf("%s is said to have changed", agent)
		}
	}
	want(t, b.call(t.Context(), shell.BashOutput, object{"id": id, "wait": 60}).Text, "bg1 has ended: exit code 7", "\nsaid\n")
}

func TestAnAgentHasFourBackgroundCommandsAtMostAndOnlyItsOwn(t *testing.T) {
	b := newBench(t)
	for range 4 {
		b.background("sleep 1000")
	}
	r := b.call(t.Context(), shell.Bash, object{"command": "sleep 1000", "background": true})
	if !r.Failed {
		t.Errorf("a fifth was started: %s", r.Text)
	}
	want(t, r.Text, "limit_reached", "bg1, bg2, bg3, bg4", "bash_kill")
	want(t, b.call(t.Context(), shell.BashOutput, object{"id": "bg9"}).Text, "unknown_id", "bg1, bg2, bg3, bg4")
	b.by.Agent = "other-1"
	want(t, b.call(t.Context(), shell.BashKill, object{"id": "bg1"}).Text, "unknown_id", "no others", "restart")
	b.background("sleep 1000")
	if err := b.shell.End(t.Context(), "coder-1", "nobody-1"); err != nil {
		t.Fatal(err)
	}
	if got := b.running(); !slices.Equal(got, []string{"bg1"}) {
		t.Errorf("of the other agent %v run", got)
	}
	if got := b.shell.Running("coder-1"); len(got) > 0 {
		t.Errorf("after the end of its agent run %v", got)
	}
	if err := b.shell.EndOne(t.Context(), "other-1", "bg1"); err != nil {
		t.Error(err)
	}
	if err := b.shell.EndOne(t.Context(), "other-1", "bg1"); err != api.ErrNoProcess {
		t.Errorf("a process that has ended was ended with %v", err)
	}
}

// The output of a background command that nobody reads takes bounded memory, and its end is
// kept.
func TestTheUnreadOutputOfABackgroundCommandIsBounded(t *testing.T) {
	b := newBench(t)
	id := b.background("head -c 30000000 /dev/zero | tr '\\0' x; echo; echo last")
	b.eventually("the end", func() bool { return len(b.running()) == 0 })
	r := b.call(t.Context(), shell.BashOutput, object{"id": id})
	if len(r.Text) > 2<<20 {
		t.Errorf("the result has %d bytes", len(r.Text))
	}
	want(t, r.Text[len(r.Text)-200:], "last")
	want(t, r.Text, "bytes left out here")
}
