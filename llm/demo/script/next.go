package script

import (
	"fmt"
	"slices"
	"strings"

	"society-tui/llm"
)

// next is what the agent says and does in the state that its history led to.
func (a *agent) next() Reply {
	isRoot := a.me.id == rootID
	now := a.jobs
	switch {
	case a.order != nil && len(a.order.done) == 0 && len(a.carryOut()) > 0:
		return Reply{Calls: a.carryOut()}
	case len(now) == 0:
		said := a.aside()
		if said == "" {
			return Reply{Text: sayNoted.in(a.me.lang)}
		}
		return Reply{Text: paragraphs(said, sayNoModel.in(languageOf(said, a.me.lang))), Slow: a.slow}
	case a.me.warned && !a.tried && !a.queued && !slices.ContainsFunc(now, func(j *job) bool { return j.Started }) && a.tools[compressContext]:
		// What is new stays, and nothing else is open.
		return Reply{Calls: []llm.Call{call(compressContext, map[string]any{"summary": sayMemory.in(a.me.lang), "keepRecentCount": a.recent})}}
	case now[0].Asking == toAsk:
		return a.ask(now[0])
	case now[0].Asking == asked:
		return Reply{Text: paragraphs(a.aside(), sayHear.in(a.me.lang))}
	case isRoot:
		now = now[:1]
	}
	if calls := a.hire(now); len(calls) > 0 {
		return Reply{Reasoning: a.thought(now[0]), Text: a.opening(now[0]), Calls: calls}
	}
	var waits []string
	for _, j := range now {
		if len(j.in(open)) > 0 && !a.looked && !a.gaveOut && a.tools[getOrg] {
			return Reply{Text: a.aside(), Calls: []llm.Call{call(getOrg, struct{}{})}}
		}
		a.lookRound(j)
		for _, p := range j.in(open) {
			waits = append(waits, a.called(p.Agent))
		}
	}
	if len(waits) > 0 {
		l := a.request(now[0]).lang
		said := sayAtWork.in(l, l.list(waits))
		if n := len(now[0].in(reported)); n > 0 {
			said += text{" ", ""}.in(l) + sayReports.in(l, n)
		}
		return Reply{Text: paragraphs(a.aside(), said)}
	}
	if calls := a.hire(now); len(calls) > 0 { // who has waited for those that are given up
		return Reply{Calls: calls}
	}
	if isRoot {
		return a.answer(now[0])
	}
	return a.report(now)
}

func (a *agent) thought(j *job) string {
	q := a.request(j)
	switch {
	case !a.fresh:
		return ""
	case a.me.id == rootID:
		return thinkPlan.in(q.lang, size(j.Request))
	}
	return thinkWork.in(q.lang, q.lang.objective(j.Do))
}

// aside is what the agent owes the user beside an answer.
func (a *agent) aside() string { return paragraphs(append([]string{a.orderReply()}, a.says...)...) }

// ask asks the user something that can be answered with one key.
func (a *agent) ask(j *job) Reply {
	q := a.request(j)
	question, replies := sayQuestion.in(q.lang), []string{}
	for _, w := range q.all() {
		replies = append(replies, sayTitle[w].in(q.lang))
	}
	if q.isBare() {
		all := Examples(q.lang)
		question, replies = sayWhat.in(q.lang), []string{all[0], all[2]} // the second is no single line
	}
	return Reply{Text: a.opening(j), Calls: []llm.Call{
		message(userID, collaborationRequest, map[string]any{"text": question}, replies...),
	}}
}

// hire are the calls that give parts to agents: to one that has the role already,
// or to a new one. What cannot be had is given up here.
func (a *agent) hire(jobs []*job) []llm.Call {
	var roles, calls []llm.Call
	for _, j := range jobs {
		l := a.request(j).lang
		if j.Tool != "" && !j.Used {
			return []llm.Call{call(j.Tool, struct{}{})}
		}
		for _, p := range j.in(unassigned) {
			post, agent := postOf(p.Post), a.free(p)
			partner, role := j.part(post.asks), a.roleOf(j, post)
			switch {
			case agent == "" && (p.Post == "" || !a.tools[spawnAgent] || !a.tools[createRole]), !a.tools[sendMessage] && p.Asked, p.Asked && a.me.gone(agent):
				p.State = refused
			case agent == "" && role == "" && !j.Listed && a.tools[listRoles]:
				return []llm.Call{call(listRoles, struct{}{})}
			case agent == "" && role == "":
				roles = append(roles, a.newRole(post))
			case partner != nil && partner.State == unassigned, p.Last && len(j.in(open))+len(calls) > 0:
				// It is to be told whom to ask, or what the others have sent.
			case p.Asked:
				calls = append(calls, message(agent, collaborationRequest, map[string]any{"text": sayAskPartner.in(l, a.request(j).title())}))
			case agent != "":
				b := a.briefFor(j, p)
				calls = append(calls, message(agent, taskAssignment, map[string]any{"text": sayNewTask.in(l, b.Objective), "taskBrief": b}))
			default:
				calls = append(calls, call(spawnAgent, map[string]any{"roleId": role, "taskBrief": a.briefFor(j, p)}))
			}
		}
	}
	if len(roles) > 0 {
		return roles
	}
	return calls
}

// free returns the agent that is there for a part already; "" for none.
func (a *agent) free(p *part) string {
	if p.Post == "" {
		return p.Agent
	}
	for _, c := range a.team() {
		if postOf(p.Post).isCalled(c.role) && a.tools[sendMessage] {
			return c.id
		}
	}
	return ""
}

func (a *agent) roleOf(j *job, p post) string {
	for _, name := range []string{p.name.in(a.me.lang), p.name.en, p.name.zh} {
		if id := j.Roles[strings.ToLower(name)]; id != "" {
			return id
		}
	}
	return ""
}

func (a *agent) newRole(p post) llm.Call {
	l := a.me.lang
	return call(createRole, map[string]any{
		"name": p.name.in(l), "rolePrompt": p.prompt.in(l), "toolGroups": []string{"talk", "context"},
		"interfaceSpec": map[string]any{"services": p.serves.in(l), "input_format": sayInput.in(l), "output_format": sayOutput.in(l)},
	})
}

// briefFor writes the brief of a part. It holds all that the agent needs: the
// request as the user wrote it, what to do with it, and who helps.
func (a *agent) briefFor(j *job, p *part) *brief {
	q := a.request(j)
	b := &brief{
		Objective: q.lang.objective(p.Do), Constraints: append([]string{sayOnlyThis.in(q.lang)}, j.Added...),
		Inputs: j.Request, Outputs: sayOutputs.in(q.lang), CompletionCriteria: sayComplete.in(q.lang),
	}
	also := func(constraint string, holds bool) {
		if holds {
			b.Constraints = append(b.Constraints, constraint)
		}
	}
	also(sayMatters.in(q.lang, sayTitle[j.First].in(q.lang)), j.First != "")
	also(sayErrorFirst.in(q.lang), q.trouble && p == j.Parts[0])
	also(sayToolFirst.in(q.lang), q.tool && p == j.Parts[0])
	if partner := j.part(postOf(p.Post).asks); partner != nil && !a.me.gone(partner.Agent) && partner.State != refused {
		also(sayAskFirst.in(q.lang, partner.Agent), true)
		b.Collaborators = []collaborator{{partner.Agent, postOf(partner.Post).name.in(a.me.lang), q.lang.objective(partner.Do)}}
	}
	for _, other := range j.in(reported) {
		if p.Last {
			b.References = append(b.References, other.Agent+"\n"+other.Report)
		}
	}
	if a.me.id != rootID && len(j.Parts) == 1 { // it looks at a draft
		b.References = []string{a.me.id + "\n" + q.work(q.all()[:1])}
	}
	return b
}

// opening is what root says beside its calls: who it is, and in its first answer
// to a request, what it has understood and who does what.
func (a *agent) opening(j *job) string {
	if a.me.id != rootID || j.Started {
		return a.aside()
	}
	q := a.request(j)
	blocks := []string{a.aside()}
	if !a.spoke {
		blocks = []string{sayIntro.in(q.lang), a.aside()}
	}
	if j.Asking == toAsk {
		return paragraphs(blocks...)
	}
	lines := []string{sayWork.in(q.lang, len(j.Parts))}
	for _, p := range j.Parts {
		name := a.called(p.Agent)
		if p.Post != "" {
			name = postOf(p.Post).name.in(a.me.lang)
		}
		lines = append(lines, sayPart.in(q.lang, name, q.lang.objective(p.Do)))
		if asks := postOf(p.Post).asks; asks != "" {
			lines[len(lines)-1] += sayAsks.in(q.lang, postOf(asks).name.in(a.me.lang))
		}
	}
	return paragraphs(append(blocks, sayRequest.in(q.lang, q.title()), strings.Join(lines, "\n"))...)
}

// answer is root's answer: what there is, and what is missing. If another request
// waits, it is sent, so that the turn can go on with that.
func (a *agent) answer(j *job) Reply {
	q := a.request(j)
	blocks, missing := []string{a.aside(), "## " + q.title()}, []string(nil)
	if q.left > 0 {
		blocks = append(blocks, sayLeftOut.in(q.lang, q.left))
	}
	parts := slices.Clone(j.Parts)
	slices.SortStableFunc(parts, func(a, b *part) int { // what matters most first
		return strings.Compare(fmt.Sprint(!slices.Contains(a.Do, j.First)), fmt.Sprint(!slices.Contains(b.Do, j.First)))
	})
	for _, p := range parts {
		switch {
		case p.State == reported && (p.Post == "" || strings.HasPrefix(p.Report, "#")):
			blocks = append(blocks, p.Report)
		case p.State == reported: // another model wrote it
			blocks = append(blocks, a.from(q, p))
		case p.State == refused && p.Do != nil:
			why := whyNoTool.in(q.lang)
			if p.Why != "" {
				why = whyRefused.in(q.lang, p.Why)
			}
			blocks = append(blocks, q.work(p.Do))
			missing = append(missing, sayMyself.in(q.lang, titles(q.lang, p.Do), why))
		default:
			missing = append(missing, sayLost.in(q.lang, titles(q.lang, p.Do), a.called(p.Agent), p.Why))
		}
	}
	if len(j.Added) > 0 {
		blocks = append(blocks, section(sayAdded.in(q.lang), bullets("- [ ] ", j.Added, "")))
	}
	if len(missing) > 0 {
		blocks = append(blocks, strings.Join(bullets("- ", missing, ""), "\n"))
	}
	said := paragraphs(append(blocks, sayNoModel.in(q.lang))...)
	if len(a.jobs) > 1 && a.tools[sendMessage] {
		return Reply{Calls: []llm.Call{message(userID, statusReport, map[string]any{"text": said})}}
	}
	return Reply{Text: said, Slow: q.slow}
}

// from is what an agent has sent, under its name.
func (a *agent) from(q request, p *part) string {
	c, _ := a.me.contact(p.Agent)
	said := strings.ReplaceAll(p.Report, "### ", "#### ")
	if p.State != reported {
		said = p.Why
	}
	return section(sayFrom.in(q.lang, a.called(p.Agent), c.role), []string{said})
}

// titles names work by the titles of its sections.
func titles(l Language, do []work) string {
	var all []string
	for _, w := range do {
		all = append(all, "“"+sayTitle[w].in(l)+"”")
	}
	if do == nil {
		return sayAll.in(l)
	}
	return l.list(all)
}

// report answers all who asked an agent other than root; a text that the user reads
// says what made it.
func (a *agent) report(jobs []*job) Reply {
	blocks, user := []string{a.aside()}, len(a.says) > 0
	for _, j := range jobs {
		q := a.request(j)
		blocks, user = append(blocks, sayReportOn.in(q.lang, q.title())), user || j.User
		if a.me.leads() {
			blocks = append(blocks, a.own(j))
		} else {
			blocks = append(blocks, q.work(j.Do))
		}
		for _, p := range j.Parts {
			if p.Asked {
				blocks = append(blocks, q.check(p.Agent, p.Report))
			} else {
				blocks = append(blocks, a.from(q, p))
			}
		}
		for _, s := range j.Sent {
			whose, sent, _ := strings.Cut(s, "\n")
			blocks = append(blocks, q.check(whose, sent))
		}
		if j.Used {
			blocks = append(blocks, sayToolUsed.in(q.lang, j.Tool))
		}
	}
	if user {
		blocks = append(blocks, sayNoModel.in(a.request(jobs[0]).lang))
	}
	return Reply{Reasoning: a.thought(jobs[0]), Text: paragraphs(blocks...)}
}

// own is what the head of a team adds itself: a decision between two sides, or
// what its team was asked about.
func (a *agent) own(j *job) string {
	q := a.request(j)
	if len(j.Parts) != 2 || !purposes[0].MatchString(a.me.brief.Objective) {
		return q.work(q.all()[:1])
	}
	stand, open := len(point.FindAllString(j.Parts[0].Report, -1)), len(point.FindAllString(j.Parts[1].Report, -1))
	if stand > open {
		return fmt.Sprintf(sayDecideFor.in(q.lang), stand, open)
	}
	return fmt.Sprintf(sayDecideNot.in(q.lang), stand, open)
}

// carryOut are the calls that carry out an order about the society.
func (a *agent) carryOut() []llm.Call {
	if !a.order.dismiss && a.tools[getOrg] {
		return []llm.Call{call(getOrg, struct{}{})}
	}
	var calls []llm.Call
	if a.order.dismiss && a.tools[terminateAgent] {
		for _, id := range a.targets() {
			calls = append(calls, call(terminateAgent, map[string]any{"agentId": id, "reason": sayDismissed.in(a.me.lang)}))
		}
	}
	return calls
}

// orderReply says what came of an order about the society; "" if there is none.
func (a *agent) orderReply() string {
	if a.order == nil {
		return ""
	}
	l := a.order.lang
	var lines, names []string
	for _, e := range a.order.done {
		id := decode[struct{ AgentID string }](e.call.Arguments).AgentID
		switch {
		case e.value.Error != "":
			lines = append(lines, sayNotDone.in(l, id, clip(e.value.Message, 200)))
		case e.call.Name == terminateAgent:
			lines = append(lines, sayEnded.in(l, l.list(append([]string{id}, e.value.CascadeTerminated...))))
		}
		for i, r := range first(40, e.value.Agents) {
			if i == 0 {
				lines = append(lines, sayWhoHead.in(l), "| --- | --- | --- | --- |")
			}
			lines = append(lines, fmt.Sprintf("| %s | %s | %s | %s |", r.ID, clip(strings.ReplaceAll(r.Role, "|", "/"), 60), r.Parent, r.State))
		}
	}
	for _, c := range a.team() {
		names = append(names, a.called(c.id))
	}
	switch {
	case len(lines) > 0:
		return strings.Join(lines, "\n")
	case !a.order.dismiss || !a.tools[terminateAgent]:
		return sayNoTool.in(l)
	case len(names) == 0:
		return sayNobody.in(l)
	}
	return sayEndWhom.in(l, l.list(names))
}
