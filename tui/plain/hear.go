package plain

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"society-tui/runtime/api"
	"society-tui/runtime/conversation"
	"society-tui/runtime/society"
	"society-tui/tui/action"
	"society-tui/tui/inspector"
	"society-tui/tui/sanitize"
	"society-tui/tui/symbols"
	"society-tui/tui/transcript"
)

const (
	nameCells  = 64
	doingCells = 300
	// firstCells is how much is printed of a message that concerns neither the user
	// nor the recipient.
	firstCells = 120
	// restFor is how long all agents must have been idle, because nobody is busy
	// for a moment between two steps of work.
	restFor = 2 * time.Second
)

// A level is how much of the messages between agents is printed.
type level uint8

// The levels. Messages to the user are always printed.
const (
	hearOpen level = iota // the recipient's in full, one line of others
	hearAll               // everything in full
	hearMine              // nothing else
)

// hear prints news.
func (f *frontend) hear(n news) {
	switch {
	case n.err != nil:
		// A cut is told once, with the changes that tell of it.
		if !errors.Is(n.err, api.ErrDisconnected) && (!f.leaving || !errors.Is(n.err, api.ErrLeaving)) {
			f.notify(f.actions.NoticeFor(n.err))
		}
	case n.changes != nil:
		f.script.read = n.at
		f.change(n.changes)
	case n.agent == society.User:
		if n.before {
			n.inbox = slices.DeleteFunc(n.inbox, f.wasAnswered)
		}
		for _, said := range f.text.Inbox(n.inbox) {
			f.sayMessage(said)
		}
		do(f, society.Seen{Agent: society.User}, func(society.Done, error) {}) // if it fails, they are printed again after a restart
	default:
		f.hearAgent(n.agent, n.entries)
	}
}

// wasAnswered reports whether a message is a question that was answered elsewhere since. A
// sender that has done nothing after it has just asked.
func (f *frontend) wasAnswered(m api.InboxMessage) bool {
	row, present := f.replica.Row(m.From)
	return present && m.AsksUser() && !row.Asks && !m.At.After(row.Since)
}

// change updates the replica and prints what changed.
func (f *frontend) change(c *api.Changes) {
	first, unsaved, cut, asked := !f.replica.IsKnown(), f.replica.Unsaved(), f.replica.IsCut(), f.row(f.to).Asks
	did := f.replica.Apply(c)
	f.script.lookForEffects()
	f.notify(f.actions.Saving(unsaved))
	f.notify(f.actions.Connection(cut, f.cfg.Attached))
	if first {
		f.greet()
	} else {
		f.happenings(c)
	}
	f.hearOutputs(c)
	if did.Servers {
		f.tellServers()
	}
	f.checkAnswered(asked)
	f.checkReceiver()
	switch {
	case f.replica.IsWorking():
		f.rest.Stop()
	case did.WorkEnded:
		f.rest.Reset(restFor)
	}
}

// checkAnswered tells that the recipient's question was answered or withdrawn elsewhere:
// a number that the user writes now is no quick reply any more.
func (f *frontend) checkAnswered(asked bool) {
	row, present := f.replica.Row(f.to)
	if !present || !asked || row.Asks {
		return
	}
	if f.answered == f.to {
		f.answered = ""
		return
	}
	f.say(f.printer.T(textAnswered, f.replica.Name(f.to)))
}

// checkReceiver makes root the recipient if the recipient has ended.
func (f *frontend) checkReceiver() {
	if _, present := f.replica.Row(f.to); !present {
		gone := f.to
		f.to = society.Root
		f.say(f.printer.T(textWentOver, f.replica.Name(gone), f.replica.Name(f.to)))
	}
}

// atRest reports that no agent works any more.
func (f *frontend) atRest() {
	total := f.replica.Total()
	if f.script.ends && !f.replica.IsWorking() {
		defer f.finish()
	}
	switch {
	case f.replica.IsWorking():
	case total.NeedYou() > 0:
		f.say(f.actions.Working(0) + " " + f.printer.N(textNeed, int(total.NeedYou())))
	default:
		f.warn(action.Rest(&total, f.printer))
	}
}

// happenings prints the events of the timeline that no message tells.
func (f *frontend) happenings(c *api.Changes) {
	if c.Missed > 0 {
		f.say(f.printer.N(textMissed, int(c.Missed)))
	}
	for i := range c.Log {
		e := &c.Log[i]
		who, text := f.replica.Name(e.Agent), e.Text
		row := f.row(e.Agent)
		switch e.Kind {
		case "failed", "quarantined":
			if text == "" {
				text = row.Error
			}
			text = strings.TrimRight(text, ".。")
			if next := symbols.NextStep(&row, f.printer); next != "" {
				f.say(f.printer.T(textFailedSo, who, text, next))
			} else {
				f.say(f.printer.T(textFailed, who, text))
			}
		case "approval":
			for _, w := range f.replica.AskedBy(e.Agent) {
				if slices.ContainsFunc(c.Approvals, func(a api.Approval) bool { return a.ID == w.ID }) {
					f.sayAsked(&w)
				}
			}
		case "spawned":
			if f.hearing != hearMine {
				f.say(f.printer.T(textSpawned, f.replica.Name(row.Parent), who, row.Doing))
			}
		case "retry":
			if f.hearing != hearMine {
				f.say(f.printer.T(textRetry, who, inspector.RetryOf(f.printer, text)))
			}
		case "paused":
			if why := society.Pause(e.Text); why == society.Quarantined || why == society.MessageGuard {
				f.warn(who + f.printer.T(symbols.TextColon) + f.printer.T(symbols.TextPaused, symbols.Reason(why, f.printer)))
			}
		case "budget_near", "budget_spent":
			if b, ok := f.actions.BudgetNamed(e.Text); ok {
				f.notify(f.actions.NewsOfBudget(&b))
			}
		case "undelivered":
			f.say(f.printer.T(textUndelivered, who, inspector.Undelivered(f.printer, text)))
		case "drained":
			if ended, cutOff, ok := inspector.DrainOf(e); ok {
				f.warn(f.actions.Drained(e.Agent, ended, cutOff))
			}
		}
	}
}

// hearAgent prints settled entries of an agent's conversation. Messages to the
// user come with the inbox, and messages between agents are printed at their
// recipient.
func (f *frontend) hearAgent(id society.AgentID, entries []conversation.Entry) {
	if f.hearing == hearMine {
		return
	}
	for _, said := range f.text.Speak(f.row(id), entries) {
		whole := f.hearing == hearAll || id == f.to || said.From == f.to && f.to != society.Root
		switch {
		case said.Manner == transcript.Heard && said.From != society.User:
			if whole {
				f.sayMessage(said)
			} else {
				f.sayFirst(id, said)
			}
		case !whole:
		case said.Manner == transcript.Spoke && len(said.To) == 0:
			f.sayMessage(said)
		case said.Manner == transcript.Used && (!said.Well || f.hearing == hearAll || f.running[call{id, said.Call}]):
			f.say(said.Head + f.printer.T(textEnd))
		}
		delete(f.running, call{id, said.Call})
	}
}

// sayMessage prints a message in full.
func (f *frontend) sayMessage(said transcript.Spoken) {
	f.sayUnder(said.Head, said.Text)
	f.sayReplies(said.Replies)
}

// sayReplies lists the quick replies with their numbers.
func (f *frontend) sayReplies(replies []string) {
	if len(replies) == 0 {
		return
	}
	f.say(f.printer.T(textChoose))
	for i, reply := range replies {
		f.say(fmt.Sprintf("  %d%s%s", i+1, f.printer.T(symbols.TextColon), reply))
	}
}

// sayFirst prints sender, recipient, and the beginning of a message.
func (f *frontend) sayFirst(id society.AgentID, said transcript.Spoken) {
	first, _, more := strings.Cut(strings.TrimSpace(said.Text), "\n")
	short := sanitize.Line(first, firstCells)
	text := said.Head + f.printer.T(symbols.TextColon) + short
	if more || short != strings.Join(strings.Fields(first), " ") {
		text += " " + f.printer.T(textReadOn, id)
	}
	f.say(text)
}

// greet describes the society when it has been read, and how to begin.
func (f *frontend) greet() {
	total := f.replica.Total()
	f.say(f.printer.N(textOpened, int(total.Sum()), f.replica.Name(f.to)))
	if f.cfg.Attached != "" {
		f.say(f.printer.T(textAttachedTo, f.cfg.Attached, f.command("quit")))
	}
	if root := f.row(society.Root); root.Next == 0 && root.Waiting == 0 {
		f.say(f.printer.T(textWelcome))
		if api.IsOffline(f.cfg.Society.Models()) {
			f.say(f.printer.T(textWelcomeOffline))
		} else {
			f.say(f.printer.T(action.TextModel, symbols.ModelName(f.printer, f.replica.Model())))
		}
		if f.cfg.Workspace.Own {
			f.say(f.printer.T(action.TextNoFolder))
		}
	}
	for _, said := range f.actions.Started(f.cfg.Started) {
		f.warn(said)
	}
	if f.cfg.FirstTeam != nil {
		f.sayTeam(f.cfg.FirstTeam)
	}
	f.say(sanitize.Line(f.cfg.Notice, 4*doingCells))
	if need := f.replica.NeedYou(); len(need) > 0 {
		f.say(f.printer.N(textNeed, len(need)))
	}
	for _, w := range f.replica.Approvals() {
		f.sayAsked(&w)
	}
	f.askFolder()
}

// open makes an agent the recipient.
func (f *frontend) open(id society.AgentID) {
	if id == society.User {
		id = society.Root // texts to the user go to root
	}
	f.to, f.script.astray = id, false
	f.say(f.printer.T(textWritesTo, f.replica.Name(id), f.state(id)))
	row := f.row(id)
	if row.Asks {
		f.say(f.printer.T(textAskedYou, row.Question))
		f.sayReplies(row.Replies)
	}
}

// state describes an agent's state.
func (f *frontend) state(id society.AgentID) string {
	row := f.row(id)
	return symbols.Activity(&row, f.printer, f.replica.Name)
}

// agents lists all agents, each below its parent.
func (f *frontend) agents() {
	for _, id := range f.replica.Subtree(society.Root) {
		row := f.row(id)
		parts := []string{f.state(id)}
		if row.State.Active() && row.Doing != "" {
			parts = append(parts, strings.TrimRight(row.Doing, ".。"))
		}
		if row.Waiting > 0 {
			parts = append(parts, f.printer.T(symbols.TextUnread, row.Waiting))
		}
		if id == f.to {
			parts = append(parts, f.printer.T(textWriting))
		}
		name := f.replica.Name(id)
		switch {
		case name != string(id): // which commands take
			name += f.printer.T(symbols.TextAside, string(id))
		case row.Role != "" && row.Role != name:
			name += f.printer.T(symbols.TextAside, row.Role)
		}
		said := strings.Join(slices.Compact(parts), f.printer.T(symbols.TextComma))
		f.say(strings.Repeat("  ", row.Depth) + name + f.printer.T(symbols.TextColon) + said + f.printer.T(textEnd))
	}
}
