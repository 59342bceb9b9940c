package layout

import (
	"strings"
	"unicode"
	"unicode/utf8"

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

// Overlay draws a part over lines that are w cells wide. Beside it stay whole words,
// where there is room for some.
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

// sliver is the width up to which panes beside an overlay that covers nearly all
// are blanked, because only pieces would show. In fewer than readable cells beside
// any overlay nothing shows.
const (
	sliver   = 3
	readable = 16
)

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

// cutIn replaces n cells at cell x of line with piece. A word that is split on
// either side is blanked, and so is a wide character.
func cutIn(m cells.Measure, line string, w, x, n int, piece string) string {
	left, right := wordsBeside(m, ansi.Strip(line), x, x+n)
	if x < readable {
		left = 0
	}
	if w-x-n < readable {
		right = w
	}
	before, after := m.Cut(line, left, ""), ""
	if right < w {
		after = m.Drop(line, right)
	}
	gap := cells.Blank(min(right, w) - x - n)
	return before + ansi.ResetStyle + cells.Blank(x-m.Width(before)) + piece + ansi.ResetStyle + gap + after
}

// wordsBeside returns where the words of a row that lie wholly before cell x end,
// and where those begin that lie wholly behind cell end.
func wordsBeside(m cells.Measure, row string, x, end int) (left, right int) {
	left, right = x, end
	begin, afterIdeograph := -1, false // begin is that of the word at hand
	for at := 0; row != "" && at <= end; {
		c, w := m.First(row)
		row = row[len(c):]
		switch {
		case !inWord(c):
			begin = -1
		case begin < 0 || isIdeograph(c) || afterIdeograph:
			begin = at
		}
		afterIdeograph = isIdeograph(c)
		next, goesOn := at+w, !afterIdeograph && goesOnInWord(m, row)
		if at < x && next >= x && begin >= 0 && (next > x || goesOn) {
			left = begin
		}
		if at < end && next >= end && begin >= 0 && (next > end || goesOn) {
			if right = next; goesOn {
				right += wordWidth(m, row)
			}
		}
		at = next
	}
	return left, right
}

// inWord reports whether a character is part of a word. Blanks, rules and bars are not.
func inWord(c string) bool {
	r, _ := utf8.DecodeRuneInString(c)
	return !unicode.IsSpace(r) && (r < 0x2500 || r > 0x259f)
}

// isIdeograph reports whether a character is a word of its own, as in Chinese and Japanese, or one of
// their marks.
func isIdeograph(c string) bool {
	r, _ := utf8.DecodeRuneInString(c)
	return r >= 0x2e80 && r <= 0xffef && !unicode.Is(unicode.Hangul, r)
}

// goesOnInWord reports whether the word before a row goes on in it.
func goesOnInWord(m cells.Measure, row string) bool {
	c, _ := m.First(row)
	return c != "" && inWord(c) && !isIdeograph(c)
}

// wordWidth returns the width of what goes on of a word in a row.
func wordWidth(m cells.Measure, row string) (width int) {
	for goesOnInWord(m, row) {
		c, w := m.First(row)
		row, width = row[len(c):], width+w
	}
	return width
}
