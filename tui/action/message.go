package action

import (
	"slices"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
	"society-tui/tui/sanitize"
	"society-tui/tui/symbols"
)

// Sent returns the notice about a sent text, empty if there is nothing to add.
func (b *Builder) Sent(cmd society.Send, sent society.Sent) Notice {
	who := b.Society.Name(cmd.To)
	switch {
	case sent.Held:
		return Notice{Warned, b.text(textSentHeld, who), b.text(textHintHeld, symbols.BudgetWord(b.heldBy(cmd.To)))}
	case len(sent.Resumed) > 0:
		return Notice{Text: b.Printer.N(textResumedSent, len(sent.Resumed), who) + b.several(sent.Resumed)}
	case cmd.NewTask:
		return Notice{Text: b.text(textNewTaskSent, who)}
	}
	return b.toNobody(cmd)
}

// heldBy returns the spent budget that holds an agent.
func (b *Builder) heldBy(id society.AgentID) society.BudgetScope {
	if row, _ := b.Society.Row(id); row.HeldBy != (society.BudgetScope{}) {
		return row.HeldBy
	}
	for _, s := range b.Society.Budgets() { // the row is not told yet
		if s.IsSpent() {
			return s.BudgetScope
		}
	}
	return society.BudgetScope{Agent: id}
}

// Send makes the action that sends a text, and files, to each of some agents.
func (b *Builder) Send(ids []society.AgentID, text string, newTask bool, attached ...society.Attachment) Action {
	if why := b.refusedVerb(Other, ids); !why.Empty() {
		return Action{Refused: why}
	}
	ids = b.Present(ids)
	o := newAction(b, Other, ids,
		func(id society.AgentID) society.Send {
			return society.Send{To: id, Text: text, NewTask: newTask, Attachments: attached}
		},
		func(well []answered[society.Sent]) Notice {
			to := slices.DeleteFunc(slices.Clone(ids), func(id society.AgentID) bool { // in their order, not that of the replies
				return !slices.ContainsFunc(well, func(done answered[society.Sent]) bool { return done.agent == id })
			})
			all := Notice{Text: b.text(TextSent, b.Names(to))}
			for _, done := range well {
				all = all.And(b.Sent(society.Send{To: done.agent}, done.reply), b.Dot)
			}
			return all
		})
	o.Text = text
	return o
}

// InterruptWith makes the action that interrupts an agent, which continues with
// a text, and with files.
func (b *Builder) InterruptWith(id society.AgentID, text string, attached ...society.Attachment) Action {
	o := newAction(b, Other, []society.AgentID{id},
		func(id society.AgentID) society.Interrupt {
			return society.Interrupt{Agent: id, Text: text, Attachments: attached}
		},
		func(well []answered[society.Interruption]) Notice {
			form := TextInterruptedText
			if !well[0].reply.Was {
				form = TextSent // nothing to interrupt
			}
			return Notice{Text: b.text(form, b.Society.Name(id))}
		})
	o.Text = text
	return o
}

// Rename makes the action that sets an agent's display name, or removes it if
// name is empty.
func (b *Builder) Rename(id society.AgentID, name string) Action {
	row, _ := b.Society.Row(id)
	before := society.ScreenName(id, row.Role, row.Sole) // without the name that the user gave it
	if name == "" && row.Name == "" {
		return Action{Refused: Notice{Warned, b.text(textNoName, before), b.text(textHintName)}}
	}
	return newAction(b, Other, []society.AgentID{id},
		func(id society.AgentID) society.Rename { return society.Rename{Agent: id, Name: name} },
		func([]answered[society.Done]) Notice {
			if name == "" {
				return Notice{Text: b.text(textUnnamed, before)}
			}
			return Notice{Text: b.text(textNamed, before, sanitize.Line(name, nameCells))}
		})
}

// Saving returns the notice that saving failed or works again, if that changed.
func (b *Builder) Saving(before string) Notice {
	switch now := b.Society.Unsaved(); {
	case now != "" && before == "":
		return Notice{Warned, b.text(textUnsaved, now), b.text(TextHintDisk)}
	case now == "" && before != "":
		return Notice{Text: b.text(textSavedAgain)}
	}
	return Notice{}
}

// Drained reports the end of a drain.
func (b *Builder) Drained(id society.AgentID, ended, cutOff int) string {
	said := b.text(textDrained, b.Society.Name(id))
	if ended > 1 {
		said += b.text(symbols.TextComma) + b.Printer.N(textEnded, ended)
	}
	return b.withDropped(said, cutOff)
}

// Working counts the agents at work, as a sentence.
func (b *Builder) Working(n int) string {
	if n == 0 {
		return b.text(textNobodyWorks)
	}
	return b.Printer.N(textWorking, n)
}

// Grown reports that there were fewer agents when the question was first asked.
func (b *Builder) Grown(n int) string { return b.Printer.N(textGrown, n) }

// Started reports which agents continue their work after a restart, and which
// do not.
func (b *Builder) Started(r api.StartReport) []string {
	var said []string
	if r.AtWork > 0 {
		said = append(said, b.Printer.N(textGoOn, r.AtWork))
	}
	if r.Paused > 0 {
		said = append(said, b.text(textPaused, r.Paused))
	}
	if r.Stopped > 0 {
		said = append(said, b.text(textStayStopped, r.Stopped))
	}
	return said
}
