package transcript

import (
	"encoding/json"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"society-tui/runtime/conversation"
	"society-tui/tui/cells"
	"society-tui/tui/markdown"
	"society-tui/tui/sanitize"
)

const (
	// fieldRows is how many rows of a field are shown before the message is
	// unfolded completely.
	fieldRows = 3
	// besideCells is the width from which fields stand beside their names instead
	// of below.
	besideCells = 48
)

// A field is a structured part of a message: its name and its value, one line
// for each item of a list. Both are clean.
type field struct{ name, text string }

// briefName is the field of a task's message that holds its brief.
const briefName = "taskBrief"

// read returns the fields of a message for display. The fields of the brief are
// included; what repeats text is left out.
func (r *Model) read(list []conversation.Member, text string) []field {
	var fields []field
	for _, m := range list {
		if m.Name == briefName {
			if inside := conversation.Members(string(m.Value)); inside != nil {
				fields = append(fields, r.read(inside, text)...)
				continue
			}
		}
		said, ok := "", false
		if m.Name == "collaborators" || m.Name == "target" {
			said, ok = partners(m.Value)
		}
		if !ok {
			said = conversation.Outline(m.Value)
		}
		said = strings.TrimRight(sanitize.Text(said), "\n")
		if said == "" || m.Name == "objective" && strings.Contains(text, said) {
			continue
		}
		fields = append(fields, field{r.fieldName(m.Name), said})
	}
	return fields
}

// fieldName returns the title of a field, or the sender's name for it if it is
// unknown.
func (r *Model) fieldName(name string) string {
	switch name {
	case "objective":
		return r.text(textObjective)
	case "constraints":
		return r.text(textConstraints)
	case "inputs":
		return r.text(textInputs)
	case "outputs":
		return r.text(textOutputs)
	case "completion_criteria":
		return r.text(textCriteria)
	case "collaborators":
		return r.text(textCollaborators)
	case "references":
		return r.text(textReferences)
	case "priority":
		return r.text(textPriority)
	case "reason":
		return r.text(textReason)
	case "required_capability":
		return r.text(textCapability)
	case "target":
		return r.text(textTarget)
	case "introducerSays":
		return r.text(textIntroducerSays)
	case "usage_hint":
		return r.text(textUsageHint)
	}
	return sanitize.Line(name, nameCells)
}

// partner describes an agent that a field refers to: its name, and its details
// below. ok is false if value names no agent.
func partner(value json.RawMessage) (said string, ok bool) {
	who, role := "", ""
	var rest []string
	for _, m := range conversation.Members(string(value)) {
		var text string
		isText := json.Unmarshal(m.Value, &text) == nil
		switch {
		case isText && (m.Name == "agentId" || m.Name == "id"):
			who = text
		case isText && m.Name == "role":
			role = text
		case isText && m.Name == "description":
			rest = append([]string{text}, rest...)
		default:
			rest = append(rest, m.Outline())
		}
	}
	if role != "" && role != who {
		who += " (" + role + ")"
	}
	return strings.Join(append([]string{who}, rest...), "\n"), who != ""
}

// partners describes the agents of a list.
func partners(value json.RawMessage) (said string, ok bool) {
	var list []json.RawMessage
	if json.Unmarshal(value, &list) != nil {
		return partner(value)
	}
	var lines []string
	for _, one := range list {
		said, ok := partner(one)
		if !ok {
			return "", false
		}
		lines = append(lines, "- "+conversation.Hang(said))
	}
	return strings.Join(lines, "\n"), true
}

// layFields lays out the fields of a message below its text, with the names in
// a column of their own if the row is wide enough.
func (it *item) layFields(r *Model, width int) {
	if len(it.fields) == 0 {
		return
	}
	if len(it.rows) > 0 {
		it.rows = append(it.rows, markdown.Row{})
	}
	beside := 0
	if width >= besideCells {
		for _, f := range it.fields {
			beside = max(beside, r.set.Width(f.name)+2)
		}
		beside = min(beside, width/3)
	}
	for _, f := range it.fields {
		it.layField(r, f, width, beside)
	}
}

func (it *item) layField(r *Model, f field, width, beside int) {
	name := r.styles.subtle.Draw(r.set.Fit(f.name, max(beside-2, 0), r.set.Tail())) + "  "
	left := beside
	if beside == 0 {
		it.rows = append(it.rows, r.oneLine(r.styles.subtle, f.name, width))
		name, left = "  ", min(2, width-1)
	}
	lead := cells.Blank(left)
	add := func(text string) {
		it.rows = append(it.rows, markdown.Row{Text: text, Cells: r.set.Width(text)})
	}
	rows := fieldText(r, f.text, max(width-left, 1))
	shown := len(rows)
	if it.fold != whole && shown > fieldRows+1 {
		for shown = fieldRows; shown > 1 && strings.TrimSpace(ansi.Strip(rows[shown-1])) == ""; shown-- {
			continue // no blank row before the count of hidden rows
		}
	}
	for i, row := range rows[:shown] {
		if i == 0 {
			add(r.set.Cut(name, left, r.set.Tail()) + row)
			continue
		}
		add(lead + row)
	}
	if n := len(rows) - shown; n > 0 {
		it.more = true
		add(lead + r.styles.subtle.Draw(r.set.Cut(r.lines(n, textMoreLines), max(width-left, 1), r.set.Tail())))
	}
}

// fieldText lays out the value of a field; continuation rows of a list item are
// indented.
func fieldText(r *Model, text string, width int) []string {
	var rows []string
	for said := range strings.SplitSeq(text, "\n") {
		inside := strings.TrimLeft(said, " ")
		left := len(said) - len(inside)
		sign := ""
		if rest, ok := strings.CutPrefix(inside, "- "); ok {
			inside, sign = rest, r.sign("•", "*")+" "
		}
		if left+len(sign) > width/2 {
			left, sign = 0, ""
		}
		room := width - left - r.set.Width(sign)
		for i, row := range markdown.Plain(inside, max(room, 1), r.unstyled()) {
			if i > 0 {
				sign = cells.Blank(r.set.Width(sign))
			}
			rows = append(rows, cells.Blank(left)+r.styles.subtle.Draw(sign)+r.styles.text.Draw(row.Text))
		}
	}
	return rows
}

// withFields returns the text of a message for copying, with the fields below
// it.
func (it *item) withFields() string {
	text := it.text.text()
	if len(it.fields) == 0 {
		return text
	}
	said := []string{}
	for _, f := range it.fields {
		between := " "
		if strings.Contains(f.text, "\n") {
			between = "\n"
		}
		said = append(said, f.name+":"+between+f.text)
	}
	if text == "" {
		return strings.Join(said, "\n")
	}
	return text + "\n\n" + strings.Join(said, "\n")
}

// parts separates the fields of an agent's message from its text, once.
func (it *item) parts(r *Model) {
	if it.parted || it.mine || !it.bar && it.entry.Kind != conversation.Inbound {
		return
	}
	it.parted = true
	text, list := conversation.Fields(it.text.raw)
	it.text = foreign{raw: text}
	if len(list) > 0 {
		it.fields = r.read(list, it.text.text())
	}
}
