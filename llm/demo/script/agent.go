package script

import (
	"cmp"
	"slices"
	"strings"

	"society-tui/llm"
	"society-tui/llm/lazyregexp"
)

// An agent is the state of an agent, read from its history.
type agent struct {
	me      self
	tools   map[string]bool // that the request offers
	history []llm.Message
	since   int // the first message since the last answer

	jobs     []*job // the requests since the last answer
	answered bool   // they are answered, until the next message comes
	texts    int    // its texts since the last answer; more than one only in a graph
	calls    int    // its replies with calls since the last answer
	unclear  *job   // it is for the user to say more of it
	isAsking bool   // the user was asked
	listed   bool   // the roles were listed
	roles    map[*teamRole]string
	refused  string // why a role could not be created
	used     string // a tool that only reads
	reported string // the last answer, if it was a report

	// What concerns the next text alone.
	order      *order   // of the user
	notes      []string // it begins with them
	slow       bool     // it is to be said slowly
	looks      bool     // at the state of the others first
	compressed bool
	failing    bool // the next call is to show an error
	failsIn    Language
}

// mostCalls bounds the replies with calls to one request. An agent that has made more
// answers with what it has, so that none goes on for ever.
const mostCalls = 60

// readAgent reads the state of an agent.
func readAgent(me self, req llm.Request) *agent {
	a := &agent{me: me, tools: make(map[string]bool), history: unfolded(req.Messages)}
	for _, t := range req.Tools {
		a.tools[t.Name] = true
	}
	calls := make(map[string]llm.Call)
	a.forget(0)
	for i, m := range a.history {
		switch m.Role {
		case llm.Assistant:
			for _, c := range m.Calls {
				calls[c.ID] = c
			}
			a.onReply(m)
		case llm.Tool:
			if r, ok := readResult(calls[m.CallID], m.Text); ok {
				a.onResult(r)
			}
		default:
			if in := readDelivery(m.Text); in.from != "" {
				a.onMessage(in, i)
			}
		}
	}
	a.settle()
	return a
}

// forget begins anew behind an answer.
func (a *agent) forget(i int) {
	a.since, a.jobs, a.answered, a.texts, a.calls = i, nil, false, 0, 0
	a.unclear, a.isAsking = nil, false
	a.listed, a.roles, a.refused, a.used = false, make(map[*teamRole]string), "", ""
}

// settle gives up the parts that nobody can report on any more.
func (a *agent) settle() {
	if a.calls > mostCalls {
		a.tools = nil
	}
	for _, j := range a.jobs {
		for _, p := range j.parts {
			switch {
			case p.agent != "" && !a.me.knows(p.agent):
				p.lose(whyEnded.in(j.lang))
			case p.state == unassigned && a.refused != "" && a.agentFor(p) == "":
				p.lose(whyRefused.in(j.lang, a.refused))
			case a.tools == nil, p.state == unassigned && !a.canAssign(p):
				p.lose(whyNoTool.in(j.lang))
			}
		}
	}
}

// canAssign reports whether there are tools to assign a part.
func (a *agent) canAssign(p *part) bool {
	if a.agentFor(p) != "" {
		return a.tools[sendMessage]
	}
	return p.role != nil && a.tools[listRoles] && a.tools[createRole] && a.tools[spawnAgent]
}

// agentFor returns the agent that there is for a part; "" if there is none.
func (a *agent) agentFor(p *part) string {
	if p.role == nil {
		return p.agent
	}
	for _, c := range a.me.children() {
		if roleNamed(c.role) == p.role {
			return c.id
		}
	}
	return ""
}

// onReply handles a reply of the agent itself: a text that is no note answers all jobs.
func (a *agent) onReply(m llm.Message) {
	a.failing = false
	if len(m.Calls) != 1 || m.Calls[0].Name != getOrg { // that only looks
		for _, j := range a.jobs {
			j.begun = true
		}
	}
	if len(m.Calls) > 0 {
		a.calls++
		return
	}
	a.order, a.notes, a.slow, a.looks, a.compressed = nil, nil, false, false, false
	a.texts++
	if isNote(m.Text) {
		return
	}
	a.answered, a.reported = true, ""
	if reportLine.MatchString(m.Text) {
		a.reported = m.Text
	}
}

// onResult handles the result of a call.
func (a *agent) onResult(r result) {
	a.failing = false
	if a.order != nil {
		a.order.onResult(r)
	}
	switch r.tool {
	case listRoles:
		a.listed = true
		for _, role := range r.value.Roles {
			a.roles[roleNamed(role.Name)] = role.RoleID
		}
	case createRole:
		a.roles[roleNamed(r.asked.Name)] = r.value.RoleID
		a.refused = cmp.Or(r.value.Error, a.refused)
	case spawnAgent, sendMessage:
		if a.unclear != nil && slices.Equal(r.asked.To, []string{userID}) {
			if a.isAsking = true; r.value.Error != "" {
				a.onUserAnswer("")
			}
		}
		for _, j := range a.jobs {
			j.assigned(r)
			if r.value.Error == isStopped {
				j.giveUp(strings.Join(r.asked.To, ""), whyStopped.in(j.lang))
			}
		}
	case getOrg:
		a.looks = false
		for _, j := range a.jobs {
			j.look(r.value.Agents)
		}
	case compressContext:
		a.compressed = true
	default:
		if slices.Contains(reading, r.tool) {
			a.used = r.tool
		}
	}
}

var (
	howFar   = lazyregexp.New(`(?i)^[^\p{L}\p{N}]*(?:how far|status|any news|are you (?:done|ready)|what is (?:the )?(?:status|progress))\b|进展|进度|怎么样了|好了吗`)
	addition = lazyregexp.New(`(?i)^[^\p{L}\p{N}]*(?:(?:(?:please|and|oh)\s+)*(?:also|but|plus|by the way|only|not|no|yes|instead|actually|make it|with|without|note)\b|请?(?:注意|另外|还有|再加|也|顺便|不过|但|不要|别|只|改成))`)
	// nudge matches the wish that the work goes on, which says nothing of the work.
	nudge = lazyregexp.New(`(?i)^[^\p{L}\p{N}]*(?:(?:please|ok(?:ay)?|now|then|just|and|so|you (?:can|may)|let(?:'s| us))[\s,.!]+)*(?:go on|go ahead|continue|carry on|keep going|proceed|resume)(?:[\s,]+(?:please|now|then|work(?:ing)?|all|everybody|with (?:it|that|this|(?:the|your) (?:work|task|request|plan))))*[^\p{L}\p{N}]*$|^[^\p{L}\p{N}]*(?:请|好的?|那就?|现在|你们?|大家|可以|，)*(?:继续|接着)(?:工作|进行|处理|下去|做|干|吧|了)*[^\p{L}\p{N}]*$`)
	// failedTurn matches the runtime's report of a turn that has failed.
	failedTurn = lazyregexp.New(`^(?:The turn of \S+ failed; |\S+ 的本轮处理失败)`)
)

func hasFailed(body string) bool { return failedTurn.MatchString(body) }

// onMessage handles a report, a task, an order or a request, which is message i.
func (a *agent) onMessage(m inbound, i int) {
	if a.answered {
		a.forget(i)
	}
	isUser := m.from == userID
	if isUser && a.me.isRoot() {
		a.lookAgain()
	}
	switch {
	case m.brief != nil:
		if m.brief.has(sayErrorFirst) {
			a.failing, a.failsIn = true, languageOf(m.brief.Objective, a.me.lang)
		}
		a.beginTask(*m.brief)
	case !isUser && (a.me.isRoot() || a.hasAsked(m.from) || hasFailed(m.body) || reportLine.MatchString(m.body)):
		a.onReport(m)
	case isUser && a.me.isRoot() && isOrder(m.body):
		a.order = &order{words: m.body, lang: languageOf(m.body, a.me.lang)}
	default:
		a.onRequest(read(m.body, a.me.lang))
	}
}

// hasAsked reports whether another agent does a part of a job.
func (a *agent) hasAsked(id string) bool {
	return slices.ContainsFunc(a.jobs, func(j *job) bool {
		return slices.ContainsFunc(j.parts, func(p *part) bool { return p.agent == id })
	})
}

// lookAgain has root look who works before it waits on: a stop is announced to nobody, and
// what a stopped agent was asked is gone when it is resumed.
func (a *agent) lookAgain() {
	for _, j := range a.jobs {
		a.looks = a.looks || len(j.in(open)) > 0
		for _, p := range j.parts {
			p.again = false
		}
	}
}

// onReport handles reports. Root mentions those that come too late.
func (a *agent) onReport(m inbound) {
	heard := -1 // the last job that is reported on
	for _, r := range reportsIn(m.body) {
		switch at := slices.IndexFunc(a.jobs, func(j *job) bool { return j.hear(m.from, r) }); {
		case isNote(r.body): // sent as an answer only if nobody works for the sender any more
			a.looks = a.looks || a.me.isRoot() && a.hasAsked(m.from)
		case sayNoted.is(r.body):
		case at < 0 && a.me.isRoot():
			a.notes = append(a.notes, sayLate.in(a.me.lang, a.me.called(m.from)))
		case r.title != "":
			heard = max(heard, at)
		}
	}
	for _, j := range a.jobs[:max(0, heard)] { // each answers in order all that it was asked
		j.giveUp(m.from, whyAtRest.in(j.lang))
	}
}

// onRequest handles the words of the user, or of an agent without a brief. During the
// work they may answer root's question, or add to the request.
func (a *agent) onRequest(q request) {
	last, leads := len(a.jobs)-1, a.me.isRoot() && len(a.jobs) > 0
	nudged := q.text == "" && nudge.MatchString(q.words)
	if q.trouble && !a.me.isRoot() {
		a.failing, a.failsIn = true, q.lang
	}
	switch {
	case a.isAsking:
		a.onUserAnswer(q.words)
	case last < 0 && (q.isDirect() || nudged), !a.me.isRoot() && q.isBare():
		a.notes, a.slow = append(a.notes, a.introduction(q)), q.slow
	case nudged && !leads:
		a.stopWaiting()
	case leads && (nudged || q.isDirect() || howFar.MatchString(q.words)): // root looks who works
	case leads && (addition.MatchString(q.words) || size(q.words) < 3):
		a.jobs[last].added = append(a.jobs[last].added, q.words)
	default:
		a.begin(q)
	}
}
