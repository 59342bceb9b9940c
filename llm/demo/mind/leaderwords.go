package mind

import (
	"fmt"
	"slices"
	"strings"

	"society-tui/llm/demo/prose"
)

// opening is what root says beside its calls: who it is, what it heard, and in
// its first answer to a request, what it is going to do.
func (l *leader) opening() string {
	var paragraphs []string
	if !l.spoke {
		paragraphs = append(paragraphs, l.say("intro"))
	}
	paragraphs = append(append(paragraphs, l.owed...), l.heardNews()...)
	if j := l.job; j != nil && !j.started && j.asked != toAsk && j.reply == "" && l.aside == nil {
		paragraphs = append(paragraphs, l.plan())
	}
	return strings.Join(paragraphs, "\n\n")
}

// with is body after whatever else is to be said in a text; never empty.
func (l *leader) with(body string) string {
	var paragraphs []string
	if !l.spoke {
		paragraphs = append(paragraphs, l.say("intro"))
	}
	paragraphs = append(append(paragraphs, l.owed...), l.heardNews()...)
	if len(l.late) > 0 {
		paragraphs = append(paragraphs, l.say("late", l.called(l.lateBy))+"\n\n"+resultOf(l.me.lang, full, l.late))
	}
	for _, h := range l.behind {
		paragraphs = append(paragraphs, l.say("late", l.called(h.from))+"\n\n"+h.body)
	}
	if body != "" {
		paragraphs = append(paragraphs, body)
	}
	if len(paragraphs) == 0 {
		return l.say("noted")
	}
	return strings.Join(paragraphs, "\n\n")
}

// heardNews acknowledges what the person said in between, and says what came
// of an order about the society.
func (l *leader) heardNews() []string {
	var paragraphs []string
	for _, w := range l.news {
		paragraphs = append(paragraphs, acknowledge(l.me.lang, w, l.job != nil && l.job.material != "" && l.job.head == nil))
	}
	if l.aside != nil && (len(l.aside.done) > 0 || len(l.asideCalls()) == 0) {
		paragraphs = append(paragraphs, l.asideReply())
	}
	return paragraphs
}

// acknowledge says what was understood of an addition.
func acknowledge(lang Language, w wish, canAdd bool) string {
	var points []string
	if len(w.skills) > 0 && canAdd {
		points = append(points, lang.say("ack_skills", lang.skillList(w.skills)))
	}
	if w.lang != "" {
		points = append(points, lang.say("ack_"+string(w.lang)))
	}
	if w.detail != "" {
		points = append(points, lang.say("ack_"+string(w.detail)))
	}
	if w.finish {
		points = append(points, lang.say("ack_finish"))
	}
	if w.trouble {
		points = append(points, lang.say("ack_trouble"))
	}
	if w.slow {
		points = append(points, lang.say("ack_slow"))
	}
	if len(points) == 0 {
		return lang.say("ack_noted", clip(w.said, 80))
	}
	return lang.say("ack") + strings.Join(points, lang.say("space"))
}

// plan says who is going to do what.
func (l *leader) plan() string {
	j := l.job
	sentenceCount, wordCount := prose.Size(j.material)
	if j.head != nil {
		return l.say("plan_team", sentenceCount, wordCount, j.head.id, j.head.role)
	}
	lines := []string{l.say("plan", sentenceCount, wordCount)}
	for _, p := range j.parts {
		line := l.say("plan_line", l.doer(p), l.me.lang.objective(p.skills))
		if p.partner != nil && p.checks {
			line = l.say("plan_check", l.doer(p), l.doer(p.partner))
		} else if p.partner != nil {
			line += l.say("plan_merge", l.doer(p.partner))
		}
		lines = append(lines, "- "+line)
	}
	if spare := l.spare(); len(spare) > 0 {
		lines = append(lines, "", l.say("spare", l.me.lang.list(spare)))
	}
	return strings.Join(lines, "\n")
}

// thoughts is what root thinks before it acts.
func (l *leader) thoughts() string {
	j := l.job
	switch {
	case !j.started:
	case slices.ContainsFunc(j.parts, func(p *part) bool { return p.state != unassigned }) || l.next() != stepAssign:
		return ""
	default:
		return l.say("think_step", len(j.parts), j.number)
	}
	return l.say("think_plan", l.me.lang.skillList(j.skills), len([]rune(j.material)))
}

// progress says how far the job is.
func (l *leader) progress() string {
	if l.job.head != nil {
		return l.say("team_wait", l.called(l.job.head.id))
	}
	var busy []string
	add := func(who string) {
		if !slices.Contains(busy, who) {
			busy = append(busy, who)
		}
	}
	done := 0
	for _, p := range l.job.parts {
		switch {
		case p.over():
			done++
		case p.agent != "":
			add(l.called(p.agent))
		default:
			add(l.roleOf(p))
		}
	}
	if l.job.latest == "" && done == 0 {
		return l.say("at_work", l.me.lang.list(busy))
	}
	if l.job.latest == "" {
		return l.say("still_open", done, len(l.job.parts), l.me.lang.list(busy))
	}
	return l.say("one_more", l.called(l.job.latest), done, len(l.job.parts), l.me.lang.list(busy))
}

// replyDirectly answers where there is nothing to work on.
func (l *leader) replyDirectly() Answer {
	j := l.job
	lang := j.lang
	if j.reply == "tour" {
		return Answer{Text: l.with(lang.say("tour")), Slow: true}
	}
	body := lang.say(j.reply)
	if j.reply == "need_text" {
		body = lang.say(j.reply, lang.skillList(j.skills))
	}
	return Answer{Text: l.with(body + "\n\n" + suggestions(lang))}
}

// suggestions shows what can be asked.
func suggestions(lang Language) string {
	lines := []string{lang.say("you_can")}
	for i, title := range exampleTitles(lang) {
		lines = append(lines, fmt.Sprintf("%d. **%s**%s%s", i+1, title, lang.say("colon"), lang.say(fmt.Sprintf("example_hint_%d", i+1))))
	}
	return strings.Join(append(lines, "", lang.say("you_can_too")), "\n")
}

// asideReply says what came of an order about the society.
func (l *leader) asideReply() string {
	a := l.aside
	if len(a.done) == 0 {
		var ids []string
		for _, m := range l.crew {
			if !m.gone {
				ids = append(ids, l.called(m.id))
			}
		}
		switch {
		case a.wish.who || !l.tools[terminateAgent]:
			return l.say("no_such_tool")
		case len(ids) == 0:
			return l.say("nobody_to_end")
		}
		return l.say("end_whom", l.me.lang.list(ids))
	}
	var lines []string
	for _, r := range a.done {
		if r.call.Name == getOrg {
			lines = append(lines, l.whoIsThere(r))
			continue
		}
		id := decode[struct{ AgentID string }](r.call.Arguments).AgentID
		switch {
		case r.value.Error != "":
			lines = append(lines, l.say("not_ended", id, clip(orElse(r.value.Message, r.value.Error), 160)))
		case len(r.value.CascadeTerminated) > 0:
			lines = append(lines, l.say("ended_with", id, l.me.lang.list(r.value.CascadeTerminated)))
		default:
			lines = append(lines, l.say("ended", id))
		}
	}
	return strings.Join(lines, "\n")
}

// whoIsThere shows the society as a table.
func (l *leader) whoIsThere(r *result) string {
	if r.value.Error != "" {
		return l.say("not_told", clip(orElse(r.value.Message, r.value.Error), 160))
	}
	lines := []string{l.say("org_title"), "", l.say("org_head"), "| --- | --- | --- | --- |"}
	for i, a := range r.value.Agents {
		if i == 40 {
			lines = append(lines, fmt.Sprintf("| … | %d | | |", len(r.value.Agents)-i))
			break
		}
		state := a.State
		if a.Paused {
			state += l.say("paused")
		}
		lines = append(lines, fmt.Sprintf("| %s | %s | %s | %s |", cell(a.ID), cell(a.Role), cell(a.Parent), cell(state)))
	}
	return strings.Join(lines, "\n")
}

// clip makes one line of at most so many characters.
func clip(s string, most int) string {
	r := []rune(strings.Join(strings.Fields(s), " "))
	if len(r) > most {
		return string(r[:most]) + "…"
	}
	return string(r)
}

// cell makes s fit into a cell of a table.
func cell(s string) string { return clip(strings.ReplaceAll(s, "|", "/"), 200) }

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}
