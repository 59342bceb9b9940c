// Package cells measures, cuts and frames text in terminal cells. Nothing else on the
// screen measures text, so that all of it agrees with the terminal and the renderer on
// how wide a word is.
package cells

import "strings"

const blanks = "                                                                                                                                "

// Blank returns n blanks, none when n is negative.
func Blank(n int) string {
	switch {
	case n <= 0:
		return ""
	case n <= len(blanks):
		return blanks[:n]
	}
	return strings.Repeat(" ", n)
}
