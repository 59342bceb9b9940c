//go:build unix

package terminal

import (
	"os"

	"github.com/charmbracelet/x/term"
	"golang.org/x/sys/unix"
)

// HideInput has the terminal not show what is typed, but for the ends of lines, until show is
// called. Without a terminal it does nothing.
func HideInput(in *os.File) (show func()) {
	before, err := term.GetState(in.Fd())
	if err != nil {
		return func() {}
	}
	hidden := *before
	hidden.Lflag = hidden.Lflag&^unix.ECHO | unix.ECHONL
	if term.SetState(in.Fd(), &hidden) != nil {
		return func() {}
	}
	return func() { _ = term.SetState(in.Fd(), before) } // fails if the terminal has disappeared
}
