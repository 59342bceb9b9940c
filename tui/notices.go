package tui

import (
	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/i18n"
	"society-tui/tui/action"
)

// notify shows a notice in place of the one before. An empty one changes
// nothing.
func (a *app) notify(n action.Notice) tea.Cmd {
	if n.Empty() {
		return nil
	}
	a.notices.add(a.sentence(n), n.Level, a.now())
	return a.mention(n)
}

// sentence formats a notice for its row.
func (a *app) sentence(n action.Notice) string {
	if n.Hint == "" {
		return n.Text
	}
	return n.Text + a.dot() + n.Hint
}

// mention shows a transient notice, which is not logged.
func (a *app) mention(n action.Notice) tea.Cmd {
	a.frame.dirty, a.notices.holding, a.composing.cleared = true, holdingNotice{}, false
	if n.Level == action.Warned {
		a.statusLine.ShowNotice("", "", a.now()) // what was in progress has ended
		a.statusLine.ShowError(n.Text, n.Hint)
		a.notices.lastWarning = n
		return nil
	}
	if n.Level == action.Cautioned {
		a.statusLine.ShowWarning(n.Text, n.Hint)
		a.notices.lastWarning = n
		return nil
	}
	a.statusLine.ShowNotice(n.Text, n.Hint, a.now())
	until, ok := a.statusLine.Until()
	if !ok {
		return nil
	}
	return a.wake(&a.notices.ends, until.Sub(a.now()), func() tea.Cmd {
		a.frame.dirty = true
		a.statusLine.Tick(a.now())
		return nil
	})
}

// notifyWhile removes the last notice once holds returns false.
func (a *app) notifyWhile(holds func() (bool, action.Notice)) tea.Cmd {
	a.notices.holding = holdingNotice{holds: holds}
	return a.clearStaleNotice()
}

// clearStaleNotice removes a notice about a state that has ended, or shows the
// one that replaces it. An outcome arrives before the frame with the new state,
// so it waits for that frame.
func (a *app) clearStaleNotice() tea.Cmd {
	if a.notices.holding.holds == nil {
		return nil
	}
	still, now := a.notices.holding.holds()
	switch {
	case still:
		a.notices.holding.told = true
		return nil
	case !a.notices.holding.told && now.Empty():
		return nil
	}
	a.notices.holding = holdingNotice{}
	a.frame.dirty = true
	a.statusLine.ShowNotice("", "", a.now())
	return a.notify(now)
}

// notifyError explains an error. One that concerns nobody only ends the
// progress notice.
func (a *app) notifyError(err error) tea.Cmd { return a.conclude(a.actions.NoticeFor(err)) }

// conclude shows an outcome. An empty one only ends the progress notice.
func (a *app) conclude(n action.Notice) tea.Cmd {
	if n.Empty() {
		a.frame.dirty = true
		a.statusLine.ShowNotice("", "", a.now())
	}
	return a.notify(n)
}

func (a *app) warn(text, hint string) tea.Cmd {
	return a.notify(action.Notice{Level: action.Warned, Text: text, Hint: hint})
}

// notifyOngoing shows progress, which the outcome replaces in the log.
func (a *app) notifyOngoing(text string) tea.Cmd {
	return a.notify(action.Notice{Level: action.Going, Text: text})
}

func (a *app) inform(text, hint string) tea.Cmd {
	return a.notify(action.Notice{Text: text, Hint: hint})
}

var (
	recentNotices = i18n.Text{EN: "Recent notifications", ZH: "最近的通知"}
	noticeTimes   = i18n.Text{EN: " (%s times)", ZH: "（%s 次）"}
	noNotices     = i18n.Text{EN: "No notifications yet", ZH: "还没有通知"}
)
