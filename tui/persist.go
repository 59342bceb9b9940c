package tui

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
	"society-tui/tui/background"
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

// A viewState is what is saved of the view, and how far that has come.
type viewState struct {
	loaded  bool              // what the last run saved has been read
	saved   map[string][]byte // what was handed over last, by key
	writing []savedValue      // what is being written
	unsaved []savedValue      // what could not be written
	pending bool              // a write is due or under way
	due     background.AlarmClock
	drafts  map[society.AgentID]bool // the agents whose drafts were read
}

// A savedValue is stored under a key.
type savedValue struct {
	key   string
	value []byte
}

// forgetDraft lets go of the draft to an agent that was removed. The society has
// deleted the stored one; a write that is under way must not bring it back.
func (v *viewState) forgetDraft(id society.AgentID) {
	key := api.DraftPrefix + string(id)
	delete(v.saved, key)
	v.unsaved = append(v.unsaved, savedValue{key, nil})
}

// begin takes everything that is not written yet into the write that begins.
func (v *viewState) begin(changed []savedValue) []savedValue {
	v.writing = append(v.writing, changed...)
	return slices.Clone(v.writing)
}

// end finishes a write. What could not be written goes into the next one.
func (v *viewState) end(err error) {
	if err != nil {
		v.unsaved = append(v.unsaved, v.writing...)
	}
	v.writing, v.pending = nil, false
}

// savedView is the part of the view that belongs to no widget. It is stored: fields
// may be added, never renamed.
type savedView struct {
	Open     society.AgentID   `json:"open,omitempty"`
	Pins     []society.AgentID `json:"pins,omitempty"`
	Theme    string            `json:"theme,omitempty"`
	MouseOff bool              `json:"mouseOff,omitempty"`
	// In GNU screen the mouse is off unless the user turned it on there.
	MouseInGNUScreen bool          `json:"mouseInGNUScreen,omitempty"`
	ToldGNUScreen    bool          `json:"toldGNUScreen,omitempty"`
	HideTree         bool          `json:"hideTree,omitempty"`
	Divider          int           `json:"divider,omitempty"`
	Worked           time.Duration `json:"worked,omitempty"`
}

// loadedView is what the last run saved.
type loadedView struct {
	values map[string][]byte
	err    error
}

// loadView reads what the last run saved.
func (a *app) loadView() tea.Cmd {
	return later(a, func(ctx context.Context) loadedView {
		r := loadedView{values: make(map[string][]byte)}
		for _, key := range []string{viewKey, treeKey, chatKey, historyKey} {
			value, err := a.society.Kept(ctx, key)
			if err != nil {
				r.err = err
				return r
			}
			r.values[key] = value
		}
		return r
	}, a.onViewLoaded)
}

// onViewLoaded restores the view. What cannot be decoded is left out, because the user
// can set it again.
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
		notice = a.features.appearance.Restore(saved.Theme)
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

// loadDraft reads the draft to an agent, the first time that it is shown.
func (a *app) loadDraft(id society.AgentID) tea.Cmd {
	if a.view.drafts[id] {
		return nil
	}
	a.view.drafts[id] = true
	key := api.DraftPrefix + string(id)
	return later(a, func(ctx context.Context) loadedDraft {
		value, err := a.society.Kept(ctx, key)
		return loadedDraft{id, value, err}
	}, a.onDraftLoaded)
}

// loadedDraft is a stored draft.
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
	return a.warn(fmt.Sprintf(a.words.notices.KeepFailed, a.reason(err)), "")
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
