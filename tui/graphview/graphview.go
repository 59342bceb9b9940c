// Package graphview draws an agent graph with a run through it: as nodes in
// layers on a wide screen, else as a list; below it the path of the run.
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

// A Subject is a graph to draw.
type Subject struct {
	Graph *graph.Graph // nil for the plain one
	Run   *graph.Run   // nil before the first
	// Held is set while the agent is idle in the middle of a run, paused or failed.
	Held bool
	Zone *time.Location // zone of the times; nil is UTC
}

// A View draws graphs. It is used by one goroutine.
type View struct {
	printer i18n.Printer
	set     symbols.Set
	styles  styles
}

type styles struct {
	text, muted, subtle, heading, line, current, letter themes.Pen
	done, failed, warning                               themes.Pen
}

// New returns a view in a theme with symbols.
func New(theme themes.Theme, printer i18n.Printer, set symbols.Set) *View {
	return &View{printer: printer, set: set, styles: styles{
		text:    theme.Pen(theme.Text, 0),
		muted:   theme.Pen(theme.Muted, 0),
		subtle:  theme.Pen(theme.Subtle, 0),
		heading: theme.Pen(theme.Heading, themes.Bold),
		line:    theme.Pen(theme.Border, 0),
		current: theme.Pen(theme.Accent, themes.Bold),
		letter:  theme.Pen(theme.Accent, 0),
		done:    theme.Pen(theme.Success, 0),
		failed:  theme.Pen(theme.Danger, 0),
		warning: theme.Pen(theme.Warning, 0),
	}}
}

func (v *View) text(t i18n.Text, args ...any) string { return v.printer.T(t, args...) }

// leastDrawing is the width from which the graph is drawn instead of listed. A
// pane beside the tree on a screen of 80 columns is narrower.
const leastDrawing = 64

// mostPath is how many records of a path are shown.
const mostPath = 200

// Rows draws graph, state and path in rows of exactly width cells. Text that
// others wrote is cleaned here.
func (v *View) Rows(s Subject, width int) []string {
	if width <= 0 {
		return nil
	}
	p := v.page(width)
	if s.Graph == nil {
		p.wrap(&v.styles.muted, v.text(textNone), 1, 0)
		p.wrap(&v.styles.subtle, v.text(textNoneHint), 1, 0)
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

// head describes the state of the run.
func (v *View) head(p *page, s *Subject, f *told) {
	p.sides(&v.styles.heading, line(s.Graph.Name()), &v.styles.muted, v.count(s))
	if s.Run == nil {
		return
	}
	said, style := v.state(s, f)
	p.wrap(style, said, 1, 0)
	if detail := line(s.Run.Detail); detail != "" {
		p.wrap(&v.styles.muted, detail, 3, 3)
	}
}

// count counts the executed nodes of the run.
func (v *View) count(s *Subject) string {
	switch {
	case s.Run == nil:
		return v.text(textNotBegun)
	case s.Run.Status.Over():
		return v.text(textExecuted, s.Run.Iterations, s.Graph.MaxIterations())
	}
	return v.text(textIteration, s.Run.Iterations, s.Graph.MaxIterations())
}

// state returns where a run stands.
func (v *View) state(s *Subject, f *told) (said string, style *themes.Pen) {
	r := s.Run
	style = &v.styles.text
	switch r.Status {
	case graph.Completed:
		style, said = &v.styles.done, v.text(textCompleted)
	case graph.Cancelled:
		said = v.text(textCancelled)
	case graph.Error:
		style, said = &v.styles.failed, v.text(textFailed, v.reason(r.Reason))
	default:
		style = &v.styles.current
		said = v.text(v.doing(s.Held, f.doing), f.title(f.current))
		if more := len(f.also) - 1; more > 0 {
			said += v.text(textMore, more)
		}
		if f.current == "" {
			said = v.text(textNotBegun)
		}
	}
	return said, style
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

// reason returns why a run ended, in words; an unknown reason as it is.
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

// mostLine is the longest line of text that others wrote, in cells.
const mostLine = 400

// line cleans text that others wrote.
func line(s string) string { return sanitize.Line(s, mostLine) }

// A page collects rows of one width.
type page struct {
	v     *View
	width int
	rows  []string
}

func (v *View) page(width int) *page { return &page{v: v, width: width} }

func (p *page) blank() { p.rows = append(p.rows, cells.Blank(p.width)) }

// put adds a row, padded or cut to the width.
func (p *page) put(row string) { p.rows = append(p.rows, p.v.set.Fit(row, p.width, "")) }

// sides adds a row with a text at each side. The right one is dropped if both
// do not fit.
func (p *page) sides(style *themes.Pen, left string, note *themes.Pen, right string) {
	tail := p.v.set.Tail()
	room := p.width - 2
	if right == "" || p.v.set.Width(right)+3 > room {
		p.put(" " + style.Draw(p.v.set.Cut(left, room, tail)))
		return
	}
	left = p.v.set.Fit(left, room-p.v.set.Width(right)-1, tail)
	p.put(" " + style.Draw(left) + " " + note.Draw(right))
}

// wrap adds a text over as many rows as needed, at most most if that is not 0.
func (p *page) wrap(style *themes.Pen, text string, left, most int) {
	room := max(p.width-left-1, 1)
	rows := p.v.set.Wrap(text, room)
	if most > 0 && len(rows) > most {
		rows[most-1] = p.v.set.Cut(rows[most-1], room-1, "") + p.v.set.Tail()
		rows = rows[:most]
	}
	for _, row := range rows {
		p.put(cells.Blank(left) + style.Draw(strings.TrimRight(row, " ")))
	}
}

// sign returns a sign, or letters if the terminal cannot draw it.
func (v *View) sign(sign, letters string) string {
	if v.set.ASCII {
		return letters
	}
	return sign
}
