package transcript

import (
	"math"
	"strconv"

	"society-tui/runtime/conversation"
)

// asideRun returns how many of these entries, from the first on, were set aside.
func asideRun(entries []conversation.Entry) int {
	for i := range entries {
		if entries[i].SetAside.IsZero() {
			return i
		}
	}
	return len(entries)
}

// setAside adds the row that stands for a run of entries, and the entries too if the user has
// unfolded it.
func (b *builder) setAside(run []conversation.Entry) {
	row := conversation.Entry{Slot: run[0].Slot, Seq: run[len(run)-1].Slot, Kind: conversation.Notice, Text: strconv.Itoa(len(run))}
	for i := range run {
		if at := run[i].SetAside; at.After(row.At) {
			row.At = at
		}
	}
	b.add(&item{id: itemID{slot: row.Slot, part: asidePart, n: int(min(row.Seq, math.MaxInt))}, entry: row})
	b.speaking, b.node = false, ""
	if b.thread.shows(&row) {
		b.aside = true
		b.entries(run)
		b.aside, b.speaking, b.node = false, false, ""
	}
}

// shows reports whether the user has unfolded such a row. It may have begun elsewhere then,
// since older entries are read later. With another end it stands for more that was set aside.
func (t *thread) shows(row *conversation.Entry) bool {
	for key := range t.folds {
		if t.isOf(key, row) {
			return true
		}
	}
	return false
}

func (t *thread) isOf(key foldKey, row *conversation.Entry) bool {
	return key.id.part == asidePart && key.detail == t.model.detail && uint64(key.id.n) == row.Seq
}

// toggleAside shows the entries behind a row, or folds them.
func (t *thread) toggleAside(it *item) {
	open := t.shows(&it.entry)
	for key := range t.folds {
		if t.isOf(key, &it.entry) {
			delete(t.folds, key)
		}
	}
	if !open {
		t.folds[foldKey{it.id, t.model.detail}] = unfolded
	}
	t.rebuild()
	if i := indexOf(t.stored, it.id); i >= 0 {
		t.stored[i].laid = false // it tells what the next press does
	}
}

// unfoldAside shows the set aside entry in a slot if its row is folded.
func (t *thread) unfoldAside(slot uint64) {
	for _, it := range t.stored {
		if it.id.part == asidePart && it.entry.Slot <= slot && slot <= it.entry.Seq && !t.shows(&it.entry) {
			t.toggleAside(it)
			return
		}
	}
}

// asideWords describes a row of entries that were set aside.
func (it *item) asideWords(r *Model) string {
	n, _ := strconv.Atoi(it.entry.Text) // it was written by setAside
	return r.printer.N(textSetAside, n, r.clock(it.entry.At))
}

// layAside lays out the row of entries that were set aside.
func (it *item) layAside(r *Model, t *thread, width int) {
	f, hint := folded, r.text(textShowAside)
	switch {
	case t.shows(&it.entry):
		f, hint = unfolded, r.text(textFoldAside)
	case !r.focus:
		hint = r.text(textGoToAside)
	}
	left := r.styles.subtle.Draw(r.marker(f)) + " " + r.styles.muted.Draw(it.asideWords(r)+r.dot()+hint)
	it.top = append(it.top, r.set.Fit(left, width, r.set.Tail()))
}

// OwnMessage returns the id of the user's message at the cursor, "" if that is something else
// or was set aside. Chosen is false if the cursor is nowhere in particular.
func (r *Model) OwnMessage() (id string, chosen bool) {
	if r.open == nil || !r.open.list.Picked() {
		return "", false
	}
	_, it := r.open.current()
	if it == nil || it.id.part == standingPart || it.id.part == repliesPart {
		return "", false
	}
	if it.id.part == messagePart && it.mine && !it.aside && it.entry.Kind == conversation.Inbound {
		id = it.entry.MessageID
	}
	return id, true
}
