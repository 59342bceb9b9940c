package programtest

import (
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"
)

// stops waits until the program is stopped, or runs again.
func (x *terminal) stops(stopped bool) {
	x.t.Helper()
	begun := time.Now()
	for tick := time.NewTicker(5 * time.Millisecond); ; <-tick.C {
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", x.cmd.Process.Pid))
		if err != nil {
			x.t.Fatal(err)
		}
		_, rest, _ := strings.Cut(string(stat), ") ")
		if strings.HasPrefix(rest, "T") == stopped {
			return
		}
		if time.Since(begun) > patience {
			x.t.Fatalf("stopped: %v is waited for, and it is %.1s", stopped, rest)
		}
	}
}

// A stop by key or by signal restores the terminal; when the program continues,
// the screen is back.
func TestStoppedProgramRestoresTheTerminalUntilItContinues(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	x := h.terminal(100, 30)
	c := h.command()
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // a job of its own, as a shell makes
	x.start(c)
	x.opened()
	x.write("a draft")
	x.sees("> a draft")
	for _, stop := range []func(){
		func() { x.press("ctrl+z") },
		func() { x.signal(syscall.SIGTSTP) },
		func() { x.press("ctrl+z") },
	} {
		before := len(x.written())
		stop()
		x.stops(true)
		// The last sequence that it writes.
		x.wait("the terminal given back", func() bool { return strings.Contains(string(x.raw[before:]), "\x1b[?2031l") })
		x.restored()
		before = len(x.written())
		x.signal(syscall.SIGCONT)
		x.wait("the screen drawn anew", func() bool {
			return strings.Contains(string(x.raw[before:]), "\x1b[?1049h") && strings.Contains(string(x.raw[before:]), "a draft")
		})
		x.sees("> a draft", "to: root")
		x.press("x")
		x.sees("> a draftx")
		x.press("backspace")
		x.sees("> a draft")
	}
	x.press("ctrl+c")
	x.quit()
	h.left(true)
}

// Without a shell to continue it, the program does not stop.
func TestProgramWithoutAShellToContinueItIsNotStopped(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	x := h.terminal(100, 30)
	c := h.command()
	c.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	x.start(c)
	x.opened()
	before := len(x.written())
	x.press("ctrl+z")
	x.wait("the screen drawn anew", func() bool { return strings.Contains(string(x.raw[before:]), "\x1b[?1049h") })
	x.write("still here")
	x.sees("> still here")
	x.press("ctrl+c")
	x.quit()
}
