package terminal

import (
	"fmt"
	"io"

	"github.com/charmbracelet/x/ansi"
)

// Sequences that reset the modes of the screen, apart from the alternate screen
// in between: keyboard protocols belong to it, cursor and colours to both
// screens.
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

// The window's title is saved while the screen is open. Terminals that cannot
// save it ignore both.
const (
	saveTitle    = "\x1b[22;0t"
	restoreTitle = "\x1b[23;0t"
)

// erase clears the screen and moves the cursor home. Some terminals would keep
// the content of "erase all" in their history.
const erase = ansi.ResetStyle + ansi.CursorHomePosition + ansi.EraseScreenBelow

// Reset repairs a terminal after the program was killed: it leaves the
// alternate screen, shows the cursor in its default shape and colour, restores
// the title, and ends mouse, focus and paste reports and keyboard protocols. On
// an intact terminal it has no visible effect.
func Reset(w io.Writer) error {
	// The cursor is saved first, because leaving an alternate screen that was not
	// entered moves it to the saved position.
	const repair = modesOff +
		"\x1b[<9u" + // pops everything from the stack of kitty's keyboard protocol
		ansi.SaveCursor + marginsOff + ansi.RestoreCursor +
		ansi.SaveCursor + ansi.ResetModeAltScreenSaveCursor +
		cursorBack + shapeBack + restoreTitle
	if _, err := io.WriteString(w, repair); err != nil {
		return fmt.Errorf("reset the terminal: %w", err)
	}
	return nil
}
