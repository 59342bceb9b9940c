// Package terminal is the terminal that the screen is drawn on: what is written to it,
// and how it is left as it was found.
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

// A Terminal is the file that the screen is drawn on. It sees the screen enter and leave
// the alternate screen, and saves and restores with that what no mode does: the title of
// the window, and a terminal that has no alternate screen. All of it may be used by any
// goroutine.
type Terminal struct {
	*os.File
	in      *os.File
	line    Line
	hushed  atomic.Bool
	stays   atomic.Bool
	entered atomic.Bool // the screen is there
	modes   atomic.Bool // they are to be asked for when it is
	gone    chan struct{}
	once    sync.Once
}

// New returns the terminal that is written to out and read from in.
func New(in, out *os.File) *Terminal {
	return &Terminal{File: out, in: in, gone: make(chan struct{})}
}

// Line returns how fast it reads.
func (t *Terminal) Line() *Line { return &t.line }

// Hush throws away all that is written from now on: for a terminal that has hung up,
// where every write would fail or block.
func (t *Terminal) Hush() { t.hushed.Store(true) }

// Stay keeps the terminal on the alternate screen, so that between two societies what
// was there before the program is not seen: what would leave it is not written until
// Stay is taken back, nor what would go there again.
func (t *Terminal) Stay(on bool) { t.stays.Store(on) }

// Gone is closed when a write has found that the terminal is there no more, or Lost
// was told so. Who is not the leader of a session is sent no signal of that.
func (t *Terminal) Gone() <-chan struct{} { return t.gone }

// Lost says that the terminal is there no more: reading may find that before a write.
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

// measured writes to the terminal and measures how fast it reads that.
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

// last writes what leaves the screen, and waits until nothing more is answered.
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

// staying returns what is written of a text while the terminal stays where it is. With the
// first frame that is to be drawn there it has come to where it was to go.
func (t *Terminal) staying(p []byte) []byte {
	text := bytes.ReplaceAll(p, []byte(ansi.ResetModeAltScreenSaveCursor), nil)
	if before, after, entered := bytes.Cut(text, []byte(ansi.SetModeAltScreenSaveCursor)); entered {
		t.Stay(false)
		text = append(bytes.Clone(before), after...)
	}
	return text
}

// askModes is what the library asks at its start. QTerminal shows the last letter of each,
// which stays above the prompt unless it is asked for on the alternate screen.
const askModes = ansi.RequestModeSynchronizedOutput + ansi.RequestModeUnicodeCore

// crossing returns a text with what belongs to entering or leaving the alternate screen.
// The screen is erased before it is left: where there is no alternate one, as in mosh and
// in GNU screen by default, it would stay above the prompt.
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
		// The title is set to nothing behind it.
		return append(bytes.Join([][]byte{before, after}, []byte(erase+ansi.ResetModeAltScreenSaveCursor)), restoreTitle...)
	}
	return text
}

// Restore gives the terminal back if the screen has not done so: it was cut short, or the
// terminal stays. It writes nothing to a terminal that has hung up.
func (t *Terminal) Restore() {
	if t.hushed.Load() && !connected(t.File) {
		return
	}
	const (
		popKeys = "\x1b[<1u" // the screen's own entry, not those of others below it
		back    = modesOff + popKeys + marginsOff + erase + ansi.ResetModeAltScreenSaveCursor + cursorBack + restoreTitle
	)
	text := ansi.ResetModeLightDark // what asks for it may be written behind the last frame
	if t.entered.Swap(false) {
		text = back
	}
	_, _ = t.File.WriteString(text) // a terminal that cannot be written to cannot be repaired
}
