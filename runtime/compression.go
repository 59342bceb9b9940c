package runtime

import (
	"slices"

	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
)

// A compression is a command of the user's that is answered when the step has ended that it
// began.
type compression struct {
	command *pendingCommand
	agent   society.AgentID
	step    uint64
	ended   bool
}

// compresses makes an order wait for the compression that it began, or that it began when it
// was given before. It reports whether the order waits.
func (r *Runtime) compresses(o *pendingCommand) bool {
	if reply, ok := o.reply.(society.ContextCompression); !ok || o.err != nil || !reply.Going {
		return false
	}
	wait := func(agent society.AgentID, step uint64) bool {
		r.workers.compressions = append(r.workers.compressions, &compression{command: o, agent: agent, step: step})
		return true
	}
	for _, e := range o.events {
		if e, ok := e.(society.CompressOpened); ok {
			return wait(e.Agent, e.Step)
		}
	}
	for _, c := range r.workers.compressions {
		switch {
		case !o.repeats || c.command.key == nil || *c.command.key != *o.key:
		case c.ended: // in this batch
			o.reply = c.command.reply
			return false
		default:
			return wait(c.agent, c.step)
		}
	}
	return false
}

// endCompressions gives the compressions that these events end, or that were cut short, their
// replies, which are kept with them for a request that is repeated.
func (r *Runtime) endCompressions(events []society.Event) {
	for _, c := range r.workers.compressions {
		c.ended = false // it was not saved
		for _, e := range events {
			if e, ok := e.(society.EndsCompression); ok && !c.ended {
				if agent, step, reply := e.EndedCompression(); agent == c.agent && step == c.step {
					c.command.reply, c.ended = reply, true
				}
			}
		}
		a := r.state.Agent(c.agent)
		if open := a != nil && slices.ContainsFunc(a.Open, func(s society.Step) bool { return s.N == c.step }); !open && !c.ended {
			c.command.reply, c.ended = society.ContextCompression{Why: protocol.Sentence(r.state.Lang(), protocol.CompressCutShort)}, true
		}
	}
}

// answerCompressions answers those that have ended.
func (r *Runtime) answerCompressions() {
	r.workers.compressions = slices.DeleteFunc(r.workers.compressions, func(c *compression) bool {
		if c.ended {
			c.command.answer()
		}
		return c.ended
	})
}
