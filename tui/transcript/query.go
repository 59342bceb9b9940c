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

// A Query searches stored entries of many conversations without laying them
// out. It finds the words that the transcript draws, as Search does. It may be
// used by any goroutine.
type Query struct {
	query query
	words []query // a matching text contains all of them
	model *Model  // private and never changed
}

// Query returns a query for text; ok is false if text is blank.
func (r *Model) Query(text string) (s Query, ok bool) {
	s.query = newQuery(sanitize.Line(text, mostSought))
	for word := range strings.FieldsSeq(s.Text()) {
		s.words = append(s.words, query{[]rune(word), s.query.exact})
	}
	s.model = r.apart()
	return s, len(s.query.runes) > 0
}

// Query is Query of a Model.
func (s *PlainText) Query(text string) (q Query, ok bool) { return s.model.Query(text) }

// Text returns the text of the query.
func (s Query) Text() string { return string(s.query.runes) }

// A Part names the part of an entry that matches.
type Part uint8

const (
	Said Part = iota
	Thought
	Called
	Came // the result of a call
)

// A Place is a match in an entry: the conversation, sender, recipients, and the
// first match in its text. From, To, Before, Match and After are clean single
// lines.
type Place struct {
	Agent society.AgentID
	From  society.AgentID
	To    []society.AgentID // empty for own notes
	Slot  uint64
	N     int // index among parts of the same kind
	At    time.Time
	Part  Part
	Tool  string // of a call, clean; "" if unknown
	// Aside is set if it was set aside.
	Aside bool
	// Copy is set for a received message whose sender has it too (see Messages),
	// unless the sender is a user or was removed.
	Copy bool

	Before, Match, After string
}

// A Message identifies a message between two agents; the conversations of both
// contain it.
type Message struct {
	From, To society.AgentID
	at       int64
}

// Messages returns the messages that contain the place.
func (p *Place) Messages() []Message {
	var all []Message
	for _, to := range p.To {
		all = append(all, Message{p.From, to, p.At.UnixNano()})
	}
	return all
}

// parts returns the items that can show the place.
func (p *Place) parts() []itemID {
	switch {
	case p.N > 0:
		return []itemID{{p.Slot, callPart, p.N - 1}}
	case p.Part == Thought:
		return []itemID{{p.Slot, thoughtPart, 0}}
	}
	return []itemID{{p.Slot, messagePart, 0}, {p.Slot, eventPart, 0}}
}

// How much text is returned around a match, in cells, so that a narrow list
// still shows the match.
const (
	shownBefore = 20
	shownMatch  = 60
	shownAfter  = 160
)

// In returns the matches in a page, in order.
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

// Torn reports whether entries contain a result without its call.
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

// InInbox returns the matches in messages to the user.
func (s Query) InInbox(messages []api.InboxMessage) []Place {
	return s.In(inboxPage(0, messages))
}

// A sifting is the state of searching one page.
type sifting struct {
	Query
	page    *api.Entries
	results map[string]*conversation.Entry // by call id
	called  map[string]bool                // calls of the page; true for matches
	tools   map[string]string              // tool of each call
	places  []Place
}

// entry searches an entry as it would be drawn. Most do not match, which the
// stored text shows already.
func (s *sifting) entry(e *conversation.Entry) {
	body := e.Text
	switch e.Kind {
	case conversation.Inbound, conversation.Dropped:
		if e.Body != "" || len(e.Attached) > 0 {
			body = withAttached(s.model.printer, e.Body, e.Attached)
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
	case conversation.Summary:
		body = withoutRecords(body)
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

// call searches a call as it is drawn: a sent message as a message, any other
// with its arguments.
func (s *sifting) call(e *conversation.Entry, n int) {
	c := &call{Call: e.Calls[n]}
	told := *e // when it was executed
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
		s.called[c.ID] = true // its result only confirms the sending
		s.add(&told, p, written.withFields())
		return
	}
	told.To = ""
	if c.result != nil && c.Name == spawnTool {
		told.To = conversation.First(conversation.Members(c.result.text), []string{"agentId"})
	}
	head := p.Tool + " " + c.about(s.model)
	if !s.add(&told, p, head) && !s.add(&told, p, sanitize.Text(c.arguments())) {
		return
	}
	s.called[c.ID] = true
}

// result searches the result of a call, unless the call itself matches.
func (s *sifting) result(e *conversation.Entry) {
	if s.called[e.CallID] || !s.may(e.Text) {
		return
	}
	p := Place{Part: Came, Tool: sanitize.Line(s.tools[e.CallID], toolCells)}
	if !s.add(e, p, sanitize.Text(conversation.Plain(e.Text))) {
		s.add(e, p, sanitize.Text(e.Text))
	}
}

// add appends a match in a text of an entry, and reports whether there is one.
func (s *sifting) add(e *conversation.Entry, p Place, text string) bool {
	if !s.around(&p, text) {
		return false
	}
	p.Agent, p.Slot, p.At, p.From, p.Aside = s.page.Agent, e.Slot, e.At, s.page.Agent, !e.SetAside.IsZero()
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

// may reports whether a stored text can contain a match.
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

// around fills in the first match in a text, and reports whether there is one.
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

// oneRow returns part of a text as one line; blanks at its ends are kept.
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

// first returns the first match in a text, in bytes; any white space matches a
// blank.
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

// begins returns the byte before which the query cannot begin, or -1 if it
// cannot match.
func (q *query) begins(text string) int {
	c := narrow(q.runes[0])
	small, capital := unicode.ToLower(c), unicode.ToUpper(c)
	switch {
	case q.exact && unicode.Is(unicode.Han, c):
		return strings.IndexRune(text, c)
	case c >= utf8.RuneSelf, !q.exact && (small == 'i' || small == 'k'): // other characters fold to these letters, too
		return 0
	}
	const wide = 0xef // the first byte of every character in full width
	for i := range len(text) {
		switch b := rune(text[i]); b {
		case small, capital:
			return i
		case wide:
			if twin, _ := utf8.DecodeRuneInString(text[i:]); q.same(twin, c) {
				return i
			}
		}
	}
	return -1
}

var blanks = strings.NewReplacer("\t", " ", "\r", " ", "\n", " ")

// SearchFrom searches the open conversation for text and goes to the place, or
// to the next match back in time.
func (r *Model) SearchFrom(text string, p *Place) {
	r.BeginSearch()
	if r.search == nil {
		return
	}
	r.TypeSearch(text)
	r.search.from, r.search.aim = p.Slot, p.parts()
	r.Search()
}
