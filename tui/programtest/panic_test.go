package programtest

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"strings"
	"sync/atomic"
	"testing"

	"society-tui/llm/llmtest"
	"society-tui/runtime"
	"society-tui/runtime/api"
	"society-tui/runtime/i18n"
	"society-tui/runtime/sessions"
	"society-tui/runtime/society"
	"society-tui/storage"
	"society-tui/tui"
	"society-tui/tui/cli"
	"society-tui/tui/process"
	screenterminal "society-tui/tui/terminal"
)

// fallEnv turns the test's binary into the program with one part that panics
// when the user writes the last note.
const (
	fallEnv  = "SOCIETY_TEST_FALL"
	lastNote = "Note 2. the last"
)

// A brittle is a society, its store and its watcher, one part of which panics.
type brittle struct {
	*runtime.Runtime
	storage.Store
	watcher *runtime.Watcher
	part    string
	fallen  *atomic.Bool // the user has written the last note
}

func (b brittle) falls(part string) {
	if b.part == part && b.fallen.Load() {
		panic("index out of range in " + part)
	}
}

// Do is called by a command of the screen, on its own goroutine.
func (b brittle) Do(ctx context.Context, cmd society.Command) (society.Reply, error) {
	if note, ok := cmd.(society.Send); ok && note.Text == lastNote {
		b.fallen.Store(true)
	}
	b.falls("a command")
	return b.Runtime.Do(ctx, cmd)
}

// Draft is called by the screen's Update.
func (b brittle) Draft(agent society.AgentID) (api.Draft, bool) {
	b.falls("Update")
	return b.Runtime.Draft(agent)
}

// Next is called by the screen's pump.
func (b brittle) Next(ctx context.Context) (api.Changes, error) {
	c, err := b.watcher.Next(ctx)
	b.falls("the pump")
	return c, err
}

// Close is called by the society's goroutine.
func (b brittle) Close() error {
	err := b.Store.Close()
	b.falls("the store")
	return err
}

func falling(part string) int {
	o, err := sessions.Open(runtime.Config{Model: llmtest.Func("m", llmtest.Say("well"))}, os.Getenv("XDG_DATA_HOME")+"/society-tui/society.db")
	if err != nil {
		fmt.Println(err)
		return 2
	}
	leaveTerminal, err := process.Enter(os.Stdin, os.Stdout, "xterm")
	if err != nil {
		fmt.Println(err)
		return 2
	}
	signals, stop := process.Listen()
	defer stop()
	b := brittle{o.Society, o.Store, o.Society.Watch(), part, new(atomic.Bool)}
	defer b.watcher.Close()
	err = cli.Frontend{
		First:   &cli.Session{Society: o.Society, Store: b, Screen: tui.Config{Society: b, Watcher: b}, Log: slog.New(slog.DiscardHandler)},
		Signals: signals, In: os.Stdin, Err: os.Stderr, Terminal: screenterminal.New(os.Stdin, os.Stdout), LeaveTerminal: leaveTerminal,
		LogFile: "none", Printer: i18n.Printer{},
		Say: func(w io.Writer, format string, args ...any) { fmt.Fprintf(w, format, args...) },
	}.Run()
	if err != nil {
		fmt.Println(err)
		return 1
	}
	return 0
}

// After a panic of any part the terminal is restored, and accepted messages are
// saved.
func TestPanicOfAnyPartRestoresTheTerminal(t *testing.T) {
	t.Parallel()
	for _, part := range []string{"a command", "Update", "the pump", "the store"} {
		t.Run(part, func(t *testing.T) {
			t.Parallel()
			h := newHome(t)
			c := exec.Command(os.Args[0])
			c.Env = append(h.env, fallEnv+"="+part)
			x := h.terminal(100, 30)
			x.start(c)
			x.opened()
			x.write("Note 1. before the fall")
			x.press("enter")
			x.sees("▌ Note 1.")
			x.write(lastNote)
			x.press("enter")
			if part == "the store" {
				x.sees("▌ " + lastNote)
				x.press("ctrl+c", "ctrl+c")
			}
			if code := x.ends(); code != 1 {
				t.Errorf("exit code %d", code)
			}
			x.restored()
			if said := x.farewell(); !strings.Contains(said, "Internal error") {
				t.Errorf("it left with %q", said)
			}
			h.storeAlone()
			if got := h.run("check"); got.code != 0 {
				t.Errorf("the store is not sound: %s", got.err)
			}
			if n := strings.Count(h.run("export").out, `"line":"Note 1. before the fall"`); n != 1 {
				t.Errorf("the note is there %d times", n)
			}
		})
	}
}
