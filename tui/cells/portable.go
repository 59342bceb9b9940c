package cells

import (
	"strings"
	"unicode/utf8"
)

// Code points that join or change emoji. Terminals differ in whether they draw
// the result as one, and do not tell.
const (
	joiner   = '\u200d'
	textual  = '\ufe0e' // draws an emoji as text
	pictured = '\ufe0f' // draws text as an emoji
)

// Portable returns a row that every terminal draws at the measured width.
// Terminals that confirm their measure get it unchanged. For others joiners are
// dropped, so that a family is four people, and skin colours become blanks: a
// terminal that joins them would displace the rest of the row. The width stays
// the same.
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

// disputed reports whether Portable may change a row.
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

// isSkin reports whether r is a skin colour.
func isSkin(r rune) bool { return r >= 0x1f3fb && r <= 0x1f3ff }
