package tui

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"syscall"

	"github.com/charmbracelet/x/ansi"
)

// Reset writes what repairs a terminal that a program left in a bad mode: it
// leaves the alternate screen, shows the cursor, ends the reports of mouse, focus
// and paste, and the protocols of the keyboard. In a terminal that needs nothing
// of it, it changes nothing that is seen.
func Reset(w io.Writer) error {
	// The cursor is saved first, because leaving an alternate screen that is not
	// entered moves it to where it was saved last.
	const repair = ansi.SaveCursor +
		ansi.ResetModeSynchronizedOutput +
		ansi.ResetModeMouseNormal + ansi.ResetModeMouseButtonEvent + ansi.ResetModeMouseAnyEvent +
		ansi.ResetModeMouseExtSgr +
		ansi.ResetModeFocusEvent +
		ansi.ResetModeLightDark +
		ansi.ResetModeBracketedPaste +
		ansi.ResetModifyOtherKeys +
		"\x1b[<9u" + // pops all that may be on the stack of kitty's keyboard protocol
		ansi.ResetModeUnicodeCore +
		ansi.ResetModeAltScreenSaveCursor +
		ansi.SetModeTextCursorEnable +
		ansi.SetModeAutoWrap +
		"\x1b[0 q" + // the usual shape of the cursor
		ansi.ResetCursorColor +
		ansi.ResetStyle
	if _, err := io.WriteString(w, repair); err != nil {
		return fmt.Errorf("reset the terminal: %w", err)
	}
	return nil
}

// A Terminal is the file that the screen is drawn on. After Hush nothing more is
// written to it: for a terminal that has hung up, where every write would fail or
// block. All of it may be used by any goroutine.
type Terminal struct {
	*os.File
	hushed atomic.Bool
	stays  atomic.Bool
	gone   chan struct{}
	once   sync.Once
}

// NewTerminal returns the terminal behind a file.
func NewTerminal(file *os.File) *Terminal {
	return &Terminal{File: file, gone: make(chan struct{})}
}

// Hush throws away all that is written from now on.
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
	n, err := t.File.Write(text)
	if errors.Is(err, syscall.EIO) {
		t.Lost()
	}
	if len(text) < len(p) && n == len(text) {
		n = len(p)
	}
	return n, err
}

// WriteString writes to the terminal.
func (t *Terminal) WriteString(s string) (int, error) { return t.Write([]byte(s)) }

// staying is what is written of a text while the terminal stays where it is. With the
// first frame that is to be drawn there it has come to where it was to go.
func (t *Terminal) staying(p []byte) []byte {
	text := bytes.ReplaceAll(p, []byte(ansi.ResetModeAltScreenSaveCursor), nil)
	if before, after, entered := bytes.Cut(text, []byte(ansi.SetModeAltScreenSaveCursor)); entered {
		t.Stay(false)
		text = append(bytes.Clone(before), after...)
	}
	return text
}
