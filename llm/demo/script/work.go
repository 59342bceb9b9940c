package script

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// A work is a section that an agent can write about a request or its text.
type work string

const (
	steps     work = "steps"
	known     work = "known"
	risks     work = "risks"
	checklist work = "checklist"
	summary   work = "summary"
	facts     work = "facts"
	questions work = "questions"
	check     work = "check" // of a colleague's report
)

// works lists all work but check, in the order of an answer.
var works = []work{steps, summary, facts, known, questions, risks, checklist}

// all returns the work that a request needs.
func (q request) all() []work { return q.fitting([]work{steps, known, risks, checklist}) }

// The work with a text for each work without one, and the other way round.
var (
	withText    = map[work]work{steps: facts, known: questions, risks: questions, checklist: summary}
	withoutText = map[work]work{facts: steps, questions: known, summary: checklist}
)

// fitting returns the work of an agent, usual being its usual work, on a request.
func (q request) fitting(usual []work) []work {
	instead := withoutText
	if q.text != "" {
		instead = withText
	}
	var found []work
	for _, w := range usual {
		if other, ok := instead[w]; ok {
			w = other
		}
		if w != check && !slices.Contains(found, w) {
			found = append(found, w)
		}
	}
	if len(found) == 0 {
		return q.all()
	}
	slices.SortFunc(found, func(a, b work) int { return slices.Index(works, a) - slices.Index(works, b) })
	return found
}

// worksIn returns the work in an objective.
func worksIn(objective string) []work {
	var found []work
	for _, w := range append(slices.Clone(works), check) {
		if strings.Contains(objective, sayDo[w].en) || strings.Contains(objective, sayDo[w].zh) {
			found = append(found, w)
		}
	}
	return found
}

// objective returns an objective that worksIn can read.
func (l Language) objective(do []work) string {
	if len(do) == 0 {
		return sayAllOfIt.in(l)
	}
	var all []string
	for _, w := range do {
		all = append(all, sayDo[w].in(l))
	}
	return strings.Join(all, text{" ", ""}.in(l))
}

// work returns the sections of some work.
func (q request) work(do []work) string {
	var sections []string
	for _, w := range do {
		if lines := q.lines(w); len(lines) > 0 {
			sections = append(sections, section(sayTitle[w].in(q.lang), lines))
		}
	}
	return paragraphs(sections...)
}

func section(title string, lines []string) string {
	return "### " + title + "\n\n" + strings.Join(lines, "\n")
}

// paragraphs joins texts that are not empty.
func paragraphs(all ...string) string {
	return strings.Join(slices.DeleteFunc(all, func(s string) bool { return strings.TrimSpace(s) == "" }), "\n\n")
}

func (q request) lines(w work) []string {
	switch w {
	case steps:
		return q.steps()
	case known:
		return bullets("- ", append(q.asked(), q.open(sayNotAsked)...), sayNothingOpen.in(q.lang))
	case risks:
		return bullets("- ", q.risks(), sayNoRisk.in(q.lang))
	case checklist:
		return q.checklist()
	case summary:
		var lines []string
		for _, s := range gist(q.source()) {
			lines = append(lines, "> "+clip(s, 300))
		}
		return strings.Split(strings.Join(lines, "\n>\n"), "\n")
	case facts:
		return bullets("- ", q.facts(), sayNoFact.in(q.lang))
	case questions:
		return bullets("- ", slices.Concat(q.asked(), q.wording(0), q.open(sayNotInText)), sayNothingOpen.in(q.lang))
	}
	return nil
}

// bullets returns a list; of no items, the line nothing.
func bullets(mark string, items []string, nothing string) []string {
	if len(items) == 0 {
		items = []string{nothing}
	}
	lines := make([]string, len(items))
	for i, s := range items {
		lines[i] = mark + s
	}
	return lines
}

// steps returns the steps for the request's kind, with its own words filled in.
func (q request) steps() []string {
	var all []string
	if given := q.given(); len(given) > 0 {
		all = append(all, sayKeepTo.in(q.lang, q.lang.list(given)))
	}
	if n := len(q.missing()); n > 0 {
		all = append(all, saySettle.in(q.lang, n))
	}
	many, thrice := saySeveral.in(q.lang), sayAsManyAsCome.in(q.lang)
	if n := q.wanted(); n > 0 {
		many, thrice = sayCount.in(q.lang, n), sayCount.in(q.lang, 3*n)
	}
	fill := strings.NewReplacer("{n}", many, "{3n}", thrice)
	parts := q.parts()
	for _, s := range sayMethod[q.kind] {
		if strings.Contains(s.en, "{part}") {
			for _, p := range parts {
				all = append(all, strings.ReplaceAll(s.in(q.lang), "{part}", p))
			}
			continue
		}
		all = append(all, fill.Replace(s.in(q.lang)))
	}
	all = append(all, sayHold.in(q.lang, q.title()))
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

// An aspect is something that must be known before the work begins.
type aspect int

const (
	date aspect = iota
	cost
	people
	place
	goal
	length
	purpose
	tried
	limits
)

// named match words that name each aspect.
var named = map[aspect]*regexp.Regexp{
	date:    regexp.MustCompile(`(?i)\b(?:` + monthNames + `|` + dayNames + `|today|tonight|tomorrow|weekend|spring|summer|autumn|winter|morning|evening|week|month|year|(?:19|20)\d\d)s?\b|\d+ (?:days|hours|minutes)|` + hanNumber + `+[月日号天周年]|今天|今晚|明天|周末|下周|下个?月|明年|今年|[春夏秋冬]天|星期|礼拜|早上|晚上`),
	cost:    regexp.MustCompile(`(?i)[$€£¥]|\b(?:euros?|dollars?|pounds?|yuan|costs?|budget|prices?|rent|pay|paid|money|cheap|expensive|free)\b|元|块钱|预算|费用|价格|租金|成本|花费|免费|便宜|钱`),
	people:  regexp.MustCompile(`(?i)\b(?:we|i|me|my|our|us|for (?:a|an|the|my|our) \w+|friends?|team|staff|family|kids|children|colleagues?|parents|customers?|guests?|volunteers?|people|she|he|they)\b|我|他|她|朋友|同事|团队|家人|孩子|员工|客人|顾客|客户|家长|志愿者|人`),
	place:   regexp.MustCompile(`(?i)\b(?:at|near|street|station|city|town|village|room|house|office|school|park|garden|shop|kitchen|building|hall|online|home)\b|\b(?:in|to) \p{Lu}\w+|在[^，。；]{1,8}(?:里|边|旁|附近)|街|城|镇|村|公园|学校|办公室|车站|家里|店|网上`),
	goal:    regexp.MustCompile(`(?i)\b(?:goal|target|at least|at most|success\w*|measure|until it|so that|break even|enough|better than)\b|目标|至少|最多|成功|达到|指标|以便|使得`),
	length:  regexp.MustCompile(`(?i)\b(?:short|long|brief\w*|\d+ (?:words|pages|lines|sentences)|one page|paragraphs?)\b|简短|字以内|\d+\s?字|[一二三]页|篇幅`),
	purpose: regexp.MustCompile(`(?i)\b(?:because|so that|in order to|for (?:a|an|the|my|our)|i need|to decide)\b|因为|为了|用来|用于|给`),
	tried:   regexp.MustCompile(`(?i)\b(?:tried|already|restarted|reinstalled|after)\b|试过|已经|重启|之后`),
	limits:  regexp.MustCompile(`(?i)\b(?:not|without|no|only|must|never|except|avoid)\b|不要|不能|不得|只|必须|避免|除了`),
}

// needs are the aspects of each kind of request.
var needs = map[kind][]aspect{
	undertaking: {date, cost, people, place, goal},
	ideas:       {purpose, limits},
	writing:     {people, length, date},
	choice:      {goal, cost, date},
	lookup:      {purpose, date},
	problem:     {date, tried},
}

// missing returns a question for each aspect that is not named.
func (q request) missing() []string {
	need := needs[q.kind]
	if q.text != "" {
		need = needs[undertaking] // the kind is that of the request, not of the text
	}
	var found []string
	for _, a := range need {
		if !named[a].MatchString(q.source()) {
			found = append(found, sayMissing[a].in(q.lang))
		}
	}
	return found
}

// open returns the questions of missing, each in a sentence.
func (q request) open(as text) []string {
	var all []string
	for _, s := range q.missing() {
		all = append(all, as.in(q.lang, s))
	}
	return all
}

// wordings match words that show a risk.
var wordings = []struct {
	says  text
	words *regexp.Regexp
}{
	{sayUnsure, regexp.MustCompile(`(?i)\b(?:maybe|perhaps|probably|possibly|might|hope(?:fully)?|hoping|guess|roughly|not sure|unclear|i think|we think)\b|可能|也许|大概|或许|希望|左右|估计|不确定|说不定`)},
	{sayAbsolute, regexp.MustCompile(`(?i)\b(?:always|never|everyone|everybody|nobody|guaranteed?|certainly|definitely|impossible)\b|总是|从不|绝对|一定|保证|肯定|永远`)},
	{sayCondition, regexp.MustCompile(`(?i)\b(?:if|unless|depends? on|depending on|as long as|provided that|waiting for)\b|如果|除非|取决于|只要|要看|等到|假如`)},
	{sayDeadline, regexp.MustCompile(`(?i)\b(?:by|before|until|no later than)\s+(?:the\s+)?(?:end of\s+)?(?:` + monthNames + `|` + dayNames + `|next \w+|tomorrow|\d[\w.:-]*)|\b(?:with)?in (?:\w+) (?:days|weeks|months)\b|\bdeadline\b|截止|(?:` + hanNumber + `+[年月日号]|(?:周|星期)[一二三四五六日天]|[今明]天|下周)[之以]?前|[月年]底`)},
}

// wording returns the sentences with such words, at most three.
func (q request) wording(i int) []string {
	var found []string
	for _, s := range sentences(q.source()) {
		if w := wordings[i].words.FindString(s); w != "" && !isQuestion(s) && len(found) < 3 {
			found = append(found, wordings[i].says.in(q.lang, w, clip(s, 200)))
		}
	}
	return found
}

func (q request) risks() []string {
	var found []string
	for i := range wordings {
		found = append(found, q.wording(i)...)
	}
	if n := len(figures(q.source())); n > 1 {
		found = append(found, sayFiguresHang.in(q.lang, q.lang.list(figures(q.source())[:min(n, 4)])))
	}
	if n := len(q.missing()); n > 0 {
		found = append(found, sayGuessed.in(q.lang, n))
	}
	return found
}

func (q request) checklist() []string {
	var all []string
	for _, s := range q.given() {
		all = append(all, sayKept.in(q.lang, s))
	}
	for _, s := range q.parts() {
		all = append(all, sayDone.in(q.lang, s))
	}
	all = append(all, q.open(sayAnswered)...)
	return bullets("- [ ] ", append(all, sayAnswers.in(q.lang, q.title())), "")
}

// facts returns the sentences with figures, after the figures.
func (q request) facts() []string {
	var found []string
	for _, s := range unique(sentences(q.source())) {
		if f := figures(s); len(f) > 0 && !isQuestion(s) && len(found) < 8 {
			found = append(found, "**"+q.lang.list(f)+"**"+text{": ", "："}.in(q.lang)+clip(s, 240))
		}
	}
	return found
}

var point = regexp.MustCompile(`(?m)^(?:- |\d+\. |> )`)

// check compares a colleague's report with the figures and names of the request.
func (q request) check(whose, theirs string) string {
	var lacking []string
	for _, g := range q.given() {
		if !strings.Contains(theirs, g) {
			lacking = append(lacking, g)
		}
	}
	lines := []string{sayPoints.in(q.lang, len(point.FindAllString(theirs, -1)))}
	switch {
	case theirs == "":
		lines = []string{sayNothingCame.in(q.lang, whose)}
	case len(q.given()) == 0:
		lines = append(lines, sayNothingFixed.in(q.lang))
	case len(lacking) == 0:
		lines = append(lines, sayAllThere.in(q.lang, q.lang.list(q.given())))
	default:
		lines = append(lines, sayLacking.in(q.lang, q.lang.list(lacking)))
	}
	return section(sayTitle[check].in(q.lang, whose), bullets("- ", lines, ""))
}
