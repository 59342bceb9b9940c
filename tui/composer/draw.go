package composer

import (
	"cmp"
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
	ruled       bool // has a rule above
	lead        string
	x, y        int // of the first cell of text
	width, rows int // of the text
}

func (r *Model) plan(width, height int) plan {
	if height <= 1 || width < 6 {
		lead := r.set.Cut(r.name()+r.aside(width)+"> ", max(width/2, 0), "")
		return plan{lead: lead, x: r.set.Width(lead), width: max(width-1-r.set.Width(lead), 1), rows: height}
	}
	return plan{ruled: true, lead: "> ", x: 2, y: 1, width: max(width-3, 1), rows: height - 1}
}

// Rows draws the composer: height rows of exactly width cells.
func (r *Model) Rows(width, height int) []string {
	if width <= 0 || height <= 0 {
		return nil
	}
	p := r.settle(width, height)
	var rows []string
	if p.ruled {
		rows = append(rows, r.frame.Rule(width, r.title(), r.note(width, p), r.focus))
	}
	for i, row := range r.body(p) {
		lead := p.lead
		if i > 0 {
			lead = cells.Blank(p.x)
		}
		rows = append(rows, r.set.Fit(r.styles.prompt.Draw(lead)+row+" ", width, ""))
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
		return title + r.text(symbols.TextAside, r.text(textLooks))
	case r.to.Agent == society.User:
		return title + r.text(symbols.TextAside, r.text(textYou))
	case r.to.Asks:
		return title + r.text(symbols.TextAside, r.text(textAnswers))
	case r.to.Stopped:
		return title + r.text(symbols.TextAside, r.text(textStopped))
	case r.to.HeldBy != "":
		return title + r.text(symbols.TextAside, r.text(textHeld, r.to.HeldBy))
	case r.to.Paused:
		return title + r.text(symbols.TextAside, r.text(textPaused))
	}
	return title
}

// note is the text in the rule: what holds for the text now, the rows out of
// view, the recipient's unread messages, and the key for a new line. The last ones
// are dropped first if they do not fit.
func (r *Model) note(width int, p plan) string {
	const edges = 8
	left := width - r.set.Width(r.title()) - edges
	var notes []string
	add := func(said string) {
		if said != "" {
			notes = append(notes, said)
		}
	}
	add(r.set.Cut(r.standing(), left, r.set.Tail()))
	if r.seeking() != "" {
		add(r.text(textEdits))
		add(r.text(textSends))
		add(r.text(textOlder, r.older))
	}
	add(r.to.Other)
	if said, brief := r.large(); said != "" && r.to.Title == "" {
		if r.set.Width(said) > left {
			said = brief
		}
		add(said)
	}
	if r.top > 0 {
		add(r.text(textAbove, r.top))
	}
	if n := max(r.draft.count(p.width)-r.top-p.rows, 0); n > 0 {
		add(r.text(textBelow, n))
	}
	if r.to.Title == "" {
		if r.to.Waiting > 0 {
			add(r.text(symbols.TextUnread, r.to.Waiting))
		}
		if width >= 80 {
			add(r.text(textNewline, r.newline))
		}
	}
	for len(notes) > 1 && r.set.Width(strings.Join(notes, r.dot)) > left {
		notes = notes[:len(notes)-1]
	}
	return strings.Join(notes, r.dot)
}

// standing is that a command was refused, the history search, or the files that
// go with the text.
func (r *Model) standing() string {
	if r.draft.marked() {
		return r.text(textRefused)
	}
	return cmp.Or(r.seeking(), r.to.Attached)
}

// seeking names the text that the history is searched for.
func (r *Model) seeking() string {
	switch {
	case r.draft.entry == ownText:
		return ""
	case r.draft.needle == "" && r.draft.narrows:
		return r.text(textNarrows)
	case r.draft.needle == "":
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
	if len(rows) > p.rows && p.rows == 1 {
		rows = []string{r.set.Cut(said, p.width, r.set.Tail())}
	}
	for len(rows) < p.rows {
		rows = append(rows, "")
	}
	rows = rows[:p.rows]
	for i, row := range rows {
		rows[i] = r.styles.hint.Draw(r.set.Fit(row, p.width, ""))
	}
	return rows
}
