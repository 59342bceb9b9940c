package cells

import (
	"strings"
	"unicode/utf8"
)

// Signs that change how wide a terminal draws the emoji beside them, if it joins the
// two: some do, some do not, and none says so.
const (
	joiner   = '\u200d'
	textual  = '\ufe0e' // asks for an emoji to be drawn as a letter
	pictured = '\ufe0f' // asks for a letter to be drawn as an emoji
)

// Portable returns a row so that every terminal draws it as wide as it is measured.
// One that confirms how it measures gets it as it is. For others what joins emoji is
// left out, so that a family is four people, and a skin's colour is blank: a terminal
// that joins them without saying so would displace the rest of the row. The width
// stays.
func (m Measure) Portable(row string) string {
	if m == ByCluster || !disputed(row) {
		return row
	}
	var b strings.Builder
	b.Grow(len(row))
	last := rune(0)
	for _, r := range row {
		switch {
		case r == textual, r == pictured, r == joiner && isPicture(last):
			continue
		case isSkin(r):
			b.WriteString("  ")
		default:
			b.WriteRune(r)
		}
		last = r
	}
	return b.String()
}

// disputed reports whether Portable has something to change in a row, or may have.
func disputed(row string) bool {
	for _, sign := range []string{"\u200d", "\ufe0e", "\ufe0f", "\U0001f3fb"[:3]} {
		if strings.Contains(row, sign) {
			return true
		}
	}
	return false
}

// isPicture reports whether r can be a part of a joined emoji. The letters of scripts
// that join stand below.
func isPicture(r rune) bool { return r >= 0x2190 && r != utf8.RuneError }

// isSkin reports whether r colours the emoji before it.
func isSkin(r rune) bool { return r >= 0x1f3fb && r <= 0x1f3ff }
