package find

import (
	"cmp"
	"context"
	"slices"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/api"
	"society-tui/runtime/i18n"
	"society-tui/runtime/society"
	"society-tui/tui/page"
	"society-tui/tui/replica"
	"society-tui/tui/sanitize"
	"society-tui/tui/symbols"
	"society-tui/tui/transcript"
)

const (
	mostPlaces = 500   // listed places, the newest
	findPage   = 250   // entries read in one transaction
	findBefore = 50    // more entries to read, so that a call and its result stay together
	findAtOnce = 2_000 // entries searched before the list is updated
)

// A Search looks for a text in all conversations and in the inbox.
type Search struct {
	query transcript.Query
	left  []stretch // unsearched stretches, the next one last
	inbox bool      // the inbox is unsearched

	read, all uint64 // entries
	count     int    // of places, including unlisted ones
	places    []transcript.Place
	told      map[transcript.Message]int // places found with their sender, less those found with the recipient
}

// A findState is the state of a search. It continues only while the list is
// open.
type findState struct {
	Search
	typed  string
	asked  bool // a search is running
	failed string
	opened string // ID of the place that the user opened last
}

// A stretch is the unsearched part of a conversation: all before a slot.
type stretch struct {
	agent society.AgentID
	upto  uint64
}

// found is the result of searching a part of all conversations.
type found struct {
	left   []stretch
	inbox  bool
	read   uint64
	places []transcript.Place
	err    error
}

// Begin begins a search in the conversations that there are now.
func Begin(query transcript.Query, in *replica.Society) Search {
	s := Search{query: query, inbox: true, told: make(map[transcript.Message]int)}
	since := make(map[society.AgentID]int64)
	for _, id := range in.Subtree(society.Root) {
		row, _ := in.Row(id)
		since[id] = row.Since.UnixNano()
		s.left = append(s.left, stretch{id, row.Next})
		s.all += row.Next
	}
	// Recently active agents are searched first; the last stretch is next.
	slices.SortStableFunc(s.left, func(x, y stretch) int { return cmp.Compare(since[x.agent], since[y.agent]) })
	return s
}

// Finish searches all that is left. It may be called on any goroutine.
func (s *Search) Finish(ctx context.Context, in api.Society) error {
	for !s.done() {
		part := s.part()
		part.search(ctx, in, s.query)
		s.take(&part)
		if part.err != nil {
			return part.err
		}
	}
	return nil
}

// Places returns the places found so far, the newest first and no more than most.
func (s *Search) Places(most int) []transcript.Place { return s.places[:min(len(s.places), most)] }

// Count returns how many places have the text, including those that Places leaves out.
func (s *Search) Count() int { return s.count }

// Title tells how many places have the text.
func (s *Search) Title(p i18n.Printer) string {
	return p.N(foundPlaces, s.count, s.query.Text(), symbols.Count(s.count))
}

// seek starts a search.
func (f *Feature) seek(text string) {
	s := &findState{typed: sanitize.Line(text, page.TextCells)}
	f.last = s
	query, ok := f.cfg.Query(s.typed)
	if !ok {
		s.query = query
		return
	}
	s.Search = Begin(query, f.Replica)
}

// seekTyped starts a search if the text above the list has changed.
func (f *Feature) seekTyped() {
	if !f.list.IsOpen() || f.list.Asked() == f.last.typed {
		return
	}
	typed, before := f.list.Asked(), f.last
	if f.seek(typed); f.last.query.Text() == before.query.Text() {
		f.last = before // only blanks differ
	}
	f.last.typed = typed
	f.show()
}

// Next searches the next part outside the event loop, while the list is open.
func (f *Feature) Next() tea.Cmd {
	f.seekTyped()
	s := f.last
	if s == nil || s.asked || s.failed != "" || s.done() || !f.list.IsOpen() {
		return nil
	}
	s.asked = true
	part, query := s.part(), s.query
	return page.Later(f.Screen, func(ctx context.Context) found {
		part.search(ctx, f.Society, query)
		return part
	}, func(m found) tea.Cmd { return f.onPlaces(s, m) })
}

// part returns what is left, to search the next of it.
func (s *Search) part() found { return found{left: slices.Clone(s.left), inbox: s.inbox} }

// search searches a part, and removes it from the rest.
func (p *found) search(ctx context.Context, in api.Society, query transcript.Query) {
	if p.inbox {
		messages, err := in.Inbox(ctx, api.InboxQuery{})
		if err != nil {
			p.err = err
			return
		}
		p.places = query.InInbox(messages)
		p.inbox = false
	}
	for len(p.left) > 0 && p.read < findAtOnce {
		last := &p.left[len(p.left)-1]
		if last.upto == 0 {
			p.left = p.left[:len(p.left)-1]
			continue
		}
		page, from, err := last.end(ctx, in)
		if err != nil {
			p.err = err
			return
		}
		p.places = append(p.places, query.In(page)...)
		p.read += last.upto - from
		last.upto = from
	}
}

// end reads the last page of a stretch, and returns its first slot. A call and
// its result must be on one page, because apart each would be a place.
func (s stretch) end(ctx context.Context, in api.Society) (page api.Entries, from uint64, err error) {
	from = s.upto - min(s.upto, findPage)
	page, err = in.Entries(ctx, s.agent, from, s.upto)
	for more := 0; more < findPage && err == nil && from > 0 && transcript.Torn(page.Entries); more += findBefore {
		var before api.Entries
		upto := from
		from -= min(from, findBefore)
		before, err = in.Entries(ctx, s.agent, from, upto)
		page.Entries = append(before.Entries, page.Entries...)
	}
	return page, from, err
}

func (s *Search) done() bool { return len(s.left) == 0 && !s.inbox }

func (f *Feature) onPlaces(s *findState, m found) tea.Cmd {
	if s != f.last {
		return nil
	}
	s.asked = false
	if m.err != nil {
		s.failed = sanitize.Line(m.err.Error(), page.TextCells)
	}
	s.take(&m)
	if f.list.IsOpen() {
		f.show()
	}
	return nil
}

// take adds what was found in a part.
func (s *Search) take(m *found) {
	s.left, s.inbox, s.read = m.left, m.inbox, s.read+m.read
	for i := range m.places {
		s.add(&m.places[i])
	}
	slices.SortStableFunc(s.places, func(x, y transcript.Place) int {
		return cmp.Or(y.At.Compare(x.At), cmp.Compare(y.Slot, x.Slot), cmp.Compare(y.N, x.N))
	})
	s.places = s.places[:min(len(s.places), mostPlaces)]
}

// add adds a place. A message that both sender and recipient have is listed
// once, with its sender.
func (s *Search) add(p *transcript.Place) {
	for _, m := range p.Messages() {
		if p.Copy {
			s.told[m]--
			if s.told[m] >= 0 {
				return
			}
			continue
		}
		s.told[m]++
		if s.told[m] <= 0 {
			s.count--
			s.places = slices.DeleteFunc(s.places, func(other transcript.Place) bool {
				return other.Copy && slices.Contains(other.Messages(), m)
			})
		}
	}
	s.count++
	s.places = append(s.places, *p)
}
