package tui

import (
	"slices"
	"time"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
	"society-tui/tui/background"
)

// A viewState is the saved view, and the state of saving it.
type viewState struct {
	loaded  bool              // the saved view was read
	saved   map[string][]byte // passed to the last writes, by key
	writing []savedValue      // the current write
	unsaved []savedValue      // failed writes
	pending bool              // a write is scheduled or running
	due     background.AlarmClock
	drafts  map[society.AgentID]bool // agents whose drafts were read
}

// A savedValue is stored under a key.
type savedValue struct {
	key   string
	value []byte
}

// forgetDraft drops the draft to a removed agent. The society has deleted the
// stored one, and a running write must not restore it.
func (v *viewState) forgetDraft(id society.AgentID) {
	key := api.DraftPrefix + string(id)
	delete(v.saved, key)
	v.unsaved = append(v.unsaved, savedValue{key, nil})
}

// begin moves everything unsaved into a new write.
func (v *viewState) begin(changed []savedValue) []savedValue {
	v.writing = append(v.writing, changed...)
	return slices.Clone(v.writing)
}

// end finishes a write. If it failed, the next one repeats it.
func (v *viewState) end(err error) {
	if err != nil {
		v.unsaved = append(v.unsaved, v.writing...)
	}
	v.writing, v.pending = nil, false
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
	Divider          int           `json:"divider,omitempty"`
	Worked           time.Duration `json:"worked,omitempty"`
}
