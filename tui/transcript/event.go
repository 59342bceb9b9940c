package transcript

import (
	"strings"

	"society-tui/runtime/conversation"
	"society-tui/runtime/society"
	"society-tui/themes"
	"society-tui/tui/markdown"
	"society-tui/tui/sanitize"
	"society-tui/tui/symbols"
)

// abortedCause is the recorded cause of an answer that the user aborted; any
// other cause is shown as the reason.
const abortedCause = "aborted"

// layEvent lays out an event of the agent.
func (it *item) layEvent(r *Model, width int) {
	e := &it.entry
	at := ""
	if !e.At.IsZero() {
		at = r.styles.subtle.Draw(r.clock(e.At))
	}
	switch said := it.happened(r); {
	case e.Kind == conversation.Summary, e.Kind == conversation.Merged:
		it.layRuntime(r, said, at, width)
	case e.Kind == conversation.Aborted:
		it.layNotice(r, said, at, r.styles.warning, width)
		if text := it.text.text(); text != "" {
			it.indent = 2
			it.rows = markdown.Render(text, max(width-it.indent, 1), r.quiet)
		}
	case e.Cause == society.FallbackCause:
		it.layNotice(r, r.sign("↻", "r")+" "+it.text.text(), at, r.styles.warning, width)
	case e.Cause == society.RemarkCause:
		it.layNotice(r, r.sign("⚠", "!")+" "+it.text.text(), at, r.styles.warning, width)
	default:
		it.layNotice(r, said+r.text(symbols.TextColon)+it.text.text(), at, r.styles.danger, width)
	}
}

// happened describes an event of the agent.
func (it *item) happened(r *Model) string {
	e := &it.entry
	switch e.Kind {
	case conversation.Summary:
		return r.squeezed(e.Compression)
	case conversation.Merged:
		said := r.text(textMerged)
		if e.Branch != 0 {
			said += r.dot() + r.text(textBranch, e.Branch)
		}
		return said
	case conversation.Aborted:
		said := r.sign("■", "#") + " " + r.text(textAborted)
		if e.Tokens > 0 {
			said += r.dot() + r.text(textThrownAway, symbols.Bytes(e.Tokens))
		}
		if e.Cause != "" && e.Cause != abortedCause {
			said += r.dot() + sanitize.Text(e.Cause)
		}
		return said
	}
	return r.sign("✗", "!") + " " + r.text(textFailure)
}

// layRuntime lays out a text of the runtime below its title; folded, only the
// title is shown, in as many rows as its parts need.
func (it *item) layRuntime(r *Model, what, at string, width int) {
	room := width - r.set.Width(at) - 4
	parts := strings.Split(what, r.dot())
	for begins := r.styles.subtle.Draw(r.marker(it.fold)) + " "; len(parts) > 0; begins, at = "  ", "" {
		row := parts[0]
		for parts = parts[1:]; len(parts) > 0 && r.set.Width(row+r.dot()+parts[0]) <= room; parts = parts[1:] {
			row += r.dot() + parts[0]
		}
		it.top = append(it.top, r.sides(begins+r.styles.muted.Draw(row), at, width))
	}
	if it.fold != folded {
		it.indent = 2
		it.rows = markdown.Render(it.text.text(), max(width-it.indent, 1), r.quiet)
	}
}

// squeezed describes which messages were compressed, and by whom.
func (r *Model) squeezed(s *conversation.Compression) string {
	if s == nil {
		return r.text(textCompressed)
	}
	by := r.text(textByAgent)
	switch {
	case s.ByItself:
		by = r.text(textByItself)
	case s.ByUser:
		by = r.text(textByUser)
	}
	tokens := symbols.Tokens(s.Before) + r.arrow() + symbols.Tokens(s.After)
	if r.set.Spoken {
		tokens = r.text(textFromTo, symbols.Tokens(s.Before), symbols.Tokens(s.After))
	}
	said := r.text(textSqueezed, symbols.Count(s.Entries), tokens) + r.dot() + by
	if s.Left > 0 {
		said += r.dot() + r.text(textUnsummed, symbols.Count(s.Left))
	}
	return said
}

// layNotice lays out a sentence over as many rows as it needs, with the time at
// the end of the first.
func (it *item) layNotice(r *Model, said, at string, style themes.Pen, width int) {
	room := width
	if at != "" {
		room -= 10
	}
	if room < 16 {
		room, at = width, ""
	}
	for i, row := range markdown.Plain(strings.TrimSpace(said), max(room-2, 1), r.unstyled()) {
		text := style.Draw(row.Text)
		switch {
		case i == 0:
			text = r.sides(text, at, width)
		default:
			text = "  " + text
		}
		it.top = append(it.top, text)
	}
}

// unstyled is the look of text that is styled as a whole.
func (r *Model) unstyled() *markdown.Look {
	if r.drawn == nil {
		r.drawn = &markdown.Look{}
	}
	return r.drawn
}
