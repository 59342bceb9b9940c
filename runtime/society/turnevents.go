package society

import (
	"maps"
	"slices"
	"strings"
	"time"

	"society-tui/runtime/conversation"
)

// ThinkOpened asks the model.
type ThinkOpened struct {
	Agent AgentID
	Step  uint64
	At    time.Time
	// Again is set when the turn was suspended and is taken up again.
	Again bool
	// Retry is set when the same call is made once more after a failure, Attempt
	// counts those made before.
	Retry   bool
	Attempt int
	// Work is the step of the run of the graph that it serves, 0 in the plain one.
	Work uint64
	// AfterCompression is set when the context was just compressed.
	AfterCompression bool
}

func (e ThinkOpened) apply(s *State) {
	s.openThink(e, ThinkStep)
}

// AnswerKept puts an answer into the conversation, with a slot reserved for the
// result of each of its calls.
type AnswerKept struct {
	Agent AgentID
	Step  uint64
	Entry conversation.Entry
	Usage Usage
	Guess int // as in Answered
}

func (e AnswerKept) apply(s *State) {
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
	a.Turn.countRound(e.Entry.Calls, 1)
	a.Since = e.Entry.At
	a.executes()
}

// AnswerDropped records an answer that never entered the conversation, because
// messages had come: it is shown, not sent (S003 2.2).
type AnswerDropped struct {
	Agent    AgentID
	Step     uint64
	Entry    conversation.Entry
	Usage    Usage
	Guess    int  // as in Answered
	ByAgents bool // no message of the user was among them
}

func (e AnswerDropped) apply(s *State) {
	a := s.touch(e.Agent)
	a.close(e.Step)
	a.Usage = a.Usage.Plus(e.Usage)
	a.Tail.Counted(e.Usage.Input, e.Guess)
	a.Tail.Aside()
	a.Turn.dropped(e.ByAgents)
}

// GroupDropped takes the open answer back out of the conversation before any of
// its calls was executed (S003 5.1, 5.2).
type GroupDropped struct {
	Agent    AgentID
	Slot     uint64
	ByAgents bool
}

func (e GroupDropped) apply(s *State) {
	a := s.touch(e.Agent)
	a.Tail.Drop()
	a.Turn.countRound(a.Turn.Calls, -1)
	a.Turn.Calls = nil
	a.Turn.dropped(e.ByAgents)
}

// CallOpened begins the run of a tool. It is on disk before the tool runs.
type CallOpened struct {
	Agent  AgentID
	Step   uint64
	Call   string
	Tool   string
	Writes bool
	// NotBegun is set when the program is leaving: the next one runs it.
	NotBegun bool
	At       time.Time
	Work     uint64 // as in ThinkOpened
}

func (e CallOpened) apply(s *State) {
	a := s.touch(e.Agent)
	a.Step, a.Since = e.Step, e.At
	a.Open = append(a.Open, Step{N: e.Step, Kind: ActStep, Call: e.Call, Writes: e.Writes, NotBegun: e.NotBegun, Work: e.Work})
	a.executes()
}

// ToolResultKept answers a call.
type ToolResultKept struct {
	Agent AgentID
	Step  uint64 // 0 if no worker ran
	Entry conversation.Entry
	// Call is the answered call, with its name and arguments.
	Call conversation.Call
	// Repeat is the key of the call in the turn's count of repeats; empty where
	// it does not count.
	Repeat string
}

func (e ToolResultKept) apply(s *State) {
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

// RetrySet waits before the same call is made once more.
type RetrySet struct {
	Agent   AgentID
	Step    uint64 // of the failed Think
	Next    uint64 // of the Wait
	Attempt int
	At      time.Time
	Until   time.Time
	Cause   string
	Work    uint64 // as in ThinkOpened
	// For, WithoutModel and AfterCompression are as in Step.
	For                            WaitReason
	WithoutModel, AfterCompression bool
}

func (e RetrySet) apply(s *State) {
	a := s.touch(e.Agent)
	a.close(e.Step)
	a.Step, a.Since = e.Next, e.At
	a.Open = append(a.Open, Step{
		N: e.Next, Kind: WaitStep, Until: e.Until, For: e.For, WithoutModel: e.WithoutModel, AfterCompression: e.AfterCompression,
		Work: e.Work, Attempt: e.Attempt,
	})
	a.Turn.Retry = &RetryWait{At: e.Until, Cause: e.Cause, Attempt: e.Attempt}
}

// RetryOver ends the wait before a retry.
type RetryOver struct {
	Agent AgentID
	Step  uint64
}

func (e RetryOver) apply(s *State) {
	s.touch(e.Agent).close(e.Step)
}

// Noted puts an entry into the conversation that no model sees.
type Noted struct {
	Agent AgentID
	Entry conversation.Entry
}

func (e Noted) apply(s *State) {
	s.touch(e.Agent).Tail.Aside()
}

// TurnFailed ends a turn without an answer. It stays, to be taken up again.
type TurnFailed struct {
	Agent AgentID
	At    time.Time
	Text  string
	Class string
	Code  string // as in Failed
	Cause string // what the model said alone, without how often it was asked
}

func (e TurnFailed) apply(s *State) {
	a := s.touch(e.Agent)
	a.suspend(e.At)
	a.Error = e.Text
}

// TurnEnded ends a turn that has answered.
type TurnEnded struct {
	Agent    AgentID
	At       time.Time
	Reported bool
}

func (e TurnEnded) apply(s *State) {
	a := s.touch(e.Agent)
	a.rememberRun()
	a.Open = slices.DeleteFunc(a.Open, func(s Step) bool { return s.waits(NodeDeadline) })
	a.Turn, a.Status, a.Since, a.Reported = nil, Idle, e.At, e.Reported
}

// CompressOpened has the runtime compress an agent's context by itself, because
// it is full.
type CompressOpened struct {
	Agent  AgentID
	Closes uint64 // the Think or the Compress that has failed, 0 after a retry's wait
	Step   uint64
	At     time.Time
	// WithoutModel is set when no summary can be made: what is oldest is left out.
	WithoutModel bool
	Attempt      int    // retries made of it before
	Work         uint64 // as in ThinkOpened
}

func (e CompressOpened) apply(s *State) {
	a := s.touch(e.Agent)
	a.close(e.Closes)
	a.Step, a.Since = e.Step, e.At
	a.Open = append(a.Open, Step{N: e.Step, Kind: CompressStep, WithoutModel: e.WithoutModel, Work: e.Work, Attempt: e.Attempt})
	a.Turn.Retry = nil
}

// Compacted takes the oldest part of a conversation out of the model's context.
type Compacted struct {
	Agent AgentID
	Step  uint64 // of the Compress, 0 for the agent's own call
	Cut   conversation.Cut
	Entry conversation.Entry // the summary
	Guess int                // as in Compressed
	Usage Usage              // of making the summary
}

func (e Compacted) apply(s *State) {
	a := s.touch(e.Agent)
	if e.Step != 0 {
		a.close(e.Step)
	}
	a.Usage = a.Usage.Plus(e.Usage)
	a.inBranch(e.Entry.Branch, func(t *conversation.Tail) {
		t.Aside()
		t.Count += e.Cut.After - e.Cut.Before
		t.Guessed(e.Guess)
	})
	if e.Entry.Branch == 0 { // else others see what was compressed away
		a.Tail.First = e.Cut.Upto
	}
}

// openThink begins a step in which the model is asked, or branches are joined.
func (s *State) openThink(e ThinkOpened, kind StepKind) {
	a := s.touch(e.Agent)
	a.Step, a.Status, a.Since = e.Step, WaitingLLM, e.At
	a.mended()
	a.Open = append(a.Open, Step{N: e.Step, Kind: kind, Work: e.Work, Attempt: e.Attempt, AfterCompression: e.AfterCompression})
	a.Turn.Suspended, a.Turn.Held, a.Turn.Retry = false, false, nil
	if e.Again { // the user let it go on: what had contained it counts from here
		a.Turn.Rounds, a.Turn.Reads, a.Turn.Repeats = 0, 0, nil
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
	a.Open = slices.DeleteFunc(slices.Clone(a.Open), func(s Step) bool { return !s.aside() || s.waits(NodeDeadline) })
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
