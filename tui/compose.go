package tui

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"society-tui/tui/cells"
)

// A part is what one room drew and where it belongs. Its rows are exactly as wide
// as its place.
type part struct {
	at   rect
	rows []string
}

// join puts parts beside and below each other into the rows of a screen. The
// parts must cover the screen and come ordered from left to right.
func join(h int, parts []part) []string {
	lines := make([]string, h)
	for y := range lines {
		first, more := "", false
		var b strings.Builder
		for i := range parts {
			p := &parts[i]
			if y < p.at.y || y >= p.at.y+p.at.h {
				continue
			}
			row := p.row(y - p.at.y)
			switch {
			case more:
				b.WriteString(row)
			case first == "":
				first = row // the only one of most lines: nothing to join
			default:
				more = true
				b.WriteString(first)
				b.WriteString(row)
			}
		}
		if more {
			lines[y] = b.String()
		} else {
			lines[y] = first
		}
	}
	return lines
}

// row returns the n-th row, a blank one where the room drew fewer.
func (p *part) row(n int) string {
	if n < len(p.rows) {
		return p.rows[n]
	}
	return cells.Blank(p.at.w)
}

// overlay lays a part over lines that are w cells wide.
func overlay(m cells.Measure, lines []string, w int, p part) {
	for i, row := range p.rows {
		if y := p.at.y + i; y >= 0 && y < len(lines) && i < p.at.h {
			lines[y] = cutIn(m, lines[y], w, p.at.x, p.at.w, row)
		}
	}
}

// aboveComposer is how high an overlay may be that leaves the composer whole: all of
// the screen where that would be too little.
func (l *layout) aboveComposer() int {
	const enough = 16
	if l.composer.y < enough {
		return l.h
	}
	return l.composer.y
}

// sliver is the most that may be left of the rooms beside an overlay that covers
// them from top to bottom: no more than pieces of their frames.
const sliver = 3

// clear takes away what an overlay that covers nearly all of the rooms would leave
// of them. Header, message and keys stay.
func (l *layout) clear(lines []string, p part) {
	top, end := l.header.y+l.header.h, l.composer.y+l.composer.h
	if p.at.x == 0 || p.at.x > sliver || p.at.y-top > sliver || end-p.at.y-p.at.h > sliver {
		return
	}
	for y := max(min(top, p.at.y), 0); y < min(max(end, p.at.y+p.at.h), len(lines)); y++ {
		lines[y] = cells.Blank(l.w)
	}
}

// cutIn puts piece, n cells wide, at cell x into line. A wide character that
// stands half under it is replaced by a blank.
func cutIn(m cells.Measure, line string, w, x, n int, piece string) string {
	right := ""
	if w-x-n > 0 {
		right = m.Drop(line, x+n)
	}
	left := m.Cut(line, x, "")
	return left + ansi.ResetStyle + cells.Blank(x-m.Width(left)) + piece + ansi.ResetStyle + right
}
