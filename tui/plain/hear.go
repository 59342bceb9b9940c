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
	// firstCells is how much is said of a message that is not for the person, nor of
	// the agent they talk to.
	firstCells = 120
	// restFor is how long all must have been at rest: between two steps of the work
	// nobody is busy for a moment.
	restFor = 2 * time.Second
)

// A level says how much of what others say to each other is said.
type level uint8

// The levels. What is for the person is said in each of them.
const (
	hearOpen level = iota // what concerns the agent one talks to in full, of others a line
	hearAll               // everything in full
	hearMine              // nothing else
)

// hear says what has happened.
func (r *room) hear(n news) {
	switch {
	case n.err != nil:
		if !r.leaving || !errors.Is(n.err, api.ErrLeaving) {
			r.tell(r.actions.NoticeFor(n.err))
		}
	case n.changes != nil:
		r.change(n.changes)
	case n.agent == society.User:
		for _, said := range r.speaker.Inbox(n.inbox) {
			r.sayMessage(said)
		}
		do(r, society.Seen{Agent: society.User}, func(society.Done, error) {}) // if that fails it is said again after a restart
	default:
		r.hearAgent(n.agent, n.entries)
	}
}

// change brings the replica up to date and says what has changed.
func (r *room) change(c *api.Changes) {
	first, unsaved := !r.replica.IsKnown(), r.replica.Unsaved()
	did := r.replica.Apply(c)
	r.tellUnsaved(unsaved)
	if first {
		r.greet()
	} else {
		r.happenings(c)
	}
	r.checkReceiver()
	switch {
	case r.replica.IsWorking():
		r.rest.Stop()
	case did.WorkEnded:
		r.rest.Reset(restFor)
	}
}

// checkReceiver lets root get what is written when the agent that got it has ended.
func (r *room) checkReceiver() {
	if _, present := r.replica.Row(r.to); !present {
		gone := r.to
		r.to = society.Root
		r.say(fmt.Sprintf(r.words.plain.WentOver, gone, r.replica.Name(r.to)))
	}
}

// tellUnsaved says that nothing is being saved, or is again, if that was otherwise
// before.
func (r *room) tellUnsaved(before string) {
	n := r.words.notices
	switch now := r.replica.Unsaved(); {
	case now != "" && before == "":
		r.tell(action.Notice{Text: fmt.Sprintf(n.Unsaved, now), Hint: n.HintDisk})
	case now == "" && before != "":
		r.tell(action.Notice{Text: n.SavedAgain})
	}
}

// atRest says that nobody works any more.
func (r *room) atRest() {
	total := r.replica.Total()
	switch {
	case r.replica.IsWorking():
	case total.NeedYou() > 0:
		r.say(fmt.Sprintf(r.words.plain.RestNeed, total.NeedYou()))
	default:
		r.warn(action.Rest(&total, r.words.notices))
	}
}

// happenings says what the timeline tells and no message does.
func (r *room) happenings(c *api.Changes) {
	w, n := r.words.plain, r.words.notices
	if c.Missed > 0 {
		r.say(fmt.Sprintf(w.Missed, c.Missed))
	}
	for i := range c.Log {
		e := &c.Log[i]
		who, text := r.replica.Name(e.Agent), e.Text
		row := r.row(e.Agent)
		switch e.Kind {
		case "failed", "quarantined":
			if text == "" {
				text = row.Error
			}
			r.say(fmt.Sprintf(w.Failed, who, strings.TrimRight(text, ".。")))
		case "spawned":
			if r.hearing != hearMine {
				r.say(fmt.Sprintf(w.Spawned, r.replica.Name(row.Parent), who, row.Doing))
			}
		case "retry":
			if r.hearing != hearMine {
				r.say(fmt.Sprintf(w.Retry, who, text))
			}
		case "paused":
			if why := society.Pause(e.Text); why == society.Quarantined || why == society.MessageGuard {
				r.warn(who + r.words.plain.Colon + fmt.Sprintf(r.words.symbols.Paused, symbols.Reason(why, r.words.symbols)))
			}
		case "undelivered":
			r.say(fmt.Sprintf(w.Undelivered, who, text))
		case "drained":
			if ended, cutOff, ok := inspector.DrainOf(e); ok {
				r.warn(fmt.Sprintf(n.Drained, who, ended, cutOff))
			}
		}
	}
}

// hearAgent says what has become settled of an agent's conversation. What others say to
// the person comes into the inbox, and what they say to each other is said where it
// arrives.
func (r *room) hearAgent(id society.AgentID, entries []conversation.Entry) {
	if r.hearing == hearMine {
		return
	}
	for _, said := range r.speaker.Speak(r.row(id), entries) {
		whole := r.hearing == hearAll || id == r.to || said.From == r.to && r.to != society.Root
		switch {
		case said.Manner == transcript.Heard && said.From != society.User:
			if whole {
				r.sayMessage(said)
			} else {
				r.sayFirst(id, said)
			}
		case !whole:
		case said.Manner == transcript.Spoke && len(said.To) == 0:
			r.sayMessage(said)
		case said.Manner == transcript.Used && (!said.Well || r.hearing == hearAll):
			r.say(said.Head + r.words.plain.End)
		}
	}
}

// sayMessage says all of a message.
func (r *room) sayMessage(said transcript.Spoken) {
	r.sayUnder(said.Head, said.Text)
	r.sayReplies(said.Replies)
}

// sayReplies lists what can be answered with a number.
func (r *room) sayReplies(replies []string) {
	if len(replies) == 0 {
		return
	}
	r.say(r.words.plain.Choose)
	for i, reply := range replies {
		r.say(fmt.Sprintf("  %d: %s", i+1, reply))
	}
}

// sayFirst says who speaks to whom, and how it begins.
func (r *room) sayFirst(id society.AgentID, said transcript.Spoken) {
	first, _, more := strings.Cut(strings.TrimSpace(said.Text), "\n")
	short := sanitize.Line(first, firstCells)
	text := said.Head + ": " + short
	if more || short != strings.Join(strings.Fields(first), " ") {
		text += " " + fmt.Sprintf(r.words.plain.ReadOn, id)
	}
	r.say(text)
}

// greet says, once the society is there, how it stands and what can be done.
func (r *room) greet() {
	w, app, n := r.words.plain, r.words.app, r.words.notices
	total := r.replica.Total()
	r.say(fmt.Sprintf(w.Opened, total.Sum(), r.replica.Name(r.to)))
	if root := r.row(society.Root); root.Next == 0 && root.Waiting == 0 {
		r.say(app.Welcome)
		if r.cfg.Offline {
			r.say(app.WelcomeOffline + " " + app.WelcomeSet)
		} else {
			r.say(fmt.Sprintf(app.WelcomeModel, r.replica.Model()))
		}
	}
	before := r.cfg.Started
	for _, part := range []struct {
		form string
		n    int
	}{{n.GoOn, before.AtWork}, {n.StayPaused, before.Paused}, {n.StayStopped, before.Stopped}} {
		if part.n > 0 {
			r.warn(fmt.Sprintf(part.form, part.n))
		}
	}
	r.planted()
	r.say(sanitize.Line(r.cfg.Notice, 4*doingCells))
	if need := r.replica.NeedYou(); len(need) > 0 {
		r.say(fmt.Sprintf(w.Need, len(need)))
	}
}

// planted says what came of a template that was to be planted.
func (r *room) planted() {
	p := r.cfg.Planted
	if p == nil {
		return
	}
	name := sanitize.Line(p.Template, nameCells)
	switch {
	case p.Err != nil:
		r.tell(r.actions.NoticeFor(p.Err))
	case len(p.Result.Agents) > 0:
		r.say(fmt.Sprintf(r.words.plain.Planted, name, r.actions.Names(p.Result.Agents)))
	default:
		r.say(fmt.Sprintf(r.words.plain.PlantedBefore, name))
	}
}

// open makes an agent the one that gets what is written.
func (r *room) open(id society.AgentID) {
	if id == society.User {
		id = society.Root // what the person writes to themselves, root gets
	}
	r.to = id
	r.say(fmt.Sprintf(r.words.plain.WritesTo, r.replica.Name(id), r.state(id)))
	row := r.row(id)
	if row.Asks {
		r.say(fmt.Sprintf(r.words.plain.AskedYou, row.Question))
		r.sayReplies(row.Replies)
	}
}

// state says in words what an agent does.
func (r *room) state(id society.AgentID) string {
	row := r.row(id)
	return symbols.Word(&row, r.words.symbols, r.replica.Name)
}

// agents lists all of them, each below its parent.
func (r *room) agents() {
	for _, id := range r.replica.Subtree(society.Root) {
		row := r.row(id)
		parts := []string{r.state(id)}
		if row.State.Active() && row.Doing != "" {
			parts = append(parts, strings.TrimRight(row.Doing, ".。"))
		}
		if row.Waiting > 0 {
			parts = append(parts, fmt.Sprintf(r.words.symbols.Queue, row.Waiting))
		}
		if id == r.to {
			parts = append(parts, r.words.plain.Writing)
		}
		name := r.replica.Name(id)
		if row.Role != "" && !strings.EqualFold(row.Role, name) {
			name += " (" + row.Role + ")"
		}
		said := strings.Join(slices.Compact(parts), r.words.app.Comma)
		r.say(strings.Repeat("  ", row.Depth) + name + r.words.plain.Colon + said + r.words.plain.End)
	}
}
