package cells

import "strings"

// unopened are signs that do not begin a line in a script without blanks.
const unopened = "。，、；：？！）」』】》〉”’…,.;:?!)]}"

// hasWide says whether s holds a character of two cells. A text with escape
// sequences is left to those who understand them.
func hasWide(s string) bool {
	if strings.ContainsRune(s, '\x1b') {
		return false
	}
	for s != "" {
		c, n := First(s)
		if Width(c) > 1 {
			return true
		}
		s = s[n:]
	}
	return false
}

// wrapWide is Wrap for one line of a script without blanks: it may be broken
// before and behind each wide character, but not before what ends a sentence.
func wrapWide(s string, w int) []string {
	var rows []string
	var row, word string // word may not be broken off from what follows
	used, wide := 0, 0   // their cells
	end := func() {
		rows = append(rows, strings.TrimRight(row, " "))
		row, used = "", 0
	}
	put := func() {
		if used > 0 && used+wide > w {
			end()
			word = strings.TrimLeft(word, " ")
			wide = Width(word)
		}
		row, used = row+word, used+wide
		word, wide = "", 0
	}
	before := 0 // cells of the character before
	for s != "" {
		c, n := First(s)
		s = s[n:]
		cw := Width(c)
		if !strings.Contains(unopened, c) && (cw > 1 || before > 1 || c == " ") || wide+cw > w {
			put()
		}
		word, wide, before = word+c, wide+cw, cw
	}
	put()
	if used > 0 || len(rows) == 0 {
		end()
	}
	return rows
}
