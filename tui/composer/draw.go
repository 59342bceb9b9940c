package composer

import (
	"strings"
	"unicode/utf8"

	"society-tui/runtime/society"
	"society-tui/themes"
	"society-tui/tui/cells"
	"society-tui/tui/symbols"
)

type styles struct {
	text, hint, block, prompt, marked themes.Pen
}

func newStyles(t themes.Theme) styles {
	return styles{
		text:   t.Pen(t.Text, 0),
		hint:   t.Pen(t.Subtle, faint(t)),
		block:  t.Pen(t.Code, themes.Bold),
		prompt: t.Pen(t.Accent, themes.Bold),
		marked: t.SelectionPen(),
	}
}

// faint marks the placeholder in themes without colours.
func faint(t themes.Theme) themes.Stroke {
	if t.Subtle == nil {
		return themes.Faint
	}
	return 0
}

// A plan is the position of the text in the composer's rectangle.
type plan struct {
	top, bottom bool // has a border or rule
	lead        string
	x, y        int // of the first cell of text
	width, rows int // of the text
}

func (r *Model) plan(width, height int) plan {
	switch {
	case height <= 1 || width < 6:
		lead := r.set.Cut(r.name()+r.aside(width)+"> ", max(width/2, 0), "")
		return plan{lead: lead, x: r.set.Width(lead), width: max(width-1-r.set.Width(lead), 1), rows: height}
	case r.open || height == 2:
		p := plan{top: true, lead: "> ", x: 2, y: 1, width: max(width-3, 1), rows: height - 1}
		if height > 2 {
			p.bottom, p.rows = true, height-2
		}
		return p
	}
	return plan{top: true, bottom: true, x: 2, y: 1, width: max(width-4, 1), rows: height - 2}
}

// Rows draws the composer: height rows of exactly width cells.
func (r *Model) Rows(width, height int) []string {
	if width <= 0 || height <= 0 {
		return nil
	}
	p := r.settle(width, height)
	boxed := p.top && p.bottom && !r.open
	var rows []string
	switch {
	case boxed:
		rows = append(rows, r.frame.Top(width, r.title(), r.note(width, p), r.focus))
	case p.top:
		rows = append(rows, r.frame.Rule(width, r.title(), r.note(width, p), r.focus))
	}
	for i, row := range r.body(p) {
		switch {
		case boxed:
			side := r.frame.Side(r.focus, false)
			row = side + " " + row + " " + side
		default:
			lead := p.lead
			if i > 0 {
				lead = cells.Blank(p.x)
			}
			row = r.styles.prompt.Draw(lead) + row + " "
		}
		rows = append(rows, r.set.Fit(row, width, ""))
	}
	switch {
	case boxed:
		rows = append(rows, r.frame.Bottom(width, r.beneath(width, p), r.focus))
	case p.bottom:
		rows = append(rows, r.frame.Rule(width, "", r.beneath(width, p), r.focus))
	}
	return rows
}

// settle wraps the text and scrolls to the cursor.
func (r *Model) settle(width, height int) plan {
	p := r.plan(width, height)
	r.width = p.width
	row, _ := r.draft.at(p.width)
	r.top = min(r.top, row)
	r.top = max(r.top, row-p.rows+1)
	r.top = max(min(r.top, r.draft.count(p.width)-p.rows), 0)
	return p
}

// Cursor returns the position of the terminal's cursor in the rows.
func (r *Model) Cursor(width, height int) (x, y int) {
	p := r.settle(width, height)
	row, col := r.draft.at(p.width)
	return p.x + col, p.y + row - r.top
}

func (r *Model) name() string {
	if r.to.Agent == society.User {
		return string(society.Root)
	}
	return r.to.Name
}

func (r *Model) title() string {
	if r.to.Title != "" {
		return r.to.Title
	}
	title := r.text(textTo, r.name())
	switch {
	case r.to.Looks:
		return title + r.text(textAside, r.text(textLooks))
	case r.to.Agent == society.User:
		return title + r.text(textAside, r.text(textYou))
	case r.to.Asks:
		return title + r.text(textAside, r.text(textAnswers))
	case r.to.Stopped:
		return title + r.text(textAside, r.text(textStopped))
	case r.to.Held:
		return title + r.text(textAside, r.text(textHeld))
	case r.to.Paused:
		return title + r.text(textAside, r.text(textPaused))
	}
	return title
}

// note is the text in the upper edge: the size of a large text, the rows above,
// the recipient's unread messages, and the key for a new line. The last ones
// are dropped first if they do not fit.
func (r *Model) note(width int, p plan) string {
	const edges = 8
	left := width - r.set.Width(r.title()) - edges
	var notes []string
	if r.to.Other != "" {
		notes = append(notes, r.to.Other)
	}
	if said, brief := r.large(); said != "" && r.to.Title == "" {
		if r.set.Width(said) > left {
			said = brief
		}
		notes = append(notes, said)
	}
	if r.top > 0 {
		notes = append(notes, r.text(textAbove, r.top))
	}
	if n := r.hidden(p); n > 0 && !p.bottom {
		notes = append(notes, r.text(textBelow, n))
	}
	if r.to.Title != "" {
		return strings.Join(notes, r.dot)
	}
	if r.to.Waiting > 0 {
		notes = append(notes, r.text(symbols.TextUnread, r.to.Waiting))
	}
	if width >= 80 {
		notes = append(notes, r.text(textNewline, r.newline))
	}
	for len(notes) > 1 && r.set.Width(strings.Join(notes, r.dot)) > left {
		notes = notes[:len(notes)-1]
	}
	return strings.Join(notes, r.dot)
}

// hidden returns the number of rows below the visible ones.
func (r *Model) hidden(p plan) int { return max(r.draft.count(p.width)-r.top-p.rows, 0) }

// beneath is the text in the lower edge: the files that go with the text, the history
// search, or that a command was refused, and the rows below. What is too long is cut, as
// the edge would drop it.
func (r *Model) beneath(width int, p plan) string {
	const edges = 8
	said := r.to.Attached
	if sought := r.seeking(); sought != "" {
		said = sought
	}
	if r.draft.marked() {
		said = r.text(textRefused)
	}
	var more string
	if n := r.hidden(p); n > 0 {
		more = r.text(textBelow, n)
		if said != "" {
			more = r.dot + more
		}
	}
	return r.set.Cut(said, max(width-edges-r.set.Width(more), 0), r.set.Tail()) + more
}

// seeking names the text that the history is searched for.
func (r *Model) seeking() string {
	if r.draft.entry == ownText || r.draft.needle == "" {
		return ""
	}
	return r.text(textSearching, strings.ReplaceAll(r.draft.needle, "\n", " "))
}

// body draws the visible rows, each as wide as the plan.
func (r *Model) body(p plan) []string {
	rows := make([]string, 0, p.rows)
	if r.draft.text.empty() {
		return r.hint(p)
	}
	at := 0
	for i := range r.draft.text.lines {
		starts := r.draft.rows(i, p.width)
		if at+len(starts) <= r.top {
			at += len(starts)
			continue
		}
		s := r.draft.text.lines[i].s
		for j, from := range starts {
			end := len(s)
			if j+1 < len(starts) {
				end = starts[j+1]
			}
			if at >= r.top && len(rows) < p.rows {
				rows = append(rows, r.row(s[from:end], p.width))
			}
			at++
		}
		if len(rows) == p.rows {
			break
		}
	}
	for len(rows) < p.rows {
		rows = append(rows, cells.Blank(p.width))
	}
	return rows
}

// row draws one row; blocks have their own colour.
func (r *Model) row(s string, width int) string {
	var b, run strings.Builder
	used := 0
	flush := func() {
		style := r.styles.text
		if r.draft.marked() {
			style = r.styles.marked
		}
		b.WriteString(style.Draw(run.String()))
		run.Reset()
	}
	for s != "" {
		c := cluster(s)
		s = s[len(c):]
		if char, _ := utf8.DecodeRuneInString(c); isBlock(char) {
			flush()
			label := r.set.Cut(r.draft.label(char), width-used, "")
			b.WriteString(r.styles.block.Draw(label))
			used += r.set.Width(label)
			continue
		}
		shows := r.set.Cut(shown(c), width-used, r.set.Tail())
		run.WriteString(shows)
		used += r.set.Width(shows)
	}
	flush()
	return b.String() + cells.Blank(width-used)
}

// hint draws the placeholder.
func (r *Model) hint(p plan) []string {
	said := r.text(textWrite, r.name())
	if r.to.Title != "" {
		said = r.to.Hint
	}
	if r.to.Looks {
		said = r.text(textLooksHint)
	} else if r.first && receiver(r.to.Agent) == society.Root {
		said = r.text(textFirstRun)
	}
	rows := r.set.Wrap(said, p.width)
	for len(rows) < p.rows {
		rows = append(rows, "")
	}
	rows = rows[:p.rows]
	for i, row := range rows {
		rows[i] = r.styles.hint.Draw(r.set.Fit(row, p.width, ""))
	}
	return rows
}
