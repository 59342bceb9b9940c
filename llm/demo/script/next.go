package script

import (
	"fmt"
	"slices"
	"strings"

	"society-tui/llm"
)

// next returns the reply to the state that the history leads to.
func (a *agent) next() Reply {
	isRoot := a.me.id == rootID
	now := a.jobs
	switch {
	case a.order != nil && len(a.order.done) == 0 && len(a.carryOut()) > 0:
		return Reply{Calls: a.carryOut()}
	case len(now) == 0:
		said := a.pendingText()
		if said == "" {
			return Reply{Text: sayNoted.in(a.me.lang)}
		}
		return Reply{Text: paragraphs(said, sayNoModel.in(languageOf(said, a.me.lang))), Slow: a.slow}
	case a.me.warned && !a.tried && !a.queued && !slices.ContainsFunc(now, func(j *job) bool { return j.Started }) && a.tools[compressContext]:
		// The new messages stay, and nothing else is open.
		return Reply{Calls: []llm.Call{call(compressContext, map[string]any{"summary": sayMemory.in(a.me.lang), "keepRecentCount": a.recent})}}
	case now[0].Asking == toAsk:
		return a.ask(now[0])
	case now[0].Asking == asked:
		return Reply{Text: paragraphs(a.pendingText(), sayHear.in(a.me.lang))}
	case isRoot:
		now = now[:1]
	}
	if calls := a.assign(now); len(calls) > 0 {
		return Reply{Reasoning: a.thought(now[0]), Text: a.opening(now[0]), Calls: calls}
	}
	var waits []string
	for _, j := range now {
		if len(j.in(open)) > 0 && !a.checkedOrg && !a.assigned && a.tools[getOrg] {
			return Reply{Text: a.pendingText(), Calls: []llm.Call{call(getOrg, struct{}{})}}
		}
		a.dropLost(j)
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
		return Reply{Text: paragraphs(a.pendingText(), said)}
	}
	if calls := a.assign(now); len(calls) > 0 { // parts that waited for lost ones
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

// pendingText returns the remarks for the next text.
func (a *agent) pendingText() string {
	return paragraphs(append([]string{a.orderReply()}, a.pending...)...)
}

// ask asks the user a question with quick replies.
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

// assign returns the calls that give parts to agents with the role, or to new ones.
// It refuses parts that nobody can get.
func (a *agent) assign(jobs []*job) []llm.Call {
	var roles, calls []llm.Call
	for _, j := range jobs {
		l := a.request(j).lang
		if j.Tool != "" && !j.Used {
			return []llm.Call{call(j.Tool, struct{}{})}
		}
		for _, p := range j.in(unassigned) {
			want, agent := teamRoleOf(p.Role), a.agentFor(p)
			partner, role := j.part(want.asks), a.roleOf(j, want)
			switch {
			case agent == "" && (p.Role == "" || !a.tools[spawnAgent] || !a.tools[createRole]), !a.tools[sendMessage] && p.Asked, p.Asked && a.me.gone(agent):
				p.State = refused
			case agent == "" && role == "" && !j.Listed && a.tools[listRoles]:
				return []llm.Call{call(listRoles, struct{}{})}
			case agent == "" && role == "":
				roles = append(roles, a.newRole(want))
			case partner != nil && partner.State == unassigned, p.Last && len(j.in(open))+len(calls) > 0:
				// Its brief names the partner, or holds the other reports.
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

// agentFor returns the existing agent for a part; "" if there is none.
func (a *agent) agentFor(p *part) string {
	if p.Role == "" {
		return p.Agent
	}
	for _, c := range a.team() {
		if teamRoleOf(p.Role).isCalled(c.role) && a.tools[sendMessage] {
			return c.id
		}
	}
	return ""
}

func (a *agent) roleOf(j *job, r teamRole) string {
	for _, name := range []string{r.name.in(a.me.lang), r.name.en, r.name.zh} {
		if id := j.Roles[strings.ToLower(name)]; id != "" {
			return id
		}
	}
	return ""
}

func (a *agent) newRole(r teamRole) llm.Call {
	l := a.me.lang
	return call(createRole, map[string]any{
		"name": r.name.in(l), "rolePrompt": r.prompt.in(l), "toolGroups": []string{"talk", "context"},
		"interfaceSpec": map[string]any{"services": r.serves.in(l), "input_format": sayInput.in(l), "output_format": sayOutput.in(l)},
	})
}

// briefFor writes the brief of a part, with the request as the user wrote it.
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
	if partner := j.part(teamRoleOf(p.Role).asks); partner != nil && !a.me.gone(partner.Agent) && partner.State != refused {
		also(sayAskFirst.in(q.lang, partner.Agent), true)
		b.Collaborators = []collaborator{{partner.Agent, teamRoleOf(partner.Role).name.in(a.me.lang), q.lang.objective(partner.Do)}}
	}
	for _, other := range j.in(reported) {
		if p.Last {
			b.References = append(b.References, other.Agent+"\n"+other.Report)
		}
	}
	if a.me.id != rootID && len(j.Parts) == 1 { // one reviewer gets a draft
		b.References = []string{a.me.id + "\n" + q.work(q.all()[:1])}
	}
	return b
}

// opening returns the text beside calls. With the first calls for a request, root
// restates it and names the roles; its first text of all introduces the model.
func (a *agent) opening(j *job) string {
	if a.me.id != rootID || j.Started {
		return a.pendingText()
	}
	q := a.request(j)
	blocks := []string{a.pendingText()}
	if !a.spoke {
		blocks = []string{sayIntro.in(q.lang), a.pendingText()}
	}
	if j.Asking == toAsk {
		return paragraphs(blocks...)
	}
	lines := []string{sayWork.in(q.lang, len(j.Parts))}
	for _, p := range j.Parts {
		name := a.called(p.Agent)
		if p.Role != "" {
			name = teamRoleOf(p.Role).name.in(a.me.lang)
		}
		lines = append(lines, sayPart.in(q.lang, name, q.lang.objective(p.Do)))
		if asks := teamRoleOf(p.Role).asks; asks != "" {
			lines[len(lines)-1] += sayAsks.in(q.lang, teamRoleOf(asks).name.in(a.me.lang))
		}
	}
	return paragraphs(append(blocks, sayRequest.in(q.lang, q.title()), strings.Join(lines, "\n"))...)
}

// answer merges the reports and names the missing ones. If another job is queued, it
// sends the answer by a call, so that the turn goes on with that job.
func (a *agent) answer(j *job) Reply {
	q := a.request(j)
	blocks, missing := []string{a.pendingText(), "## " + q.title()}, []string(nil)
	if q.left > 0 {
		blocks = append(blocks, sayLeftOut.in(q.lang, q.left))
	}
	parts := slices.Clone(j.Parts)
	slices.SortStableFunc(parts, func(a, b *part) int { // the section that matters most comes first
		return strings.Compare(fmt.Sprint(!slices.Contains(a.Do, j.First)), fmt.Sprint(!slices.Contains(b.Do, j.First)))
	})
	for _, p := range parts {
		switch {
		case p.State == reported && (p.Role == "" || strings.HasPrefix(p.Report, "#")):
			blocks = append(blocks, p.Report)
		case p.State == reported: // by another model
			blocks = append(blocks, a.quote(q, p))
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

// quote returns a report under the name of its agent.
func (a *agent) quote(q request, p *part) string {
	c, _ := a.me.contact(p.Agent)
	said := strings.ReplaceAll(p.Report, "### ", "#### ")
	if p.State != reported {
		said = p.Why
	}
	return section(sayFrom.in(q.lang, a.called(p.Agent), c.role), []string{said})
}

// titles lists work by the titles of its sections.
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

// report returns the reports on the jobs of an agent other than root. If the user
// reads it, it ends with the line that names the offline model.
func (a *agent) report(jobs []*job) Reply {
	blocks, user := []string{a.pendingText()}, len(a.pending) > 0
	for _, j := range jobs {
		q := a.request(j)
		blocks, user = append(blocks, sayReportOn.in(q.lang, q.title())), user || j.User
		if a.me.leads() {
			blocks = append(blocks, a.headSection(j))
		} else {
			blocks = append(blocks, q.work(j.Do))
		}
		for _, p := range j.Parts {
			if p.Asked {
				blocks = append(blocks, q.check(p.Agent, p.Report))
			} else {
				blocks = append(blocks, a.quote(q, p))
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

// headSection returns the section of a head: a decision between two sides, or its
// own work on the request.
func (a *agent) headSection(j *job) string {
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

// carryOut returns the calls of an order.
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

// orderReply reports on an order; it returns "" without one.
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
