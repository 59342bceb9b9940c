package cells

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// Wrap breaks plain text into lines of at most w cells, between words where it
// can: Chinese, Japanese and Korean between any two characters, but no line
// begins with a closing sign or ends with an opening one. The text's own newlines
// stay. It returns at least one line; only a character that is wider than w makes
// one wider.
func Wrap(s string, w int) []string {
	if w <= 0 {
		return []string{""}
	}
	var lines []string
	for line := range strings.SplitSeq(s, "\n") {
		lines = wrapLine(lines, line, w)
	}
	return lines
}

// wrapLine appends the rows of one line.
func wrapLine(rows []string, s string, w int) []string {
	start, breakAt := 0, 0 // of the row, and where it was last possible to end it
	used, sinceBreak := 0, 0
	before := "" // the character before the present one
	for at := 0; at < len(s); {
		c, size := First(s[at:])
		wide := Width(c)
		if mayBreak(before, c) {
			breakAt, sinceBreak = at, 0
		}
		if used+wide > w && c != " " && at > start {
			if breakAt <= start {
				breakAt, sinceBreak = at, 0 // a word that is longer than a row
			}
			rows = append(rows, strings.TrimRight(s[start:breakAt], " "))
			start, used = breakAt, sinceBreak
		}
		used += wide
		sinceBreak += wide
		before = c
		at += size
	}
	return append(rows, strings.TrimRight(s[start:], " "))
}

// mayBreak says whether a row may end between two characters.
func mayBreak(before, c string) bool {
	switch {
	case before == "" || c == " ":
		return false
	case before == " ":
		return true
	}
	last, _ := utf8.DecodeRuneInString(before)
	next, _ := utf8.DecodeRuneInString(c)
	switch {
	case Closing(next) || Opening(last):
		return false
	case before == "-":
		return next >= 'A'
	}
	return ansi.StringWidth(before) > 1 || ansi.StringWidth(c) > 1
}

// Closing says whether a row should not begin with r.
func Closing(r rune) bool {
	return strings.ContainsRune("，。、；：？！）】」』》〉〕｝］”’…—～·%‰℃々ー"+",.;:?!)]}", r)
}

// Opening says whether a row should not end with r.
func Opening(r rune) bool {
	return strings.ContainsRune("（【「『《〈〔｛［“‘"+"([{", r)
}
