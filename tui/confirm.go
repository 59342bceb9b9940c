package tui

import (
	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/society"
	"society-tui/tui/action"
	"society-tui/tui/dialog"
	"society-tui/tui/page"
	"society-tui/tui/symbols"
)

// askStop stops at once if nothing would be lost, else asks.
func (a *app) askStop(ids []society.AgentID) tea.Cmd {
	if !action.Stop.Asks(a.actions.CostOf(action.Stop, ids)) {
		return a.stop(ids)
	}
	return a.askOf(action.Stop, ids)
}

func (a *app) askTerminate(ids []society.AgentID) tea.Cmd { return a.askOf(action.Terminate, ids) }

// costQuestion asks to confirm a verb with its cost t; first was the cost when
// it was first asked.
func (a *app) costQuestion(v action.Verb, ids []society.AgentID, t, first action.Cost) page.Question {
	asked := a.actions.Ask(v, ids, t)
	yes := page.Choice{Label: asked.Yes, Key: "y", Run: func() tea.Cmd { return a.stop(ids) }}
	if v == action.Terminate {
		yes.Grave = true
		yes.Run = func() tea.Cmd { return a.terminate(ids) }
	}
	body := append(dialog.Text(asked.Body), a.agentLines(asked.Agents)...)
	for _, said := range append([]string{asked.Lost, asked.Waiters}, a.since(v, t, first)...) {
		body = append(body, warning(said)...)
	}
	return page.Question{
		Title: asked.Title, Body: body, Number: asked.Number,
		Choices: []page.Choice{{Label: a.text(page.TextCancel)}, yes},
	}
}

// since describes how the cost has changed since the question was first asked.
func (a *app) since(v action.Verb, t, first action.Cost) []string {
	var said []string
	if len(t.Agents) > len(first.Agents) {
		grown := a.actions.Grown(len(first.Agents))
		if v == action.Terminate {
			grown += a.text(textGrowsOn)
		}
		said = append(said, grown)
	}
	if read := first.Waiting - t.Waiting; read > 0 {
		said = append(said, a.printer.N(textRead, read))
	}
	return said
}

// askOf asks to confirm a verb with its cost. The counts update while the
// question is open, and a yes applies to the agents at that time.
func (a *app) askOf(v action.Verb, ids []society.AgentID) tea.Cmd {
	first := a.actions.CostOf(v, ids)
	q := a.costQuestion(v, ids, first, first)
	q.Again = func() (page.Question, bool) {
		here := a.actions.Present(ids)
		t := a.actions.CostOf(v, here)
		switch {
		case len(here) == 0:
			a.notify(a.actions.Gone(ids))
			return page.Question{}, false
		case len(t.Agents) == 0:
			a.warn(a.actions.WasStopped(here).Text, "")
			return page.Question{}, false
		}
		return a.costQuestion(v, here, t, first), true
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
		lines = append(lines, dialog.Line{Tone: dialog.Quiet, Text: a.text(page.TextMoreAgents, more)})
	}
	return lines
}
