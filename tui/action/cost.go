package action

import (
	"slices"

	"society-tui/runtime/i18n"
	"society-tui/runtime/society"
)

// mostUntyped is how many agents can be terminated without typing their number.
const mostUntyped = 10

// A Cost is what a verb would discard.
type Cost struct {
	Agents  []society.AgentID
	Answers int // unfinished
	Calls   int // running tool calls
	Waiting int // unread messages, delayed ones included
	// Processes of them run in the background, and end.
	Processes int
	// Waiters wait for one of Agents, and would not be told.
	Waiters []society.AgentID
}

// cost returns what would be lost if agents and their descendants ended.
func (b *Builder) cost(ids []society.AgentID) Cost {
	var t Cost
	those := b.together(ids)
	for _, id := range ids {
		for _, below := range b.Society.Subtree(id) {
			row, _ := b.Society.Row(below)
			t.Agents = append(t.Agents, below)
			t.Waiting += row.Waiting + row.Delayed
			for _, to := range row.Later {
				if !those[to] { // the other messages are in that agent's mailbox, counted with it
					t.Waiting++
				}
			}
			t.Calls += len(row.Running)
			t.Processes += len(row.Processes)
			if row.State == society.WaitingLLM {
				if draft, ok := b.Client.Draft(below); ok && draft.Bytes > 0 && !draft.Aborted {
					t.Answers++
				}
			}
		}
	}
	return t
}

// costOf returns the cost of a stop or a termination. For a stop, stopped
// agents do not count.
func (b *Builder) costOf(v Verb, ids []society.AgentID) Cost {
	t := b.cost(ids)
	t.Waiters = b.waitFor(ids)
	if v == Stop {
		t.Agents = slices.DeleteFunc(t.Agents, func(id society.AgentID) bool {
			row, _ := b.Society.Row(id)
			return row.State.Ended()
		})
	}
	return t
}

// Asks reports whether the user must confirm the cost.
func (o *Action) Asks() bool {
	return o.Verb == Terminate || o.Verb == Stop && (len(o.Cost.Agents) > 1 || o.Cost.Waiting+o.Cost.Processes > 0)
}

// A Question is asked before a stop or a termination.
type Question struct {
	Title, Body string
	Agents      []society.AgentID // all affected, listed below the body
	Lost        string            // what would be discarded, or ""
	Waiters     string            // who waits for them, or ""
	Yes         string            // label of the button that does it
	Number      int               // to be typed, if not 0
}

// Ask returns the question about the cost of an action.
func (b *Builder) Ask(o *Action) Question {
	t := &o.Cost
	title, body, yes, stays := textStopTitle, textStopBody, textStop, ""
	if o.Verb == Terminate {
		title, body, yes, stays = textTerminateTitle, textTerminateBody, textTerminate, b.text(textInboxStays)
	}
	n := len(t.Agents)
	q := Question{
		Title: b.title(title, o.Chosen), Body: b.Printer.N(body, n, b.below(o.Chosen, t)),
		Agents: t.Agents, Lost: b.lost(t, stays), Yes: b.Printer.N(yes, n),
	}
	if len(t.Waiters) > 0 {
		q.Waiters = b.Printer.N(textWaiters, len(t.Waiters), b.Few(t.Waiters))
	}
	if o.Verb == Terminate && len(t.Agents) > mostUntyped {
		q.Number = len(t.Agents)
	}
	return q
}

// title names the agents of a question.
func (b *Builder) title(form i18n.Text, ids []society.AgentID) string {
	if len(ids) == 1 {
		return b.text(form, b.Society.Name(ids[0]))
	}
	return b.text(form, b.Printer.N(TextMarked, len(ids)))
}

// below counts the affected agents below the chosen ones, or returns "".
func (b *Builder) below(ids []society.AgentID, t *Cost) string {
	n := 0
	for _, id := range t.Agents {
		if !slices.Contains(ids, id) {
			n++
		}
	}
	if n == 0 {
		return ""
	}
	return b.text(textBelow, n)
}

// lost describes what would be discarded and what would stay, or returns "".
func (b *Builder) lost(t *Cost, stays string) string {
	var lost []string
	for _, l := range []struct {
		form i18n.Plural
		n    int
	}{{textLostAnswers, t.Answers}, {textLostCalls, t.Calls}, {textLostProcesses, t.Processes}, {textLostMessages, t.Waiting}} {
		if l.n > 0 {
			lost = append(lost, b.Printer.N(l.form, l.n))
		}
	}
	if len(lost) == 0 {
		return ""
	}
	return b.text(textLost, b.Printer.List(lost)) + stays
}
