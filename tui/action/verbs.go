package action

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
)

// Order makes an order of a verb for agents that are here and of which none stands
// below another, unless the verb is for each one alone: see Alone.
func (d *Desk) Order(v Verb, ids []society.AgentID) Order {
	switch v {
	case Interrupt:
		return d.interrupt(ids)
	case Pause:
		return d.pause(ids)
	case Stop:
		return d.stop(ids)
	case Retry:
		return d.retry(ids)
	case Terminate:
		return d.terminate(ids)
	}
	return d.resume(ids)
}

// Alone says whether the verb is for each agent alone; others take those below along.
func (v Verb) Alone() bool { return v == Interrupt || v == Pause }

// answered is the reply of one agent's command.
type answered[R society.Reply] struct {
	agent society.AgentID
	reply R
}

// newOrder makes the order whose command for an agent is cmd: came says what came of
// the replies.
func newOrder[C society.Request[R], R society.Reply](d *Desk, v Verb, ids []society.AgentID, form string, cmd func(society.AgentID) C, came func([]answered[R]) Notice) Order {
	replies := make(map[society.AgentID]R)
	do := func(ctx context.Context, s api.Society, id society.AgentID) func() Done {
		reply, err := api.Do(ctx, s, society.Request[R](cmd(id)))
		return func() Done {
			replies[id] = reply
			return Done{Agent: id, Err: err}
		}
	}
	return Order{
		Verb: v, Agents: ids, Doing: fmt.Sprintf(form, d.Names(ids)), Do: do,
		Came: func(well []Done) Notice {
			all := make([]answered[R], len(well))
			for i, done := range well {
				all[i] = answered[R]{done.Agent, replies[done.Agent]}
			}
			return came(all)
		},
	}
}

func (d *Desk) interrupt(ids []society.AgentID) Order {
	n := d.Notices
	o := newOrder(d, Interrupt, ids, n.Interrupting,
		func(id society.AgentID) society.Interrupt { return society.Interrupt{Agent: id} },
		func(well []answered[society.Interruption]) Notice {
			var cut, idle []society.AgentID
			waiting, unsaved := 0, false
			for _, done := range well {
				i := done.reply
				if i.Was {
					cut = append(cut, done.agent)
					waiting += i.Waiting
				} else {
					idle = append(idle, done.agent)
				}
				unsaved = unsaved || i.Unsaved
			}
			var all Notice
			if len(cut) > 0 {
				all = Notice{Told, fmt.Sprintf(n.Interrupted, d.Names(cut), waiting), n.HintResumeInterrupted}
			}
			if len(idle) > 0 {
				all = all.And(d.nothingRan(idle), d.Dot)
			}
			return d.markUnsaved(all, unsaved)
		})
	o.Holds = func() (bool, Notice) { return len(d.paused(ids)) > 0, Notice{} }
	return o
}

// paused are those of ids that are, or are about to be when what they are at has ended.
func (d *Desk) paused(ids []society.AgentID) []society.AgentID {
	return slices.DeleteFunc(slices.Clone(ids), func(id society.AgentID) bool {
		row, _ := d.Tree.Row(id)
		return row.Paused == ""
	})
}

// pause lets agents come to rest without cutting anything short. Of those that
// are at work it says so: they rest only at the next border.
func (d *Desk) pause(ids []society.AgentID) Order {
	n := d.Notices
	asked := false // there was one that could not rest at once
	o := newOrder(d, Pause, ids, n.Pausing,
		func(id society.AgentID) society.PauseAgent { return society.PauseAgent{Agent: id} },
		func(well []answered[society.Pausing]) Notice {
			var soon, now, before []society.AgentID
			for _, done := range well {
				p := done.reply
				switch {
				case !p.Changed:
					before = append(before, done.agent)
				case p.Busy:
					asked = true
					soon = append(soon, done.agent)
				default:
					now = append(now, done.agent)
				}
			}
			var all Notice
			for _, part := range []struct {
				ids          []society.AgentID
				one, several string
			}{{soon, n.PausesSoon, n.PauseSoon}, {now, n.PausedNow, n.PausedNow}, {before, n.WasPaused, n.WerePaused}} {
				if len(part.ids) > 0 {
					all = all.And(Notice{Told, fmt.Sprintf(OfThem(part.ids, part.one, part.several), d.Names(part.ids)), n.HintResumeInterrupted}, d.Dot)
				}
			}
			return all
		})
	o.Holds = func() (bool, Notice) {
		paused := d.paused(ids)
		rest := !slices.ContainsFunc(paused, func(id society.AgentID) bool {
			row, _ := d.Tree.Row(id)
			return row.State.Active()
		})
		switch {
		case len(paused) == 0:
			return false, Notice{}
		case asked && rest:
			return false, Notice{Told, fmt.Sprintf(n.PausedNow, d.Names(paused)), n.HintResumeInterrupted}
		}
		return true, Notice{}
	}
	return o
}

// nothingRan says of agents that were to be interrupted that they did not work:
// of those that are paused, how they go on.
func (d *Desk) nothingRan(ids []society.AgentID) Notice {
	n := d.Notices
	paused := slices.ContainsFunc(ids, func(id society.AgentID) bool {
		row, _ := d.Tree.Row(id)
		return row.Paused != ""
	})
	if paused {
		return Notice{Told, fmt.Sprintf(OfThem(ids, n.NothingRan, n.NoneRan), d.Names(ids)), n.HintResumeInterrupted}
	}
	return Notice{Told, fmt.Sprintf(OfThem(ids, n.NothingRan, n.NoneRan), d.Names(ids)), ""}
}

// markUnsaved adds to what came of a verb that it is not on disk, which says also that
// nothing is being saved.
func (d *Desk) markUnsaved(n Notice, unsaved bool) Notice {
	if unsaved {
		n.Level, n.Hint = Warned, d.Notices.HintUnsaved
	}
	return n
}

// markAbandoned adds whose work did not end in time.
func (d *Desk) markAbandoned(n Notice, ids []society.AgentID) Notice {
	if len(ids) == 0 {
		return n
	}
	slices.Sort(ids)
	return n.And(Notice{Warned, fmt.Sprintf(d.Notices.Abandoned, d.Names(slices.Compact(ids))), ""}, d.Dot)
}

func (d *Desk) stop(ids []society.AgentID) Order {
	n := d.Notices
	var rested []society.AgentID // before: a result does not say it of the agent itself
	for _, id := range ids {
		if row, _ := d.Tree.Row(id); row.State.Ended() {
			rested = append(rested, id)
		}
	}
	waited := d.waitFor(ids)
	asked := d.Toll(ids).Waiting
	return newOrder(d, Stop, ids, n.Stopping,
		func(id society.AgentID) society.Stop { return society.Stop{Agent: id} },
		func(well []answered[society.StopResult]) Notice {
			agents, dropped, unsaved := 0, 0, false
			var before, abandoned []society.AgentID
			for _, done := range well {
				s := done.reply
				agents += len(s.CascadeStopped)
				dropped += s.Dropped
				unsaved = unsaved || s.Unsaved
				abandoned = append(abandoned, s.Abandoned...)
				switch {
				case !s.Stopped:
					before = append(before, done.agent)
				case !slices.Contains(rested, done.agent):
					agents++
				}
			}
			var all Notice
			if agents > 0 {
				all = Notice{Told, fmt.Sprintf(n.Stopped, agents, dropped), n.HintResume}
			} else {
				all = Notice{Told, fmt.Sprintf(n.WasStopped, d.Names(before)), n.HintResume}
			}
			if agents > 0 {
				all.Text += d.readBefore(asked-dropped) + d.waitedFor(waited)
			}
			return d.markUnsaved(d.markAbandoned(all, abandoned), unsaved)
		})
}

// readBefore says of messages that were to be dropped, and were not, why.
func (d *Desk) readBefore(messages int) string {
	if messages <= 0 {
		return ""
	}
	return d.Dot + fmt.Sprintf(d.Notices.ReadBefore, messages)
}

// waitedFor says who waited in vain.
func (d *Desk) waitedFor(ids []society.AgentID) string {
	if len(ids) == 0 {
		return ""
	}
	return d.Dot + fmt.Sprintf(d.Notices.WaitedFor, d.few(ids))
}

// together are agents and all below them.
func (d *Desk) together(ids []society.AgentID) map[society.AgentID]bool {
	those := make(map[society.AgentID]bool)
	for _, id := range ids {
		for _, below := range d.Tree.Subtree(id) {
			those[below] = true
		}
	}
	return those
}

// waitFor are the agents that wait for one of these or of those below them, and are
// none of them. A stop or a termination ends their waiting, and tells them nothing
// (S001 P5).
func (d *Desk) waitFor(ids []society.AgentID) []society.AgentID {
	those := d.together(ids)
	var waiting []society.AgentID
	for _, id := range d.Tree.Subtree(society.Root) {
		row, _ := d.Tree.Row(id)
		if !those[id] && slices.ContainsFunc(row.WaitsOn, func(on society.AgentID) bool { return those[on] }) {
			waiting = append(waiting, id)
		}
	}
	return waiting
}

func (d *Desk) resume(ids []society.AgentID) Order {
	n := d.Notices
	hint := ""
	if slices.ContainsFunc(d.Toll(ids).Agents, d.isStopped) {
		hint = n.HintWrite // what they were asked before the stop is not taken up
	}
	return newOrder(d, Resume, ids, n.Resuming,
		func(id society.AgentID) society.Resume { return society.Resume{Agent: id} },
		func(well []answered[society.Resumption]) Notice {
			if up := resumed(well); len(up) > 0 {
				return Notice{Told, fmt.Sprintf(n.Resumed, len(up)) + d.others(ids, up), hint}
			}
			return Notice{Told, fmt.Sprintf(n.NothingResumed, d.Names(ids)), ""}
		})
}

func (d *Desk) isStopped(id society.AgentID) bool {
	row, _ := d.Tree.Row(id)
	return row.State == society.Stopped
}

// resumed are those that orders took up.
func resumed(well []answered[society.Resumption]) []society.AgentID {
	var agents []society.AgentID
	for _, done := range well {
		agents = append(agents, done.reply.Agents...)
	}
	return agents
}

// others says behind a count who they are, unless it is the one that was chosen.
func (d *Desk) others(chosen, ids []society.AgentID) string {
	if slices.Equal(chosen, ids) && len(ids) == 1 {
		return ""
	}
	return d.named(ids)
}

// Several says behind a count of several agents who they are, so that what was done to
// one that was not chosen by itself is seen.
func (d *Desk) Several(ids []society.AgentID) string {
	if len(ids) < 2 {
		return ""
	}
	return d.named(ids)
}

// named are the first of several agents in brackets.
func (d *Desk) named(ids []society.AgentID) string { return " (" + d.few(ids) + ")" }

// few names the first of several agents, and says how many more there are.
func (d *Desk) few(ids []society.AgentID) string { return d.fewBy(ids, d.Tree.Name) }

func (d *Desk) fewBy(ids []society.AgentID, name func(society.AgentID) string) string {
	const most = 5
	var named []string
	for _, id := range ids[:min(len(ids), most)] {
		named = append(named, name(id))
	}
	if more := len(ids) - most; more > 0 {
		named = append(named, fmt.Sprintf(d.App.MoreAgents, more))
	}
	return strings.Join(named, d.App.Comma)
}

// retry resumes too, for that asks the model again where a turn had failed; but
// it speaks of trying, and leaves alone what has not failed.
func (d *Desk) retry(ids []society.AgentID) Order {
	n := d.Notices
	return newOrder(d, Retry, ids, n.Retrying,
		func(id society.AgentID) society.Resume { return society.Resume{Agent: id} },
		func(well []answered[society.Resumption]) Notice {
			up, again := resumed(well), triedAgain(well)
			if len(up) == 0 {
				return d.nothingToRetry(ids)
			}
			var all Notice
			if len(again) > 0 {
				all = Notice{Told, fmt.Sprintf(n.Retried, len(again)) + d.others(ids, again), ""}
			}
			up = slices.DeleteFunc(up, func(id society.AgentID) bool { return slices.Contains(again, id) })
			if len(up) > 0 {
				all = all.And(Notice{Told, fmt.Sprintf(n.ResumedOnly, len(up)) + d.others(ids, up), n.HintGoOn}, d.Dot)
			}
			return all
		})
}

// triedAgain are those whose turn goes on where it was cut short or had failed.
func triedAgain(well []answered[society.Resumption]) []society.AgentID {
	var agents []society.AgentID
	for _, done := range well {
		agents = append(agents, done.reply.Again...)
	}
	return agents
}

func (d *Desk) nothingToRetry(ids []society.AgentID) Notice {
	said := Notice{Told, fmt.Sprintf(OfThem(ids, d.Notices.NothingRetried, d.Notices.NoneRetried), d.Names(ids)), d.Notices.HintGoOn}
	if slices.ContainsFunc(ids, func(id society.AgentID) bool { row, _ := d.Tree.Row(id); return row.State.Active() }) {
		said.Hint = "" // it goes on by itself
	}
	return said
}

// NothingToRetry says that no turn of agents, nor of those below them, failed; the
// empty notice if one did.
func (d *Desk) NothingToRetry(ids []society.AgentID) Notice {
	if slices.ContainsFunc(ids, d.CanRetry) {
		return Notice{}
	}
	return d.nothingToRetry(ids)
}

// CanRetry says whether a turn of the agent, or of one below it, failed or was
// halted.
func (d *Desk) CanRetry(id society.AgentID) bool {
	return slices.ContainsFunc(d.Tree.Subtree(id), func(below society.AgentID) bool {
		row, _ := d.Tree.Row(below)
		return row.Error != "" || Halted(&row)
	})
}

func (d *Desk) terminate(ids []society.AgentID) Order {
	n := d.Notices
	toll := d.Toll(ids)
	waited, asked := d.waitFor(ids), toll.Waiting
	names := make(map[society.AgentID]string, len(toll.Agents)) // which nobody knows when they are gone
	for _, id := range toll.Agents {
		names[id] = d.Tree.Name(id)
	}
	nameOf := func(id society.AgentID) string { return cmp.Or(names[id], d.Tree.Name(id)) }
	gone := make(map[society.AgentID]bool)
	o := newOrder(d, Terminate, ids, n.Terminating,
		func(id society.AgentID) society.Terminate { return society.Terminate{Agent: id, By: society.User} },
		func(well []answered[society.TerminateResult]) Notice {
			dropped, unsaved := 0, false
			var ended, before, abandoned []society.AgentID
			for _, done := range well {
				s := done.reply
				if s.Terminated {
					gone[done.agent] = true
					ended = append(append(ended, done.agent), s.CascadeTerminated...)
					dropped += s.Dropped
				} else {
					before = append(before, done.agent)
				}
				unsaved = unsaved || s.Unsaved
				abandoned = append(abandoned, s.Abandoned...)
			}
			var all Notice
			if len(ended) > 0 {
				all = Notice{Told, fmt.Sprintf(n.Terminated, len(ended)) + " (" + d.fewBy(ended, nameOf) + ")", ""}
				if dropped > 0 {
					all.Text += fmt.Sprintf(n.WithDropped, dropped)
				}
				all.Text += d.readBefore(asked-dropped) + d.waitedFor(waited)
			} else {
				all = Notice{Told, fmt.Sprintf(OfThem(before, n.WasEnding, n.WereEnding), d.Names(before)), ""}
			}
			return d.markUnsaved(d.markAbandoned(all, abandoned), unsaved)
		})
	o.Ended = func(id society.AgentID) bool { return gone[id] }
	return o
}

// RefusedTo says why an agent was not done to as the person wanted. That an agent
// takes no messages, which its refusal means for a text, is no reason here.
func (d *Desk) RefusedTo(v Verb, done Done) Notice {
	n := d.Notices
	var r *society.Refusal
	if !errors.As(done.Err, &r) {
		return Explain(done.Err, n, d.Tree.Name)
	}
	who := d.Tree.Name(done.Agent)
	row, here := d.Tree.Row(done.Agent)
	switch {
	case r.Code == society.AgentNotFound || !here:
		return Notice{Warned, fmt.Sprintf(n.AlreadyGone, who), ""}
	case r.Code != society.AgentStopped:
		return Explain(done.Err, n, d.Tree.Name)
	case row.State == society.Terminating:
		return Notice{Warned, fmt.Sprintf(n.BeingEnded, who), ""}
	case v == Resume || v == Retry:
		return Notice{Warned, fmt.Sprintf(n.StillStopping, who), n.HintAgain}
	}
	return Notice{Warned, fmt.Sprintf(n.WasStopped, who), n.HintResume}
}
