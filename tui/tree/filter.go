package tree

import (
	"strings"

	"society-tui/runtime/society"
	"society-tui/tui/replica"
	"society-tui/tui/sanitize"
)

// A filter limits the tree to matching agents.
type filter struct {
	replica.Filter
	text    string
	editing bool

	// The state before the filter, for ClearFilter.
	selected society.AgentID
	top      int
}

func (f *filter) clear() { f.Filter, f.text, f.editing = replica.Filter{}, "", false }

// Filter limits the tree to the agents that match text, and their ancestors.
// Empty text shows all.
func (m *Model) Filter(text string) {
	// It may have been pasted. Trailing blanks are kept: the next word follows
	// them.
	text = strings.NewReplacer("\n", " ", "\t", " ").Replace(sanitize.Text(text))
	m.remember()
	m.filter.text = text
	m.filter.Parse(text)
	m.stale = true
	m.toMatch()
}

// toMatch selects a match: the agent selected before if it matches, else the
// first.
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

// remember saves selection and scroll position before the first filter.
func (m *Model) remember() {
	if !m.filter.IsActive() {
		m.filter.selected, m.filter.top = m.Selected(), m.top
	}
}

// BeginFilter opens the filter line; KeepFilter or ClearFilter closes it.
func (m *Model) BeginFilter() {
	m.remember()
	m.filter.editing = true
}

// TypeFilter appends text to the filter.
func (m *Model) TypeFilter(text string) { m.Filter(m.filter.text + text) }

// BackspaceFilter deletes the last character of the filter.
func (m *Model) BackspaceFilter() {
	runes := []rune(m.filter.text)
	m.Filter(string(runes[:max(len(runes)-1, 0)]))
}

// Filtered returns the typed filter, and whether an agent matches it.
func (m *Model) Filtered() (text string, matches bool) {
	m.layout()
	return m.filter.text, !m.filter.IsActive() || len(m.lines) > 1
}

// KeepFilter closes the filter line and keeps the filter.
func (m *Model) KeepFilter() { m.filter.editing = false }

// Typing reports whether keys go to the filter line.
func (m *Model) Typing() bool { return m.filter.editing }

// ClearFilter shows all agents again, with selection and scroll position from
// before, and reports whether there was a filter.
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

// CycleShow switches from all agents to those with problems, to running ones,
// and back.
func (m *Model) CycleShow() {
	m.remember()
	m.filter.Show = m.filter.Show.Next()
	m.stale = true
	if !m.filter.IsActive() {
		m.Select(m.filter.selected)
	}
}

// IsNarrowed reports whether only agents with problems or running ones are shown.
func (m *Model) IsNarrowed() bool { return m.filter.Show != replica.All }

func (m *Model) showing() string {
	switch m.filter.Show {
	case replica.Problems:
		return m.text(textProblems)
	case replica.Running:
		return m.text(textRunning)
	}
	return m.text(textAll)
}

// ordering returns the name of the order.
func (m *Model) ordering() string {
	return [...]string{
		replica.BySpawn: m.text(textBySpawn), replica.ByActivity: m.text(textByActivity),
		replica.ByState: m.text(textByState), replica.ByTokens: m.text(textByTokens),
	}[m.society.Order()]
}
