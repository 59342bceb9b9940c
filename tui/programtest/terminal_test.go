package programtest

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/charmbracelet/x/term"
	"github.com/creack/pty"

	"society-tui/tui/screentest"
)

// A terminal is a pseudo-terminal that runs the program, with an emulator that
// reads its output.
type terminal struct {
	t      *testing.T
	cmd    *exec.Cmd
	pty    *os.File // our side
	tty    *os.File // the program's side
	before *term.State

	waited <-chan struct{} // closed when the program has ended
	unread sync.Mutex      // held while reading, or while nothing should be read
	rate   int             // bytes per second that it reads, 0 for no limit; set before the start
	mute   bool            // answers no queries; set before the start

	mu      sync.Mutex
	changed sync.Cond
	screen  *screentest.Emulator
	raw     []byte // all output
	ended   bool   // the program has ended, and raw is complete
	late    bool   // patience is over
}

// open starts the program in a new terminal.
func (h *home) open(width, height int, args ...string) *terminal {
	h.t.Helper()
	x := h.terminal(width, height)
	x.start(h.command(args...))
	return x
}

// terminal returns a new terminal with nothing in it.
func (h *home) terminal(width, height int) *terminal {
	h.t.Helper()
	file, tty, err := pty.Open()
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(func() { _, _ = file.Close(), tty.Close() })
	if err := pty.Setsize(file, &pty.Winsize{Rows: uint16(height), Cols: uint16(width)}); err != nil {
		h.t.Fatal(err)
	}
	before, err := term.GetState(tty.Fd())
	if err != nil {
		h.t.Fatal(err)
	}
	return &terminal{t: h.t, pty: file, tty: tty, before: before, screen: screentest.NewEmulator(width, height)}
}

// again restarts the program in a terminal in which it has ended. The terminal
// is cleared before: a killed program leaves its screen, and a test that waits
// for the same rows would press keys before the new program reads them.
func (h *home) again(x *terminal, args ...string) *terminal {
	h.t.Helper()
	_, _ = x.screen.Write([]byte("\x1b[H\x1b[2J"))
	next := &terminal{t: h.t, pty: x.pty, tty: x.tty, before: x.before, screen: x.screen, raw: x.raw}
	next.start(h.command(args...))
	return next
}

func (x *terminal) start(c *exec.Cmd) {
	x.t.Helper()
	x.changed.L = &x.mu
	x.cmd = c
	c.Stdin, c.Stdout, c.Stderr = x.tty, x.tty, x.tty
	if err := c.Start(); err != nil {
		x.t.Fatal(err)
	}
	waited, read := make(chan struct{}), make(chan struct{})
	x.waited = waited
	go func() {
		defer close(waited)
		_ = c.Wait() // ends checks its exit code
		_, _ = x.tty.WriteString(theEnd)
	}()
	go x.read(read)
	x.t.Cleanup(func() {
		_ = c.Process.Kill()
		<-waited
		<-read
	})
}

// theEnd is written to the terminal when the program has ended, after all of
// its output. No program writes it, and no terminal shows it.
const theEnd = "\x1b_the end\x1b\\"

// read feeds the emulator until the end.
func (x *terminal) read(done chan<- struct{}) {
	defer close(done)
	buffer := make([]byte, 64<<10)
	var pending []byte
	for over := false; !over; {
		n, err := x.unstalled(buffer)
		pending = append(pending, buffer[:n]...)
		whole := len(pending)
		if end := bytes.Index(pending, []byte(theEnd)); end >= 0 {
			// What was typed for a program that has ended is echoed after it.
			whole = end + len(theEnd)
		} else if err == nil {
			whole = wholeFrames(pending[:wholeSequences(pending)])
		}
		said := answers(pending[:whole])
		pending, over = x.take(pending, whole, err)
		if said != "" && !x.mute {
			_, _ = x.pty.WriteString(said) // it may have ended
		}
	}
}

// answers returns a terminal's answers to an output.
func answers(text []byte) string {
	var said strings.Builder
	for _, question := range questions.FindAllString(string(text), -1) {
		said.WriteString(map[string]string{askedForFrames: knowsFrames, askedForState: isWell}[question])
	}
	return said.String()
}

// unstalled reads output, unless the terminal is stalled, at the speed of the
// line.
func (x *terminal) unstalled(buffer []byte) (int, error) {
	x.unread.Lock()
	defer x.unread.Unlock()
	if x.rate == 0 {
		return x.pty.Read(buffer)
	}
	n, err := x.pty.Read(buffer[:max(x.rate/50, 1)])
	<-time.After(time.Duration(n) * time.Second / time.Duration(x.rate))
	return n, err
}

// take passes complete sequences to the emulator, and returns the rest and
// whether the end was reached.
func (x *terminal) take(text []byte, whole int, err error) (rest []byte, over bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	defer x.changed.Broadcast()
	shown, ended := bytes.CutSuffix(text[:whole], []byte(theEnd))
	x.raw = append(x.raw, shown...)
	_, _ = x.screen.Write(shown)
	x.ended = ended || err != nil
	return text[whole:], x.ended
}

// unfinished matches the beginning of an escape sequence at the end of a text.
var unfinished = regexp.MustCompile(`\x1b(?:[\[][0-?]*[ -/]*|[\]P_^X][^\x07\x1b]*\x1b?|[ -/]*)?$`)

// wholeSequences returns how many bytes end neither within a sequence nor
// within a character.
func wholeSequences(text []byte) int {
	if at := unfinished.FindIndex(text); at != nil {
		return at[0]
	}
	for back := 1; back <= min(utf8.UTFMax, len(text)); back++ {
		if tail := text[len(text)-back:]; utf8.RuneStart(tail[0]) {
			if !utf8.FullRune(tail) {
				return len(text) - back
			}
			break
		}
	}
	return len(text)
}

// A program that knows of synchronized output wraps its frames in these, and
// the terminal shows them at once. Otherwise a test would sometimes see half a
// frame, because a pseudo-terminal delivers a long write in pieces.
const (
	frameBegins    = "\x1b[?2026h"
	frameEnds      = "\x1b[?2026l"
	askedForFrames = "\x1b[?2026$p"
	knowsFrames    = "\x1b[?2026;2$y"
)

// A program that queries the terminal's state knows from the answer that
// everything before was read.
const (
	askedForState = "\x1b[5n"
	isWell        = "\x1b[0n"
)

var questions = regexp.MustCompile(regexp.QuoteMeta(askedForFrames) + "|" + regexp.QuoteMeta(askedForState))

// wholeFrames returns how many bytes do not end within a frame.
func wholeFrames(text []byte) int {
	if begun := bytes.LastIndex(text, []byte(frameBegins)); begun > bytes.LastIndex(text, []byte(frameEnds)) {
		return begun
	}
	return len(text)
}

// until waits until ok accepts the screen, and returns its rows.
func (x *terminal) until(what string, ok func(rows []string) bool) []string {
	x.t.Helper()
	var rows []string
	x.wait(what, func() bool {
		rows = x.screen.Rows()
		return ok(rows)
	})
	return rows
}

// wait waits for ok, which is checked after each output and at the end.
func (x *terminal) wait(what string, ok func() bool) {
	x.t.Helper()
	alarm := time.AfterFunc(patience, func() {
		x.mu.Lock()
		defer x.mu.Unlock()
		x.late = true
		x.changed.Broadcast()
	})
	defer alarm.Stop()
	x.mu.Lock()
	defer x.mu.Unlock()
	for !ok() {
		if x.late || x.ended {
			x.t.Fatalf("waited in vain for %s (ended: %v); the screen:\n%s\nlast bytes: %q",
				what, x.ended, strings.Join(x.screen.Rows(), "\n"), x.raw[max(0, len(x.raw)-300):])
		}
		x.changed.Wait()
	}
}

// sees waits until all texts are shown, each within one row.
func (x *terminal) sees(texts ...string) []string {
	x.t.Helper()
	return x.until(fmt.Sprintf("%q", texts), func(rows []string) bool {
		return !slices.ContainsFunc(texts, func(text string) bool { return !stands(rows, text) })
	})
}

// writes waits until the program has written a text, including sequences.
func (x *terminal) writes(text string) {
	x.t.Helper()
	x.wait(fmt.Sprintf("%q", text), func() bool { return bytes.Contains(x.raw, []byte(text)) })
}

func stands(rows []string, text string) bool {
	return slices.ContainsFunc(rows, func(row string) bool { return strings.Contains(row, text) })
}

// press sends keys by name: "enter", "ctrl+x", "a".
func (x *terminal) press(keys ...string) {
	x.t.Helper()
	for _, key := range keys {
		text, err := screentest.Bytes(key)
		if err != nil {
			x.t.Fatal(err)
		}
		x.write(text)
	}
}

// confirms answers the question about a loss with y, and returns when. Sooner y may be of the
// text that opened it.
func (x *terminal) confirms() time.Time {
	x.t.Helper()
	time.Sleep(lossLag)
	at := time.Now()
	x.press("y")
	return at
}

// closesNotice closes a notice that has opened by itself, which hears no key in its first
// moment.
func (x *terminal) closesNotice() {
	x.t.Helper()
	eventually(x.t, "the notice is closed", func() bool {
		closed := stands(x.screenNow(), "enter send")
		if !closed {
			x.press("enter")
			time.Sleep(50 * time.Millisecond)
		}
		return closed
	})
}

// write sends text as it is typed.
func (x *terminal) write(text string) {
	x.t.Helper()
	if _, err := x.pty.WriteString(text); err != nil {
		x.t.Fatal(err)
	}
}

// signal sends a signal to the program.
func (x *terminal) signal(sig os.Signal) {
	x.t.Helper()
	if err := x.cmd.Process.Signal(sig); err != nil {
		x.t.Fatal(err)
	}
}

// ends waits until the program has ended, and returns its exit code, or -1
// after a fatal signal.
func (x *terminal) ends() int {
	x.t.Helper()
	x.wait("the end", func() bool { return x.ended })
	return x.cmd.ProcessState.ExitCode()
}

// over reports whether the program has ended.
func (x *terminal) over() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.ended
}

// written returns all output.
func (x *terminal) written() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return string(bytes.Clone(x.raw))
}

// farewell returns the output after the screen was closed, without sequences.
func (x *terminal) farewell() string {
	text := x.written()
	return sequences.ReplaceAllString(text[max(0, strings.LastIndex(text, "\x1b[?1049l")):], "")
}

// sequences matches control sequences, modes those of private modes.
var (
	sequences = regexp.MustCompile(`\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[ -/]*[0-~])`)
	modes     = regexp.MustCompile(`\x1b\[\?([0-9;]+)([hl])`)
	kitty     = regexp.MustCompile(`\x1b\[([<>=])[0-9;]*u`)
)

// restored checks that the line discipline and every mode are as before the
// program.
func (x *terminal) restored() {
	x.t.Helper()
	after, err := term.GetState(x.pty.Fd())
	if err != nil {
		x.t.Error(err)
	} else if fmt.Sprint(*after) != fmt.Sprint(*x.before) {
		x.t.Errorf("the line discipline was %v and is %v", *x.before, *after)
	}
	x.modesRestored()
	x.looksRestored()
}

// Sequences that set or reset the title, the shape of the cursor, and the
// terminal's colours.
var (
	titles  = regexp.MustCompile(`\x1b\][02];[^\x07\x1b]*(?:\x07|\x1b\\)`)
	shapes  = regexp.MustCompile(`\x1b\[[0-9]* q`)
	colours = regexp.MustCompile(`\x1b\](1?1[0-2])(?:;#[^\x07\x1b]*)?(?:\x07|\x1b\\)`)
)

// looksRestored checks that the window and the cursor look as before the
// program.
func (x *terminal) looksRestored() {
	x.t.Helper()
	text := x.written()
	if saved, restored := strings.Count(text, "\x1b[22;0t"), strings.Count(text, "\x1b[23;0t"); saved != restored {
		x.t.Errorf("the title was saved %d times and restored %d times", saved, restored)
	}
	if all := titles.FindAllStringIndex(text, -1); len(all) > 0 {
		if saved := strings.Index(text, "\x1b[22;0t"); saved < 0 || all[0][0] < saved {
			x.t.Error("a title is set that was not saved before")
		}
		if all[len(all)-1][0] > strings.LastIndex(text, "\x1b[23;0t") {
			x.t.Error("a title is set behind the one that was restored")
		}
	}
	if shape := shapes.FindString(text); shape != "" {
		x.t.Errorf("the cursor got another shape: %q", shape)
	}
	set := map[string]bool{}
	for _, m := range colours.FindAllStringSubmatch(text, -1) {
		set[m[1][len(m[1])-2:]] = len(m[1]) == 2
	}
	for number, left := range set {
		if left {
			x.t.Errorf("colour %s of the terminal was left changed", number)
		}
	}
}

func (x *terminal) modesRestored() {
	x.t.Helper()
	on := map[string]bool{}
	text := x.written()
	for _, m := range modes.FindAllStringSubmatch(text, -1) {
		for mode := range strings.SplitSeq(m[1], ";") {
			on[mode] = m[2] == "h"
		}
	}
	// By default the cursor is visible and lines wrap.
	for _, mode := range []string{"25", "7"} {
		if shown, touched := on[mode]; touched && !shown {
			x.t.Errorf("mode %s was left off", mode)
		}
		delete(on, mode)
	}
	for mode, left := range on {
		if left {
			x.t.Errorf("mode %s was left on", mode)
		}
	}
	if last := kitty.FindAllStringSubmatch(text, -1); len(last) > 0 && last[len(last)-1][1] != "<" {
		x.t.Errorf("the keyboard was left in mode %q", last[len(last)-1][0])
	}
}
