package tui

import (
	"context"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
	"society-tui/tui/composer"
	"society-tui/tui/page"

	tea "charm.land/bubbletea/v2"
)

// loadDraft reads the draft to an agent, the first time it is shown. A screen that only
// looks shows nobody's.
func (a *app) loadDraft(id society.AgentID) tea.Cmd {
	if a.cfg.Look || a.view.drafts[id] {
		return nil
	}
	a.view.drafts[id] = true
	return a.readShared(api.DraftPrefix + string(id))
}

// A storedValue is a shared value as it was read.
type storedValue struct {
	key   string
	since api.Revision // what this screen knew when it began to read
	value api.Value
	err   error
}

// readShared reads a shared value that may have changed.
func (a *app) readShared(key string) tea.Cmd {
	since := a.view.known[key].Revision
	return page.Later(a.deps.Screen, func(ctx context.Context) storedValue {
		value, err := a.society.Kept(ctx, key)
		return storedValue{key, since, value, err}
	}, a.onSharedRead)
}

// onSharedRead applies a value, unless this screen has written it meanwhile: then what was
// read may be older.
func (a *app) onSharedRead(s storedValue) tea.Cmd {
	switch {
	case s.err != nil:
		return a.notifyError(s.err)
	case len(a.view.writing) > 0 || a.view.known[s.key].Revision != s.since:
		a.view.told[s.key] = true
		return a.readTold()
	}
	return a.onStored(s.key, s.value)
}

// onKept notes which shared values other screens have changed.
func (a *app) onKept(c *api.Changes) tea.Cmd {
	v := &a.view
	if c.All {
		for key := range v.known {
			v.told[key] = true
		}
	}
	for key, revision := range c.Kept {
		if isShared(key) && v.known[key].Revision != revision {
			v.told[key] = true
		}
	}
	return a.readTold()
}

// readTold reads what other screens have changed, once no write is running: before its
// end this screen does not know what it has changed itself.
func (a *app) readTold() tea.Cmd {
	v := &a.view
	if !v.loaded || len(v.writing) > 0 {
		return nil
	}
	var cmds []tea.Cmd
	for key := range v.told {
		id, draft := draftOf(key)
		if _, here := a.replica.Row(id); !draft || here && v.drafts[id] { // else it is read when it is shown
			cmds = append(cmds, a.readShared(key))
		}
	}
	clear(v.told)
	return tea.Batch(cmds...)
}

// onStored applies what is stored. A draft that was changed here stays, and the other
// screen's is offered.
func (a *app) onStored(key string, stored api.Value) tea.Cmd {
	v := &a.view
	if tried := v.tried[key]; tried != "" && tried == stored.Revision { // this screen wrote it
		v.known[key] = stored
	}
	delete(v.tried, key)
	id, draft := draftOf(key)
	if !draft {
		return a.onHistoryStored(stored)
	}
	mine, err := a.composer.Export(id)
	if err != nil {
		return a.notifyError(err)
	}
	a.composer.Learn(stored.Bytes)
	other, err := composer.TextOf(stored.Bytes)
	if err != nil {
		return a.notifyError(err)
	}
	var cmd tea.Cmd
	known := v.known[key].Revision
	switch now := api.RevisionOf(mine); {
	case now == stored.Revision:
	case now != known && (stored.Revision == "" || stored.Revision == known):
		a.composer.Touch(id)
		cmd = a.saveSoon()
	case now == "" || now == known:
		a.composer.Replace(id, other)
	default:
		return a.offer(id, stored, other)
	}
	delete(v.others, id)
	v.known[key], v.saved[key] = stored, stored.Bytes
	return cmd
}

// onHistoryStored merges the history with that of other screens.
func (a *app) onHistoryStored(stored api.Value) tea.Cmd {
	v := &a.view
	more, err := a.composer.MergeHistory(stored.Bytes, v.known[historyKey].Bytes)
	if err != nil {
		return a.notifyError(err)
	}
	v.known[historyKey], v.saved[historyKey] = stored, stored.Bytes
	if more {
		return a.saveSoon()
	}
	// A different order is no reason to write.
	if v.saved[historyKey], err = a.composer.ExportHistory(); err != nil {
		return a.notifyError(err)
	}
	return nil
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
