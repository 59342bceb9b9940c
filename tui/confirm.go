package tui

import (
	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/society"
	"society-tui/tui/action"
	"society-tui/tui/dialog"
	"society-tui/tui/page"
	"society-tui/tui/symbols"
)

// costQuestion asks to confirm an action with its cost before it is run; first was the cost when
// it was first asked.
func (a *app) costQuestion(o action.Action, first action.Cost, run func(action.Action) tea.Cmd) page.Question {
	asked := a.actions.Ask(&o)
	body := append(dialog.Text(asked.Body), a.agentLines(asked.Agents)...)
	for _, said := range append([]string{asked.Lost, asked.Waiters}, a.since(&o, first)...) {
		body = append(body, warning(said)...)
	}
	q := page.Question{
		Title: asked.Title, Body: body, Number: asked.Number,
		Choices: []page.Choice{
			{Label: a.text(page.TextCancel)},
			{Label: asked.Yes, Keys: []string{"y"}, Grave: o.Verb == action.Terminate, Run: func() tea.Cmd { return run(o) }},
		},
	}
	switch {
	case o.Verb == action.Terminate:
		q.Waits = finalReaction
	case asked.Lost != "":
		q.Waits = reaction
	default:
		q.Selected = 1
	}
	return q
}

// since describes how the cost has changed since the question was first asked.
func (a *app) since(o *action.Action, first action.Cost) []string {
	var said []string
	if len(o.Cost.Agents) > len(first.Agents) {
		grown := a.actions.Grown(len(first.Agents))
		if o.Verb == action.Terminate {
			grown += a.text(textGrowsOn)
		}
		said = append(said, grown)
	}
	if read := first.Waiting - o.Cost.Waiting; read > 0 {
		said = append(said, a.printer.N(textRead, read))
	}
	return said
}

// askOf asks to confirm an action with its cost. The counts update while the
// question is open, and a yes applies to the agents at that time.
func (a *app) askOf(o action.Action, run func(action.Action) tea.Cmd) tea.Cmd {
	q := a.costQuestion(o, o.Cost, run)
	q.Again = func() (page.Question, bool) {
		now := o.For(o.Chosen)
		if len(now.Cost.Agents) == 0 && now.Refused.Empty() {
			now.Refused = a.actions.WasStopped(now.Chosen)
			now.Refused.Hint = ""
		}
		if !now.Refused.Empty() {
			a.notify(now.Refused)
			return page.Question{}, false
		}
		return a.costQuestion(now, o.Cost, run), true
	}
	return a.ask(q)
}

// warning returns a paragraph in the warning style, or none without text.
func warning(text string) []dialog.Line {
	if text == "" {
		return nil
	}
	return []dialog.Line{{Tone: dialog.Warning, Text: text}}
}

// agentLines lists agents with their symbols, up to a readable number.
func (a *app) agentLines(ids []society.AgentID) []dialog.Line {
	const most = 24
	line := dialog.Line{}
	for _, id := range ids[:min(len(ids), most)] {
		row, _ := a.replica.Row(id)
		line.Agents = append(line.Agents, dialog.Agent{Kind: symbols.Of(&row), Name: a.name(id)})
	}
	lines := []dialog.Line{line}
	if more := len(ids) - most; more > 0 {
		lines = append(lines, dialog.Line{Tone: dialog.Quiet, Text: a.text(action.TextMoreAgents, more)})
	}
	return lines
}
