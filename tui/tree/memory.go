package tree

import (
	"encoding/json"
	"fmt"
	"slices"

	"society-tui/runtime/society"
)

// memory is how the view of the tree is kept. Fields may be added, never
// renamed.
type memory struct {
	Folded   []society.AgentID `json:"folded,omitempty"`
	Selected society.AgentID   `json:"selected,omitempty"`
	Top      int               `json:"top,omitempty"`
	Show     Show              `json:"show,omitempty"`
	Order    Order             `json:"order,omitempty"`
}

// Export returns what is folded, selected and drawn first, and in which order, to be kept over a
// restart. The same view gives the same bytes.
func (r *Model) Export() ([]byte, error) {
	m := memory{Selected: r.Selected(), Top: r.top, Show: r.filter.show, Order: r.order}
	if r.wish != "" {
		m.Selected = r.wish
	}
	for id := range r.folded {
		m.Folded = append(m.Folded, id)
	}
	slices.Sort(m.Folded)
	b, err := json.Marshal(m)
	if err != nil {
		return nil, fmt.Errorf("write the view of the tree: %w", err)
	}
	return b, nil
}

// Import takes over what Export returned. Agents that come later are folded and
// selected as it says when they come.
func (r *Model) Import(b []byte) error {
	var m memory
	if err := json.Unmarshal(b, &m); err != nil {
		return fmt.Errorf("read the view of the tree: %w", err)
	}
	for _, id := range m.Folded {
		r.folded[id] = true
		if n := r.nodes[id]; n != nil {
			r.fold(n, true)
		}
	}
	if m.Show <= Running {
		r.filter.show = m.Show
	}
	if m.Order < orders {
		r.sort(m.Order)
	}
	r.stale = true
	r.lay()
	r.top = max(m.Top, 0)
	if r.wish = m.Selected; r.nodes[r.wish] != nil || r.wish == society.User {
		r.wish = ""
		r.moveTo(r.find(m.Selected))
	}
	return nil
}
