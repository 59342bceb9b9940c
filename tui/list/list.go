// Package list is a list over the panes from which the user picks an item.
package list

import (
	"fmt"
	"slices"

	"society-tui/themes"
	"society-tui/tui/cells"
	"society-tui/tui/symbols"
)

// An Item is a row of the list. Its texts must be clean.
type Item struct {
	ID   string
	Name string
	Note string // after the name
	Text string // below the name
	Head string // heading above the item, hidden by a search
	Also string // further words that a search finds
	// Marked is the part of Text that matches a search, in bytes; none if both are
	// 0.
	Marked [2]int
	// Stays marks an item that no search hides. Alone is shown instead of Text if a search finds
	// nothing, and Takes, if not nil, reports whether the item is for a search text.
	Stays  bool
	Alone  string
	Takes  func(query string) bool
	Bad    bool // shown as faulty
	Sought bool // hidden until a search finds it
	// Off marks an item that cannot be picked now; Why, after its name, is the
	// reason.
	Off bool
	Why string
	// Tag is the kind of the item, see NextTag.
	Tag string
}

// A Model is a list, open or closed. It is used by one goroutine.
type Model struct {
	set    symbols.Set
	styles styles
	frame  cells.Framer

	open  bool
	title string
	empty string // shown without items
	none  string // shown if a search or a tag hides all items
	items []Item // the visible ones
	slim  bool   // see Slim
	at    int    // index of the selected item
	top   int    // the first visible row
	hold  string // ID of the item to keep at the top, see Renew
	held  int    // rows of it above the top

	// The state of Search.
	search bool
	sifts  bool
	asks   bool   // see Ask
	only   string // the tag shown, "" for all
	query  []rune
	all    []Item

	// The fields below are the last layout.
	height int
	tall   int   // most rows since it was opened
	starts []int // the first row of each item, and the number of rows
	x, y   int
	width  int
}

type styles struct{ name, note, text, bad, chosen, quiet, match themes.Pen }

// New returns a closed list.
func New(theme themes.Theme, set symbols.Set) *Model {
	r := &Model{}
	r.SetTheme(theme, set)
	return r
}

// SetTheme changes theme and symbols.
func (r *Model) SetTheme(t themes.Theme, set symbols.Set) {
	r.set, r.frame = set, cells.NewRaisedFramer(t, set.Measure, set.ASCII)
	r.styles = styles{
		name:   t.PenOn(t.Text, t.Surface, themes.Bold),
		note:   t.PenOn(t.Subtle, t.Surface, 0),
		text:   t.PenOn(t.Muted, t.Surface, 0),
		bad:    t.PenOn(t.Danger, t.Surface, 0),
		chosen: t.PenOn(t.SelectionText, t.Selection, themes.Bold),
		quiet:  t.PenOn(t.Text, t.Surface, 0),
		match:  t.MatchPen(),
	}
	if t.Plain {
		r.styles.chosen = t.PenOn(nil, nil, themes.Reverse|themes.Bold)
	}
}

// Title returns the title of the list.
func (r *Model) Title() string { return r.title }

// Open shows items. If the list is open it keeps its position.
func (r *Model) Open(title, empty string, items []Item) {
	was, same := r.Picked()
	r.open, r.title, r.empty, r.slim = true, title, empty, false
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

// Renew replaces the items of the open list, and keeps search, selection and
// scroll position. A selection at the last item moves to a new last one.
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

// holdTop remembers the item at the top.
func (r *Model) holdTop() {
	r.hold = ""
	for i := range r.items {
		if len(r.starts) == len(r.items)+1 && r.starts[i] <= r.top && r.top < r.starts[i+1] {
			r.hold, r.held = r.items[i].ID, r.top-r.starts[i]
		}
	}
}

// Unmatched sets the text that is shown if a search or a tag hides all items.
func (r *Model) Unmatched(text string) { r.none = text }

// Slim makes the open list as narrow as its content and puts it at the right,
// so that most of what lies beneath stays visible.
func (r *Model) Slim() { r.slim = true }

// Pick selects an item by ID.
func (r *Model) Pick(id string) {
	if at := slices.IndexFunc(r.items, func(i Item) bool { return i.ID == id }); at >= 0 {
		r.at = at
	}
}

// Close closes the list.
func (r *Model) Close() { r.open = false }

// IsOpen reports whether the list is open.
func (r *Model) IsOpen() bool { return r.open }

// Picked returns the selected item; ok is false if there is none.
func (r *Model) Picked() (item Item, ok bool) {
	if !r.open || r.at >= len(r.items) {
		return Item{}, false
	}
	return r.items[r.at], true
}

// Move moves the selection by n items.
func (r *Model) Move(n int) { r.at = max(min(r.at+n, len(r.items)-1), 0) }

// Page moves the selection by n pages.
func (r *Model) Page(n int) { r.rows(n, max(r.height-1, 1)) }

// Half moves the selection by n halves of a page.
func (r *Model) Half(n int) { r.rows(n, max(r.height/2, 1)) }

// rows moves the selection by n times so many rows.
func (r *Model) rows(n, each int) {
	if len(r.starts) != len(r.items)+1 || len(r.items) == 0 {
		r.Move(n * len(r.items))
		return
	}
	row := r.starts[r.at] + n*each
	to := 0
	for i := range r.items {
		if r.starts[i] <= row {
			to = i
		}
	}
	if to == r.at { // an item higher than the list
		to += n
	}
	r.Move(to - r.at)
}

// First selects the first item.
func (r *Model) First() { r.Move(-len(r.items)) }

// Last selects the last item.
func (r *Model) Last() { r.Move(len(r.items)) }

// Click selects the item at a cell of the screen, of which on reports that there is one. Again
// reports that it was selected already, outside that the click was beside the list.
func (r *Model) Click(x, y int) (on, again, outside bool) {
	x, y = x-r.x, y-r.y
	if x < 0 || x >= r.width || y < 0 || y >= r.height+r.head()+2 {
		return false, false, true
	}
	y -= r.head()
	row := y - 1 + r.top
	for i := range r.items {
		if y >= 1 && y <= r.height && row >= r.starts[i]+bit(r.headed(i)) && row < r.starts[i+1] {
			on, again = true, i == r.at
			r.at = i
		}
	}
	return on, again, false
}

const (
	margin    = 2
	mostWidth = 96
	mostText  = 3 // rows below a name
	slimText  = 44
)

// Rows draws the list for a screen of width by height cells, and returns its
// upper left corner. All rows are equally wide. There are none while it is
// closed.
func (r *Model) Rows(width, height int) (rows []string, x, y int) {
	if !r.open || width < 12 || height < 4 {
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
	if r.search { // the search row must not move, so it stays where the whole list puts it
		r.tall = max(r.tall, len(body), len(r.all))
		if r.asks {
			r.tall = most
		}
		tall = fit(r.tall)
	}
	r.show(len(body))
	pad := r.styles.quiet.Draw(" ")
	first, end := cells.Thumb(r.top, r.height, len(body))
	rows = append(rows, r.frame.Top(w, r.title, r.count(), true))
	if r.search {
		typed := r.styles.note.Draw(r.prompt()) + r.styles.name.Draw(r.set.Fit(r.typed(w-4), w-4-r.set.Width(r.prompt()), ""))
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

// head returns the number of rows above the items.
func (r *Model) head() int { return bit(r.search) }

// count shows how many of all items match.
func (r *Model) count() string {
	if !r.Searched() {
		return ""
	}
	return fmt.Sprintf("%d/%d", len(r.items), len(r.all))
}

// wanted returns the preferred width of the list.
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

// show scrolls to the selected item, all of it if it fits.
func (r *Model) show(all int) {
	if len(r.items) > 0 {
		r.top = max(r.top, r.starts[r.at+1]-r.height)
		r.top = min(r.top, r.starts[r.at])
	}
	r.top = max(min(r.top, all-r.height), 0)
}

// body draws all items in rows of exactly width cells.
func (r *Model) body(width int) []string {
	var rows []string
	r.starts = r.starts[:0]
	for i := range r.items {
		r.starts = append(r.starts, len(rows))
		if r.headed(i) {
			rows = append(rows, r.styles.text.Draw(r.set.Fit(r.items[i].Head, width, r.set.Tail())))
		}
		rows = append(rows, r.item(&r.items[i], i == r.at, width)...)
	}
	r.starts = append(r.starts, len(rows))
	if len(r.items) == 0 {
		text := r.empty
		if r.Searched() && len(r.all) > 0 && r.none != "" {
			text = r.none
		}
		for _, row := range r.set.Wrap(text, width) {
			rows = append(rows, r.styles.quiet.Draw(r.set.Fit(row, width, r.set.Tail())))
		}
	}
	return rows
}

// headed reports whether the heading above an item is shown.
func (r *Model) headed(i int) bool { return r.items[i].Head != "" && !r.Searched() }

func (r *Model) item(i *Item, picked bool, width int) []string {
	name, note := r.styles.name, r.styles.note
	lead := "  "
	if picked {
		name, note, lead = r.styles.chosen, r.styles.chosen, r.mark()
	}
	if i.Bad { // for terminals without colours
		lead += r.wrong()
	}
	// The name gives way to the shorter note, down to half of the row.
	said := r.set.CutWords(i.Note, max(width-r.set.Width(lead+i.Name)-1, width/2), r.set.Tail())
	if said != "" {
		said = " " + said
	}
	room := width - r.set.Width(said)
	called := lead + i.Name
	why := ""
	if i.Off {
		if !picked {
			name = r.styles.text
		}
		if left := room - r.set.Width(called) - 1; left > 4 {
			why = r.set.Fit("  "+i.Why, left, r.set.Tail()) + " "
		}
	}
	rows := []string{name.Draw(r.set.Fit(called, room-r.set.Width(why), r.set.Tail())) + note.Draw(why) + note.Draw(said)}
	text := r.styles.text
	if i.Bad {
		text = r.styles.bad
	}
	var lines []string
	if i.Text != "" {
		lines = r.set.Wrap(i.Text, max(width-4, 1))
	}
	for n, line := range lines[:min(len(lines), mostText)] {
		if n == mostText-1 && len(lines) > mostText {
			line = r.set.CutWords(line+" "+lines[n+1], max(width-4, 0), r.set.Tail())
		}
		row := r.set.Fit("    "+line, width, r.set.Tail())
		if from, upto := len("    ")+i.Marked[0], min(len("    ")+i.Marked[1], len(row)); n == 0 && i.Marked[1] > 0 && from < upto {
			rows = append(rows, text.Draw(row[:from])+r.styles.match.Draw(row[from:upto])+text.Draw(row[upto:]))
			continue
		}
		rows = append(rows, text.Draw(row))
	}
	return rows
}

// mark is the sign of the selected item, for terminals without colours.
func (r *Model) mark() string {
	if r.set.ASCII {
		return "> "
	}
	return "▸ "
}

// wrong is the sign of a faulty item.
func (r *Model) wrong() string {
	if r.set.ASCII {
		return "! "
	}
	return "✗ "
}
