package society

import (
	"time"

	"society-tui/runtime/conversation"
	"society-tui/runtime/graph"
)

// Work is a piece of work that an agent owes: a Think, Plan, Act, Compress, Judge,
// Join or Wait. Its result comes back in a command, and counts only while the agent expects it.
type Work interface {
	Item() WorkItem
	Kind() StepKind
}

// A WorkItem holds what all work has in common.
type WorkItem struct {
	Agent   AgentID
	Epoch   uint64
	Step    uint64
	Task    TaskID
	Attempt int // retries made before
	// Waited is how long it has waited for its endpoint already, as in Step.
	Waited time.Duration
	// Run is the corresponding work of the graph's run, nil in the plain graph.
	Run *graph.Work
}

// Item returns the item itself.
func (w WorkItem) Item() WorkItem { return w }

// Think asks the model. AfterCompression is set when the context was just
// compressed.
type Think struct {
	WorkItem
	AfterCompression bool
}

// Plan finds out what a call of a tool would do, and changes nothing.
type Plan struct {
	WorkItem
	Call conversation.Call
}

// Act runs a tool: the call, with the arguments that the model wrote. Hashes are those of
// the plan that was allowed, nil for a call without one.
type Act struct {
	WorkItem
	Call   conversation.Call
	Hashes Hashes
	ByRule bool // as in tool.Caller
}

// Compress replaces the oldest part of a full context with a summary, or WithoutModel
// with a note.
type Compress struct {
	WorkItem
	WithoutModel bool
	ByUser       bool // as in Step
	Keep         int  // likewise
}

// Judge asks the model about a condition of the agent's graph.
type Judge struct {
	WorkItem
	AfterCompression bool // as in Think
}

// Join merges branches of the graph.
type Join struct{ WorkItem }

// Wait waits for a point in time.
type Wait struct {
	WorkItem
	Until time.Time
	For   WaitReason
}

// Kind implements Work.
func (Think) Kind() StepKind { return ThinkStep }

// Kind implements Work.
func (Plan) Kind() StepKind { return PlanStep }

// Kind implements Work.
func (Act) Kind() StepKind { return ActStep }

// Kind implements Work.
func (Compress) Kind() StepKind { return CompressStep }

// Kind implements Work.
func (Judge) Kind() StepKind { return JudgeStep }

// Kind implements Work.
func (Join) Kind() StepKind { return JoinStep }

// Kind implements Work.
func (Wait) Kind() StepKind { return WaitStep }

// OwedBy returns the work that the agent owes: what must run now, and again after a
// restart.
func (s *State) OwedBy(id AgentID) []Work {
	a := s.agents[id]
	if a == nil || a.Status == Terminating {
		return nil
	}
	var owed []Work
	for _, step := range a.Open {
		if step.Kind != ApproveStep { // which only the user ends
			owed = append(owed, a.workOf(step))
		}
	}
	return owed
}

func (a *Agent) workOf(step Step) Work {
	item := WorkItem{Agent: a.ID, Epoch: a.Epoch, Step: step.N, Attempt: step.Attempt, Waited: step.Waited}
	if a.Turn != nil {
		item.Task, item.Run = a.Turn.Task, a.Turn.at(step.Work)
	}
	if step.ByUser {
		item.Task = a.Task
	}
	switch step.Kind {
	case ActStep:
		act := Act{WorkItem: item, Call: a.Turn.call(step.Call), ByRule: step.ByRule}
		if step.Hashes != nil {
			act.Hashes = *step.Hashes
		}
		return act
	case PlanStep:
		return Plan{item, a.Turn.call(step.Call)}
	case CompressStep:
		return Compress{item, step.WithoutModel, step.ByUser, step.Keep}
	case JudgeStep:
		return Judge{item, step.AfterCompression}
	case JoinStep:
		return Join{item}
	case WaitStep:
		return Wait{item, step.Until, step.For}
	}
	return Think{item, step.AfterCompression}
}

// call returns an open call, the zero one if it is not there.
func (t *Turn) call(id string) conversation.Call {
	if t != nil {
		for _, c := range t.Calls {
			if c.ID == id {
				return c
			}
		}
	}
	return conversation.Call{}
}

// Owed is OwedBy over all agents, in the order of their creation: for the start
// and for tests.
func (s *State) Owed() []Work {
	var owed []Work
	for _, id := range s.Agents() {
		owed = append(owed, s.OwedBy(id)...)
	}
	return owed
}
