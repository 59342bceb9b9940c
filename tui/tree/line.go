package tree

import (
	"fmt"
	"strings"

	"society-tui/tui/cells"
	"society-tui/tui/replica"
	"society-tui/tui/symbols"
)

// A drawnLine is a cached line, with its inputs besides the layout.
type drawnLine struct {
	from  source
	row   string
	below string // its second row, if it has one
}

type source struct {
	version uint64
	width   int
	state   int
	marked  bool
	frame   int
	age     string
}

// columns are the columns of a line. They depend on the width alone, so that
// nothing moves.
type columns struct {
	name     int // branches, symbol and name, behind the mark
	activity int // current activity; 0 in a narrow tree
	tokens   int
	age      int
}

const (
	wide      = 36 // from this width a line has all four columns
	ageWide   = 6  // a time of day and a blank
	todoWide  = 24 // from this width a narrow line says how much of an agent's list is done
	leastName = 10 // least width of branches and name before what an agent has spent
	leastNode = 5  // least width of the graph node behind a name in a narrow tree
	tokenWide = 5
)

func columnsFor(width int) columns {
	if width < wide {
		return columns{name: width}
	}
	name := 18 + (width-wide)/3
	return columns{name: name, activity: width - name - tokenWide - ageWide, tokens: tokenWide, age: ageWide}
}

// line draws a line of the flattened tree.
func (m *Model) line(at, width int) drawnLine {
	state := plain
	if at == m.cursor {
		state = unfocused
		if m.focus {
			state = chosen
		}
	}
	l := m.lines[at]
	a := l.agent
	if a == nil {
		return drawnLine{row: m.userLine(width, state)}
	}
	// While no agent works, ages are times of day: nothing changes by time alone.
	from := source{version: a.Version, width: width, state: state, marked: m.marked[a.Row.ID], age: symbols.Time(&a.Row, m.now, !m.society.IsWorking())}
	if a.Kind.Moves() {
		m.animating = true
		if !m.set.Still && !m.set.ASCII {
			from.frame = m.tick % symbols.Frames
		}
	}
	d := m.drawn[a]
	if d.from != from {
		d = drawnLine{from: from, row: m.draw(l, from)}
		if m.tall {
			d.below = m.drawBeneath(l, from)
		}
		m.drawn[a] = d
	}
	return d
}

// A lineBuilder collects the pieces of a line and counts their cells.
type lineBuilder struct {
	strings.Builder
	cells.Measure
	state int
	width int
}

func (p *lineBuilder) draw(b *lineStyle, s string) {
	p.WriteString(b[p.state].Draw(s))
	p.width += p.Width(s)
}

// fill pads to column w.
func (p *lineBuilder) fill(b *lineStyle, w int) { p.draw(b, cells.Blank(w-p.width)) }

func (m *Model) userLine(width, state int) string {
	p := &lineBuilder{Measure: m.set.Measure, state: state}
	unread := m.set.Unread(m.society.Unread())
	name := m.text(TextInbox)
	if width < wide {
		name = m.text(symbols.TextYou)
	}
	p.draw(&m.styles.accent, m.lead(state, false))
	p.draw(&m.styles.accent, "@")
	p.draw(&m.styles.text, " "+m.set.Cut(name, width-4-m.set.Width(unread), m.set.Tail()))
	p.fill(&m.styles.text, width-m.set.Width(unread))
	p.draw(&m.styles.accent, unread)
	return m.exactly(p, width)
}

// exactly cuts a line that is too long for a very narrow pane.
func (m *Model) exactly(p *lineBuilder, width int) string {
	if p.width == width {
		return p.String()
	}
	return m.set.Fit(p.String(), width, "")
}

// lead is the first cell of a line: the mark, and the cursor while the tree has
// the keys.
func (m *Model) lead(state int, marked bool) string {
	switch {
	case marked && state == chosen:
		return m.set.Mark(symbols.MarkedCursor)
	case marked:
		return m.set.Mark(symbols.Marked)
	case state == chosen:
		return m.set.Mark(symbols.Cursor)
	}
	return " "
}

func (m *Model) draw(l line, from source) string {
	p := &lineBuilder{Measure: m.set.Measure, state: from.state}
	cols := columnsFor(from.width)
	folded := m.isFolded(l.agent) && len(l.agent.Children) > 0 && !m.filter.IsActive()
	switch {
	case m.tall:
		m.drawTall(p, l, from, folded)
	case cols.activity == 0:
		m.drawNarrow(p, l, from, folded)
	default:
		m.drawWide(p, l, from, cols, folded)
	}
	return m.exactly(p, from.width)
}

func (m *Model) drawWide(p *lineBuilder, l line, from source, cols columns, folded bool) {
	// A long name, or one deep in the tree, may use part of the activity's column.
	// All others have aligned activities.
	m.drawName(p, l, from, cols.name+cols.activity/2, "")
	p.fill(&m.styles.text, cols.name)
	p.draw(&m.styles.text, " ")
	activity := cols.name + cols.activity
	counted := false
	if folded {
		counted = m.drawBelow(p, l.agent, activity+cols.tokens)
	} else {
		counted = m.drawActivity(p, l.agent, activity, cols.tokens)
	}
	if !counted {
		p.fill(&m.styles.text, activity)
		p.draw(&m.styles.muted, m.set.FitRight(m.spent(l.agent), cols.tokens, ""))
	}
	p.fill(&m.styles.text, activity+cols.tokens)
	p.draw(&m.styles.subtle, m.set.FitRight(from.age, cols.age, ""))
}

// drawTall draws the first row of two: name, what is below a folded agent or how
// much it has done, unread messages, what it has spent, and its age.
func (m *Model) drawTall(p *lineBuilder, l line, from source, folded bool) {
	a := l.agent
	spent := m.spent(a)
	if spent != "" {
		spent = " " + spent
	}
	right := from.width - ageWide
	unread := ""
	if a.Row.Unread > 0 {
		unread = " " + m.set.Unread(a.Row.Unread)
	}
	behind := m.set.Width(spent) + m.set.Width(unread)
	if right-behind < leastName+3 { // too narrow for all of it
		spent, behind = "", m.set.Width(unread)
	}
	more := counts(a)
	if folded {
		below := a.Below()
		more = " +" + symbols.Count(below.Sum())
	}
	m.drawName(p, l, from, right-behind, more)
	if folded {
		m.drawBelowTall(p, a, right-behind)
	}
	p.draw(&m.styles.accent, unread)
	p.fill(&m.styles.text, right-m.set.Width(spent))
	p.draw(&m.styles.muted, spent)
	p.fill(&m.styles.text, right)
	p.draw(&m.styles.subtle, m.set.FitRight(from.age, ageWide, ""))
}

// drawBelowTall draws the states in a folded subtree that fit before a column.
func (m *Model) drawBelowTall(p *lineBuilder, a *replica.Agent, upto int) {
	below := a.Below()
	parts, _ := symbols.Fitting(notable(&below), upto-p.width-2)
	for i, part := range parts {
		p.draw(&m.styles.text, []string{"  ", " "}[min(i, 1)])
		style := m.styles.kinds[part.Kind.Role()]
		p.draw(&style, part.Label(symbols.Set{ASCII: m.set.ASCII, Still: true}, 0))
	}
}

// drawActivity draws the agent's activity up to a column, followed by its list of
// things to do, its background processes and its unread messages, and reports whether a long state has used the tokens'
// column. A task is cut instead.
func (m *Model) drawActivity(p *lineBuilder, a *replica.Agent, upto, tokens int) (counted bool) {
	behind := ""
	if a.Row.Unread > 0 {
		behind = " " + m.set.Unread(a.Row.Unread)
	}
	counts := counts(a)
	says, style := m.activity(a), m.styles.kinds[a.Kind.Role()]
	room := upto - p.width - m.set.Width(behind) - m.set.Width(counts)
	if tellsTask(a) {
		style = m.styles.muted
	} else if m.set.Width(says) > room {
		room, counted = room+tokens, true
	}
	p.draw(&style, m.set.Cut(says, room, m.set.Tail()))
	p.draw(&m.styles.text, counts)
	p.draw(&m.styles.accent, behind)
	return counted
}

// counts returns how many of the things that the agent has to do are done, and how many
// background processes it has, each behind a blank: " 3/7 &2".
func counts(a *replica.Agent) string {
	todo := ""
	if a.Row.Todo > 0 {
		todo = fmt.Sprintf(" %d/%d", a.Row.Done, a.Row.Todo)
	}
	return todo + symbols.Processes(&a.Row)
}

// tellsTask reports whether the task is shown instead of the state: while the
// agent only thinks and is not in a graph.
func tellsTask(a *replica.Agent) bool {
	return a.Kind == symbols.Thinking && a.Row.Doing != "" && !a.Row.Compressing && a.Row.Walk.Doing == 0
}

// activity returns the agent's task while it thinks, else its state.
func (m *Model) activity(a *replica.Agent) string {
	if tellsTask(a) {
		return a.Row.Doing
	}
	return symbols.Activity(&a.Row, m.printer, m.society.Name)
}

// drawBelow counts the descendants of a folded agent up to a column, and
// reports whether the counts have used the tokens' column.
func (m *Model) drawBelow(p *lineBuilder, a *replica.Agent, upto int) bool {
	below := a.Below()
	p.draw(&m.styles.text, m.set.Cut("+"+symbols.Count(below.Sum()), upto-p.width, ""))
	parts, wide := symbols.Fitting(notable(&below), upto-p.width-1)
	if len(parts) == 0 {
		return false
	}
	p.fill(&m.styles.text, upto-wide)
	for i, part := range parts {
		if i > 0 {
			p.draw(&m.styles.text, " ")
		}
		style := m.styles.kinds[part.Kind.Role()]
		p.draw(&style, part.Label(symbols.Set{ASCII: m.set.ASCII, Still: true}, 0))
	}
	return true
}

// notable returns the counts without idle agents, which are the rest of the
// sum.
func notable(t *symbols.Tally) []symbols.Part {
	parts := t.Parts()
	if last := len(parts) - 1; last >= 0 && parts[last].Kind == symbols.Idle {
		parts = parts[:last]
	}
	return parts
}

// drawNarrow draws a line with one column at its right: unread messages, the
// most urgent state in a folded subtree, the tokens of root, or the age.
func (m *Model) drawNarrow(p *lineBuilder, l line, from source, folded bool) {
	a := l.agent
	right, style := from.age, m.styles.subtle
	more := ""
	if folded {
		below := a.Below()
		more = " +" + symbols.Count(below.Sum())
		if parts, _ := symbols.Fitting(notable(&below), 5); len(parts) > 0 {
			right, style = parts[0].Label(symbols.Set{ASCII: m.set.ASCII, Still: true}, 0), m.styles.kinds[parts[0].Kind.Role()]
		}
	}
	switch {
	case a.Row.Unread > 0:
		right, style = m.set.Unread(a.Row.Unread), m.styles.accent
	case l.parent < 0 && !folded && right == "":
		right, style = m.spent(a), m.styles.muted
	}
	if more == "" && from.width >= todoWide {
		more = counts(a)
	}
	room := max(m.set.Width(right)+1, 4)
	m.drawName(p, l, from, from.width-room, more)
	if left := from.width - room - p.width - 1; !folded && a.Row.Walk.Doing != 0 && left >= leastNode {
		p.draw(&m.styles.subtle, " "+m.set.Cut(m.activity(a), left, m.set.Tail()))
	}
	p.fill(&m.styles.text, from.width-m.set.Width(right))
	p.draw(&style, right)
}

// spent returns what an agent and its subtree cost, or its tokens if that is nothing or not
// known.
func (m *Model) spent(a *replica.Agent) string {
	switch {
	case a.Usage.Cost != 0:
		return symbols.Cost(a.Usage, m.society.Currency(), m.printer)
	case a.Usage.Tokens() > 0:
		return symbols.Spent(a.Usage)
	}
	return ""
}

// drawName draws mark, branches, symbol and name up to a column, and more
// behind the name.
func (m *Model) drawName(p *lineBuilder, l line, from source, upto int, more string) {
	a := l.agent
	p.draw(&m.styles.accent, m.lead(from.state, from.marked))
	joined := m.branches(l, m.mostBranches(from.width))
	p.draw(&m.styles.subtle, joined.passed)
	p.draw(&m.styles.lines, joined.lines)
	p.draw(&m.styles.subtle, joined.marker)
	style := m.styles.kinds[a.Kind.Role()]
	p.draw(&style, m.set.Symbol(a.Kind, from.frame)+" ") // one style: a turn of the spinner writes less
	name := &m.styles.text
	switch {
	case l.parent < 0:
		name = &m.styles.strong
	case a.Kind == symbols.Stopped || a.Kind == symbols.Stopping || a.Kind == symbols.Terminating:
		name = &m.styles.muted
	}
	room := upto - p.width - m.set.Width(more)
	p.draw(name, m.set.Cut(m.nameIn(a, room), room, m.set.Tail()))
	p.draw(&m.styles.muted, more)
}

// nameIn returns the name for so many cells: of a long one the display name alone, or the role
// cut before the number.
func (m *Model) nameIn(a *replica.Agent, room int) string {
	name, role := a.Name(), a.Row.Role
	if m.set.Width(name) <= room {
		return name
	}
	if given := a.GivenName(); given != "" {
		return given
	}
	if number, ok := strings.CutPrefix(name, role); ok && number != "" {
		return m.set.Cut(role, room-m.set.Width(number), m.set.Tail()) + number
	}
	return name
}
