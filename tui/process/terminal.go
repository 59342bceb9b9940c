package process

import (
	"errors"
	"fmt"
	"os"

	"github.com/charmbracelet/x/term"
)

// Enter returns an error that tells what to do, unless a screen can be drawn on out and
// keys can be read from in; kind is the environment's TERM. leave restores the line
// discipline that in has now.
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

// EnterLines is Enter for lines in place of a screen, for which no terminal is needed.
func EnterLines(in *os.File) (leave func(), err error) {
	if !term.IsTerminal(in.Fd()) {
		return func() {}, nil
	}
	return asItIs(in)
}

// asItIs returns what restores the line discipline that a terminal has now.
func asItIs(in *os.File) (leave func(), err error) {
	before, err := term.GetState(in.Fd())
	if err != nil {
		return nil, fmt.Errorf("look at the terminal: %w", err)
	}
	return func() { _ = term.Restore(in.Fd(), before) }, nil // it fails where the terminal is gone
}
