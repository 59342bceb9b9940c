package tui

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
	"society-tui/tui/command"
	"society-tui/tui/list"
	"society-tui/tui/page"
	"society-tui/tui/sanitize"
	"society-tui/tui/statusline"
	"society-tui/tui/symbols"
	"society-tui/tui/transcript"
)

// findList is the kind of the list of places in all conversations.
const findList = "places"

const (
	mostPlaces = 500   // that are listed, the newest
	findPage   = 250   // entries that are read with one transaction
	findBefore = 50    // entries that are read more where a call and its result would be apart
	findAtOnce = 2_000 // entries that are searched before the list is shown again
)

// A finding is what all conversations are searched for. It stays when its list is
// closed, so that one can come back to it; it is searched on only while that is open.
type finding struct {
	typed  string
	sought transcript.Query
	left   []stretch // what is to be searched, the last first
	inbox  bool      // the person's own conversation is still to be searched

	read, all uint64 // entries
	count     int    // of places, with those that are not listed
	places    []transcript.Place
	told      map[transcript.Message]int // how often its sender's place was found, less the copies
	asked     bool                       // something is being searched
	failed    string
	gone      visit
}

// A visit is where the list has led the person last, and whom they had open before.
type visit struct {
	item string
	to   society.AgentID // "" if they have gone on since
	from society.AgentID
	pane pane
}

// A stretch is what of a conversation is not searched yet: all before a slot.
type stretch struct {
	agent society.AgentID
	upto  uint64
}

// found is what came of searching a part of all conversations.
type found struct {
	in     *finding
	left   []stretch
	inbox  bool
	read   uint64
	places []transcript.Place
	err    error
}

// runFind lists where a text stands in all conversations; without one the list asks
// for it, and shows what was found last.
func (a *app) runFind(in command.Input) tea.Cmd {
	if in.Text != "" {
		a.seek(in.Text)
	}
	if a.finding == nil {
		a.seek("")
	}
	a.showPlaces()
	a.picks.Pick(a.finding.gone.item)
	return nil
}

// seek begins to search all conversations for a text.
func (a *app) seek(text string) {
	f := &finding{typed: sanitize.Line(text, doingCells), told: make(map[transcript.Message]int)}
	a.finding = f
	var ok bool
	if f.sought, ok = a.chat.Query(f.typed); !ok {
		return
	}
	f.inbox = true
	since := make(map[society.AgentID]int64)
	for _, id := range a.replica.Subtree(society.Root) {
		row, _ := a.replica.Row(id)
		since[id] = row.Since.UnixNano()
		f.left = append(f.left, stretch{id, row.Next})
		f.all += row.Next
	}
	// Who did something last is searched first: that is the last of the list.
	slices.SortStableFunc(f.left, func(x, y stretch) int { return cmp.Compare(since[x.agent], since[y.agent]) })
}

// seekTyped searches for what stands above the list, if that has changed.
func (a *app) seekTyped() {
	if !a.listing(findList) || a.picks.Asked() == a.finding.typed {
		return
	}
	typed, before := a.picks.Asked(), a.finding
	if a.seek(typed); a.finding.sought.Text() == before.sought.Text() {
		a.finding = before // a blank more or less
	}
	a.finding.typed = typed
	a.showPlaces()
}

// findOn searches the next part, outside the event loop, as long as the list is open.
func (a *app) findOn() tea.Cmd {
	a.seekTyped()
	f := a.finding
	if f == nil || f.asked || f.failed != "" || f.done() || !a.listing(findList) {
		return nil
	}
	f.asked = true
	part := found{in: f, left: slices.Clone(f.left), inbox: f.inbox}
	sought := f.sought
	return later(a, func(ctx context.Context) found {
		part.search(ctx, a.society, sought)
		return part
	}, a.takePlaces)
}

// search searches a part, and takes it out of what is left.
func (p *found) search(ctx context.Context, in api.Society, sought transcript.Query) {
	if p.inbox {
		messages, err := in.Inbox(ctx, 0)
		if err != nil {
			p.err = err
			return
		}
		p.places = sought.InInbox(messages)
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
		p.places = append(p.places, sought.In(page)...)
		p.read += last.upto - from
		last.upto = from
	}
}

// end reads the last page of a stretch, and says from which slot on that is. A call and
// its result come together: apart each would be a place of its own.
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

func (f *finding) done() bool { return len(f.left) == 0 && !f.inbox }

func (a *app) takePlaces(m found) tea.Cmd {
	f := m.in
	if f != a.finding {
		return nil
	}
	f.asked = false
	if m.err != nil {
		f.failed = a.reason(m.err)
	}
	f.left, f.inbox, f.read = m.left, m.inbox, f.read+m.read
	for i := range m.places {
		f.add(&m.places[i])
	}
	slices.SortStableFunc(f.places, func(x, y transcript.Place) int {
		return cmp.Or(y.At.Compare(x.At), cmp.Compare(y.Slot, x.Slot), cmp.Compare(y.N, x.N))
	})
	f.places = f.places[:min(len(f.places), mostPlaces)]
	if a.listing(findList) {
		a.showPlaces()
	}
	return nil
}

// add adds a place. Of a message that is found with its sender and with whom it is for,
// the sender's is listed.
func (f *finding) add(p *transcript.Place) {
	for _, m := range p.Messages() {
		if p.Copy {
			f.told[m]--
			if f.told[m] >= 0 {
				return
			}
			continue
		}
		f.told[m]++
		if f.told[m] <= 0 {
			f.count--
			f.places = slices.DeleteFunc(f.places, func(other transcript.Place) bool {
				return other.Copy && slices.Contains(other.Messages(), m)
			})
		}
	}
	f.count++
	f.places = append(f.places, *p)
}

// showPlaces lists what was found so far, the newest first.
func (a *app) showPlaces() {
	f, w := a.finding, a.words.cmds
	items := make([]list.Item, len(f.places))
	for i := range f.places {
		items[i] = a.placeItem(&f.places[i])
	}
	title, empty := fmt.Sprintf(w.Found, f.sought.Text(), symbols.Count(f.count)), w.FoundNothing
	switch {
	case f.sought.Text() == "":
		title, empty = w.Find, w.FindWhat
	case f.failed != "":
		title += a.dot() + fmt.Sprintf(a.words.notices.Failed, f.failed)
	case !f.done():
		far := fmt.Sprintf(w.Finding, symbols.Count(int(f.read)), symbols.Count(int(f.all)))
		title, empty = title+a.dot()+far, far
	case f.count > len(f.places):
		title += a.dot() + fmt.Sprintf(w.FoundNewest, symbols.Count(len(f.places)))
	}
	a.openList(page.List{Kind: findList, Take: a.goToPlace, Takes: a.words.keys.HintGo, Searched: true, More: a.findHints}, title, empty, items)
	a.picks.Ask(f.typed)
}

func (a *app) placeItem(p *transcript.Place) list.Item {
	w := a.words.cmds
	who := a.sender(p.From)
	for i, to := range p.To {
		between := a.arrow()
		if i > 0 {
			between = ", "
		}
		who += between + a.sender(to)
	}
	note := ""
	switch p.Part {
	case transcript.Thought:
		note = w.InThought
	case transcript.Called:
		note = w.InCall
	case transcript.Came:
		note = w.InResult
	}
	if p.Tool != "" && note != "" {
		note += " " + p.Tool
	}
	return list.Item{
		ID: placeID(p), Name: page.Moment(a.now(), p.At) + "  " + who, Note: note,
		Text: p.Before + p.Match + p.After, Marked: [2]int{len(p.Before), len(p.Before) + len(p.Match)},
	}
}

func placeID(p *transcript.Place) string {
	return fmt.Sprintf("%s %d %d", p.Agent, p.Slot, p.N)
}

// sender is what somebody who wrote is called.
func (a *app) sender(id society.AgentID) string {
	if id == society.User {
		return a.words.app.You
	}
	return a.name(id)
}

// goToPlace opens the conversation of the marked place there, searched for the text.
func (a *app) goToPlace() tea.Cmd {
	item, ok := a.picks.Picked()
	if !ok || a.finding == nil {
		return nil
	}
	at := slices.IndexFunc(a.finding.places, func(p transcript.Place) bool { return placeID(&p) == item.ID })
	if at < 0 {
		return nil
	}
	p := a.finding.places[at]
	if _, here := a.replica.Row(p.Agent); !here && p.Agent != society.User {
		return a.warn(fmt.Sprintf(a.words.notices.AlreadyGone, a.name(p.Agent)), "")
	}
	a.picks.Close()
	a.finding.gone = visit{item: item.ID, to: p.Agent, from: a.open, pane: a.wish.focus}
	a.chat.EndSearch()
	cmd := tea.Batch(a.talkTo(p.Agent), a.focus(chatPane))
	a.chat.SearchFrom(a.finding.sought.Text(), &p)
	return cmd
}

// visits says whether the conversation is searched because the list of places has led
// there.
func (a *app) visits() bool {
	return a.finding != nil && a.finding.gone.to != "" && a.finding.gone.to == a.open && a.chat.Searching()
}

// searchEnd says where esc leads from a conversation that is searched.
func (a *app) searchEnd() string {
	if a.visits() {
		return a.words.cmds.BackToFound
	}
	return a.words.keys.HintSearchEnd
}

// backToPlaces goes back to the list that has led here, and below it to where the person
// was before.
func (a *app) backToPlaces() tea.Cmd {
	was := &a.finding.gone
	a.chat.EndSearch()
	was.to = ""
	var cmd tea.Cmd
	if was.from != a.open {
		cmd = a.toPrevious()
	}
	cmd = tea.Batch(cmd, a.focus(was.pane))
	a.showPlaces()
	a.picks.Pick(was.item)
	return cmd
}

// arrow stands between who wrote and to whom.
func (a *app) arrow() string {
	if a.set.ASCII {
		return " -> "
	}
	return " → "
}

func (a *app) findHints() []statusline.Hint {
	return []statusline.Hint{{Key: a.arrows(), Does: a.words.keys.HintMove}, {Key: a.words.cmds.HintLetters, Does: a.words.keys.HintSearch}}
}
