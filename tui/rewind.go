package tui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/society"
	"society-tui/tui/action"
	"society-tui/tui/command"
	"society-tui/tui/dialog"
	"society-tui/tui/layout"
	"society-tui/tui/list"
	"society-tui/tui/page"
	"society-tui/tui/sanitize"
)

// rewindCommand goes back in the conversation of the agent that is open, or that is named.
func (a *app) rewindCommand() *command.Command {
	c := a.commandEnv().Rewind()
	c.Keys = command.Keys(command.Conversation, "E")
	c.Blocked = func(int) string { return a.actions.NoTarget([]society.AgentID{a.recipient()}) }
	c.Run = func(in command.Input) tea.Cmd {
		return a.guarded(in, func() tea.Cmd { return a.rewind(in) })
	}
	return c
}

// rewindPoint is what was read for the question of a rewind.
type rewindPoint struct {
	action.RewindPoint
	found bool
	err   error
}

// rewind asks about going back to before the message at the cursor. At the end of the
// conversation a key takes the last one of the user's, and a written command lists them.
func (a *app) rewind(in command.Input) tea.Cmd {
	id, message := a.recipient(), society.MessageID("")
	if in.Written {
		id = in.Agent
	} else if own, chosen := a.transcript.OwnMessage(); chosen {
		if message = society.MessageID(own); message == "" {
			return a.warn(a.text(textNotYourMessage), "")
		}
	}
	if why := a.refusesAll(); !why.Empty() {
		return a.notify(why)
	}
	if in.Key == "" && message == "" {
		return a.listRewinds(in, id)
	}
	return a.readRewind(in, id, message, func() {})
}

// readRewind reads what going back to before a message would do, and asks. Agreed is called
// before the user's yes is carried out.
func (a *app) readRewind(in command.Input, id society.AgentID, message society.MessageID, agreed func()) tea.Cmd {
	return page.Later(a.deps.Screen, func(ctx context.Context) rewindPoint {
		p, found, err := a.actions.ReadRewind(ctx, id, message)
		return rewindPoint{p, found, err}
	}, func(p rewindPoint) tea.Cmd {
		switch {
		case p.err != nil:
			return a.notifyError(p.err)
		case !p.found:
			in.Refuse()
			return a.notify(a.actions.NothingToRewind(id))
		}
		return a.askRewind(p.RewindPoint, agreed)
	})
}

// rewindPoints are the messages that were read for the list of them.
type rewindPoints struct {
	all []action.RewindPoint
	err error
}

// listRewinds lists the messages that an agent's conversation can go back to, the newest first.
func (a *app) listRewinds(in command.Input, id society.AgentID) tea.Cmd {
	return page.Later(a.deps.Screen, func(ctx context.Context) rewindPoints {
		all, err := a.actions.ReadRewindPoints(ctx, id)
		return rewindPoints{all, err}
	}, func(r rewindPoints) tea.Cmd {
		switch {
		case r.err != nil:
			return a.notifyError(r.err)
		case len(r.all) == 0:
			in.Refuse()
			return a.notify(a.actions.NothingToRewind(id))
		}
		items := make([]list.Item, len(r.all))
		for i := range r.all {
			p := &r.all[i]
			items[i] = list.Item{
				ID: string(p.Message), Name: sanitize.Line(p.Text, page.TextCells), Note: page.Moment(a.now(), p.Taken),
				Text: a.printer.N(textWouldSetAside, p.Entries),
			}
		}
		var shown *page.List
		shown = a.deps.NewList(page.Choosing{Takes: hintRewind, By: page.InOrder, Take: func() tea.Cmd {
			item, ok := shown.Picked()
			if !ok {
				return nil
			}
			return a.readRewind(in, id, society.MessageID(item.ID), shown.Close) // until then esc leads back to it
		}})
		shown.Show(a.text(textRewindList, a.name(id)), "", items)
		return nil
	})
}

// rewindKind is the question whether to go back. Who expects to edit at once writes into it.
const rewindKind = "rewind"

func (a *app) askRewind(p action.RewindPoint, agreed func()) tea.Cmd {
	rewind := func(undo []uint64) func() tea.Cmd {
		return func() tea.Cmd {
			agreed()
			return a.rewindTo(p, undo)
		}
	}
	ask := func() page.Question {
		title, lines := a.actions.RewindQuestion(p)
		choices := []page.Choice{
			{Label: a.text(page.TextCancel)},
			{Label: a.text(textSetAside), Keys: []string{"y"}, Run: rewind(nil)},
		}
		if numbers := p.Changes.Numbers(); len(numbers) > 0 {
			choices = append(choices, page.Choice{
				Label: a.text(textSetAsideAndUndo), Keys: []string{"u"}, Grave: true, Run: rewind(numbers),
			})
		}
		return page.Question{Kind: rewindKind, Title: title, Body: dialog.Text(lines...), Choices: choices}
	}
	q := ask()
	q.Again = func() (page.Question, bool) {
		if _, here := a.replica.Row(p.Agent); !here {
			return page.Question{}, false
		}
		return ask(), true
	}
	return a.ask(q)
}

// wroteInstead leaves the list of messages below the question for what was written into that.
func (a *app) wroteInstead() tea.Cmd {
	for _, p := range a.openPages() {
		p.Close()
	}
	return a.inform(a.text(textNotRewound), "")
}

// rewindTo rewinds, puts the text into the composer, and undoes changes of files.
func (a *app) rewindTo(p action.RewindPoint, undo []uint64) tea.Cmd {
	going := a.notify(a.actions.Rewinding(p.Agent))
	return tea.Batch(going, page.Do(a.deps, society.Rewind{Agent: p.Agent, Message: p.Message}, func(r society.Rewound, err error) tea.Cmd {
		if err != nil {
			return a.notifyError(err)
		}
		a.transcript.EndSearch() // what it found may be set aside
		opened := a.openAgent(p.Agent)
		text := a.composer.WrittenAs(r.Text)
		a.composer.PutAside(p.Agent, text)
		shown := tea.Batch(opened, a.focus(layout.Composer), a.notify(a.actions.Rewound(p.Agent, r, text)))
		if len(undo) == 0 {
			return shown
		}
		return tea.Batch(shown, a.undoWith(undo))
	}))
}

// undoWith undoes changes of files, and reports it.
func (a *app) undoWith(numbers []uint64) tea.Cmd {
	return page.Later(a.deps.Screen, func(ctx context.Context) func() tea.Cmd {
		r, err := a.actions.Undo(ctx, numbers)
		return func() tea.Cmd {
			if err != nil {
				return a.notifyError(err)
			}
			return a.notify(a.actions.Undone(r))
		}
	}, func(then func() tea.Cmd) tea.Cmd { return then() })
}
