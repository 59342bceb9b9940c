// Package transcript is the room in which the user reads what was said to
// an agent and what it answered, thought and did, and the messages to themselves.
//
// It keeps its own copy of what it shows and reads nothing itself: PageRequest says what
// it wants to be read next, Extend takes it over. Whatever others wrote is
// cleaned before it becomes part of a row.
package transcript

import (
	"time"

	"society-tui/runtime/api"
	"society-tui/runtime/graph"
	"society-tui/runtime/i18n"
	"society-tui/runtime/society"
	"society-tui/themes"
	"society-tui/tui/cells"
	"society-tui/tui/markdown"
	"society-tui/tui/selection"
	"society-tui/tui/symbols"
)

// A Detail says how much of a conversation is unfolded.
type Detail uint8

// The levels of detail. In each of them an item can be folded and unfolded by
// itself.
const (
	Short Detail = iota // messages in full, calls and thoughts in a row each
	Full                // everything in full
	Calls               // calls in a row each, messages cut to theirs
)

// threadLimit is how many conversations are kept ready to be shown.
const threadLimit = 8

// A Model shows one conversation at a time. It is used by one goroutine.
//
// It begins following: what is said last is in view, until the user moves
// away from it. Then nothing moves under their eyes, and a badge counts what is
// new.
type Model struct {
	printer i18n.Printer
	set     symbols.Set
	styles  styles
	frame   cells.Framer
	names   func(society.AgentID) string

	full, quiet, drawn *markdown.Look // of messages, of what stands back, of what has no Markdown

	open     *thread
	threads  map[society.AgentID]*thread
	recent   []society.AgentID // those of threads, the latest shown last
	views    map[society.AgentID]view
	title    string
	row      api.Row
	detail   Detail
	search   *search // of the open conversation; nil for none
	sel      selection.Selection
	selIDs   [2]itemID // the items of its Anchor and its Head
	selItems []shown   // those that are marked, as they were
	prompt   int       // the column behind what is typed to search for

	now    time.Time
	tick   int
	focus  bool
	bare   bool // without the sides of the frame
	width  int  // of the text's area as it was last drawn
	height int
	moving bool
}

// New returns a room that shows no conversation yet.
func New(theme themes.Theme, printer i18n.Printer, set symbols.Set) *Model {
	r := &Model{
		printer: printer,
		names:   func(id society.AgentID) string { return string(id) },
		threads: make(map[society.AgentID]*thread),
		views:   make(map[society.AgentID]view),
	}
	r.SetTheme(theme, set)
	return r
}

func (r *Model) text(t i18n.Text, args ...any) string { return r.printer.T(t, args...) }

// SetTheme draws in another theme or with other symbols from now on.
func (r *Model) SetTheme(theme themes.Theme, set symbols.Set) {
	r.set = set
	r.styles = newStyles(theme)
	r.frame = cells.NewFramer(theme, set.Measure, set.ASCII)
	r.full = markdown.NewLook(theme, set.Measure, set.ASCII)
	r.quiet = r.full.Quiet(theme)
	for _, t := range r.threads {
		t.redraw()
	}
}

// Names sets where the names of agents to show come from; without it their ids
// are shown. What it returns must be clean.
func (r *Model) Names(names func(society.AgentID) string) { r.names = names }

// Focus reports whether the room has the keys: then the line under the cursor is
// marked, and all of the item that would be copied.
func (r *Model) Focus(on bool) { r.focus = on }

// Open leaves the sides of the frame away, for narrow terminals.
func (r *Model) Open(on bool) { r.bare = on }

// Tick sets the time that waiting is counted to, and the frame of the spinner.
func (r *Model) Tick(now time.Time, frame int) { r.now, r.tick = now, frame }

// Animating reports whether something among the rows last drawn changes by time alone:
// without it the animation clock need not run.
func (r *Model) Animating() bool { return r.moving }

// Show opens the conversation of an agent, or of society.User the messages to
// the user, under a title in plain clean text. Where the user was in it, and
// what they had folded, is as it was.
func (r *Model) Show(id society.AgentID, title string) {
	r.title = title
	if r.open != nil && r.open.agent == id {
		return
	}
	r.EndSearch()
	r.sel.Clear()
	r.remember()
	t := r.threads[id]
	if t == nil {
		t = newThread(r, id)
		r.threads[id] = t
		if v, ok := r.views[id]; ok {
			t.wish = &v
			t.folds = v.folds()
		}
	}
	t.failed = ""
	r.open = t
	r.row = api.Row{}
	r.touch(id)
}

// touch makes the conversation the latest that was shown, and forgets the one
// that was not shown for longest.
func (r *Model) touch(id society.AgentID) {
	for i, other := range r.recent {
		if other == id {
			r.recent = append(r.recent[:i], r.recent[i+1:]...)
			break
		}
	}
	r.recent = append(r.recent, id)
	if len(r.recent) > threadLimit {
		delete(r.threads, r.recent[0])
		r.recent = r.recent[1:]
	}
}

// Row takes over what an agent does. Only that of the open one is shown: its
// state at the end of the conversation, and how its messages are read. Its texts
// must be clean. Of a stored row the last one counts.
func (r *Model) Row(row api.Row) {
	if r.open == nil || r.open.agent != row.ID {
		return
	}
	if (row.Waiting != r.row.Waiting || row.Delayed != r.row.Delayed) && r.row.ID == row.ID {
		r.Changed(row.ID, row.Next)
	}
	r.row = row
	r.open.standing(row)
}

// Graph sets the graph of the open agent's role, nil without one: its titles name the
// nodes that spoke.
func (r *Model) Graph(g *graph.Graph) {
	if r.open != nil && r.open.graph != g {
		r.open.graph = g
		if len(r.open.entries) > 0 {
			r.open.rebuild()
		}
	}
}

// Forget drops what is known of an agent that is gone.
func (r *Model) Forget(id society.AgentID) {
	delete(r.threads, id)
	delete(r.views, id)
	for i, other := range r.recent {
		if other == id {
			r.recent = append(r.recent[:i], r.recent[i+1:]...)
			break
		}
	}
	if r.search != nil && r.search.agent == id {
		r.search = nil
	}
	if r.open != nil && r.open.agent == id {
		r.open = nil
	}
}

// name returns what to call an agent, or the user.
func (r *Model) name(id society.AgentID) string {
	if id == society.User {
		return r.text(textYou)
	}
	return r.names(id)
}
