// Package graphview draws an agent graph with a run through it: as nodes in
// layers where there is room, else as a list; below it the path of the run.
package graphview

import (
	"strings"
	"time"

	"society-tui/runtime/graph"
	"society-tui/runtime/i18n"
	"society-tui/themes"
	"society-tui/tui/cells"
	"society-tui/tui/sanitize"
	"society-tui/tui/symbols"
)

// A Subject is what is drawn.
type Subject struct {
	Graph *graph.Graph // nil for the plain one
	Run   *graph.Run   // nil if there was none yet
	// Held is set while the agent does nothing: the run rests before the node at
	// hand, because of a pause or a failure.
	Held bool
	Zone *time.Location // of the times; nil is UTC
}

// A View draws graphs. It is used by one goroutine.
type View struct {
	printer i18n.Printer
	set     symbols.Set
	pens    pens
}

type pens struct {
	text, muted, subtle, heading, line, here, letter themes.Pen
	done, failed, warning                            themes.Pen
}

// New returns a view that draws in theme, with those symbols.
func New(theme themes.Theme, printer i18n.Printer, set symbols.Set) *View {
	return &View{printer: printer, set: set, pens: pens{
		text:    theme.Pen(theme.Text, 0),
		muted:   theme.Pen(theme.Muted, 0),
		subtle:  theme.Pen(theme.Subtle, 0),
		heading: theme.Pen(theme.Heading, themes.Bold),
		line:    theme.Pen(theme.Border, 0),
		here:    theme.Pen(theme.Accent, themes.Bold),
		letter:  theme.Pen(theme.Accent, 0),
		done:    theme.Pen(theme.Success, 0),
		failed:  theme.Pen(theme.Danger, 0),
		warning: theme.Pen(theme.Warning, 0),
	}}
}

func (v *View) text(t i18n.Text, args ...any) string { return v.printer.T(t, args...) }

// leastDrawing is the width from which on a graph is drawn: a pane beside the
// tree on a screen of 80 columns, and a whole one of 60, are narrower.
const leastDrawing = 64

// mostPath is how many records of a path are shown, the newest.
const mostPath = 200

// Rows draws a graph, the way through it and the path, in rows of exactly width
// cells. What others wrote is cleaned here.
func (v *View) Rows(s Subject, width int) []string {
	if width <= 0 {
		return nil
	}
	p := v.page(width)
	if s.Graph == nil {
		p.wrap(&v.pens.muted, v.text(textNone), 1, 0)
		p.wrap(&v.pens.subtle, v.text(textNoneHint), 1, 0)
		return p.rows
	}
	f := facts(&s)
	v.head(p, &s, f)
	p.blank()
	drawn := false
	if width >= leastDrawing {
		drawn = v.drawing(p, f)
	}
	if !drawn {
		v.list(p, f)
	}
	p.blank()
	v.path(p, &s, f)
	return p.rows
}

// head says how the run is.
func (v *View) head(p *page, s *Subject, f *told) {
	r := s.Run
	if r == nil {
		p.sides(&v.pens.heading, line(s.Graph.Name()), &v.pens.muted, v.text(textNotBegun))
		return
	}
	count := textIteration
	if r.Status.Over() {
		count = textExecuted
	}
	p.sides(&v.pens.heading, line(s.Graph.Name()), &v.pens.muted, v.text(count, r.Iterations, s.Graph.MaxIterations()))
	pen := &v.pens.text
	said := ""
	switch r.Status {
	case graph.Completed:
		pen, said = &v.pens.done, v.text(textCompleted)
	case graph.Cancelled:
		said = v.text(textCancelled)
	case graph.Error:
		pen, said = &v.pens.failed, v.text(textFailed, v.reason(r.Reason))
	default:
		pen = &v.pens.here
		said = v.text(v.doing(s.Held, f.doing), f.title(f.here))
		if more := len(f.also) - 1; more > 0 {
			said += v.text(textMore, more)
		}
		if f.here == "" {
			said = v.text(textNotBegun)
		}
	}
	p.wrap(pen, said, 1, 0)
	if detail := line(r.Detail); detail != "" {
		p.wrap(&v.pens.muted, detail, 3, 3)
	}
}

func (v *View) doing(held bool, k graph.WorkKind) i18n.Text {
	switch {
	case held:
		return textHeld
	case k == graph.Judge || k == graph.Choose:
		return textJudging
	case k == graph.Wait:
		return textWaiting
	case k == graph.Join:
		return textJoining
	}
	return textExecuting
}

// reason is why a run has ended, in words; of one that a newer program has
// written, as that calls it.
func (v *View) reason(r graph.Reason) string {
	switch r {
	case graph.Aborted:
		return v.text(textAborted)
	case graph.NoRoute:
		return v.text(textNoRoute)
	case graph.TooManySteps:
		return v.text(textTooMany)
	case graph.TimedOut:
		return v.text(textTimedOut)
	case graph.NodeFailed:
		return v.text(textNodeFailed)
	case graph.ConditionFailed:
		return v.text(textConditionFailed)
	case graph.MergeFailed:
		return v.text(textMergeFailed)
	}
	return line(string(r))
}

// mostLine is the most of what others wrote that is looked at, in cells.
const mostLine = 400

// line is what others wrote, as one clean line.
func line(s string) string { return sanitize.Line(s, mostLine) }

// A page collects rows of one width.
type page struct {
	v     *View
	width int
	rows  []string
}

func (v *View) page(width int) *page { return &page{v: v, width: width} }

func (p *page) blank() { p.rows = append(p.rows, cells.Blank(p.width)) }

// put adds a row that begins with left, as wide as it is.
func (p *page) put(row string) { p.rows = append(p.rows, p.v.set.Fit(row, p.width, "")) }

// sides adds a row with a text at each side. The right one goes where there is no
// room for both.
func (p *page) sides(pen *themes.Pen, left string, note *themes.Pen, right string) {
	tail := p.v.set.Tail()
	room := p.width - 2
	if right == "" || p.v.set.Width(right)+3 > room {
		p.put(" " + pen.Draw(p.v.set.Cut(left, room, tail)))
		return
	}
	left = p.v.set.Fit(left, room-p.v.set.Width(right)-1, tail)
	p.put(" " + pen.Draw(left) + " " + note.Draw(right))
}

// wrap adds a text in as many rows as it takes, or at most so many.
func (p *page) wrap(pen *themes.Pen, text string, left, most int) {
	room := max(p.width-left-1, 1)
	rows := p.v.set.Wrap(text, room)
	if most > 0 && len(rows) > most {
		rows[most-1] = p.v.set.Cut(rows[most-1], room-1, "") + p.v.set.Tail()
		rows = rows[:most]
	}
	for _, row := range rows {
		p.put(cells.Blank(left) + pen.Draw(strings.TrimRight(row, " ")))
	}
}

// sign is a sign, or letters for a terminal without it.
func (v *View) sign(sign, letters string) string {
	if v.set.ASCII {
		return letters
	}
	return sign
}
