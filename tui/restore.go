package tui

import (
	"encoding/json"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/society"
	"society-tui/tui/page"
)

// loadView reads the saved view.
func (a *app) loadView() tea.Cmd {
	return page.Later(a.deps.Screen, a.readView, a.onViewLoaded)
}

// isGone reports whether the agents are known and this is none of them: it was terminated after
// the view was saved.
func (a *app) isGone(id society.AgentID) bool {
	_, known := a.replica.Row(society.Root)
	_, here := a.replica.Row(id)
	return known && !here && id != society.User
}

// onViewLoaded restores the view. What cannot be decoded is skipped, because
// the user can set it again.
func (a *app) onViewLoaded(r loadedView) tea.Cmd {
	a.view.loaded = true
	if r.err != nil {
		return a.notifyError(fmt.Errorf("read the view: %w", r.err))
	}
	for key, value := range r.values {
		a.view.saved[a.ownKey(key)] = value
	}
	history := r.shared[historyKey]
	a.view.known[historyKey], a.view.saved[historyKey] = history, history.Bytes
	var notice tea.Cmd
	var saved savedView
	if json.Unmarshal(r.values[viewKey], &saved) == nil {
		a.nav.pins, a.prefs.HideTree, a.prefs.Inspector, a.prefs.Divider = saved.Pins, saved.HideTree, saved.Inspector, saved.Divider
		a.pointer.prefs = mousePrefs{off: saved.MouseOff, inGNUScreen: saved.MouseInGNUScreen, told: saved.ToldGNUScreen}
		notice = a.appearance.chosen.Restore(saved.Theme)
		a.statusLine.SetWorked(saved.Worked)
		a.view.used = saved.Used
		if saved.Open != "" && !a.isGone(saved.Open) {
			a.nav.open = saved.Open
		}
	}
	for key, load := range map[string]func([]byte) error{treeKey: a.tree.Import, chatKey: a.transcript.Import} {
		if value := r.values[key]; len(value) > 0 {
			_ = load(value)
		}
	}
	_ = a.composer.ImportHistory(history.Bytes)
	a.forgetOthers()
	a.arrange()
	return tea.Batch(a.showAgentConversation(a.nav.open), notice, a.notifyMouse(), a.readTold())
}
