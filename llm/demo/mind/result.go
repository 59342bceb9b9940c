package mind

import (
	"fmt"
	"slices"
	"strings"

	"society-tui/llm/demo/prose"
)

// finish answers with the result: the reports put together. What no agent could
// report, root works out itself, and says so.
func (l *leader) finish() Answer {
	title, body, found := l.result()
	return Answer{
		Reasoning: l.say("think_finish", found),
		Text:      l.with(strings.Join(append([]string{title}, body...), "\n\n")),
		Slow:      l.job.slow,
	}
}

// result is what a job has come to: its title, and the paragraphs below it, out of so
// many sections.
func (l *leader) result() (title string, body []string, found int) {
	j := l.job
	lang := j.lang
	var notes []string
	sections, skipped := l.collect(&notes)
	body = []string{l.lead(skipped), resultOf(lang, j.detail, sections)}
	if j.slow {
		body = append(body, sentenceBySentence(lang, j.material))
	}
	for _, p := range j.parts {
		if p.state == answered && strings.TrimSpace(p.said) != "" {
			notes = append(notes, lang.say("said_instead", p.agent, clip(p.said, 600)))
		}
	}
	if j.detail != short || len(notes) > 0 {
		body = append(body, lang.say("who_title")+"\n\n"+strings.Join(append(l.who(sections), notes...), "\n"))
	}
	body = slices.DeleteFunc(body, func(s string) bool { return s == "" })
	return lang.say("result_title", lang.skillList(j.skills)), body, len(sections)
}

// collect puts the sections of the result in order. It returns the skills that
// are left out because the person did not want to wait.
func (l *leader) collect(notes *[]string) (sections []section, skipped []prose.Skill) {
	j := l.job
	var order []prose.Skill
	for _, s := range prose.Skills() {
		if _, found := j.found[s]; found || slices.Contains(j.skills, s) {
			order = append(order, s)
		}
	}
	for _, s := range append(order, advice, check) {
		if found, ok := j.found[s]; ok {
			sections = append(sections, found)
			continue
		}
		if s == advice || s == check {
			continue
		}
		p := partOf(j.parts, s)
		if p != nil && !p.over() {
			skipped = append(skipped, s)
			continue
		}
		sections = append(sections, section{j.number, s, prose.Find(s, j.material)})
		j.by[s] = rootID
		if p != nil {
			*notes = append(*notes, "- "+j.lang.say("did_it_myself", strings.ToLower(j.lang.say(skillName(s))), l.whyMyself(p)))
		}
	}
	return sections, skipped
}

// partOf returns the part that a skill belongs to.
func partOf(parts []*part, s prose.Skill) *part {
	for _, p := range parts {
		if !p.checks && slices.Contains(p.skills, s) {
			return p
		}
	}
	return nil
}

// whyMyself says why a part has no report.
func (l *leader) whyMyself(p *part) string {
	lang := l.job.lang
	switch {
	case p.state == gone:
		return lang.say("why_gone", l.called(p.agent))
	case p.state == refused && p.code == "no_tool":
		return lang.say("why_no_tool")
	case p.state == refused:
		return lang.say("why_refused", orElse(p.code, "error"))
	}
	return lang.say("why_answered", l.called(p.agent))
}

// lead is the first sentence of a result: what it was made from.
func (l *leader) lead(skipped []prose.Skill) string {
	j := l.job
	sentenceCount, wordCount := prose.Size(j.material)
	text := j.lang.say("result_lead", sentenceCount, wordCount)
	if j.left > 0 {
		text += j.lang.say("space") + j.lang.say("left_out", j.left)
	}
	if len(j.added) > 0 {
		text += j.lang.say("space") + j.lang.say("added", j.lang.skillList(j.added))
	}
	if len(skipped) > 0 {
		text += j.lang.say("space") + j.lang.say("skipped", j.lang.skillList(skipped))
	}
	if j.lang != l.me.lang {
		text += j.lang.say("space") + j.lang.say("quotes_stay")
	}
	return text
}

// who says which agent did what.
func (l *leader) who(sections []section) []string {
	j := l.job
	did := make(map[string][]prose.Skill)
	var order []string
	for _, s := range sections {
		by := j.by[s.skill]
		if did[by] == nil {
			order = append(order, by)
		}
		did[by] = append(did[by], s.skill)
	}
	var lines []string
	for _, by := range order {
		lines = append(lines, "- **"+l.called(by)+"**"+j.lang.say("colon")+j.lang.skillList(did[by]))
	}
	return lines
}

// resultOf writes sections for a person to read.
func resultOf(lang Language, d detail, sections []section) string {
	var blocks []string
	for _, s := range sections {
		findings := s.findings
		if d == short && len(findings) > 4 && s.skill != prose.Comparison {
			findings = findings[:4]
		}
		body := ""
		switch s.skill {
		case prose.Count:
			body = countTable(lang, findings)
		case prose.Comparison:
			body = comparisonTable(lang, findings)
		case prose.Outline:
			body = outlineList(findings)
		case prose.Summary:
			body = summaryText(lang, findings)
		default:
			body = findingList(lang, findings)
		}
		if body != "" {
			blocks = append(blocks, "### "+lang.say(skillName(s.skill))+"\n\n"+body)
		}
	}
	return strings.Join(blocks, "\n\n")
}

func countTable(lang Language, findings []prose.Finding) string {
	lines := []string{lang.say("count_head"), "| --- | --- |"}
	for _, f := range findings {
		lines = append(lines, fmt.Sprintf("| %s | %s |", lang.say(kindName(f.Kind)), cell(f.Value)))
	}
	return strings.Join(lines, "\n")
}

// comparisonTable shows what has a value for each side as a table and the rest
// beneath it.
func comparisonTable(lang Language, findings []prose.Finding) string {
	var rows []string
	var rest []prose.Finding
	for _, f := range findings {
		a, b, ok := strings.Cut(f.Value, " | ")
		switch {
		case ok && f.Kind == prose.Sides:
			rows = append(rows, fmt.Sprintf("| | %s | %s |", cell(a), cell(b)), "| --- | --- | --- |")
		case ok && len(rows) > 0:
			rows = append(rows, fmt.Sprintf("| %s | %s | %s |", lang.say("row_"+string(f.Kind)), cell(a), cell(b)))
		default:
			rest = append(rest, f)
		}
	}
	if len(rows) == 0 {
		return findingList(lang, rest)
	}
	return strings.Join(rows, "\n") + "\n\n" + findingList(lang, rest)
}

func outlineList(findings []prose.Finding) string {
	var lines []string
	n := 0
	for _, f := range findings {
		if f.Kind == prose.Point {
			n++
			lines = append(lines, fmt.Sprintf("%d. %s", n, f.Value))
		} else {
			lines = append(lines, "   - "+f.Value)
		}
	}
	return strings.Join(lines, "\n")
}

func summaryText(lang Language, findings []prose.Finding) string {
	var lines, rest []string
	for _, f := range findings {
		if f.Kind == prose.Gist {
			lines = append(lines, "> "+f.Value)
		} else {
			rest = append(rest, "- **"+lang.say(kindName(f.Kind))+"**"+lang.say("colon")+f.Value)
		}
	}
	return strings.TrimSpace(strings.Join(lines, "\n>\n") + "\n\n" + strings.Join(rest, "\n"))
}

func findingList(lang Language, findings []prose.Finding) string {
	var lines []string
	for i, f := range findings {
		if i > 0 && f.Kind == findings[i-1].Kind && isShort(f) && isShort(findings[i-1]) {
			lines[len(lines)-1] += lang.say("comma") + f.Value
			continue
		}
		line := "- **" + lang.say(kindName(f.Kind)) + "**"
		if f.Value != "" {
			line += lang.say("colon") + f.Value
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// isShort says whether a finding can share its line with others of its kind.
func isShort(f prose.Finding) bool {
	return f.Value != "" && len(f.Value) <= 45 && !strings.ContainsAny(f.Value, ".!?。！？·")
}

// sentenceBySentence goes through a text slowly, for a person who wants to see
// a long answer.
func sentenceBySentence(lang Language, text string) string {
	lines := []string{lang.say("slow_title"), ""}
	for i, s := range prose.Sentences(text) {
		if i == 40 {
			break
		}
		one := text[s.From:s.To]
		lines = append(lines, fmt.Sprintf("%d. %s %s", i+1, clip(one, 160), lang.say("slow_line", size(one))))
	}
	return strings.Join(lines, "\n")
}
