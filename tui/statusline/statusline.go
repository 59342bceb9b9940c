// Package statusline is the header and the last two rows of the screen: where
// the user is, how the society does as a whole, what the last command came to,
// and which keys lead on.
package statusline

import (
	"time"

	"society-tui/runtime/i18n"
	"society-tui/runtime/society"
	"society-tui/themes"
	"society-tui/tui/cells"
	"society-tui/tui/sanitize"
	"society-tui/tui/symbols"
)

// Summary is what the header and the status row say of the whole society.
type Summary struct {
	Session string   // which society it is, "" for the usual one
	Path    []string // names from root to the agent that is shown
	Counts  symbols.Tally
	Usage   society.Usage
	// Streamed counts the bytes of answers that have come since the start; 0 if
	// that is not known. The speed is measured by it, for Usage grows only when
	// an answer ends.
	Streamed int64

	Model   string // "" when there is none
	Health  string // "" unknown, "ok", else a short reason
	Unsaved string // why nothing is being saved; "" when all is
}

// A Hint is a key with what it does.
type Hint struct{ Key, Does string }

// mostHints is how many hints stand in the status row: more are not read.
const mostHints = 5

// A Model is the header and the last rows. It is used by one goroutine.
type Model struct {
	printer i18n.Printer
	set     symbols.Set
	pens    pens

	summary Summary
	hints   []Hint
	help    string // the key that shows the help
	more    string // the key that lists all that can be done, "" where it does not
	rest    string // how the rest of a message is read
	lead    bool   // the hints come before what is well
	notice  notices
	worked  stopwatch
	meter   meter
}

type pens struct {
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

// SetTheme draws in another theme or with other symbols from now on.
func (r *Model) SetTheme(theme themes.Theme, set symbols.Set) {
	r.set = set
	r.pens = pens{
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
		r.pens.kinds[role] = role.Pen(theme)
	}
}

// Show sets what the header says of the society.
func (r *Model) Show(s Summary) {
	s.Session = sanitize.Line(s.Session, 60)
	s.Model = sanitize.Line(s.Model, 30)
	s.Health = sanitize.Line(s.Health, 30)
	s.Unsaved = sanitize.Line(s.Unsaved, 60)
	r.summary = s
}

// Hints sets the keys that the status row names, the most useful first, and the
// key that shows the help.
func (r *Model) Hints(hints []Hint, help string) {
	r.hints, r.help = hints[:min(len(hints), mostHints)], help
}

// More sets the key that lists all that can be done, "" where it does not.
func (r *Model) More(key string) { r.more = key }

// Rest sets what stands behind a message that the row has no room for: how it is read.
func (r *Model) Rest(hint string) { r.rest = hint }

// Lead says that the hints are what the user has asked for, and come before the word
// that all is well where the row holds not both.
func (r *Model) Lead(on bool) { r.lead = on }

// Tick takes the time: what was worked, and how fast tokens come. Nothing that
// is drawn changes by time alone while nobody is busy, but that a message goes.
func (r *Model) Tick(now time.Time) {
	r.worked.tick(now, r.summary.Counts.Busy() > 0)
	r.meter.tick(now, r.summary.written())
	r.notice.tick(now)
}

// rate is how fast tokens come. Where nobody is busy none do, and no time goes by on the
// screen in which it could sink.
func (r *Model) rate() int {
	if r.summary.Counts.Busy() == 0 {
		return 0
	}
	return r.meter.rate()
}

// bytesPerToken is how many bytes of an answer are taken for a token.
const bytesPerToken = 4

// written is how many tokens the models have written, about.
func (s *Summary) written() int {
	if s.Streamed > 0 {
		return int(s.Streamed / bytesPerToken)
	}
	return s.Usage.Output
}

// tokens are those that were spent. While nothing is counted yet, because the first
// answer has not ended, it is what has come of that, about: a nought would say that
// nothing is spent while the speed beside it says how fast.
func (s *Summary) tokens() string {
	spent := s.Usage.Input + s.Usage.Output
	if spent == 0 && s.Streamed > 0 {
		return "~" + symbols.Tokens(s.written())
	}
	return symbols.Tokens(spent)
}

// Worked returns how long at least one agent was busy.
func (r *Model) Worked() time.Duration { return r.worked.sum }

// SetWorked goes on from what was worked before.
func (r *Model) SetWorked(d time.Duration) { r.worked.sum = d }

// part is a piece of a row with its width.
type part struct {
	cells.Measure
	drawn string
	width int
}

func (r *Model) part() part { return part{Measure: r.set.Measure} }

func (p *part) add(pen themes.Pen, s string) {
	p.drawn += pen.Draw(s)
	p.width += p.Width(s)
}

// pad puts blanks before p until it is w cells wide, so that what stands at its
// left does not move with its length.
func (p part) pad(w int) part {
	if p.width < w {
		return part{p.Measure, cells.Blank(w-p.width) + p.drawn, w}
	}
	return p
}
