package society

import (
	"fmt"
	"iter"
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
	// Attempt counts how often the same call was made before, and failed.
	Attempt int
	Waited  time.Duration // as in Step
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
	if e.Entry.Model != a.Turn.Instead { // its own has answered again
		a.Turn.Instead = ""
	}
	a.close(e.Step)
	a.uses(e.Usage)
	input, output := e.Usage.counted()
	if e.Entry.Reasoning != "" {
		output = 0 // it counts the thoughts too
	}
	budgets := s.budgets(a, a.Turn.at(a.Turn.Work))
	a.inBranch(e.Entry.Branch, func(t *conversation.Tail) {
		t.Counted(input, e.Guess)
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

// Written implements Writes.
func (e AnswerKept) Written() iter.Seq2[AgentID, conversation.Entry] { return one(e.Agent, e.Entry) }

// Spent implements Spends.
func (e AnswerKept) Spent() Spending {
	return e.Usage.answered(e.Agent, e.Entry.At, TaskID(e.Entry.TaskID), e.Entry.Model, e.Entry.Took)
}

// EndedDraft implements EndsDraft.
func (e AnswerKept) EndedDraft() (AgentID, uint64) { return e.Agent, e.Step }

// CallEnded implements EndsCall.
func (e AnswerKept) CallEnded() CallEnd { return CallEnd{Model: e.Entry.Model, OK: true} }

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
	a.uses(e.Usage)
	input, _ := e.Usage.counted()
	a.Tail.Counted(input, e.Guess)
	a.Tail.Aside()
	a.Turn.dropped(e.ByAgents)
}

// Written implements Writes.
func (e AnswerDropped) Written() iter.Seq2[AgentID, conversation.Entry] { return one(e.Agent, e.Entry) }

// Spent implements Spends.
func (e AnswerDropped) Spent() Spending {
	return e.Usage.answered(e.Agent, e.Entry.At, TaskID(e.Entry.TaskID), e.Entry.Model, e.Entry.Took)
}

// EndedDraft implements EndsDraft.
func (e AnswerDropped) EndedDraft() (AgentID, uint64) { return e.Agent, e.Step }

// CallEnded implements EndsCall.
func (e AnswerDropped) CallEnded() CallEnd { return CallEnd{Model: e.Entry.Model, OK: true} }

// Logged implements Logs.
func (e AnswerDropped) Logged(*State) []LogLine { return logged("answer superseded", "agent", e.Agent) }

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

// Rewritten implements Rewrites.
func (e GroupDropped) Rewritten() (AgentID, uint64) { return e.Agent, e.Slot }

// Rewrite implements Rewrites.
func (GroupDropped) Rewrite(e *conversation.Entry) { e.Kind = conversation.Superseded }

// Logged implements Logs.
func (e GroupDropped) Logged(*State) []LogLine { return logged("answer superseded", "agent", e.Agent) }

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
	Closes   uint64 // the step that planned it, or waited for the user; 0 for none
	Hashes   Hashes // as in Act
	Dir      string // as in tool.Plan
	ByRule   bool   // as in tool.Caller
}

func (e CallOpened) apply(s *State) {
	a := s.touch(e.Agent)
	a.close(e.Closes)
	a.Step, a.Since = e.Step, e.At
	step := Step{N: e.Step, Kind: ActStep, Call: e.Call, Writes: e.Writes, NotBegun: e.NotBegun, Work: e.Work, ByRule: e.ByRule}
	if len(e.Hashes) > 0 {
		step.Hashes, step.Dir = &e.Hashes, e.Dir
	}
	a.Open = append(a.Open, step)
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
	// Image are the bytes that the Entry names as Kept, if it is an image.
	Image []byte
}

func (e ToolResultKept) apply(s *State) {
	a := s.touch(e.Agent)
	if e.Step != 0 {
		a.close(e.Step)
	}
	a.closeCall(e.Entry.CallID)
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

// Written implements Writes.
func (e ToolResultKept) Written() iter.Seq2[AgentID, conversation.Entry] {
	return one(e.Agent, e.Entry)
}

// Logged implements Logs: calls that were refused, and the briefs that were.
func (e ToolResultKept) Logged(*State) []LogLine {
	codes := refusalCodes(e.Entry)
	if len(codes) == 0 {
		return nil
	}
	call := []any{"agent", e.Agent, "tool", e.Call.Name, "call", e.Call.ID}
	lines := []LogLine{{Warn: true, Text: "tool call refused", Attrs: append(slices.Clip(call), "code", strings.Join(codes, " "))}}
	if brief := refusedBrief(e.Call, codes); brief != "" {
		lines = append(lines, LogLine{Warn: true, Text: "task brief refused", Attrs: append(slices.Clip(call), "brief", brief)})
	}
	return lines
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
	Model   string // as in Failed
	Task    TaskID
	Work    uint64        // as in ThinkOpened
	Waited  time.Duration // as in Step
	Free    bool          // as in RetryWait
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
		Work: e.Work, Attempt: e.Attempt, Waited: e.Waited,
	})
	a.Turn.Retry = &RetryWait{At: e.Until, Cause: e.Cause, Attempt: e.Attempt, Free: e.Free}
}

// Spent implements Spends.
func (e RetrySet) Spent() Spending {
	return Spending{At: e.At, Agent: e.Agent, Task: e.Task, Retries: 1}
}

// EndedDraft implements EndsDraft.
func (e RetrySet) EndedDraft() (AgentID, uint64) { return e.Agent, e.Step }

// CallEnded implements EndsCall.
func (e RetrySet) CallEnded() CallEnd { return CallEnd{Model: e.Model, Cause: e.Cause} }

// Lines implements Shows.
func (e RetrySet) Lines() []TimelineLine {
	in := e.Until.Sub(e.At)
	said := fmt.Sprintf("in %s: %s", in.Round(time.Second), e.Cause)
	if !e.Free { // a try that counts
		said = fmt.Sprintf("%d %s", e.Attempt, said)
	}
	lines := shown(e.At, e.Agent, "retry", said, "attempt", e.Attempt, "in", in)
	lines[0].Quotes = true
	return lines
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

// Written implements Writes.
func (e Noted) Written() iter.Seq2[AgentID, conversation.Entry] { return one(e.Agent, e.Entry) }

// TurnFailed ends a turn without an answer. It stays, to be taken up again.
type TurnFailed struct {
	Agent AgentID
	At    time.Time
	Text  string
	Class string
	Code  string // as in Failed
	Cause string // what the model said alone, without how often it was asked
	Model string // as in Failed
}

func (e TurnFailed) apply(s *State) {
	a := s.touch(e.Agent)
	a.suspend(e.At)
	a.Error, a.ErrorClass, a.ErrorCode = e.Text, e.Class, e.Code
	if a.Turn != nil {
		a.Turn.Full = e.Class == contextFull
	}
}

// EndedDraft implements EndsDraft.
func (e TurnFailed) EndedDraft() (AgentID, uint64) { return e.Agent, 0 }

// CallEnded implements EndsCall.
func (e TurnFailed) CallEnded() CallEnd {
	return CallEnd{Model: e.Model, Cause: e.Cause, Class: e.Class}
}

// Lines implements Shows.
func (e TurnFailed) Lines() []TimelineLine {
	lines := shown(e.At, e.Agent, "failed", e.Text, "class", e.Class, "code", e.Code)
	lines[0].Quotes = true
	return lines
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

// Logged implements Logs.
func (e TurnEnded) Logged(s *State) []LogLine {
	return logged("turn ended", "agent", e.Agent, "why", s.RestsBecause(e.Agent))
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
	Attempt      int           // retries made of it before
	Waited       time.Duration // as in Step
	Work         uint64        // as in ThinkOpened
	ByUser       bool          // as in Step
	Keep         int           // likewise
}

func (e CompressOpened) apply(s *State) {
	a := s.touch(e.Agent)
	a.close(e.Closes)
	a.Step = e.Step
	a.Open = append(a.Open, Step{N: e.Step, Kind: CompressStep, WithoutModel: e.WithoutModel, Work: e.Work, Attempt: e.Attempt, Waited: e.Waited, ByUser: e.ByUser, Keep: e.Keep})
	if a.Since = e.At; !e.ByUser { // else the agent stays at rest
		a.Turn.Retry = nil
	}
}

// EndedDraft implements EndsDraft.
func (e CompressOpened) EndedDraft() (AgentID, uint64) { return e.Agent, 0 }

// Logged implements Logs.
func (e CompressOpened) Logged(*State) []LogLine {
	return logged("context is full", "agent", e.Agent, "plain", e.WithoutModel)
}

// Compacted takes the oldest part of a conversation out of the model's context.
type Compacted struct {
	Agent AgentID
	Step  uint64 // of the Compress, 0 for the agent's own call
	Cut   conversation.Cut
	Entry conversation.Entry // the summary
	Guess int                // as in Compressed
	Usage Usage              // of making the summary
	Task  TaskID
	Model string // that made the summary, "" for none
}

func (e Compacted) apply(s *State) {
	a := s.touch(e.Agent)
	if e.Step != 0 {
		a.closeCompression(e.Step, e.Entry.At)
	}
	a.uses(e.Usage)
	if a.Turn != nil && e.Entry.Compression.ByUser {
		a.Turn.Full = false
	}
	a.inBranch(e.Entry.Branch, func(t *conversation.Tail) {
		t.Aside()
		t.Count += e.Cut.After - e.Cut.Before
		t.Guessed(e.Guess)
	})
	if e.Entry.Branch == 0 { // else others see what was compressed away
		a.Tail.First = e.Cut.Upto
	}
}

// Written implements Writes.
func (e Compacted) Written() iter.Seq2[AgentID, conversation.Entry] { return one(e.Agent, e.Entry) }

// Spent implements Spends.
func (e Compacted) Spent() Spending {
	return e.Usage.answered(e.Agent, e.Entry.At, e.Task, e.Model, e.Entry.Took)
}

// Lines implements Shows.
func (e Compacted) Lines() []TimelineLine {
	s := e.Entry.Compression
	if s == nil {
		return nil
	}
	return shown(e.Entry.At, e.Agent, "compressed", fmt.Sprintf("%d entries, %d → %d tokens", s.Entries, s.Before, s.After))
}

// openThink begins a step in which the model is asked, or branches are joined.
func (s *State) openThink(e ThinkOpened, kind StepKind) {
	a := s.touch(e.Agent)
	a.Step, a.Status, a.Since = e.Step, WaitingLLM, e.At
	a.mended()
	a.Open = append(a.Open, Step{N: e.Step, Kind: kind, Work: e.Work, Attempt: e.Attempt, Waited: e.Waited, AfterCompression: e.AfterCompression})
	a.Turn.Suspended, a.Turn.Held, a.Turn.Retry, a.Turn.Full = false, false, nil, false
	if e.Again { // the user let it go on: what had contained it counts from here
		a.Turn.Rounds, a.Turn.Reads, a.Turn.Repeats, a.Turn.Denied = 0, 0, nil, 0
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
		a.Error, a.ErrorClass, a.ErrorCode = "", "", ""
	}
}
