package tui

import (
	"context"
	"encoding/json"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"society-tui/tui/page"
)

// loadedView is the saved view of the last run.
type loadedView struct {
	values map[string][]byte
	err    error
}

// loadView reads the saved view.
func (a *app) loadView() tea.Cmd {
	return page.Later(a.deps.Screen, func(ctx context.Context) loadedView {
		r := loadedView{values: make(map[string][]byte)}
		for _, key := range []string{viewKey, treeKey, chatKey, historyKey} {
			value, err := a.society.Kept(ctx, key)
			if err != nil {
				r.err = err
				return r
			}
			r.values[key] = value.Bytes
		}
		return r
	}, a.onViewLoaded)
}

// onViewLoaded restores the view. What cannot be decoded is skipped, because
// the user can set it again.
func (a *app) onViewLoaded(r loadedView) tea.Cmd {
	a.view.loaded = true
	if r.err != nil {
		return a.notifyError(fmt.Errorf("read the view: %w", r.err))
	}
	a.view.saved = r.values
	var notice tea.Cmd
	var saved savedView
	if json.Unmarshal(r.values[viewKey], &saved) == nil {
		a.nav.pins, a.prefs.HideTree, a.prefs.Divider = saved.Pins, saved.HideTree, saved.Divider
		a.pointer.prefs = mousePrefs{off: saved.MouseOff, inGNUScreen: saved.MouseInGNUScreen, told: saved.ToldGNUScreen}
		notice = a.appearance.chosen.Restore(saved.Theme)
		a.statusLine.SetWorked(saved.Worked)
		if saved.Open != "" {
			a.nav.open = saved.Open
		}
	}
	for key, load := range map[string]func([]byte) error{
		treeKey: a.tree.Import, chatKey: a.transcript.Import, historyKey: a.composer.ImportHistory,
	} {
		if value := r.values[key]; len(value) > 0 {
			_ = load(value)
		}
	}
	a.forgetOthers()
	a.arrange()
	return tea.Batch(a.showAgentConversation(a.nav.open), notice, a.notifyMouse())
}
