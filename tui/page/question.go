package page

import (
	"cmp"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"society-tui/tui/dialog"
)

// A Choice is an answer to a question.
type Choice struct {
	Label string
	Keys  []string // shortcuts
	Grave bool
	// Run does what was chosen; nil does nothing. Write does it for a question with
	// a text field.
	Run   func() tea.Cmd
	Write func(text string) tea.Cmd
}

// A Question is asked before something is lost, or shows a text to read. Its
// first choice changes nothing, and esc takes it.
type Question struct {
	Kind    string // one of the same kind on top is replaced; askKind if empty
	Title   string
	Body    []dialog.Line
	Number  int           // to be typed, if not 0
	Unasked bool          // it opens by itself
	Waits   time.Duration // how long no letter answers it, as one of a text may have opened it
	Report  bool          // it asks nothing
	Moves   bool          // a key that opens another agent closes it
	Wide    bool
	Listed  bool           // its body describes the choices one below the other
	Line    *dialog.Field  // a text field, or nil
	Search  *dialog.Search // filters the body, or nil
	// Tabs, if there are any, stand for Body; Tab is the first that is shown. With them
	// there is one choice, and no Again.
	Tabs    []dialog.Tab
	Tab     int
	Choices []Choice
	// Selected is the choice that enter takes at first; if it is 0, the first one, and the
	// last one with a text field.
	Selected int
	// Again returns the question with current counts, because they must hold when
	// it is answered. still is false, after a notice, if there is nothing left to
	// ask. If nil, the question does not change.
	Again func() (now Question, still bool)
}

// Kinds of dialogs: a question, and a text to read.
const (
	askKind    = "ask"
	reportKind = "report"
)

// Dialog returns the dialog of the question.
func (q Question) Dialog() dialog.Dialog {
	d := dialog.Dialog{
		Kind: cmp.Or(q.Kind, askKind), Title: q.Title, Body: q.Body, Number: q.Number, Unasked: q.Unasked, Waits: q.Waits, Report: q.Report, Moves: q.Moves, Wide: q.Wide, Listed: q.Listed,
		Line: q.Line, Search: q.Search, Selected: q.Selected, Tabs: q.Tabs, Tab: q.Tab,
	}
	for i, c := range q.Choices {
		if i == 0 && len(c.Keys) == 0 && q.takes("y") && !q.takes("n") {
			c.Keys = []string{"n"} // who expects y expects n
		}
		b := dialog.Button{Label: c.Label, Keys: c.Keys, Grave: c.Grave, Run: c.Write}
		if c.Run != nil {
			b.Run = func(string) tea.Cmd { return c.Run() }
		}
		d.Buttons = append(d.Buttons, b)
	}
	if q.Again != nil {
		d.Again = func() (dialog.Dialog, bool) {
			now, still := q.Again()
			now.Again = q.Again
			return now.Dialog(), still
		}
	}
	return d
}

// takes reports whether a letter is the key of a choice.
func (q Question) takes(key string) bool {
	return slices.ContainsFunc(q.Choices, func(c Choice) bool { return slices.Contains(c.Keys, key) })
}

// Report shows a text to read, with further choices.
func (d *Deps) Report(title string, body []dialog.Line, more ...Choice) tea.Cmd {
	return d.Screen.Ask(Question{
		Kind: reportKind, Title: title, Body: body, Wide: true, Report: true,
		Choices: append([]Choice{{Label: d.Text(TextClose), Keys: []string{"q"}}}, more...),
	})
}

// ReportMistakes lists the mistakes in a file, with a hint.
func (d *Deps) ReportMistakes(title string, mistakes []string, hint string) tea.Cmd {
	var body []dialog.Line
	for _, m := range mistakes {
		body = append(body, dialog.Line{Tone: dialog.Warning, Text: m})
	}
	return d.Report(title, append(body, dialog.Line{}, dialog.Line{Tone: dialog.Quiet, Text: hint}))
}

// TextOf returns the body of a dialog as text, for copying.
func TextOf(body []dialog.Line) string {
	var b strings.Builder
	for _, line := range body {
		if line.Key != "" {
			b.WriteString(line.Key + "\t")
		}
		b.WriteString(line.Text + "\n")
	}
	return b.String()
}
