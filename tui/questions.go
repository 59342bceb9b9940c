package tui

import (
	tea "charm.land/bubbletea/v2"

	"society-tui/tui/dialog"
)

// The kinds of dialogs.
const (
	askKind    = "ask"
	quitKind   = "quit"
	helpKind   = "help"
	noticeKind = "notice"
)

// A choice is an answer to a question and what it leads to.
type choice struct {
	label string
	key   string
	grave bool
	does  func() tea.Cmd // nil: nothing
}

// A question is asked before something is lost. Its first choice changes
// nothing.
type question struct {
	kind    string // askKind if empty
	title   string
	body    []dialog.Line
	number  int  // to be typed, if not 0
	unasked bool // it opens by itself, not by a key
	choices []choice
}

// ask opens a question. What was armed is no longer meant.
func (a *app) ask(q question) tea.Cmd {
	a.disarmEscape()
	if q.kind == "" {
		q.kind = askKind
	}
	does := make(map[string]func() tea.Cmd, len(q.choices))
	d := dialog.Dialog{Kind: q.kind, Title: q.title, Body: q.body, Number: q.number, Unasked: q.unasked, Payload: does}
	for _, c := range q.choices {
		b := dialog.Button{Choice: c.label, Label: c.label, Grave: c.grave}
		if c.key != "" {
			b.Keys = []string{c.key}
		}
		d.Buttons = append(d.Buttons, b)
		does[c.label] = c.does
	}
	a.dialogs.Open(d, a.now())
	return nil
}

// decided carries out what was chosen.
func (a *app) decided(d dialog.Decided) tea.Cmd {
	does, _ := d.Payload.(map[string]func() tea.Cmd)
	if then := does[d.Choice]; then != nil {
		return then()
	}
	return nil
}

// pressInDialog gives a key to the dialog on top. ctrl+c asks whether to quit,
// and in that question it is the answer.
func (a *app) pressInDialog(k tea.KeyPressMsg) tea.Cmd {
	switch {
	case stroke(k) == "alt+esc":
		return tea.Batch(a.escape(), a.escape())
	case stroke(k) == "f1" && a.dialogs.Top() != helpKind:
		a.openHelp()
		return nil
	case stroke(k) != "ctrl+c":
		return a.dialogs.Press(k, a.now())
	case a.dialogs.Top() == quitKind:
		a.dialogs.Close(quitKind)
		return a.leave(false)
	}
	return a.askQuit()
}
