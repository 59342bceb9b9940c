package script

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
)

// An agent is the state of an agent, computed from its history.
type agent struct {
	me         self
	tools      toolset
	jobs       []*job   // open ones; root works on the first, the others are queued
	last       *job     // the last answered one
	pending    []string // remarks for the next text
	order      *order
	slow       bool  // pending is to be said slowly
	spoke      bool  // there is an earlier reply
	fresh      bool  // there is no reply since the last message
	recent     int   // entries of this turn
	tried      bool  // compress_context was called in this turn
	queued     bool  // the first job is from the queue: its message is not in this turn
	assigned   bool  // parts were assigned in this turn, so no agent can be lost yet
	checkedOrg bool  // get_org was called in this turn
	rows       []row // its result
}

// An order is a request about the society: to list or to end agents.
type order struct {
	words   string
	lang    Language
	dismiss bool
	done    []*result
}

// readAgent computes the state of an agent.
func readAgent(me self, history []entry, tools toolset) *agent {
	a := &agent{me: me, tools: tools}
	for _, e := range history {
		a.recent++
		switch {
		case e.message != nil && e.message.from == "":
			a.remember(e.message.body)
		case e.message != nil:
			a.fresh = true
			a.onMessage(e.message)
		case e.result != nil:
			a.onResult(e.result)
		case e.reply != nil:
			a.onReply(e)
		}
	}
	return a
}

// remember restores the jobs from the newest summary in a text.
func (a *agent) remember(said string) {
	a.spoke = true
	var jobs []*job
	at := strings.LastIndex("\n"+said, "\n[")
	if at < 0 || json.NewDecoder(strings.NewReader(said[at:])).Decode(&jobs) != nil {
		return
	}
	a.jobs = slices.DeleteFunc(jobs, func(j *job) bool { return j == nil })
	for _, j := range a.jobs {
		j.Parts = slices.DeleteFunc(j.Parts, func(p *part) bool { return p == nil })
	}
}

var (
	whoIsThere = regexp.MustCompile(`(?i)^[^\p{L}\p{N}]*(?:who(?: is|'s) (?:there|here|in the team)|(?:list|show)(?: me)? (?:the |your |all )*(?:agents|team)|(?:谁在|团队里有谁|有哪些智能体|列出(?:所有)?智能体)\p{Han}{0,3})[^\p{L}\p{N}]*$`)
	dismissal  = regexp.MustCompile(`(?i)^[^\p{L}\p{N}]*(?:(?:please\s+|now\s+)?(?:dismiss|terminate)\b|请?(?:解散|终止))`)
	everybody  = regexp.MustCompile(`(?i)\b(?:all|everyone|everybody|them|the team)\b|全部|所有|大家|团队`)
	agentID    = regexp.MustCompile(`(?i)(?:[a-z0-9]{1,24}|\p{Han}+)-\d+`)
	howFar     = regexp.MustCompile(`(?i)^[^\p{L}\p{N}]*(?:how far|status|any news|are you (?:done|ready)|what is (?:the )?(?:status|progress))\b|进展|进度|怎么样了|好了吗`)
	addition   = regexp.MustCompile(`(?i)^[^\p{L}\p{N}]*(?:(?:(?:please|and|oh)\s+)*(?:also|but|plus|by the way|only|not|no|yes|instead|actually|make it|with|without|note)\b|请?(?:注意|另外|还有|再加|也|顺便|不过|但|不要|别|只|改成))`)
)

// dismisses reports whether words are an order to end agents: they name agents, or
// all, or are short. It does not look at the contacts, because an agent that was
// ended is no contact any more.
func dismisses(words string) bool {
	return dismissal.MatchString(words) && (agentID.MatchString(words) || everybody.MatchString(words) || size(words) <= 3)
}

// onMessage handles a report, a task, an order or a request.
func (a *agent) onMessage(m *inbound) {
	q := read(m.body, a.me.lang)
	reports := reportsIn(m.body)
	isUser, isRoot, mine := m.from == userID, a.me.id == rootID, false
	for _, r := range reports {
		if a.onReport(m.from, r) {
			mine = true
		} else if isRoot && !isUser && r.body != "" {
			a.pending = append(a.pending, sayLate.in(a.me.lang, a.called(m.from))+"\n\n"+r.body)
		}
	}
	switch {
	case mine, isRoot && !isUser:
	case isUser && a.me.leads() && (dismisses(m.body) || whoIsThere.MatchString(m.body)):
		a.order = &order{words: m.body, lang: q.lang, dismiss: dismisses(m.body)}
	case m.brief != nil:
		a.begin(m.brief.Inputs, false, m.brief)
	case !isUser && a.me.brief != nil && len(a.jobs) == 0 && a.last == nil && a.me.brief.Inputs != "":
		a.begin(a.me.brief.Inputs, false, a.me.brief) // the message does not hold it
	case sayAskPartner.begins(m.body):
		if len(a.jobs) == 0 && a.last != nil {
			a.jobs = append(a.jobs, a.last)
		}
	case reports[0].title != "" || a.me.isTeammate(m.from): // a report on a closed job
	case len(a.jobs) > 0 && a.jobs[0].Asking == asked:
		a.onUserAnswer(m.body)
	case q.isDirect() && (len(a.jobs) == 0 || !isRoot), !isRoot && q.isBare():
		a.pending, a.slow = append(a.pending, a.introduce(q)), q.slow
	case len(a.jobs) == 0 || !isRoot:
		a.begin(m.body, isUser, nil)
	case howFar.MatchString(m.body[:min(len(m.body), 200)]) || q.isDirect():
		a.pending = append(a.pending, sayNoted.in(q.lang))
	case addition.MatchString(m.body) || size(m.body) < 3:
		a.jobs[0].Added = append(a.jobs[0].Added, m.body)
		a.pending = append(a.pending, sayAck.in(q.lang, clip(m.body, 80)))
	default:
		a.begin(m.body, true, nil)
		a.pending = append(a.pending, sayNext.in(q.lang, clip(m.body, 80)))
	}
	if isUser && !isRoot && !mine { // a word of the user ends the wait for a colleague
		for _, j := range a.jobs {
			for _, p := range j.in(open) {
				if p.Asked {
					p.State = lost
				}
			}
		}
	}
}

// onReport records the report of a part; it returns false if the agent has no open
// part with that title.
func (a *agent) onReport(from string, r report) bool {
	for _, j := range a.jobs {
		for _, p := range j.in(open) {
			if p.Agent != from || r.title != "" && r.title != a.request(j).title() {
				continue
			}
			p.State, p.Report = reported, r.body
			if hasFailed.MatchString(r.body) {
				p.State, p.Why = lost, whyFailed.in(a.request(j).lang, clip(r.body, 300))
			}
			return true
		}
	}
	return false
}

func (me self) isTeammate(id string) bool {
	return me.id != rootID && me.leads() && slices.ContainsFunc(me.teammates(request{}), func(p *part) bool { return p.Agent == id })
}

// introduce returns the answer to a greeting.
func (a *agent) introduce(q request) string {
	if a.me.id == rootID {
		return q.help()
	}
	return sayWorker.in(q.lang, a.me.id, a.me.role, q.lang.objective(a.usual(q)))
}

// begin opens a job for a request; b is its brief, or nil.
func (a *agent) begin(words string, user bool, b *brief) {
	j := &job{Request: words, User: user}
	q := a.request(j)
	switch a.jobs = append(a.jobs, j); {
	case a.me.id == rootID && q.question && a.tools[sendMessage]:
		j.Asking = toAsk
	case a.me.id == rootID && q.isBare():
		a.pending = append(a.pending, sayExample.in(q.lang))
		j.Request = Examples(q.lang)[0] + "\n" + words
	}
	if a.me.leads() {
		a.split(j)
		return
	}
	if j.Do = a.usual(q); b != nil {
		if do := worksIn(b.Objective); do != nil {
			j.Do = do
		}
		j.Sent = b.References
		if b.has(sayAskFirst) && len(b.Collaborators) > 0 {
			j.Parts = []*part{{Agent: b.Collaborators[0].AgentID, Asked: true}}
		}
	}
	for _, tool := range []string{listContacts, contextStatus, getOrg} { // they only read
		if a.tools[tool] && j.Tool == "" && (q.tool || b != nil && b.has(sayToolFirst)) {
			j.Tool = tool
		}
	}
}

// usual returns the agent's work on a request without a brief of its own.
func (a *agent) usual(q request) []work {
	var do []work
	if a.me.brief != nil {
		do = worksIn(a.me.brief.Objective)
	}
	for _, p := range team {
		if len(do) == 0 && p.isCalled(a.me.role) {
			do = p.does
		}
	}
	return q.fitting(do)
}

// request returns the parsed request of a job.
func (a *agent) request(j *job) request {
	if j.read.words != j.Request {
		j.read = read(j.Request, a.me.lang)
	}
	return j.read
}

// onUserAnswer handles the user's answer to root's question.
func (a *agent) onUserAnswer(words string) {
	j := a.jobs[0]
	j.Asking = answered
	if a.request(j).isBare() {
		j.Request = words + "\n" + j.Request
		a.split(j)
		return
	}
	for w, title := range sayTitle {
		if said := strings.TrimSpace(words); strings.EqualFold(said, title.en) || said == title.zh {
			j.First = w
			return
		}
	}
	j.Added = append(j.Added, words)
}

// onReply handles a reply of the agent itself: a text that is no note answers its
// jobs. An answer of another model, which root may have had before, ends all jobs.
func (a *agent) onReply(e entry) {
	a.spoke, a.pending, a.slow, a.fresh = true, nil, false, false
	if a.order != nil && (len(a.order.done) > 0 || len(e.reply.Calls) == 0) {
		a.order = nil
	}
	for _, j := range a.jobs {
		j.Started = true
		if a.me.id == rootID {
			break
		}
	}
	if len(e.reply.Calls) > 0 {
		return
	}
	a.recent, a.tried, a.queued, a.assigned, a.checkedOrg, a.rows = 0, false, false, false, false, nil
	if n := len(a.jobs); n > 0 && !e.notes() {
		if a.last = a.jobs[n-1]; a.me.id == rootID && e.answers() {
			a.jobs, a.queued = a.jobs[1:], n > 1
		} else {
			a.jobs = nil
		}
	}
}

// onResult handles the result of a call. Calls that were not run change nothing, so
// next makes them again.
func (a *agent) onResult(e *result) {
	switch e.call.Name {
	case getOrg:
		a.checkedOrg, a.rows = true, e.value.Agents
	case listRoles:
		for _, j := range a.jobs[:min(len(a.jobs), 1)] {
			j.Listed = true // also if the result is cut
		}
	case compressContext:
		a.tried = true
	}
	if e.notRun {
		return
	}
	if e.call.Name == sendMessage {
		a.onSent(e)
	}
	for _, j := range a.jobs {
		j.Used = j.Used || j.Tool == e.call.Name
	}
	if a.order != nil && (e.call.Name == getOrg || e.call.Name == terminateAgent) {
		a.order.done = append(a.order.done, e)
	}
	if len(a.jobs) == 0 {
		return
	}
	j := a.jobs[0]
	if j.Roles == nil {
		j.Roles = make(map[string]string)
	}
	switch e.call.Name {
	case listRoles:
		for _, role := range e.value.Roles {
			j.Roles[strings.ToLower(role.Name)] = role.RoleID
		}
	case createRole:
		name := decode[struct{ Name string }](e.call.Arguments).Name
		j.Roles[strings.ToLower(name)] = e.value.RoleID
		for _, p := range j.in(unassigned) {
			if e.value.RoleID == "" && teamRoleOf(p.Role).isCalled(name) {
				p.State, p.Why = refused, e.value.Error
			}
		}
	case spawnAgent:
		objective := decode[struct{ TaskBrief brief }](e.call.Arguments).TaskBrief.Objective
		for _, p := range j.in(unassigned) {
			if a.request(j).lang.objective(p.Do) == objective {
				p.Agent = e.value.AgentID
				a.onAssigned(j, p, e)
			}
		}
	}
}

// onAssigned records that a part was assigned, or refused.
func (a *agent) onAssigned(j *job, p *part, e *result) {
	a.assigned, a.rows = true, nil
	switch e.value.Error {
	case "":
		p.State = open
	case "agent_not_found":
		p.Agent = "" // it has left the contacts, so another is chosen
	case "agent_stopped":
		p.State, p.Why = lost, whyStopped.in(a.request(j).lang)
	default:
		p.State, p.Why = refused, e.value.Error
	}
}

func (a *agent) onSent(e *result) {
	m := decode[sent](e.call.Arguments)
	if len(m.To) != 1 || len(a.jobs) == 0 {
		return // the call of another model
	}
	for _, j := range a.jobs {
		q := a.request(j)
		for _, p := range j.in(unassigned) {
			task := m.Payload.TaskBrief.Inputs == j.Request && m.Payload.TaskBrief.Objective == q.lang.objective(p.Do)
			question := p.Asked && m.Payload.Text == sayAskPartner.in(q.lang, q.title())
			if (p.Agent == m.To[0] || p.Role != "") && (task || question) {
				p.Agent = m.To[0]
				a.onAssigned(j, p, e)
			}
		}
	}
	switch j := a.jobs[0]; {
	case m.To[0] != userID:
	case m.Kind == statusReport, e.value.Error != "" && a.request(j).isBare(): // answered, or impossible to ask
		a.jobs, a.queued = a.jobs[1:], true
	case e.value.Error != "":
		j.Asking = answered
	case m.Kind == collaborationRequest:
		j.Asking = asked
	}
}

// team returns the agents below root.
func (a *agent) team() []contact {
	return slices.DeleteFunc(slices.Clone(a.me.contacts), func(c contact) bool { return c.id == userID || c.id == rootID })
}

// called returns an agent's name on the screen: of an id without the role's name,
// because that has no ASCII letters, the role and the number.
func (a *agent) called(id string) string {
	number, bare := strings.CutPrefix(id, "agent-")
	if c, ok := a.me.contact(id); ok && bare && c.role != "" {
		return c.role + "-" + number
	}
	return id
}

// targets returns the agents that the order names, else those of the role it names,
// or all.
func (a *agent) targets() []string {
	said := strings.ToLower(a.order.words)
	named := agentID.FindAllString(said, 20)
	for i, n := range named {
		for _, c := range a.team() {
			if strings.HasSuffix(n, strings.ToLower(a.called(c.id))) {
				named[i] = c.id
			}
		}
	}
	if named != nil {
		return named
	}
	for _, c := range a.team() {
		if everybody.MatchString(said) || strings.Contains(said, strings.ToLower(c.role)) {
			named = append(named, c.id)
		}
	}
	return named
}
