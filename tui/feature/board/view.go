package board

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"society-tui/themes"
	"society-tui/tui/agenttable"
	"society-tui/tui/cells"
	"society-tui/tui/layout"
	"society-tui/tui/replica"
	"society-tui/tui/symbols"
)

// headRows are the rows above the agents: the title and the headings.
const headRows = 2

// View draws the board between header and composer. Only the visible rows are made.
func (f *Feature) View(screen *layout.Layout) (layout.Part, *tea.Position) {
	f.at = layout.Rect{X: 0, Y: screen.Header.H, W: screen.W, H: screen.Composer.Y - screen.Header.H}
	width := f.at.W - 1 // beside the scroll bar
	f.height = max(f.at.H-headRows, 0)
	f.arrange()
	f.scroll()
	f.columns = columnsFor(width, f.order.By)

	title, note := f.title(), f.note()
	rows := []string{f.frame.Title(f.at.W, title, note, true), f.headings(width) + " "}
	first, end := cells.Thumb(f.top, f.height, len(f.rows))
	for i := range f.height {
		right := " "
		if i >= first && i < end {
			right = f.frame.Side(true, true)
		}
		rows = append(rows, f.row(f.top+i, width)+right)
	}
	part := layout.Part{At: f.at, Rows: rows[:min(len(rows), max(f.at.H, 0))]}
	if !f.filter.typing {
		return part, nil
	}
	return part, &tea.Position{X: min(1+f.set.Width(title), f.at.W-1), Y: f.at.Y}
}

// scroll keeps the rows full and, unless the user has scrolled away, the selected one visible.
func (f *Feature) scroll() {
	if !f.free {
		f.top = max(min(f.top, f.cursor), f.cursor-f.height+1)
	}
	f.top = max(min(f.top, len(f.rows)-f.height), 0)
}

// title is the filter, or what the board is, with how many agents it shows.
func (f *Feature) title() string {
	count := symbols.Count(f.Replica.Len())
	if f.filter.IsActive() {
		count = symbols.Count(len(f.rows)) + "/" + count
	}
	if f.filter.typing || f.filter.text != "" {
		const edges = 12
		return "/" + f.set.End(f.filter.text, max(f.at.W-edges-len(count), 4))
	}
	return f.Text(textTitle) + " " + count
}

// note tells of marks, filter and order, with their keys.
func (f *Feature) note() string {
	var parts []string
	if n := len(f.cfg.Marked()); n > 0 {
		parts = append(parts, f.Text(textMarked, n))
	}
	if f.filter.typing || f.filter.text != "" {
		parts = append(parts, symbols.Count(len(f.rows))+"/"+symbols.Count(f.Replica.Len()))
	}
	return strings.Join(append(parts,
		f.Printer.Key("board.show")+":"+f.Text(shows[f.filter.Show]),
		f.Printer.Key("board.sort_next")+":"+strings.ToLower(f.Text(f.order.By.Title()))+f.arrow(),
	), "  ")
}

// arrow points down if the values get less from top to bottom.
func (f *Feature) arrow() string {
	switch up := f.order.By.Ascends() != f.order.Reversed; {
	case up && f.set.ASCII:
		return "^"
	case up:
		return "▲"
	case f.set.ASCII:
		return "v"
	}
	return "▼"
}

func (f *Feature) headings(width int) string {
	p := painter{set: f.set}
	p.pad(f.heading, lead)
	for _, c := range f.columns {
		title, pen := f.Text(c.Title()), f.heading
		if c.Column == f.order.By {
			title, pen = title+f.arrow(), f.sortedHeading
		}
		p.cell(pen, f.heading, c, title)
	}
	p.pad(f.heading, width)
	return p.String()
}

// row draws a row, or an empty one below the last; the first of these tell why there is no agent.
func (f *Feature) row(at, width int) string {
	p := painter{set: f.set}
	if at >= len(f.rows) {
		p.draw(f.heading, f.remark(at, width))
		p.pad(f.heading, width)
		return p.String()
	}
	a, l := f.rows[at], &f.plain
	if at == f.cursor {
		l = &f.chosen
	}
	kind := l.kinds[a.Kind.Role()]
	p.draw(l.accent, f.sign(a, at == f.cursor))
	p.draw(kind, f.set.Symbol(a.Kind, 0))
	p.pad(l.text, lead)
	now := f.Now()
	for _, c := range f.columns {
		pen := l.muted
		switch c.Column {
		case agenttable.Name:
			pen = l.text
		case agenttable.State:
			pen = kind
		}
		p.cell(pen, l.text, c, f.table.Text(c.Column, a, now))
	}
	p.pad(l.text, width)
	return p.String()
}

// remark explains why the board is empty, in its first rows.
func (f *Feature) remark(at, width int) string {
	if len(f.rows) > 0 || !f.Replica.IsKnown() {
		return ""
	}
	text := f.Text(textNoMatch, strings.TrimSpace(f.filter.text))
	switch {
	case f.Replica.Len() == 0:
		text = f.Text(textEmpty)
	case f.filter.Show != replica.All:
		text = f.Text(textNoneShown, strings.TrimSpace(f.Text(shows[f.filter.Show])+" "+f.filter.text))
	}
	const indent = 2
	if rows := f.set.Wrap(text, max(width-indent, 1)); at < len(rows) {
		return f.set.Cut("  "+rows[at], width, f.set.Tail())
	}
	return ""
}

// sign is the first cell of a row.
func (f *Feature) sign(a *replica.Agent, selected bool) string {
	switch marked := f.cfg.IsMarked(a.Row.ID); {
	case marked && selected:
		return f.set.Mark(symbols.MarkedCursor)
	case marked:
		return f.set.Mark(symbols.Marked)
	case selected:
		return f.set.Mark(symbols.Cursor)
	}
	return " "
}

// A painter collects the pieces of a row and counts their cells.
type painter struct {
	strings.Builder
	set   symbols.Set
	width int
}

func (p *painter) draw(pen themes.Pen, s string) {
	p.WriteString(pen.Draw(s))
	p.width += p.set.Width(s)
}

// pad fills the row up to cell x.
func (p *painter) pad(pen themes.Pen, x int) { p.draw(pen, cells.Blank(x-p.width)) }

// cell draws the text of a column in its place.
func (p *painter) cell(pen, blank themes.Pen, c column, text string) {
	p.pad(blank, c.x)
	if c.IsNumber() {
		text = p.set.FitRight(text, c.width, "")
	} else {
		text = p.set.Cut(text, c.width, p.set.Tail())
	}
	p.draw(pen, text)
}
