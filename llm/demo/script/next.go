package script

import (
	"slices"
	"strings"

	"society-tui/llm"
)

// next returns the reply to the state that the history leads to.
func (a *agent) next() Reply {
	if calls := a.carryOut(); len(calls) > 0 {
		return Reply{Calls: calls}
	}
	if a.order != nil {
		a.notes = append([]string{a.ordered()}, a.notes...)
	}
	switch {
	case a.me.warned && a.since > 0 && !a.compressed && a.tools[compressContext]:
		return Reply{Calls: []llm.Call{call(compressContext, map[string]any{"summary": a.memory(), "keepRecentCount": 0})}}
	case len(a.jobs) == 0, a.answered && !a.me.inGraph:
		return a.say(a.slow)
	case a.me.inGraph:
		return a.report()
	case a.isAsking:
		return Reply{Text: paragraphs(append(a.notes, sayHear.in(a.unclear.lang))...)}
	case a.unclear != nil:
		return a.ask(a.unclear)
	}
	return a.work()
}

// say answers with the notes and a text that made no language model.
func (a *agent) say(slow bool, blocks ...string) Reply {
	said := paragraphs(append(a.notes, blocks...)...)
	switch {
	case said != "":
	case a.reported != "": // before a colleague was through, so that nobody was sent it; the last answer counts
		return Reply{Text: a.reported}
	default:
		return Reply{Text: sayNoted.in(a.me.lang)}
	}
	lang := languageOf(said, a.me.lang)
	if a.order != nil { // a table is mostly names
		lang = a.order.lang
	} else if n := len(a.jobs); n > 0 && a.jobs[n-1].isReview() { // names of files are in no language
		lang = a.jobs[n-1].lang
	}
	return Reply{Text: paragraphs(said, sayNoModel.in(lang)), Slow: slow}
}

// introduction returns the answer to a greeting.
func (a *agent) introduction(q request) string {
	if a.me.isRoot() {
		return q.help()
	}
	return sayWorker.in(q.lang, a.me.id, a.me.role, q.lang.list(q.titles(a.usual(q))))
}

// ask asks the user a question with quick replies.
func (a *agent) ask(j *job) Reply {
	question, replies := sayQuestion.in(j.lang), j.titles(j.all())
	if j.isBare() {
		all := Examples(j.lang)
		question, replies = sayWhat.in(j.lang), []string{all[0], all[2]} // the second is no single line
	}
	return Reply{Calls: []llm.Call{message(userID, collaborationRequest, map[string]any{"text": question}, replies...)}}
}

// work gives out what can be given out, waits for what is out, and then answers.
func (a *agent) work() Reply {
	if a.looks && a.tools[getOrg] && slices.ContainsFunc(a.jobs, func(j *job) bool { return len(j.in(open)) > 0 }) {
		return Reply{Calls: []llm.Call{call(getOrg, struct{}{})}}
	}
	for _, j := range a.jobs {
		give := a.assign
		if j.reviews() {
			give = a.review
		}
		if calls := append(a.useTool(j), give(j)...); len(calls) > 0 {
			return Reply{Reasoning: j.thought(), Text: a.opening(j), Calls: calls}
		}
	}
	var waits []string
	for _, j := range a.jobs {
		waits = append(waits, each(j.in(open), a.name)...)
	}
	switch l := a.jobs[0].lang; {
	case len(waits) > 0:
		return Reply{Text: paragraphs(append(a.notes, sayAtWork.in(l, l.list(unique(waits))))...)}
	case a.me.isRoot():
		return a.answer()
	}
	return a.report()
}

// useTool returns the call of a tool that only reads, if the user wants to see one and
// has not.
func (a *agent) useTool(j *job) []llm.Call {
	if a.me.isRoot() || !j.tool || a.used != "" {
		return nil
	}
	for _, tool := range reading {
		if a.tools[tool] {
			return []llm.Call{call(tool, struct{}{})}
		}
	}
	return nil
}

// thought is the reasoning before the first reply to a job.
func (j *job) thought() string {
	if j.begun {
		return ""
	}
	return thinkWork.in(j.lang, j.lang.list(j.titles(j.do)))
}

// answer merges the reports on all jobs; root does itself what nobody reported, and
// says so.
func (a *agent) answer() Reply {
	var blocks []string
	for _, j := range a.jobs {
		blocks = append(blocks, a.merge(j)...)
	}
	return a.say(a.jobs[len(a.jobs)-1].slow, blocks...)
}

// merge returns the blocks of the answer to a job. What matters most to the user comes
// first, then all in the order of the sections.
func (a *agent) merge(j *job) []string {
	blocks, missing := []string{"## " + j.title()}, []string(nil)
	if j.left > 0 {
		blocks = append(blocks, sayLeftOut.in(j.lang, j.left))
	}
	rank := func(p *part) int {
		if slices.ContainsFunc(j.titles(p.do), func(title string) bool { return title == j.matters }) {
			return -1
		}
		return int(p.do[0])
	}
	parts := slices.SortedStableFunc(slices.Values(j.parts), func(p, q *part) int { return rank(p) - rank(q) })
	for _, p := range parts {
		if p.state == reported {
			blocks = append(blocks, p.report)
			continue
		}
		missed := sayMissing
		if slices.Contains(p.do, folder) { // root has no tools for files
			missed = sayNotDone
		} else {
			blocks = append(blocks, j.sections(p.do))
		}
		missing = append(missing, "- "+missed.in(j.lang, j.lang.list(j.titles(p.do)), a.name(p), p.why))
	}
	if len(j.added) > 0 {
		blocks = append(blocks, titled(sayAdded.in(j.lang), list("- ", j.added, "")))
	}
	return append(blocks, strings.Join(missing, "\n"))
}

// report returns the reports on the jobs of an agent other than root.
func (a *agent) report() Reply {
	var blocks []string
	for _, j := range a.jobs {
		do := j.do
		if a.me.inGraph {
			do = worksIn(a.me.step, do)
		}
		blocks = append(blocks, sayReportOn.in(j.lang, j.title()), a.me.step)
		if j.reviews() && !a.me.inGraph {
			blocks = append(blocks, a.reviewed(j)...)
			continue
		}
		blocks = append(blocks, j.sections(do))
		for _, p := range j.parts {
			blocks = append(blocks, a.reportOf(j, p)...)
		}
		if j.tool && a.used != "" {
			blocks = append(blocks, sayToolUsed.in(j.lang, a.used))
		}
	}
	reply := a.say(false, blocks...)
	reply.Reasoning = a.jobs[0].thought()
	return reply
}

// reportOf returns what the report on a job has of a part: a check of what was asked for beside
// the agent's own work, else the part itself, which the agent does if nobody reported it.
func (a *agent) reportOf(j *job, p *part) []string {
	switch {
	case !p.shared:
		return []string{j.check(a.name(p), p.report)}
	case p.state == reported:
		return []string{p.report}
	}
	return []string{j.sections(p.do), "- " + sayMissing.in(j.lang, j.lang.list(j.titles(p.do)), a.name(p), p.why)}
}

// judge answers a condition of a graph: a draft needs another round once, if
// something is open. Nothing else can be told from the words.
func (a *agent) judge() string {
	isOpen := slices.ContainsFunc(a.jobs, func(j *job) bool { return len(j.open()) > 0 })
	if isOpen && a.texts <= 2 {
		return judgeMend.in(a.me.lang)
	}
	return judgeGood.in(a.me.lang)
}
