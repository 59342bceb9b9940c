package plain

import (
	"context"
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

// among reports whether line is one of words.
func among(words []string, line string) bool {
	return slices.Contains(words, strings.ToLower(line))
}

// slashVerb returns the function of a command for an agent.
func (f *frontend) slashVerb(v action.Verb) func(rest string) {
	return func(rest string) {
		if id, ok := f.named(rest); ok {
			f.verb(v, id)
		}
	}
}

// verb runs a verb for an agent, after a question if something would be lost.
func (f *frontend) verb(v action.Verb, id society.AgentID) {
	ids := []society.AgentID{id}
	if why := f.actions.Refused(v, ids); !why.Empty() {
		f.notify(why)
		return
	}
	if v == action.Retry {
		if none := f.actions.NothingToRetry(ids); !none.Empty() {
			f.notify(none)
			return
		}
	}
	if cost := f.actions.CostOf(v, ids); v.Asks(cost) || cutsShort(v, cost) {
		f.confirm(v, ids, cost)
		return
	}
	f.run(f.actions.Build(v, ids))
}

// cutsShort reports whether a stop would discard an agent's work. The screen
// shows that beside the key; plain mode asks.
func cutsShort(v action.Verb, t action.Cost) bool {
	return v == action.Stop && t.Answers+t.Calls > 0
}

// confirm asks before a verb that costs something. The cost is computed again
// with the answer; if it has grown, it asks again.
func (f *frontend) confirm(v action.Verb, ids []society.AgentID, cost action.Cost) {
	q := f.actions.Ask(v, ids, cost)
	f.say(q.Title)
	f.say(strings.Join(slices.DeleteFunc([]string{q.Body, q.Lost, q.Waiters}, func(s string) bool { return s == "" }), " "))
	if len(q.Agents) > 1 {
		const most = 24
		named := f.actions.Names(q.Agents[:min(len(q.Agents), most)])
		if more := len(q.Agents) - most; more > 0 {
			named += f.printer.T(textComma) + f.printer.T(textMore, more)
		}
		f.say(named)
	}
	confirm := func(line string) bool { return among(yes, line) }
	if q.Number > 0 {
		confirm = func(line string) bool { return line == strconv.Itoa(q.Number) }
		f.say(f.printer.T(textTypeNumber, q.Number))
	} else {
		f.say(f.printer.T(textYesOrNo))
	}
	f.asks = &question{func(line string) {
		if !confirm(line) {
			f.say(f.printer.T(textNothingDone))
			return
		}
		if why := f.actions.Refused(v, ids); !why.Empty() {
			f.notify(why)
			return
		}
		if now := f.actions.CostOf(v, ids); len(now.Agents) > len(cost.Agents) {
			f.say(f.actions.Grown(len(cost.Agents)))
			f.confirm(v, ids, now)
			return
		}
		f.run(f.actions.Build(v, ids))
	}}
}

// run runs an action, and prints its outcome.
func (f *frontend) run(o action.Action) {
	for _, id := range o.Agents {
		f.work(func(ctx context.Context) func() {
			answered := o.Do(ctx, id)
			return func() { f.onOutcome(o, answered()) }
		})
	}
}

// onOutcome prints the outcome of a verb for an agent.
func (f *frontend) onOutcome(o action.Action, done action.Outcome) {
	if done.Err != nil {
		f.notify(f.actions.RefusedTo(o.Verb, done))
		return
	}
	f.notify(o.Summarize([]action.Outcome{done}))
	if o.Ended != nil && o.Ended(done.Agent) {
		f.replica.Remove(f.replica.Subtree(done.Agent)) // its removal is announced later
		f.checkReceiver()
	}
}

// askResume asks whether to resume a stopped agent for a text. If it is not
// sent, the text is printed again, because nothing else keeps it.
func (f *frontend) askResume(cmd society.Send) {
	who := f.replica.Name(cmd.To)
	f.say(f.printer.T(textStopped, who))
	f.say(f.printer.T(textYesOrNo))
	f.asks = &question{func(line string) {
		if !among(yes, line) {
			f.say(f.printer.T(textNotSent, who))
			f.say(cmd.Text)
			return
		}
		cmd.Resume = true
		f.send(cmd)
	}}
}

// twice is the interval in which a second ctrl+c leaves.
const twice = 2 * time.Second

// interrupted handles ctrl+c. It interrupts no agent, because which one would
// be a guess. The first one explains the commands and drops a question or a
// draft; a second one leaves.
func (f *frontend) interrupted() {
	now := time.Now()
	again := now.Sub(f.pressed) < twice
	f.pressed = now
	if again {
		f.leave(false)
		return
	}
	if f.asks != nil || len(f.draft) > 0 {
		f.asks, f.draft = nil, nil
		f.say(f.printer.T(textNothingDone))
	}
	f.say(f.printer.T(textCtrlC))
}

// slashQuit leaves, after a question if agents are working.
func (f *frontend) slashQuit() {
	total := f.replica.Total()
	if total.Busy() == 0 && f.replica.Unsaved() == "" {
		f.leave(false)
		return
	}
	said := []string{f.printer.T(textQuitTitle), f.actions.Working(int(total.Busy()))}
	if f.replica.Unsaved() != "" {
		said = append(said, f.printer.T(textQuitUnsaved))
	} else {
		said = append(said, f.printer.T(textQuitSaved))
	}
	f.say(strings.Join(said, " "))
	f.say(f.printer.T(textQuitChoose))
	f.asks = &question{func(line string) {
		switch {
		case among(yes, line):
			f.leave(false)
		case among(pauses, line):
			f.leave(true)
		default:
			f.say(f.printer.T(textNothingDone))
		}
	}}
}

// leave shuts the society down; its output is printed until it has ended.
func (f *frontend) leave(pause bool) {
	if f.leaving {
		return
	}
	f.leaving, f.result.Pause = true, pause
	if f.cfg.Leave == nil {
		f.left = true
		return
	}
	f.say(f.printer.T(textLeaving))
	f.work(func(ctx context.Context) func() {
		err := f.cfg.Leave(ctx, tui.Leaving{Pause: pause})
		return func() {
			f.notify(f.actions.NoticeFor(err))
			f.left = true
		}
	})
}
