package society

import (
	"slices"
	"time"

	"society-tui/runtime/conversation"
	"society-tui/runtime/graph"
	"society-tui/runtime/protocol"
)

// contextFull is the class of failures (llm.Context) that a compression may mend.
const contextFull = "context"

// rateLimited is the class of failures (llm.Rate) with which an endpoint refuses more
// requests for now.
const rateLimited = "rate"

// CompressContext compresses the context of an agent at rest for the user. It is answered when
// that is done.
type CompressContext struct {
	Agent AgentID
	// Keep is how many of the newest entries stay; 0: as many as are wanted by the settings,
	// and fewer if these are large.
	Keep int
	// Cut leaves the oldest entries out, without a summary by the model.
	Cut bool
}

// ContextCompression is the reply to CompressContext.
type ContextCompression struct {
	Compressed bool
	Entries    int // that left the model's context
	Left       int // those of them that no summary holds
	// Before and After are the sizes of the context in tokens, counted or estimated.
	Before, After int
	Why           string // nothing was compressed
	Going         bool   // it is not done yet
}

// compressFor begins a compression for the user. Messages wait until it has ended.
func (d *decision) compressFor(c CompressContext) (ContextCompression, error) {
	a, err := d.agent(c.Agent)
	switch {
	case err != nil:
		return ContextCompression{}, err
	case a.Status.Ended():
		return ContextCompression{}, refuse(AgentStopped, a.ID, protocol.CompressStopped, a.ID)
	case a.busy() || a.compressesForUser():
		return ContextCompression{}, refuse(InvalidArguments, a.ID, protocol.CompressBusy, a.ID)
	case c.Keep < 0:
		return ContextCompression{}, refuse(InvalidArguments, a.ID, protocol.NothingToCompress)
	}
	if by, held := d.s.heldBy(a, Usage{}, d.at); held && !c.Cut {
		return ContextCompression{}, refuse(LimitReached, a.ID, protocol.BudgetSpent, by.BudgetScope)
	}
	opened := CompressOpened{Agent: a.ID, Step: a.Step + 1, At: d.at, WithoutModel: c.Cut, ByUser: true, Keep: c.Keep}
	if a.Turn != nil && a.Turn.Run != nil && a.Turn.Run.Forked() {
		at := a.fullestBranch()
		if at == nil {
			return ContextCompression{Why: d.say(protocol.CompressMerges, a.ID)}, nil
		}
		opened.Work = at.Step
	}
	d.add(opened)
	return ContextCompression{Going: true}, nil
}

// fullestBranch returns the open work of a forked run whose model sees the largest context,
// nil if the branches have ended and only wait to be merged. The trunk is never compressed
// while branches are open: they have counted what they see of it.
func (a *Agent) fullestBranch() (at *graph.Work) {
	most := -1
	for _, w := range a.Turn.Run.Next() {
		if tokens, _ := a.TailAt(&w).Size(); w.Kind != graph.Join && tokens > most {
			at, most = &w, tokens
		}
	}
	return at
}

// compressesForUser reports whether its context is being compressed because the user wants it.
func (a *Agent) compressesForUser() bool {
	for i := range a.Open {
		if a.Open[i].ByUser {
			return true
		}
	}
	return false
}

// CompressEnded ends a compression that took nothing away.
type CompressEnded struct {
	Agent AgentID
	Step  uint64
	At    time.Time
	Task  TaskID
	Model string // that made a summary which did not help
	Usage Usage  // of that summary
	Took  time.Duration
	Why   string
}

func (e CompressEnded) apply(s *State) {
	a := s.touch(e.Agent)
	a.closeCompression(e.Step, e.At)
	a.uses(e.Usage)
}

// closeCompression closes a Compress. After one that the user wanted the agent is at rest again.
func (a *Agent) closeCompression(step uint64, at time.Time) {
	if slices.ContainsFunc(a.Open, func(s Step) bool { return s.N == step && s.ByUser }) {
		a.Since = at
	}
	a.close(step)
}

// Spent implements Spends.
func (e CompressEnded) Spent() Spending {
	if e.Usage == (Usage{}) {
		return Spending{At: e.At, Agent: e.Agent}
	}
	return e.Usage.answered(e.Agent, e.At, e.Task, e.Model, e.Took)
}

// EndedCompression implements EndsCompression.
func (e CompressEnded) EndedCompression() (AgentID, uint64, ContextCompression) {
	return e.Agent, e.Step, ContextCompression{Why: e.Why}
}

// Logged implements Logs.
func (e CompressEnded) Logged(*State) []LogLine {
	return logged("context not compressed", "agent", e.Agent)
}

// EndedCompression implements EndsCompression.
func (e Compacted) EndedCompression() (AgentID, uint64, ContextCompression) {
	c := e.Entry.Compression
	return e.Agent, e.Step, ContextCompression{Compressed: true, Entries: c.Entries, Left: c.Left, Before: c.Before, After: c.After}
}

// EndsCompression is an event that ends a compression, with what is told to a user who wanted
// it.
type EndsCompression interface {
	Event
	EndedCompression() (AgentID, uint64, ContextCompression)
}

// compressed takes the oldest part of a conversation out of the model's context, if it
// still begins where the plan began (SPEC.md, decision 25).
func (d *decision) compressed(a *Agent, c Compressed) {
	d.used = c.Usage
	did := c.Did && c.Cut.From >= a.Tail.First && c.Cut.Upto <= a.Tail.Next
	act, own := c.Work.(Act)
	if !own {
		d.compressedByRuntime(a, c, did)
		return
	}
	o, _ := a.answerOf(act.Call.ID)
	result := map[string]any{"ok": true, "compressed": did, "before": c.Cut.Before, "after": c.Cut.After}
	if !did {
		now := a.TailAt(o.at).Count
		result = map[string]any{"ok": true, "compressed": false, "before": now, "after": now}
	} else {
		d.compact(a, c, Step{}, o.at)
	}
	d.answerCall(a, act.Call, act.Step, payloadOf(result), conversation.OK, c.Took)
}

// compressedByRuntime goes on with the turn whose context was full, once: a context that
// is full still ends it, and the user is asked (SPEC.md, decision 26). So does a compression
// that makes it hardly smaller, because the next request would need the next one.
func (d *decision) compressedByRuntime(a *Agent, c Compressed, did bool) {
	step := *a.step(c.Work.Item().Step)
	if !did {
		ended := CompressEnded{Agent: a.ID, Step: step.N, At: d.at, Task: a.taskAtHand(), Model: c.Model, Usage: c.Usage, Took: c.Took, Why: c.Why}
		switch {
		case step.ByUser && c.Why == "":
			ended.Why = d.say(protocol.NothingOlder)
			fallthrough
		case step.ByUser:
			d.add(ended)
			return
		case c.Why == "":
			d.fail(a, contextFull, d.say(protocol.NothingToCompress))
			return
		}
		d.add(ended)
		d.fail(a, contextFull, d.contextFull(a, c.Why))
		return
	}
	d.compact(a, c, step, a.Turn.at(step.Work))
	if !step.ByUser {
		d.goAhead(a, opening{closes: step.N, afterCompression: true})
	}
}

// contextFull explains a context that is full after all, with what the user can do.
func (d *decision) contextFull(a *Agent, cause string) string {
	return d.say(protocol.ContextFull, cause, a.ID, a.ID)
}

// compact removes the planned entries from the context of the branch at hand, and from no
// other.
func (d *decision) compact(a *Agent, c Compressed, step Step, at *graph.Work) {
	text := c.Summary
	if !c.Anew {
		text = conversation.Summarize(c.Cut.Earlier, text)
	}
	tail := a.TailAt(at)
	before, _ := tail.Size()
	after, _ := tail.Calibrated(c.Guess)
	before = max(before, after) // a context that was set aside or copied is estimated without its prompt until it is sent
	squeezed := conversation.Compression{
		Entries: c.Cut.Gone(), Before: before, After: after, ByItself: step.N != 0 && !step.ByUser, ByUser: step.ByUser, Left: c.Left,
	}
	branch := 0
	if at != nil && at.Branch != 0 {
		branch, squeezed.Upto = at.Branch, c.Cut.Upto
	}
	d.add(Compacted{Agent: a.ID, Step: step.N, Cut: c.Cut, Guess: c.Guess, Usage: c.Usage, Model: c.Model, Task: a.taskAtHand(), Entry: conversation.Entry{
		Slot: d.tail(a).Aside(), Kind: conversation.Summary, At: d.at, From: string(a.ID), Took: c.Took,
		Text: text, Todo: d.todoText(a), Branch: branch, Compression: &squeezed,
	}})
}

// notSummarized does without a summary where the model gives none; where that
// fails too, the turn ends. To the user, who can ask for that, it is only told.
func (d *decision) notSummarized(a *Agent, step Step, c Failed) {
	switch {
	case step.ByUser:
		d.add(CompressEnded{Agent: a.ID, Step: step.N, At: d.at, Why: d.say(protocol.NoSummary, c.Text, a.ID)})
	case step.WithoutModel:
		text := d.contextFull(a, c.Text)
		d.failFor(a, Failed{Class: c.Class, Code: c.Code, Text: text}, text)
	default:
		d.openCompression(a, CompressOpened{Closes: step.N, WithoutModel: true, Work: step.Work})
	}
}

// openCompression has the runtime compress a full context, unless a budget keeps the model from
// being asked for the summary: then the turn rests, and finds the context full again later.
func (d *decision) openCompression(a *Agent, e CompressOpened) {
	if !e.WithoutModel && d.held(a) {
		d.hold(a, e.Closes)
		return
	}
	e.Agent, e.Step, e.At = a.ID, a.Step+1, d.at
	d.add(e)
}
