package society

import (
	"strings"

	"society-tui/runtime/protocol"
)

// interrupt aborts what runs for one agent; its queue and its children stay (SPEC.md,
// decision 1). Of the open calls, finished ones keep their result.
func (d *decision) interrupt(c Interrupt) (Interruption, error) {
	a, err := d.agent(c.Agent)
	if err != nil {
		return Interruption{}, err
	}
	if a.Status.Ended() {
		return Interruption{}, refuse(AgentStopped, a.ID, protocol.NothingRuns, a.ID)
	}
	text := strings.TrimSpace(c.Text) != "" || len(c.Attachments) > 0
	if text {
		if r := d.checkAttached(a.ID, c.Attachments); r != nil {
			return Interruption{}, r
		}
		if r := d.accepts(User, a.ID, len(c.Text)+inlineBytes(c.Attachments)); r != nil {
			return Interruption{}, r
		}
	}
	busy := a.busy()
	was := busy || a.compressesForUser()
	if was {
		d.abort(a, c.Partial)
		d.add(WorkAborted{Agent: a.ID, At: d.at})
	}
	switch {
	case text:
		_, held := d.s.heldBy(a, Usage{}, d.at)
		if a.Paused != "" && !held {
			d.add(ResumedNow{Agent: a.ID, At: d.at})
		}
		task := a.Task
		if a.Turn != nil {
			task = a.Turn.Task
		}
		if task == "" {
			task = d.beginTask(a.ID)
		}
		m := message{from: User, kind: protocol.General, task: task, payload: protocol.Payload{Text: c.Text}}
		if r := d.attach(&m, c.Attachments); r != nil {
			return Interruption{}, r
		}
		d.post(m, a.ID)
	case busy:
		d.add(PausedNow{Agent: a.ID, Why: Interrupted, At: d.at})
	}
	return Interruption{Was: was, Waiting: len(a.Mailbox)}, nil
}

// abort answers the open calls of an interrupted agent, and records the discarded answer.
func (d *decision) abort(a *Agent, partial int) {
	if answer, was := d.cutShort(a, partial); was {
		answer.Slot = d.tail(a).Aside()
		d.add(Noted{Agent: a.ID, Entry: answer.Entry(d.at)})
	}
}

// cutShort answers the open calls of an agent whose work is cut short, and
// returns the answer that it was giving, if it was.
func (d *decision) cutShort(a *Agent, partial int) (answer AbortedAnswer, was bool) {
	d.answerOpen(a, d.cutOff(a))
	if !a.asksModel() {
		return answer, false
	}
	// Its slot is the next one: the results of calls have theirs already.
	return AbortedAnswer{Agent: a.ID, Slot: a.Tail.Next, Partial: partial}, true
}

// pauseAgent pauses one agent after its current step.
func (d *decision) pauseAgent(c PauseAgent) (Pausing, error) {
	a, err := d.agent(c.Agent)
	if err != nil {
		return Pausing{}, err
	}
	if a.Status.Ended() {
		return Pausing{}, refuse(AgentStopped, a.ID, protocol.NothingRuns, a.ID)
	}
	if a.Paused != "" {
		return Pausing{Busy: a.busy()}, nil
	}
	d.add(PausedNow{Agent: a.ID, Why: AskedToPause, At: d.at})
	return Pausing{Changed: true, Busy: a.busy()}, nil
}
