// Package inspector shows one agent in tabs: its state with recent events, its
// brief, system prompt, contacts, graph, tools and calls.
package inspector

import (
	"slices"
	"time"

	"society-tui/runtime/api"
	"society-tui/runtime/graph"
	"society-tui/runtime/i18n"
	"society-tui/runtime/society"
	"society-tui/themes"
	"society-tui/tui/cells"
	"society-tui/tui/graphview"
	"society-tui/tui/selection"
	"society-tui/tui/symbols"
)

// A Subject is the agent to show, with facts that its row does not have. Its
// texts must be clean.
type Subject struct {
	Row    api.Row      // no agent if it has no ID
	Graph  *graph.Graph // graph of its role, or nil
	Parent string       // name of its parent
	Kids   int
	Below  int // all its descendants
	Use    society.Usage
	// Currency is the sign of the currency of all amounts.
	Currency string
	Model    string
	// Quiet is set while no agent is busy: ages are shown as times of day, so that
	// nothing changes by time alone.
	Quiet bool
	// Names returns the name of an agent.
	Names func(society.AgentID) string
	// Whole is the key that shows a cut text in full.
	Whole string
}

// A Tab is one page of the inspector.
type Tab int

const (
	State Tab = iota
	Brief
	Prompt
	Contacts
	Graph
	Tools
	tabs
)

// A Model is the inspector. It is used by one goroutine.
type Model struct {
	printer i18n.Printer
	set     symbols.Set
	styles  styles
	frame   cells.Framer
	graph   *graphview.View

	subject Subject
	profile profile
	log     []api.TimelineEvent // newest first
	tab     Tab
	top     int // the first visible row
	height  int
	lines   int
	all     []string // the rows of the tab as last drawn
	cells   int      // their width
	sel     selection.Selection

	now   time.Time
	tick  int
	focus bool
}

type styles struct {
	text, strong, muted, subtle, accent, heading, fill, edge themes.Pen
	kinds                                                    map[symbols.Role]themes.Pen
}

// New returns an inspector without an agent.
func New(theme themes.Theme, printer i18n.Printer, set symbols.Set) *Model {
	r := &Model{printer: printer}
	r.SetTheme(theme, set)
	return r
}

func (r *Model) text(t i18n.Text, args ...any) string { return r.printer.T(t, args...) }

// SetTheme changes theme and symbols.
func (r *Model) SetTheme(theme themes.Theme, set symbols.Set) {
	r.set = set
	r.frame = cells.NewFramer(theme, set.Measure, set.ASCII)
	r.styles = styles{
		text:    theme.Pen(theme.Text, 0),
		strong:  theme.Pen(theme.Text, themes.Bold),
		muted:   theme.Pen(theme.Muted, 0),
		subtle:  theme.Pen(theme.Subtle, 0),
		accent:  theme.Pen(theme.Accent, themes.Bold),
		heading: theme.Pen(theme.Heading, themes.Bold),
		fill:    theme.Pen(theme.Busy, 0),
		edge:    theme.Pen(theme.Border, 0),
		kinds:   make(map[symbols.Role]themes.Pen),
	}
	for role := symbols.RoleSubtle; role <= symbols.RoleAccent; role++ {
		r.styles.kinds[role] = role.Pen(theme)
	}
	r.graph = graphview.New(theme, r.printer, set)
	r.profile.laid = laid{}
}

// Focus sets whether the inspector has the keys.
func (r *Model) Focus(on bool) { r.focus = on }

// Tick sets the time for ages and the frame of the spinner.
func (r *Model) Tick(now time.Time, frame int) { r.now, r.tick = now, frame }

// Show sets the agent. Another one is shown from its first row.
func (r *Model) Show(s Subject) {
	if s.Row.ID != r.subject.Row.ID {
		r.top = 0
		r.profile = profile{}
	}
	if was, is := &r.subject.Row, &s.Row; was.Walk != is.Walk || is.Walk.Graph != "" && (was.State != is.State || was.Paused != is.Paused) {
		r.Outdated()
	}
	if !slices.Equal(r.subject.Row.Processes, s.Row.Processes) {
		r.profile.laid = laid{}
	}
	if s.Names == nil {
		s.Names = func(id society.AgentID) string { return string(id) }
	}
	r.subject = s
}

// A Want is what the current tab lacks.
type Want struct {
	Agent society.AgentID
	Calls bool // its tool calls, besides the profile
}

// Wants returns what to pass to Profile; ok is false if nothing is needed.
func (r *Model) Wants() (w Want, ok bool) {
	w = Want{Agent: r.subject.Row.ID, Calls: r.tab == Tools}
	fresh := r.profile.fresh && (!w.Calls || r.profile.called)
	return w, r.tab != State && w.Agent != "" && !fresh
}

// mostEvents is how many lines of the timeline are kept.
const mostEvents = 100

// Log adds new lines of the timeline, oldest first. Their texts must be clean.
func (r *Model) Log(events []api.TimelineEvent) {
	for _, e := range events {
		if e.Kind == "paused" && e.Text == string(society.Interrupted) {
			continue // the interruption has a line of its own
		}
		r.log = append([]api.TimelineEvent{e}, r.log[:min(len(r.log), mostEvents-1)]...)
	}
}

// Turn shows a tab; an unknown one is ignored.
func (r *Model) Turn(tab Tab) {
	if tab >= 0 && tab < tabs && tab != r.tab {
		r.tab, r.top = tab, 0
		if r.profile.failed != "" {
			r.Outdated()
		}
	}
}

// TurnBy shows the tab that is n further; behind the last comes the first.
func (r *Model) TurnBy(n int) { r.Turn((r.tab + Tab(n) + tabs) % tabs) }

// Scroll scrolls by n rows.
func (r *Model) Scroll(n int) { r.top = max(min(r.top+n, r.lines-r.height), 0) }

// PageUp scrolls up by a page less one row.
func (r *Model) PageUp() { r.Scroll(-max(r.height-1, 1)) }

// PageDown scrolls down by a page less one row.
func (r *Model) PageDown() { r.Scroll(max(r.height-1, 1)) }

// Top scrolls to the first row.
func (r *Model) Top() { r.top = 0 }

// Bottom scrolls to the last row.
func (r *Model) Bottom() { r.Scroll(r.lines) }

// Rows draws the inspector: height rows of exactly width cells.
func (r *Model) Rows(width, height int) []string {
	if width <= 0 || height <= 0 {
		return nil
	}
	title, note := r.title()
	const edges = 4 // the note stays: it tells that there are more tabs
	title = r.set.Cut(title, max(width-r.set.Width(note)-edges, r.set.Width(r.Name(r.tab))), r.set.Tail())
	rows := append(make([]string, 0, height), r.frame.Title(width, title, note, r.focus))
	return append(rows, r.body(width-1, height-1)...)
}

// Name returns the title of a tab.
func (r *Model) Name(tab Tab) string {
	switch tab {
	case Brief:
		return r.text(textBrief)
	case Prompt:
		return r.text(textPrompt)
	case Contacts:
		return r.text(textContacts)
	case Graph:
		return r.text(textGraph)
	case Tools:
		return r.text(textTools)
	}
	return r.text(textTitle)
}

func (r *Model) title() (title, note string) {
	title = r.Name(r.tab)
	if id := r.subject.Row.ID; id != "" {
		sign := " · "
		if r.set.ASCII {
			sign = " - "
		}
		title += sign + r.subject.Names(id)
	}
	return title, string(rune('1'+r.tab)) + "/" + string(rune('0'+tabs))
}

// body draws the visible rows of the current tab, with a scroll bar at their
// right.
func (r *Model) body(width, height int) []string {
	var all []string
	if r.tab == State {
		all = r.state(width, height)
	} else {
		all = r.profile.lay(r, width)
	}
	r.lines, r.height = len(all), height
	r.Scroll(0)
	r.checkSelection(all, width)
	rows := make([]string, height)
	first, end := cells.Thumb(r.top, height, len(all))
	for i := range rows {
		row := cells.Blank(width)
		if at := r.top + i; at < len(all) {
			row = r.sel.Draw(r.set.Measure, all[at], 0, at)
		}
		right := " "
		if i >= first && i < end {
			right = r.frame.Side(r.focus, true)
		}
		rows[i] = row + right
	}
	return rows
}
