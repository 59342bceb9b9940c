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

// WithoutLastWord returns text as ctrl+w leaves it: without the last word and the blanks
// behind it.
func WithoutLastWord(text string) string {
	text = strings.TrimRight(text, " ")
	return text[:strings.LastIndexByte(text, ' ')+1]
}
