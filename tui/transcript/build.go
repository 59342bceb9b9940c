package transcript

import (
	"slices"
	"strings"

	"society-tui/runtime/conversation"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/tui/sanitize"
	"society-tui/tui/symbols"
)

// A builder turns the entries of a conversation into items. An old item with
// the same content is reused together with its layout.
type builder struct {
	thread  *thread
	old     map[itemID]*item
	items   []*item
	results map[string]*conversation.Entry // by call id
	// speaking is set while items belong to a message whose sender is named
	// already.
	speaking bool
	node     string // the node and branch of the agent's graph
	aside    bool   // items were set aside
	whole    bool   // what was set aside is shown like all else
}

func (b *builder) build(entries []conversation.Entry) {
	b.results = make(map[string]*conversation.Entry)
	for i := range entries {
		if e := &entries[i]; e.Kind == conversation.Result {
			b.results[e.CallID] = e
		}
	}
	b.parts(entries)
}

// parts adds the items of entries, and a row for each run of those that were set aside.
func (b *builder) parts(entries []conversation.Entry) {
	for len(entries) > 0 {
		n := asideRun(entries)
		switch {
		case n == 0:
			b.entries(entries[:1])
			n = 1
		case b.whole:
			b.entries(entries[:n])
		default:
			b.setAside(entries[:n])
		}
		entries = entries[n:]
	}
}

func (b *builder) entries(entries []conversation.Entry) {
	for i := range entries {
		e := &entries[i]
		switch e.Kind {
		case conversation.Inbound, conversation.Dropped:
			b.inbound(e)
		case conversation.Answer, conversation.Superseded:
			b.answer(e)
		case conversation.Notice, conversation.Aborted, conversation.Summary, conversation.Merged:
			b.event(e)
		}
	}
}

// add appends an item, or the unchanged old one.
func (b *builder) add(it *item) {
	it.gap, it.aside = b.gapBefore(it), b.aside
	if old := b.old[it.id]; old != nil && old.live == nil && old.same(it) {
		if old.gap != it.gap {
			old.gap, old.laid = it.gap, false
		}
		it = old
	}
	b.items = append(b.items, it)
}

// gapBefore reports whether a blank row precedes the item: between messages,
// and between text and calls.
func (b *builder) gapBefore(it *item) bool {
	if len(b.items) == 0 {
		return false
	}
	last := b.items[len(b.items)-1]
	return it.head != nil || last.kind() != it.kind() || it.kind() == toldKind
}

// Items of the same kind stand together without a blank row.
const (
	saidKind = iota
	doneKind // thoughts and calls
	toldKind // calls that send a message
	eventKind
)

func (it *item) kind() int {
	switch it.id.part {
	case callPart:
		if it.call.Name == sendTool && !it.faded {
			return toldKind
		}
		return doneKind
	case thoughtPart:
		return doneKind
	case eventPart, asidePart:
		return eventKind
	}
	return saidKind
}

// same reports whether both items look the same.
func (it *item) same(other *item) bool {
	if (it.head == nil) != (other.head == nil) || it.head != nil && *it.head != *other.head {
		return false
	}
	a, b := &it.entry, &other.entry
	return it.aside == other.aside && a.Seq == b.Seq && a.Slot == b.Slot && a.Kind == b.Kind && a.Outcome == b.Outcome && a.Took == b.Took && a.At.Equal(b.At) &&
		a.Text == b.Text && a.Body == b.Body && a.Reasoning == b.Reasoning && a.Cause == b.Cause && slices.Equal(a.Quick, b.Quick)
}

// inbound adds a message that the agent or the user received, or one of the
// user's that a stop dropped.
func (b *builder) inbound(e *conversation.Entry) {
	body := e.Body
	if body == "" && len(e.Attached) == 0 {
		body = e.Text
	}
	body = withAttached(b.thread.model.printer, body, e.Attached)
	mine := e.From == string(society.User)
	h := &head{from: e.From, to: e.To, at: e.At}
	if !mine {
		h.word = b.thread.model.typeWord(e.Type)
	}
	if e.Kind == conversation.Dropped {
		r := b.thread.model
		h.brief = r.sign("■", "#") + " " + r.text(textDropped)
		h.state = h.brief + r.text(symbols.TextColon) + r.text(textTakeBack)
	}
	toPerson := b.thread.agent == society.User
	b.add(&item{
		id: itemID{slot: e.Slot}, entry: *e, head: h, text: foreign{raw: body},
		plain: mine, bar: !toPerson, mine: mine,
	})
	b.speaking = false
}

// answer adds the model's thoughts, text and calls. Only text, and the first
// item, gets a head.
func (b *builder) answer(e *conversation.Entry) {
	faded := e.Kind == conversation.Superseded
	said := strings.TrimSpace(e.Text) != ""
	var h *head
	where := b.thread.where(e)
	if said || faded || !b.speaking || where != b.node {
		h = &head{from: string(b.thread.agent), to: e.To, at: e.At, tokens: e.Tokens, took: e.Took, cause: e.Cause}
		h.word, b.node = where, where
		if faded {
			h.state = b.thread.model.text(textSuperseded)
		}
	}
	take := func() *head {
		taken := h
		h = nil
		return taken
	}
	if strings.TrimSpace(e.Reasoning) != "" {
		b.add(&item{id: itemID{slot: e.Slot, part: thoughtPart}, entry: onlyOf(e, thoughtPart), head: take(), text: foreign{raw: e.Reasoning}, faded: faded})
	}
	if said || h != nil && len(e.Calls) == 0 {
		b.add(&item{id: itemID{slot: e.Slot}, entry: onlyOf(e, messagePart), head: take(), text: foreign{raw: e.Text}, faded: faded})
	}
	for n := range e.Calls {
		b.call(e, n, take(), faded)
	}
	b.speaking = !faded
}

// where names the node of the agent's graph that spoke, and its branch.
func (t *thread) where(e *conversation.Entry) string {
	node := t.node(e.Node)
	if node != "" && e.Branch != 0 {
		node += t.model.dot() + t.model.text(textBranch, e.Branch)
	}
	return node
}

// node returns the title of a graph node, or its key if the graph no longer has
// it.
func (t *thread) node(key string) string {
	if g := t.graph; g != nil && key != "" {
		key = g.Title(key)
	}
	return sanitize.Line(key, nameCells)
}

// onlyOf returns the part of an entry that an item depends on.
func onlyOf(e *conversation.Entry, p part) conversation.Entry {
	of := conversation.Entry{Slot: e.Slot, Kind: e.Kind, At: e.At, Took: e.Took, Cause: e.Cause}
	if p == thoughtPart {
		of.Reasoning = e.Reasoning
	} else {
		of.Text = e.Text
	}
	return of
}

func (b *builder) call(e *conversation.Entry, n int, h *head, faded bool) {
	c := &call{Call: e.Calls[n], from: b.thread.agent}
	of := conversation.Entry{Slot: e.Slot, Kind: e.Kind}
	if result := b.results[e.Calls[n].ID]; result != nil && !faded {
		c.result = endingOf(result)
		of.Outcome, of.Took, of.At, of.Text = result.Outcome, result.Took, result.At, result.Text
	}
	b.add(&item{id: itemID{slot: e.Slot, part: callPart, n: n}, entry: of, head: h, call: c, faded: faded})
}

// event adds an event of the agent: a failure, an abort, a compression.
func (b *builder) event(e *conversation.Entry) {
	b.add(&item{id: itemID{slot: e.Slot, part: eventPart}, entry: *e, text: foreign{raw: withoutRecords(e.Text)}})
	b.speaking = false
}

// typeWord returns the word for the type of an agent's message.
func (r *Model) typeWord(kind string) string {
	switch protocol.MessageType(kind) {
	case protocol.TaskAssignment:
		return r.text(textTaskAssignment)
	case protocol.StatusReport:
		return r.text(textStatusReport)
	case protocol.IntroductionRequest:
		return r.text(textIntroductionRequest)
	case protocol.IntroductionResponse:
		return r.text(textIntroductionResponse)
	case protocol.CollaborationRequest:
		return r.text(textCollaborationRequest)
	case protocol.CollaborationResponse:
		return r.text(textCollaborationResponse)
	case noteType:
		return r.text(textNote)
	}
	return r.text(textGeneral)
}
