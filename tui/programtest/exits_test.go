package programtest

import (
	"bufio"
	"os"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// opened waits until the society is shown. Before that only frame and composer
// are drawn, and a digit is not an example yet.
func (x *terminal) opened() *terminal {
	x.t.Helper()
	x.until("the society", func(rows []string) bool { return strings.Contains(rows[0], " root ") && stands(rows, "to: root") })
	return x
}

func TestASignalLeavesInOrder(t *testing.T) {
	t.Parallel()
	for name, sig := range map[string]os.Signal{"terminated": syscall.SIGTERM, "Interrupted": os.Interrupt, "over ssh": syscall.SIGTERM} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHome(t)
			if name == "over ssh" { // whole frames are not requested there
				h.env = append(h.env, "SSH_TTY=/dev/pts/0")
			}
			x := h.open(100, 30).opened()
			x.signal(sig)
			if code := x.ends(); code != 0 {
				t.Errorf("exit code %d", code)
			}
			x.restored()
			if said := x.farewell(); !strings.Contains(said, "Processed 0 messages, 0 pending. Log: "+h.path("state/society-tui/society-tui.log")) {
				t.Errorf("it left with %q", said)
			}
			if log := h.read("state/society-tui/society-tui.log"); !strings.Contains(log, `"msg":"left"`) {
				t.Errorf("the log says nothing of leaving:\n%s", log)
			}
		})
	}
}

// After a signal with the terminal still there, the terminal is restored and
// nothing else is written.
func TestSIGHUPRestoresTheTerminalSilently(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	x := h.open(100, 30).opened()
	x.signal(syscall.SIGHUP)
	if code := x.ends(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	x.restored()
	// A terminal that has hung up answers no more; this one does, and echoes it.
	if said := strings.TrimSpace(strings.ReplaceAll(x.farewell(), "^[[0n", "")); said != "" {
		t.Errorf("after SIGHUP it wrote %q, want nothing", said)
	}
	if log := h.read("state/society-tui/society-tui.log"); !strings.Contains(log, `"msg":"left"`) {
		t.Errorf("it did not leave in order:\n%s", log)
	}
}

// A process that does not lead its session is sent no signal when the terminal
// disappears: it must notice by itself.
func TestProgramWithoutItsTerminalLeavesInOrder(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	x := h.open(100, 30).opened()
	x.example(1, "enter")
	x.sees("streaming")
	if err := x.pty.Close(); err != nil {
		t.Fatal(err)
	}
	select {
	case <-x.waited:
	case <-time.After(patience):
		t.Fatal("it goes on without a terminal")
	}
	if code := x.cmd.ProcessState.ExitCode(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	if log := h.read("state/society-tui/society-tui.log"); !strings.Contains(log, `"msg":"left"`) {
		t.Errorf("it did not leave in order:\n%s", log)
	}
}

func TestSIGQUITPrintsAllStacksInARestoredTerminal(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	x := h.open(100, 30).opened()
	x.signal(syscall.SIGQUIT)
	if code := x.ends(); code != 1 {
		t.Errorf("exit code %d", code)
	}
	x.restored()
	if said := x.farewell(); !strings.Contains(said, "goroutine ") || !strings.Contains(said, "runtime.(*Runtime).Run") {
		t.Errorf("it left with %q", said)
	}
}

// soon is how long a second instance may take to end, on an idle machine. It
// waits one second for another that is just leaving.
const soon = 2 * time.Second

// It promises a time, so it is not parallel.
func TestSecondInstanceNamesTheFirstAndEnds(t *testing.T) {
	h := newHome(t)
	first := h.open(100, 30).opened()
	begun := time.Now()
	second := h.open(100, 30, "--no-attach")
	if code := second.ends(); code != 1 {
		t.Errorf("exit code %d", code)
	}
	within(t, "to the end of the second instance", time.Since(begun), soon)
	said := second.farewell()
	pid := regexp.MustCompile(`pid (\d+), since \d{4}-\d\d-\d\d`).FindString(said)
	if pid == "" || !strings.Contains(said, "--session NAME") {
		t.Errorf("it says %q", said)
	}
	if got := h.run("check"); got.code != 1 || !strings.Contains(got.err, "Nothing was checked") || strings.Contains(got.err, "damaged") {
		t.Errorf("check says %d: %s", got.code, got.err)
	}
	first.signal(syscall.SIGTERM)
	if code := first.ends(); code != 0 {
		t.Errorf("the first ended with %d", code)
	}
	if got := h.run("check"); got.code != 0 || !strings.Contains(got.out, "no damage") {
		t.Errorf("check says %d: %s%s", got.code, got.out, got.err)
	}
}

// Of two instances started at once on an empty folder, one runs and the other
// ends.
func TestOnlyOneOfTwoInstancesStartedAtOnceRuns(t *testing.T) {
	if _, err := built(); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		h := newHome(t)
		begun := time.Now()
		first, second := h.open(100, 30, "--no-attach"), h.open(100, 30, "--no-attach")
		select {
		case <-second.waited:
		case <-first.waited:
			first, second = second, first
		case <-time.After(patience):
			t.Fatal("both go on")
		}
		within(t, "to the end of one of two", time.Since(begun), soon)
		if code := second.ends(); code != 1 || !strings.Contains(second.farewell(), "in use by another society-tui (pid ") {
			t.Errorf("exit code %d: %s", code, second.farewell())
		}
		second.restored()
		first.opened().quit()
		h.left(true)
	}
}

func TestTerminalThatCannotDrawIsRefused(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	h.env = append(h.env, "TERM=dumb")
	x := h.open(100, 30)
	if code := x.ends(); code != 1 {
		t.Errorf("exit code %d", code)
	}
	if said := x.written(); !strings.Contains(said, "TERM=dumb") || strings.Contains(said, "\x1b") {
		t.Errorf("it says %q", said)
	}
}

func TestResetRepairsTheTerminalOfAKilledProgram(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	x := h.open(100, 30).opened()
	x.write("x")
	x.sees("> x") // all answers of the terminal were read, which would else be typed
	x.signal(os.Kill)
	x.ends()
	repair := h.again(x, "reset")
	if code := repair.ends(); code != 0 {
		t.Errorf("exit code %d: %q", code, repair.written())
	}
	repair.modesRestored()
	if said := repair.written(); !strings.HasSuffix(said, "\x1b[0 q\x1b[23;0t") {
		t.Errorf("shape and title are not repaired: %q", said[max(0, len(said)-60):])
	}
	// Line mode is back: a line is read at its end.
	repair.write("hello\r")
	if err := repair.tty.SetReadDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(repair.tty).ReadString('\n'); line != "hello\n" {
		t.Errorf("a line reads %q, %v", line, err)
	}
}
