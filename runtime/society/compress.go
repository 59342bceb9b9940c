package society

import "society-tui/runtime/conversation"

// compressed takes the oldest part of a conversation out of the model's context,
// if it still begins where the plan began (spec/decisions.md 25).
func (d *decision) compressed(a *Agent, c Compressed) {
	did := c.Did && c.Cut.From >= a.Tail.First && c.Cut.Upto <= a.Tail.Next
	result := map[string]any{"ok": true, "compressed": did, "before": c.Cut.Before, "after": c.Cut.After}
	if !did {
		result = map[string]any{"ok": true, "compressed": false, "before": a.Tail.Count, "after": a.Tail.Count}
	}
	d.answerCall(a, c.Work.Call, c.Work.Step, payloadOf(result), conversation.OK, c.Took)
	if !did {
		return
	}
	d.add(Compacted{Agent: a.ID, Cut: c.Cut, Tokens: c.Tokens, Entry: conversation.Entry{
		Slot: d.tail(a).Aside(), Kind: conversation.Summary, At: d.at, From: string(a.ID),
		Text: conversation.Summarize(c.Cut.Earlier, c.Summary),
	}})
}
