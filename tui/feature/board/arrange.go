package board

import (
	"context"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/society"
	"society-tui/tui/agenttable"
	"society-tui/tui/page"
	"society-tui/tui/replica"
)

// sortEvery is the least time between two sorts because of changed agents: rows that move with
// every frame could not be read.
const sortEvery = time.Second

// Next sorts changed agents, now or when it is due.
func (f *Feature) Next() tea.Cmd {
	if !f.open || !f.changed || f.waiting {
		return nil
	}
	early := f.sorted.Add(sortEvery).Sub(f.Now())
	if early <= 0 {
		f.stale = true
		f.arrange()
		return nil
	}
	f.waiting = true
	return page.Later(f.Screen, func(ctx context.Context) struct{} {
		due := time.NewTimer(early)
		defer due.Stop()
		select {
		case <-due.C:
		case <-ctx.Done():
		}
		return struct{}{}
	}, func(struct{}) tea.Cmd {
		f.waiting = false // Next is called again
		return nil
	})
}

// arrange filters and sorts the agents if that is due, and at once if some were added or
// removed. The selected agent stays selected and on its line of the screen; if it is not shown
// any more, the nearest one is selected.
func (f *Feature) arrange() {
	if !f.stale && f.shape == f.Replica.Shape() {
		return
	}
	line, before, old := f.cursor-f.top, f.selected, f.rows
	f.stale, f.shape, f.changed, f.sorted = false, f.Replica.Shape(), false, f.Now()
	f.rows = make([]*replica.Agent, 0, f.Replica.Len())
	for a := range f.Replica.Agents() {
		if f.filter.Matches(a, f.sorted) {
			f.rows = append(f.rows, a)
		}
	}
	f.table.Sort(f.rows, f.order)
	f.moveTo(f.nearest(old))
	if f.selected == before && len(old) > 0 {
		f.top = max(f.cursor-line, 0)
	}
}

// nearest returns the row of the selected agent, or of the shown one that was nearest to it
// among the old rows, first below and then above.
func (f *Feature) nearest(old []*replica.Agent) int {
	if at := f.find(f.selected); at >= 0 {
		return at
	}
	row := make(map[society.AgentID]int, len(f.rows))
	for i, a := range f.rows {
		row[a.Row.ID] = i
	}
	for d := 1; d <= len(old); d++ {
		for _, at := range []int{f.cursor + d, f.cursor - d} {
			if at < 0 || at >= len(old) {
				continue
			}
			if i, shown := row[old[at].Row.ID]; shown {
				return i
			}
		}
	}
	return 0
}

// find returns the row of an agent, or -1.
func (f *Feature) find(id society.AgentID) int {
	return slices.IndexFunc(f.rows, func(a *replica.Agent) bool { return a.Row.ID == id })
}

// moveTo selects a row.
func (f *Feature) moveTo(at int) {
	f.cursor = max(min(at, len(f.rows)-1), 0)
	if len(f.rows) > 0 {
		f.selected = f.rows[f.cursor].Row.ID
	}
}

// move moves the selection by rows, as the user wants.
func (f *Feature) move(by int) {
	f.arrange()
	f.moveTo(f.cursor + by)
	f.free = false
	f.cfg.Moved()
}

// Wheel scrolls, and keeps the selection.
func (f *Feature) Wheel(notches int) {
	const rows = 3 // of a notch
	f.free = true
	f.top = max(min(f.top+rows*notches, len(f.rows)-f.height), 0)
}

// sortBy sorts the agents at once.
func (f *Feature) sortBy(o agenttable.Order) { f.order, f.stale = o, true }
