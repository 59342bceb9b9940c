package tree

import (
	"time"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
	"society-tui/themes"
	"society-tui/tui/cells"
	"society-tui/tui/symbols"
)

// A Group is several agents that need the user for the same, in clean words: "9 agents:
// edit src/".
type Group struct {
	Said   string
	First  society.AgentID
	Agents int
	Since  time.Time // of the first
}

const (
	mostNeeds = 4 // rows for agents that need the user
	// calmAfter is how long after the last key the block of these rows may shrink.
	calmAfter = 2 * time.Second
	// amply is the height from which a blank row follows the block.
	amply = 20
)

// A needBlock has the agents that need the user, and is drawn above the tree.
type needBlock struct {
	all     []need
	known   uint64    // revision of the society that all shows
	rows    int       // height of the block as last drawn
	pressed time.Time // when the user pressed the last key
	held    bool      // the pane was drawn since the focus changed: its rows are under the user's eyes
	over    int       // rows that the tree is scrolled beyond its end, so that the cursor keeps its row
}

// A need is a row of the block.
type need struct {
	agent      society.AgentID
	kind       symbols.Kind
	name, said string
	since      func(now time.Time, clock bool) string
	agents     int
}

// Needs sets the agents that need the user: groups of them, and others, the longest
// waiting one first.
func (m *Model) Needs(rows []api.Row, groups []Group) {
	m.block.all, m.block.known = m.block.all[:0], m.society.Revision()
	for _, g := range groups {
		since := func(now time.Time, clock bool) string {
			if clock {
				return g.Since.In(now.Location()).Format("15:04")
			}
			return symbols.Age(now.Sub(g.Since))
		}
		m.block.all = append(m.block.all, need{agent: g.First, kind: symbols.Asks, said: g.Said, since: since, agents: g.Agents})
	}
	for i := range rows {
		row := &rows[i]
		said := symbols.Word(row, m.printer, m.society.Name)
		if row.Asks && row.Question != "" {
			said = row.Question
		}
		since := func(now time.Time, clock bool) string { return symbols.Time(row, now, clock) }
		m.block.all = append(m.block.all, need{row.ID, symbols.Of(row), m.society.Name(row.ID), said, since, 1})
	}
}

// KnowsNeeds reports whether Needs was called since the society has changed.
func (m *Model) KnowsNeeds() bool { return m.block.known == m.society.Revision() }

// FirstNeed returns the agent that is named first in the block.
func (m *Model) FirstNeed() society.AgentID {
	if len(m.block.all) == 0 {
		return m.Selected()
	}
	return m.block.all[0].agent
}

// Pressed tells when the user pressed a key. The block does not shrink soon after it,
// so that the tree does not move under what the user is about to press.
func (m *Model) Pressed(now time.Time) { m.block.pressed = now }

// ShrinksIn returns how long the block stays higher than it needs to be, or 0.
func (m *Model) ShrinksIn(now time.Time) time.Duration {
	if m.needsRows(m.height+m.block.rows) >= m.block.rows {
		return 0
	}
	return max(m.block.pressed.Add(calmAfter).Sub(now), 0)
}

// needsRows returns the height of the block in a pane with that many rows below its
// title.
func (m *Model) needsRows(height int) int {
	const heading = 1
	n := min(len(m.block.all), mostNeeds, height/2-heading)
	switch {
	case n <= 0:
		return 0
	case height >= amply:
		return heading + n + 1
	}
	return heading + n
}

// fitNeeds decides the height of the block, and scrolls the tree by as much as it
// changes.
func (m *Model) fitNeeds(height int) {
	rows := m.needsRows(height)
	if rows < m.block.rows && m.now.Before(m.block.pressed.Add(calmAfter)) {
		rows = min(m.block.rows, height)
	}
	by := rows - m.block.rows
	m.block.rows = rows
	m.top = max(m.top+by, 0)
	if m.focus && m.block.held {
		m.block.over = max(m.block.over+by, 0)
	} else {
		m.block.over = 0
	}
	m.block.held = true
}

// drawNeeds draws the block.
func (m *Model) drawNeeds(width int) []string {
	rows := make([]string, 0, m.block.rows)
	if m.block.rows == 0 {
		return rows
	}
	list := m.block.all
	if len(list) > 0 {
		rows = append(rows, m.styles.heading.Draw(m.set.Fit(" "+m.text(TextNeedsYou), width, m.set.Tail())))
	}
	fit := min(mostNeeds, m.block.rows-1)
	names := m.needNames(width)
	for i := range list {
		if i == fit-1 && len(list) > fit {
			rows = append(rows, m.styles.note.Draw(m.set.Fit("   "+m.text(textMoreNeeds, sum(list[i:])), width, m.set.Tail())))
			break
		}
		rows = append(rows, m.needRow(&list[i], names, width, ""))
	}
	for len(rows) < m.block.rows {
		rows = append(rows, cells.Blank(width))
	}
	return rows[:m.block.rows]
}

func sum(list []need) (agents int) {
	for i := range list {
		agents += list[i].agents
	}
	return agents
}

// needNames returns the width of the column of names.
func (m *Model) needNames(width int) int {
	widest := 0
	for i := range m.block.all[:min(len(m.block.all), mostNeeds)] {
		widest = max(widest, m.set.Width(m.block.all[i].name))
	}
	return min(widest, width*2/5)
}

// needRow draws what an agent needs; more stands before its age.
func (m *Model) needRow(n *need, names, width int, more string) string {
	p := &lineBuilder{Measure: m.set.Measure}
	draw := func(pen themes.Pen, s string) { p.draw(&lineStyle{pen}, s) }
	age := n.since(m.now, !m.society.IsWorking())
	room := width - m.set.Width(age) - m.set.Width(more) - 1
	kind := m.styles.kinds[n.kind.Role()]
	draw(kind[plain], " "+m.set.Symbol(n.kind, 0)+" ")
	if n.name != "" {
		draw(m.styles.text[plain], m.set.Fit(n.name, min(names, room-p.width), m.set.Tail())+"  ")
	}
	if p.width < room {
		draw(m.styles.muted[plain], m.set.CutWords(n.said, room-p.width, m.set.Tail()))
	}
	p.fill(&m.styles.text, width-m.set.Width(age)-m.set.Width(more))
	draw(m.styles.note, more+age)
	return m.exactly(p, width)
}

// NeedsRow draws the block in one row, for a screen without the tree.
func (m *Model) NeedsRow(width int) string {
	list := m.block.all
	if len(list) == 0 {
		return cells.Blank(width)
	}
	more := ""
	if n := sum(list[1:]); n > 0 {
		more = " " + m.text(textMoreNeeds, n) + " "
	}
	return m.needRow(&list[0], m.set.Width(list[0].name), width, more)
}

// needAt returns the agent of row y of the block, "" for none.
func (m *Model) needAt(y int) society.AgentID {
	if i := y - 1; i >= 0 && i < len(m.block.all) && y < m.block.rows {
		return m.block.all[i].agent
	}
	return ""
}
