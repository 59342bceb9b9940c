package tui

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/society"
	"society-tui/tui/conversation"
	"society-tui/tui/picker"
	"society-tui/tui/symbols"
)

// findList is the kind of the list of places in all conversations.
const findList = "places"

const (
	mostPlaces = 500   // that are listed, the newest
	findPage   = 250   // entries that are read with one transaction
	findAtOnce = 2_000 // entries that are searched before the list is shown again
)

// A finding is what all conversations are searched for. It stays when its list is
// closed, so that one can come back to it; it is searched on only while that is open.
type finding struct {
	sought conversation.Sought
	left   []stretch // what is to be searched, the last first
	inbox  bool      // the person's own conversation is still to be searched
	here   map[society.AgentID]bool

	read, all uint64 // entries
	count     int    // of places, with those that are not listed
	places    []conversation.Place
	asked     bool // something is being searched
	failed    string
	gone      string // the item that the person went to last
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
	places []conversation.Place
	err    error
}

// slashFind searches all conversations for a text; without one it goes back to what was
// found last.
func (a *app) slashFind(w written) (tea.Cmd, bool) {
	if w.rest == "" && a.finding != nil {
		a.showPlaces()
		a.picks.Pick(a.finding.gone)
		return nil, true
	}
	sought, ok := conversation.NewSought(w.rest)
	if !ok {
		return a.warn(a.words.cmds.NeedsText, ""), false
	}
	f := &finding{sought: sought, inbox: true, here: make(map[society.AgentID]bool)}
	since := make(map[society.AgentID]int64)
	for _, id := range a.tree.Subtree(society.Root) {
		row, _ := a.tree.Row(id)
		f.here[id], since[id] = true, row.Since.UnixNano()
		f.left = append(f.left, stretch{id, row.Next})
		f.all += row.Next
	}
	// Who did something last is searched first: that is the last of the list.
	slices.SortStableFunc(f.left, func(x, y stretch) int { return cmp.Compare(since[x.agent], since[y.agent]) })
	a.finding = f
	a.showPlaces()
	return nil, true
}

// findOn searches the next part, outside the event loop, as long as the list is open.
func (a *app) findOn() tea.Cmd {
	f := a.finding
	if f == nil || f.asked || f.failed != "" || f.done() || a.picks.Kind() != findList {
		return nil
	}
	f.asked = true
	part := found{in: f, left: slices.Clone(f.left), inbox: f.inbox}
	sought, here := f.sought, maps.Clone(f.here)
	return a.command(func(ctx context.Context) tea.Msg {
		part.search(ctx, a.society, sought, here)
		return part
	})
}

// search searches a part, and takes it out of what is left.
func (p *found) search(ctx context.Context, in Society, sought conversation.Sought, here map[society.AgentID]bool) {
	if p.inbox {
		messages, err := in.Inbox(ctx, 0)
		if err != nil {
			p.err = err
			return
		}
		// What those who are still here have said to the person is in their own.
		p.places = sought.InInbox(messages, func(id society.AgentID) bool { return !here[id] })
		p.inbox = false
	}
	for len(p.left) > 0 && p.read < findAtOnce {
		last := &p.left[len(p.left)-1]
		if last.upto == 0 {
			p.left = p.left[:len(p.left)-1]
			continue
		}
		from := last.upto - min(last.upto, findPage)
		page, err := in.Page(ctx, last.agent, from, last.upto)
		if err != nil {
			p.err = err
			return
		}
		p.places = append(p.places, sought.In(page)...)
		p.read += last.upto - from
		last.upto = from
	}
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
	f.count += len(m.places)
	f.places = append(f.places, m.places...)
	slices.SortStableFunc(f.places, func(x, y conversation.Place) int {
		return cmp.Or(y.At.Compare(x.At), cmp.Compare(y.Slot, x.Slot))
	})
	f.places = f.places[:min(len(f.places), mostPlaces)]
	if a.picks.Kind() == findList {
		a.showPlaces()
	}
	return nil
}

// showPlaces lists what was found so far, the newest first.
func (a *app) showPlaces() {
	f, w := a.finding, a.words.cmds
	items := make([]picker.Item, len(f.places))
	for i := range f.places {
		items[i] = a.placeItem(&f.places[i])
	}
	title, empty := fmt.Sprintf(w.Found, f.sought.Text(), symbols.Count(f.count)), w.FoundNothing
	switch {
	case f.failed != "":
		title += a.dot() + fmt.Sprintf(a.words.notices.Failed, f.failed)
	case !f.done():
		far := fmt.Sprintf(w.Finding, symbols.Count(int(f.read)), symbols.Count(int(f.all)))
		title, empty = title+a.dot()+far, far
	case f.count > len(f.places):
		title += a.dot() + fmt.Sprintf(w.FoundNewest, symbols.Count(len(f.places)))
	}
	a.picks.Open(findList, title, empty, items)
}

func (a *app) placeItem(p *conversation.Place) picker.Item {
	w := a.words.cmds
	who := a.sender(p.From)
	if p.Agent != p.From {
		who += a.arrow() + a.sender(p.Agent)
	}
	note := ""
	switch p.Part {
	case conversation.Thought:
		note = w.InThought
	case conversation.Called:
		note = w.InCall
	case conversation.Came:
		note = w.InResult
	}
	return picker.Item{
		ID: string(p.Agent) + " " + strconv.FormatUint(p.Slot, 10), Name: a.moment(p.At) + "  " + who, Note: note,
		Text: p.Before + p.Match + p.After, Marked: [2]int{len(p.Before), len(p.Before) + len(p.Match)},
	}
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
	at := slices.IndexFunc(a.finding.places, func(p conversation.Place) bool {
		return string(p.Agent)+" "+strconv.FormatUint(p.Slot, 10) == item.ID
	})
	if at < 0 {
		return nil
	}
	p := a.finding.places[at]
	a.finding.gone = item.ID
	if _, here := a.tree.Row(p.Agent); !here && p.Agent != society.User {
		return a.warn(fmt.Sprintf(a.words.notices.AlreadyGone, a.name(p.Agent)), "")
	}
	a.picks.Close()
	cmd := tea.Batch(a.talkTo(p.Agent), a.focus(chatPane))
	a.chat.SearchFrom(a.finding.sought.Text(), p.Slot)
	return tea.Batch(cmd, a.tell(a.words.cmds.BackToFound, ""))
}

// arrow stands between who wrote and to whom.
func (a *app) arrow() string {
	if a.set.ASCII {
		return " -> "
	}
	return " → "
}
