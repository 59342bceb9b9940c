package cells

import (
	"image/color"
	"strings"

	"society-tui/themes"
)

// A Framer draws the titles of panes, the rules between them, and the boxes of
// what lies over them.
type Framer struct {
	measure      Measure
	edge, thumb  [2]themes.Pen // not focused, focused
	title, note  [2]themes.Pen
	corners      [4]string
	level, side  string
	thumbs, tail string
	bar          string
}

// NewFramer returns a framer for panes, with ASCII signs only if ascii.
func NewFramer(theme themes.Theme, m Measure, ascii bool) Framer {
	return framerOn(theme, m, ascii, nil)
}

// NewRaisedFramer returns a framer for what lies over the panes.
func NewRaisedFramer(theme themes.Theme, m Measure, ascii bool) Framer {
	return framerOn(theme, m, ascii, theme.Surface)
}

func framerOn(theme themes.Theme, m Measure, ascii bool, back color.Color) Framer {
	strong := themes.Stroke(0)
	if theme.Plain {
		strong = themes.Bold
	}
	pair := func(rest, focus color.Color, s themes.Stroke) [2]themes.Pen {
		return [2]themes.Pen{theme.PenOn(rest, back, 0), theme.PenOn(focus, back, s)}
	}
	f := Framer{
		measure: m,
		edge:    pair(theme.Border, theme.BorderFocus, strong),
		thumb:   pair(theme.Muted, theme.Accent, strong),
		title:   pair(theme.Muted, theme.Accent, themes.Bold),
		note:    pair(theme.Subtle, theme.Muted, 0),
		corners: [4]string{"┌", "┐", "└", "┘"},
		level:   "─",
		side:    "│",
		thumbs:  "┃",
		tail:    "…",
		bar:     "▌",
	}
	if ascii {
		f.corners = [4]string{"-", "-", "-", "-"} // + is the sign of a state
		f.level, f.side, f.thumbs, f.tail = "-", "|", "#", "~"
		f.bar = "|"
	}
	return f
}

// Top returns the upper edge of a frame w cells wide, with a title at its left
// and a note at its right. If both do not fit, the note is dropped, then the
// title is cut. Both are plain text.
func (f *Framer) Top(w int, title, note string, focused bool) string {
	return f.line(w, f.corners[0], f.corners[1], title, note, focused)
}

// Bottom returns the lower edge, with a note as in Top.
func (f *Framer) Bottom(w int, note string, focused bool) string {
	return f.line(w, f.corners[2], f.corners[3], "", note, focused)
}

// Rule returns a line without corners, with a title and a note as in Top. A
// focused pane has a bar at its left.
func (f *Framer) Rule(w int, title, note string, focused bool) string {
	left := f.level
	if focused {
		left = f.bar
	}
	return f.line(w, left, f.level, title, note, focused)
}

// Title returns the first row of a pane without a line, with a title and a note as
// in Top. A focused pane has a bar at its left.
func (f *Framer) Title(w int, title, note string, focused bool) string {
	i := which(focused)
	if w < 3 {
		return Blank(max(w, 0))
	}
	bar := " "
	if focused {
		bar = f.edge[i].Draw(f.bar)
	}
	room := w - 2
	if note != "" && f.measure.Width(title)+f.measure.Width(note)+2 > room {
		note = ""
	}
	title = f.measure.Cut(title, room, f.tail)
	gap := Blank(room - f.measure.Width(title) - f.measure.Width(note))
	return bar + f.title[i].Draw(title) + gap + f.note[i].Draw(note) + " "
}

// KeyAt returns the key that the note of a Title of width w names before a colon at column x, or "".
func (f *Framer) KeyAt(w int, note string, x int) string {
	at := w - 1 - f.measure.Width(note)
	for word := range strings.SplitSeq(note, " ") {
		end := at + f.measure.Width(word)
		if key, _, named := strings.Cut(word, ":"); named && x >= at && x < end {
			return key
		}
		at = end + 1
	}
	return ""
}

// Between returns the rule between two panes side by side, h rows high, with the
// thumb of a scroll bar in rows [first, end).
func (f *Framer) Between(h, first, end int) []string {
	rows := make([]string, h)
	side, thumb := f.Side(false, false), f.Side(false, true)
	for i := range rows {
		rows[i] = side
		if i >= first && i < end {
			rows[i] = thumb
		}
	}
	return rows
}

// Side returns one cell of a frame's side; thumb draws the scroll bar's thumb.
func (f *Framer) Side(focused, thumb bool) string {
	if thumb {
		return f.thumb[which(focused)].Draw(f.thumbs)
	}
	return f.edge[which(focused)].Draw(f.side)
}

func which(focused bool) int {
	if focused {
		return 1
	}
	return 0
}

func (f *Framer) line(w int, left, right, title, note string, focused bool) string {
	i := which(focused)
	edge := f.edge[i]
	if w < 2 {
		return edge.Draw(strings.Repeat(f.level, max(w, 0)))
	}
	room := w - 2
	if note != "" && f.measure.Width(title)+f.measure.Width(note)+6 > room {
		note = ""
	}
	if title != "" {
		title = f.measure.Cut(title, room-3, f.tail)
	}
	var b strings.Builder
	if title == "" {
		b.WriteString(edge.Draw(left))
	} else {
		b.WriteString(edge.Draw(left + " "))
		b.WriteString(f.title[i].Draw(title))
		room -= f.measure.Width(title) + 2
	}
	lead := ""
	if title != "" {
		lead = " "
	}
	if note == "" {
		b.WriteString(edge.Draw(lead + strings.Repeat(f.level, room) + right))
		return b.String()
	}
	room -= f.measure.Width(note) + 2
	b.WriteString(edge.Draw(lead + strings.Repeat(f.level, room) + " "))
	b.WriteString(f.note[i].Draw(note))
	b.WriteString(edge.Draw(" " + right))
	return b.String()
}

// Box returns rows in a frame w cells wide. Each row must be w-2 cells wide.
func (f *Framer) Box(rows []string, w int, title, note string, focused bool) []string {
	boxed := make([]string, 0, len(rows)+2)
	boxed = append(boxed, f.Top(w, title, note, focused))
	side := f.Side(focused, false)
	for _, row := range rows {
		boxed = append(boxed, side+row+side)
	}
	return append(boxed, f.Bottom(w, "", focused))
}

// Thumb returns the rows of the thumb, [first, end), for a list of n rows in a
// window of h rows that begins at top. Both are 0 if all rows fit.
func Thumb(top, h, n int) (first, end int) {
	if n <= h || h <= 0 {
		return 0, 0
	}
	size := max(1, h*h/n)
	first = 0
	if most := n - h; most > 0 {
		first = min(top, most) * (h - size) / most
	}
	return first, first + size
}
