package transcript

import (
	"maps"
	"math"
	"slices"
	"strings"

	"society-tui/runtime/api"
	"society-tui/runtime/conversation"
	"society-tui/runtime/society"
	"society-tui/tui/markdown"
	"society-tui/tui/sanitize"
	"society-tui/tui/scroll"
	"society-tui/tui/symbols"
)

// mostSought is the longest search text, in runes.
const mostSought = 200

// overlap is how many entries before a change are searched again, because a
// result changes the call that it answers.
const overlap = 64

// A search is the state of searching the open conversation. It finds what a
// fully unfolded item shows; position and folds from before are restored at its
// end.
type search struct {
	agent  society.AgentID
	typing bool
	input  []rune
	began  view
	folds  map[foldKey]fold
	from   uint64   // the slot at which the search began
	aim    []itemID // go to the first match in one of these; nil means any match from there

	query   *query // nil until Search is called
	hits    []hit  // newest first
	at      int    // index of the current hit, or -1
	going   bool   // show the hit once it is in memory
	more    bool   // go to the next hit once it is found
	upto    uint64 // everything before this slot is still unsearched
	all     bool   // the search is complete
	asked   bool   // a scan is running
	stale   bool   // search again from changed on
	changed uint64
	next    uint64
	orphans []conversation.Entry   // results whose calls were not read yet
	read    [][]conversation.Entry // the parts searched before the first hit, newest first
	failed  string
	unread  int // messages that match
}

// A hit is one match in an item, counted from 0.
type hit struct {
	id  itemID
	nth int
}

// BeginSearch opens the search line; Search or EndSearch closes it.
func (r *Model) BeginSearch() {
	if r.open == nil {
		return
	}
	if r.search == nil {
		t := r.open
		from := uint64(math.MaxUint64)
		if at, ok := t.list.Cursor(); ok && !t.list.Following() && at.Item < len(t.stored) {
			from = t.stored[at.Item].id.slot
		}
		r.search = &search{agent: t.agent, began: t.view(), folds: maps.Clone(t.folds), from: from, at: -1}
	}
	r.search.typing, r.search.input = true, nil
}

// TypeSearch adds text, cleaned and in one line, to the search line.
func (r *Model) TypeSearch(text string) {
	if s := r.search; s != nil && s.typing {
		s.input = append(s.input, []rune(strings.ReplaceAll(sanitize.Text(text), "\n", " "))...)
		s.input = s.input[:min(len(s.input), mostSought)]
	}
}

// BackspaceSearch deletes the last rune of the search line.
func (r *Model) BackspaceSearch() {
	if s := r.search; s != nil && s.typing {
		s.input = s.input[:max(len(s.input)-1, 0)]
	}
}

// ClearSearch empties the search line.
func (r *Model) ClearSearch() {
	if s := r.search; s != nil && s.typing {
		s.input = nil
	}
}

// Typed returns the text in the search line.
func (r *Model) Typed() string {
	if r.search == nil {
		return ""
	}
	return string(r.search.input)
}

// TypingSearch reports whether keys go to the search line.
func (r *Model) TypingSearch() bool { return r.search != nil && r.search.typing }

// Searching reports whether a search is active.
func (r *Model) Searching() bool { return r.search != nil && r.search.query != nil }

// Search searches for the typed text, from the cursor back in time. Without
// text it ends the search and keeps the position.
func (r *Model) Search() {
	s := r.search
	if s == nil {
		return
	}
	q := newQuery(string(s.input))
	if len(q.runes) == 0 {
		r.search = nil
		return
	}
	*s = search{agent: s.agent, input: s.input, began: s.began, folds: s.folds, from: s.from, aim: s.aim, at: -1, query: &q}
	r.countUnread()
}

// EndSearch restores position and folds from before the search, and reports
// whether there was one.
func (r *Model) EndSearch() bool {
	s := r.search
	if s == nil {
		return false
	}
	r.search = nil
	t := r.threads[s.agent]
	if t == nil || s.query == nil {
		return true
	}
	t.folds = s.folds
	t.list.Reflow()
	if !s.began.Hold {
		t.list.Follow()
		return true
	}
	t.pending = &s.began
	t.restore()
	return true
}

// Older goes to the next match back in time, and after the oldest to the
// newest.
func (r *Model) Older() {
	s := r.search
	if s == nil || len(s.hits) == 0 {
		return
	}
	if s.at+1 == len(s.hits) && !s.all {
		s.more = true
		return
	}
	r.to((s.at + 1) % len(s.hits))
}

// Newer goes to the next match forward in time, and after the newest to the
// oldest once that is known.
func (r *Model) Newer() {
	s := r.search
	if s == nil || len(s.hits) == 0 || s.at == 0 && !s.all {
		return
	}
	r.to((max(s.at, 0) - 1 + len(s.hits)) % len(s.hits))
}

// to goes to a hit, requesting its page if it is not in memory.
func (r *Model) to(n int) {
	r.search.at, r.search.more = n, false
	r.search.going = true
	r.arrive()
}

// arrive shows the wanted hit if it is in memory, and unfolds what hides it.
func (r *Model) arrive() {
	s := r.search
	if s == nil || !s.going || s.at < 0 || s.at >= len(s.hits) {
		return
	}
	t, h := r.threads[s.agent], s.hits[s.at]
	if t == nil || t != r.open || r.width == 0 {
		return
	}
	t.unfoldAside(h.id.slot)
	i := indexOf(t.stored, h.id)
	if i < 0 {
		s.going = h.id.slot < t.from && t.from > t.first
		return
	}
	s.going, t.home = false, false
	it := t.stored[i]
	it.lay(r, t, r.width)
	rows := it.places(r, s.query)
	for f := unfolded; f <= whole && len(rows) <= h.nth; f++ {
		if t.foldOf(it) < f {
			t.folds[foldKey{it.id, r.detail}] = f
			it.lay(r, t, r.width)
			rows = it.places(r, s.query)
		}
	}
	t.list.Changed(i)
	row := it.firstRow()
	if len(rows) > 0 {
		row = rows[min(h.nth, len(rows)-1)]
	}
	t.list.Put(scroll.Place{Item: i, Row: row})
}

// wants reports whether the wanted hit is older than what is in memory.
func (s *search) wants(t *thread) bool {
	return s != nil && s.going && s.at >= 0 && s.at < len(s.hits) && t.from > t.first && s.hits[s.at].id.slot < t.from
}

// A Scan is a part of a conversation to search. It is self-contained and may
// run on any goroutine.
type Scan struct {
	PageRequest
	of      *search
	query   query
	orphans []conversation.Entry
	model   *Model // private
}

// Found is the result of a Scan.
type Found struct {
	scan    Scan
	hits    []hit
	read    []conversation.Entry
	orphans []conversation.Entry
	first   uint64
	next    uint64
}

// Scan returns what to search next. Each scan is returned once and must be
// answered by Found or NotFound. Call it after every other change to the model.
func (r *Model) Scan() (scan Scan, ok bool) {
	s := r.search
	if s == nil || s.query == nil || s.asked || s.failed != "" || r.width == 0 {
		return Scan{}, false
	}
	t := r.threads[s.agent]
	if t == nil || !t.known {
		return Scan{}, false
	}
	scan = Scan{PageRequest: PageRequest{Agent: s.agent}, of: s, query: *s.query, model: r.apart()}
	switch {
	case !s.all && s.agent == society.User:
	case !s.all:
		end := s.upto
		if end == 0 {
			end = t.next
		}
		scan.From, scan.Upto, scan.orphans = max(t.first, end-min(end, s.far())), s.upto, s.orphans
	case s.stale:
		s.stale = false
		scan.From = max(t.first, s.changed-min(s.changed, overlap))
	default:
		return Scan{}, false
	}
	s.asked = true
	return scan, true
}

// mostScanned is how many entries are searched at a time, at most, so that the progress shows.
const mostScanned = 4000

// far returns how many entries to search next. It grows with what was searched, because each
// part costs a frame, and the first hits are to show soon.
func (s *search) far() uint64 {
	if s.upto == 0 {
		return older
	}
	return min(max((s.next-min(s.upto, s.next))/2, older), mostScanned)
}

// apart returns a copy of the model for laying out on another goroutine.
func (r *Model) apart() *Model {
	printer := r.printer
	printer.Key = nil // the key map changes in the event loop
	return &Model{
		printer: printer, set: r.set, styles: r.styles, detail: r.detail, width: r.width,
		names: func(id society.AgentID) string { return string(id) },
	}
}

// In searches the entries of a page.
func (s Scan) In(page api.Entries) Found {
	f := Found{scan: s, read: page.Entries, first: page.First, next: page.Next}
	r := s.model
	r.full = markdown.NewLook(r.styles.theme, r.set.Measure, r.set.ASCII)
	r.quiet = r.full.Quiet(r.styles.theme)
	called := make(map[string]bool)
	for i := range page.Entries {
		for _, c := range page.Entries[i].Calls {
			called[c.ID] = true
		}
	}
	entries := append(slices.Clone(page.Entries), s.orphans...)
	for _, e := range entries {
		if e.Kind == conversation.Result && !called[e.CallID] {
			f.orphans = append(f.orphans, e)
		}
	}
	b := builder{thread: newThread(r, s.Agent), whole: true}
	b.build(entries)
	for _, it := range slices.Backward(b.items) {
		b.thread.folds[foldKey{it.id, r.detail}] = whole
		it.lay(r, b.thread, r.width)
		for n := len(it.places(r, &s.query)) - 1; n >= 0; n-- {
			f.hits = append(f.hits, hit{it.id, n})
		}
		*it = item{} // its layout is not needed any more
	}
	return f
}

// InInbox searches the messages to the user.
func (s Scan) InInbox(messages []api.InboxMessage) Found {
	return s.In(inboxPage(s.From, messages))
}

// Found adds the result of a scan, unless another search has begun since.
func (r *Model) Found(f Found) {
	s := r.search
	if s == nil || s != f.scan.of || s.query == nil || !slices.Equal(s.query.runes, f.scan.query.runes) {
		return
	}
	s.asked = false
	if s.all {
		s.again(f)
		return
	}
	if s.upto == 0 {
		s.next = f.next
	}
	s.hits = append(s.hits, f.hits...)
	if s.at < 0 {
		s.read = append(s.read, f.read)
	}
	s.orphans, s.upto = f.orphans, f.scan.From
	s.all = f.scan.From <= f.first || s.agent == society.User
	first := slices.IndexFunc(s.hits, func(h hit) bool { return h.nth == 0 && slices.Contains(s.aim, h.id) })
	if first < 0 {
		first = slices.IndexFunc(s.hits, func(h hit) bool { return h.id.slot <= s.from })
	}
	switch {
	case s.at < 0 && first >= 0:
		r.to(first)
	case s.at < 0 && s.all && len(s.hits) > 0:
		r.to(0)
	case s.more && s.at+1 < len(s.hits):
		r.to(s.at + 1)
	case s.more && s.all:
		r.to(0)
	}
	if s.at >= 0 || s.all {
		r.bring(r.threads[s.agent])
		s.read = nil
	}
}

// bring adds what was searched on the way to the first hit to the conversation, so that it is
// not read again, unless it has changed since or another page is on its way.
func (r *Model) bring(t *thread) {
	s := r.search
	if t == nil || t.asked || !s.wants(t) || len(s.read) == 0 || s.stale && s.changed < t.from {
		return
	}
	slices.Reverse(s.read)
	entries := slices.Concat(s.read...)
	before, _ := slices.BinarySearchFunc(entries, t.from, bySlot)
	r.Extend(PageRequest{Agent: t.agent, From: s.upto, Upto: t.from}, api.Entries{Agent: t.agent, First: t.first, Entries: entries[:before]})
}

// again replaces the hits behind a change. The current hit stays current.
func (s *search) again(f Found) {
	shown := hit{}
	if s.at >= 0 && s.at < len(s.hits) {
		shown = s.hits[s.at]
	}
	before := slices.DeleteFunc(s.hits, func(h hit) bool { return h.id.slot >= f.scan.From })
	s.hits = append(slices.Clip(f.hits), before...)
	s.next = f.next
	if at := slices.Index(s.hits, shown); s.at >= 0 && at >= 0 {
		s.at = at
	} else {
		s.at = min(s.at, len(s.hits)-1)
	}
}

// NotFound reports why a part could not be searched.
func (r *Model) NotFound(scan Scan, reason string) {
	if r.search != nil && r.search == scan.of {
		r.search.asked, r.search.failed = false, reason
	}
}

// searchRow is the row below a searched conversation: the text, the number of
// the current match, and the progress.
func (r *Model) searchRow(width int) string {
	s := r.search
	note := ""
	if !s.typing {
		note = r.searched()
	}
	text := r.set.Cut("/"+string(s.input), width-1, "")
	if room := max(width-r.set.Width(note)-3, 2); r.set.Width("/"+string(s.input)) > room {
		text = "/" + r.set.End(string(s.input), room-1)
	}
	r.prompt = 1 + r.set.Width(text)
	return r.sides(" "+r.styles.accent.Draw(text), r.styles.muted.Draw(note), width)
}

// countUnread counts the unread messages that match. They are no entries of the
// conversation yet, so a search does not lead to them.
func (r *Model) countUnread() {
	s := r.search
	if s == nil || s.query == nil || r.threads[s.agent] == nil {
		return
	}
	s.unread = 0
	for _, m := range r.threads[s.agent].waiting {
		if _, _, ok := s.query.first(sanitize.Text(m.Body)); ok {
			s.unread++
		}
	}
}

func (r *Model) searched() string {
	s := r.search
	t := r.threads[s.agent]
	var said []string
	switch {
	case s.at >= 0 && len(s.hits) > 0:
		said = append(said, r.text(textMatch, symbols.Count(s.at+1), symbols.Count(len(s.hits))))
	case s.all:
		said = append(said, r.text(textNoMatch))
	}
	if s.unread > 0 {
		said = append(said, r.printer.N(textInUnread, s.unread))
	}
	switch {
	case s.failed != "":
		said = append(said, r.text(textFailed)+s.failed)
	case s.all && !s.going || t == nil:
	case !s.all && s.upto > t.first && s.next > t.first:
		done := (s.next - s.upto) * 100 / (s.next - t.first)
		said = append(said, r.text(textSearchingFar, done))
	default:
		said = append(said, r.text(textSearching))
	}
	return strings.Join(said, r.dot())
}

// SearchCursor returns the position of the terminal's cursor in the rows last
// drawn while the user types in the search line.
func (r *Model) SearchCursor() (x, y int, ok bool) {
	if !r.TypingSearch() {
		return 0, 0, false
	}
	return r.prompt, r.height + 1, true
}
