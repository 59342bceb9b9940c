package tree

import (
	"strings"

	"society-tui/runtime/society"
	"society-tui/tui/replica"
	"society-tui/tui/sanitize"
)

// filter is what the tree is narrowed to.
type filter struct {
	replica.Filter
	text    string
	editing bool

	// Where the user was before, for ClearFilter.
	selected society.AgentID
	top      int
}

func (f *filter) clear() { f.Filter, f.text, f.editing = replica.Filter{}, "", false }

// Filter narrows the tree to the agents that match text and those above them.
// The empty text narrows nothing.
func (m *Model) Filter(text string) {
	// It may have been pasted. Blanks at its end stay: the next word is typed behind them.
	text = strings.NewReplacer("\n", " ", "\t", " ").Replace(sanitize.Text(text))
	m.remember()
	m.filter.text = text
	m.filter.Parse(text)
	m.stale = true
	m.toMatch()
}

// toMatch selects what matches the filter that is typed: the agent that was
// selected before, else the first.
func (m *Model) toMatch() {
	if !m.filter.IsActive() {
		return
	}
	matches := func(a *replica.Agent) bool { return a != nil && m.filter.Matches(a, m.now) }
	m.layout()
	if a := m.society.Agent(m.filter.selected); matches(a) {
		m.moveTo(m.find(a.Row.ID))
		return
	}
	for at, l := range m.lines {
		if matches(l.agent) {
			m.moveTo(at)
			return
		}
	}
}

// remember keeps where the user is before the tree is first narrowed.
func (m *Model) remember() {
	if !m.filter.IsActive() {
		m.filter.selected, m.filter.top = m.Selected(), m.top
	}
}

// BeginFilter lets the user type a filter: KeepFilter or ClearFilter ends that.
func (m *Model) BeginFilter() {
	m.remember()
	m.filter.editing = true
}

// TypeFilter adds text to the filter that is being typed.
func (m *Model) TypeFilter(text string) { m.Filter(m.filter.text + text) }

// BackspaceFilter removes the last character of the filter.
func (m *Model) BackspaceFilter() {
	runes := []rune(m.filter.text)
	m.Filter(string(runes[:max(len(runes)-1, 0)]))
}

// Filtered returns the filter that is typed, and whether an agent matches it.
func (m *Model) Filtered() (text string, matches bool) {
	m.layout()
	return m.filter.text, !m.filter.IsActive() || len(m.lines) > 1
}

// KeepFilter ends the typing and leaves the tree narrowed.
func (m *Model) KeepFilter() { m.filter.editing = false }

// Typing reports whether keys are the filter's.
func (m *Model) Typing() bool { return m.filter.editing }

// ClearFilter shows all agents again, with the selection and the lines where
// they were before, and reports whether there was a filter.
func (m *Model) ClearFilter() bool {
	if !m.filter.IsActive() && !m.filter.editing {
		return false
	}
	narrowed := m.filter.IsActive()
	m.filter.clear()
	if !narrowed {
		return true
	}
	m.stale = true
	m.Select(m.filter.selected)
	m.top = m.filter.top
	return true
}

// CycleShow goes on from all agents to those with problems, to those that run,
// and back.
func (m *Model) CycleShow() {
	m.remember()
	m.filter.Show = m.filter.Show.Next()
	m.stale = true
	if !m.filter.IsActive() {
		m.Select(m.filter.selected)
	}
}

func (m *Model) showing() string {
	switch m.filter.Show {
	case replica.Problems:
		return m.text(textProblems)
	case replica.Running:
		return m.text(textRunning)
	}
	return m.text(textAll)
}

// ordering is what the order is called.
func (m *Model) ordering() string {
	return [...]string{
		replica.BySpawn: m.text(textBySpawn), replica.ByActivity: m.text(textByActivity),
		replica.ByState: m.text(textByState), replica.ByTokens: m.text(textByTokens),
	}[m.society.Order()]
}
