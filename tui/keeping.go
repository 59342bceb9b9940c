package tui

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
)

// What is kept stands under these keys, and drafts under api.DraftPrefix.
const (
	viewKey    = "view"
	treeKey    = "view/tree"
	chatKey    = "view/chat"
	historyKey = "history"
)

// keepAfter gathers what the person does into one write.
const keepAfter = time.Second

// kept is the part of the view that belongs to no room. It is stored: fields may
// be added, never renamed.
type kept struct {
	Open     society.AgentID   `json:"open,omitempty"`
	Pins     []society.AgentID `json:"pins,omitempty"`
	Theme    string            `json:"theme,omitempty"`
	MouseOff bool              `json:"mouseOff,omitempty"`
	// In GNU screen the mouse is off unless it is asked for there.
	MouseInGNUScreen bool          `json:"mouseInGNUScreen,omitempty"`
	ToldGNUScreen    bool          `json:"toldGNUScreen,omitempty"`
	HideTree         bool          `json:"hideTree,omitempty"`
	Divider          int           `json:"divider,omitempty"`
	Worked           time.Duration `json:"worked,omitempty"`
}

// restored is what was kept, read before anything is shown.
type restored struct {
	values map[string][]byte
	err    error
}

// restore reads what was kept.
func (a *app) restore() tea.Cmd {
	return a.command(func(ctx context.Context) tea.Msg {
		r := restored{values: make(map[string][]byte)}
		for _, key := range []string{viewKey, treeKey, chatKey, historyKey} {
			value, err := a.society.Kept(ctx, key)
			if err != nil {
				r.err = err
				return r
			}
			r.values[key] = value
		}
		return r
	})
}

// recall takes over what was kept. What cannot be understood is left out: it is
// a view, and the person can make it anew.
func (a *app) recall(r restored) tea.Cmd {
	a.ready = true
	if r.err != nil {
		return a.sayError(fmt.Errorf("read the view: %w", r.err))
	}
	a.written = r.values
	var said tea.Cmd
	var k kept
	if json.Unmarshal(r.values[viewKey], &k) == nil {
		a.pins, a.wish.hideTree, a.wish.divider = k.Pins, k.HideTree, k.Divider
		a.mouse = mousePrefs{off: k.MouseOff, inGNUScreen: k.MouseInGNUScreen, told: k.ToldGNUScreen}
		said = a.recallTheme(k.Theme)
		a.bar.SetWorked(k.Worked)
		if k.Open != "" {
			a.open = k.Open
		}
	}
	for key, take := range map[string]func([]byte) error{
		treeKey: a.tree.Import, chatKey: a.chat.Import, historyKey: a.pad.ImportHistory,
	} {
		if value := r.values[key]; len(value) > 0 {
			_ = take(value)
		}
	}
	a.forgetOthers()
	a.arrange()
	return tea.Batch(a.show(a.open), said, a.tellMouse())
}

// recallDraft reads the draft to an agent, the first time that it is shown.
func (a *app) recallDraft(id society.AgentID) tea.Cmd {
	if a.drafts[id] {
		return nil
	}
	a.drafts[id] = true
	key := api.DraftPrefix + string(id)
	return later(a, func(ctx context.Context) draftRead {
		value, err := a.society.Kept(ctx, key)
		return draftRead{id, value, err}
	}, a.takeDraft)
}

// draftRead is a draft that was kept.
type draftRead struct {
	agent society.AgentID
	value []byte
	err   error
}

func (a *app) takeDraft(d draftRead) tea.Cmd {
	if d.err == nil {
		a.written[api.DraftPrefix+string(d.agent)] = d.value
		d.err = a.pad.Import(d.agent, d.value)
	}
	if d.err == nil {
		return nil // what is said otherwise stays
	}
	return a.sayError(d.err)
}

// keepSoon sees to it that what the person did is kept, not at once, and in one
// go with what they do next.
func (a *app) keepSoon() tea.Cmd {
	if a.keeping || !a.ready {
		return nil
	}
	a.keeping = true
	return a.wake(&a.keepDue, keepAfter, func() tea.Cmd {
		changed := a.changed()
		if len(changed) == 0 {
			a.keeping = false
			return nil
		}
		a.handed = changed
		return later(a, func(ctx context.Context) keptNow {
			return keptNow{a.keep(ctx, changed)}
		}, a.handedOver)
	})
}

// A note is a value to be kept under a key.
type note struct {
	key   string
	value []byte
}

// keptNow says whether what was handed over could be kept.
type keptNow struct{ err error }

// keep writes notes, of those of one key the last. It may be called from any goroutine.
func (a *app) keep(ctx context.Context, notes []note) error {
	if len(notes) == 0 {
		return nil
	}
	values := make(map[string][]byte, len(notes))
	for _, n := range notes {
		values[n.key] = n.value
	}
	return a.society.Keep(ctx, values)
}

// changed returns what is not kept as it is now, and takes it as written.
func (a *app) changed() []note {
	notes := a.unkept // newer values of the same keys come behind them
	a.unkept = nil
	take := func(key string, value []byte, err error) {
		if err == nil && !bytes.Equal(a.written[key], value) {
			a.written[key] = value
			notes = append(notes, note{key, value})
		}
	}
	view, err := json.Marshal(kept{
		Open: a.open, Pins: a.pins, Theme: a.liked, MouseOff: a.mouse.off,
		MouseInGNUScreen: a.mouse.inGNUScreen, ToldGNUScreen: a.mouse.told,
		HideTree: a.wish.hideTree, Divider: a.wish.divider, Worked: a.bar.Worked().Round(time.Second),
	})
	take(viewKey, view, err)
	value, err := a.tree.Export()
	take(treeKey, value, err)
	value, err = a.chat.Export()
	take(chatKey, value, err)
	value, err = a.pad.ExportHistory()
	take(historyKey, value, err)
	for _, id := range a.pad.Changed() {
		value, err := a.pad.Export(id)
		take(api.DraftPrefix+string(id), value, err)
	}
	return notes
}

// handedOver goes on with what was done meanwhile. It tells that a write failed, which
// is tried again with the next one.
func (a *app) handedOver(k keptNow) tea.Cmd {
	handed := a.handed
	a.handed, a.keeping = nil, false
	if k.err == nil {
		return a.keepSoon()
	}
	a.unkept = append(a.unkept, handed...)
	refusal, refused := errors.AsType[*society.Refusal](k.err)
	if a.replica.Unsaved() != "" || refused && refusal.Code == society.StoreUnavailable {
		return nil // the status row says so, or will with the next frame
	}
	return a.warn(fmt.Sprintf(a.words.notices.KeepFailed, a.reason(k.err)), "")
}
