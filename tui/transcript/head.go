package transcript

import (
	"strings"
	"time"

	"society-tui/runtime/i18n"
	"society-tui/runtime/society"
	"society-tui/themes"
	"society-tui/tui/markdown"
	"society-tui/tui/sanitize"
	"society-tui/tui/symbols"
)

// nameCells is the longest name in a head.
const nameCells = 40

// A head is the line above a message: sender, recipients and type, and at the
// right cost and time.
type head struct {
	from, to string // to may list several, separated by commas; empty means own notes
	word     string
	state    string // such as unread or superseded
	brief    string // state for narrow rows
	cause    string // why the answer ended early
	at       time.Time
	tokens   int
	took     time.Duration
	note     string // styled; at the end
}

func (h *head) draw(r *Model, width int) string {
	left := r.party(agentIn(h.from)) + r.styles.subtle.Draw(r.arrow()) + r.recipients(h.to)
	if h.word != "" {
		left += r.styles.muted.Draw(r.dot() + h.word)
	}
	if h.cause != "" {
		left += r.styles.warning.Draw(r.dot() + sanitize.Line(h.cause, nameCells))
	}
	var notes []string
	if h.tokens > 0 {
		notes = append(notes, r.text(textTokens, symbols.Tokens(h.tokens)))
	}
	if h.took > 0 {
		notes = append(notes, symbols.Took(h.took))
	}
	if !h.at.IsZero() {
		notes = append(notes, r.clock(h.at))
	}
	// In a narrow row the cost goes first, then the time; at last state shrinks to
	// one word.
	room := width - r.set.Width(left) - 1
	if h.note != "" {
		room -= r.set.Width(h.note) + 2
	}
	state := h.state
	for {
		parts := notes
		if state != "" {
			parts = append([]string{state}, notes...)
		}
		switch {
		case r.set.Width(strings.Join(parts, r.dot())) <= room:
		case len(notes) > 0:
			notes = notes[1:]
			continue
		case h.brief != "" && state != h.brief:
			state = h.brief
			continue
		}
		right := r.noted(state, notes)
		if h.note != "" && right != "" {
			right += "  "
		}
		return r.sides(left, right+h.note, width)
	}
}

// noted draws the right part of a head.
func (r *Model) noted(state string, notes []string) string {
	rest := strings.Join(notes, r.dot())
	if state != "" && rest != "" {
		rest = r.dot() + rest
	}
	return r.styles.warning.Draw(state) + r.styles.subtle.Draw(rest)
}

// recipients returns the names of a message's recipients.
func (r *Model) recipients(to string) string {
	if to == "" {
		return r.styles.muted.Draw(r.text(textOwnNotes))
	}
	var b strings.Builder
	for i, id := range strings.Split(to, ",") {
		if i > 0 {
			b.WriteString(r.styles.subtle.Draw(r.text(symbols.TextListComma)))
		}
		b.WriteString(r.party(agentIn(id)))
	}
	return b.String()
}

// agentIn returns the agent that an entry names, cleaned, because a model may
// have written anything there.
func agentIn(id string) society.AgentID { return society.AgentID(sanitize.Line(id, nameCells)) }

func (r *Model) arrow() string {
	switch {
	case r.set.Spoken:
		return r.text(textTo)
	case r.set.ASCII:
		return " -> "
	}
	return " → "
}

func (r *Model) dot() string {
	switch {
	case r.set.Spoken:
		return r.text(symbols.TextComma)
	case r.set.ASCII:
		return " - "
	}
	return " · "
}

// clock formats the time of a message, with its date if it is not today.
func (r *Model) clock(at time.Time) string {
	if r.now.IsZero() {
		return at.Format("15:04:05")
	}
	at = at.In(r.now.Location())
	if y, m, d := at.Date(); r.now.Year() != y || r.now.Month() != m || r.now.Day() != d {
		return at.Format("01-02 15:04")
	}
	return at.Format("15:04:05")
}

// sides draws left and right at the edges of a row. If both do not fit, left is
// cut; if right alone does not fit, it is dropped.
func (r *Model) sides(left, right string, width int) string {
	w := r.set.Width(right)
	if w == 0 || w+2 > width {
		return r.set.Cut(left, width, r.set.Tail())
	}
	return r.set.Fit(left, width-w-1, r.set.Tail()) + " " + right
}

// lines formats a number of lines.
func (r *Model) lines(n int, of i18n.Plural) string { return r.printer.N(of, n, symbols.Count(n)) }

// oneLine is a row of one text in one style, cut to width.
func (r *Model) oneLine(style themes.Pen, text string, width int) markdown.Row {
	text = r.set.Cut(text, width, r.set.Tail())
	return markdown.Row{Text: style.Draw(text), Cells: r.set.Width(text)}
}
