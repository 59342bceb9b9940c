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
	if a.view.pending || !a.view.loaded {
		return nil
	}
	a.view.pending = true
	return a.wake(&a.view.due, saveDelay, func() tea.Cmd {
		changed := a.changedView()
		if len(changed) == 0 {
			a.view.pending = false
			return nil
		}
		values := a.view.begin(changed)
		return page.Later(a.deps.Screen, func(ctx context.Context) error { return a.save(ctx, values) }, a.onSaved)
	})
}

// save writes values; of equal keys the last one wins. It may be called from
// any goroutine.
func (a *app) save(ctx context.Context, values []savedValue) error {
	if len(values) == 0 {
		return nil
	}
	last := make(map[string]api.Value, len(values))
	for _, v := range values {
		last[v.key] = api.Value{Bytes: v.value, Revision: api.AnyRevision}
	}
	_, err := a.society.Keep(ctx, last)
	return err
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
		HideTree: a.prefs.HideTree, Divider: a.prefs.Divider, Worked: a.statusLine.Worked().Round(time.Second),
	})
	add(viewKey, view, err)
	value, err := a.tree.Export()
	add(treeKey, value, err)
	value, err = a.transcript.Export()
	add(chatKey, value, err)
	value, err = a.composer.ExportHistory()
	add(historyKey, value, err)
	for _, id := range a.composer.Changed() {
		value, err := a.composer.Export(id)
		add(api.DraftPrefix+string(id), value, err)
	}
	return changed
}

// onSaved continues with later changes. A failed write is reported, and
// repeated with the next one.
func (a *app) onSaved(err error) tea.Cmd {
	a.view.end(err)
	if err == nil {
		return a.saveSoon()
	}
	refusal, refused := errors.AsType[*society.Refusal](err)
	if a.replica.Unsaved() != "" || refused && refusal.Code == society.StoreUnavailable {
		return nil // the status line shows it, or will with the next frame
	}
	return a.warn(a.text(textKeepFailed, a.reason(err)), "")
}

// saveAtLast writes what is unsaved. The program has ended, so nothing else
// uses the app.
func (a *app) saveAtLast(ctx context.Context) {
	const atMost = time.Second
	if !a.view.loaded || a.exit.result.Force {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), atMost)
	defer cancel()
	// There is no screen to report an error, and only the view is lost.
	_ = a.save(ctx, a.view.begin(a.changedView()))
}
