package sessions

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/i18n"
	"society-tui/runtime/session"
	"society-tui/tui/page"
)

// switchToMarked switches to the selected session.
func (f *Feature) switchToMarked() tea.Cmd {
	s, ok := f.marked()
	if !ok {
		return nil
	}
	if session.Check(s.Name) != nil {
		return f.Warn(i18n.Capitalized(f.Text(textMisnamed)), "")
	}
	return f.switchTo(s.Name)
}

// switchTo leaves for another session, or a new one of that name. Like quitting
// it asks first if agents are working or something would be lost.
func (f *Feature) switchTo(name string) tea.Cmd {
	switch {
	case f.going != "" || f.cfg.Enter == nil:
		return nil
	case name == f.cfg.Current:
		f.list.Close()
		return f.Inform(f.Text(textIsHere, ShownName(name)), "")
	}
	if len(f.Replica.Active()) == 0 && f.Replica.Unsaved() == "" {
		return f.enterNow(page.Leaving{To: name})
	}
	q := f.switchQuestion(name)
	q.Again = func() (page.Question, bool) { return f.switchQuestion(name), true }
	return f.Screen.Ask(q)
}

func (f *Feature) switchQuestion(name string) page.Question {
	q := page.Question{Title: f.Text(textGoTitle, ShownName(name)), Body: f.cfg.AboutLeaving(f.Text(textSaved), f.Text(textContinues))}
	q.Choices = []page.Choice{
		{Label: f.Text(page.TextCancel)},
		{Label: f.Text(textGo), Keys: []string{"y"}, Run: func() tea.Cmd { return f.enterNow(page.Leaving{To: name}) }},
	}
	if len(f.Replica.Active()) == 0 {
		q.Selected = 1
	} else {
		q.Choices = append(q.Choices, page.Choice{Label: f.Text(textGoPause), Keys: []string{"p"}, Run: func() tea.Cmd { return f.enterNow(page.Leaving{To: name, Pause: true}) }})
	}
	return q
}

// entered tells whether the other session was opened.
type entered struct {
	how page.Leaving
	err error
}

// enterNow opens the other session. Only then this one is left, so that a
// failure has no effect on its agents.
func (f *Feature) enterNow(how page.Leaving) tea.Cmd {
	if f.going != "" {
		return nil
	}
	f.going = how.To
	opening := page.Later(f.Screen, func(ctx context.Context) entered { return entered{how, f.cfg.Enter(ctx, how.To)} }, f.onEntered)
	return tea.Batch(f.Inform(f.Text(textOpening, ShownName(how.To)), ""), opening)
}

func (f *Feature) onEntered(m entered) tea.Cmd {
	f.going = ""
	switch {
	case f.cfg.Leaving(): // the screen is left otherwise
		return nil
	case m.err != nil:
		return tea.Batch(f.notDone(textNotOpened, m.how.To, m.err), f.refresh(""))
	}
	f.list.Close()
	return f.Screen.Leave(m.how)
}

// notDone warns that something failed for a session, and why.
func (f *Feature) notDone(what i18n.Text, name string, err error) tea.Cmd {
	hint := ""
	switch why := problemOf(err).Why; {
	case why == session.Damaged:
		hint = f.Text(textHintDamage, ShownName(name))
	case why == session.InUse && what == textNotOpened: // to rename or delete it, it must be left
		hint = f.Text(textHintAttach, ShownName(name))
	}
	return f.Warn(f.Text(what, ShownName(name), problemText(f.Printer, err)), hint)
}
