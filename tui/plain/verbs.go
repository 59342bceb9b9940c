package plain

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"society-tui/runtime/society"
	"society-tui/tui"
	"society-tui/tui/action"
)

// A question waits for the next line.
type question struct{ answer func(line string) }

// among says whether a line is one of these words.
func among(words []string, line string) bool {
	return slices.Contains(words, strings.ToLower(line))
}

// slashVerb is a command that does something to an agent.
func (r *room) slashVerb(v action.Verb) func(rest string) {
	return func(rest string) {
		if id, ok := r.named(rest); ok {
			r.verb(v, id)
		}
	}
}

// verb gives an order for an agent, after asking where something would be lost.
func (r *room) verb(v action.Verb, id society.AgentID) {
	ids := []society.AgentID{id}
	if why := r.actions.Refused(v, ids); !why.Empty() {
		r.tell(why)
		return
	}
	if v == action.Retry {
		if none := r.actions.NothingToRetry(ids); !none.Empty() {
			r.tell(none)
			return
		}
	}
	if cost := r.actions.CostOf(v, ids); v.Asks(cost) || cutsShort(v, cost) {
		r.askOrder(v, ids, cost)
		return
	}
	r.order(r.actions.Build(v, ids))
}

// cutsShort reports whether a stop would throw away what an agent is doing. On the
// screen that is seen beside the key that does it; in lines it is not, so it is asked.
func cutsShort(v action.Verb, t action.Cost) bool {
	return v == action.Stop && t.Answers+t.Calls > 0
}

// askOrder asks before an order that costs something. What it would take is counted
// again with the answer: where that has become more, it asks again.
func (r *room) askOrder(v action.Verb, ids []society.AgentID, cost action.Cost) {
	w, q := r.words.plain, r.actions.Ask(v, ids, cost)
	r.say(q.Title)
	r.say(strings.Join(slices.DeleteFunc([]string{q.Body, q.Lost, q.Waiters}, func(s string) bool { return s == "" }), " "))
	if len(q.Agents) > 1 {
		const most = 24
		named := r.actions.Names(q.Agents[:min(len(q.Agents), most)])
		if more := len(q.Agents) - most; more > 0 {
			named += r.words.app.Comma + fmt.Sprintf(r.words.app.MoreAgents, more)
		}
		r.say(named)
	}
	confirm := func(line string) bool { return among(w.Yes, line) }
	if q.Number > 0 {
		confirm = func(line string) bool { return line == strconv.Itoa(q.Number) }
		r.say(fmt.Sprintf(w.TypeNumber, q.Number))
	} else {
		r.say(w.YesOrNo)
	}
	r.asks = &question{func(line string) {
		if !confirm(line) {
			r.say(w.NothingDone)
			return
		}
		if why := r.actions.Refused(v, ids); !why.Empty() {
			r.tell(why)
			return
		}
		if now := r.actions.CostOf(v, ids); len(now.Agents) > len(cost.Agents) {
			r.say(fmt.Sprintf(r.words.app.Grown, len(cost.Agents)))
			r.askOrder(v, ids, now)
			return
		}
		r.order(r.actions.Build(v, ids))
	}}
}

// order gives an order, and says what came of it.
func (r *room) order(o action.Action) {
	for _, id := range o.Agents {
		r.work(func(ctx context.Context) func() {
			answered := o.Do(ctx, id)
			return func() { r.ordered(o, answered()) }
		})
	}
}

// ordered says what came of an order.
func (r *room) ordered(o action.Action, done action.Outcome) {
	if done.Err != nil {
		r.tell(r.actions.RefusedTo(o.Verb, done))
		return
	}
	r.tell(o.Summarize([]action.Outcome{done}))
	if o.Ended != nil && o.Ended(done.Agent) {
		r.replica.Remove(r.replica.Subtree(done.Agent)) // the news of it comes a moment later
		r.checkReceiver()
	}
}

// askResume asks whether to take a stopped agent up for a text. The text is not kept
// by anybody else, so it is said again if it is not sent.
func (r *room) askResume(cmd society.Send) {
	w, who := r.words.plain, r.replica.Name(cmd.To)
	r.say(fmt.Sprintf(r.words.app.StoppedTitle, who) + w.End + " " + w.ResumeAsk)
	r.say(w.YesOrNo)
	r.asks = &question{func(line string) {
		if !among(w.Yes, line) {
			r.say(fmt.Sprintf(w.NotSent, who))
			r.say(cmd.Text)
			return
		}
		cmd.Resume = true
		r.send(cmd)
	}}
}

// twice is within which a second ctrl+c is one that leaves.
const twice = 2 * time.Second

// interrupted takes ctrl+c: it interrupts nobody, for whom would be a guess. The first
// one says what there is, and takes back a question and what was written so far; a
// second one leaves.
func (r *room) interrupted() {
	now := time.Now()
	again := now.Sub(r.pressed) < twice
	r.pressed = now
	if again {
		r.leave(false)
		return
	}
	if r.asks != nil || len(r.draft) > 0 {
		r.asks, r.draft = nil, nil
		r.say(r.words.plain.NothingDone)
	}
	r.say(r.words.plain.CtrlC)
}

// slashQuit leaves, after asking where agents are at work.
func (r *room) slashQuit() {
	w, app := r.words.plain, r.words.app
	total := r.replica.Total()
	if total.Busy() == 0 && r.replica.Unsaved() == "" {
		r.leave(false)
		return
	}
	said := []string{app.QuitTitle, fmt.Sprintf(app.QuitRunning, total.Busy()) + w.End}
	if r.replica.Unsaved() != "" {
		said = append(said, app.QuitUnsaved)
	} else {
		said = append(said, app.QuitSaved)
	}
	r.say(strings.Join(said, " "))
	r.say(w.QuitChoose)
	r.asks = &question{func(line string) {
		switch {
		case among(w.Yes, line):
			r.leave(false)
		case among(w.Pauses, line):
			r.leave(true)
		default:
			r.say(w.NothingDone)
		}
	}}
}

// leave ends the society in order; what it still says is written until it has ended.
func (r *room) leave(pause bool) {
	if r.leaving {
		return
	}
	r.leaving, r.result.Pause = true, pause
	if r.cfg.Leave == nil {
		r.left = true
		return
	}
	r.say(r.words.plain.Leaving)
	r.work(func(ctx context.Context) func() {
		err := r.cfg.Leave(ctx, tui.Leaving{Pause: pause})
		return func() {
			r.tell(r.actions.NoticeFor(err))
			r.left = true
		}
	})
}
