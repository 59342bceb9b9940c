package mind

import (
	"slices"
	"strings"

	"society-tui/llm"
)

// A step is what root does next.
type step int

const (
	stepNote     step = iota // nothing is going on; say so
	stepCompress             // make room in its context
	stepAside                // carry out an order about the society
	stepReply                // answer without any work
	stepAsk                  // ask the person
	stepHear                 // wait for the person
	stepLook                 // look which roles there are
	stepRoles                // make the roles that lack
	stepAssign               // give parts to agents
	stepNudge                // tell an agent not to wait for its partner
	stepWait                 // wait for reports
	stepFinish               // answer with the result
	stepDelegate             // give all of it to the head of a team
	stepPassOn               // answer with what the team has come to
)

// next says what to do in the state that the history led to.
func (l *leader) next() step {
	j := l.job
	switch {
	case l.me.warned && !l.warned && l.tools[compressContext] && l.aside == nil && j != nil && !j.started:
		return stepCompress
	case l.aside != nil && len(l.aside.done) == 0 && len(l.asideCalls()) > 0:
		return stepAside
	case j == nil:
		return stepNote
	case j.reply != "":
		return stepReply
	case j.head != nil && !j.sent:
		return stepDelegate
	case j.head != nil && j.report == "":
		return stepWait
	case j.head != nil:
		return stepPassOn
	case j.asked == toAsk && l.tools[sendMessage]:
		return stepAsk
	case j.asked == asking:
		return stepHear
	}
	if len(j.parts) == 0 && !j.same { // asked for nothing that can be asked here
		l.answer(wish{})
		l.news = nil
	}
	if s, ok := l.nextAssignment(); ok {
		return s
	}
	switch {
	case len(l.stuck()) > 0 && l.tools[sendMessage]:
		return stepNudge
	case !j.finish && slices.ContainsFunc(j.parts, func(p *part) bool { return !p.over() }):
		return stepWait
	}
	return stepFinish
}

// nextAssignment says what is to be done to get parts to agents. What cannot be
// had is given up here.
func (l *leader) nextAssignment() (step, bool) {
	j := l.job
	canSpawn := l.tools[spawnAgent] && l.tools[createRole]
	lacking := false
	for _, p := range j.parts {
		if p.state != unassigned {
			continue
		}
		if l.free(p) == nil && !canSpawn {
			p.state, p.code = refused, "no_tool"
			continue
		}
		lacking = lacking || l.free(p) == nil && l.roleID(p) == ""
	}
	switch {
	case lacking && !l.listed && l.tools[listRoles]:
		return stepLook, true
	case lacking:
		return stepRoles, true
	case slices.ContainsFunc(j.parts, (*part).ready):
		return stepAssign, true
	}
	return stepNote, false
}

// free returns the agent that has the role for a part already, or nil: one of
// that name before one that does the same work under another.
func (l *leader) free(p *part) *member {
	if !l.tools[sendMessage] {
		return nil
	}
	for _, role := range append([]string{l.roleOf(p)}, alike[p.post]...) {
		for _, m := range l.crew {
			if !m.gone && strings.EqualFold(m.role, role) {
				return m
			}
		}
	}
	return nil
}

// doer names the role of who does a part: that of an agent who is here already,
// or the one that is made for it.
func (l *leader) doer(p *part) string {
	if m := l.free(p); m != nil {
		return m.role
	}
	return l.roleOf(p)
}

// spare are the names of those who are here before root's first job and have no part in it.
func (l *leader) spare() []string {
	var names []string
	for _, m := range l.crew {
		busy := slices.ContainsFunc(l.job.parts, func(p *part) bool { return l.free(p) == m || p.agent == m.id })
		if l.jobs == 1 && !m.gone && !busy {
			names = append(names, l.called(m.id))
		}
	}
	return names
}

// stuck returns the parts whose agents wait for a partner that will not say
// what they wait for.
func (l *leader) stuck() []*part {
	var found []*part
	for _, p := range l.job.parts {
		if p.state == open && !p.nudged && p.partner != nil &&
			(p.partner.state == answered || p.partner.state == gone) {
			found = append(found, p)
		}
	}
	return found
}

// lead answers as root.
func lead(me self, history []entry, tools toolset) Answer {
	l := readLeader(me, history, tools)
	switch l.next() {
	case stepCompress:
		return Answer{Calls: []llm.Call{call(compressContext, map[string]any{
			"summary": l.summary(), "keepRecentCount": 10,
		})}}
	case stepAside:
		return Answer{Text: l.opening(), Calls: l.asideCalls()}
	case stepReply:
		return l.replyDirectly()
	case stepAsk:
		return l.askPerson()
	case stepHear:
		return Answer{Text: l.with(l.say("waiting_for_you"))}
	case stepLook:
		return Answer{Reasoning: l.thoughts(), Text: l.opening(), Calls: []llm.Call{call(listRoles, struct{}{})}}
	case stepRoles:
		return Answer{Reasoning: l.thoughts(), Text: l.opening(), Calls: l.makeRoles()}
	case stepAssign:
		return Answer{Reasoning: l.thoughts(), Text: l.opening(), Calls: l.assign()}
	case stepNudge:
		return Answer{Text: l.with(""), Calls: l.nudge()}
	case stepWait:
		return Answer{Text: l.with(l.progress())}
	case stepFinish:
		return l.finish()
	case stepDelegate:
		return Answer{Text: l.opening(), Calls: []llm.Call{l.delegate()}}
	case stepPassOn:
		return Answer{Text: l.passOn()}
	}
	return Answer{Text: l.with("")}
}
