package conversation

import (
	"encoding/json"
	"slices"
	"strings"

	"society-tui/runtime/society"
	"society-tui/tui/markdown"
	"society-tui/tui/sanitize"
)

// sendTool is the tool with which an agent writes to others.
const sendTool = "send_message"

// A letter is what a call tells the person: in the conversation it is read like a
// message, for it is meant for who looks at it.
type letter struct {
	text   string // clean
	fields []member
}

// toPerson returns what the call tells the person, nil if it is for others alone.
func (c *call) toPerson() *letter {
	if !c.asked {
		c.asked = true
		c.said = c.letter()
	}
	return c.said
}

func (c *call) letter() *letter {
	if c.Name != sendTool {
		return nil
	}
	var payload json.RawMessage
	toPerson := false
	for _, m := range members(c.Arguments) {
		switch m.name {
		case "to":
			toPerson = names(m.value, string(society.User))
		case "payload":
			payload = m.value
		}
	}
	if !toPerson || payload == nil {
		return nil
	}
	var text string
	if json.Unmarshal(payload, &text) == nil {
		return &letter{text: sanitize.Text(text)}
	}
	said := &letter{}
	for _, m := range members(string(payload)) {
		if m.name != "text" || json.Unmarshal(m.value, &said.text) != nil {
			said.fields = append(said.fields, m)
		}
	}
	said.text = sanitize.Text(said.text)
	if strings.TrimSpace(said.text) == "" && len(said.fields) == 0 {
		return nil
	}
	return said
}

// names says whether a recipient, or a list of them, names id.
func names(value json.RawMessage, id string) bool {
	var one string
	if json.Unmarshal(value, &one) == nil {
		return one == id
	}
	var several []string
	return json.Unmarshal(value, &several) == nil && slices.Contains(several, id)
}

// layLetter lays out what a call tells the person. As a whole it is shown like
// any other call, with its arguments and its result.
func (it *item) layLetter(r *Room, said *letter, width int) {
	it.more = true
	it.indent = thoughtIndent
	look := r.full
	if it.faded {
		look = r.quiet
	}
	room := max(width-it.indent, 1)
	if said.text != "" {
		it.rows = markdown.Render(said.text, room, look)
	}
	it.fields = r.read(said.fields, said.text)
	it.layFields(r, room)
}
