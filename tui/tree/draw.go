package tree

import (
	"fmt"

	"society-tui/tui/cells"
	"society-tui/tui/symbols"
)

// Rows draws the tree: height rows of exactly width cells.
func (r *Model) Rows(width, height int) []string {
	if width <= 0 || height <= 0 {
		return nil
	}
	r.lay()
	r.moving = false
	rows := make([]string, 0, height)
	title, note := r.title(width)
	if r.open {
		rows = append(rows, r.frame.Rule(width, title, note, r.focus))
		return append(rows, r.body(width, height-1, "", "")...)
	}
	if height < 3 || width < 4 {
		return append(rows, r.body(width, height, "", "")...)
	}
	rows = append(rows, r.frame.Top(width, title, note, r.focus))
	rows = append(rows, r.body(width-2, height-2, r.frame.Side(r.focus, false), r.frame.Side(r.focus, true))...)
	return append(rows, r.frame.Bottom(width, r.marked(), r.focus))
}

// Cursor returns where the terminal's cursor belongs while a filter is typed:
// behind its last character, in the upper edge.
func (r *Model) Cursor(width int) (x, y int, ok bool) {
	if !r.filter.editing {
		return 0, 0, false
	}
	title, _ := r.title(width)
	return min(2+r.set.Width(title), width-2), 0, true
}

// title is what stands in the upper edge. Of a filter that is too long for it the
// end is shown, where it is typed.
func (r *Model) title(width int) (title, note string) {
	n := symbols.Count(len(r.nodes))
	if r.filter.editing || r.filter.text != "" {
		note = r.matching() + "/" + n
		return "/" + r.end(r.filter.text, width-edges-r.set.Width(note)), note
	}
	if r.filter.show != All {
		n = r.matching() + "/" + n
	}
	title, note = r.words.Title+" "+n, r.keys.show+":"+r.showing()
	if r.order == BySpawn {
		return title, note
	}
	if sorted := r.keys.order + ":" + r.ordering(); r.set.Width(title+note+sorted)+edges <= width {
		return title, note + "  " + sorted
	} else if r.filter.show == All { // the rarer one of the two is said
		return title, sorted
	}
	return title, note
}

// edges are the corners of the upper edge, the blanks in it, and some of the line.
const edges = 10

// end returns s, or where it is wider than w the end of it behind a mark that
// something is missing.
func (r *Model) end(s string, w int) string {
	if r.set.Width(s) <= w || w < 4 {
		return s
	}
	return r.set.Tail() + r.set.End(s, w-1)
}

// matching counts the agents that are not only shown because they stand above
// others.
func (r *Model) matching() string {
	n := 0
	for _, l := range r.flat {
		if l.node != nil && r.filter.matches(l.node, r.now) {
			n++
		}
	}
	if !r.filter.active() {
		n = len(r.nodes)
	}
	return symbols.Count(n)
}

func (r *Model) marked() string {
	if r.marks == 0 {
		return ""
	}
	return fmt.Sprintf(r.words.Marked, r.marks)
}

// body draws the lines that fit into height rows, between sides. It leaves a row
// for what is to be said where there is no tree to see.
func (r *Model) body(width, height int, side, thumb string) []string {
	r.height = height
	r.settle()
	r.checkSelection(width)
	rows := make([]string, 0, max(height, 0))
	first, end := cells.Thumb(r.top, height, len(r.flat))
	for i := range height {
		right := side
		if i >= first && i < end {
			right = thumb
		}
		at := r.top + i
		if at < len(r.flat) {
			rows = append(rows, side+r.sel.Draw(r.set.Measure, r.line(at, width), 0, at)+right)
			continue
		}
		rows = append(rows, side+r.remark(at-len(r.flat), width)+right)
	}
	return rows
}

// settle puts the first drawn line where the list fills the rows and, unless the
// person has scrolled away, the selected one is among them.
func (r *Model) settle() {
	if !r.free && r.height > 0 {
		r.top = min(r.top, r.cursor)
		r.top = max(r.top, r.cursor-r.height+1)
	}
	r.top = max(min(r.top, len(r.flat)-r.height), 0)
}

// remark is the n-th row beneath the tree: the first says why there is none.
func (r *Model) remark(n, width int) string {
	text := ""
	switch {
	case n != 0, !r.loaded:
	case len(r.nodes) == 0:
		text = r.words.Empty
	case r.filter.active() && len(r.flat) == 1:
		text = r.words.NoMatch
	}
	return r.pens.note.Draw(r.set.Fit("  "+text, width, r.set.Tail()))
}
