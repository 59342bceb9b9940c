// Package statusline draws the header and the last two rows of the screen: the
// user's position, the society's state, the notice, and hints.
package statusline

import (
	"time"

	"society-tui/runtime/api"
	"society-tui/runtime/i18n"
	"society-tui/runtime/society"
	"society-tui/themes"
	"society-tui/tui/cells"
	"society-tui/tui/sanitize"
	"society-tui/tui/symbols"
)

// Summary is the state of the whole society.
type Summary struct {
	Session string   // name of the session, "" for the default
	Path    []string // names from root to the open agent
	Counts  symbols.Tally
	Usage   society.Usage
	Cost    string // of Usage, "" if it is not shown
	// Streamed counts the bytes of answers since the start; 0 if unknown. It
	// measures the rate, because Usage only grows when an answer ends.
	Streamed int64

	Model   string           // "" for none
	Health  string           // "" unknown, "ok", or a short problem
	HTTP    string           // where other programs reach the society, or why not
	Unsaved string           // why saving fails, or ""
	Sandbox api.SandboxState // "" if agents run no commands

	Attached string // where the society runs, "" for this process
	Screens  int    // that show it
	Look     bool   // the screen only looks
	Cut      bool   // the connection to it is cut
}

// A Hint is a key with its effect.
type Hint struct{ Key, Does string }

// mostHints is the most hints in the status row.
const mostHints = 5

// A Model is the header and the last two rows. It is used by one goroutine.
type Model struct {
	printer i18n.Printer
	set     symbols.Set
	styles  styles

	summary Summary
	pathEnd int // column behind the user's position, as last drawn
	hints   []Hint
	help    string // the key of the help
	more    string // the key of the palette, or ""
	rest    string // how to read a cut notice
	lead    bool   // hints come before good health
	notice  notices
	worked  stopwatch
	meter   meter
}

type styles struct {
	strong, text, muted, subtle, accent, success, warning, danger, edge themes.Pen
	kinds                                                               map[symbols.Role]themes.Pen
}

// New returns a header for an empty society.
func New(theme themes.Theme, printer i18n.Printer, set symbols.Set) *Model {
	r := &Model{printer: printer, help: "?"}
	r.SetTheme(theme, set)
	return r
}

func (r *Model) text(t i18n.Text, args ...any) string { return r.printer.T(t, args...) }

// SetTheme changes theme and symbols.
func (r *Model) SetTheme(theme themes.Theme, set symbols.Set) {
	r.set = set
	r.styles = styles{
		strong:  theme.Pen(theme.Heading, themes.Bold),
		text:    theme.Pen(theme.Text, 0),
		muted:   theme.Pen(theme.Muted, 0),
		subtle:  theme.Pen(theme.Subtle, 0),
		accent:  theme.Pen(theme.Accent, themes.Bold),
		success: theme.Pen(theme.Success, 0),
		warning: theme.Pen(theme.Warning, 0),
		danger:  theme.Pen(theme.Danger, themes.Bold),
		edge:    theme.Pen(theme.Border, 0),
		kinds:   make(map[symbols.Role]themes.Pen),
	}
	for role := symbols.RoleSubtle; role <= symbols.RoleAccent; role++ {
		r.styles.kinds[role] = role.Pen(theme)
	}
}

// Show sets the state of the society.
func (r *Model) Show(s Summary) {
	s.Session = sanitize.Line(s.Session, 60)
	s.Model = sanitize.Line(s.Model, 30)
	s.Health = sanitize.Line(s.Health, 30)
	s.Unsaved = sanitize.Line(s.Unsaved, 60)
	s.Attached = sanitize.Line(s.Attached, 60)
	r.summary = s
}

// Hints sets the hints, the most useful first, and the key of the help.
func (r *Model) Hints(hints []Hint, help string) {
	r.hints, r.help = hints[:min(len(hints), mostHints)], help
}

// More sets the key of the palette, or "".
func (r *Model) More(key string) { r.more = key }

// Rest sets what follows a notice that is cut: how to read it.
func (r *Model) Rest(hint string) { r.rest = hint }

// Lead sets whether the hints take precedence over good health in a narrow row.
func (r *Model) Lead(on bool) { r.lead = on }

// Tick sets the time and updates work time and rate. While no agent is busy,
// only the end of a notice changes what is drawn.
func (r *Model) Tick(now time.Time) {
	r.worked.tick(now, r.summary.Counts.Busy() > 0)
	r.meter.tick(now, r.summary.written())
	r.notice.tick(now)
}

// rate returns the tokens per second, 0 while no agent is busy, because no
// frames are drawn in which it could sink.
func (r *Model) rate() int {
	if r.summary.Counts.Busy() == 0 {
		return 0
	}
	return r.meter.rate()
}

// bytesPerToken is an estimate.
const bytesPerToken = 4

// written estimates the tokens that models have written.
func (s *Summary) written() int {
	if s.Streamed > 0 {
		return int(s.Streamed / bytesPerToken)
	}
	return s.Usage.Output
}

// tokens formats the used tokens. Before the first answer has ended it shows an
// estimate, because a zero would contradict the rate beside it.
func (s *Summary) tokens() string {
	if s.Usage.Tokens() == 0 && s.Streamed > 0 {
		return "~" + symbols.Tokens(s.written())
	}
	return symbols.Spent(s.Usage)
}

// Worked returns how long at least one agent was busy.
func (r *Model) Worked() time.Duration { return r.worked.sum }

// SetWorked restores the work time.
func (r *Model) SetWorked(d time.Duration) { r.worked.sum = d }

// A part is a piece of a row with its width.
type part struct {
	cells.Measure
	drawn string
	width int
	spots []spot // of hints
}

// A spot is where a part shows the hint of a key.
type spot struct {
	from, to int
	key      string
}

func (p *part) keyAt(x int) string {
	for _, s := range p.spots {
		if s.from <= x && x < s.to {
			return s.key
		}
	}
	return ""
}

func (r *Model) part() part { return part{Measure: r.set.Measure} }

func (p *part) add(style themes.Pen, s string) {
	p.drawn += style.Draw(s)
	p.width += p.Width(s)
}

// pad pads p at its left to w cells, so that what precedes it does not move.
func (p part) pad(w int) part {
	if p.width < w {
		return part{Measure: p.Measure, drawn: cells.Blank(w-p.width) + p.drawn, width: w}
	}
	return p
}
