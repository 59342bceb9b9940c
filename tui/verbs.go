package tui

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime"
	"society-tui/runtime/society"
)

// An order is a verb for an agent that is being carried out. The same one is not
// given twice meanwhile: a key that was pressed twice has one effect.
type order struct {
	verb  action
	agent society.AgentID
}

// targets are the agents a verb is for: in the tree all marked ones, or the
// selected one; elsewhere the recipient of what is written.
func (a *app) targets() []society.AgentID {
	if a.wish.focus == treePane {
		return a.tree.Targets()
	}
	return []society.AgentID{a.open}
}

// name is what an agent is called on the screen.
func (a *app) name(id society.AgentID) string { return a.tree.Name(id) }

// verb gives an order for agents, after asking where something would be lost.
func (a *app) verb(v action, ids []society.AgentID) tea.Cmd {
	cmd, _ := a.tryVerb(v, ids)
	return cmd
}

// tryVerb is verb, and says whether the order was taken: what cannot be ordered
// at all is refused at once.
func (a *app) tryVerb(v action, ids []society.AgentID) (cmd tea.Cmd, taken bool) {
	n := a.words.notices
	switch {
	case len(ids) == 0:
		return a.warn(n.NoTarget, ""), false
	case slices.Contains(ids, society.User):
		return a.warn(n.UserIsYou, ""), false
	case v == terminate && slices.Contains(ids, society.Root):
		return a.warn(n.RootStays, n.HintStopFirst), false
	}
	here := a.here(ids)
	if len(here) == 0 {
		return a.warn(fmt.Sprintf(a.ofThem(ids, n.AlreadyGone, n.AllGone), a.names(ids)), ""), false
	}
	// Those for which the same is being done are left alone: one effect each.
	free := slices.DeleteFunc(slices.Clone(here), func(id society.AgentID) bool { return a.orders[order{v, id}] })
	if len(free) == 0 {
		return a.warn(fmt.Sprintf(n.StillAtIt, a.names(here)), ""), false
	}
	switch v {
	case stop:
		return a.askStop(free), true
	case terminate:
		return a.askTerminate(free), true
	case interrupt:
		return a.interrupt(free), true // each one alone: those below another, too
	case pause:
		return a.pause(free), true // each one alone, as with an interrupt
	case retry:
		return a.retry(a.tops(free)), true
	default:
		return a.resume(a.tops(free)), true
	}
}

// here leaves out the agents that are gone.
func (a *app) here(ids []society.AgentID) []society.AgentID {
	return slices.DeleteFunc(slices.Clone(ids), func(id society.AgentID) bool {
		_, here := a.tree.Row(id)
		return !here
	})
}

// tops leaves out the agents that stand below others of ids: a verb for those
// takes them along.
func (a *app) tops(ids []society.AgentID) []society.AgentID {
	var tops []society.AgentID
	for _, id := range ids {
		path := a.tree.Path(id)
		above := path[:max(len(path)-1, 0)]
		if !slices.ContainsFunc(above, func(p society.AgentID) bool { return slices.Contains(ids, p) }) {
			tops = append(tops, id)
		}
	}
	return tops
}

// A done order is one that the society has answered.
type done struct {
	agent  society.AgentID
	result any
	err    error
}

// order gives the same command for each of ids, and says what came of all of
// them: of the done ones what then says, and of each of the others why it was
// refused.
func (a *app) order(v action, ids []society.AgentID, form string, cmd func(society.AgentID) society.Command, then func([]done) notice) tea.Cmd {
	a.tree.Unmark() // only now: a question that is cancelled leaves the marks
	for _, id := range ids {
		a.orders[order{v, id}] = true
	}
	cmds := []tea.Cmd{a.tell(fmt.Sprintf(form, a.names(ids)), "")}
	var well, ill []done
	for _, id := range ids {
		cmds = append(cmds, a.do(cmd(id), func(result any, err error) tea.Cmd {
			delete(a.orders, order{v, id})
			if err != nil {
				ill = append(ill, done{id, nil, err})
			} else {
				well = append(well, done{id, result, nil})
			}
			if len(well)+len(ill) < len(ids) {
				return nil
			}
			if v != terminate && !slices.ContainsFunc(ids, func(id society.AgentID) bool { return !a.ending[id] }) {
				return nil // all have been terminated since: that says what came of it
			}
			var all notice
			if len(well) > 0 {
				all = then(well)
			}
			return a.sayAll(all, v, ill)
		}))
	}
	return tea.Batch(cmds...)
}

// sayAll says what came of an order, and of those that were refused it why. If
// nothing is anybody's concern, it only ends what was said to be going on.
func (a *app) sayAll(all notice, v action, ill []done) tea.Cmd {
	for _, d := range ill {
		if v == terminate {
			delete(a.ending, d.agent)
		}
		all = all.and(a.refusedVerb(v, d), a.dot())
	}
	if all.empty() {
		a.dirty = true
		a.bar.Say("", a.now())
	}
	return a.say(all)
}

// refusedVerb says why an agent was not done to as the person wanted. That an
// agent takes no messages, which its refusal means for a text, is no reason here.
func (a *app) refusedVerb(v action, d done) notice {
	n := a.words.notices
	var r *society.Refusal
	if !errors.As(d.err, &r) {
		return explain(d.err, n, a.name)
	}
	who := a.name(d.agent)
	row, here := a.tree.Row(d.agent)
	switch {
	case a.ending[d.agent]:
		return notice{} // another verb of the person was before it: that says what came of it
	case r.Code == society.AgentNotFound || !here:
		return notice{warned, fmt.Sprintf(n.AlreadyGone, who), ""}
	case r.Code != society.AgentStopped:
		return explain(d.err, n, a.name)
	case row.State == society.Terminating:
		return notice{warned, fmt.Sprintf(n.BeingEnded, who), ""}
	case v == resume || v == retry:
		return notice{warned, fmt.Sprintf(n.StillStopping, who), n.HintAgain}
	}
	return notice{warned, fmt.Sprintf(n.WasStopped, who), n.HintResume}
}

func (a *app) names(ids []society.AgentID) string {
	names := make([]string, len(ids))
	for i, id := range ids {
		names[i] = a.name(id)
	}
	return strings.Join(names, a.words.app.Comma)
}

// ofThem is the sentence that speaks of so many agents.
func (a *app) ofThem(ids []society.AgentID, one, several string) string {
	if len(ids) == 1 {
		return one
	}
	return several
}

func (a *app) interrupt(ids []society.AgentID) tea.Cmd {
	n := a.words.notices
	return a.order(interrupt, ids, n.Interrupting,
		func(id society.AgentID) society.Command { return society.Interrupt{Agent: id} },
		func(well []done) notice {
			var cut, idle []society.AgentID
			waiting, unsaved := 0, false
			for _, d := range well {
				i, _ := d.result.(society.Interruption)
				if i.Was {
					cut = append(cut, d.agent)
					waiting += i.Waiting
				} else {
					idle = append(idle, d.agent)
				}
				unsaved = unsaved || i.Unsaved
			}
			var all notice
			if len(cut) > 0 {
				all = notice{told, fmt.Sprintf(n.Interrupted, a.names(cut), waiting), n.HintResumeInterrupted}
			}
			if len(idle) > 0 {
				all = all.and(a.nothingRan(idle), a.dot())
			}
			return a.markUnsaved(all, unsaved)
		})
}

// pause lets agents come to rest without cutting anything short. Of those that
// are at work it says so: they rest only at the next border.
func (a *app) pause(ids []society.AgentID) tea.Cmd {
	n := a.words.notices
	return a.order(pause, ids, n.Pausing,
		func(id society.AgentID) society.Command { return society.PauseAgent{Agent: id} },
		func(well []done) notice {
			var soon, now, before []society.AgentID
			for _, d := range well {
				p, _ := d.result.(society.Pausing)
				switch {
				case !p.Changed:
					before = append(before, d.agent)
				case p.Busy:
					soon = append(soon, d.agent)
				default:
					now = append(now, d.agent)
				}
			}
			var all notice
			for _, part := range []struct {
				ids          []society.AgentID
				one, several string
			}{{soon, n.PausesSoon, n.PauseSoon}, {now, n.PausedNow, n.PausedNow}, {before, n.WasPaused, n.WerePaused}} {
				if len(part.ids) > 0 {
					all = all.and(notice{told, fmt.Sprintf(a.ofThem(part.ids, part.one, part.several), a.names(part.ids)), n.HintResumeInterrupted}, a.dot())
				}
			}
			return all
		})
}

// nothingRan says of agents that were to be interrupted that they did not work:
// of those that are paused, how they go on.
func (a *app) nothingRan(ids []society.AgentID) notice {
	n := a.words.notices
	paused := slices.ContainsFunc(ids, func(id society.AgentID) bool {
		row, _ := a.tree.Row(id)
		return row.Paused != ""
	})
	if paused {
		return notice{told, fmt.Sprintf(a.ofThem(ids, n.NothingRan, n.NoneRan), a.names(ids)), n.HintResumeInterrupted}
	}
	return notice{told, fmt.Sprintf(a.ofThem(ids, n.NothingRan, n.NoneRan), a.names(ids)), ""}
}

// markUnsaved adds to what came of a verb that it is not on disk. It stays until
// it was seen, and says also that nothing is being saved.
func (a *app) markUnsaved(n notice, unsaved bool) notice {
	if unsaved {
		n.level, n.hint = warned, a.words.notices.HintUnsaved
		a.toldUnsaved = a.now()
	}
	return n
}

// markAbandoned adds whose work did not end in time.
func (a *app) markAbandoned(n notice, ids []society.AgentID) notice {
	if len(ids) == 0 {
		return n
	}
	slices.Sort(ids)
	return n.and(notice{warned, fmt.Sprintf(a.words.notices.Abandoned, a.names(slices.Compact(ids))), ""}, a.dot())
}

func (a *app) stop(ids []society.AgentID) tea.Cmd {
	n := a.words.notices
	var rested []society.AgentID // before: a result does not say it of the agent itself
	for _, id := range ids {
		if row, _ := a.tree.Row(id); row.State.Ended() {
			rested = append(rested, id)
		}
	}
	return a.order(stop, ids, n.Stopping,
		func(id society.AgentID) society.Command { return society.Stop{Agent: id} },
		func(well []done) notice {
			agents, dropped, unsaved := 0, 0, false
			var before, abandoned []society.AgentID
			for _, d := range well {
				s, _ := d.result.(society.StopResult)
				agents += len(s.CascadeStopped)
				dropped += s.Dropped
				unsaved = unsaved || s.Unsaved
				abandoned = append(abandoned, s.Abandoned...)
				switch {
				case !s.Stopped:
					before = append(before, d.agent)
				case !slices.Contains(rested, d.agent):
					agents++
				}
			}
			var all notice
			if agents > 0 {
				all = notice{told, fmt.Sprintf(n.Stopped, agents, dropped), n.HintResume}
			} else {
				all = notice{told, fmt.Sprintf(n.WasStopped, a.names(before)), n.HintResume}
			}
			return a.markUnsaved(a.markAbandoned(all, abandoned), unsaved)
		})
}

func (a *app) resume(ids []society.AgentID) tea.Cmd {
	n := a.words.notices
	hint := ""
	if slices.ContainsFunc(a.toll(ids).agents, a.isStopped) {
		hint = n.HintWrite // what they were asked before the stop is not taken up
	}
	return a.order(resume, ids, n.Resuming,
		func(id society.AgentID) society.Command { return society.Resume{Agent: id} },
		func(well []done) notice {
			if up := resumed(well); len(up) > 0 {
				return notice{told, fmt.Sprintf(n.Resumed, len(up)) + a.naming(up), hint}
			}
			return notice{told, fmt.Sprintf(n.NothingResumed, a.names(ids)), ""}
		})
}

func (a *app) isStopped(id society.AgentID) bool {
	row, _ := a.tree.Row(id)
	return row.State == society.Stopped
}

// resumed are those that orders took up.
func resumed(well []done) []society.AgentID {
	var agents []society.AgentID
	for _, d := range well {
		s, _ := d.result.(society.Resumption)
		agents = append(agents, s.Agents...)
	}
	return agents
}

// naming says behind a count of several agents who they are, so that what was done to
// one that was not chosen by itself is seen.
func (a *app) naming(ids []society.AgentID) string {
	const most = 5
	if len(ids) < 2 {
		return ""
	}
	named := a.names(ids[:min(len(ids), most)])
	if more := len(ids) - most; more > 0 {
		named += a.words.app.Comma + fmt.Sprintf(a.words.app.MoreAgents, more)
	}
	return " (" + named + ")"
}

// retry resumes too, for that asks the model again where a turn had failed; but
// it speaks of trying, and leaves alone what has not failed.
func (a *app) retry(ids []society.AgentID) tea.Cmd {
	n := a.words.notices
	if !slices.ContainsFunc(ids, a.canRetry) {
		return a.tell(fmt.Sprintf(a.ofThem(ids, n.NothingRetried, n.NoneRetried), a.names(ids)), "")
	}
	return a.order(retry, ids, n.Retrying,
		func(id society.AgentID) society.Command { return society.Resume{Agent: id} },
		func(well []done) notice {
			if up := resumed(well); len(up) > 0 {
				return notice{told, fmt.Sprintf(n.Retried, len(up)) + a.naming(up), ""}
			}
			return notice{told, fmt.Sprintf(a.ofThem(ids, n.NothingRetried, n.NoneRetried), a.names(ids)), ""}
		})
}

// canRetry says whether a turn of the agent, or of one below it, failed or was
// halted.
func (a *app) canRetry(id society.AgentID) bool {
	return slices.ContainsFunc(a.tree.Subtree(id), func(below society.AgentID) bool {
		row, _ := a.tree.Row(below)
		return row.Error != "" || isHalted(&row)
	})
}

func (a *app) terminate(ids []society.AgentID) tea.Cmd {
	n := a.words.notices
	hint := ""
	for _, id := range a.toll(ids).agents {
		a.ending[id] = true
		if id == a.receiver() && !a.pad.Empty() {
			hint = n.HintText
		}
	}
	return a.order(terminate, ids, n.Terminating,
		func(id society.AgentID) society.Command { return society.Terminate{Agent: id, By: society.User} },
		func(well []done) notice {
			agents, unsaved := 0, false
			var before, abandoned []society.AgentID
			for _, d := range well {
				s, _ := d.result.(society.TerminateResult)
				if s.Terminated {
					agents += 1 + len(s.CascadeTerminated)
				} else {
					before = append(before, d.agent)
				}
				unsaved = unsaved || s.Unsaved
				abandoned = append(abandoned, s.Abandoned...)
			}
			var all notice
			if agents > 0 {
				all = notice{told, fmt.Sprintf(n.Terminated, agents), hint}
			} else {
				all = notice{told, fmt.Sprintf(a.ofThem(before, n.WasEnding, n.WereEnding), a.names(before)), ""}
			}
			return a.markUnsaved(a.markAbandoned(all, abandoned), unsaved)
		})
}

// stopOrResume is one key in the tree: it resumes what is stopped or paused.
func (a *app) stopOrResume(ids []society.AgentID) tea.Cmd {
	if a.allHalted(ids) {
		return a.verb(resume, ids)
	}
	return a.verb(stop, ids)
}

// allHalted says whether there are such agents, and all of them are halted.
func (a *app) allHalted(ids []society.AgentID) bool {
	return len(ids) > 0 && !slices.ContainsFunc(ids, func(id society.AgentID) bool {
		row, ok := a.tree.Row(id)
		return !ok || !isHalted(&row)
	})
}

// isHalted says whether an agent takes nothing from its queue until it is
// resumed.
func isHalted(row *runtime.Row) bool {
	return row.State == society.Stopped || row.State == society.Stopping || row.Paused != ""
}
