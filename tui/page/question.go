package page

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"society-tui/tui/dialog"
)

// A Choice is an answer to a question.
type Choice struct {
	Label string
	Key   string
	Grave bool
	Run   func() tea.Cmd // nil does nothing
}

// A Question is asked before something is lost. Its first choice changes
// nothing.
type Question struct {
	Kind    string // askKind if empty
	Title   string
	Body    []dialog.Line
	Number  int  // to be typed, if not 0
	Unasked bool // it opens by itself
	Report  bool // it asks nothing
	Choices []Choice
	// Again returns the question with current counts, because they must hold when
	// it is answered. still is false, after a notice, if there is nothing left to
	// ask. If nil, the question does not change.
	Again func() (now Question, still bool)
}

// Kinds of dialogs: a question, and a text to read.
const (
	askKind    = "ask"
	ReportKind = "report"
)

// Answers is the payload of a dialog: the actions of its choices.
type Answers struct {
	Run    map[string]func() tea.Cmd
	Writes map[string]func(text string) tea.Cmd // for a dialog with a text field
	Again  func() (Question, bool)
}

// Dialog returns the dialog of the question.
func (q Question) Dialog() dialog.Dialog {
	if q.Kind == "" {
		q.Kind = askKind
	}
	to := &Answers{Run: make(map[string]func() tea.Cmd, len(q.Choices)), Again: q.Again}
	d := dialog.Dialog{Kind: q.Kind, Title: q.Title, Body: q.Body, Number: q.Number, Unasked: q.Unasked, Report: q.Report, Payload: to}
	for _, c := range q.Choices {
		b := dialog.Button{Choice: c.Label, Label: c.Label, Grave: c.Grave}
		if c.Key != "" {
			b.Keys = []string{c.Key}
		}
		d.Buttons = append(d.Buttons, b)
		to.Run[c.Label] = c.Run
	}
	return d
}

// Report shows a text to read.
func (d *Deps) Report(title string, body []dialog.Line) {
	d.Screen.OpenDialog(dialog.Dialog{
		Kind: ReportKind, Title: title, Body: body, Wide: true, Report: true,
		Buttons: []dialog.Button{{Choice: d.Text(TextClose), Label: d.Text(TextClose), Keys: []string{"q"}}},
	})
}

// ReportMistakes lists the mistakes in a file, with a hint.
func (d *Deps) ReportMistakes(title string, mistakes []string, hint string) {
	var body []dialog.Line
	for _, m := range mistakes {
		body = append(body, dialog.Line{Tone: dialog.Warning, Text: m})
	}
	d.Report(title, append(body, dialog.Line{}, dialog.Line{Tone: dialog.Quiet, Text: hint}))
}

// Decided runs the chosen answer.
func Decided(d dialog.Decided) tea.Cmd {
	to, ok := d.Payload.(*Answers)
	switch {
	case !ok:
	case to.Run[d.Choice] != nil:
		return to.Run[d.Choice]()
	case to.Writes[d.Choice] != nil:
		return to.Writes[d.Choice](d.Written)
	}
	return nil
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
