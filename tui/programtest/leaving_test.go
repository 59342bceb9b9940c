package programtest

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// However the program is left, the terminal is restored, accepted messages are
// on disk, no temporary file is left, and the log counts processed and pending
// messages.
func TestTerminalIsRestoredHoweverTheProgramEnds(t *testing.T) {
	t.Parallel()
	ctrlC := func(x *terminal, times int) {
		for range times {
			x.press("ctrl+c")
		}
	}
	for name, c := range map[string]struct {
		leave func(x *terminal) // the model is streaming
		code  int
		says  string
	}{
		"quit by keys, and at once": {func(x *terminal) {
			ctrlC(x, 2)
			x.sees("Finishing 1 call")
			ctrlC(x, 1)
		}, 1, "left at once"},
		"quit by keys pressed many times": {func(x *terminal) { ctrlC(x, 7) }, 1, "left at once"},
		"/quit, and its call ends": {func(x *terminal) {
			x.write("/quit")
			x.press("enter")
			x.sees("Quit?")
			x.press("y")
		}, 0, "Processed"},
		"SIGINT, and its call ends":  {func(x *terminal) { x.signal(os.Interrupt) }, 0, "finishing running calls"},
		"SIGTERM, and its call ends": {func(x *terminal) { x.signal(syscall.SIGTERM) }, 0, "finishing running calls"},
		"SIGTERM twice":              {func(x *terminal) { x.signals(syscall.SIGTERM, syscall.SIGTERM) }, 1, "left at once"},
		"SIGINT three times":         {func(x *terminal) { x.signals(os.Interrupt, os.Interrupt, os.Interrupt) }, 1, "left at once"},
		"SIGTERM, then SIGINT":       {func(x *terminal) { x.signals(syscall.SIGTERM, os.Interrupt) }, 1, "left at once"},
		"SIGQUIT":                    {func(x *terminal) { x.signal(syscall.SIGQUIT) }, 1, "goroutine "},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHome(t, "[model]", slower)
			x := h.open(100, 30).opened()
			x.example(1, "enter")
			x.sees("streaming")
			c.leave(x)
			if code := x.ends(); code != c.code {
				t.Errorf("exit code %d, not %d", code, c.code)
			}
			x.restored()
			if said := x.farewell(); !strings.Contains(said, c.says) || strings.Contains(said, "fault") {
				t.Errorf("it left with %q", said)
			}
			h.left(name != "SIGQUIT")
		})
	}
}

// The summary in the log and the farewell have the numbers.
func TestFarewellCountsProcessedAndPendingMessages(t *testing.T) {
	t.Parallel()
	c := newCast(t)
	x := c.open(100, 30, "root")
	for _, text := range []string{"the first that waits", "the second that waits"} {
		x.write(text)
		x.press("enter")
		x.sees("▌ " + text)
	}
	x.sees("2 unread")
	x.signals(syscall.SIGTERM, syscall.SIGTERM)
	if code := x.ends(); code != 1 {
		t.Errorf("exit code %d", code)
	}
	if said := x.farewell(); !strings.Contains(said, "Processed 1 message, 2 pending.") {
		t.Errorf("it left with %q", said)
	}
	if log := c.home.read("state/society-tui/society-tui.log"); len(summaries(log, "1", "2")) != 1 || !strings.Contains(log, `"pending":2,"owed":1`) {
		t.Errorf("the log has another summary:\n%s", log)
	}
}

// signals sends signals in order; the last ones may find no process.
func (x *terminal) signals(all ...os.Signal) {
	x.t.Helper()
	for i, sig := range all {
		if err := x.cmd.Process.Signal(sig); err != nil && (i == 0 || !errors.Is(err, os.ErrProcessDone)) {
			x.t.Fatal(err)
		}
		if i == 0 {
			x.writes("\x1b[?1049l")
		}
	}
}

// summaries returns the log's summaries with so many messages processed and
// pending; run and session precede the numbers.
func summaries(log, processed, pending string) []string {
	return regexp.MustCompile(`"msg":"left",("\w+":"[^"]*",)*"processed":`+processed+`,"pending":`+pending+`,`).FindAllString(log, -1)
}

// left checks what a program has left behind in a home.
func (h *home) left(orderly bool) {
	h.t.Helper()
	if orderly {
		if log := h.read("state/society-tui/society-tui.log"); len(summaries(log, `\d+`, `\d+`)) == 0 {
			h.t.Errorf("the log has no summary:\n%s", log)
		}
		h.storeAlone()
	}
	if got := h.run("check"); got.code != 0 {
		h.t.Errorf("the store is not sound: %s", got.err)
	}
}

// storeAlone checks that there is no file beside the store but the token, which is kept.
func (h *home) storeAlone() {
	h.t.Helper()
	left, err := filepath.Glob(h.path("data/society-tui/*"))
	left = slices.DeleteFunc(left, func(file string) bool { return filepath.Ext(file) == ".token" })
	if err != nil || len(left) != 1 {
		h.t.Errorf("it left %v, %v", left, err)
	}
}

// A signal during the start arrives before, during or after the opening of the
// store.
func TestASignalWhileTheProgramStartsLeavesNothingBehind(t *testing.T) {
	t.Parallel()
	h := newHome(t, "[model]", fast)
	h.crowded(300)
	ends := map[int]int{}
	for i := range 20 {
		x := h.terminal(100, 30)
		x.start(h.command())
		time.AfterFunc(time.Duration(i)*20*time.Millisecond, func() { _ = x.cmd.Process.Signal(syscall.SIGTERM) })
		ends[x.ends()]++
		x.restored()
		h.storeAlone()
	}
	t.Log("exit codes, -1 for a program that had not begun to listen: ", fmt.Sprint(ends))
	h.left(false)
}

// At rest, with everything saved, leaving asks nothing and takes no time.
func TestC62QuittingAtRestIsQuick(t *testing.T) {
	t.Parallel()
	h := newHome(t, "[model]", fast)
	x := h.open(100, 30).opened()
	x.write("Plan a picnic")
	x.press("enter")
	x.sees("No language model made this")
	x.until("all at rest", func(rows []string) bool {
		return strings.Contains(rows[0], "·") && !strings.ContainsAny(rows[0], "…⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏")
	})
	x.sees("saved")
	for _, leave := range []string{"\x03", "/quit\r"} {
		begun := time.Now()
		x.write(leave)
		if code := x.ends(); code != 0 {
			t.Errorf("exit code %d: %s", code, x.farewell())
		}
		within(t, "to the end", time.Since(begun), 200*time.Millisecond)
		if strings.Contains(x.written(), "Quit?") {
			t.Error("it has asked")
		}
		x.restored()
		x = h.again(x).opened()
	}
	x.quit()
}
