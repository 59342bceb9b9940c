package transcript

import (
	"encoding/json"
	"slices"
	"strings"

	"society-tui/runtime/conversation"
	"society-tui/runtime/society"
	"society-tui/tui/markdown"
	"society-tui/tui/sanitize"
)

// sendTool is the tool that sends messages, spawnTool the one that creates an
// agent with a task.
const (
	sendTool  = "send_message"
	spawnTool = "spawn_agent"
)

// letterRows is how many rows of a message to others are shown before it is
// unfolded completely. A message to the user is always shown in full.
const letterRows = 3

// A letter is the message that a call sends. It is shown as a message, not as a
// call, because the user looks for messages.
type letter struct {
	to       string // as in a head
	toPerson bool
	kind     string
	text     string // clean
	fields   []conversation.Member
}

// letter returns the message that the call sends, or nil if there is none or it
// was not sent.
func (c *call) letter() *letter {
	if c.Name != sendTool {
		return nil
	}
	if c.result != nil {
		switch c.result.outcome {
		case conversation.Failed, conversation.Skipped, conversation.NotRun:
			return nil
		}
	}
	if !c.opened {
		c.opened = true
		c.told = open(c.Arguments)
	}
	return c.told
}

// open reads the arguments of a call that sends a message.
func open(arguments string) *letter {
	said := &letter{}
	for _, m := range conversation.Members(arguments) {
		switch m.Name {
		case "to":
			to := recipients(m.Value)
			said.to = strings.Join(to, ",")
			said.toPerson = slices.Contains(to, string(society.User))
		case "message_type":
			said.kind = word(m.Value)
		case "payload":
			if said.text = word(m.Value); said.text == "" {
				said.text, said.fields = textAndFields(m.Value)
			}
		}
	}
	said.text = sanitize.Text(said.text)
	if said.to == "" || strings.TrimSpace(said.text) == "" && len(said.fields) == 0 {
		return nil
	}
	return said
}

// word reads a string, or returns "" for any other value.
func word(value json.RawMessage) string {
	var text string
	if json.Unmarshal(value, &text) != nil {
		return ""
	}
	return text
}

func recipients(value json.RawMessage) []string {
	var several []string
	if json.Unmarshal(value, &several) == nil {
		return several
	}
	if one := word(value); one != "" {
		return []string{one}
	}
	return nil
}

func textAndFields(payload json.RawMessage) (text string, fields []conversation.Member) {
	for _, m := range conversation.Members(string(payload)) {
		if m.Name == "text" {
			text = word(m.Value)
			continue
		}
		fields = append(fields, m)
	}
	return text, fields
}

// asLetter returns the message that the item sends, or nil if the item is shown
// as a call: in full detail every call shows its arguments and result.
func (it *item) asLetter(r *Model) *letter {
	if it.call == nil || it.faded || it.fold == folded || r.detail == Full {
		return nil
	}
	return it.call.letter()
}

// layLetter lays out a sent message under its own head, or under the head of
// the answer that sent it.
func (it *item) layLetter(r *Model, said *letter, width int) {
	h := head{from: string(it.call.from)}
	if it.head != nil {
		h = *it.head
	}
	h.to, h.word = said.to, r.typeWord(said.kind)
	h.note = r.styles.subtle.Draw(sendTool) + " " + it.outcome(r)
	it.top = append(it.top, h.draw(r, width))
	if strings.TrimSpace(said.text) != "" {
		it.rows = markdown.Render(said.text, width, r.full)
		if n := len(it.rows) - letterRows; n > 1 && !said.toPerson && it.fold != whole {
			it.more = true
			it.rows = append(it.rows[:letterRows:letterRows], r.oneLine(r.styles.subtle, r.lines(n, textMoreLines), width))
		}
	}
	it.fields = r.read(said.fields, said.text)
	it.layFields(r, width)
}
