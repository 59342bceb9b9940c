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

// PlainText turns conversations into words for screen readers. It is used by
// one goroutine.
type PlainText struct{ model *Model }

// NewPlainText returns a PlainText; names returns the clean name of an agent.
func NewPlainText(printer i18n.Printer, names func(society.AgentID) string) *PlainText {
	return &PlainText{&Model{printer: printer, names: names, set: symbols.Set{Spoken: true}}}
}

// A Manner is the kind of a Spoken.
type Manner uint8

const (
	Heard    Manner = iota // a received message
	Spoke                  // the text of an answer
	Written                // a sent message
	Used                   // any other tool call
	Happened               // a failure, an abort, a compression
)

// A Spoken is one item of a conversation in clean words.
type Spoken struct {
	Manner Manner
	Slot   uint64
	At     time.Time
	From   society.AgentID
	To     []society.AgentID // empty for own notes
	// Head is one line with the sender, recipients and kind, or the whole item.
	// Text may have several lines.
	Head, Text string
	// Replies are offered with a question and chosen by number.
	Replies []string
	// Well is set for a success that needs no second announcement.
	Well bool
	Call string // the id of a call
}

// Speak returns the entries of an agent's conversation in words, in order; row
// is the agent's current state. Thoughts are left out.
func (s *PlainText) Speak(row api.Row, entries []conversation.Entry) []Spoken {
	b := builder{thread: &thread{model: s.model, agent: row.ID, row: row}}
	b.build(entries)
	said := make([]Spoken, 0, len(b.items))
	var h head // head of the current message
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

// Inbox returns messages to the user in words.
func (s *PlainText) Inbox(messages []api.InboxMessage) []Spoken {
	return s.Speak(api.Row{ID: society.User}, inboxPage(0, messages).Entries)
}

func (it *item) speak(r *Model, agent society.AgentID, h head) Spoken {
	s := Spoken{Slot: it.id.slot, At: it.entry.At, From: agent}
	switch it.id.part {
	case callPart:
		it.speakCall(r, &s)
	case asidePart:
		s.Manner, s.Head = Happened, r.name(agent)+r.text(symbols.TextColon)+it.asideWords(r)
	case eventPart:
		s.Manner, s.Head = Happened, r.name(agent)+r.text(symbols.TextColon)+strings.TrimSpace(it.happened(r))
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

// InWords returns the clean text of a message to an agent, with its fields
// below it.
func (r *Model) InWords(body string) string {
	it := &item{text: foreign{raw: body}, bar: true, plain: true}
	return it.inWords(r)
}

// inWords returns a message without Markdown signs.
func (it *item) inWords(r *Model) string {
	it.parts(r)
	if !it.plain {
		it.text = foreign{markdown.Spoken(it.text.text()), true}
	}
	return it.withFields()
}

// speak fills in sender and recipients.
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
		state = h.brief // without its key
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
	s.Manner, s.Call = Used, it.call.ID
	s.Well = it.call.result != nil && it.call.result.outcome == conversation.OK
	s.Head = r.text(textUses, r.name(s.From), sanitize.Line(it.call.Name, toolCells))
	if about := it.call.about(r); about != "" {
		s.Head += " " + about
	}
	came := []string{strings.TrimSpace(it.outcome(r))}
	if s.Well {
		came = slices.Insert(came, 0, r.text(textDone))
	}
	s.Head += r.text(symbols.TextColon) + strings.TrimSpace(strings.Join(came, " "))
}
