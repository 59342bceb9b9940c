// Package list is a list over the panes from which the user picks something:
// a role, a template, an act. It does nothing itself.
package list

import (
	"fmt"
	"slices"

	"society-tui/themes"
	"society-tui/tui/cells"
	"society-tui/tui/symbols"
)

// An Item is what can be picked. Its texts must be clean.
type Item struct {
	ID   string
	Name string
	Note string // behind the name
	Text string // beneath it
	Head string // above it, where nothing is searched for: the heading of a part of the list
	Also string // other words for it, which a search finds and nobody sees
	// Marked says what of the Text is what was looked for, in bytes; none if both are 0.
	Marked [2]int
	Bad    bool // something is wrong with it
	// Off says that it cannot be picked now, and Why, behind its name, the reason.
	Off bool
	Why string
	// Tag says what kind of item it is, see NextTag.
	Tag string
}

// A Model is a list, which may be closed. It is used by one goroutine.
type Model struct {
	set   symbols.Set
	pens  pens
	frame cells.Framer

	kind  string // "" while it is closed
	title string
	empty string // what is said where there is nothing to pick
	items []Item // those that are shown
	slim  bool   // see Slim
	at    int    // the picked one
	top   int    // the first row that is drawn
	hold  string // the item that is to stay at the top, see Renew, and by how many rows
	held  int    // of it are above

	// What is searched for, see Search, and in what.
	search bool
	sifts  bool
	asks   bool   // see Ask
	only   string // the one tag that is shown, "" for all
	query  []rune
	all    []Item

	// How it was drawn last.
	height int
	tall   int   // the most rows that it had to show since it was opened
	starts []int // the first row of each item, and behind the last one
	x, y   int
	width  int
}

type pens struct{ name, note, text, bad, chosen, quiet, match themes.Pen }

// New returns a list that is closed.
func New(theme themes.Theme, set symbols.Set) *Model {
	r := &Model{}
	r.SetTheme(theme, set)
	return r
}

// SetTheme draws in another theme or with other symbols from now on.
func (r *Model) SetTheme(t themes.Theme, set symbols.Set) {
	r.set, r.frame = set, cells.NewRaisedFramer(t, set.Measure, set.ASCII)
	r.pens = pens{
		name:   t.PenOn(t.Text, t.Surface, themes.Bold),
		note:   t.PenOn(t.Subtle, t.Surface, 0),
		text:   t.PenOn(t.Muted, t.Surface, 0),
		bad:    t.PenOn(t.Danger, t.Surface, 0),
		chosen: t.PenOn(t.SelectionText, t.Selection, themes.Bold),
		quiet:  t.PenOn(t.Text, t.Surface, 0),
		match:  t.MatchPen(),
	}
	if t.Plain {
		r.pens.chosen = t.PenOn(nil, nil, themes.Reverse|themes.Bold)
	}
}

// Open shows a list of a kind, by which its owner knows it. One of the same kind
// that is open keeps its place.
func (r *Model) Open(kind, title, empty string, items []Item) {
	was, same := r.Picked()
	same = same && r.kind == kind
	r.kind, r.title, r.empty, r.slim = kind, title, empty, false
	if same && r.top > 0 {
		r.holdTop()
	}
	r.items, r.all, r.search, r.sifts, r.asks, r.query, r.only, r.tall = items, items, false, false, false, nil, "", 0
	if !same {
		r.at, r.top, r.hold = 0, 0, ""
		return
	}
	if at := slices.IndexFunc(items, func(i Item) bool { return i.ID == was.ID }); at >= 0 {
		r.at = at
	}
	r.at = max(min(r.at, len(items)-1), 0)
}

// Renew gives the list that is open other items, with what is searched for, the mark
// and what is seen where they are. A mark on the last item goes on to what comes
// behind it.
func (r *Model) Renew(items []Item) {
	was, ok := r.Picked()
	last := r.at == len(r.items)-1
	r.holdTop()
	r.items, r.all = items, items
	r.sieve()
	r.at, r.top = 0, 0
	if !ok || last {
		r.Last()
		return
	}
	r.Pick(was.ID)
}

// holdTop keeps the item that is at the top of what is seen there.
func (r *Model) holdTop() {
	r.hold = ""
	for i := range r.items {
		if len(r.starts) == len(r.items)+1 && r.starts[i] <= r.top && r.top < r.starts[i+1] {
			r.hold, r.held = r.items[i].ID, r.top-r.starts[i]
		}
	}
}

// Slim makes the list that is open no wider than its names and notes need, and puts
// it at the right, so that most of what lies beneath is seen.
func (r *Model) Slim() { r.slim = true }

// Pick goes to an item by its ID.
func (r *Model) Pick(id string) {
	if at := slices.IndexFunc(r.items, func(i Item) bool { return i.ID == id }); at >= 0 {
		r.at = at
	}
}

// Close takes the list away.
func (r *Model) Close() { r.kind = "" }

// Kind is the kind of the list that is open, "" for none.
func (r *Model) Kind() string { return r.kind }

// Picked returns the item that is marked; ok is false if there is none.
func (r *Model) Picked() (item Item, ok bool) {
	if r.kind == "" || r.at >= len(r.items) {
		return Item{}, false
	}
	return r.items[r.at], true
}

// Move goes n items on, or back.
func (r *Model) Move(n int) { r.at = max(min(r.at+n, len(r.items)-1), 0) }

// Page goes on by what is shown, or back.
func (r *Model) Page(n int) {
	if len(r.starts) != len(r.items)+1 || len(r.items) == 0 {
		r.Move(n * len(r.items))
		return
	}
	row := r.starts[r.at] + n*max(r.height-1, 1)
	to := 0
	for i := range r.items {
		if r.starts[i] <= row {
			to = i
		}
	}
	if to == r.at { // one that is higher than the list
		to += n
	}
	r.Move(to - r.at)
}

// First and Last go to the ends of the list.
func (r *Model) First() { r.Move(-len(r.items)) }

// Last goes to the end.
func (r *Model) Last() { r.Move(len(r.items)) }

// Click picks the item at a cell of the screen; again says that it was picked
// already. Outside is a click beside the list.
func (r *Model) Click(x, y int) (again, outside bool) {
	x, y = x-r.x, y-r.y
	if x < 0 || x >= r.width || y < 0 || y >= r.height+r.head()+2 {
		return false, true
	}
	y -= r.head()
	row := y - 1 + r.top
	for i := range r.items {
		if y >= 1 && y <= r.height && row >= r.starts[i] && row < r.starts[i+1] {
			again = i == r.at
			r.at = i
		}
	}
	return again, false
}

const (
	margin    = 2
	mostWidth = 96
	mostText  = 3 // rows beneath a name
	slimText  = 44
)

// Rows draws the list for a screen of width by height cells, and says where its
// upper left corner belongs. All rows are equally wide. While it is closed there
// are none.
func (r *Model) Rows(width, height int) (rows []string, x, y int) {
	if r.kind == "" || width < 12 || height < 4 {
		return nil, 0, 0
	}
	w := min(r.wanted(), width-2*margin)
	if w < min(40, r.wanted()) {
		w = width
	}
	most := height - 2*margin
	if most < 8 {
		most = height
	}
	body := r.body(w - 4)
	if at := slices.IndexFunc(r.items, func(i Item) bool { return i.ID == r.hold }); r.hold != "" && at >= 0 {
		r.top = r.starts[at] + r.held
	}
	r.hold = ""
	fit := func(rows int) int { return max(min(rows, most-2-r.head()), 1) }
	r.height = fit(len(body))
	tall := r.height
	if r.search { // what is typed must not jump about: its row stays where the whole list puts it
		r.tall = max(r.tall, len(body), len(r.all))
		if r.asks {
			r.tall = most
		}
		tall = fit(r.tall)
	}
	r.show(len(body))
	pad := r.pens.quiet.Draw(" ")
	first, end := cells.Thumb(r.top, r.height, len(body))
	rows = append(rows, r.frame.Top(w, r.title, r.count(), true))
	if r.search {
		typed := r.pens.note.Draw(r.prompt()) + r.pens.name.Draw(r.set.Fit(r.typed(w-4), w-4-r.set.Width(r.prompt()), ""))
		rows = append(rows, r.frame.Side(true, false)+pad+typed+pad+r.frame.Side(true, false))
	}
	for i := range r.height {
		rows = append(rows, r.frame.Side(true, false)+pad+body[r.top+i]+pad+r.frame.Side(true, i >= first && i < end))
	}
	rows = append(rows, r.frame.Bottom(w, "", true))
	r.x, r.y, r.width = (width-w)/2, (height-len(rows)-tall+r.height)/2, w
	if r.slim {
		r.x = max(width-w-margin, 0)
	}
	return rows, r.x, r.y
}

// head is how many rows stand above the items.
func (r *Model) head() int { return bit(r.search) }

// count says how many of all are shown, while one searches.
func (r *Model) count() string {
	if !r.Searched() {
		return ""
	}
	return fmt.Sprintf("%d/%d", len(r.items), len(r.all))
}

// wanted is how wide the list is where there is room.
func (r *Model) wanted() int {
	if !r.slim {
		return mostWidth
	}
	w := r.set.Width(r.title) + 6
	for i := range r.items {
		const edges, lead, gap = 4, 4, 2
		w = max(w, r.set.Width(r.items[i].Name)+r.set.Width(r.items[i].Note)+edges+lead+gap)
		w = max(w, min(r.set.Width(r.items[i].Text)+edges+lead, slimText))
	}
	return min(w, mostWidth)
}

// show scrolls so that the whole of the picked item is drawn, if it has room.
func (r *Model) show(all int) {
	if len(r.items) > 0 {
		r.top = max(r.top, r.starts[r.at+1]-r.height)
		r.top = min(r.top, r.starts[r.at])
	}
	r.top = max(min(r.top, all-r.height), 0)
}

// body draws all items, each row exactly width cells wide.
func (r *Model) body(width int) []string {
	var rows []string
	r.starts = r.starts[:0]
	for i := range r.items {
		r.starts = append(r.starts, len(rows))
		if head := r.items[i].Head; head != "" && !r.Searched() {
			rows = append(rows, r.pens.text.Draw(r.set.Fit(head, width, r.set.Tail())))
		}
		rows = append(rows, r.item(&r.items[i], i == r.at, width)...)
	}
	r.starts = append(r.starts, len(rows))
	if len(r.items) == 0 {
		for _, row := range r.set.Wrap(r.empty, width) {
			rows = append(rows, r.pens.quiet.Draw(r.set.Fit(row, width, r.set.Tail())))
		}
	}
	return rows
}

func (r *Model) item(i *Item, picked bool, width int) []string {
	name, note := r.pens.name, r.pens.note
	lead := "  "
	if picked {
		name, note, lead = r.pens.chosen, r.pens.chosen, r.mark()
	}
	if i.Bad { // for terminals without colours
		lead += r.wrong()
	}
	// The name yields to what stands behind it, which is the shorter of the two: as far as
	// the middle of the row.
	said := r.set.Cut(i.Note, max(width-r.set.Width(lead+i.Name)-1, width/2), r.set.Tail())
	if said != "" {
		said = " " + said
	}
	room := width - r.set.Width(said)
	called := lead + i.Name
	why := ""
	if i.Off {
		if !picked {
			name = r.pens.text
		}
		if left := room - r.set.Width(called) - 1; left > 4 {
			why = r.set.Fit("  "+i.Why, left, r.set.Tail()) + " "
		}
	}
	rows := []string{name.Draw(r.set.Fit(called, room-r.set.Width(why), r.set.Tail())) + note.Draw(why) + note.Draw(said)}
	text := r.pens.text
	if i.Bad {
		text = r.pens.bad
	}
	var lines []string
	if i.Text != "" {
		lines = r.set.Wrap(i.Text, max(width-4, 1))
	}
	for n, line := range lines[:min(len(lines), mostText)] {
		if n == mostText-1 && len(lines) > mostText {
			line = r.set.Cut(line, max(width-4-r.set.Width(r.set.Tail()), 0), "") + r.set.Tail()
		}
		row := r.set.Fit("    "+line, width, r.set.Tail())
		if from, upto := len("    ")+i.Marked[0], min(len("    ")+i.Marked[1], len(row)); n == 0 && i.Marked[1] > 0 && from < upto {
			rows = append(rows, text.Draw(row[:from])+r.pens.match.Draw(row[from:upto])+text.Draw(row[upto:]))
			continue
		}
		rows = append(rows, text.Draw(row))
	}
	return rows
}

// mark stands before what is picked, for terminals without colours.
func (r *Model) mark() string {
	if r.set.ASCII {
		return "> "
	}
	return "▸ "
}

// wrong stands before what cannot be used.
func (r *Model) wrong() string {
	if r.set.ASCII {
		return "! "
	}
	return "✗ "
}
