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
)

// The keys under which the view is stored. Drafts have api.DraftPrefix.
const (
	viewKey    = "view"
	treeKey    = "view/tree"
	chatKey    = "view/chat"
	historyKey = "history"
)

// saveDelay gathers what the user does into one write.
const saveDelay = time.Second

// saveSoon saves what the user did, together with what they do next.
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
		return later(a, func(ctx context.Context) error { return a.save(ctx, values) }, a.onSaved)
	})
}

// save writes values, of those of one key the last. It may be called from any goroutine.
func (a *app) save(ctx context.Context, values []savedValue) error {
	if len(values) == 0 {
		return nil
	}
	last := make(map[string][]byte, len(values))
	for _, v := range values {
		last[v.key] = v.value
	}
	return a.society.Keep(ctx, last)
}

// changedView returns what differs from what was saved, and counts it as saved.
func (a *app) changedView() []savedValue {
	v := &a.view
	changed := v.unsaved // newer values of the same keys come behind them
	v.unsaved = nil
	add := func(key string, value []byte, err error) {
		if err == nil && !bytes.Equal(v.saved[key], value) {
			v.saved[key] = value
			changed = append(changed, savedValue{key, value})
		}
	}
	view, err := json.Marshal(savedView{
		Open: a.nav.open, Pins: a.nav.pins, Theme: a.features.appearance.Saved(), MouseOff: a.pointer.prefs.off,
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

// onSaved goes on with what was changed meanwhile. A write that failed is reported, and
// tried again with the next one.
func (a *app) onSaved(err error) tea.Cmd {
	a.view.end(err)
	if err == nil {
		return a.saveSoon()
	}
	refusal, refused := errors.AsType[*society.Refusal](err)
	if a.replica.Unsaved() != "" || refused && refusal.Code == society.StoreUnavailable {
		return nil // the status line says so, or will with the next frame
	}
	return a.warn(a.text(textKeepFailed, a.reason(err)), "")
}

// saveAtLast writes what was changed and is not known to be saved. The program has ended,
// so that nothing else touches the app any more.
func (a *app) saveAtLast(ctx context.Context) {
	const atMost = time.Second
	if !a.view.loaded || a.exit.result.Force {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), atMost)
	defer cancel()
	// There is no screen left to say so: what failed is only the view.
	_ = a.save(ctx, a.view.begin(a.changedView()))
}
