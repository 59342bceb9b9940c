package transcript

import (
	"cmp"
	"slices"

	"society-tui/runtime/api"
	"society-tui/runtime/conversation"
	"society-tui/runtime/society"
)

const (
	// loaded is how many entries of a conversation are in memory, unless the user
	// scrolls back farther.
	loaded = 400
	// older is how many entries are read at a time, at least.
	older = 200
)

// older returns how many entries are read before the first in memory. It grows with what is
// in memory, because each page costs a pass over all of it: so one entry costs the same in a
// conversation of any length.
func (t *thread) older() uint64 { return uint64(max(older, len(t.entries)/2)) }

// A PageRequest asks for the entries from From up to but not including Upto, 0
// meaning the end. For society.User it asks for the inbox from sequence number
// From on.
type PageRequest struct {
	Agent      society.AgentID
	From, Upto uint64
}

// PageRequest returns what to read next. Each request is returned once and must
// be answered by Extend, ExtendInbox or Fail. Call it after every other change
// to the model.
func (r *Model) PageRequest() (request PageRequest, ok bool) {
	t := r.open
	if t == nil || t.asked || t.failed != "" {
		return PageRequest{}, false
	}
	t.trim()
	request = PageRequest{Agent: t.agent}
	switch {
	case !t.known:
		if t.pending != nil && t.pending.Hold && !t.pending.Top.now() {
			// Back to the saved position, with some entries above it.
			request.From = t.pending.Top.Slot - min(t.pending.Top.Slot, older)
		} else if r.row.ID == t.agent && r.row.Next > loaded {
			request.From = r.row.Next - loaded
		}
	case t.stale:
		request.From = max(t.from, min(t.changed, t.next))
	case r.search.wants(t):
		to := r.search.hits[r.search.at].id.slot
		request.From, request.Upto = max(t.first, to-min(to, overlap)), t.from
	case t.from > t.first && r.width > 0 && (t.home || !t.list.Above(2*max(r.height, 1))):
		request.From, request.Upto = max(t.first, t.from-min(t.from, t.older())), t.from
	default:
		return PageRequest{}, false
	}
	t.asked = true
	t.stale = t.stale && t.known && request.Upto != 0
	return request, true
}

// Changed tells that an agent's conversation changed from slot on; it need not
// be open. For society.User it tells of new messages.
func (r *Model) Changed(id society.AgentID, slot uint64) {
	t := r.threads[id]
	if t == nil {
		return
	}
	if id == society.User {
		slot = t.next
	}
	if s := r.search; s != nil && s.agent == id {
		if !s.stale || slot < s.changed {
			s.changed = slot
		}
		s.stale, s.failed = true, ""
	}
	if !t.stale || slot < t.changed {
		t.changed = slot
	}
	t.stale = true
	t.failed = ""
}

// Fail reports why a request could not be read. It is repeated when the
// conversation changes or is opened again.
func (r *Model) Fail(request PageRequest, reason string) {
	if t := r.threads[request.Agent]; t != nil {
		t.asked, t.home = false, false
		t.failed = reason
		if t.known && request.Upto == 0 {
			t.stale, t.changed = true, request.From
		}
	}
}

// Extend adds the requested entries.
func (r *Model) Extend(request PageRequest, page api.Entries) {
	t := r.threads[request.Agent]
	if t == nil {
		return
	}
	t.asked = false
	t.failed = ""
	t.first = page.First
	if !t.known || request.From < t.from {
		t.from = max(request.From, page.First)
	}
	t.known = true
	t.replace(request.From, request.Upto, page.Entries)
	if request.Upto == 0 {
		t.next = page.Next
		t.waiting = page.Waiting
		t.model.countUnread()
	}
	if !t.stale {
		t.draftEnds()
	}
	t.rebuild()
	t.restore()
	t.seek()
	t.goHome()
	r.arrive()
}

// ExtendInbox adds the requested messages to the user.
func (r *Model) ExtendInbox(request PageRequest, messages []api.InboxMessage) {
	page := inboxPage(request.From, messages)
	if t := r.threads[request.Agent]; t != nil && t.known {
		page.First = t.first
	}
	r.Extend(request, page)
}

// inboxPage turns messages to the user into entries.
func inboxPage(from uint64, messages []api.InboxMessage) api.Entries {
	page := api.Entries{Agent: society.User, First: from, Next: from}
	for _, m := range messages {
		kind := string(m.Type)
		if m.Note {
			kind = noteType
		}
		page.Entries = append(page.Entries, conversation.Entry{
			Slot: m.Seq, Kind: conversation.Inbound, At: m.At, Body: m.Body,
			From: string(m.From), FromRole: m.Role, To: string(society.User), Type: kind,
			MessageID: string(m.ID), TaskID: string(m.Task), Seq: m.Seq, Quick: m.Quick,
		})
		page.Next = m.Seq + 1
	}
	return page
}

// noteType marks a message to the user that is text of a turn, not an answer.
const noteType = "note"

// goHome shows the first entry of the conversation, once it is here, if it is wanted.
func (t *thread) goHome() {
	if t.home && t.from <= t.first {
		t.home = false
		t.list.First()
	}
}

// replace puts entries, ordered by slot, in place of those in [from, upto).
func (t *thread) replace(from, upto uint64, entries []conversation.Entry) {
	at, end := t.entryAt(from), len(t.entries)
	if upto != 0 {
		end = max(at, t.entryAt(upto))
	}
	t.entries = slices.Replace(t.entries, at, end, entries...)
}

// entryAt returns the index of the first entry in memory at or after a slot.
func (t *thread) entryAt(slot uint64) int {
	at, _ := slices.BinarySearchFunc(t.entries, slot, bySlot)
	return at
}

func bySlot(e conversation.Entry, slot uint64) int { return cmp.Compare(e.Slot, slot) }

// trim drops the oldest entries while they are not visible.
func (t *thread) trim() {
	if !t.list.Following() || len(t.entries) <= loaded+older {
		return
	}
	t.entries = slices.Clone(t.entries[len(t.entries)-loaded:])
	t.from = t.entries[0].Slot
	t.rebuild()
}
