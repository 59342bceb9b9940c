package tui

import (
	tea "charm.land/bubbletea/v2"

	"society-tui/tui/action"
	"society-tui/tui/dialog"
	"society-tui/tui/page"
)

// closeQuestion asks whether to close a screen whose society runs elsewhere, and offers to
// end that, too.
func (a *app) closeQuestion() page.Question {
	body := a.closingBody()
	q := page.Question{Kind: quitKind, Title: a.text(textCloseTitle), Body: body, Choices: []page.Choice{
		{Label: a.text(page.TextCancel)},
		{Label: a.text(textCloseScreen), Keys: []string{"y"}, Run: func() tea.Cmd { return a.leave(Leaving{}) }},
	}}
	if !a.replica.IsCut() {
		q.Selected = 1 // the society goes on
	}
	if !a.replica.IsCut() && !a.cfg.Look {
		q.Choices = append(q.Choices, page.Choice{Label: a.text(textEndSociety), Keys: []string{"e"}, Run: func() tea.Cmd { return a.leave(Leaving{End: true}) }})
	}
	return q
}

// closingBody describes what closing the screen leaves, as far as that is known.
func (a *app) closingBody() []dialog.Line {
	if a.replica.IsCut() {
		body := []dialog.Line{{Tone: dialog.Danger, Text: a.text(textCloseCut)}}
		if !a.cfg.Look { // else nothing of it is kept anyway
			body = append(body, dialog.Line{Text: a.text(textCloseLost)})
		}
		return body
	}
	busy := a.replica.Active()
	body := dialog.Text(a.actions.Working(len(busy)))
	if len(busy) > 0 {
		body = append(body, a.agentLines(busy)...)
	}
	if end := a.actions.ProcessesEnd(); end != "" && !a.cfg.Look {
		body = append(body, dialog.Line{Tone: dialog.Warning, Text: a.text(textEndsThen, end)})
	}
	return append(body, dialog.Line{Tone: dialog.Quiet, Text: a.text(textCloseStays)})
}

// notifyAttached says at the start that the society runs elsewhere.
func (a *app) notifyAttached() tea.Cmd {
	if a.cfg.Attached == "" {
		return nil
	}
	return a.inform(a.text(action.TextAttached, a.cfg.Attached), a.text(action.TextHintAttached))
}

// notifyCut reports that the connection to the society was cut or is back, if that changed.
func (a *app) notifyCut(before bool) tea.Cmd {
	said := a.actions.Connection(before, a.cfg.Attached)
	if said.Empty() || said.Level == action.Warned {
		return a.notify(said)
	}
	a.statusLine.Pressed() // the notice of the cut is outdated
	return tea.Batch(a.notify(said), a.saveSoon())
}
