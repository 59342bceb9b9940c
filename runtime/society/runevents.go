package society

import (
	"iter"
	"slices"
	"time"

	"society-tui/runtime/conversation"
	"society-tui/runtime/graph"
)

// GraphAdvanced stores the progress of an agent's run. A nil Run deletes it.
type GraphAdvanced struct {
	Agent  AgentID
	Run    *graph.Run
	Closes uint64 // the Judge, Join or Wait that has ended, 0 for none
	Usage  Usage  // of judging
	Task   TaskID // in which was judged
	Model  string // that judged
	At     time.Time
}

func (e GraphAdvanced) apply(s *State) {
	a := s.touch(e.Agent)
	a.close(e.Closes)
	a.uses(e.Usage)
	a.rememberRun()
	a.Turn.Run = e.Run
	a.Turn.Loads = slices.DeleteFunc(a.Turn.Loads, func(l BranchLoad) bool { return a.around(l.Branch) == nil })
	if a.Status == WaitingLLM && a.Tail.Group != nil { // the last waiting branch may have ended
		if a.executes(); a.Status == Processing {
			a.Since = e.At
		}
	}
	if e.Run != nil {
		if e.Run.Branch > a.Branched {
			a.Branched = e.Run.Branch
		}
	} else {
		a.Turn.Held, a.Turn.lost = false, false
	}
}

// Spent implements Spends.
func (e GraphAdvanced) Spent() Spending {
	if e.Usage == (Usage{}) { // no model was asked
		return Spending{}
	}
	return e.Usage.answered(e.Agent, e.At, e.Task, e.Model, 0)
}

// JudgeOpened has a condition of the graph judged, or its branches joined.
type JudgeOpened struct {
	ThinkOpened
	Kind StepKind // JudgeStep or JoinStep
}

func (e JudgeOpened) apply(s *State) { s.openThink(e.ThinkOpened, e.Kind) }

// RunWaits waits before a node is executed again.
type RunWaits struct {
	Agent AgentID
	Step  uint64
	At    time.Time
	Until time.Time
	Cause string
	Work  uint64 // as in ThinkOpened
}

func (e RunWaits) apply(s *State) {
	a := s.touch(e.Agent)
	a.Step, a.Status, a.Since = e.Step, WaitingLLM, e.At
	a.Open = append(a.Open, Step{N: e.Step, Kind: WaitStep, Until: e.Until, For: RetryNode, Work: e.Work})
	a.Turn.Suspended, a.Turn.Retry = false, &RetryWait{At: e.Until, Cause: e.Cause}
}

// BranchesMerged adds the merged branches to the conversation.
type BranchesMerged struct {
	Agent AgentID
	Entry conversation.Entry
}

func (e BranchesMerged) apply(s *State) {
	a := s.touch(e.Agent)
	a.inBranch(e.Entry.Branch, func(t *conversation.Tail) {
		t.Append()
		t.Weighed(e.Entry.Weight(s.budgets(a, nil)))
	})
}

// Written implements Writes.
func (e BranchesMerged) Written() iter.Seq2[AgentID, conversation.Entry] {
	return one(e.Agent, e.Entry)
}

// DeadlineSet waits for the time of a node or of the run to be up. Without a Step it
// waits no more.
type DeadlineSet struct {
	Agent  AgentID
	Closes uint64 // the wait before it, 0 for none
	Step   uint64
	Until  time.Time
}

func (e DeadlineSet) apply(s *State) {
	a := s.touch(e.Agent)
	if e.Closes != 0 {
		a.close(e.Closes)
	}
	if e.Step != 0 {
		a.Step = e.Step
		a.Open = append(a.Open, Step{N: e.Step, Kind: WaitStep, Until: e.Until, For: NodeDeadline})
	}
}

// TurnHeld lets a turn rest between two nodes, where a pause has waited for it.
type TurnHeld struct {
	Agent AgentID
	At    time.Time
}

func (e TurnHeld) apply(s *State) {
	a := s.touch(e.Agent)
	a.suspend(e.At)
	a.Turn.Held = true
}

// Logged implements Logs.
func (e TurnHeld) Logged(s *State) []LogLine {
	return logged("turn paused before a node", "agent", e.Agent, "why", s.RestsBecause(e.Agent))
}

// rememberRun keeps the run of a turn that has ended, for the user to look at.
func (a *Agent) rememberRun() {
	if a.Turn != nil && a.Turn.Run != nil && a.Turn.Run.Status.Over() {
		a.Ran = a.Turn.Run
	}
}
