package tui

import (
	"bytes"
	"strings"
	"time"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
	"society-tui/tui/background"
)

// A viewState is the saved view, and the state of saving it. Drafts and the history are
// shared with other screens: each write of them replaces what this screen knows.
type viewState struct {
	used    []string                // names of commands that were run from the palette, the last one first
	loaded  bool                    // the saved view was read
	saved   map[string][]byte       // passed to the last writes, by key
	known   map[string]api.Value    // shared values as this screen knows them to be stored
	told    map[string]bool         // shared values that may have changed, to be read
	tried   map[string]api.Revision // written by failed writes, which may be stored all the same
	writing map[string][]byte       // values of running writes
	unsaved []savedValue            // failed writes
	pending bool                    // a write is scheduled or running
	due     background.AlarmClock
	drafts  map[society.AgentID]bool // agents whose drafts were read
	others  map[society.AgentID]otherText
}

func newViewState() viewState {
	return viewState{
		saved: make(map[string][]byte), known: make(map[string]api.Value), told: make(map[string]bool), tried: make(map[string]api.Revision), writing: make(map[string][]byte),
		drafts: make(map[society.AgentID]bool), others: make(map[society.AgentID]otherText),
	}
}

// A savedValue is stored under a key.
type savedValue struct {
	key   string
	value []byte
}

// isShared reports whether all screens share the value of a key.
func isShared(key string) bool {
	return key == historyKey || strings.HasPrefix(key, api.DraftPrefix)
}

// draftOf returns the agent whose draft has a key.
func draftOf(key string) (id society.AgentID, ok bool) {
	after, ok := strings.CutPrefix(key, api.DraftPrefix)
	return society.AgentID(after), ok
}

// forgetDraft drops the draft to a removed agent. The society has deleted the
// stored one, and a running write must not restore it.
func (v *viewState) forgetDraft(id society.AgentID) {
	key := api.DraftPrefix + string(id)
	delete(v.saved, key)
	delete(v.told, key)
	delete(v.others, id)
	v.known[key] = api.Value{Revision: api.AnyRevision}
	v.unsaved = append(v.unsaved, savedValue{key, nil})
}

// A write passes values to the society. They are in the store then, but for the stale
// ones, which other screens have changed before; none are if err is set.
type write struct {
	values map[string]api.Value
	stale  map[string]api.Value
	err    error
}

// begin begins a write of what changed, and of what running writes may fail to store.
func (v *viewState) begin(changed []savedValue) write {
	for _, c := range changed {
		v.writing[c.key] = c.value
	}
	w := write{values: make(map[string]api.Value, len(v.writing))}
	for key, value := range v.writing {
		replaces := api.AnyRevision
		if isShared(key) {
			replaces = v.known[key].Revision
		}
		w.values[key] = api.Value{Bytes: value, Revision: replaces}
	}
	return w
}

// end finishes a write. If it failed, the next one repeats it, and may find that it is
// stored all the same.
func (v *viewState) end(w write) {
	v.pending = false
	for key, value := range w.values {
		if bytes.Equal(v.writing[key], value.Bytes) {
			delete(v.writing, key)
		}
		_, stale := w.stale[key]
		switch {
		case w.err != nil:
			v.tried[key] = api.RevisionOf(value.Bytes)
			if bytes.Equal(v.saved[key], value.Bytes) { // else a newer one has been passed on
				v.unsaved = append(v.unsaved, savedValue{key, value.Bytes})
			}
		case !stale && isShared(key):
			v.known[key] = api.ValueOf(value.Bytes)
		}
	}
}

// savedView is the stored part of the view that belongs to no widget. Fields
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
	Inspector        bool          `json:"inspector,omitempty"`
	Divider          int           `json:"divider,omitempty"`
	Worked           time.Duration `json:"worked,omitempty"`
	Used             []string      `json:"used,omitempty"` // commands, see viewState
}
