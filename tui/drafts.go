package tui

import (
	"context"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
	"society-tui/tui/page"

	tea "charm.land/bubbletea/v2"
)

// loadDraft reads the draft to an agent, the first time it is shown.
func (a *app) loadDraft(id society.AgentID) tea.Cmd {
	if a.view.drafts[id] {
		return nil
	}
	a.view.drafts[id] = true
	key := api.DraftPrefix + string(id)
	return page.Later(a.deps.Screen, func(ctx context.Context) loadedDraft {
		value, err := a.society.Kept(ctx, key)
		return loadedDraft{id, value.Bytes, err}
	}, a.onDraftLoaded)
}

// A loadedDraft is a stored draft.
type loadedDraft struct {
	agent society.AgentID
	value []byte
	err   error
}

func (a *app) onDraftLoaded(d loadedDraft) tea.Cmd {
	if d.err == nil {
		a.view.saved[api.DraftPrefix+string(d.agent)] = d.value
		d.err = a.composer.Import(d.agent, d.value)
	}
	if d.err == nil {
		return nil
	}
	return a.notifyError(d.err)
}

// forgetOthers drops texts to agents that ended while the program was closed.
func (a *app) forgetOthers() {
	if _, known := a.replica.Row(society.Root); known {
		a.composer.ForgetOthers(func(id society.AgentID) bool {
			_, here := a.replica.Row(id)
			return here
		})
	}
}
