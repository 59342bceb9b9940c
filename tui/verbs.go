package tui

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime"
	"society-tui/runtime/society"
	"society-tui/tui/dialog"
	"society-tui/tui/symbols"
)

// mostUntyped is how many agents may be terminated without typing their number.
const mostUntyped = 10

// An order is a verb for an agent that is being carried out. The same one is not
// given twice meanwhile: a key that was pressed twice has one effect.
type order struct {
	verb  action
	agent society.AgentID
}

// targets are the agents a verb is for: in the tree all marked ones, or the
// selected one; elsewhere the recipient of what is written.
func (a *app) targets() []society.AgentID {
	if a.wish.focus == treePane {
		return a.tree.Targets()
	}
	return []society.AgentID{a.open}
}

// name is what an agent is called on the screen.
func (a *app) name(id society.AgentID) string { return a.tree.Name(id) }

// verb gives an order for agents, after asking where something would be lost.
func (a *app) verb(v action, ids []society.AgentID) tea.Cmd {
	ids = a.tops(ids)
	switch {
	case len(ids) == 0:
		return a.warn(a.words.notices.NoTarget, "")
	case slices.Contains(ids, society.User):
		return a.warn(a.words.notices.UserIsYou, "")
	case v == terminate && slices.Contains(ids, society.Root):
		return a.warn(a.words.notices.RootStays, a.words.notices.HintStopFirst)
	}
	for _, id := range ids {
		if _, here := a.tree.Row(id); !here {
			return a.warn(fmt.Sprintf(a.words.notices.AlreadyGone, id), "")
		}
		if a.orders[order{v, id}] {
			return a.warn(fmt.Sprintf(a.words.notices.StillAtIt, a.name(id)), "")
		}
	}
	switch v {
	case stop:
		return a.askStop(ids)
	case terminate:
		return a.askTerminate(ids)
	case interrupt:
		return a.interrupt(ids)
	case retry:
		return a.retry(ids)
	default:
		return a.resume(ids)
	}
}

// tops leaves out the agents that stand below others of ids: a verb for those
// takes them along.
func (a *app) tops(ids []society.AgentID) []society.AgentID {
	var tops []society.AgentID
	for _, id := range ids {
		path := a.tree.Path(id)
		above := path[:max(len(path)-1, 0)]
		if !slices.ContainsFunc(above, func(p society.AgentID) bool { return slices.Contains(ids, p) }) {
			tops = append(tops, id)
		}
	}
	return tops
}

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

func (a *app) askStop(ids []society.AgentID) tea.Cmd {
	t := a.toll(ids)
	t.agents = slices.DeleteFunc(t.agents, func(id society.AgentID) bool {
		row, _ := a.tree.Row(id)
		return row.State.Ended() // it is stopped already
	})
	if len(t.agents) <= 1 && t.waiting == 0 {
		return a.stop(ids)
	}
	w := a.words.app
	body := append(dialog.Text(fmt.Sprintf(w.StopBody, len(t.agents))), a.list(t.agents)...)
	body = append(body, a.lost(t, "")...)
	return a.ask(question{
		title: a.title(w.StopTitle, ids), body: body,
		choices: []choice{{label: w.Cancel}, {label: fmt.Sprintf(w.Stop, len(t.agents)), key: "y", does: func() tea.Cmd { return a.stop(ids) }}},
	})
}

func (a *app) askTerminate(ids []society.AgentID) tea.Cmd {
	t := a.toll(ids)
	w := a.words.app
	q := question{
		title: a.title(w.TerminateTitle, ids),
		body:  append(dialog.Text(fmt.Sprintf(w.TerminateBody, len(t.agents))), a.list(t.agents)...),
	}
	q.body = append(q.body, a.lost(t, w.InboxStays)...)
	if len(t.agents) > mostUntyped {
		q.number = len(t.agents)
	}
	q.choices = []choice{
		{label: w.Cancel},
		{label: fmt.Sprintf(w.Terminate, len(t.agents)), key: "y", grave: true, does: func() tea.Cmd { return a.terminate(ids) }},
	}
	return a.ask(q)
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
	text := fmt.Sprintf(w.Lost, strings.Join(lost, w.Comma)) + stays
	return []dialog.Line{{Tone: dialog.Warning, Text: text}}
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

// order gives the same command for each of ids, one after the other, and says
// what came of all of them.
func (a *app) order(v action, ids []society.AgentID, form string, cmd func(society.AgentID) society.Command, then func([]any) notice) tea.Cmd {
	a.tree.Unmark() // only now: a question that is cancelled leaves the marks
	for _, id := range ids {
		a.orders[order{v, id}] = true
	}
	said := a.tell(fmt.Sprintf(form, a.names(ids)), "")
	var results []any
	var refusals []error
	left := len(ids)
	cmds := []tea.Cmd{said}
	for _, id := range ids {
		cmds = append(cmds, a.do(cmd(id), func(result any, err error) tea.Cmd {
			delete(a.orders, order{v, id})
			left--
			if err != nil {
				refusals = append(refusals, err)
			} else {
				results = append(results, result)
			}
			if left > 0 {
				return nil
			}
			if len(results) == 0 || anyFailure(refusals) {
				return a.sayError(errors.Join(refusals...))
			}
			return a.say(then(results))
		}))
	}
	return tea.Batch(cmds...)
}

// anyFailure says whether one of errs is more than that the agent is gone
// already, which is what was wanted.
func anyFailure(errs []error) bool {
	return slices.ContainsFunc(errs, func(err error) bool {
		var r *society.Refusal
		return !errors.As(err, &r) || r.Code != society.AgentNotFound
	})
}

func (a *app) names(ids []society.AgentID) string {
	names := make([]string, len(ids))
	for i, id := range ids {
		names[i] = a.name(id)
	}
	return strings.Join(names, ", ")
}

func (a *app) interrupt(ids []society.AgentID) tea.Cmd {
	n := a.words.notices
	who := a.names(ids)
	return a.order(interrupt, ids, n.Interrupting,
		func(id society.AgentID) society.Command { return society.Interrupt{Agent: id} },
		func(results []any) notice {
			was, waiting := false, 0
			for _, r := range results {
				i, _ := r.(society.Interruption)
				was, waiting = was || i.Was, waiting+i.Waiting
			}
			if !was {
				return notice{told, fmt.Sprintf(n.NothingRan, who), ""}
			}
			return notice{told, fmt.Sprintf(n.Interrupted, who, waiting), n.HintResumeInterrupted}
		})
}

func (a *app) stop(ids []society.AgentID) tea.Cmd {
	n := a.words.notices
	who := a.names(ids)
	return a.order(stop, ids, n.Stopping,
		func(id society.AgentID) society.Command { return society.Stop{Agent: id} },
		func(results []any) notice {
			agents, dropped, hint := 0, 0, n.HintResume
			var abandoned []society.AgentID
			for _, r := range results {
				s, _ := r.(society.StopResult)
				if s.Unsaved {
					hint = n.HintUnsaved
				}
				if s.Stopped {
					agents += 1 + len(s.CascadeStopped)
				}
				dropped += s.Dropped
				abandoned = append(abandoned, s.Abandoned...)
			}
			switch {
			case len(abandoned) > 0:
				return notice{warned, fmt.Sprintf(n.Abandoned, a.names(abandoned)), n.HintResume}
			case agents == 0:
				return notice{told, fmt.Sprintf(n.WasStopped, who), hint}
			}
			return notice{told, fmt.Sprintf(n.Stopped, agents, dropped), hint}
		})
}

func (a *app) resume(ids []society.AgentID) tea.Cmd {
	n := a.words.notices
	who := a.names(ids)
	return a.order(resume, ids, n.Resuming,
		func(id society.AgentID) society.Command { return society.Resume{Agent: id} },
		func(results []any) notice {
			agents := 0
			for _, r := range results {
				s, _ := r.(society.Resumption)
				agents += len(s.Agents)
			}
			if agents == 0 {
				return notice{told, fmt.Sprintf(n.NothingResumed, who), ""}
			}
			return notice{told, fmt.Sprintf(n.Resumed, agents), ""}
		})
}

// retry resumes too, for that asks the model again where a turn had failed; but
// it speaks of trying, and leaves alone what has not failed.
func (a *app) retry(ids []society.AgentID) tea.Cmd {
	n := a.words.notices
	who := a.names(ids)
	if !slices.ContainsFunc(ids, a.canRetry) {
		return a.tell(fmt.Sprintf(n.NothingRetried, who), "")
	}
	return a.order(retry, ids, n.Retrying,
		func(id society.AgentID) society.Command { return society.Resume{Agent: id} },
		func(results []any) notice {
			agents := 0
			for _, r := range results {
				s, _ := r.(society.Resumption)
				agents += len(s.Agents)
			}
			if agents == 0 {
				return notice{told, fmt.Sprintf(n.NothingRetried, who), ""}
			}
			return notice{told, fmt.Sprintf(n.Retried, agents), ""}
		})
}

// canRetry says whether a turn of the agent, or of one below it, failed or was
// halted.
func (a *app) canRetry(id society.AgentID) bool {
	return slices.ContainsFunc(a.tree.Subtree(id), func(below society.AgentID) bool {
		row, _ := a.tree.Row(below)
		return row.Error != "" || isHalted(&row)
	})
}

func (a *app) terminate(ids []society.AgentID) tea.Cmd {
	n := a.words.notices
	for _, id := range a.toll(ids).agents {
		a.ending[id] = true
	}
	return a.order(terminate, ids, n.Terminating,
		func(id society.AgentID) society.Command { return society.Terminate{Agent: id, By: society.User} },
		func(results []any) notice {
			agents, hint := 0, ""
			var abandoned []society.AgentID
			for _, r := range results {
				s, _ := r.(society.TerminateResult)
				if s.Unsaved {
					hint = n.HintUnsaved
				}
				agents += 1 + len(s.CascadeTerminated)
				abandoned = append(abandoned, s.Abandoned...)
			}
			if len(abandoned) > 0 {
				return notice{warned, fmt.Sprintf(n.Abandoned, a.names(abandoned)), ""}
			}
			return notice{told, fmt.Sprintf(n.Terminated, agents), hint}
		})
}

// stopOrResume is one key in the tree: it resumes what is stopped or paused.
func (a *app) stopOrResume(ids []society.AgentID) tea.Cmd {
	halted := len(ids) > 0 && !slices.ContainsFunc(ids, func(id society.AgentID) bool {
		row, ok := a.tree.Row(id)
		return !ok || !isHalted(&row)
	})
	if halted {
		return a.verb(resume, ids)
	}
	return a.verb(stop, ids)
}

// isHalted says whether an agent takes nothing from its queue until it is
// resumed.
func isHalted(row *runtime.Row) bool {
	return row.State == society.Stopped || row.State == society.Stopping || row.Paused != ""
}
