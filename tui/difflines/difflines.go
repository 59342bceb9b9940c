// Package difflines tells the lines of a unified diff apart, also of one that stands in a
// longer text.
package difflines

import (
	"fmt"
	"strings"
)

// A Kind is what a line of a text is in a diff.
type Kind uint8

// The kinds.
const (
	Text    Kind = iota // no line of a diff
	File                // names a file: it begins with --- or +++
	Hunk                // says where lines stand: @@ -1,3 +1,4 @@
	Added               // begins with +
	Removed             // begins with -
	Same                // is in both files
)

// Kinds returns what each line of a text is, nil if there is no diff in it.
func Kinds(text string) []Kind {
	if !strings.Contains(text, "@@ -") {
		return nil
	}
	lines := strings.Split(text, "\n")
	kinds := make([]Kind, len(lines))
	found := false
	var in diff
	for i, line := range lines {
		next := ""
		if i+1 < len(lines) {
			next = lines[i+1]
		}
		kinds[i] = in.next(line, next)
		found = found || kinds[i] == Hunk
	}
	if !found {
		return nil
	}
	return kinds
}

// A diff is how far a diff has been read.
type diff struct {
	indent  string // before each of its lines
	begun   bool   // its files were named
	old, to int    // lines of the hunk that are still to come
}

func (d *diff) next(line, next string) Kind {
	if d.old > 0 || d.to > 0 {
		if kind, in := d.inHunk(strings.TrimPrefix(line, d.indent)); in {
			return kind
		}
		*d = diff{}
	}
	bare := strings.TrimLeft(line, " ")
	indent := line[:len(line)-len(bare)]
	switch {
	case strings.HasPrefix(bare, "--- ") && strings.HasPrefix(next, indent+"+++ "):
		*d = diff{indent: indent, begun: true}
		return File
	case !d.begun:
		return Text
	case strings.HasPrefix(line, d.indent+"+++ "):
		return File
	case d.hunk(strings.TrimPrefix(line, d.indent)):
		return Hunk
	case strings.HasPrefix(line, d.indent+`\ `): // no newline at the end of the file
		return Same
	}
	*d = diff{}
	return Text
}

// inHunk returns the kind of a line of a hunk, and whether it can be one.
func (d *diff) inHunk(line string) (kind Kind, in bool) {
	sign := " "
	if line != "" {
		sign = line[:1]
	}
	switch sign {
	case "+":
		d.to--
		return Added, true
	case "-":
		d.old--
		return Removed, true
	case " ":
		d.old, d.to = d.old-1, d.to-1
		return Same, true
	case `\`:
		return Same, true
	}
	return Text, false
}

// hunk reads the first line of a hunk, and reports whether it is one.
func (d *diff) hunk(line string) bool {
	from, rest, ok := strings.Cut(strings.TrimPrefix(line, "@@ -"), " +")
	to, _, ended := strings.Cut(rest, " @@")
	if !ok || !ended || !strings.HasPrefix(line, "@@ -") {
		return false
	}
	d.old, d.to = count(from), count(to)
	return true
}

// count reads how many lines "12,3" or "12" are.
func count(lines string) int {
	var at, n int
	if read, _ := fmt.Sscanf(lines, "%d,%d", &at, &n); read == 2 {
		return max(n, 0)
	}
	return 1
}
