package mind

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
type contact struct{ id, role, about string }

var (
	identityEN = regexp.MustCompile(`^You are agent (\S+), role "(.*)", in a society of AI agents led by a person\.`)
	identityZH = regexp.MustCompile(`^你是智能体 (\S+)，角色“(.*)”，属于由一个人领导的 AI 智能体社会。`)
	specAt     = regexp.MustCompile(`^  (?:interface_spec|introducerSays): `)
	contactAt  = regexp.MustCompile(`^- (\S+) \((.*)\),`)
)

// readPrompt reads a system prompt. One that is not the society's leaves known
// false and the language to be guessed.
func readPrompt(system string) self {
	me := self{lang: English}
	first, rest, _ := strings.Cut(system, "\n")
	switch {
	case identityEN.MatchString(first):
		m := identityEN.FindStringSubmatch(first)
		me.known, me.id, me.role = true, m[1], m[2]
	case identityZH.MatchString(first):
		m := identityZH.FindStringSubmatch(first)
		me.known, me.id, me.role, me.lang = true, m[1], m[2], Chinese
	default:
		return me
	}
	sections := sectionsOf(rest)
	if lines, ok := sections[me.lang.say("section_brief")]; ok {
		me.brief = readBrief(lines)
	}
	for _, line := range sections[me.lang.say("section_contacts")] {
		if m := contactAt.FindStringSubmatch(line); m != nil {
			me.contacts = append(me.contacts, contact{id: m[1], role: m[2]})
		} else if n := len(me.contacts); n > 0 && strings.HasPrefix(line, "  ") && !specAt.MatchString(line) {
			me.contacts[n-1].about = strings.TrimPrefix(strings.TrimSpace(line), me.lang.say("set_up"))
		}
	}
	for heading := range sections {
		if title, ok := strings.CutPrefix(heading, me.lang.say("section_step")); ok {
			me.step = title
		}
	}
	_, me.warned = sections[me.lang.say("section_warning")]
	return me
}

// sectionsOf cuts a prompt at its headings. The lines of a brief are indented,
// so that no text of a person can look like one; of two with the same heading
// the last is the runtime's.
func sectionsOf(prompt string) map[string][]string {
	sections := make(map[string][]string)
	title := ""
	for line := range strings.Lines(prompt) {
		line = strings.TrimRight(line, "\r\n")
		if strings.HasPrefix(line, "# ") {
			title = strings.TrimSpace(line)
			sections[title] = nil
			continue
		}
		sections[title] = append(sections[title], line)
	}
	return sections
}

// knows says whether an agent is among the contacts.
func (s self) knows(id string) bool {
	for _, c := range s.contacts {
		if c.id == id {
			return true
		}
	}
	return false
}

// briefField is how a field of a brief begins.
var briefField = regexp.MustCompile(`^- ([a-z_]+):(?: (.*))?$`)

// readBrief reads a brief as the system prompt writes it.
func readBrief(lines []string) *brief {
	fields := make(map[string][]string)
	name := ""
	for _, line := range lines {
		if m := briefField.FindStringSubmatch(line); m != nil {
			name = m[1]
			fields[name] = nil
			if m[2] != "" {
				fields[name] = append(fields[name], m[2])
			}
			continue
		}
		if name != "" {
			fields[name] = append(fields[name], strings.TrimPrefix(line, "  "))
		}
	}
	b := &brief{
		Objective:   strings.TrimSpace(strings.Join(fields["objective"], "\n")),
		Inputs:      strings.TrimSpace(strings.Join(fields["inputs"], "\n")),
		Constraints: items(fields["constraints"]),
		References:  items(fields["references"]),
	}
	for _, item := range fields["collaborators"] {
		if m := collaboratorAt.FindStringSubmatch(item); m != nil {
			b.Collaborators = append(b.Collaborators, collaborator{AgentID: m[1], Role: m[2], Description: m[3]})
		}
	}
	return b
}

var collaboratorAt = regexp.MustCompile(`^- (\S+) \((.*?)\): ?(.*)$`)

// items reads a list, one item a line.
func items(lines []string) []string {
	var found []string
	for _, line := range lines {
		if item, ok := strings.CutPrefix(line, "- "); ok {
			found = append(found, item)
		}
	}
	return found
}
