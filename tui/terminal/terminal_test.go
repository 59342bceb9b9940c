package terminal

import (
	"bytes"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/charmbracelet/x/term"
	"github.com/creack/pty"
)

// A fixture is a terminal with its output.
type fixture struct {
	*Terminal
	t      *testing.T
	master *os.File
}

func newFixture(t *testing.T) *fixture {
	t.Helper()
	master, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = master.Close(), tty.Close() })
	if _, err := term.MakeRaw(tty.Fd()); err != nil {
		t.Fatal(err)
	}
	f := &fixture{New(tty, tty), t, master}
	f.line.mute = true
	return f
}

// says writes as the screen does.
func (f *fixture) says(text string) {
	f.t.Helper()
	if n, err := f.WriteString(text); n != len(text) || err != nil {
		f.t.Fatalf("Write(%q) = %d, %v", text, n, err)
	}
}

// got returns the output since the last call.
func (f *fixture) got() string {
	f.t.Helper()
	const end = "\x00end"
	if _, err := f.File.WriteString(end); err != nil {
		f.t.Fatal(err)
	}
	var all strings.Builder
	for buffer := make([]byte, 4096); !strings.HasSuffix(all.String(), end); {
		n, err := f.master.Read(buffer)
		if err != nil {
			f.t.Fatal(err)
		}
		all.Write(buffer[:n])
	}
	return strings.TrimSuffix(all.String(), end)
}

const (
	enters = "\x1b[>4m\x1b[?1049hframe"
	leaves = "last\x1b[?1049l\x1b[?25h\x1b]2;\a"
)

func TestTheTitleIsSavedBeforeTheScreenAndRestoredBehindIt(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.says(enters)
	if got, want := f.got(), "\x1b[>4m\x1b[22;0t\x1b[?1049hframe"; got != want {
		t.Errorf("it enters with %q, want %q", got, want)
	}
	f.says(leaves)
	if got, want := f.got(), "last\x1b[m\x1b[H\x1b[J\x1b[?1049l\x1b[?25h\x1b]2;\a\x1b[23;0t"; got != want {
		t.Errorf("it leaves with %q, want %q", got, want)
	}
	f.Restore()
	if got, want := f.got(), "\x1b[?2031l"; got != want {
		t.Errorf("a screen that has left is restored with %q, want %q", got, want)
	}
}

func TestQueriesLeaveNothingOnTheShell(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.says("\x1b[?2026$p\x1b[?2027$p\x1b[c")
	if got, want := f.got(), "\x1b[c"; got != want {
		t.Errorf("before the screen it writes %q, want %q", got, want)
	}
	f.says(enters)
	if got, want := f.got(), "\x1b[>4m\x1b[22;0t\x1b[?1049h\x1b[?2026$p\x1b[?2027$pframe"; got != want {
		t.Errorf("it enters with %q, want %q", got, want)
	}
	f.says(leaves)
	f.says(enters)
	if got := f.got(); strings.Contains(got, "$p") {
		t.Errorf("it asks again: %q", got)
	}
}

func TestAScreenThatWasCutShortIsRestoredOnce(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.says(enters)
	f.got()
	f.Restore()
	got := f.got()
	for _, back := range []string{"\x1b[H\x1b[J\x1b[?1049l", "\x1b[?25h", "\x1b[?1002l", "\x1b[?2004l", "\x1b]112\a", "\x1b[23;0t"} {
		if strings.Count(got, back) != 1 {
			t.Errorf("%q does not hold %q once", got, back)
		}
	}
	if pop, leave := strings.Index(got, "\x1b[<1u"), strings.Index(got, "\x1b[?1049l"); pop < 0 || pop > leave {
		t.Errorf("the screen's own keys are not taken back before it is left: %q", got)
	}
	f.Restore()
	if got := f.got(); strings.Contains(got, "\x1b[23;0t") {
		t.Errorf("it is restored twice: %q", got)
	}
}

func TestBetweenTwoSocietiesTheTitleStaysSaved(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.says(enters)
	f.got()
	f.Stay(true)
	f.says(leaves)
	f.says(enters)
	if got := f.got(); strings.Contains(got, "1049") || strings.Contains(got, "0t") {
		t.Errorf("between two societies it writes %q", got)
	}
	f.says(leaves)
	if got := f.got(); !strings.HasSuffix(got, "\x1b[23;0t") {
		t.Errorf("at last it leaves with %q", got)
	}
}

func TestAHushedTerminalIsRestoredWhileItIsThere(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.says(enters)
	f.Hush()
	f.says(leaves)
	f.got()
	f.Restore()
	if got := f.got(); !strings.Contains(got, "\x1b[?1049l") {
		t.Errorf("it is restored with %q", got)
	}
}

func TestNothingIsWrittenToATerminalThatHasHungUp(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.says(enters)
	if err := f.master.Close(); err != nil {
		t.Fatal(err)
	}
	f.Hush()
	if connected(f.File) {
		t.Error("connected() = true without its other end, want false")
	}
	f.Restore()
	if !f.entered.Load() {
		t.Error("entered = false after Restore, want true")
	}
}

// The shell would read a late answer as input.
func TestNoAnswerIsLeftInTheTerminal(t *testing.T) {
	t.Parallel()
	f := newFixture(t)
	f.line.mute = false
	var wrote sync.WaitGroup
	wrote.Go(func() {
		f.says(enters) // it queries around this
		f.says(leaves)
	})
	var read []byte
	for buffer := make([]byte, 4096); bytes.Count(read, []byte(question)) < 3; {
		n, err := f.master.Read(buffer)
		if err != nil {
			t.Fatal(err)
		}
		read = append(read, buffer[:n]...)
	}
	if _, err := f.master.WriteString(strings.Repeat(Answer, 3)); err != nil {
		t.Fatal(err)
	}
	wrote.Wait()
	if _, err := f.master.WriteString("ls"); err != nil {
		t.Fatal(err)
	}
	buffer := make([]byte, 64)
	if n, err := f.File.Read(buffer); string(buffer[:n]) != "ls" || err != nil {
		t.Errorf("the shell reads %q, %v", buffer[:n], err)
	}
	if !bytes.HasSuffix(read, []byte(restoreTitle+question)) {
		t.Errorf("it leaves with %q", read)
	}
}
