package terminal

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// fewBlanks is the most blanks that the library writes instead of erasing them,
// except at the end of a row.
const fewBlanks = 2

// WriteBlanks returns a row whose blanks the library writes instead of erasing,
// for a terminal that erases in its default background. It conceals letters in
// place of blanks: they look and copy as blanks, and cannot be made by erasing.
func WriteBlanks(row string) string {
	const conceal, reveal = "\x1b[8m", "\x1b[28m"
	var b strings.Builder
	for first := true; row != ""; first = false {
		n := strings.IndexByte(row, ' ')
		if n < 0 {
			break
		}
		b.WriteString(row[:n])
		rest := strings.TrimLeft(row[n:], " ")
		continues := !first && ansi.Strip(row[:n]) == "" // the run before, in another style
		if run := row[n : len(row)-len(rest)]; len(run) > fewBlanks || continues || ansi.Strip(rest) == "" {
			b.WriteString(conceal + run + reveal)
		} else {
			b.WriteString(run)
		}
		row = rest
	}
	return b.String() + row
}
