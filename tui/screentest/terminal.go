package screentest

import "bytes"

// An Emulator is an emulated terminal for tests that run the built program in a
// pseudo-terminal. It may be used from any goroutine.
type Emulator struct{ screen *emulator }

// NewEmulator returns an empty terminal of that size.
func NewEmulator(width, height int) *Emulator { return &Emulator{newEmulator(Apart, width, height)} }

// Write handles output from the pseudo-terminal, whole sequences at a time. The
// line discipline has translated newlines, so that a line feed only moves down.
func (e *Emulator) Write(p []byte) (int, error) {
	if _, err := e.screen.Write(bytes.ReplaceAll(p, []byte("\n"), []byte("\x1bD"))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Rows returns the rows of the screen, without trailing blanks.
func (e *Emulator) Rows() []string { return e.screen.rows() }

// Inks returns the cells of the screen, row by row.
func (e *Emulator) Inks() [][]Ink { return e.screen.inks() }

// Resize resizes the terminal.
func (e *Emulator) Resize(width, height int) { e.screen.resize(width, height) }
