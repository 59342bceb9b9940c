package script

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
)

// An agent is how far one has come, worked out from its history.
type agent struct {
	me      self
	tools   toolset
	jobs    []*job   // that are open; root works on the first, and the others wait
	last    *job     // that was answered
	says    []string // what it owes the user beside an answer
	order   *order
	slow    bool  // what it says is to be said slowly
	spoke   bool  // it has said something before
	fresh   bool  // nothing since it was last told something
	recent  int   // entries since it last ended a turn
	tried   bool  // compress_context was called in this turn
	queued  bool  // the first job waited: its words do not stand in this turn
	gaveOut bool  // work was given out in this turn: there is nothing to look round for yet
	looked  bool  // get_org was called in this turn
	rows    []row // what it said
}

// An order is one about the society, which is no request for the team.
type order struct {
	words   string
	lang    Language
	dismiss bool
	done    []*result
}

// readAgent goes over the history of an agent.
func readAgent(me self, history []entry, tools toolset) *agent {
	a := &agent{me: me, tools: tools}
	for _, e := range history {
		a.recent++
		switch {
		case e.heard != nil && e.heard.from == "":
			a.remember(e.heard.body)
		case e.heard != nil:
			a.fresh = true
			a.hear(e.heard)
		case e.result != nil:
			a.take(e.result)
		case e.spoke != nil:
			a.hearSelf(e)
		}
	}
	return a
}

// remember reads the newest of the summaries in a text.
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

// dismisses reports whether words are an order to end agents: it names them, or
// all, or says little more than that. It goes by the words alone, for who was ended
// is known no more.
func dismisses(words string) bool {
	return dismissal.MatchString(words) && (agentID.MatchString(words) || everybody.MatchString(words) || size(words) <= 3)
}

// hear takes a message: a report, a task, an order, a request.
func (a *agent) hear(h *heard) {
	q := read(h.body, a.me.lang)
	reports := reportsIn(h.body)
	isUser, isRoot, mine := h.from == userID, a.me.id == rootID, false
	for _, r := range reports {
		if a.hearReport(h.from, r) {
			mine = true
		} else if isRoot && !isUser && r.body != "" {
			a.says = append(a.says, sayLate.in(a.me.lang, a.called(h.from))+"\n\n"+r.body)
		}
	}
	switch {
	case mine, isRoot && !isUser:
	case isUser && a.me.leads() && (dismisses(h.body) || whoIsThere.MatchString(h.body)):
		a.order = &order{words: h.body, lang: q.lang, dismiss: dismisses(h.body)}
	case h.brief != nil:
		a.begin(h.brief.Inputs, false, h.brief)
	case !isUser && a.me.brief != nil && len(a.jobs) == 0 && a.last == nil && a.me.brief.Inputs != "":
		a.begin(a.me.brief.Inputs, false, a.me.brief) // which the first message does not hold
	case sayAskPartner.begins(h.body):
		if len(a.jobs) == 0 && a.last != nil {
			a.jobs = append(a.jobs, a.last)
		}
	case reports[0].title != "" || a.me.mate(h.from): // nobody waits for it
	case len(a.jobs) > 0 && a.jobs[0].Asking == asked:
		a.hearAnswer(h.body)
	case q.isDirect() && (len(a.jobs) == 0 || !isRoot), !isRoot && q.isBare():
		a.says, a.slow = append(a.says, a.introduce(q)), q.slow
	case len(a.jobs) == 0 || !isRoot:
		a.begin(h.body, isUser, nil)
	case howFar.MatchString(h.body[:min(len(h.body), 200)]) || q.isDirect():
		a.says = append(a.says, sayNoted.in(q.lang))
	case addition.MatchString(h.body) || size(h.body) < 3:
		a.jobs[0].Added = append(a.jobs[0].Added, h.body)
		a.says = append(a.says, sayAck.in(q.lang, clip(h.body, 80)))
	default:
		a.begin(h.body, true, nil)
		a.says = append(a.says, sayNext.in(q.lang, clip(h.body, 80)))
	}
	if isUser && !isRoot && !mine { // who waits for a colleague waits no more
		for _, j := range a.jobs {
			for _, p := range j.in(open) {
				if p.Asked {
					p.State = lost
				}
			}
		}
	}
}

// hearReport takes what an agent says that has a part of a job; it returns false
// if it has none.
func (a *agent) hearReport(from string, r report) bool {
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

func (me self) mate(id string) bool {
	return me.id != rootID && me.leads() && slices.ContainsFunc(me.mates(request{}), func(p *part) bool { return p.Agent == id })
}

// introduce is what the agent says to somebody who wants no work.
func (a *agent) introduce(q request) string {
	if a.me.id == rootID {
		return q.help()
	}
	return sayWorker.in(q.lang, a.me.id, a.me.role, q.lang.objective(a.usual(q)))
}

// begin takes a request as a job, with the brief that came with it, if one did.
func (a *agent) begin(words string, user bool, b *brief) {
	j := &job{Request: words, User: user}
	q := a.request(j)
	switch a.jobs = append(a.jobs, j); {
	case a.me.id == rootID && q.question && a.tools[sendMessage]:
		j.Asking = toAsk
	case a.me.id == rootID && q.isBare():
		a.says = append(a.says, sayExample.in(q.lang))
		j.Request = Examples(q.lang)[0] + "\n" + words
	}
	if a.me.leads() {
		a.share(j)
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

// usual is what the agent does with a request if nothing else is said.
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

// request is what a job is about.
func (a *agent) request(j *job) request {
	if j.read.words != j.Request {
		j.read = read(j.Request, a.me.lang)
	}
	return j.read
}

// hearAnswer takes the user's answer to root's question.
func (a *agent) hearAnswer(words string) {
	j := a.jobs[0]
	j.Asking = answered
	if a.request(j).isBare() {
		j.Request = words + "\n" + j.Request
		a.share(j)
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

// hearSelf goes over what the agent itself said: a text that is no note is an
// answer. What another model has said in root's place ends all that was open.
func (a *agent) hearSelf(e entry) {
	a.spoke, a.says, a.slow, a.fresh = true, nil, false, false
	if a.order != nil && (len(a.order.done) > 0 || len(e.spoke.Calls) == 0) {
		a.order = nil
	}
	for _, j := range a.jobs {
		j.Started = true
		if a.me.id == rootID {
			break
		}
	}
	if len(e.spoke.Calls) > 0 {
		return
	}
	a.recent, a.tried, a.queued, a.gaveOut, a.looked, a.rows = 0, false, false, false, false, nil
	if n := len(a.jobs); n > 0 && !e.notes() {
		if a.last = a.jobs[n-1]; a.me.id == rootID && e.answers() {
			a.jobs, a.queued = a.jobs[1:], n > 1
		} else {
			a.jobs = nil
		}
	}
}

// take takes the result of one of the agent's own calls. What was not run is done
// again.
func (a *agent) take(e *result) {
	switch e.call.Name {
	case getOrg:
		a.looked, a.rows = true, e.value.Agents
	case listRoles:
		for _, j := range a.jobs[:min(len(a.jobs), 1)] {
			j.Listed = true // also when there are too many to be told
		}
	case compressContext:
		a.tried = true
	}
	if e.notRun {
		return
	}
	if e.call.Name == sendMessage {
		a.tookMessage(e)
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
			if e.value.RoleID == "" && postOf(p.Post).isCalled(name) {
				p.State, p.Why = refused, e.value.Error
			}
		}
	case spawnAgent:
		objective := decode[struct{ TaskBrief brief }](e.call.Arguments).TaskBrief.Objective
		for _, p := range j.in(unassigned) {
			if a.request(j).lang.objective(p.Do) == objective {
				p.Agent = e.value.AgentID
				a.gave(j, p, e)
			}
		}
	}
}

// gave notes that a part was given to an agent, or could not be.
func (a *agent) gave(j *job, p *part, e *result) {
	a.gaveOut, a.rows = true, nil
	switch e.value.Error {
	case "":
		p.State = open
	case "agent_not_found":
		p.Agent = "" // who is gone is a contact no more
	case "agent_stopped":
		p.State, p.Why = lost, whyStopped.in(a.request(j).lang)
	default:
		p.State, p.Why = refused, e.value.Error
	}
}

func (a *agent) tookMessage(e *result) {
	m := decode[sent](e.call.Arguments)
	if len(m.To) != 1 || len(a.jobs) == 0 {
		return // another model has sent it
	}
	for _, j := range a.jobs {
		q := a.request(j)
		for _, p := range j.in(unassigned) {
			task := m.Payload.TaskBrief.Inputs == j.Request && m.Payload.TaskBrief.Objective == q.lang.objective(p.Do)
			question := p.Asked && m.Payload.Text == sayAskPartner.in(q.lang, q.title())
			if (p.Agent == m.To[0] || p.Post != "") && (task || question) {
				p.Agent = m.To[0]
				a.gave(j, p, e)
			}
		}
	}
	switch j := a.jobs[0]; {
	case m.To[0] != userID:
	case m.Kind == statusReport, e.value.Error != "" && a.request(j).isBare(): // answered, or the user cannot be asked
		a.jobs, a.queued = a.jobs[1:], true
	case e.value.Error != "":
		j.Asking = answered
	case m.Kind == collaborationRequest:
		j.Asking = asked
	}
}

// team are the agents below root.
func (a *agent) team() []contact {
	return slices.DeleteFunc(slices.Clone(a.me.contacts), func(c contact) bool { return c.id == userID || c.id == rootID })
}

// called is what the user's screen calls an agent. An id that says nothing of the
// role, because its name has no letters for one, gives only its number.
func (a *agent) called(id string) string {
	number, bare := strings.CutPrefix(id, "agent-")
	if c, ok := a.me.contact(id); ok && bare && c.role != "" {
		return c.role + "-" + number
	}
	return id
}

// targets are the agents that an order to end somebody means: by name, else by
// role, or all.
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
