package tui

import (
	"slices"
	"time"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
	"society-tui/tui/background"
)

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
