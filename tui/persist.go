package tui

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"time"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
	"society-tui/tui/page"
)

// The keys of the stored view. Those of drafts begin with api.DraftPrefix.
const (
	viewKey    = "view"
	treeKey    = "view/tree"
	chatKey    = "view/chat"
	historyKey = "history"
)

// saveDelay is how long changes are collected into one write.
const saveDelay = time.Second

// saveSoon schedules a write of what the user changed.
func (a *app) saveSoon() tea.Cmd {
	if a.view.pending || !a.saves() {
		return nil
	}
	a.view.pending = true
	return a.wake(&a.view.due, saveDelay, func() tea.Cmd {
		changed := a.changedView()
		if len(changed) == 0 {
			a.view.pending = false
			return nil
		}
		w := a.view.begin(changed)
		return page.Later(a.deps.Screen, func(ctx context.Context) write { return a.keep(ctx, w) }, a.onSaved)
	})
}

// keep carries out a write. It may be called from any goroutine.
func (a *app) keep(ctx context.Context, w write) write {
	w.stale, w.err = a.society.Keep(ctx, w.values)
	return w
}

// changedView returns what differs from the saved view, and counts it as saved.
func (a *app) changedView() []savedValue {
	v := &a.view
	changed := v.unsaved // newer values of the same keys follow
	v.unsaved = nil
	add := func(key string, value []byte, err error) {
		if err == nil && !bytes.Equal(v.saved[key], value) {
			v.saved[key] = value
			changed = append(changed, savedValue{key, value})
		}
	}
	view, err := json.Marshal(savedView{
		Open: a.nav.open, Pins: a.nav.pins, Theme: a.appearance.chosen.Saved(), MouseOff: a.pointer.prefs.off,
		MouseInGNUScreen: a.pointer.prefs.inGNUScreen, ToldGNUScreen: a.pointer.prefs.told,
		HideTree: a.prefs.HideTree, Inspector: a.prefs.Inspector, Divider: a.prefs.Divider, Worked: a.statusLine.Worked().Round(time.Second),
		Used: a.view.used,
	})
	add(a.ownKey(viewKey), view, err)
	value, err := a.tree.Export()
	add(a.ownKey(treeKey), value, err)
	value, err = a.transcript.Export()
	add(a.ownKey(chatKey), value, err)
	a.takeOthers()
	for _, id := range a.composer.Changed() {
		if _, other := v.others[id]; other {
			a.composer.StoreBeside(id)
			continue
		}
		value, err := a.composer.Export(id)
		add(api.DraftPrefix+string(id), value, err)
	}
	value, err = a.composer.ExportHistory()
	add(historyKey, value, err)
	return changed
}

// onSaved continues with later changes. A failed write is reported, and
// repeated with the next one.
func (a *app) onSaved(w write) tea.Cmd {
	cmds := []tea.Cmd{a.onWritten(w), a.readTold()}
	if w.err == nil {
		return tea.Batch(append(cmds, a.saveSoon())...)
	}
	refusal, refused := errors.AsType[*society.Refusal](w.err)
	// Otherwise the status line shows it, or will with the next frame; or it says what leaving waits for.
	if a.replica.Unsaved() == "" && !errors.Is(w.err, api.ErrDisconnected) && !(refused && refusal.Code == society.StoreUnavailable) && !a.exit.leaving {
		cmds = append(cmds, a.warn(a.text(textKeepFailed, a.reason(w.err)), ""))
	}
	return tea.Batch(cmds...)
}

// onWritten ends a write, and applies what other screens had changed before.
func (a *app) onWritten(w write) tea.Cmd {
	a.view.end(w)
	var cmds []tea.Cmd
	for key, stored := range w.stale {
		cmds = append(cmds, a.onStored(key, stored))
	}
	return tea.Batch(cmds...)
}

// lastWrites is how often what is stale is merged and written again at the end.
const lastWrites = 3

// saveThen writes what is unsaved, and then does the rest.
func (a *app) saveThen(most int, then func() tea.Cmd) tea.Cmd {
	w := a.view.begin(a.changedView())
	if len(w.values) == 0 || most == 0 || !a.saves() {
		return then()
	}
	return page.Later(a.deps.Screen, func(ctx context.Context) write { return a.keep(ctx, w) }, func(w write) tea.Cmd {
		cmd := a.onWritten(w)
		if w.err != nil {
			return then() // only the view: nobody waits for that
		}
		return tea.Batch(cmd, a.saveThen(most-1, then))
	})
}

// saveAtLast writes what is unsaved. The program has ended, so nothing else
// uses the app.
func (a *app) saveAtLast(ctx context.Context) {
	const atMost = time.Second
	if !a.saves() || a.exit.result.Force {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), atMost)
	defer cancel()
	for range lastWrites {
		w := a.view.begin(a.changedView())
		if len(w.values) == 0 {
			return
		}
		w = a.keep(ctx, w)
		if a.onWritten(w); w.err != nil {
			return // there is no screen to report an error
		}
	}
}

// saves reports whether this screen stores anything.
func (a *app) saves() bool { return a.view.loaded && !a.cfg.Look }
