package action

import (
	"society-tui/runtime/api"
	"society-tui/runtime/society"
)

// Sent returns the notice about a sent text, empty if there is nothing to add.
func (b *Builder) Sent(cmd society.Send, sent society.Sent) Notice {
	who := b.Society.Name(cmd.To)
	switch {
	case len(sent.Resumed) > 0:
		return Notice{Text: b.Printer.N(textResumedSent, len(sent.Resumed), who) + b.several(sent.Resumed)}
	case cmd.NewTask:
		return Notice{Text: b.text(textNewTaskSent, who)}
	}
	return Notice{}
}

// InterruptedWith returns the notice about an interruption with a text.
func (b *Builder) InterruptedWith(to society.AgentID, reply society.Interruption) Notice {
	form := textInterruptedText
	if !reply.Was {
		form = textSent // nothing to interrupt
	}
	return Notice{Text: b.text(form, b.Society.Name(to))}
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
		said += b.text(textComma) + b.Printer.N(textEnded, ended)
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
		said = append(said, b.text(textStayPaused, r.Paused))
	}
	if r.Stopped > 0 {
		said = append(said, b.text(textStayStopped, r.Stopped))
	}
	return said
}
