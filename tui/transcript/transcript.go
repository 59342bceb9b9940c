// Package transcript is the widget that shows one conversation: what an agent
// was told, what it answered, thought and did, or the messages to the user.
//
// It keeps its own copy of what it shows and reads nothing itself: PageRequest
// asks for entries, Extend adds them. Text that others wrote is cleaned before
// it becomes part of a row.
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

// A Detail is a level of detail: how much of a conversation is unfolded.
type Detail uint8

// In every level a single item can be folded and unfolded.
const (
	Short Detail = iota // messages in full, calls and thoughts as one row each
	Full                // everything in full
	Calls               // calls and messages as one row each
)

// threadLimit is how many conversations are kept in memory.
const threadLimit = 8

// A Model shows one conversation at a time. It is used by one goroutine.
//
// At first it follows: the end stays in view until the user scrolls away. Then
// visible rows stay in place, and a badge counts what is new.
type Model struct {
	printer i18n.Printer
	set     symbols.Set
	styles  styles
	frame   cells.Framer
	names   func(society.AgentID) string
	asked   func(agent society.AgentID, call string) (wanted string, waits bool) // see Approvals

	full, quiet, drawn *markdown.Look // for messages, faint text, and text without Markdown

	open     *thread
	threads  map[society.AgentID]*thread
	recent   []society.AgentID // keys of threads, the latest shown last
	views    map[society.AgentID]view
	title    string
	row      api.Row
	detail   Detail
	search   *search // nil if there is none
	badge    int     // the row of the badge below the title, 0 if there is none
	sel      selection.Selection
	selIDs   [2]itemID // items of the selection's Anchor and Head
	selItems []shown   // the selected items as they were drawn
	prompt   int       // the column behind the typed search text

	now    time.Time
	tick   int
	atRest bool
	focus  bool
	width  int // of the text area as last drawn
	height int
	moving bool
}

// New returns a widget that shows no conversation yet.
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

// SetTheme changes theme and symbols.
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

// Names sets the function that returns an agent's clean name; without it ids
// are shown.
func (r *Model) Names(names func(society.AgentID) string) { r.names = names }

// Approvals sets how to find out whether a call of an agent waits for the user's
// yes, and what it would do, in one clean line.
func (r *Model) Approvals(asked func(agent society.AgentID, call string) (wanted string, waits bool)) {
	r.asked = asked
}

// Focus sets whether the widget has the keys. With focus the row under the
// cursor is marked, and all rows that would be copied.
func (r *Model) Focus(on bool) {
	if r.focus == on {
		return
	}
	r.focus = on
	if r.open == nil {
		return
	}
	for _, it := range r.open.stored {
		if it.id.part == asidePart {
			it.laid = false // it tells which keys show the entries from here
		}
	}
}

// Tick sets the time for durations and the frame of the spinner.
func (r *Model) Tick(now time.Time, frame int) { r.now, r.tick = now, frame }

// AtRest sets whether no agent works: nothing ticks then, so the time of a wait is shown as a
// time of day.
func (r *Model) AtRest(on bool) { r.atRest = on }

// Animating reports whether the rows last drawn change by time alone; without
// them the animation clock can stop.
func (r *Model) Animating() bool { return r.moving }

// Show opens the conversation of an agent, or the inbox for society.User, under
// a clean title. The user's position and folds are restored.
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
			t.pending = &v
			t.folds = v.folds()
		}
	}
	t.failed = ""
	r.open = t
	r.row = api.Row{}
	r.touch(id)
}

// touch makes the conversation the latest shown, and drops the one that was not
// shown for longest.
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

// Row sets the state of an agent; others than the open one are ignored. It
// shows at the end of the conversation and decides how messages are read. Its
// texts must be clean.
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

// Graph sets the graph of the open agent's role, or nil: its titles name the
// nodes that spoke.
func (r *Model) Graph(g *graph.Graph) {
	if r.open != nil && r.open.graph != g {
		r.open.graph = g
		if len(r.open.entries) > 0 {
			r.open.rebuild()
		}
	}
}

// Forget drops everything about a removed agent.
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

// name returns the name of an agent, or of the user.
func (r *Model) name(id society.AgentID) string {
	if id == society.User {
		return r.text(symbols.TextYou)
	}
	return r.names(id)
}
