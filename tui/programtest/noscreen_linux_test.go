package programtest

import (
	"regexp"
	"strings"
	"syscall"
	"testing"

	"society-tui/tui/screentest"
)

// alternate matches what enters and leaves the alternate screen.
var alternate = regexp.MustCompile(`\x1b\[\?1049[hl]`)

// withoutAlternate returns the screen of a terminal without an alternate one,
// such as mosh, or GNU screen by default.
func (x *terminal) withoutAlternate(width, height int) []string {
	x.t.Helper()
	one := screentest.NewEmulator(width, height)
	if _, err := one.Write(alternate.ReplaceAll([]byte(x.written()), nil)); err != nil {
		x.t.Fatal(err)
	}
	return one.Rows()
}

func TestOnlyTheFarewellStaysWithoutAnAlternateScreen(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	x := h.open(100, 30).opened()
	x.write("a draft")
	x.sees("> a draft")
	x.press("ctrl+c")
	x.quit()
	rows := x.withoutAlternate(100, 30)
	if text := strings.Join(rows, "\n"); !strings.HasPrefix(text, "society-tui: Processed") || strings.ContainsAny(text, "│┌└─") {
		t.Errorf("it leaves\n%s", text)
	}
	h.left(true)
}

func TestStoppedProgramLeavesNothingWithoutAnAlternateScreen(t *testing.T) {
	t.Parallel()
	h := newHome(t)
	x := h.terminal(100, 30)
	c := h.command()
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // a job of its own, as a shell makes
	x.start(c)
	x.opened()
	x.press("ctrl+z")
	x.stops(true)
	x.wait("the terminal given back", func() bool { return strings.Contains(string(x.raw), "\x1b[?2031l") })
	if text := strings.TrimSpace(strings.Join(x.withoutAlternate(100, 30), "\n")); text != "" {
		t.Errorf("it leaves\n%s", text)
	}
	x.signal(syscall.SIGCONT)
	x.sees("to: root")
	x.quit()
}
