package tui

import (
	"fmt"
	"io"
	"os"
	"sync/atomic"

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
		ansi.ResetModeBracketedPaste +
		ansi.ResetModifyOtherKeys +
		"\x1b[<9u" + // pops all that may be on the stack of kitty's keyboard protocol
		ansi.ResetModeUnicodeCore +
		ansi.ResetModeAltScreenSaveCursor +
		ansi.SetModeTextCursorEnable +
		ansi.SetModeAutoWrap +
		"\x1b[0 q" + // the usual shape of the cursor
		ansi.ResetStyle
	if _, err := io.WriteString(w, repair); err != nil {
		return fmt.Errorf("reset the terminal: %w", err)
	}
	return nil
}

// A Terminal is the file that the screen is drawn on. After Hush nothing more is
// written to it: for a terminal that has hung up, where every write would fail or
// block. Hush may be called by any goroutine.
type Terminal struct {
	*os.File
	hushed atomic.Bool
}

// Hush throws away all that is written from now on.
func (t *Terminal) Hush() { t.hushed.Store(true) }

// Write writes to the terminal.
func (t *Terminal) Write(p []byte) (int, error) {
	if t.hushed.Load() {
		return len(p), nil
	}
	return t.File.Write(p)
}

// WriteString writes to the terminal.
func (t *Terminal) WriteString(s string) (int, error) { return t.Write([]byte(s)) }
