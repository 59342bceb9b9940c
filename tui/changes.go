package tui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
	"society-tui/tui/action"
	"society-tui/tui/dialog"
	"society-tui/tui/inspector"
	"society-tui/tui/page"
	"society-tui/tui/pump"
	"society-tui/tui/sanitize"
	"society-tui/tui/symbols"
)

// onFrame brings a frame into view state and lets the pump go on.
func (a *app) onFrame(f pump.Frame) tea.Cmd {
	defer close(f.Shown)
	c := f.Changes
	if len(c.Kept) > 0 && a.replica.Stays(&c) {
		a.frame.dirty = false // what other screens have written is read first
		return a.onKept(&c)
	}
	above, aim := a.replica.Path(a.nav.open), a.targets()
	asked, _ := a.replica.Row(a.recipient())
	first, unsaved, cut := !a.replica.IsKnown(), a.replica.Unsaved(), a.replica.IsCut()
	a.replica.AddGraphs(f.Graphs)
	did := a.replica.Apply(&c)
	a.tree.Forget(did.Removed)
	if did.Renamed { // what was said before is headed by names
		a.transcript.SetTheme(a.appearance.theme, a.set)
	}
	a.onConversations(&c, did.Inbox)
	cmds := []tea.Cmd{a.notifyUnsaved(unsaved), a.notifyCut(cut), a.onKept(&c)}
	for _, id := range c.Gone {
		a.forget(id)
		cmds = append(cmds, a.saveSoon())
	}
	if c.All {
		a.forgetOthers()
	}
	if _, here := a.replica.Row(a.nav.open); !here && a.nav.open != society.User && (len(c.Gone) > 0 || c.All) {
		cmds = append(cmds, a.openAbove(above))
	}
	cmds = append(cmds, a.openNewAgent(), a.notifyAnswered(&asked))
	a.guardTarget(aim)
	a.askAgain()
	cmds = append(cmds, a.clearStaleNotice())
	switch {
	case !first:
		cmds = append(cmds, a.collectCauses(&c, did.WorkEnded))
	case a.replica.IsKnown():
		cmds = append(cmds, a.opened())
	}
	if _, grew := c.Rewritten[a.subject()]; grew {
		a.inspector.Outdated() // its contacts may have changed
	}
	cmds = append(cmds, a.onLog(&c), a.inspect())
	for _, f := range a.features {
		if f, watches := f.(page.Watcher); watches {
			f.Changed(&c, did)
		}
	}
	return tea.Batch(cmds...)
}

// notifyUnsaved reports that saving failed or works again, if that changed.
func (a *app) notifyUnsaved(before string) tea.Cmd {
	said := a.actions.Saving(before)
	switch {
	case said.Level == action.Warned && a.now().Sub(a.notices.unsavedAt) <= reaction:
		return nil // the outcome of a command has just said so
	case before != "" && !said.Empty():
		if hint := a.notices.lastWarning.Hint; hint == a.text(action.TextHintDisk) || hint == a.text(action.TextHintUnsaved) {
			a.statusLine.Pressed() // it is outdated
		}
		return tea.Batch(a.notify(said), a.saveSoon())
	}
	return a.notify(said)
}

// opened shows the notices of the start, once the society is on the screen. One
// that is too long for a row opens in a dialog.
func (a *app) opened() tea.Cmd {
	const row = 70
	said := a.notifyStart(a.cfg.Started)
	for _, f := range slices.Backward(a.features) { // of several warnings the last is shown: those of models before others
		if f, opens := f.(page.Opener); opens {
			said = tea.Batch(said, f.Opened())
		}
	}
	return tea.Batch(said, a.notifyAttached(), a.notifyAtStart(row))
}

// notifyStart reports which agents continue their work after a restart, and
// which do not.
func (a *app) notifyStart(b api.StartReport) tea.Cmd {
	said, hint := a.actions.Started(b), ""
	if b.Paused+b.Stopped > 0 {
		hint = a.text(action.TextHintResume)
	}
	return a.inform(strings.Join(said, a.dot()), hint)
}

// notifyAtStart shows the notice of the Config, in a row if it fits.
func (a *app) notifyAtStart(row int) tea.Cmd {
	text := sanitize.Line(a.cfg.Notice, 4*page.TextCells)
	switch {
	case text == "":
		return nil
	case a.set.Width(text) <= row:
		return a.notify(action.Notice{Level: action.Cautioned, Text: text})
	}
	return a.ask(page.Question{
		Title: a.text(textNoticeTitle), Body: dialog.Text(text), Unasked: true, Report: true,
		Choices: []page.Choice{{Label: a.text(page.TextClose)}},
	})
}

// onLog notifies of events of agents that are not visible.
func (a *app) onLog(c *api.Changes) tea.Cmd {
	var cmd tea.Cmd
	for i := range c.Log {
		e := &c.Log[i]
		if e.Before {
			continue // its row shows that
		}
		if ended, cutOff, ok := inspector.DrainOf(e); ok {
			cmd = tea.Batch(cmd, a.notifyDrain(e.Agent, ended, cutOff))
		}
		if b, ok := a.actions.BudgetNamed(e.Text); ok && (e.Kind == "budget_near" || e.Kind == "budget_spent") {
			cmd = tea.Batch(cmd, a.notify(a.actions.NewsOfBudget(&b)))
		}
		if e.Agent == a.nav.open {
			continue
		}
		// A screen that attaches hears also of what was answered long ago.
		row, _ := a.replica.Row(e.Agent)
		switch {
		case e.Kind == "failed", e.Kind == "quarantined":
			cmd = tea.Batch(cmd, a.warn(a.text(textAgentFailed, a.name(e.Agent), a.failure(e)), a.nextStep(e.Agent)))
		case e.Kind == "approval" && len(a.replica.AskedBy(e.Agent)) > 0:
			cmd = tea.Batch(cmd, a.inform(a.name(e.Agent)+" "+symbols.AsksTo(a.printer, e.Text), a.text(textHintApprovals)))
		case e.Kind == "asks" && row.Asks:
			cmd = tea.Batch(cmd, a.inform(a.text(textAgentAsks, a.name(e.Agent)), a.text(page.TextHintGo)))
		}
	}
	a.inspector.Log(c.Log)
	return cmd
}

// notifyDrain reports the end of a drain; if messages were cut off, the notice
// stays until it is seen.
func (a *app) notifyDrain(id society.AgentID, ended, cutOff int) tea.Cmd {
	said := a.actions.Drained(id, ended, cutOff)
	if cutOff > 0 {
		return a.warn(said, "")
	}
	return a.inform(said, "")
}

// nextStep returns what to do about an agent that has failed.
func (a *app) nextStep(id society.AgentID) string {
	if row, _ := a.replica.Row(id); symbols.NextStep(&row, a.printer) != "" {
		return symbols.NextStep(&row, a.printer)
	}
	return a.text(textHintRetry)
}

// failure returns why an agent failed, by its event or else by its row.
func (a *app) failure(e *api.TimelineEvent) string {
	row, _ := a.replica.Row(e.Agent)
	switch {
	case e.Text != "":
		return e.Text
	case row.Error != "":
		return row.Error
	}
	return e.Kind
}

// forget drops everything about a removed agent.
func (a *app) forget(id society.AgentID) {
	if at := slices.Index(a.nav.pins, id); at >= 0 {
		a.nav.pins[at] = ""
	}
	a.composer.Forget(id)
	if id != a.nav.open {
		a.transcript.Forget(id)
	}
	a.view.forgetDraft(id)
}

// guardTarget blocks verbs for a moment if one of their targets has disappeared
// and the selection has moved.
func (a *app) guardTarget(aim []society.AgentID) {
	gone := slices.DeleteFunc(slices.Clone(aim), func(id society.AgentID) bool {
		_, here := a.replica.Row(id)
		return here || id == society.User || a.running.terminating[id]
	})
	another := slices.ContainsFunc(a.targets(), func(id society.AgentID) bool { return !slices.Contains(aim, id) })
	if len(gone) > 0 && another {
		a.keyboard.target = targetGuard{gone[0], a.now().Add(reaction)}
	}
}

// openAbove opens the nearest present ancestor of the removed open agent. The
// draft stays.
func (a *app) openAbove(path []society.AgentID) tea.Cmd {
	was, text := a.nav.open, a.composer.Text()
	next := society.Root
	for _, id := range path {
		if _, here := a.replica.Row(id); here {
			next = id
		}
	}
	cmd := a.showAgentConversation(next)
	a.transcript.Forget(was)
	a.composer.Forget(was)
	if text != "" {
		a.composer.Restore(next, text)
	}
	switch {
	case a.running.terminating[was]: // the outcome of the user's command tells it
		return cmd
	case text != "":
		return tea.Batch(cmd, a.warn(a.text(page.TextGone, a.name(was)), a.text(textHintText)))
	}
	return tea.Batch(cmd, a.inform(a.text(page.TextGone, a.name(was)), ""))
}
