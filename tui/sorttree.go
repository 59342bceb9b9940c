package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"society-tui/tui/replica"
)

// sortEvery is the least time between two sorts of the tree: lines that move
// with every frame could not be read or clicked.
const sortEvery = time.Second

// sortTree sorts the tree, now or when it is due.
func (a *app) sortTree() tea.Cmd {
	if !a.replica.IsUnsorted() || a.treeOrder.due.Pending() {
		return nil
	}
	now := a.now()
	if early := a.treeOrder.sorted.Add(sortEvery).Sub(now); early > 0 {
		return a.wake(&a.treeOrder.due, early, func() tea.Cmd { return nil }) // Update calls it again
	}
	a.treeOrder.sorted, a.frame.dirty = now, true
	a.replica.Sort()
	return nil
}

// orderNow describes the current order.
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
