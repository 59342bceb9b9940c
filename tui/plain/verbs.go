package plain

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/text/width"

	"society-tui/runtime/i18n"
	"society-tui/runtime/society"
	"society-tui/tui"
	"society-tui/tui/action"
	"society-tui/tui/sanitize"
	"society-tui/tui/symbols"
)

// A question waits for the next line.
type question struct {
	answer func(line string)
	// whole is set if each line is an answer, even one that looks like a command. dropped is
	// called if there is none.
	whole   bool
	dropped func()
	// mayStay is set if the end of the input leaves nothing undone without an answer.
	mayStay bool
}

// among reports whether line is one of words.
func among(words []string, line string) bool {
	return slices.Contains(words, strings.ToLower(width.Fold.String(line)))
}

// act runs an action, after a question if something would be lost.
func (f *frontend) act(o action.Action) {
	switch {
	case !o.Refused.Empty():
		f.notify(o.Refused)
	case o.Asks() || cutsShort(&o):
		f.confirm(&o)
	default:
		f.run(&o)
	}
}

// cutsShort reports whether a stop would discard an agent's work. The screen
// shows that beside the key; plain mode asks.
func cutsShort(o *action.Action) bool {
	return o.Verb == action.Stop && o.Cost.Answers+o.Cost.Calls > 0
}

// confirm asks before an action that costs something. The cost is computed
// again with the answer; if it has grown, it asks again.
func (f *frontend) confirm(o *action.Action) {
	q := f.actions.Ask(o)
	f.say(q.Title)
	f.say(strings.Join(slices.DeleteFunc([]string{q.Body, q.Lost, q.Waiters}, func(s string) bool { return s == "" }), " "))
	if len(q.Agents) > 1 {
		const most = 24
		named := f.actions.Names(q.Agents[:min(len(q.Agents), most)])
		if more := len(q.Agents) - most; more > 0 {
			named += f.printer.T(symbols.TextComma) + f.printer.T(action.TextMoreAgents, more)
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
	f.asks = &question{answer: func(line string) {
		if !confirm(line) {
			f.declined(line)
			return
		}
		now := o.For(o.Chosen)
		switch {
		case !now.Refused.Empty():
			f.notify(now.Refused)
		case len(now.Cost.Agents) > len(o.Cost.Agents):
			f.say(f.actions.Grown(len(o.Cost.Agents)))
			f.confirm(&now)
		default:
			f.run(&now)
		}
	}}
}

// run runs an action, and prints its outcome.
func (f *frontend) run(o *action.Action) {
	f.script.sent = true
	if o.Verb == action.Other { // it may take long
		f.say(o.Progress)
	}
	for _, id := range o.Agents {
		f.work(func(ctx context.Context) func() {
			answered := o.Do(ctx, id)
			return func() { f.onOutcome(o, answered()) }
		})
	}
}

// onOutcome prints the outcome of an action for an agent.
func (f *frontend) onOutcome(o *action.Action, done action.Outcome) {
	switch {
	case done.Err != nil && o.Text != "":
		f.notSent(done.Agent, o.Text, o.Explain(done))
		return
	case done.Err != nil:
		f.notify(o.Explain(done))
		return
	}
	f.notify(o.Summarize([]action.Outcome{done}))
	switch o.Verb {
	case action.Interrupt, action.Pause, action.Stop, action.Resume, action.Retry:
		f.awaitEffect(func() bool { return f.actions.Blocked(o.Verb, []society.AgentID{done.Agent}) != "" })
	case action.Other, action.Fork:
		f.awaitChanges()
	}
	if o.Ended != nil && o.Ended(done.Agent) {
		f.replica.Remove(f.replica.Subtree(done.Agent)) // its removal is announced later
		f.checkReceiver()
	}
}

// askResume asks whether to resume a stopped agent for a text. If not,
// the text is printed again.
func (f *frontend) askResume(cmd society.Send) {
	who := f.replica.Name(cmd.To)
	f.say(f.printer.T(textStopped, who))
	f.say(f.printer.T(textYesOrNo))
	f.asks = &question{answer: func(line string) {
		if !among(yes, line) {
			f.countAnswer(line)
			f.notSent(cmd.To, cmd.Text, action.Notice{})
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
		f.leave(tui.Leaving{})
		return
	}
	if f.asks != nil || len(f.draft) > 0 {
		if f.asks != nil && f.asks.dropped != nil {
			f.asks.dropped()
		}
		f.asks, f.draft = nil, nil
		f.say(f.printer.T(textNothingDone))
	}
	f.say(f.printer.T(textCtrlC))
}

// quit leaves, after a question if agents are working or background processes would end.
func (f *frontend) quit() {
	if f.script.reads && f.script.sent {
		f.end()
		return
	}
	total := f.replica.Total()
	end := f.actions.ProcessesEnd()
	if total.Busy() == 0 && end == "" && f.replica.Unsaved() == "" || f.cfg.Attached != "" { // which goes on
		f.leave(tui.Leaving{})
		return
	}
	said := []string{f.printer.T(action.TextQuitTitle), f.actions.Working(int(total.Busy()))}
	if end != "" {
		said = append(said, end)
	}
	if f.replica.Unsaved() != "" {
		said = append(said, f.printer.T(action.TextQuitUnsaved))
	} else {
		said = append(said, f.printer.T(textQuitSaved))
	}
	f.say(strings.Join(said, " "))
	f.say(f.printer.T(textQuitChoose))
	f.asks = &question{mayStay: true, answer: func(line string) {
		switch {
		case among(yes, line):
			f.leave(tui.Leaving{})
		case among(pauses, line):
			f.leave(tui.Leaving{Pause: true})
		default:
			f.declined(line)
		}
	}}
}

// detach leaves the agents at work in the background, if that can go on with them.
func (f *frontend) detach() {
	switch {
	case f.cfg.Detach == nil:
		f.say(f.printer.T(textNotRunHere))
		return
	case f.replica.Unsaved() != "":
		f.say(f.printer.T(action.TextQuitUnsaved))
		return
	case f.detaching:
		return
	}
	f.detaching = true
	f.say(f.printer.T(textDetaching))
	f.work(func(ctx context.Context) func() {
		err := f.cfg.Detach(ctx)
		return func() {
			f.detaching = false
			if err != nil {
				f.say(f.printer.T(textNotDetached, sanitize.Line(i18n.Error(f.cfg.Lang, err), 2*doingCells)))
				if f.inputEnded {
					f.end()
				}
				return
			}
			f.leave(tui.Leaving{Background: true})
		}
	})
}

// awaitDelay tells why leaving takes long.
func (f *frontend) awaitDelay(ctx context.Context) func() {
	select {
	case why := <-f.cfg.Delays:
		return func() { f.say(sanitize.Line(why, doingCells)) }
	case <-ctx.Done():
		return func() {}
	}
}

// leave shuts the society down; its output is printed until it has ended.
func (f *frontend) leave(how tui.Leaving) {
	if f.leaving {
		return
	}
	f.leaving, f.result.Leaving = true, how
	if f.cfg.Leave == nil {
		f.left = true
		return
	}
	if f.cfg.Attached != "" {
		f.say(f.printer.T(textDetached))
	} else {
		f.say(f.printer.T(textLeaving))
	}
	if how.Background {
		f.work(f.awaitDelay)
	}
	f.work(func(ctx context.Context) func() {
		err := f.cfg.Leave(ctx, how)
		return func() {
			f.notify(f.actions.NoticeFor(err))
			f.left = true
		}
	})
}
