package sanitize

import (
	"strings"

	"society-tui/tui/cells"
)

// Line returns s as one line of at most n cells, for names, arguments and
// headings: newlines and runs of blanks become one blank, and a longer text
// ends in "…". It is the same for every terminal; widgets cut it further.
func Line(s string, n int) string {
	if n <= 0 {
		return ""
	}
	// A cell takes at most one character with its marks, so what is far behind the
	// cut need not be read.
	if most := n * 64; len(s) > most {
		s = s[:most]
	}
	return cells.ByCodePoint.Cut(strings.Join(strings.Fields(Text(s)), " "), n, "…")
}
