package script

import (
	"regexp"
	"strings"
)

// A self is who the model is in a request, as its system prompt says.
type self struct {
	known    bool // the prompt is one of the society's
	id, role string
	lang     Language
	brief    *brief
	contacts []contact
	warned   bool   // the history is getting too long
	step     string // the title of the node of its graph that it is at; "" without a graph
}

// A contact is somebody whom an agent knows; about is what is said of it.
type contact struct{ id, role, source, about string }

var (
	identity   = regexp.MustCompile(`^(?:You are agent (\S+), role "(.*)", in a society|你是智能体 (\S+)，角色“(.*)”，属于)`)
	specAt     = regexp.MustCompile(`^  (?:interface_spec|introducerSays): `)
	contactAt  = regexp.MustCompile(`^- (\S+) \((.*)\), (\w+)`)
	briefField = regexp.MustCompile(`(?m)^- ([a-z_]+):`)
)

// readPrompt reads a system prompt. One that is not the society's leaves known
// false.
func readPrompt(system string) self {
	m := identity.FindStringSubmatch(system)
	if m == nil {
		return self{lang: English}
	}
	me := self{known: true, id: m[1] + m[3], role: m[2] + m[4], lang: English}
	if m[3] != "" {
		me.lang = Chinese
	}
	title := ""
	for line := range strings.Lines(system) {
		line = strings.TrimRight(line, "\r\n")
		if strings.HasPrefix(line, "# ") {
			title = line
			if title == headContacts.in(me.lang) {
				me.contacts = nil // of two such headings the last is the runtime's
			}
		}
		switch m := contactAt.FindStringSubmatch(line); {
		case title == headBrief.in(me.lang):
			if me.brief == nil {
				me.brief = &brief{}
			}
			me.brief.Inputs += line + "\n"
		case title == headContacts.in(me.lang) && m != nil:
			me.contacts = append(me.contacts, contact{id: m[1], role: m[2], source: m[3]})
		case title == headContacts.in(me.lang) && strings.HasPrefix(line, "  ") && len(me.contacts) > 0 && !specAt.MatchString(line):
			if last := &me.contacts[len(me.contacts)-1]; last.about == "" {
				last.about = strings.TrimSpace(line)
			}
		case title == headWarning.in(me.lang):
			me.warned = true
		case strings.HasPrefix(title, headStep.in(me.lang)):
			me.step = strings.TrimPrefix(title, headStep.in(me.lang))
		}
	}
	me.brief.read()
	return me
}

// read reads a brief, which stands in Inputs as the prompt writes it: the lines of
// a field behind the first are indented, so that no text can look like another.
func (b *brief) read() {
	if b == nil {
		return
	}
	written := b.Inputs
	*b = brief{}
	at := append(briefField.FindAllStringSubmatchIndex(written, -1), []int{len(written)})
	for i, field := range at[:len(at)-1] {
		value := strings.TrimSpace(strings.ReplaceAll(written[field[1]:at[i+1][0]], "\n  ", "\n"))
		switch written[field[2]:field[3]] {
		case "objective":
			b.Objective = value
		case "inputs":
			b.Inputs = value
		case "constraints":
			for item := range strings.SplitSeq("\n"+value, "\n- ") {
				b.Constraints = append(b.Constraints, item)
			}
		}
	}
}

// contact returns the contact with an id; ok is false for whom the agent does not
// know.
func (me self) contact(id string) (c contact, ok bool) {
	for _, c := range me.contacts {
		if c.id == id {
			return c, true
		}
	}
	return contact{}, false
}

// gone reports whether an agent that was a contact is one no more: who was ended
// is in nobody's contacts.
func (me self) gone(id string) bool {
	_, ok := me.contact(id)
	return !ok && len(me.contacts) > 0
}
