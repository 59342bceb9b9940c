package conversation

import (
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"society-tui/runtime"
	"society-tui/runtime/conversation"
	"society-tui/runtime/society"
	"society-tui/tui/sanitize"
)

// A Sought is a text that is looked for in entries as they are stored, where nothing is
// laid out: in many conversations. It is found as a search finds it. Any goroutine may
// use it.
type Sought struct{ query query }

// NewSought returns what looks for a text; ok is false if it holds nothing to look for.
func NewSought(text string) (s Sought, ok bool) {
	s.query = newQuery(sanitize.Line(text, mostSought))
	return s, len(s.query.runes) > 0
}

// Text is what is looked for.
func (s Sought) Text() string { return string(s.query.runes) }

// A Part says which part of an entry holds a text.
type Part uint8

// The parts.
const (
	Said Part = iota
	Thought
	Called
	Came // the result of a call
)

// A Place is an entry that holds what is sought: whose conversation it is in, who said
// it, and the first place in it. Before, Match and After are clean and in one line.
type Place struct {
	Agent society.AgentID
	From  society.AgentID
	Slot  uint64
	At    time.Time
	Part  Part

	Before, Match, After string
}

// What of an entry is shown around the match, in cells. A match stands where a narrow
// list shows it.
const (
	shownBefore = 20
	shownMatch  = 60
	shownAfter  = 160
)

// In returns the entries of a page that hold what is sought, in their order.
func (s Sought) In(page runtime.Page) []Place {
	var places []Place
	for i := range page.Entries {
		e := &page.Entries[i]
		if p, ok := s.inEntry(e); ok {
			p.Agent, p.Slot, p.At, p.From = page.Agent, e.Slot, e.At, page.Agent
			if e.From != "" {
				p.From = society.AgentID(e.From)
			}
			places = append(places, p)
		}
	}
	return places
}

// InInbox returns those messages to the person that hold what is sought and that come
// from senders for whom from is true.
func (s Sought) InInbox(messages []runtime.InboxMessage, from func(society.AgentID) bool) []Place {
	messages = slices.DeleteFunc(slices.Clone(messages), func(m runtime.InboxMessage) bool { return !from(m.From) })
	return s.In(inboxPage(0, messages))
}

func (s Sought) inEntry(e *conversation.Entry) (Place, bool) {
	part, text := Said, e.Text
	switch e.Kind {
	case conversation.Inbound, conversation.Dropped:
		text = e.Body
	case conversation.Result:
		part = Came
	}
	if p, ok := s.in(text, part); ok {
		return p, true
	}
	if p, ok := s.in(e.Reasoning, Thought); ok {
		return p, true
	}
	for i := range e.Calls {
		if p, ok := s.in(e.Calls[i].Arguments, Called); ok {
			return p, true
		}
		if p, ok := s.in(e.Calls[i].Name, Called); ok {
			return p, true
		}
	}
	return Place{}, false
}

// in finds the first place in a text.
func (s Sought) in(text string, part Part) (Place, bool) {
	from, upto, ok := s.query.first(text)
	if !ok {
		return Place{}, false
	}
	p := Place{Part: part, Match: sanitize.Line(text[from:upto], shownMatch)}
	head := text[:from]
	cut := max(len(head)-4*shownBefore, 0)
	for cut < len(head) && !utf8.RuneStart(head[cut]) {
		cut++
	}
	before := []rune(oneRow(head[cut:], 4*shownBefore))
	if few := max(len(before)-shownBefore, 0); few > 0 || cut > 0 {
		before = append([]rune("…"), before[few:]...)
	}
	p.Before = string(before)
	tail := text[upto:]
	p.After = oneRow(tail[:min(len(tail), 4*shownAfter)], shownAfter)
	return p, true
}

// oneRow is a part of a text in one line, with a blank where one is at its ends.
func oneRow(text string, n int) string {
	row := sanitize.Line(text, n)
	if row == "" {
		return ""
	}
	const blanks = " \t\r\n"
	if strings.ContainsRune(blanks, rune(text[0])) && row[0] != ' ' {
		row = " " + row
	}
	if strings.ContainsRune(blanks, rune(text[len(text)-1])) && row[len(row)-1] != ' ' {
		row += " "
	}
	return row
}

// first is where the query stands first in a text, in bytes; any blank in it, a new line
// too, is one as good as another.
func (q *query) first(text string) (from, upto int, ok bool) {
	if len(q.runes) == 0 || len(text) == 0 {
		return 0, 0, false
	}
	if slices.Contains(q.runes, ' ') && strings.ContainsAny(text, "\t\r\n") {
		text = blanks.Replace(text)
	}
	in := []line{{text: text}}
	for i := 0; i < len(text); {
		if at := q.at(in, 0, i); at != nil {
			return i, at[0].upto, true
		}
		_, n := utf8.DecodeRuneInString(text[i:])
		i += n
	}
	return 0, 0, false
}

var blanks = strings.NewReplacer("\t", " ", "\r", " ", "\n", " ")

// SearchFrom searches the open conversation for a text, and shows the place that is in
// the entry of a slot, or the next one back in time.
func (r *Room) SearchFrom(text string, slot uint64) {
	r.BeginSearch()
	if r.search == nil {
		return
	}
	r.TypeSearch(text)
	r.search.from = slot
	r.Search()
}
