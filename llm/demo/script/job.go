package script

import (
	"cmp"
	"slices"
	"strings"
)

// A job is a request that an agent works on.
type job struct {
	request
	asked   string   // the words of the user, to whom root answers; "" for another's job
	do      []work   // the agent's own work
	matters string   // most to the user
	added   []string // remarks of the user during the work
	parts   []*part  // what others do
	begun   bool     // the agent has replied since
	file    string   // in which the report on a folder is written; "" for none
}

// A part is one agent's share of a job.
type part struct {
	role   *teamRole // nil for an agent that is there already
	agent  string    // "" before there is one
	do     []work
	state  state
	report string
	why    string // it is lost
	again  bool   // its agent came to rest without a report, and is asked again
	shared bool   // it is the job's own work, not one beside it
}

// A state is the progress of a part.
type state int

const (
	unassigned state = iota
	open
	reported
	lost // nobody will report on it
)

// lose gives up a part that was not reported.
func (p *part) lose(why string) {
	if p.state != reported {
		p.state, p.why = lost, why
	}
}

// in returns the parts in a state.
func (j *job) in(s state) []*part {
	return slices.DeleteFunc(slices.Clone(j.parts), func(p *part) bool { return p.state != s })
}

// begin opens a job for a request of the user, or of an agent without a brief.
// Root does not begin a second time what it is asked again before it has answered: those who
// work on it would report once, and it would wait for the other report for ever.
func (a *agent) begin(q request) {
	j := &job{request: q, do: a.usual(q)}
	if a.me.isRoot() {
		j.asked = strings.TrimSpace(q.words)
		if slices.ContainsFunc(a.jobs, func(other *job) bool { return other.asked == j.asked }) {
			return
		}
	}
	a.jobs = append(a.jobs, j)
	switch {
	case !a.me.isRoot():
		a.stopWaiting()
	case j.question && a.unclear == nil && a.tools[sendMessage]:
		a.unclear = j
	case j.isBare():
		j.request = read(Examples(q.lang)[0]+"\n"+q.words, a.me.lang)
	}
	if a.me.isRoot() {
		a.split(j)
	}
	a.shareReview(j)
	a.share(j)
}

// stopWaiting gives up all parts that are open: a word of the user ends the wait for a
// colleague.
func (a *agent) stopWaiting() {
	for _, j := range a.jobs {
		for _, p := range j.in(open) {
			p.lose("")
		}
	}
}

// onUserAnswer handles the user's answer to root's question. Without one, root takes an
// example where it has no words to work on.
func (a *agent) onUserAnswer(words string) {
	j := a.unclear
	a.unclear, a.isAsking = nil, false
	switch {
	case j.isBare():
		j.request = read(cmp.Or(words, Examples(j.lang)[0])+"\n"+j.words, a.me.lang)
		a.split(j)
	case words != "":
		j.matters = words
		j.added = append(j.added, sayMatters.in(j.lang, clip(words, 300)))
	}
}

// beginTask opens a job for a brief. Those who work on it too are asked for their part.
func (a *agent) beginTask(b brief) {
	q := read(cmp.Or(strings.TrimSpace(b.Inputs), b.Objective), a.me.lang)
	j := &job{request: q, do: worksIn(b.Objective, a.usual(q))}
	j.tool = b.has(sayToolFirst) // the direction is for one agent
	j.file = b.file()
	for _, c := range b.Collaborators {
		if a.me.knows(c.AgentID) {
			j.parts = append(j.parts, &part{agent: c.AgentID, do: worksIn(c.Description, q.all())})
		}
	}
	a.shareReview(j)
	a.share(j)
	if !slices.ContainsFunc(a.jobs, func(other *job) bool { return other.words == j.words && slices.Equal(other.do, j.do) }) {
		a.jobs = append(a.jobs, j)
		return
	}
	for _, j := range a.jobs { // who gives a task twice has seen nobody work on it
		for _, p := range j.in(open) {
			p.reopen()
		}
	}
}

// usual returns the agent's work on a request: its role's, or the whole answer.
func (a *agent) usual(q request) []work {
	switch r := roleNamed(a.me.role); {
	case r == auditor, r == tester:
		if q.isReview() {
			return r.does
		}
	case r != nil:
		return q.of(r)
	}
	return q.all()
}

// split divides root's job: all of it for the head of a team that there is, else
// a part for each role of the team.
func (a *agent) split(j *job) {
	j.parts = nil
	for _, c := range a.me.children() {
		if c.isHead {
			j.parts = []*part{{agent: c.id, do: j.all()}}
			if auditor.name.is(c.role) && j.isReview() {
				j.parts[0].do = auditor.does
			}
			return
		}
	}
	for _, r := range team {
		j.parts = append(j.parts, &part{role: r, do: j.of(r)})
	}
}

// share has the agents below the head of a template's team do its work with it: each the next
// of its works, of which the head keeps the first. Those that were asked stay the same when one
// of them is ended.
func (a *agent) share(j *job) {
	if a.me.isRoot() || a.me.inGraph || len(j.parts) > 0 || j.isReview() || roleNamed(a.me.role) != nil {
		return
	}
	members := a.askedFor(j.words)
	if len(members) == 0 {
		members = each(a.me.children(), func(c contact) string { return c.id })
	}
	for _, id := range members {
		if len(j.do) > 1 {
			j.parts = append(j.parts, &part{agent: id, do: []work{j.do[1]}, shared: true})
			j.do = slices.Delete(slices.Clone(j.do), 1, 2)
		}
	}
}

// askedFor returns the agents that were sent a brief with these inputs, in order.
func (a *agent) askedFor(inputs string) (ids []string) {
	for _, m := range a.history {
		for _, c := range m.Calls {
			asked := decode[arguments](c.Arguments)
			if c.Name == sendMessage && len(asked.To) == 1 && asked.Payload.TaskBrief.Inputs == inputs && !slices.Contains(ids, asked.To[0]) {
				ids = append(ids, asked.To[0])
			}
		}
	}
	return ids
}

// assigned notes that a part of the job was assigned, or why it cannot be.
func (j *job) assigned(r result) {
	for _, p := range j.in(unassigned) {
		b := r.asked.TaskBrief
		if b.Inputs != j.words || b.Objective != j.objective(p.do) {
			continue
		}
		if r.value.Error != "" {
			p.lose(whyRefused.in(j.lang, r.value.Error))
			continue
		}
		p.agent, p.state = strings.Join(append(r.asked.To, r.value.AgentID), ""), open
	}
}

// hear notes the report of a part, and reports whether the job has waited for it.
func (j *job) hear(from string, r report) bool {
	for _, p := range j.parts {
		switch {
		case isNote(r.body), sayNoted.is(r.body):
		case p.agent != from || p.state == unassigned && !p.again || p.state == reported || r.title != "" && r.title != j.title():
		case hasFailed(r.body):
			p.lose(whyFailed.in(j.lang, clip(r.body, 300)))
			return true
		default:
			p.state, p.report = reported, r.body
			return true
		}
	}
	return false
}

// giveUp loses what is open at an agent.
func (j *job) giveUp(agent, why string) {
	for _, p := range j.in(open) {
		if p.agent == agent {
			p.lose(why)
		}
	}
}

// reopen has a part assigned again.
func (p *part) reopen() { p.state, p.again = unassigned, true }

// look gives up the open parts whose agents are stopped. If nobody works any more, it has
// the others assigned once more, and then gives them up too: the runtime tells nobody of
// a stop.
func (j *job) look(agents []row) {
	busy := slices.ContainsFunc(agents, func(r row) bool { return r.ID != rootID && r.works() })
	for _, p := range j.in(open) {
		if slices.ContainsFunc(agents, func(r row) bool { return r.ID == p.agent && r.isStopped() }) {
			p.lose(whyStopped.in(j.lang))
		} else if !busy && p.again {
			p.lose(whyAtRest.in(j.lang))
		} else if !busy {
			p.reopen()
		}
	}
}
