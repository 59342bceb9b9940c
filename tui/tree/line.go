package tree

import (
	"strings"

	"society-tui/tui/cells"
	"society-tui/tui/symbols"
)

// drawn is a line as it was drawn last, with all that it was drawn from.
type drawn struct {
	from source
	row  string
}

type source struct {
	version, layout uint64
	width           int
	state           int
	marked          bool
	frame           int
	age             string
}

// columns are where things stand in a line. They depend on the width alone, so
// that nothing jumps.
type columns struct {
	name     int // the tree's branches, the symbol and the name, with the mark before them
	activity int // what the agent does; 0 in a narrow tree
	tokens   int
	age      int
}

const (
	wide      = 36 // from here on a line has all four columns
	ageWide   = 6  // a time of day, and a blank before it
	leastNode = 5  // of what is said behind a name in a narrow tree
	tokenWide = 5
)

func columnsFor(width int) columns {
	if width < wide {
		return columns{name: width}
	}
	name := 18 + (width-wide)/3
	return columns{name: name, activity: width - name - tokenWide - ageWide, tokens: tokenWide, age: ageWide}
}

// line draws the line at a place of the flattened tree.
func (r *Model) line(at, width int) string {
	state := plain
	if at == r.cursor {
		state = resting
		if r.focus {
			state = chosen
		}
	}
	n := r.flat[at].node
	if n == nil {
		return r.person(width, state)
	}
	from := source{version: n.version, layout: r.layout, width: width, state: state, marked: n.marked, age: symbols.Time(&n.row, r.now, r.clock)}
	if n.kind.Moves() {
		r.moving = true
		if !r.set.Still && !r.set.ASCII {
			from.frame = r.tick % symbols.Frames
		}
	}
	if n.drawn.from != from {
		n.drawn = drawn{from, r.draw(n, from)}
	}
	return n.drawn.row
}

// pen collects the pieces of a line and counts their cells.
type pen struct {
	strings.Builder
	cells.Measure
	state int
	width int
}

func (p *pen) draw(b *brush, s string) {
	p.WriteString(b[p.state].Draw(s))
	p.width += p.Width(s)
}

// fill goes on to column w.
func (p *pen) fill(b *brush, w int) { p.draw(b, cells.Blank(w-p.width)) }

func (r *Model) person(width, state int) string {
	p := &pen{Measure: r.set.Measure, state: state}
	unread := r.set.Unread(r.inbox)
	name := r.words.Inbox
	if width < wide {
		name = r.words.InboxMin
	}
	p.draw(&r.pens.accent, r.lead(state, false))
	p.draw(&r.pens.accent, "@")
	p.draw(&r.pens.text, " "+r.set.Cut(name, width-4-r.set.Width(unread), r.set.Tail()))
	p.fill(&r.pens.text, width-r.set.Width(unread))
	p.draw(&r.pens.accent, unread)
	return r.exactly(p, width)
}

// exactly cuts a line that a very narrow pane has no room for.
func (r *Model) exactly(p *pen, width int) string {
	if p.width == width {
		return p.String()
	}
	return r.set.Fit(p.String(), width, "")
}

// lead is the first cell of a line: whether it is marked, or selected and the
// keys are here.
func (r *Model) lead(state int, marked bool) string {
	switch {
	case marked && state == chosen:
		return r.set.Mark(symbols.MarkedCursor)
	case marked:
		return r.set.Mark(symbols.Marked)
	case state == chosen:
		return r.set.Mark(symbols.Cursor)
	}
	return " "
}

func (r *Model) draw(n *node, from source) string {
	p := &pen{Measure: r.set.Measure, state: from.state}
	cols := columnsFor(from.width)
	folded := n.folded && len(n.kids) > 0 && !r.filter.active()
	if cols.activity == 0 {
		r.drawNarrow(p, n, from, folded)
	} else {
		r.drawWide(p, n, from, cols, folded)
	}
	return r.exactly(p, from.width)
}

func (r *Model) drawWide(p *pen, n *node, from source, cols columns, folded bool) {
	// A long name, or one deep in the tree, takes some of the room of the activity
	// beside it. All others have theirs begin in one column, whatever they do.
	r.drawName(p, n, from, cols.name+cols.activity/2, "")
	p.fill(&r.pens.text, cols.name)
	p.draw(&r.pens.text, " ")
	activity := cols.name + cols.activity
	counted := false
	if folded {
		counted = r.drawBelow(p, n, activity+cols.tokens)
	} else {
		counted = r.drawActivity(p, n, activity, cols.tokens)
	}
	if !counted {
		p.fill(&r.pens.text, activity)
		p.draw(&r.pens.muted, r.set.FitRight(tokens(n), cols.tokens, ""))
	}
	p.fill(&r.pens.text, activity+cols.tokens)
	p.draw(&r.pens.subtle, r.set.FitRight(from.age, cols.age, ""))
}

// drawActivity says what the agent does, up to a column, with what is unread
// behind it. A state that is too long for that takes the room of the tokens beside it,
// and says whether it did; a task is cut.
func (r *Model) drawActivity(p *pen, n *node, upto, tokens int) (counted bool) {
	behind := ""
	if n.row.Unread > 0 {
		behind = " " + r.set.Unread(n.row.Unread)
	}
	says, brush := r.activity(n), r.pens.kinds[n.kind.Role()]
	room := upto - p.width - r.set.Width(behind)
	if n.tellsTask() {
		brush = r.pens.muted
	} else if r.set.Width(says) > room {
		room, counted = room+tokens, true
	}
	p.draw(&brush, r.set.Cut(says, room, r.set.Tail()))
	p.draw(&r.pens.accent, behind)
	return counted
}

// tellsTask says whether what the agent works on is said in place of its state:
// while it only thinks. One on the way through a graph says where it is.
func (n *node) tellsTask() bool {
	return n.kind == symbols.Thinking && n.row.Doing != "" && !n.row.Compressing && n.row.Walk.Doing == 0
}

// activity is what the agent does, in a few words: the task while it thinks, the
// state else.
func (r *Model) activity(n *node) string {
	if n.tellsTask() {
		return n.row.Doing
	}
	return symbols.Word(&n.row, r.say, r.Name)
}

// drawBelow counts the agents below a folded one, up to a column, and says
// whether their states took the room of the tokens.
func (r *Model) drawBelow(p *pen, n *node, upto int) bool {
	below := n.below()
	p.draw(&r.pens.text, r.set.Cut("+"+symbols.Count(below.Sum()), upto-p.width, ""))
	parts, wide := symbols.Fitting(notable(&below), upto-p.width-1)
	if len(parts) == 0 {
		return false
	}
	p.fill(&r.pens.text, upto-wide)
	for i, part := range parts {
		if i > 0 {
			p.draw(&r.pens.text, " ")
		}
		brush := r.pens.kinds[part.Kind.Role()]
		p.draw(&brush, part.Label(symbols.Set{ASCII: r.set.ASCII, Still: true}, 0))
	}
	return true
}

// notable are the counts without those at rest, who are what is left of the sum.
func notable(t *symbols.Tally) []symbols.Part {
	parts := t.Parts()
	if last := len(parts) - 1; last >= 0 && parts[last].Kind == symbols.Idle {
		parts = parts[:last]
	}
	return parts
}

// drawNarrow draws a line with one column at its right: what is unread, what a
// folded agent hides that most wants the person, the tokens of root, or the age.
func (r *Model) drawNarrow(p *pen, n *node, from source, folded bool) {
	right, brush := from.age, r.pens.subtle
	more := ""
	if folded {
		below := n.below()
		more = " +" + symbols.Count(below.Sum())
		if parts, _ := symbols.Fitting(notable(&below), 5); len(parts) > 0 {
			right, brush = parts[0].Label(symbols.Set{ASCII: r.set.ASCII, Still: true}, 0), r.pens.kinds[parts[0].Kind.Role()]
		}
	}
	switch {
	case n.row.Unread > 0:
		right, brush = r.set.Unread(n.row.Unread), r.pens.accent
	case n.parent == nil && !folded && right == "":
		right, brush = tokens(n), r.pens.muted
	}
	room := max(r.set.Width(right)+1, 4)
	r.drawName(p, n, from, from.width-room, more)
	if left := from.width - room - p.width - 1; !folded && n.row.Walk.Doing != 0 && left >= leastNode {
		p.draw(&r.pens.subtle, " "+r.set.Cut(r.activity(n), left, r.set.Tail()))
	}
	p.fill(&r.pens.text, from.width-r.set.Width(right))
	p.draw(&brush, right)
}

func tokens(n *node) string {
	if all := n.use.Input + n.use.Output; all > 0 {
		return symbols.Tokens(all)
	}
	return ""
}

// drawName draws mark, branches, symbol and name up to a column, with more
// behind the name.
func (r *Model) drawName(p *pen, n *node, from source, upto int, more string) {
	p.draw(&r.pens.accent, r.lead(from.state, n.marked))
	joined := r.branches(n, upto/2)
	p.draw(&r.pens.subtle, joined.passed)
	p.draw(&r.pens.lines, joined.lines)
	p.draw(&r.pens.subtle, joined.marker)
	brush := r.pens.kinds[n.kind.Role()]
	p.draw(&brush, r.set.Symbol(n.kind, from.frame))
	name := &r.pens.text
	switch {
	case n.parent == nil:
		name = &r.pens.strong
	case n.kind == symbols.Stopped || n.kind == symbols.Stopping || n.kind == symbols.Terminating:
		name = &r.pens.muted
	}
	room := upto - p.width - 1 - r.set.Width(more)
	p.draw(name, " "+r.set.Cut(r.nameIn(n, room), room, r.set.Tail()))
	p.draw(&r.pens.muted, more)
}
