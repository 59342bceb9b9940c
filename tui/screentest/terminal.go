package screentest

import "bytes"

// An Emulator is an emulated terminal for tests that run the program itself in a
// pseudo-terminal, and not only its screen. It may be used from any goroutine.
type Emulator struct{ screen *emulator }

// NewEmulator returns an empty terminal of that size.
func NewEmulator(width, height int) *Emulator { return &Emulator{newEmulator(Apart, width, height)} }

// Write takes what came through the pseudo-terminal, whole sequences at a time.
// The line discipline has done its part by then, so that a line feed is only what
// it says: down a row in the same column.
func (e *Emulator) Write(p []byte) (int, error) {
	if _, err := e.screen.Write(bytes.ReplaceAll(p, []byte("\n"), []byte("\x1bD"))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Rows returns what stands on the screen, without the blanks at the ends.
func (e *Emulator) Rows() []string { return e.screen.rows() }

// Inks returns the cells of the screen, row by row.
func (e *Emulator) Inks() [][]Ink { return e.screen.inks() }

// Resize gives the terminal another size.
func (e *Emulator) Resize(width, height int) { e.screen.resize(width, height) }
