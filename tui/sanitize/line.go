package sanitize

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// Line returns s as one line of at most n cells, for names, arguments and
// headings: newlines and runs of blanks become one blank, and what is too long
// ends in "…".
func Line(s string, n int) string {
	if n <= 0 {
		return ""
	}
	// A cell takes at least a byte, and at most a character with its marks; what
	// is far behind the cut need not be read.
	if most := n * 64; len(s) > most {
		s = s[:most]
	}
	whole := strings.Join(strings.Fields(Text(s)), " ")
	line := ansi.Truncate(whole, n, "…")
	// The library may count a sign with a variation selector too small to cut.
	for fewer := n - 1; ansi.StringWidth(line) > n; fewer-- {
		line = ansi.Truncate(whole, fewer, "…")
	}
	return line
}
