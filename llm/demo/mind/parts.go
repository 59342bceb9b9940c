package mind

import (
	"slices"

	"society-tui/llm/demo/prose"
)

// A post is a role that root can give. Its names in each language are in the
// tables of words.
type post string

const (
	editor  post = "editor"
	critic  post = "critic"
	counter post = "counter"
	analyst post = "analyst"
	sceptic post = "sceptic"
	checker post = "checker"
)

// alike are roles under other names that do the work of a post: those of the
// templates that come with the program, in each language.
var alike = map[post][]string{
	editor:  {"Planner", "规划者"},
	critic:  {"Critic", "批评者"},
	analyst: {"Lead", "Moderator", "研究负责人", "主持人"},
	checker: {"Checker", "核查员"},
}

// What agents find out about each other's work, beside the skills.
const (
	advice prose.Skill = "advice" // what to change, made from a colleague's findings
	check  prose.Skill = "check"  // whether a colleague's findings are right
)

// postFor says who does what.
func postFor(s prose.Skill) post {
	switch s {
	case prose.Critique:
		return critic
	case prose.Count:
		return counter
	case prose.Comparison, prose.Facts:
		return analyst
	case prose.Questions, prose.Risks:
		return sceptic
	}
	return editor
}

// A part is one agent's share of a job.
type part struct {
	post    post
	skills  []prose.Skill
	partner *part // whose findings it builds on; nil for none
	checks  bool  // it checks the partner's findings; else it merges them
	trouble bool  // its first calls are to fail, for show

	state  partState
	agent  string
	code   string // why it was refused
	said   string // what came instead of findings
	nudged bool   // it was told not to wait for its partner
}

type partState int

const (
	unassigned partState = iota
	open                 // with an agent
	reported             // findings are in
	answered             // something else came: a failure, or another model's words
	refused              // no agent could be had
	gone                 // its agent was ended
)

// over says whether nothing more is to be expected of a part.
func (p *part) over() bool { return p.state >= reported }

// ready says whether a part can be given to somebody: the one whose findings
// it builds on is known, or will never be.
func (p *part) ready() bool {
	return p.state == unassigned && (p.partner == nil || p.partner.agent != "" || p.partner.over())
}

// results are the sections that the report of a part has.
func (p *part) results() []prose.Skill {
	switch {
	case p.partner == nil:
		return p.skills
	case p.checks:
		return []prose.Skill{check}
	}
	return append(slices.Clone(p.skills), advice)
}

// share divides skills between agents, and sees to it that they have something
// to say to each other: whoever edits builds on what the critic or the sceptic
// finds; where nobody does, a checker goes over the first one's findings.
func share(skills []prose.Skill) []*part {
	var parts []*part
	at := make(map[post]*part)
	for _, s := range skills {
		who := postFor(s)
		if at[who] == nil {
			at[who] = &part{post: who}
			parts = append(parts, at[who])
		}
		at[who].skills = append(at[who].skills, s)
	}
	if e := at[editor]; e != nil {
		for _, who := range []post{critic, sceptic} {
			if e.partner == nil {
				e.partner = at[who]
			}
		}
		if e.partner != nil {
			return parts
		}
	}
	if len(parts) > 0 {
		parts = append(parts, &part{post: checker, skills: parts[0].skills, partner: parts[0], checks: true})
	}
	return parts
}

// shareMore divides skills that are wanted in the middle of a job: to a part
// that has not begun, or else to a new one.
func shareMore(parts []*part, skills []prose.Skill) []*part {
	for _, s := range skills {
		at := slices.IndexFunc(parts, func(p *part) bool {
			return p.state == unassigned && !p.checks && p.post == postFor(s)
		})
		if at < 0 {
			at = len(parts)
			parts = append(parts, &part{post: postFor(s)})
		}
		parts[at].skills = append(slices.Clone(parts[at].skills), s)
	}
	return parts
}
