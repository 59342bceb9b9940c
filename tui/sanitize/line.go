package sanitize

import (
	"strings"

	"society-tui/tui/cells"
)

// Line returns s as one line of at most n cells, for names, arguments and
// headings: newlines and runs of blanks become one blank, and what is too long
// ends in "…". It is the same for every terminal: who draws it cuts it to the room
// there is.
func Line(s string, n int) string {
	if n <= 0 {
		return ""
	}
	// A cell takes at least a byte, and at most a character with its marks; what
	// is far behind the cut need not be read.
	if most := n * 64; len(s) > most {
		s = s[:most]
	}
	return cells.ByCodePoint.Cut(strings.Join(strings.Fields(Text(s)), " "), n, "…")
}
