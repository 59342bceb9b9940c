package process

import (
	"errors"
	"fmt"
	"os"

	"github.com/charmbracelet/x/term"
)

// Enter returns an error with advice unless a screen can be drawn on out and
// keys can be read from in; kind is TERM. leave restores the present line
// discipline of in.
func Enter(in, out *os.File, kind string) (leave func(), err error) {
	const instead = "start it in a terminal, without a pipe or a redirection, or with --plain, which needs only lines (--help names what works without either)"
	switch {
	case !term.IsTerminal(in.Fd()):
		return nil, errors.New("standard input is no terminal: " + instead)
	case !term.IsTerminal(out.Fd()):
		return nil, errors.New("standard output is no terminal: " + instead)
	case kind == "dumb":
		return nil, errors.New("this terminal cannot draw a screen (TERM=dumb): start it with --plain, which needs only lines")
	}
	return asItIs(in)
}

// EnterLines is Enter for plain mode, which needs no terminal.
func EnterLines(in *os.File) (leave func(), err error) {
	if !term.IsTerminal(in.Fd()) {
		return func() {}, nil
	}
	return asItIs(in)
}

// asItIs returns a function that restores the terminal's present line
// discipline.
func asItIs(in *os.File) (leave func(), err error) {
	before, err := term.GetState(in.Fd())
	if err != nil {
		return nil, fmt.Errorf("look at the terminal: %w", err)
	}
	return func() { _ = term.Restore(in.Fd(), before) }, nil // fails if the terminal has disappeared
}
