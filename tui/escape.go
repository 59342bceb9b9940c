package tui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/society"
	"society-tui/tui/action"
	"society-tui/tui/layout"
)

// escape does one thing, the first that applies. A single esc changes no agent.
func (a *app) escape() tea.Cmd {
	switch {
	case a.dialogs.Shown():
		return a.runNow(a.dialogs.Press(tea.KeyPressMsg{Code: tea.KeyEscape}, a.now()))
	case a.choosesExample():
		a.composing.example = 0
	case len(a.completions()) > 0:
		a.composing.completion.shut = true
	case a.prefs.Focus == layout.Composer && a.composer.EndSearch():
	case a.tree.Typing(), a.tree.ClearFilter():
		a.tree.ClearFilter()
	case a.isVisiting():
		a.disarmEscape()
		return a.endVisit()
	case a.transcript.EndSearch():
		a.disarmEscape()
		return a.leaveSearch()
	case a.unselect():
	case a.unmark():
	case a.composing.newTask:
		a.composing.newTask = false
		a.disarmEscape()
		return a.inform(a.text(textSameTask), "")
	case a.prefs.Focus != layout.Composer:
		a.disarmEscape()
		return a.focus(layout.Composer)
	case a.keyboard.escapeTarget() == a.recipient():
		a.disarmEscape()
		o := a.actions.Make(action.Interrupt, []society.AgentID{a.recipient()})
		a.offerRewind(&o)
		return a.act(o, func() {})
	case a.keyboard.armed == restArmed:
		a.disarmEscape()
		return a.inform(a.printer.N(action.TextNothingRan, 1, a.name(a.recipient())), a.text(textHintEscEsc))
	default:
		return a.armEscape()
	}
	a.disarmEscape()
	return nil
}

// offerRewind adds to the notice about an interrupt how to send the message anew, where one row
// holds it. That a message resumes, the composer tells, too.
func (a *app) offerRewind(o *action.Action) {
	summarize := o.Summarize
	o.Summarize = func(well []action.Outcome) action.Notice {
		all := summarize(well)
		if all.Level != action.Told || all.Hint == "" {
			return all
		}
		for _, hint := range []string{all.Hint, a.text(action.TextHintResume)} {
			hint += a.dot() + a.text(textHintRewind)
			if 1+a.set.Width(all.Text+a.dot()+hint) <= a.layout.W {
				all.Hint = hint
				break
			}
		}
		return all
	}
}

// armEscape makes a second esc interrupt the recipient if it is busy. If it
// only waits for others, a notice says so, because an interrupt would have no
// effect. If it is at rest, a notice after a second esc does.
func (a *app) armEscape() tea.Cmd {
	row, ok := a.replica.Row(a.recipient())
	switch {
	case ok && len(row.WaitsOn) > 0 && !action.IsWorking(&row):
		return tea.Batch(a.inform(a.text(textOnlyWaits, a.name(row.ID), a.agentNames(row.WaitsOn)), a.text(action.TextHintStopFirst)), a.notifyWhile(func() (bool, action.Notice) {
			now, _ := a.replica.Row(row.ID)
			return slices.Equal(now.WaitsOn, row.WaitsOn) && !action.IsWorking(&now), action.Notice{}
		}))
	case !ok:
		return nil
	case !action.IsWorking(&row):
		return a.arm(restArmed)
	case a.cfg.Look:
		return a.notify(a.actions.LookOnly())
	}
	return a.arm(escapeArmed, row.ID)
}

// ctrlC copies selected text, else clears the draft, else asks whether to
// quit.
func (a *app) ctrlC() tea.Cmd {
	if copied := a.copySelected(); copied != nil {
		a.unselect() // the next one clears or quits
		return copied
	}
	if said, was := a.clearText(); was {
		return said
	}
	return a.askQuit()
}
