package runtime

import (
	"fmt"
	"time"

	"society-tui/runtime/society"
)

// ringSize bounds the timeline that is kept in memory.
const ringSize = 1000

// A ring keeps the newest lines of the timeline.
type ring struct {
	lines []Event
	last  uint64
}

func (t *ring) add(e Event) {
	t.last++
	e.Seq = t.last
	if len(t.lines) == ringSize {
		t.lines = append(t.lines[:0], t.lines[1:]...)
	}
	t.lines = append(t.lines, e)
}

// since returns the lines after seq, and how many of them are gone already.
func (t *ring) since(seq uint64) (lines []Event, missed int) {
	first := t.last - uint64(len(t.lines))
	if seq < first {
		missed, seq = int(first-seq), first
	}
	return append([]Event(nil), t.lines[seq-first:]...), missed
}

// note puts what has happened into the timeline and the log: ids and kinds, never
// bodies (S000 6.1, 6.4).
func (r *Runtime) note(e society.Event) {
	line := func(at time.Time, id society.AgentID, kind, format string, args ...any) {
		r.events.add(Event{At: at, Agent: id, Kind: kind, Text: fmt.Sprintf(format, args...)})
		r.log.Info(kind, "agent", id)
	}
	switch e := e.(type) {
	case society.AgentMade:
		line(e.Agent.Created, e.Agent.ID, "spawned", "by %s", e.Agent.Parent)
	case society.RoleMade:
		r.log.Info("role created", "role", e.Role.ID, "by", e.Role.CreatedBy)
	case society.Accepted:
		depth := 0
		if a := r.state.Agent(e.To); a != nil {
			depth = len(a.Mailbox)
		}
		r.log.Info("message accepted", "from", e.Mail.From, "to", e.To, "type", e.Mail.Type, "message", e.Mail.ID, "queue", depth)
	case society.Delivered:
		kind := "told you"
		if e.Asks {
			kind = "asks"
		}
		if !e.Note {
			line(e.Mail.At, e.Mail.From, kind, "%s", e.Mail.Type)
		}
	case society.Taken:
		r.log.Info("messages taken", "agent", e.Agent, "messages", len(e.Mails))
	case society.RetrySet:
		line(e.At, e.Agent, "retry", "%d in %s: %s", e.Attempt, e.Until.Sub(e.At).Round(time.Second), e.Cause)
	case society.TurnFailed:
		line(e.At, e.Agent, "failed", "%s", e.Text)
	case society.Delayed:
		r.log.Info("message delayed", "from", e.By, "to", e.Later.To, "type", e.Later.Mail.Type, "message", e.Later.Mail.ID, "due", e.Later.Due)
	case society.LaterDropped:
		for by, n := range perSender(e.List) {
			if e.Why != "" {
				line(e.At, by, "undelivered", "%s", e.Why)
			} else {
				line(e.At, by, "dropped", "%d", n)
			}
		}
	case society.CompressOpened:
		r.log.Info("context is full", "agent", e.Agent, "plain", e.Plain)
	case society.Compacted:
		if s := e.Entry.Squeezed; s != nil {
			line(e.Entry.At, e.Agent, "compressed", "%d entries, %d → %d tokens", s.Entries, s.Before, s.After)
		}
	case society.AnswerDropped:
		r.log.Info("answer superseded", "agent", e.Agent)
	case society.GroupDropped:
		r.log.Info("answer superseded", "agent", e.Agent)
	case society.Cut:
		line(e.At, e.Agent, "interrupted", "")
	case society.PausedNow:
		line(e.At, e.Agent, "paused", "%s", e.Why)
	case society.ResumedNow:
		line(e.At, e.Agent, "resumed", "")
	case society.StopBegun:
		r.log.Info("stopping", "agent", e.Agents[0], "agents", len(e.Agents))
	case society.StopEnded:
		line(e.At, e.Agents[0], "stopped", "%d agents", len(e.Agents))
	case society.DrainBegun:
		line(e.At, e.Agents[0], "draining", "by %s", e.Drain.By)
	case society.TerminationBegun:
		if e.Ending.CallID != "" { // a drain has come to its end
			line(e.At, e.Agents[0], "drained", "ended %d, cut off %d", len(e.Agents), e.Ending.CutOff)
		}
	case society.Erased:
		for _, t := range e.Tombs {
			line(t.TerminatedAt, t.ID, "terminated", "by %s", t.TerminatedBy)
		}
	}
}

// perSender counts kept messages by who keeps them.
func perSender(list []society.Held) map[society.AgentID]int {
	n := map[society.AgentID]int{}
	for _, h := range list {
		n[h.By]++
	}
	return n
}
