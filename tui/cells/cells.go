// Package cells measures, cuts and frames text in terminal cells. Every room
// measures with it, so that all of them agree on how wide a word is.
package cells

import (
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// Width returns how many cells s takes on a terminal, by grapheme cluster.
// Escape sequences take none.
func Width(s string) int {
	for i := range len(s) {
		if s[i] < 0x20 || s[i] > 0x7e {
			return ansi.StringWidth(s)
		}
	}
	return len(s)
}

// Cut returns s if it fits into w cells, else what fits before tail with tail
// behind it. Where not even tail fits, it returns as much of s as there is room
// for. It keeps escape sequences.
func Cut(s string, w int, tail string) string {
	if w <= 0 {
		return ""
	}
	if Width(s) <= w {
		return s
	}
	if Width(tail) >= w {
		tail = ""
	}
	cut := ansi.Truncate(s, w, tail)
	// The library may count a sign with a variation selector too small to cut.
	for fewer := w - 1; Width(cut) > w; fewer-- {
		cut = ansi.Truncate(s, fewer, tail)
	}
	return cut
}

// Fit returns s in exactly w cells: cut, or with blanks behind it.
func Fit(s string, w int, tail string) string {
	s = Cut(s, w, tail)
	return s + Blank(w-Width(s))
}

// FitRight returns s in exactly w cells with its end at the right edge: cut, or
// with blanks before it.
func FitRight(s string, w int, tail string) string {
	s = Cut(s, w, tail)
	return Blank(w-Width(s)) + s
}

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

// Wrap breaks s into lines of at most w cells, between words where it can, and
// between the characters of a script without blanks. Its newlines stay. It
// returns at least one line.
func Wrap(s string, w int) []string {
	if w <= 0 {
		return []string{""}
	}
	var rows []string
	if !hasWide(s) {
		for row := range strings.SplitSeq(ansi.Wrap(s, w, ""), "\n") {
			if Width(row) <= w {
				rows = append(rows, row)
				continue
			}
			// The library lets a blank before a long word stand out.
			rows = append(rows, strings.Split(ansi.Hardwrap(row, w, true), "\n")...)
		}
		return rows
	}
	for line := range strings.SplitSeq(s, "\n") {
		rows = append(rows, wrapWide(line, w)...)
	}
	return rows
}

// First returns the first character of s as a reader sees it, a grapheme
// cluster, and how many bytes it has.
func First(s string) (cluster string, bytes int) {
	if s == "" {
		return "", 0
	}
	if s[0] < utf8.RuneSelf && (len(s) == 1 || s[1] < utf8.RuneSelf) {
		return s[:1], 1
	}
	cluster, _ = ansi.FirstGraphemeCluster(s, ansi.GraphemeWidth)
	return cluster, len(cluster)
}
