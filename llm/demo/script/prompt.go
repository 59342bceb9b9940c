package script

import (
	"regexp"
	"strings"
)

// A self is the agent of a request, as its system prompt describes it.
type self struct {
	known    bool // the prompt is one of the society's
	id, role string
	lang     Language
	brief    *brief
	contacts []contact
	warned   bool   // its context is nearly full
	step     string // title of the present node of its graph; "" without a graph
}

// A contact is an agent, or the user, that the agent knows.
type contact struct{ id, role, source, about string }

var (
	identity   = regexp.MustCompile(`^(?:You are agent (\S+), role "(.*)", in a society|你是智能体 (\S+)，角色“(.*)”，属于)`)
	specAt     = regexp.MustCompile(`^  (?:interface_spec|introducerSays): `)
	contactAt  = regexp.MustCompile(`^- (\S+) \((.*)\), (\w+)`)
	briefField = regexp.MustCompile(`(?m)^- ([a-z_]+):`)
)

// readPrompt reads a system prompt; known is false for one of another program.
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
				me.contacts = nil // only the last such section is the runtime's
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

// read parses the section of the prompt that Inputs holds. Further lines of a field
// are indented, so no text can look like a field.
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

// contact returns the contact with an id.
func (me self) contact(id string) (c contact, ok bool) {
	for _, c := range me.contacts {
		if c.id == id {
			return c, true
		}
	}
	return contact{}, false
}

// gone reports whether an agent has been ended: it is then in no contact list.
func (me self) gone(id string) bool {
	_, ok := me.contact(id)
	return !ok && len(me.contacts) > 0
}
