package action

import (
	"society-tui/runtime/api"
	"society-tui/runtime/society"
)

// Sent returns the notice about a text that was sent. It is empty if all that happened
// is that the text was sent.
func (b *Builder) Sent(cmd society.Send, sent society.Sent) Notice {
	who := b.Society.Name(cmd.To)
	switch {
	case len(sent.Resumed) > 0:
		return Notice{Text: b.Printer.N(textResumedSent, len(sent.Resumed), who) + b.Several(sent.Resumed)}
	case cmd.NewTask:
		return Notice{Text: b.text(textNewTaskSent, who)}
	}
	return Notice{}
}

// InterruptedWith returns the notice about an interruption with a text.
func (b *Builder) InterruptedWith(to society.AgentID, reply society.Interruption) Notice {
	form := textInterruptedText
	if !reply.Was {
		form = textSent // there was nothing to interrupt
	}
	return Notice{Text: b.text(form, b.Society.Name(to))}
}

// Saving returns the notice that nothing is being saved, or is again, if that was
// otherwise before.
func (b *Builder) Saving(before string) Notice {
	switch now := b.Society.Unsaved(); {
	case now != "" && before == "":
		return Notice{Warned, b.text(textUnsaved, now), b.text(TextHintDisk)}
	case now == "" && before != "":
		return Notice{Text: b.text(textSavedAgain)}
	}
	return Notice{}
}

// Drained returns what is told when a drain has ended.
func (b *Builder) Drained(id society.AgentID, ended, cutOff int) string {
	said := b.text(textDrained, b.Society.Name(id))
	if ended > 1 {
		said += b.text(textComma) + b.Printer.N(textEnded, ended)
	}
	return b.withDropped(said, cutOff)
}

// Working returns how many agents work, as a sentence.
func (b *Builder) Working(n int) string {
	if n == 0 {
		return b.text(textNobodyWorks)
	}
	return b.Printer.N(textWorking, n)
}

// Grown returns that there were fewer agents when a question was asked first.
func (b *Builder) Grown(n int) string { return b.Printer.N(textGrown, n) }

// Started says who goes on with the work of the run before, and who does not.
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
