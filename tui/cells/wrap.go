package cells

import (
	"strings"
	"unicode/utf8"
)

// unopened are signs that must not begin a line in a script without blanks.
const unopened = "。，、；：？！）」』】》〉”’…,.;:?!)]}"

// Wrap breaks s into lines of at most w cells: between words if possible, and
// between the characters of a script without blanks. Newlines are kept. It
// returns at least one line. s holds no escape sequences.
func (m Measure) Wrap(s string, w int) []string {
	if w <= 0 {
		return []string{""}
	}
	var rows []string
	if m.hasWide(s) {
		for line := range strings.SplitSeq(s, "\n") {
			rows = append(rows, m.wrapWide(line, w)...)
		}
		return rows
	}
	for row := range strings.SplitSeq(m.method().Wrap(s, w, ""), "\n") {
		if m.Width(row) <= w {
			rows = append(rows, row)
			continue
		}
		// The library lets a blank before a long word, and a wide character, exceed the
		// width.
		m.Hard(row, w, func(part string, _ int) { rows = append(rows, part) })
	}
	return rows
}

// CanBreak reports whether a line can be broken before and after a character of
// that width, as in a script without blanks. Some letters of other scripts are
// two cells wide with their marks, but hold together.
func CanBreak(cluster string, cells int) bool {
	if cells < 2 {
		return false
	}
	r, size := utf8.DecodeRuneInString(cluster)
	return isFlag(r) || ByCodePoint.Width(cluster[:size]) > 1
}

// isFlag reports whether r is one of the two code points of a flag.
func isFlag(r rune) bool { return r >= 0x1f1e6 && r <= 0x1f1ff }

// hasWide reports whether s contains a character that CanBreak.
func (m Measure) hasWide(s string) bool {
	for s != "" {
		c, n := m.First(s)
		if CanBreak(c, n) {
			return true
		}
		s = s[len(c):]
	}
	return false
}

// wrapWide wraps one line of a script without blanks: it can break around each
// wide character, but not before closing punctuation.
func (m Measure) wrapWide(s string, w int) []string {
	var rows []string
	var row, word string // word cannot be broken off from what follows
	used, wide := 0, 0   // their widths
	end := func() {
		rows = append(rows, strings.TrimRight(row, " "))
		row, used = "", 0
	}
	put := func() {
		if used > 0 && used+wide > w {
			end()
			word = strings.TrimLeft(word, " ")
			wide = m.Width(word)
		}
		row, used = row+word, used+wide
		word, wide = "", 0
	}
	breaks := false // after the previous character
	for s != "" {
		c, n := m.FirstWithin(s, w)
		s = s[len(c):]
		before := breaks
		breaks = CanBreak(c, n)
		if !strings.Contains(unopened, c) && (breaks || before || c == " ") || wide+n > w {
			put()
		}
		word, wide = word+c, wide+n
	}
	put()
	if used > 0 || len(rows) == 0 {
		end()
	}
	return rows
}

// Hard breaks a line without escape sequences wherever w cells are full, and
// calls emit with each part. There is at least one. A character wider than w is
// split into its code points, and a single code point becomes a question mark.
func (m Measure) Hard(line string, w int, emit func(part string, cells int)) {
	start, used := 0, 0
	for at := 0; at < len(line); {
		c, n := m.FirstWithin(line[at:], w)
		if n > w {
			if at > start {
				emit(line[start:at], used)
			}
			emit("?", 1)
			at += len(c)
			start, used = at, 0
			if at == len(line) {
				return
			}
			continue
		}
		if used+n > w {
			emit(line[start:at], used)
			start, used = at, 0
		}
		used += n
		at += len(c)
	}
	emit(line[start:], used)
}
