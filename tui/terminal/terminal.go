// Package terminal writes to the user's terminal, and leaves it as it was.
package terminal

import (
	"bytes"
	"errors"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/charmbracelet/x/ansi"
)

// A Terminal is the file that the screen is drawn on. It sees the screen enter
// and leave the alternate screen, and also saves and restores what no mode
// covers: the window's title, and terminals without an alternate screen. It may
// be used by any goroutine.
type Terminal struct {
	*os.File
	in      *os.File
	line    Line
	hushed  atomic.Bool
	stays   atomic.Bool
	entered atomic.Bool // the screen is open
	modes   atomic.Bool // query modes once the alternate screen is entered
	gone    chan struct{}
	once    sync.Once
}

func New(in, out *os.File) *Terminal {
	return &Terminal{File: out, in: in, gone: make(chan struct{})}
}

// Line returns the measured speed of the terminal.
func (t *Terminal) Line() *Line { return &t.line }

// Hush discards all further output, for a terminal that has hung up, where
// every write would fail or block.
func (t *Terminal) Hush() { t.hushed.Store(true) }

// Stay keeps the alternate screen open between two societies, so that the shell
// is not visible: sequences that leave or enter it are dropped until
// Stay(false).
func (t *Terminal) Stay(on bool) { t.stays.Store(on) }

// Gone is closed when a write has failed because the terminal disappeared, or
// after Lost. Only the leader of a session is sent SIGHUP.
func (t *Terminal) Gone() <-chan struct{} { return t.gone }

// Lost reports that the terminal has disappeared, which a read may find before
// a write.
func (t *Terminal) Lost() { t.once.Do(func() { close(t.gone) }) }

// Write writes to the terminal.
func (t *Terminal) Write(p []byte) (int, error) {
	if t.hushed.Load() {
		return len(p), nil
	}
	text := p
	if t.stays.Load() {
		text = t.staying(p)
	}
	there := t.entered.Load()
	text = t.crossing(text)
	var err error
	switch here := t.entered.Load(); {
	case here:
		err = t.measured(text)
	case there:
		err = t.last(text)
	default:
		_, err = t.File.Write(text)
	}
	if errors.Is(err, syscall.EIO) {
		t.Lost()
	}
	if err != nil {
		return 0, err
	}
	return len(p), nil
}

// measured writes text and measures how fast the terminal reads.
func (t *Terminal) measured(text []byte) error {
	asks := t.line.asks(len(text))
	if asks {
		text = slices.Concat([]byte(question), text, []byte(question))
	}
	begun := time.Now()
	_, err := t.File.Write(text)
	t.line.wrote(len(text), time.Since(begun))
	return err
}

// last writes text that leaves the screen, and waits for outstanding answers.
func (t *Terminal) last(text []byte) error {
	answers, wait := t.line.ends()
	if answers > 0 {
		text = append(text, question...)
	}
	_, err := t.File.Write(text)
	if err == nil {
		settle(t.in, answers, wait)
	}
	return err
}

// WriteString writes to the terminal.
func (t *Terminal) WriteString(s string) (int, error) { return t.Write([]byte(s)) }

// staying filters a text while the terminal stays. With the first frame of the
// next society, staying ends.
func (t *Terminal) staying(p []byte) []byte {
	text := bytes.ReplaceAll(p, []byte(ansi.ResetModeAltScreenSaveCursor), nil)
	if before, after, entered := bytes.Cut(text, []byte(ansi.SetModeAltScreenSaveCursor)); entered {
		t.Stay(false)
		text = append(bytes.Clone(before), after...)
	}
	return text
}

// askModes is the library's query at its start. QTerminal prints the last
// letter of each, which would stay above the prompt unless it is sent on the
// alternate screen.
const askModes = ansi.RequestModeSynchronizedOutput + ansi.RequestModeUnicodeCore

// crossing adds to a text what belongs to entering or leaving the alternate
// screen. The screen is erased before it is left, because without an alternate
// one, as in mosh and by default in GNU screen, it would stay above the prompt.
func (t *Terminal) crossing(text []byte) []byte {
	if before, after, asks := bytes.Cut(text, []byte(askModes)); asks && !t.entered.Load() {
		t.modes.Store(true)
		text = slices.Concat(before, after)
	}
	if before, after, enters := bytes.Cut(text, []byte(ansi.SetModeAltScreenSaveCursor)); enters {
		t.entered.Store(true)
		enter := saveTitle + ansi.SetModeAltScreenSaveCursor
		if t.modes.Swap(false) {
			enter += askModes
		}
		return bytes.Join([][]byte{before, after}, []byte(enter))
	}
	if before, after, leaves := bytes.Cut(text, []byte(ansi.ResetModeAltScreenSaveCursor)); leaves {
		t.entered.Store(false)
		// The title is cleared behind it.
		return append(bytes.Join([][]byte{before, after}, []byte(erase+ansi.ResetModeAltScreenSaveCursor)), restoreTitle...)
	}
	return text
}

// Restore gives the terminal back if the screen has not: it was aborted, or the
// terminal stays. It writes nothing to a terminal that has hung up.
func (t *Terminal) Restore() {
	if t.hushed.Load() && !connected(t.File) {
		return
	}
	const (
		popKeys = "\x1b[<1u" // only the screen's own entry
		back    = modesOff + popKeys + marginsOff + erase + ansi.ResetModeAltScreenSaveCursor + cursorBack + restoreTitle
	)
	text := ansi.ResetModeLightDark // its request may be written behind the last frame
	if t.entered.Swap(false) {
		text = back
	}
	_, _ = t.File.WriteString(text) // a terminal that cannot be written to cannot be repaired
}
