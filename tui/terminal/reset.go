package terminal

import (
	"fmt"
	"io"

	"github.com/charmbracelet/x/ansi"
)

// What takes back the modes of the screen but the alternate screen, which comes between
// them: the keyboard's protocols belong to it, the cursor and its colour to both.
const (
	modesOff = ansi.ResetModeSynchronizedOutput +
		ansi.ResetModeMouseNormal + ansi.ResetModeMouseButtonEvent + ansi.ResetModeMouseAnyEvent +
		ansi.ResetModeMouseExtSgr +
		ansi.ResetModeFocusEvent +
		ansi.ResetModeLightDark +
		ansi.ResetModeBracketedPaste +
		ansi.ResetModifyOtherKeys +
		ansi.ResetModeUnicodeCore
	cursorBack = ansi.SetModeTextCursorEnable +
		ansi.SetModeAutoWrap +
		ansi.ResetCursorColor +
		ansi.ResetStyle

	marginsOff = "\x1b[r" // moves the cursor
	shapeBack  = "\x1b[0 q"
)

// The title of the window is saved while the screen is there. A terminal that saves none
// takes neither for anything.
const (
	saveTitle    = "\x1b[22;0t"
	restoreTitle = "\x1b[23;0t"
)

// erase empties the screen and leaves the cursor in its first cell. Some terminals would
// keep what "erase all" erases in their history.
const erase = ansi.ResetStyle + ansi.CursorHomePosition + ansi.EraseScreenBelow

// Reset writes what repairs a terminal that a killed program left: it leaves the alternate
// screen, shows the cursor in its usual shape and colour, restores the title of the window,
// and ends the reports of mouse, focus and paste, and the protocols of the keyboard. In a
// terminal that needs nothing of it, it changes nothing that is seen.
func Reset(w io.Writer) error {
	// The cursor is saved before, because leaving an alternate screen that is not
	// entered moves it to where it was saved last.
	const repair = modesOff +
		"\x1b[<9u" + // pops all that may be on the stack of kitty's keyboard protocol
		ansi.SaveCursor + marginsOff + ansi.RestoreCursor +
		ansi.SaveCursor + ansi.ResetModeAltScreenSaveCursor +
		cursorBack + shapeBack + restoreTitle
	if _, err := io.WriteString(w, repair); err != nil {
		return fmt.Errorf("reset the terminal: %w", err)
	}
	return nil
}
