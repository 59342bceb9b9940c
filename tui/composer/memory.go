package composer

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"society-tui/runtime/society"
)

// memory is the stored form of a draft. Fields may be added, never renamed.
type memory struct {
	Text string `json:"text"`
	// Pasted are where in it pastes stand that are sent as files: the first byte and the
	// number of bytes of each.
	Pasted [][2]int `json:"pasted,omitempty"`
}

// Changed returns the recipients whose drafts changed since its last call.
func (r *Model) Changed() []society.AgentID {
	if len(r.changed) == 0 {
		return nil
	}
	ids := slices.Sorted(maps.Keys(r.changed))
	clear(r.changed)
	return ids
}

// Unsent returns how many agents have a draft.
func (r *Model) Unsent() int {
	n := 0
	for _, d := range r.drafts {
		if !d.own().empty() {
			n++
		}
	}
	return n
}

// Export returns the draft to an agent for storage across restarts, or nil if
// it is empty.
func (r *Model) Export(agent society.AgentID) ([]byte, error) {
	d := r.of(agent)
	if d.own().empty() {
		return nil, nil
	}
	text := d.whole(d.own().String())
	b, err := json.Marshal(memory{Text: text, Pasted: d.pasted.spans(text)})
	if err != nil {
		return nil, fmt.Errorf("write the draft to %s: %w", agent, err)
	}
	return b, nil
}

// Forget drops the texts to a removed agent, and the draft unless it is
// visible.
func (r *Model) Forget(agent society.AgentID) {
	r.history.forget(agent)
	if agent != receiver(r.to.Agent) {
		delete(r.drafts, agent)
		delete(r.changed, agent)
	}
}

// ForgetOthers drops the texts to agents that are not present; they may have
// ended while the program was closed.
func (r *Model) ForgetOthers(there func(society.AgentID) bool) {
	for _, w := range r.history.entries {
		if w.To != "" && !there(w.To) {
			r.history.forget(w.To)
		}
	}
}

// ExportHistory returns the history, oldest first.
func (r *Model) ExportHistory() ([]byte, error) {
	b, err := json.Marshal(r.history.remembered())
	if err != nil {
		return nil, fmt.Errorf("write the history: %w", err)
	}
	return b, nil
}

// ImportHistory inserts what ExportHistory returned before newer texts.
func (r *Model) ImportHistory(saved []byte) error {
	entries, err := historyOf(saved)
	if err != nil {
		return err
	}
	since := r.history.entries
	r.history = history{}
	for _, w := range slices.Concat(entries, since) {
		r.history.add(w)
	}
	return nil
}
