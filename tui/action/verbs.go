package action

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
	"society-tui/tui/symbols"
)

// Make makes the action of a verb for agents. Descendants of others of them are
// dropped if the verb includes them.
func (b *Builder) Make(v Verb, chosen []society.AgentID) Action {
	if why := b.refusedVerb(v, chosen); !why.Empty() {
		return Action{Verb: v, Refused: why}
	}
	chosen = b.Present(chosen)
	ids := chosen
	if !v.isAlone() {
		ids = b.withoutDescendants(ids)
	}
	o := b.build(v, ids)
	o.Progress = b.text(progress[v], b.Names(ids))
	o.Chosen, o.For = chosen, func(ids []society.AgentID) Action { return b.Make(v, ids) }
	o.Explain = func(done Outcome) Notice { return b.refusedTo(v, done) }
	if v == Stop || v == Terminate {
		o.Cost = b.costOf(v, ids)
	}
	return o
}

// build makes what is different for each verb.
func (b *Builder) build(v Verb, ids []society.AgentID) Action {
	switch v {
	case Interrupt:
		return b.interrupt(ids)
	case Pause:
		return b.pause(ids)
	case Stop:
		return b.stop(ids)
	case Retry:
		return b.retry(ids)
	case Terminate:
		return b.terminate(ids)
	}
	return b.resume(ids)
}

// isAlone reports whether the verb excludes descendants.
func (v Verb) isAlone() bool { return v == Interrupt || v == Pause }

// answered is the reply of one agent's command.
type answered[R society.Reply] struct {
	agent society.AgentID
	reply R
}

// newAction makes an action from the command for one agent and a summary of the
// replies.
func newAction[C society.Request[R], R society.Reply](b *Builder, v Verb, ids []society.AgentID, cmd func(society.AgentID) C, summarize func([]answered[R]) Notice) Action {
	replies := make(map[society.AgentID]R)
	do := func(ctx context.Context, id society.AgentID) func() Outcome {
		reply, err := api.Do(ctx, b.Client, society.Request[R](cmd(id)))
		return func() Outcome {
			replies[id] = reply
			return Outcome{Agent: id, Err: err}
		}
	}
	return Action{
		Verb: v, Agents: ids, Do: do, Explain: func(done Outcome) Notice { return b.NoticeFor(done.Err) },
		Summarize: func(well []Outcome) Notice {
			all := make([]answered[R], len(well))
			for i, done := range well {
				all[i] = answered[R]{done.Agent, replies[done.Agent]}
			}
			return summarize(all)
		},
	}
}

func (b *Builder) interrupt(ids []society.AgentID) Action {
	o := newAction(b, Interrupt, ids,
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
				all = Notice{Told, b.text(TextInterrupted, b.Names(cut)), b.text(textHintResumeInterrupted)}
				if waiting > 0 {
					all.Text = b.Printer.List([]string{all.Text, b.text(symbols.TextUnread, waiting)})
				}
			}
			if len(idle) > 0 {
				all = all.And(b.nothingRan(idle), b.Dot)
			}
			return b.markUnsaved(all, unsaved)
		})
	o.Holds = func() (bool, Notice) { return len(b.paused(ids)) > 0, Notice{} }
	return o
}

// paused returns those of ids that are paused or will pause after the current
// step.
func (b *Builder) paused(ids []society.AgentID) []society.AgentID {
	return slices.DeleteFunc(slices.Clone(ids), func(id society.AgentID) bool {
		row, _ := b.Society.Row(id)
		return row.Paused == ""
	})
}

// pause pauses agents without cancelling work. A working agent pauses after the
// current step, which the notice tells.
func (b *Builder) pause(ids []society.AgentID) Action {
	asked := false // one pauses later
	o := newAction(b, Pause, ids,
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
			if len(soon) > 0 {
				all = Notice{Text: b.text(TextPausesSoon, b.Names(soon))}
			}
			if len(now) > 0 {
				all = all.And(Notice{Text: b.text(TextPausedNow, b.Names(now))}, b.Dot)
			}
			if len(before) > 0 {
				all = all.And(Notice{Text: b.ofAgents(TextWasPaused, before)}, b.Dot)
			}
			all.Hint = b.text(textHintResumeInterrupted)
			return all
		})
	o.Holds = func() (bool, Notice) {
		paused := b.paused(ids)
		rest := !slices.ContainsFunc(paused, func(id society.AgentID) bool {
			row, _ := b.Society.Row(id)
			return row.State.Active()
		})
		switch {
		case len(paused) == 0:
			return false, Notice{}
		case asked && rest:
			return false, Notice{Told, b.text(TextPausedNow, b.Names(paused)), b.text(textHintResumeInterrupted)}
		}
		return true, Notice{}
	}
	return o
}

// nothingRan reports that agents were not working, with a hint how to resume
// the paused ones.
func (b *Builder) nothingRan(ids []society.AgentID) Notice {
	paused := slices.ContainsFunc(ids, func(id society.AgentID) bool {
		row, _ := b.Society.Row(id)
		return row.Paused != ""
	})
	if paused {
		return Notice{Told, b.ofAgents(TextNothingRan, ids), b.text(textHintResumeInterrupted)}
	}
	return Notice{Told, b.ofAgents(TextNothingRan, ids), ""}
}

// markUnsaved adds that the outcome is not saved, and that saving has failed.
func (b *Builder) markUnsaved(n Notice, unsaved bool) Notice {
	if unsaved {
		n.Level, n.Hint = Warned, b.text(TextHintUnsaved)
	}
	return n
}

// markAbandoned adds the agents whose work did not end in time.
func (b *Builder) markAbandoned(n Notice, ids []society.AgentID) Notice {
	if len(ids) == 0 {
		return n
	}
	slices.Sort(ids)
	return n.And(Notice{Warned, b.text(TextAbandoned, b.Names(slices.Compact(ids))), ""}, b.Dot)
}

func (b *Builder) stop(ids []society.AgentID) Action {
	var rested []society.AgentID // before, because a result does not tell it of the agent itself
	for _, id := range ids {
		if row, _ := b.Society.Row(id); row.State.Ended() {
			rested = append(rested, id)
		}
	}
	waited := b.waitFor(ids)
	asked := b.cost(ids).Waiting
	return newAction(b, Stop, ids,
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
			hint := TextHintResume
			if len(ids) > 1 { // whose marks are gone
				hint = textHintResumeMarked
			}
			var all Notice
			if agents > 0 {
				all = Notice{Told, b.withDropped(b.Printer.N(TextStopped, agents), dropped), b.text(hint)}
			} else {
				all = Notice{Told, b.ofAgents(TextWasStopped, before), b.text(hint)}
			}
			if agents > 0 {
				all.Text += b.readBefore(asked-dropped) + b.waitedFor(waited)
			}
			return b.markUnsaved(b.markAbandoned(all, abandoned), unsaved)
		})
}

// withDropped adds the number of dropped messages.
func (b *Builder) withDropped(said string, dropped int) string {
	if dropped == 0 {
		return said
	}
	return said + b.text(symbols.TextComma) + b.Printer.N(TextDropped, dropped)
}

// readBefore reports that messages were not dropped because they had been read.
func (b *Builder) readBefore(messages int) string {
	if messages <= 0 {
		return ""
	}
	return b.Dot + b.Printer.N(textReadBefore, messages)
}

// waitedFor names the agents whose wait has ended without an answer.
func (b *Builder) waitedFor(ids []society.AgentID) string {
	if len(ids) == 0 {
		return ""
	}
	return b.Dot + b.Printer.N(textWaitedFor, len(ids), b.Few(ids))
}

// together returns agents and all their descendants as a set.
func (b *Builder) together(ids []society.AgentID) map[society.AgentID]bool {
	those := make(map[society.AgentID]bool)
	for _, id := range ids {
		for _, below := range b.Society.Subtree(id) {
			those[below] = true
		}
	}
	return those
}

// waitFor returns other agents that wait for one of these or of their
// descendants. A stop or a termination ends their wait, and tells them nothing.
func (b *Builder) waitFor(ids []society.AgentID) []society.AgentID {
	those := b.together(ids)
	var waiting []society.AgentID
	for _, id := range b.Society.Subtree(society.Root) {
		row, _ := b.Society.Row(id)
		if !those[id] && slices.ContainsFunc(row.WaitsOn, func(on society.AgentID) bool { return those[on] }) {
			waiting = append(waiting, id)
		}
	}
	return waiting
}

func (b *Builder) resume(ids []society.AgentID) Action {
	stopped := slices.DeleteFunc(slices.Clone(b.cost(ids).Agents), func(id society.AgentID) bool { return !b.isStopped(id) })
	return newAction(b, Resume, ids,
		func(id society.AgentID) society.Resume { return society.Resume{Agent: id, Now: !b.canRetry(id)} },
		func(well []answered[society.Resumption]) Notice {
			up := resumed(well)
			switch idle := idleAmong(up, stopped); {
			case len(up) == 0:
				return Notice{Told, b.ofAgents(TextNothingResumed, ids), ""}
			case len(idle) == len(up): // the next step is what a narrow row shows
				return Notice{Told, b.Printer.N(textResumedIdle, len(up), b.Few(ids)), b.text(textHintCutOff)}
			}
			return Notice{Told, b.Printer.N(TextResumed, len(up)) + b.others(ids, up), b.WaitAgain(up, stopped)}
		})
}

// WaitAgain returns the hint that names those of the resumed agents that do nothing by
// themselves: requests from before a stop are not resumed.
func (b *Builder) WaitAgain(up, stopped []society.AgentID) string {
	idle := idleAmong(up, stopped)
	switch len(idle) {
	case 0:
		return ""
	case len(up):
		if len(up) == 1 {
			return b.text(textHintWriteToIt)
		}
		return b.text(textHintWrite)
	}
	return b.Printer.N(textWaitsForYou, len(idle), b.Few(idle))
}

// idleAmong returns those of the resumed agents that were stopped.
func idleAmong(up, stopped []society.AgentID) []society.AgentID {
	return slices.DeleteFunc(slices.Clone(up), func(id society.AgentID) bool { return !slices.Contains(stopped, id) })
}

func (b *Builder) isStopped(id society.AgentID) bool {
	row, _ := b.Society.Row(id)
	return row.State == society.Stopped
}

// resumed returns the agents that commands resumed.
func resumed(well []answered[society.Resumption]) []society.AgentID {
	var agents []society.AgentID
	for _, done := range well {
		agents = append(agents, done.reply.Agents...)
	}
	return agents
}

// others names the affected agents behind a count, unless it is only the chosen
// one.
func (b *Builder) others(chosen, ids []society.AgentID) string {
	if slices.Equal(chosen, ids) && len(ids) == 1 {
		return ""
	}
	return b.named(ids)
}

// several names agents behind a count, so that the user sees the effect on
// agents that were not chosen.
func (b *Builder) several(ids []society.AgentID) string {
	if len(ids) < 2 {
		return ""
	}
	return b.named(ids)
}

// named returns the names of the first agents in brackets.
func (b *Builder) named(ids []society.AgentID) string { return b.text(symbols.TextAside, b.Few(ids)) }

// Few names the first agents, and counts the rest.
func (b *Builder) Few(ids []society.AgentID) string { return b.fewBy(ids, b.Society.Name) }

func (b *Builder) fewBy(ids []society.AgentID, name func(society.AgentID) string) string {
	const most = 5
	var named []string
	for _, id := range ids[:min(len(ids), most)] {
		named = append(named, name(id))
	}
	if more := len(ids) - most; more > 0 {
		named = append(named, b.text(TextMoreAgents, more))
	}
	return b.Printer.List(named)
}

// retry resumes, which asks the model again after a failure, but only agents
// that failed or wait until it is asked, and reports it as a retry.
func (b *Builder) retry(ids []society.AgentID) Action {
	return newAction(b, Retry, ids,
		func(id society.AgentID) society.Resume { return society.Resume{Agent: id, Now: true} },
		func(well []answered[society.Resumption]) Notice {
			up, again := resumed(well), triedAgain(well)
			if len(up) == 0 {
				return b.nothingToRetry(ids)
			}
			var all Notice
			if len(again) > 0 {
				all = Notice{Told, b.Printer.N(textRetried, len(again)) + b.others(ids, again), ""}
			}
			up = slices.DeleteFunc(up, func(id society.AgentID) bool { return slices.Contains(again, id) })
			if len(up) > 0 {
				all = all.And(Notice{Told, b.Printer.N(textResumedOnly, len(up)) + b.others(ids, up), b.text(textHintGoOn)}, b.Dot)
			}
			return all
		})
}

// triedAgain returns the agents whose turn continues after an abort or a
// failure.
func triedAgain(well []answered[society.Resumption]) []society.AgentID {
	var agents []society.AgentID
	for _, done := range well {
		agents = append(agents, done.reply.Again...)
	}
	return agents
}

func (b *Builder) nothingToRetry(ids []society.AgentID) Notice {
	said := Notice{Told, b.ofAgents(textNothingRetried, ids), b.text(textHintGoOn)}
	if slices.ContainsFunc(ids, func(id society.AgentID) bool { row, _ := b.Society.Row(id); return row.State.Active() }) {
		said.Hint = "" // it continues by itself
	}
	return said
}

// nothingFailed reports that no turn of agents or their descendants failed, or
// returns an empty notice.
func (b *Builder) nothingFailed(ids []society.AgentID) Notice {
	ids = b.withoutDescendants(ids)
	if slices.ContainsFunc(ids, func(id society.AgentID) bool { return b.canRetry(id) || b.canAskNow(id) }) {
		return Notice{}
	}
	return b.nothingToRetry(ids)
}

// canRetry reports whether a turn of the agent or of a descendant failed or was
// halted.
func (b *Builder) canRetry(id society.AgentID) bool {
	return slices.ContainsFunc(b.Society.Subtree(id), func(below society.AgentID) bool {
		row, _ := b.Society.Row(below)
		return row.Error != "" || IsHalted(&row)
	})
}

// canAskNow reports whether the agent or a descendant waits until its model is asked, in a
// turn.
func (b *Builder) canAskNow(id society.AgentID) bool {
	return b.Society.Any(id,
		func(sum *symbols.Tally) bool { return sum.Sum() > sum.AtRest() },
		func(row *api.Row) bool { return row.Retry != nil && row.Retry.Cause != api.WaitsForOwnLimit })
}

func (b *Builder) terminate(ids []society.AgentID) Action {
	cost := b.cost(ids)
	waited, asked := b.waitFor(ids), cost.Waiting
	names := make(map[society.AgentID]string, len(cost.Agents)) // names are unknown once the agents are removed
	for _, id := range cost.Agents {
		names[id] = b.Society.Name(id)
	}
	nameOf := func(id society.AgentID) string { return cmp.Or(names[id], b.Society.Name(id)) }
	gone := make(map[society.AgentID]bool)
	o := newAction(b, Terminate, ids,
		func(id society.AgentID) society.Terminate { return society.Terminate{Agent: id, By: society.User} },
		func(well []answered[society.TerminateResult]) Notice {
			dropped, unsaved := 0, false
			var ended, before, abandoned []society.AgentID
			for _, done := range well {
				s := done.reply
				if s.Terminated {
					gone[done.agent], b.terminated = true, true
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
				said := b.Printer.N(TextTerminated, len(ended)) + b.text(symbols.TextAside, b.fewBy(ended, nameOf))
				all = Notice{Text: b.withDropped(said, dropped)}
				all.Text += b.readBefore(asked-dropped) + b.waitedFor(waited)
			} else {
				all = Notice{Told, b.ofAgents(TextWasEnding, before), ""}
			}
			return b.markUnsaved(b.markAbandoned(all, abandoned), unsaved)
		})
	o.Ended = func(id society.AgentID) bool { return gone[id] }
	return o
}

// refusedTo explains why a verb had no effect on an agent.
func (b *Builder) refusedTo(v Verb, done Outcome) Notice {
	var r *society.Refusal
	if !errors.As(done.Err, &r) {
		return b.NoticeFor(done.Err)
	}
	who := b.Society.Name(done.Agent)
	row, here := b.Society.Row(done.Agent)
	switch {
	case r.Code == society.AgentNotFound || !here:
		return b.Gone([]society.AgentID{done.Agent})
	case r.Code != society.AgentStopped:
		return b.NoticeFor(done.Err)
	case row.State == society.Terminating:
		return Notice{Warned, b.text(TextBeingEnded, who), ""}
	case v == Resume || v == Retry:
		return Notice{Warned, b.text(TextStillStopping, who), b.text(TextHintAgain)}
	}
	return b.WasStopped([]society.AgentID{done.Agent})
}
