package tui

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/society"
	"society-tui/tui/dialog"
	"society-tui/tui/symbols"
)

// mostUntyped is how many agents may be terminated without typing their number.
const mostUntyped = 10

// A toll is what a verb would cost.
type toll struct {
	agents  []society.AgentID
	answers int // half-written
	calls   int // of tools that are running
	waiting int // messages
}

func (a *app) toll(ids []society.AgentID) toll {
	var t toll
	for _, id := range ids {
		for _, below := range a.tree.Subtree(id) {
			row, _ := a.tree.Row(below)
			t.agents = append(t.agents, below)
			t.waiting += row.Waiting
			switch row.State {
			case society.Processing:
				t.calls++
			case society.WaitingLLM:
				if draft, ok := a.society.Draft(below); ok && draft.Bytes > 0 && !draft.Aborted {
					t.answers++
				}
			}
		}
	}
	return t
}

// title names whom a question is about.
func (a *app) title(form string, ids []society.AgentID) string {
	if len(ids) == 1 {
		return fmt.Sprintf(form, a.name(ids[0]))
	}
	return fmt.Sprintf(form, fmt.Sprintf(a.words.app.Marked, len(ids)))
}

// below says how many of those that pay stand below the ones that were chosen;
// nothing if none do.
func (a *app) below(ids []society.AgentID, t toll) string {
	n := 0
	for _, id := range t.agents {
		if !slices.Contains(ids, id) {
			n++
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(a.words.app.Below, n)
}

// askStop stops at once where nothing would be lost, and else asks.
func (a *app) askStop(ids []society.AgentID) tea.Cmd {
	t := a.stopToll(ids)
	if len(t.agents) <= 1 && t.waiting == 0 {
		return a.stop(a.tops(ids))
	}
	return a.askOf(ids, a.stopToll, a.stopQuestion)
}

// stopToll is what a stop would cost: those that are stopped already pay nothing.
func (a *app) stopToll(ids []society.AgentID) toll {
	t := a.toll(a.tops(ids))
	t.agents = slices.DeleteFunc(t.agents, func(id society.AgentID) bool {
		row, _ := a.tree.Row(id)
		return row.State.Ended()
	})
	return t
}

func (a *app) stopQuestion(ids []society.AgentID, t toll, grown string) question {
	w := a.words.app
	body := append(dialog.Text(fmt.Sprintf(w.StopBody, len(t.agents), a.below(ids, t))), a.list(t.agents)...)
	body = append(body, a.lost(t, "")...)
	return question{
		title: a.title(w.StopTitle, ids), body: append(body, warning(grown)...),
		choices: []choice{{label: w.Cancel}, {label: fmt.Sprintf(w.Stop, len(t.agents)), key: "y", does: func() tea.Cmd { return a.stop(a.tops(a.here(ids))) }}},
	}
}

func (a *app) askTerminate(ids []society.AgentID) tea.Cmd {
	return a.askOf(ids, func(ids []society.AgentID) toll { return a.toll(a.tops(ids)) }, a.terminateQuestion)
}

func (a *app) terminateQuestion(ids []society.AgentID, t toll, grown string) question {
	w := a.words.app
	if grown != "" {
		grown += w.GrowsOn
	}
	q := question{
		title: a.title(w.TerminateTitle, ids),
		body:  append(dialog.Text(fmt.Sprintf(w.TerminateBody, len(t.agents), a.below(ids, t))), a.list(t.agents)...),
	}
	q.body = append(q.body, a.lost(t, w.InboxStays)...)
	q.body = append(q.body, warning(grown)...)
	if len(t.agents) > mostUntyped {
		q.number = len(t.agents)
	}
	q.choices = []choice{
		{label: w.Cancel},
		{label: fmt.Sprintf(w.Terminate, len(t.agents)), key: "y", grave: true, does: func() tea.Cmd { return a.terminate(a.tops(a.here(ids))) }},
	}
	return q
}

// askOf asks whether to do something to agents, with what it would cost. While
// the question is open it counts on: agents spawn, end and work meanwhile, and a
// yes takes them as they are then.
func (a *app) askOf(ids []society.AgentID, cost func([]society.AgentID) toll, asks func([]society.AgentID, toll, string) question) tea.Cmd {
	first := cost(ids)
	q := asks(ids, first, "")
	q.again = func() (question, bool) {
		here := a.here(ids)
		t := cost(here)
		switch {
		case len(here) == 0:
			a.warn(fmt.Sprintf(a.ofThem(ids, a.words.notices.AlreadyGone, a.words.notices.AllGone), a.names(ids)), "")
			return question{}, false
		case len(t.agents) == 0:
			a.warn(fmt.Sprintf(a.words.notices.WasStopped, a.names(here)), "")
			return question{}, false
		}
		grown := ""
		if len(t.agents) > len(first.agents) {
			grown = fmt.Sprintf(a.words.app.Grown, len(first.agents))
		}
		return asks(here, t, grown), true
	}
	return a.ask(q)
}

// warning is a paragraph that warns, none without a text.
func warning(text string) []dialog.Line {
	if text == "" {
		return nil
	}
	return []dialog.Line{{Tone: dialog.Warning, Text: text}}
}

// lost says what would be thrown away, and what would not; nothing if there is
// nothing to lose.
func (a *app) lost(t toll, stays string) []dialog.Line {
	w := a.words.app
	var lost []string
	for _, l := range []struct {
		form string
		n    int
	}{{w.LostAnswers, t.answers}, {w.LostCalls, t.calls}, {w.LostMessages, t.waiting}} {
		if l.n > 0 {
			lost = append(lost, fmt.Sprintf(l.form, l.n))
		}
	}
	if len(lost) == 0 {
		return nil
	}
	return warning(fmt.Sprintf(w.Lost, strings.Join(lost, w.Comma)) + stays)
}

// list names agents with the symbols of what they do; not more than can be read.
func (a *app) list(ids []society.AgentID) []dialog.Line {
	const most = 24
	line := dialog.Line{}
	for _, id := range ids[:min(len(ids), most)] {
		row, _ := a.tree.Row(id)
		line.Agents = append(line.Agents, dialog.Agent{Kind: symbols.Of(&row), Name: a.name(id)})
	}
	lines := []dialog.Line{line}
	if more := len(ids) - most; more > 0 {
		lines = append(lines, dialog.Line{Tone: dialog.Quiet, Text: fmt.Sprintf(a.words.app.MoreAgents, more)})
	}
	return lines
}
