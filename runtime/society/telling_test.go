package society

import (
	"fmt"
	"slices"
	"strings"

	"society-tui/runtime/conversation"
	"society-tui/runtime/protocol"
)

// describe says in a line what has happened, "" for what goes without saying.
func (w *teller) describe(e Event) string {
	switch e := e.(type) {
	case RoleMade:
		return fmt.Sprintf("%s: a new role, %q\n", e.Role.ID, e.Role.Name)
	case AgentMade:
		return fmt.Sprintf("%s joined under %s\n", e.Agent.ID, e.Agent.Parent)
	case ContactAdded:
		return known(e)
	case MessageQueued:
		return fmt.Sprintf("%s → %s%s: %s\n", e.Mail.From, e.To, kind(e.Mail), short(e.Body))
	case MessageToUser:
		note := ""
		if e.Note {
			note = " (note)"
		}
		return fmt.Sprintf("%s → user%s%s: %s\n", e.Mail.From, kind(e.Mail), note, short(e.Body))
	case MessageWithdrawn:
		return fmt.Sprintf("%s: the message is taken back\n", e.Agent)
	case MailTaken:
		if len(e.Mails) == 1 {
			return fmt.Sprintf("%s took 1 message\n", e.Agent)
		}
		return fmt.Sprintf("%s took %d messages\n", e.Agent, len(e.Mails))
	case RetrySet:
		return fmt.Sprintf("%s tries again in %s: %s\n", e.Agent, e.Until.Sub(e.At), e.Cause)
	case TurnFailed:
		return fmt.Sprintf("%s has failed: %s\n", e.Agent, e.Text)
	case TurnEnded:
		return fmt.Sprintf("%s is idle\n", e.Agent)
	}
	if s := described(e); s != "" {
		return s
	}
	return w.lived(e)
}

// described is describe for what an agent says and does.
func described(e Event) string {
	switch e := e.(type) {
	case AnswerKept:
		if len(e.Entry.Calls) > 0 {
			return fmt.Sprintf("%s wants to call %s\n", e.Agent, names(e.Entry.Calls))
		}
	case AnswerDropped:
		return fmt.Sprintf("%s: its answer is dropped, messages came first (%s not run)\n", e.Agent, names(e.Entry.Calls))
	case GroupDropped:
		return fmt.Sprintf("%s: its answer is taken back before the first tool\n", e.Agent)
	case CallOpened:
		return fmt.Sprintf("%s runs %s\n", e.Agent, e.Tool)
	case ToolResultKept:
		return fmt.Sprintf("%s: %s (%s) %s\n", e.Agent, e.Entry.CallID, e.Entry.Outcome, short(e.Entry.Text))
	case Noted:
		if e.Entry.Kind == conversation.Aborted {
			return fmt.Sprintf("%s: its answer is thrown away\n", e.Agent)
		}
	case WorkerPanicked:
		return fmt.Sprintf("%s: a worker panicked\n", e.Agent)
	}
	return ""
}

// lived is describe for what the verbs do.
func (w *teller) lived(e Event) string {
	switch e := e.(type) {
	case PausedNow:
		return fmt.Sprintf("%s is paused: %s\n", e.Agent, e.Why)
	case ResumedNow:
		return fmt.Sprintf("%s is resumed\n", e.Agent)
	case WorkAborted:
		return fmt.Sprintf("%s is cut short\n", e.Agent)
	case StopBegun:
		var thrown string
		for _, answer := range e.Aborted {
			thrown += fmt.Sprintf("%s: its answer is thrown away\n", answer.Agent)
		}
		return thrown + fmt.Sprintf("stopping: %s\n", list(e.Agents))
	case StopEnded:
		return fmt.Sprintf("stopped: %s\n", list(e.Agents))
	case TerminationBegun:
		return fmt.Sprintf("terminating: %s\n", list(e.Agents))
	case Erased:
		var ids []AgentID
		for _, t := range e.Tombs {
			ids = append(ids, t.ID)
		}
		return fmt.Sprintf("gone: %s\n", list(ids))
	case DrainBegun:
		return fmt.Sprintf("draining: %s\n", list(e.Agents))
	case EpochRaised:
		return fmt.Sprintf("%s begins again what was in flight\n", e.Agent)
	}
	return ""
}

func known(e ContactAdded) string {
	switch e.Contact.Source {
	case protocol.Parent, protocol.Child:
		return ""
	case protocol.Introduction:
		return fmt.Sprintf("%s knows %s now, introduced by %s\n", e.Agent, e.Contact.ID, e.Contact.IntroducedBy)
	}
	return fmt.Sprintf("%s knows %s now\n", e.Agent, e.Contact.ID)
}

func kind(m Mail) string {
	switch {
	case m.Reply:
		return " (answer)"
	case m.Type != protocol.General:
		return " (" + string(m.Type) + ")"
	}
	return ""
}

func names(calls []conversation.Call) string {
	var all []string
	for _, c := range calls {
		all = append(all, c.Name)
	}
	return strings.Join(all, ", ")
}

func list(ids []AgentID) string {
	var all []string
	for _, id := range ids {
		all = append(all, string(id))
	}
	return strings.Join(all, ", ")
}

// short is a text on one line, cut where it becomes long.
func short(text string) string {
	line, _, more := strings.Cut(text, "\n")
	if clipped := clip(line, 110); clipped != line || more {
		return clipped + " …"
	}
	return line
}

// replied describes a verb's reply, where it tells more than the events.
func (w *teller) replied(reply any) string {
	switch r := reply.(type) {
	case StopResult:
		if !r.Stopped {
			return fmt.Sprintf("nothing to stop: %s\n", r.Reason)
		}
		if r.Dropped > 0 {
			return fmt.Sprintf("dropped: %d waiting\n", r.Dropped)
		}
	case TerminateResult:
		if r.Dropped > 0 {
			return fmt.Sprintf("dropped: %d waiting\n", r.Dropped)
		}
	case Interruption:
		if r.Waiting > 0 {
			return fmt.Sprintf("still waiting: %d\n", r.Waiting)
		}
	}
	return ""
}

// news lists unread messages and newly owed work.
func (w *teller) news() string {
	var b strings.Builder
	for _, id := range w.s.Agents() {
		if n := len(w.agent(id).Mailbox); n > 0 {
			why := "interruption"
			if a := w.agent(id); !a.Status.Active() {
				why = "held up"
			}
			fmt.Fprintf(&b, "%s: %d waiting (%s)\n", id, n, why)
		}
	}
	was := w.owed
	w.owed = w.s.Owed()
	var owed []string
	for _, work := range w.owed {
		if !slices.ContainsFunc(was, func(p Work) bool {
			return p.Item().Agent == work.Item().Agent && p.Item().Step == work.Item().Step && p.Item().Epoch == work.Item().Epoch
		}) {
			owed = append(owed, w.owes(work))
		}
	}
	switch {
	case len(w.owed) == 0:
		b.WriteString("owed: nothing\n")
	case len(owed) == 0:
		b.WriteString("owed: nothing new\n")
	default:
		b.WriteString("owed: " + strings.Join(owed, ", ") + "\n")
	}
	return b.String()
}

func (w *teller) owes(work Work) string {
	switch work.Kind() {
	case ThinkStep:
		return fmt.Sprintf("%s thinks (step %d)", work.Item().Agent, work.Item().Step)
	case ActStep:
		return fmt.Sprintf("%s runs %s (step %d)", work.Item().Agent, callOf(work).Name, work.Item().Step)
	}
	return fmt.Sprintf("%s waits %s (step %d)", work.Item().Agent, untilOf(work).Sub(w.at), work.Item().Step)
}

// show lists who is there.
func (w *teller) show() string {
	var b strings.Builder
	for _, id := range w.s.Agents() {
		a := w.agent(id)
		fmt.Fprintf(&b, "%s%s: %s", strings.Repeat("  ", a.Depth), id, a.Status)
		if a.Paused != "" {
			fmt.Fprintf(&b, ", paused (%s)", a.Paused)
		}
		if a.Drain != "" {
			b.WriteString(", draining")
		}
		if len(a.Owes) > 0 {
			fmt.Fprintf(&b, ", owes %s", list(a.Owes))
		}
		if len(a.Asked) > 0 {
			fmt.Fprintf(&b, ", waits for %s", list(a.Asked))
		}
		b.WriteString("\n")
	}
	return b.String()
}
