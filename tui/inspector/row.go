package inspector

import (
	"strings"

	"society-tui/themes"
	"society-tui/tui/cells"
	"society-tui/tui/symbols"
)

// A row collects the pieces of a row of fixed width.
type row struct {
	b     strings.Builder
	used  int
	width int
	set   symbols.Set
}

func (r *Model) row(width int) *row { return &row{width: width, set: r.set} }

// add writes s, cut to the free cells less keep.
func (w *row) add(style themes.Pen, s string, keep int) *row {
	s = w.set.Cut(s, w.width-w.used-keep, w.set.Tail())
	w.b.WriteString(style.Draw(s))
	w.used += w.set.Width(s)
	return w
}

// right writes s at the right edge.
func (w *row) right(style themes.Pen, s string) *row {
	s = w.set.Cut(s, w.width-w.used, w.set.Tail())
	w.upto(w.width - w.set.Width(s))
	return w.add(style, s, 0)
}

// upto pads up to a column.
func (w *row) upto(column int) *row {
	if n := min(column, w.width) - w.used; n > 0 {
		w.b.WriteString(cells.Blank(n))
		w.used += n
	}
	return w
}

func (w *row) String() string {
	w.upto(w.width)
	return w.b.String()
}
