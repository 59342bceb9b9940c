package tui_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"society-tui/runtime/api"
	"society-tui/runtime/session"
	"society-tui/tui"
	"society-tui/tui/feature/sessions/sessionstest"
	"society-tui/tui/sanitize"
	"society-tui/tui/screentest"
	"society-tui/tui/terminal"
)

// A journey is a screen that can be left for another session.
type journey struct {
	*screentest.Screen
	*sessionstest.Store
	society *fakeSociety
	entered chan string
	refuse  error
	left    chan tui.Leaving
}

func travelling(t *testing.T, script func(t *testing.T, j *journey)) {
	t.Helper()
	j := &journey{}
	onScreenWith(t, 100, 30, func(cfg *tui.Config) {
		j.Store, j.entered, j.left = sessionstest.New(), make(chan string, 9), make(chan tui.Leaving, 9)
		cfg.Session, cfg.Sessions = session.Default, j.Store
		cfg.Enter = func(_ context.Context, name string) error {
			j.entered <- name
			return j.refuse
		}
		cfg.Leave = func(_ context.Context, how tui.Leaving) error {
			j.left <- how
			return nil
		}
	}, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		j.Screen, j.society = s, f
		script(t, j)
	})
}

func travellingAs(t *testing.T, name string, script func(t *testing.T, j *journey)) {
	t.Helper()
	t.Run(name, func(t *testing.T) { travelling(t, script) })
}

// stays fails if the screen was left, or is being left.
func (j *journey) stays(t *testing.T) {
	t.Helper()
	j.Idle()
	select {
	case to := <-j.entered:
		t.Errorf("it goes to %s", to)
	case how := <-j.left:
		t.Errorf("it is left with %+v", how)
	default:
	}
}

// goes fails unless the screen was left for a session.
func (j *journey) goes(t *testing.T, want tui.Leaving) {
	t.Helper()
	j.Idle()
	select {
	case got := <-j.entered:
		if got != want.To {
			t.Errorf("it goes to %q, not %q", got, want.To)
		}
	default:
		t.Fatalf("it goes nowhere:\n%s", j)
	}
	if result, err := j.Ended(); err != nil || <-j.left != want || result.Leaving != want {
		t.Errorf("it ended with %+v, %v; not %+v", result, err, want)
	}
}

func TestSessionsAreListedWithPreviews(t *testing.T) {
	travelling(t, func(t *testing.T, j *journey) {
		j.Damage("torn", session.Problem{Why: session.Damaged})
		j.Damage("later", session.Problem{Why: session.Newer})
		j.Damage("busy", session.Problem{Why: session.InUse, PID: 4711, Since: time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)})
		j.Damage("closed", session.Problem{Err: &fsError{syscall.EACCES}})
		j.Type("/sessions").Press("enter").Idle()
		j.Shows("▸ society", "open here · 4 agents · 65.5 kB · 1999-12-24", "Review the chapters.",
			"book", "3 agents", "What does the second edition say?", "✗ torn", "damaged", "✗ later", "newer version of society-tui",
			"busy", "already open in another society-tui (pid 4711", "cannot be read: permission denied", "enter open · n create · r rename · D delete")
		j.Press("esc").Hides("Sessions")
		j.Press("alt+s").Shows("Sessions", "second edition")
		j.stays(t)
	})
}

type fsError struct{ errno syscall.Errno }

func (e *fsError) Error() string { return "open /a/long/way: " + e.errno.Error() }
func (e *fsError) Unwrap() error { return e.errno }

func TestUnsafeFileNamesAreCleanedAndNotOpened(t *testing.T) {
	hostile := "a\x1b]52;c;aGk=\x07\x1b[31mb\u202e\u200b c/\n" + strings.Repeat("w", 200)
	travelling(t, func(t *testing.T, j *journey) {
		j.Add(hostile, session.Preview{Agents: 2, Request: "hidden"}, time.Time{})
		j.Press("alt+s").Idle().Shows("✗ a", "its file name is not a valid session name")
		j.Press("down", "down", "enter").Shows("not a valid session name; rename it")
		j.stays(t)
		j.Press("D").Idle().Shows("Delete a").Press("esc")
		j.Press("r").Idle().Shows("Rename a", "Name:   ").Type("tame").Press("enter").Idle()
		j.Shows(" to tame", "▸ tame")
		if did := j.Acts(); did != fmt.Sprintf("rename %q to tame", hostile) {
			t.Errorf("did %s", did)
		}
		for _, bad := range []string{"\x1b]52", "\x1b[31mb", "\u202e", "\u200b"} {
			if strings.Contains(j.Raw(), bad) {
				t.Errorf("%q was written to the terminal", bad)
			}
		}
	})
}

func TestSwitchingAsksNothingWhenNoAgentWorks(t *testing.T) {
	travelling(t, func(t *testing.T, j *journey) {
		j.Press("alt+s").Idle().Press("enter").Shows("society is already open").Hides("Sessions")
		j.stays(t)
		j.Press("alt+s").Idle().Press("down", "enter")
		j.goes(t, tui.Leaving{To: "book"})
	})
}

func TestSwitchAsksWhenAgentsWork(t *testing.T) {
	for key, want := range map[string]tui.Leaving{"y": {To: "book"}, "p": {To: "book", Pause: true}} {
		travellingAs(t, key, func(t *testing.T, j *journey) {
			family(j.society)
			j.Press("alt+s").Idle().Press("down", "enter").Shows("Switch to book?", "4 agents are working", "web-1", "Everything is saved.", "[ Cancel ]", "[ Pause all and switch ]")
			j.Press("enter").Hides("Switch to book?").Shows("Sessions")
			j.stays(t)
			j.Pass(time.Second).Press("enter", "esc")
			j.stays(t)
			j.Pass(time.Second).Press("enter", key)
			j.goes(t, want)
		})
	}
}

// Leaving asks if something is unsaved, and quitting still works.
func TestLeavingAnUnsavedSocietyAsks(t *testing.T) {
	travelling(t, func(t *testing.T, j *journey) {
		j.society.Tell(func(c *api.Changes) { c.Unsaved = "disk full" })
		j.Idle().Press("alt+s").Idle().Press("down", "enter").Shows("Switch to book?", "Saving fails at present").Press("y")
		j.goes(t, tui.Leaving{To: "book"})
	})
}

func TestUnopenableSessionKeepsTheCurrentOne(t *testing.T) {
	for _, c := range []struct {
		why  session.Problem
		says string
	}{
		{session.Problem{Why: session.InUse, PID: 4711}, "society-tui attach --session book shows it"},
		{session.Problem{Why: session.Damaged}, "Cannot open book: damaged"},
		{session.Problem{Why: session.Newer}, "written by a newer version"},
		{session.Problem{Why: session.Taken, Other: "Book"}, "Cannot open book: there is a session Book already"},
		{session.Problem{Err: errors.New("evil \x1b[2J")}, "cannot be read: evil"},
	} {
		travellingAs(t, c.says, func(t *testing.T, j *journey) {
			family(j.society)
			j.refuse = &c.why
			j.Press("alt+s").Idle().Press("down", "enter", "y").Idle().Shows(c.says, "Sessions")
			<-j.entered
			j.stays(t)
			j.Press("esc", "esc").Type("/to web-1").Press("enter").Shows("to: web-1") // it continues
			if !j.Running() {
				t.Errorf("the screen was closed:\n%s", j)
			}
		})
	}
}

func TestQuitCancelsASwitch(t *testing.T) {
	release := make(chan struct{})
	left := make(chan tui.Leaving, 1)
	onScreenWith(t, 100, 30, func(cfg *tui.Config) {
		release, left = make(chan struct{}), make(chan tui.Leaving, 1)
		cfg.Session, cfg.Sessions = session.Default, sessionstest.New()
		cfg.Enter = func(context.Context, string) error { <-release; return nil }
		cfg.Leave = func(_ context.Context, how tui.Leaving) error {
			close(release)
			left <- how
			return nil
		}
	}, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		s.Press("alt+s").Idle().Press("down", "enter", "enter").Shows("Opening book…")
		s.Press("ctrl+c", "ctrl+c").Idle() // the list, and then the screen
		if how := <-left; how != (tui.Leaving{}) {
			t.Errorf("it was left with %+v", how)
		}
	})
}

// Keys typed after a session has left are read by the next one.
func TestASessionThatHasLeftReadsNoKeys(t *testing.T) {
	t.Parallel()
	in, keys, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	defer keys.Close()
	input := terminal.NewInput(in)
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		cfg := config(f)
		cfg.Session, cfg.Sessions, cfg.Input = session.Default, sessionstest.New(), input
		cfg.Enter = func(context.Context, string) error { return nil }
		cfg.Leave = func(context.Context, tui.Leaving) error { return nil }
		b := newBare(cfg, f)
		defer b.end()
		b.size(100, 30)
		for _, name := range []string{"alt+s", "down", "enter", "enter"} {
			b.update(key(name))
			b.settle()
		}
		<-time.After(time.Second)
		b.settle()
	})
	if _, err := keys.WriteString("x"); err != nil {
		t.Fatal(err)
	}
	if n, err := input.Read(make([]byte, 1)); n != 0 || err != io.EOF {
		t.Errorf("Read = %d, %v after the session has left, want 0, EOF", n, err)
	}
}

func TestANewSessionIsAskedForItsName(t *testing.T) {
	travelling(t, func(t *testing.T, j *journey) {
		j.Press("alt+s").Idle().Press("n").Shows("New session", "letters and digits of any script", "[ Create ]")
		j.Type("a b").Press("enter").Shows("“a b” is not a valid session name", "Name: a b")
		j.Press("ctrl+u").Type("con").Press("enter").Shows("“con” is not a valid session name")
		j.Press("esc").Hides("New session")
		j.stays(t)
		j.Press("n").Type("book").Press("enter").Shows("Session book already exists")
		j.stays(t)
		j.Press("n").Paste("第二\x1b[31m章\n").Press("backspace").Type("版y")
		if x, y, shown := j.Cursor(); !shown || !strings.Contains(j.Rows()[y], "Name: 第二版y") || x < 20 {
			t.Errorf("the cursor is at %d,%d, %v", x, y, shown)
		}
		j.Press("enter")
		j.goes(t, tui.Leaving{To: "第二版y"})
	})
}

func TestTheHeaderNamesASessionThatIsNotTheUsualOne(t *testing.T) {
	for name, shown := range map[string]string{"book": "society-tui  book   root", session.Default: "society-tui   root"} {
		t.Run(name, func(t *testing.T) {
			onScreenWith(t, 100, 30, func(cfg *tui.Config) { cfg.Session = name }, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
				s.Idle().Shows(shown)
			})
		})
	}
}

// Every valid name of a session is drawn unchanged.
func TestSessionNameIsDrawnUnchanged(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		name := rapid.OneOf(rapid.StringN(1, 20, -1), rapid.StringMatching(`[\p{L}\p{Nd}]{1,9}[\p{L}\p{M}\p{Nd}._-]{0,9}`)).Draw(t, "name")
		if session.Check(name) != nil {
			return
		}
		if got := sanitize.Line(name, 4*session.MaxName); got != name {
			t.Fatalf("%q is drawn as %q", name, got)
		}
	})
}
