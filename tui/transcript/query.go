package transcript

import (
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"society-tui/runtime/api"
	"society-tui/runtime/conversation"
	"society-tui/runtime/society"
	"society-tui/tui/markdown"
	"society-tui/tui/sanitize"
)

// A Query is a text that is looked for in entries as they are stored, where nothing is
// laid out: in many conversations. It is found where a search finds it, in the words
// that are drawn. Any goroutine may use
// it.
type Query struct {
	query query
	words []query // all of which a text must hold that holds the query
	model *Model  // of its own, and never changed
}

// Query returns what looks for a text; ok is false if it holds nothing to look for.
func (r *Model) Query(text string) (s Query, ok bool) {
	s.query = newQuery(sanitize.Line(text, mostSought))
	for word := range strings.FieldsSeq(s.Text()) {
		s.words = append(s.words, query{[]rune(word), s.query.exact})
	}
	s.model = r.apart()
	return s, len(s.query.runes) > 0
}

// Text is what is looked for.
func (s Query) Text() string { return string(s.query.runes) }

// A Part says which part of an entry holds a text.
type Part uint8

// The parts.
const (
	Said Part = iota
	Thought
	Called
	Came // the result of a call
)

// A Place is what of an entry holds what is sought: whose conversation it is in, who said
// it to whom, and the first place in it. From, To, Before, Match and After are clean and in
// one line.
type Place struct {
	Agent society.AgentID
	From  society.AgentID
	To    []society.AgentID // none: nobody but the agent itself
	Slot  uint64
	N     int // which of several of the entry
	At    time.Time
	Part  Part
	Tool  string // of a call, clean; "" if it is not known
	// Copy is set for a message as it came to whom it is for. Its sender has it too, see
	// Messages, unless that was a user, or is gone.
	Copy bool

	Before, Match, After string
}

// A Message is what one of two agents has told the other: it stands in the conversations
// of both.
type Message struct {
	From, To society.AgentID
	at       int64
}

// Messages are those that a place stands in.
func (p *Place) Messages() []Message {
	var all []Message
	for _, to := range p.To {
		all = append(all, Message{p.From, to, p.At.UnixNano()})
	}
	return all
}

// parts are the items that can show the place.
func (p *Place) parts() []itemID {
	switch {
	case p.N > 0:
		return []itemID{{p.Slot, callPart, p.N - 1}}
	case p.Part == Thought:
		return []itemID{{p.Slot, thoughtPart, 0}}
	}
	return []itemID{{p.Slot, messagePart, 0}, {p.Slot, eventPart, 0}}
}

// What of an entry is shown around the match, in cells. A match stands where a narrow
// list shows it.
const (
	shownBefore = 20
	shownMatch  = 60
	shownAfter  = 160
)

// In returns the places in a page that hold what is sought, in their order.
func (s Query) In(page api.Entries) []Place {
	sift := sifting{Query: s, page: &page, results: make(map[string]*conversation.Entry), called: make(map[string]bool)}
	for i := range page.Entries {
		if e := &page.Entries[i]; e.Kind == conversation.Result {
			sift.results[e.CallID] = e
		}
	}
	for i := range page.Entries {
		sift.entry(&page.Entries[i])
	}
	return sift.places
}

// Torn reports whether among entries there is a result whose call is not.
func Torn(entries []conversation.Entry) bool {
	called := make(map[string]bool)
	for i := range entries {
		e := &entries[i]
		if e.Kind == conversation.Result && !called[e.CallID] {
			return true
		}
		for n := range e.Calls {
			called[e.Calls[n].ID] = true
		}
	}
	return false
}

// InInbox returns those messages to the user that hold what is sought.
func (s Query) InInbox(messages []api.InboxMessage) []Place {
	return s.In(inboxPage(0, messages))
}

// A sifting is a page on its way through a Query.
type sifting struct {
	Query
	page    *api.Entries
	results map[string]*conversation.Entry // by the call that they answer
	called  map[string]bool                // calls of the page; those that hold what is sought are true
	tools   map[string]string              // what they call
	places  []Place
}

// entry looks through what is drawn of an entry. Most hold nothing, which the text as it
// is stored tells already.
func (s *sifting) entry(e *conversation.Entry) {
	body := e.Text
	switch e.Kind {
	case conversation.Inbound, conversation.Dropped:
		if e.Body != "" {
			body = e.Body
		}
		if s.may(body) {
			it := &item{id: itemID{slot: e.Slot}, entry: *e, text: foreign{raw: body}, bar: true, plain: e.From == string(society.User)}
			it.mine = it.plain
			s.add(e, Place{Copy: e.From != string(society.User)}, it.inWords(s.model))
		}
		return
	case conversation.Result:
		s.result(e)
		return
	}
	if s.may(e.Reasoning) {
		s.add(e, Place{Part: Thought, N: -1}, markdown.Spoken(sanitize.Text(e.Reasoning)))
	}
	if s.may(body) {
		s.add(e, Place{}, markdown.Spoken(sanitize.Text(body)))
	}
	for n := range e.Calls {
		s.call(e, n)
	}
}

// call looks through a call as it is drawn: a message that it sends as that, any other
// with its arguments.
func (s *sifting) call(e *conversation.Entry, n int) {
	c := &call{Call: e.Calls[n]}
	told := *e // when it was carried out
	if result := s.results[c.ID]; result != nil {
		c.result = endingOf(result)
		told.At = result.At
	}
	if s.tools == nil {
		s.tools = make(map[string]string)
	}
	s.called[c.ID], s.tools[c.ID] = false, c.Name
	if !s.may(c.Name) && !s.may(c.Arguments) && !strings.Contains(c.Arguments, `\`) {
		return
	}
	p := Place{Part: Called, N: n + 1, Tool: sanitize.Line(c.Name, toolCells)}
	if letter := c.letter(); letter != nil && e.Kind != conversation.Superseded {
		p.Part = Said
		told.To = letter.to
		written := item{text: foreign{markdown.Spoken(letter.text), true}, fields: s.model.read(letter.fields, letter.text)}
		s.called[c.ID] = true // its result says no more than that it was sent
		s.add(&told, p, written.withFields())
		return
	}
	told.To = ""
	if c.result != nil && c.Name == spawnTool {
		told.To = conversation.First(conversation.Members(c.result.text), []string{"agentId"})
	}
	head := p.Tool + " " + c.about(s.model.name)
	if !s.add(&told, p, head) && !s.add(&told, p, sanitize.Text(conversation.Plain(c.Arguments))) {
		return
	}
	s.called[c.ID] = true
}

// result looks through what a call has brought, unless the call itself is a place.
func (s *sifting) result(e *conversation.Entry) {
	if s.called[e.CallID] || !s.may(e.Text) {
		return
	}
	p := Place{Part: Came, Tool: sanitize.Line(s.tools[e.CallID], toolCells)}
	if !s.add(e, p, sanitize.Text(conversation.Plain(e.Text))) {
		s.add(e, p, sanitize.Text(e.Text))
	}
}

// add adds a place in a text of an entry, and reports whether there is one.
func (s *sifting) add(e *conversation.Entry, p Place, text string) bool {
	if !s.around(&p, text) {
		return false
	}
	p.Agent, p.Slot, p.At, p.From = s.page.Agent, e.Slot, e.At, s.page.Agent
	if e.From != "" {
		p.From = agentIn(e.From)
	}
	if e.To != "" && p.Part != Thought && p.Part != Came {
		for to := range strings.SplitSeq(e.To, ",") {
			p.To = append(p.To, agentIn(to))
		}
	}
	s.places = append(s.places, p)
	return true
}

// may reports whether a text as it is stored can hold what is sought.
func (s Query) may(text string) bool {
	if i := strings.LastIndexByte(text, '\n'); i >= 0 && strings.HasPrefix(text[i+1:], "{") && strings.Contains(text[i:], `\`) {
		return true // the fields of a message
	}
	for i := range s.words {
		if _, _, ok := s.words[i].first(text); !ok {
			return false
		}
	}
	return true
}

// around fills in the first place in a text, and reports whether there is one.
func (s Query) around(p *Place, text string) bool {
	from, upto, ok := s.query.first(text)
	if !ok {
		return false
	}
	p.Match = sanitize.Line(text[from:upto], shownMatch)
	head := text[:from]
	cut := max(len(head)-4*shownBefore, 0)
	for cut < len(head) && !utf8.RuneStart(head[cut]) {
		cut++
	}
	before := []rune(oneRow(head[cut:], 4*shownBefore))
	if few := max(len(before)-shownBefore, 0); few > 0 || cut > 0 {
		before = before[few:]
		if word := slices.Index(before, ' '); word >= 0 && word < len(before)-1 {
			before = before[word+1:]
		}
		before = append([]rune("…"), before...)
	}
	p.Before = string(before)
	tail := text[upto:]
	p.After = oneRow(tail[:min(len(tail), 4*shownAfter)], shownAfter)
	return true
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
		next := q.begins(text[i:])
		if next < 0 {
			break
		}
		i += next
		if at := q.at(in, 0, i); at != nil {
			return i, at[0].upto, true
		}
		_, n := utf8.DecodeRuneInString(text[i:])
		i += n
	}
	return 0, 0, false
}

// begins is before which byte of a text the query cannot begin, -1 if it cannot at all.
func (q *query) begins(text string) int {
	c := q.runes[0]
	switch lower := unicode.ToLower(c); {
	case q.exact:
		return strings.IndexRune(text, c)
	case c < utf8.RuneSelf && lower != 'i' && lower != 'k': // which others are small letters of, too
		return strings.IndexAny(text, string([]rune{lower, unicode.ToUpper(c)}))
	}
	return 0
}

var blanks = strings.NewReplacer("\t", " ", "\r", " ", "\n", " ")

// SearchFrom searches the open conversation for a text, and shows a place in it, or the
// next one back in time.
func (r *Model) SearchFrom(text string, p *Place) {
	r.BeginSearch()
	if r.search == nil {
		return
	}
	r.TypeSearch(text)
	r.search.from, r.search.aim = p.Slot, p.parts()
	r.Search()
}
