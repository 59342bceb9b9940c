package society

import (
	"society-tui/runtime/conversation"
	"society-tui/runtime/graph"
	"society-tui/runtime/protocol"
)

// contextFull is the class of failures (llm.Context) that a compression may mend.
const contextFull = "context"

// compressed takes the oldest part of a conversation out of the model's context, if it
// still begins where the plan began (SPEC.md, decision 25).
func (d *decision) compressed(a *Agent, c Compressed) {
	d.used = c.Usage
	did := c.Did && c.Cut.From >= a.Tail.First && c.Cut.Upto <= a.Tail.Next
	act, own := c.Work.(Act)
	if !own {
		d.compressedByItself(a, c, did)
		return
	}
	o, _ := a.answerOf(act.Call.ID)
	result := map[string]any{"ok": true, "compressed": did, "before": c.Cut.Before, "after": c.Cut.After}
	if !did {
		now := a.TailAt(o.at).Count
		result = map[string]any{"ok": true, "compressed": false, "before": now, "after": now}
	} else {
		d.compact(a, c, 0, o.at)
	}
	d.answerCall(a, act.Call, act.Step, payloadOf(result), conversation.OK, c.Took)
}

// compressedByItself goes on with the turn whose context was full, once: a context that
// is full still ends it (SPEC.md, decision 26).
func (d *decision) compressedByItself(a *Agent, c Compressed, did bool) {
	if !did {
		d.fail(a, contextFull, d.say(protocol.NothingToCompress))
		return
	}
	step := a.step(c.Work.Item().Step)
	d.compact(a, c, step.N, a.Turn.at(step.Work))
	d.goAhead(a, opening{closes: step.N, afterCompression: true})
}

// compact removes the planned entries from the context of the branch at hand, and from no
// other.
func (d *decision) compact(a *Agent, c Compressed, step uint64, at *graph.Work) {
	text := c.Summary
	if !c.Anew {
		text = conversation.Summarize(c.Cut.Earlier, text)
	}
	tail := a.TailAt(at)
	before, _ := tail.Size()
	after, _ := tail.Calibrated(c.Guess)
	squeezed := conversation.Compression{Entries: c.Cut.Gone(), Before: before, After: after, ByItself: step != 0, Left: c.Left}
	branch := 0
	if at != nil && at.Branch != 0 {
		branch, squeezed.Upto = at.Branch, c.Cut.Upto
	}
	d.add(Compacted{Agent: a.ID, Step: step, Cut: c.Cut, Guess: c.Guess, Usage: c.Usage, Model: c.Model, Task: a.Turn.Task, Entry: conversation.Entry{
		Slot: d.tail(a).Aside(), Kind: conversation.Summary, At: d.at, From: string(a.ID), Took: c.Took,
		Text: text, Todo: d.todoText(a), Branch: branch, Compression: &squeezed,
	}})
}

// notSummarized does without a summary where the model gives none; where that
// fails too, the turn ends.
func (d *decision) notSummarized(a *Agent, step Step, c Failed) {
	if step.WithoutModel {
		text := d.say(protocol.ContextFull, c.Text)
		d.failFor(a, Failed{Class: c.Class, Code: c.Code, Text: text}, text)
		return
	}
	d.openCompression(a, CompressOpened{Closes: step.N, WithoutModel: true, Work: step.Work})
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
