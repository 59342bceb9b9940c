package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"society-tui/tui/replica"
)

// sortEvery is how often at most the tree is put into its order, where that is not
// that of spawning: lines that move with every frame could not be read, nor hit.
const sortEvery = time.Second

// sortTree puts the tree into its order, now or when it may be again.
func (a *app) sortTree() tea.Cmd {
	if !a.replica.IsUnsorted() || a.treeOrder.due.Pending() {
		return nil
	}
	now := a.now()
	if early := a.treeOrder.sorted.Add(sortEvery).Sub(now); early > 0 {
		return a.wake(&a.treeOrder.due, early, func() tea.Cmd { return nil }) // Update comes by here again
	}
	a.treeOrder.sorted, a.frame.dirty = now, true
	a.replica.Sort()
	return nil
}

// orderNow says how the agents stand.
func (a *app) orderNow() string {
	switch a.replica.Order() {
	case replica.ByActivity:
		return a.text(textOrderActivity)
	case replica.ByState:
		return a.text(textOrderState)
	case replica.ByTokens:
		return a.text(textOrderTokens)
	}
	return a.text(textOrderSpawn)
}
