package transcript

import (
	"slices"
	"strings"
	"time"

	"society-tui/runtime/api"
	"society-tui/runtime/conversation"
	"society-tui/runtime/i18n"
	"society-tui/runtime/society"
	"society-tui/tui/markdown"
	"society-tui/tui/sanitize"
	"society-tui/tui/symbols"
)

// A PlainText says conversations in words, for who listens and sees no rows. It is used
// by one goroutine.
type PlainText struct{ model *Model }

// NewPlainText returns a PlainText; names says what to call an agent, in clean words.
func NewPlainText(printer i18n.Printer, names func(society.AgentID) string) *PlainText {
	return &PlainText{&Model{printer: printer, names: names, set: symbols.Set{Spoken: true}}}
}

// A Manner is what a Spoken is.
type Manner uint8

// The manners.
const (
	Heard    Manner = iota // a message that came to the agent, or to the user
	Spoke                  // the text of an answer
	Written                // a message that the agent has sent
	Used                   // any other call of a tool
	Happened               // a failure, an abort, a compression
)

// A Spoken is one thing of a conversation in words, all of them clean.
type Spoken struct {
	Manner Manner
	Slot   uint64
	At     time.Time
	From   society.AgentID
	To     []society.AgentID // none: own notes
	// Head says in a line who speaks to whom and in which manner, or all that there
	// is to say. Text has as many lines as it takes.
	Head, Text string
	// Replies are offered with a question, to be chosen by their number.
	Replies []string
	// Well is set for what went well; nothing needs to be said of it twice.
	Well bool
}

// Speak says entries of an agent's conversation, of which row is what it does now, in
// their order. What a model thought is not said.
func (s *PlainText) Speak(row api.Row, entries []conversation.Entry) []Spoken {
	b := builder{thread: &thread{model: s.model, agent: row.ID, row: row}}
	b.build(entries)
	said := make([]Spoken, 0, len(b.items))
	var h head // of the message that the item is of
	for i, it := range b.items {
		switch {
		case it.head != nil:
			h = *it.head
		case i == 0 || b.items[i-1].id.slot != it.id.slot:
			h = head{from: string(row.ID)} // one more text to nobody
		}
		if it.id.part != thoughtPart {
			said = append(said, it.speak(s.model, row.ID, h))
		}
	}
	return said
}

// Inbox says messages to the user.
func (s *PlainText) Inbox(messages []api.InboxMessage) []Spoken {
	return s.Speak(api.Row{ID: society.User}, inboxPage(0, messages).Entries)
}

func (it *item) speak(r *Model, agent society.AgentID, h head) Spoken {
	s := Spoken{Slot: it.id.slot, At: it.entry.At, From: agent}
	switch it.id.part {
	case callPart:
		it.speakCall(r, &s)
	case eventPart:
		s.Manner, s.Head = Happened, r.name(agent)+": "+strings.TrimSpace(it.happened(r))
		s.Text = it.text.text()
	default:
		it.speakText(r, &s, h)
	}
	return s
}

func (it *item) speakText(r *Model, s *Spoken, h head) {
	s.Text = it.inWords(r)
	s.Manner = Spoke
	if it.entry.Kind == conversation.Inbound || it.entry.Kind == conversation.Dropped {
		s.Manner = Heard
	}
	if len(it.entry.Quick) > 0 {
		s.Replies = make([]string, len(it.entry.Quick))
		for i, reply := range it.entry.Quick {
			s.Replies[i] = sanitize.Line(reply, nameCells)
		}
	}
	h.speak(r, s)
}

// InWords is what a message to an agent says, clean: its text as it was written, and
// below it the fields with the names by which they are drawn.
func (r *Model) InWords(body string) string {
	it := &item{text: foreign{raw: body}, bar: true, plain: true}
	return it.inWords(r)
}

// inWords is what a message says, without the signs of Markdown.
func (it *item) inWords(r *Model) string {
	it.parts(r)
	if !it.plain {
		it.text = foreign{markdown.Spoken(it.text.text()), true}
	}
	return it.withFields()
}

// speak fills in who speaks to whom.
func (h *head) speak(r *Model, s *Spoken) {
	s.From = society.AgentID(h.from)
	s.To = nil
	if h.to != "" {
		for to := range strings.SplitSeq(h.to, ",") {
			s.To = append(s.To, society.AgentID(to))
		}
	}
	s.Head = r.party(agentIn(h.from)) + r.arrow() + r.recipients(h.to)
	state := h.state
	if h.brief != "" {
		state = h.brief // without the key for it
	}
	for _, more := range []string{h.word, strings.TrimSpace(state), sanitize.Line(h.cause, nameCells)} {
		if more != "" {
			s.Head += r.dot() + more
		}
	}
}

func (it *item) speakCall(r *Model, s *Spoken) {
	if letter := it.call.letter(); letter != nil && !it.faded {
		told := head{from: string(s.From), to: letter.to, word: r.typeWord(letter.kind)}
		told.speak(r, s)
		s.Manner = Written
		written := item{text: foreign{markdown.Spoken(letter.text), true}, fields: r.read(letter.fields, letter.text)}
		s.Text = written.withFields()
		return
	}
	s.Manner = Used
	s.Well = it.call.result != nil && it.call.result.outcome == conversation.OK
	s.Head = r.text(textUses, r.name(s.From), sanitize.Line(it.call.Name, toolCells))
	if about := it.call.about(r.name); about != "" {
		s.Head += " " + about
	}
	came := []string{strings.TrimSpace(it.outcome(r))}
	if s.Well {
		came = slices.Insert(came, 0, r.text(textDone))
	}
	s.Head += ": " + strings.TrimSpace(strings.Join(came, " "))
}
