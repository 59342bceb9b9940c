package script

import (
	"cmp"
	"slices"
	"strings"

	"society-tui/llm/lazyregexp"
)

const (
	rootID = "root"
	userID = "user"
)

// A self is the agent of a request, as its system prompt describes it.
type self struct {
	known    bool // the prompt is one of the society's
	id, role string
	lang     Language
	contacts []contact
	warned   bool // its context is nearly full
	inGraph  bool
	step     string // title of the present node of its graph; "" without one
}

// A contact is an agent, or the user, that the agent knows.
type contact struct {
	id, role, source string
	name             string // on the screen, "" if that is the role's
	isHead           bool   // of a team that the user has set up
}

var (
	identity = lazyregexp.New(`^(?:You are agent (\S+), role "(.*)", in a society|你是智能体 (\S+)，角色“(.*)”，属于)`)
	// headAt matches the purpose of an agent that takes whole requests, as the heads of templates do.
	headAt    = lazyregexp.New(`^  .*(?:\bgive this agent the whole\b|把完整的.{1,12}交给它)`)
	contactAt = lazyregexp.New(`^- (\S+) \((.*)\), (\w+)(?:, name: (.*))?$`)
)

// Parts of the system prompt, as the runtime writes them.
var (
	headContacts = text{"# Contacts", "# 联系人"}
	headWarning  = text{"# Context warning", "# 上下文警告"}
	headStep     = text{"# Your present step: ", "# 当前步骤："}
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
		switch {
		case strings.HasPrefix(line, "# "):
			title = line
			me.beginSection(title)
		case title == headContacts.in(me.lang):
			me.readContact(line)
		}
	}
	return me
}

// beginSection handles the title of a section. Further lines of a brief are indented, so
// none can look like a title; of sections with the same title, the last is the runtime's.
func (me *self) beginSection(title string) {
	switch step, isStep := strings.CutPrefix(title, headStep.in(me.lang)); {
	case title == headContacts.in(me.lang):
		me.contacts = nil
	case title == headWarning.in(me.lang):
		me.warned = true
	case isStep:
		me.inGraph, me.step = true, step
	}
}

func (me *self) readContact(line string) {
	if m := contactAt.FindStringSubmatch(line); m != nil {
		me.contacts = append(me.contacts, contact{id: m[1], role: m[2], source: m[3], name: m[4]})
	} else if n := len(me.contacts); n > 0 && headAt.MatchString(line) {
		me.contacts[n-1].isHead = true
	}
}

// isRoot reports whether the agent leads the society.
func (me self) isRoot() bool { return me.id == rootID }

// knows reports whether an agent is among the contacts, as each is until it is ended.
func (me self) knows(id string) bool {
	return slices.ContainsFunc(me.contacts, func(c contact) bool { return c.id == id })
}

// children returns the agents below the agent.
func (me self) children() []contact {
	return slices.DeleteFunc(slices.Clone(me.contacts), func(c contact) bool { return c.source != "child" })
}

// called returns an agent's name on the screen.
func (me self) called(id string) string {
	if at := slices.IndexFunc(me.contacts, func(c contact) bool { return c.id == id }); at >= 0 {
		return cmp.Or(me.contacts[at].name, me.contacts[at].role, id)
	}
	return id
}
