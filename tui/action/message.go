package action

import (
	"fmt"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
)

// Sent returns the notice about a text that was sent. It is empty if all that happened
// is that the text was sent.
func (b *Builder) Sent(cmd society.Send, sent society.Sent) Notice {
	who := b.Society.Name(cmd.To)
	switch {
	case len(sent.Resumed) > 0:
		return Notice{Text: fmt.Sprintf(b.Notices.ResumedSent, len(sent.Resumed), who) + b.Several(sent.Resumed)}
	case cmd.NewTask:
		return Notice{Text: fmt.Sprintf(b.Notices.NewTaskSent, who)}
	}
	return Notice{}
}

// InterruptedWith returns the notice about an interruption with a text.
func (b *Builder) InterruptedWith(to society.AgentID, reply society.Interruption) Notice {
	form := b.Notices.InterruptedText
	if !reply.Was {
		form = b.Notices.Sent // there was nothing to interrupt
	}
	return Notice{Text: fmt.Sprintf(form, b.Society.Name(to))}
}

// Saving returns the notice that nothing is being saved, or is again, if that was
// otherwise before.
func (b *Builder) Saving(before string) Notice {
	n := b.Notices
	switch now := b.Society.Unsaved(); {
	case now != "" && before == "":
		return Notice{Warned, fmt.Sprintf(n.Unsaved, now), n.HintDisk}
	case now == "" && before != "":
		return Notice{Text: n.SavedAgain}
	}
	return Notice{}
}

// Started says who goes on with the work of the run before, and who does not.
func (b *Builder) Started(r api.StartReport) []string {
	var said []string
	for _, part := range []struct {
		form string
		n    int
	}{{b.Notices.GoOn, r.AtWork}, {b.Notices.StayPaused, r.Paused}, {b.Notices.StayStopped, r.Stopped}} {
		if part.n > 0 {
			said = append(said, fmt.Sprintf(part.form, part.n))
		}
	}
	return said
}
