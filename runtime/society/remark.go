package society

import "society-tui/runtime/conversation"

// RemarkCause is the cause of a notice about work that goes on.
const RemarkCause = "remark"

// Remarked reports what the user should know of a piece of work that goes on. The agent's
// conversation says so.
type Remarked struct {
	Of   WorkItem
	Text string
}

func (c Remarked) decide(d *decision) (Reply, error) {
	if a := d.s.agents[c.Of.Agent]; a != nil && a.Epoch == c.Of.Epoch && a.step(c.Of.Step) != nil {
		d.add(Noted{Agent: a.ID, Entry: conversation.Entry{
			Slot: d.tail(a).Aside(), Kind: conversation.Notice, At: d.at, From: string(a.ID), Text: c.Text, Cause: RemarkCause,
		}})
	}
	return Done{}, nil
}
