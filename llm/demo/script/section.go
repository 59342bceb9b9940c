package script

import (
	"fmt"
	"slices"
	"strings"

	"society-tui/llm/lazyregexp"
)

// A work is a section that an agent can write about a request or its text.
type work int

// The works, in the order of an answer.
const (
	steps work = iota
	summary
	facts
	known
	questions
	risks
	checklist
	folder // of a workspace, with the tools for files
	tests
)

// A section describes some work.
type section struct {
	title, task text // the task is for a brief
	lines       func(request) []string
}

var sections = [...]section{
	steps:     {text{"Steps", "步骤"}, text{"Work out the steps of the request.", "列出完成请求的步骤。"}, request.steps},
	summary:   {text{"Summary", "摘要"}, text{"Summarise the text in its own sentences.", "用原文的句子总结文本。"}, request.summary},
	facts:     {text{"Facts with figures", "带有数字的事实"}, text{"Pick out the facts with their figures.", "挑出带有数字的事实。"}, request.facts},
	known:     {text{"What must be known first", "首先要弄清的事"}, text{"Find what must be known first.", "指出首先要弄清什么。"}, request.known},
	questions: {text{"Open questions", "未决问题"}, text{"List what the text leaves open.", "列出文本没有说清的问题。"}, request.questions},
	risks:     {text{"Risks", "风险"}, text{"Name the risks.", "指出风险。"}, request.risks},
	checklist: {text{"Checklist", "检查清单"}, text{"Make a checklist.", "写出检查清单。"}, request.checklist},
	folder:    {text{"Review of the folder", "文件夹审查"}, text{"Review the files of the folder.", "审查文件夹中的文件。"}, request.noFiles},
	tests:     {text{"Tests", "测试"}, text{"Find out what is not tested.", "找出没有测试的部分。"}, request.noFiles},
}

// all returns the work that the request needs.
func (q request) all() []work {
	if q.text != "" {
		return []work{summary, facts, questions}
	}
	return []work{steps, known, risks, checklist}
}

// worksIn returns the work in an objective or the title of a graph's node, or other if
// it names none.
func worksIn(words string, other []work) []work {
	var found []work
	for w, s := range sections {
		if s.title.is(words) || strings.Contains(words, s.task.en) || strings.Contains(words, s.task.zh) {
			found = append(found, work(w))
		}
	}
	if found == nil {
		return other
	}
	return found
}

// objective returns an objective that worksIn can read.
func (q request) objective(do []work) string {
	tasks := each(do, func(w work) string { return sections[w].task.in(q.lang) })
	return strings.Join(tasks, text{" ", ""}.in(q.lang))
}

// titles returns the titles of sections.
func (q request) titles(do []work) []string {
	return each(do, func(w work) string { return sections[w].title.in(q.lang) })
}

// sections returns the sections of some work.
func (q request) sections(do []work) string {
	return paragraphs(each(do, func(w work) string { return titled(sections[w].title.in(q.lang), sections[w].lines(q)) })...)
}

// titled returns a section.
func titled(title string, lines []string) string {
	return "### " + title + "\n\n" + strings.Join(lines, "\n")
}

// paragraphs joins texts that are not empty.
func paragraphs(all ...string) string {
	return strings.Join(slices.DeleteFunc(all, func(s string) bool { return strings.TrimSpace(s) == "" }), "\n\n")
}

// list marks items; without any, it returns nothing as the only one.
func list(mark string, items []string, nothing string) []string {
	if len(items) == 0 {
		items = []string{nothing}
	}
	return each(items, func(s string) string { return mark + s })
}

// steps returns the steps for the request's kind, with its own words filled in.
func (q request) steps() []string {
	var all []string
	if given := q.given(); len(given) > 0 {
		all = append(all, sayKeepTo.in(q.lang, q.lang.list(given)))
	}
	if len(q.open()) > 0 {
		all = append(all, saySettle.in(q.lang))
	}
	for _, s := range append(slices.Clone(q.kind.steps), sayCompare) {
		all = append(all, s.in(q.lang))
	}
	for i, s := range all {
		all[i] = fmt.Sprintf("%d. %s", i+1, s)
	}
	return all
}

// asked returns the questions of the text, or of the request after its first
// sentence.
func (q request) asked() []string {
	var found []string
	for i, s := range sentences(q.source()) {
		if isQuestion(s) && (i > 0 || q.text != "") {
			found = append(found, sayAsked.in(q.lang, clip(s, 200)))
		}
	}
	return first(5, found)
}

// missing returns a question for each aspect that is not named.
func (q request) missing() []string {
	var found []string
	for _, a := range q.kind.needs {
		if !a.named.MatchString(q.source()) {
			found = append(found, a.question.in(q.lang))
		}
	}
	return found
}

// open returns all that the words leave open.
func (q request) open() []string { return append(q.asked(), q.missing()...) }

func (q request) known() []string { return list("- ", q.open(), sayNothingOpen.in(q.lang)) }

func (q request) questions() []string {
	return list("- ", slices.Concat(q.asked(), q.wording(0), q.missing()), sayNothingOpen.in(q.lang))
}

// wordings match words that show a risk.
var wordings = []struct {
	says  text
	words *lazyregexp.Regexp
}{
	{text{"“%s” leaves it open: %s", "“%s”没有说死：%s"}, lazyregexp.New(`(?i)\b(?:maybe|perhaps|probably|possibly|might|hope(?:fully)?|hoping|guess|roughly|not sure|unclear|i think|we think)\b|可能|也许|大概|或许|希望|左右|估计|不确定|说不定`)},
	{text{"“%s” is a condition: %s", "“%s”是一个条件：%s"}, lazyregexp.New(`(?i)\b(?:if|unless|depends? on|depending on|as long as|provided that|waiting for)\b|如果|除非|取决于|只要|要看|等到|假如`)},
	{text{"“%s” is a deadline: %s", "“%s”是期限：%s"}, lazyregexp.New(`(?i)\b(?:by|before|until|no later than)\s+(?:the\s+)?(?:end of\s+)?(?:` + monthNames + `|` + dayNames + `|next \w+|tomorrow|\d[\w.:-]*)|\b(?:with)?in (?:\w+) (?:days|weeks|months)\b|\bdeadline\b|截止|(?:` + hanNumber + `+[年月日号]|(?:周|星期)[一二三四五六日天]|[今明]天|下周)[之以]?前|[月年]底`)},
}

// wording returns the sentences with such words, at most three.
func (q request) wording(i int) []string {
	var found []string
	for _, s := range sentences(q.source()) {
		if w := wordings[i].words.FindString(s); w != "" && !isQuestion(s) {
			found = append(found, wordings[i].says.in(q.lang, w, clip(s, 200)))
		}
	}
	return first(3, found)
}

func (q request) risks() []string {
	var found []string
	for i := range wordings {
		found = append(found, q.wording(i)...)
	}
	if f := first(4, figures(q.source())); len(f) > 1 {
		found = append(found, sayConnected.in(q.lang, q.lang.list(f)))
	}
	if len(q.missing()) > 0 {
		found = append(found, sayGuessed.in(q.lang))
	}
	return list("- ", found, sayNoRisk.in(q.lang))
}

func (q request) checklist() []string {
	kept := each(q.given(), func(s string) string { return sayKept.in(q.lang, s) })
	answered := each(q.missing(), func(s string) string { return sayAnswered.in(q.lang, s) })
	return list("- [ ] ", slices.Concat(kept, answered, []string{sayAnswers.in(q.lang, q.title())}), "")
}

func (q request) summary() []string {
	return each(gist(q.source()), func(s string) string { return "> " + clip(s, 300) + "\n" })
}

// facts returns the sentences with figures, after the figures.
func (q request) facts() []string {
	var found []string
	for _, s := range unique(sentences(q.source())) {
		if f := figures(s); len(f) > 0 && !isQuestion(s) && len(found) < 8 {
			found = append(found, "**"+q.lang.list(f)+"**"+text{": ", "："}.in(q.lang)+clip(s, 240))
		}
	}
	return list("- ", found, sayNoFact.in(q.lang))
}

// check returns the section on what a colleague sent: whether the figures and names of
// the request are in it.
func (q request) check(whose, theirs string) string {
	lacking := slices.DeleteFunc(q.given(), func(g string) bool { return strings.Contains(theirs, g) })
	line := sayAllThere.in(q.lang)
	switch {
	case theirs == "":
		line = sayNothingCame.in(q.lang, whose)
	case len(lacking) > 0:
		line = sayLacking.in(q.lang, q.lang.list(lacking))
	}
	return titled(sayCheck.in(q.lang, whose), []string{"- " + line})
}
