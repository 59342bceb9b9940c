package layout

import (
	"strings"

	"github.com/charmbracelet/x/ansi"

	"society-tui/tui/cells"
)

// A Part is the rows of a pane with their place. Rows are exactly as wide as
// the place.
type Part struct {
	At   Rect
	Rows []string
}

// Join joins parts into the rows of a screen. The parts must cover the screen
// and be ordered from left to right.
func Join(h int, parts []Part) []string {
	lines := make([]string, h)
	for y := range lines {
		first, more := "", false
		var b strings.Builder
		for i := range parts {
			p := &parts[i]
			if y < p.At.Y || y >= p.At.Y+p.At.H {
				continue
			}
			row := p.row(y - p.At.Y)
			switch {
			case more:
				b.WriteString(row)
			case first == "":
				first = row // most lines have one part: nothing to join
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

// row returns row n, or a blank one if the pane drew fewer.
func (p *Part) row(n int) string {
	if n < len(p.Rows) {
		return p.Rows[n]
	}
	return cells.Blank(p.At.W)
}

// Overlay draws a part over lines that are w cells wide.
func Overlay(m cells.Measure, lines []string, w int, p Part) {
	for i, row := range p.Rows {
		if y := p.At.Y + i; y >= 0 && y < len(lines) && i < p.At.H {
			lines[y] = cutIn(m, lines[y], w, p.At.X, p.At.W, row)
		}
	}
}

// AboveComposer returns how high an overlay can be without covering the
// composer, or the height of the screen if that is too little.
func (l *Layout) AboveComposer() int {
	const enough = 16
	if l.Composer.Y < enough {
		return l.H
	}
	return l.Composer.Y
}

// sliver is the width up to which panes beside a full-height overlay are
// blanked, because only pieces of their frames would show.
const sliver = 3

// Clear blanks what is left of the panes beside an overlay that covers nearly
// all of them. Header, message and hints stay.
func (l *Layout) Clear(lines []string, p Part) {
	top, end := l.Header.Y+l.Header.H, l.Composer.Y+l.Composer.H
	if p.At.X == 0 || p.At.X > sliver || p.At.Y-top > sliver || end-p.At.Y-p.At.H > sliver {
		return
	}
	for y := max(min(top, p.At.Y), 0); y < min(max(end, p.At.Y+p.At.H), len(lines)); y++ {
		lines[y] = cells.Blank(l.W)
	}
}

// cutIn replaces n cells at cell x of line with piece. A wide character that is
// split becomes a blank.
func cutIn(m cells.Measure, line string, w, x, n int, piece string) string {
	right := ""
	if w-x-n > 0 {
		right = m.Drop(line, x+n)
	}
	left := m.Cut(line, x, "")
	return left + ansi.ResetStyle + cells.Blank(x-m.Width(left)) + piece + ansi.ResetStyle + right
}
