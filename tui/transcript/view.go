package transcript

import (
	"encoding/json"
	"fmt"
	"slices"

	"society-tui/runtime/society"
	"society-tui/tui/scroll"
)

// viewLimit is for how many conversations the position is saved.
const viewLimit = 200

// memory is the stored form of all views. Fields may be added, never renamed.
type memory struct {
	Detail Detail                   `json:"detail,omitempty"`
	Views  map[society.AgentID]view `json:"views,omitempty"`
}

// A view is the user's position and folds in one conversation.
type view struct {
	// Hold is set when it does not follow; Top and Cursor are the position then.
	Hold   bool       `json:"hold,omitempty"`
	Top    spot       `json:"top,omitzero"`
	Cursor spot       `json:"cursor,omitzero"`
	Folds  []keptFold `json:"folds,omitempty"`
}

// A spot is a row of an item.
type spot struct {
	Slot uint64 `json:"slot,omitempty"`
	Part part   `json:"part,omitempty"`
	N    int    `json:"n,omitempty"`
	Row  int    `json:"row,omitempty"`
}

func (s spot) id() itemID { return itemID{s.Slot, s.Part, s.N} }

// now reports whether the item is a live one at the end, which may be gone
// later.
func (s spot) now() bool { return s.Part >= waitingPart }

type keptFold struct {
	Slot   uint64 `json:"slot"`
	Part   part   `json:"part,omitempty"`
	N      int    `json:"n,omitempty"`
	Detail Detail `json:"detail,omitempty"`
	Fold   fold   `json:"fold"`
}

func (v *view) folds() map[foldKey]fold {
	folds := make(map[foldKey]fold, len(v.Folds))
	for _, f := range v.Folds {
		folds[foldKey{itemID{f.Slot, f.Part, f.N}, f.Detail}] = min(f.Fold, whole)
	}
	return folds
}

// remember saves the position and folds of the open conversation.
func (r *Model) remember() {
	t := r.open
	if t == nil {
		return
	}
	if t.pending != nil {
		return // it was not open long enough for another position
	}
	v := t.view()
	if s := r.search; s != nil && s.agent == t.agent {
		v = s.began // what a search unfolded is not the user's choice
	}
	delete(r.views, t.agent)
	if v.Hold || len(v.Folds) > 0 {
		for id := range r.views {
			if len(r.views) < viewLimit {
				break
			}
			delete(r.views, id)
		}
		r.views[t.agent] = v
	}
}

// view returns the position and folds in the conversation.
func (t *thread) view() view {
	var v view
	if !t.list.Following() {
		v.Hold = true
		v.Top = t.spot(t.list.Top())
		if at, ok := t.list.Cursor(); ok {
			v.Cursor = t.spot(at)
		}
	}
	for key, f := range t.folds {
		if key.id.part < waitingPart || key.id.part == asidePart { // live items are gone by then
			v.Folds = append(v.Folds, keptFold{key.id.slot, key.id.part, key.id.n, key.detail, f})
		}
	}
	slices.SortFunc(v.Folds, func(a, b keptFold) int {
		switch {
		case a.Slot != b.Slot:
			return compare(a.Slot, b.Slot)
		case a.Part != b.Part:
			return compare(a.Part, b.Part)
		case a.N != b.N:
			return a.N - b.N
		}
		return compare(a.Detail, b.Detail)
	})
	return v
}

func compare[N ~uint8 | ~uint64](a, b N) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

func (t *thread) spot(p scroll.Place) spot {
	if p.Item >= len(t.items) {
		return spot{}
	}
	id := t.items[p.Item].id
	return spot{id.slot, id.part, id.n, p.Row}
}

// restore goes to the saved position, now that its page is here.
func (t *thread) restore() {
	v := t.pending
	t.pending = nil
	if v == nil || !v.Hold {
		return
	}
	top, cursor := indexOf(t.items, v.Top.id()), indexOf(t.items, v.Cursor.id())
	switch {
	case top < 0 && v.Top.now():
		t.list.Follow()
		return
	case top < 0:
		return
	}
	at := scroll.Place{Item: top, Row: v.Top.Row}
	on := at
	switch {
	case cursor >= 0:
		on = scroll.Place{Item: cursor, Row: v.Cursor.Row}
	case v.Cursor.now():
		on = scroll.Place{Item: len(t.items) - 1}
	}
	t.list.Restore(at, on)
}

// Export returns positions and folds of all conversations, to be stored across
// restarts. Equal views give equal bytes.
func (r *Model) Export() ([]byte, error) {
	r.remember()
	b, err := json.Marshal(memory{Detail: r.detail, Views: r.views})
	if err != nil {
		return nil, fmt.Errorf("write the view of the conversations: %w", err)
	}
	return b, nil
}

// Import restores what Export returned.
func (r *Model) Import(b []byte) error {
	var m memory
	if err := json.Unmarshal(b, &m); err != nil {
		return fmt.Errorf("read the view of the conversations: %w", err)
	}
	if m.Detail <= Calls {
		r.detail = m.Detail
	}
	for id, v := range m.Views {
		r.views[id] = v
		if t := r.threads[id]; t != nil {
			t.folds = v.folds()
			t.pending = &v
			if t.known { // read before the view: what was set aside has no items yet
				t.rebuild()
				t.restore()
			}
			t.redraw()
		}
	}
	return nil
}
