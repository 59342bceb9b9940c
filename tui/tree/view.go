package tree

import (
	"encoding/json"
	"fmt"
	"slices"

	"society-tui/runtime/society"
	"society-tui/tui/replica"
)

// savedView is the stored form of the view. Fields may be added, never renamed.
type savedView struct {
	Folded   []society.AgentID `json:"folded,omitempty"`
	Selected society.AgentID   `json:"selected,omitempty"`
	Top      int               `json:"top,omitempty"`
	Show     replica.Show      `json:"show,omitempty"`
	Order    replica.Order     `json:"order,omitempty"`
	Rows     RowsEach          `json:"rows,omitempty"`
}

// Export returns folds, selection, scroll position and order, to be stored
// across restarts. Equal views give equal bytes.
func (m *Model) Export() ([]byte, error) {
	v := savedView{Selected: m.Selected(), Top: m.top, Show: m.filter.Show, Order: m.society.Order(), Rows: m.each}
	if m.wanted != "" {
		v.Selected = m.wanted
	}
	for id := range m.folded {
		v.Folded = append(v.Folded, id)
	}
	slices.Sort(v.Folded)
	b, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("write the view of the tree: %w", err)
	}
	return b, nil
}

// Import restores what Export returned, also for agents that arrive later.
func (m *Model) Import(b []byte) error {
	var v savedView
	if err := json.Unmarshal(b, &v); err != nil {
		return fmt.Errorf("read the view of the tree: %w", err)
	}
	for _, id := range v.Folded {
		m.folded[id] = true
	}
	if v.Show.IsValid() {
		m.filter.Show = v.Show
	}
	if v.Rows < rowChoices {
		m.each, m.fitted = v.Rows, false
	}
	m.society.SortBy(v.Order)
	m.stale = true
	m.layout()
	m.top = max(v.Top, 0)
	if m.wanted = v.Selected; m.society.Agent(m.wanted) != nil || m.wanted == society.User {
		m.wanted = ""
		m.moveTo(m.find(v.Selected))
	}
	return nil
}
