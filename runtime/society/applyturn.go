package society

import (
	"maps"
	"slices"
	"strings"
	"time"

	"society-tui/runtime/conversation"
	"society-tui/runtime/protocol"
)

func (s *State) applyTaken(e Taken) {
	a := s.touch(e.Agent)
	last := e.Mails[len(e.Mails)-1]
	a.Cursor = last.Seq
	a.Mailbox = nil
	if e.Fresh {
		a.Turn = &Turn{Begun: e.At, From: e.First}
		a.Task = e.Task
	}
	a.Turn.Task, a.Turn.Suspended, a.Turn.Held, a.Turn.Retry = e.Task, false, false, nil
	a.Reported = false
	a.mended()
	for _, m := range e.Mails {
		a.Tail.Append()
		a.Tail.Weighed(m.Weight)
		if m.Earns() {
			a.Owes = with(a.Owes, m.From)
		}
		if m.Line != "" && (m.From == User || m.Type == protocol.TaskAssignment) {
			a.Doing = m.Line
		}
	}
	for d := a; d != nil; d = s.agents[d.Parent] {
		if d.Drained != nil { // counts for every drain that it lies in
			counted := *d.Drained
			counted.Taken += len(e.Mails)
			s.touch(d.ID).Drained = &counted
		}
	}
}

func (s *State) applyThink(e ThinkOpened, kind WorkKind) {
	a := s.touch(e.Agent)
	a.Step, a.Status, a.Since = e.Step, WaitingLLM, e.At
	a.mended()
	a.Open = append(a.Open, Step{N: e.Step, Kind: kind, Work: e.Work, Attempt: e.Attempt, Squeezed: e.Squeezed})
	a.Turn.Suspended, a.Turn.Held, a.Turn.Retry = false, false, nil
	if e.Again { // the person let it go on: what had contained it counts from here
		a.Turn.Rounds, a.Turn.Repeats = 0, nil
	}
}

func (s *State) applyAnswer(e AnswerKept) {
	a := s.touch(e.Agent)
	if step := a.step(e.Step); step != nil {
		a.Turn.Work = step.Work
	}
	a.close(e.Step)
	a.Usage = a.Usage.Plus(e.Usage)
	output := e.Usage.Output
	if e.Entry.Reasoning != "" {
		output = 0 // it counts the thoughts too
	}
	budgets := s.budgets(a, a.Turn.at(a.Turn.Work))
	a.inBranch(e.Entry.Branch, func(t *conversation.Tail) {
		t.Counted(e.Usage.Input, e.Guess)
		switch {
		case len(e.Entry.Calls) > 0:
			t.Open(e.Entry.Branch, e.Entry.Calls)
			t.Answered(e.Entry.Weight(budgets), output)
		case strings.TrimSpace(e.Entry.Text) == "":
			t.Aside()
		default:
			t.Append()
			t.Answered(e.Entry.Weight(budgets), output)
		}
	})
	if len(e.Entry.Calls) == 0 {
		a.Turn.Dropped = 0
		return
	}
	a.Turn.Calls = slices.Concat(a.Turn.Calls, e.Entry.Calls)
	a.Turn.Rounds++
	a.Since = e.Entry.At
	a.executes()
}

func (s *State) applyResult(e Resulted) {
	a := s.touch(e.Agent)
	if e.Step != 0 {
		a.close(e.Step)
	}
	before := a.openAnswers()
	answer, _ := a.answerOf(e.Entry.CallID)
	budgets := s.budgets(a, answer.at)
	a.inBranch(e.Entry.Branch, func(t *conversation.Tail) {
		t.Result(e.Entry.CallID)
		t.Weighed(e.Entry.Weight(budgets))
	})
	if a.Turn == nil {
		return
	}
	a.forgetCalls(before)
	if e.Repeat != "" {
		repeats := maps.Clone(a.Turn.Repeats)
		if repeats == nil {
			repeats = map[string]int{}
		}
		repeats[e.Repeat]++
		a.Turn.Repeats = repeats
	}
}

// forgetCalls takes the calls of answers that are not open any more out of the turn.
// Until then an answer can still be dropped.
func (a *Agent) forgetCalls(before []openAnswer) {
	open := map[uint64]bool{}
	for _, g := range a.Tail.Opened() {
		open[g.Slot] = true
	}
	if len(open) == len(before) {
		return
	}
	a.Turn.Calls, a.Turn.Dropped = nil, 0
	for _, o := range before {
		if open[o.group.Slot] {
			a.Turn.Calls = append(a.Turn.Calls, o.calls...)
		}
	}
}

func (t *Turn) dropped(byAgents bool) {
	if byAgents {
		t.Dropped++
	} else {
		t.Dropped = 0
	}
}

// suspend ends what runs of a turn, and keeps the turn to be taken up again. The
// wait for the bound of a drain goes on.
func (a *Agent) suspend(at time.Time) {
	a.Open = slices.DeleteFunc(slices.Clone(a.Open), func(s Step) bool { return !s.aside() || s.Due })
	a.Status, a.Since = Idle, at
	if a.Turn != nil {
		if !a.Turn.Suspended {
			a.Turn.Rested = at
		}
		a.Turn.Suspended, a.Turn.Retry, a.Turn.Calls = true, nil, nil
	}
}

// mended forgets how the last turn failed.
func (a *Agent) mended() {
	if a.Error != "" {
		a.Error = ""
	}
}
