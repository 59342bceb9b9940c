package mind

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"society-tui/llm/demo/prose"
)

// A section is what one agent found with one skill. Agents send each other
// sections as plain text that a person can read too.
type section struct {
	job      int // which of root's jobs it is for; 0 for none
	skill    prose.Skill
	findings []prose.Finding
}

// writeSections writes a report.
func writeSections(lang Language, sections []section) string {
	var b strings.Builder
	for i, s := range sections {
		if i > 0 {
			b.WriteString("\n")
		}
		title := lang.say(skillName(s.skill))
		if s.job > 0 {
			title = lang.say("section_of_job", s.job, title)
		}
		fmt.Fprintf(&b, "**%s**\n", title)
		for _, f := range s.findings {
			b.WriteString("- " + lang.finding(f) + "\n")
		}
	}
	return strings.TrimRight(b.String(), "\n")
}

var (
	sectionTitle = regexp.MustCompile(`^\*\*(.+)\*\*$`)
	jobTitle     = regexp.MustCompile(`^(?:Request|任务) (\d{1,6}) · (.+)$`)
)

// readSections reads what writeSections wrote, in either language. Lines that
// it did not write are passed over.
func readSections(text string) []section {
	var found []section
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if m := sectionTitle.FindStringSubmatch(line); m != nil {
			var s section
			title := m[1]
			if j := jobTitle.FindStringSubmatch(title); j != nil {
				s.job, _ = strconv.Atoi(j[1]) // the pattern lets nothing else through
				title = j[2]
			}
			if skill, ok := skillNamed(title); ok {
				s.skill = skill
				found = append(found, s)
			}
			continue
		}
		item, ok := strings.CutPrefix(line, "- ")
		if !ok || len(found) == 0 {
			continue
		}
		if f, ok := readFinding(item); ok {
			last := &found[len(found)-1]
			last.findings = append(last.findings, f)
		}
	}
	return found
}

// finding writes one finding on a line.
func (l Language) finding(f prose.Finding) string {
	label := l.say(kindName(f.Kind))
	if f.Value == "" {
		return label
	}
	return label + l.say("colon") + f.Value
}

// readFinding reads a line that finding wrote.
func readFinding(line string) (prose.Finding, bool) {
	if kind, ok := kindNamed(line); ok {
		return prose.Finding{Kind: kind}, true
	}
	for _, lang := range Languages() {
		label, value, ok := strings.Cut(line, lang.say("colon"))
		if !ok {
			continue
		}
		if kind, ok := kindNamed(label); ok {
			return prose.Finding{Kind: kind, Value: value}, true
		}
	}
	return prose.Finding{}, false
}
