package process

import (
	"errors"
	"fmt"
	"os"

	"github.com/charmbracelet/x/term"
)

// Errors of Enter.
var (
	ErrNoInput  = errors.New("standard input is not a terminal")
	ErrNoOutput = errors.New("standard output is not a terminal")
	ErrDumb     = errors.New("this terminal cannot draw a screen")
)

// Enter returns an error unless a screen can be drawn on out and keys can be read
// from in; kind is TERM. leave restores the present line discipline of in.
func Enter(in, out *os.File, kind string) (leave func(), err error) {
	switch {
	case !term.IsTerminal(in.Fd()):
		return nil, ErrNoInput
	case !term.IsTerminal(out.Fd()):
		return nil, ErrNoOutput
	case kind == "dumb":
		return nil, ErrDumb
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
