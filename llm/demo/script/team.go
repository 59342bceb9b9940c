package script

import (
	"regexp"
	"slices"
	"strings"
)

// A teamRole is a role of the team that root makes.
type teamRole struct {
	id                   string // also of its part of a job
	name, prompt, serves text
	does                 []work
	asks                 string // the role whose part it asks for first
}

// isCalled reports whether name is the role's name in one of the languages.
func (r teamRole) isCalled(name string) bool {
	return strings.EqualFold(name, r.name.en) || name == r.name.zh
}

func teamRoleOf(id string) teamRole {
	i := slices.IndexFunc(team, func(r teamRole) bool { return r.id == id })
	if i < 0 {
		return teamRole{}
	}
	return team[i]
}

// A part is one agent's share of a job.
type part struct {
	Role   string `json:",omitempty"` // "" for an agent of a template
	Agent  string
	Do     []work `json:",omitempty"` // nil is all of the request
	Asked  bool   `json:",omitempty"` // the agent is only asked for its own part
	Last   bool   `json:",omitempty"` // the agent checks the other parts
	State  state
	Report string `json:",omitempty"`
	Why    string `json:",omitempty"` // the reason, if lost or refused
}

// A state is the progress of a part.
type state string

const (
	unassigned state = ""
	open       state = "open"
	reported   state = "reported"
	lost       state = "lost"    // its agent cannot report any more
	refused    state = "refused" // no agent could be made
)

// A job is a request that an agent works on. Summaries of the history hold the open
// ones.
type job struct {
	Request string // as the user wrote it
	User    bool   // the user wrote it to this agent
	Do      []work `json:",omitempty"` // the agent's own work
	Parts   []*part
	Sent    []string          `json:",omitempty"` // drafts to check, that came with it
	Added   []string          `json:",omitempty"` // remarks of the user during the work
	First   work              `json:",omitempty"` // the section that matters most to the user
	Asking  asking            `json:",omitempty"`
	Roles   map[string]string `json:",omitempty"` // ids by name, lower case
	Listed  bool              `json:",omitempty"` // the roles were checkedOrg up
	Started bool              `json:",omitempty"` // the agent has answered since it began
	Tool    string            `json:",omitempty"` // to use for show
	Used    bool              `json:",omitempty"` // Tool was used
	read    request
}

// An asking is the progress of root's question to the user.
type asking string

const (
	toAsk    asking = "to ask"
	asked    asking = "asked"
	answered asking = "answered"
)

// in returns the parts in a state.
func (j *job) in(s state) []*part {
	return slices.DeleteFunc(slices.Clone(j.Parts), func(p *part) bool { return p.State != s })
}

// part returns the part of a role, or nil.
func (j *job) part(role string) *part {
	for _, p := range j.Parts {
		if p.Role == role && role != "" {
			return p
		}
	}
	return nil
}

// split divides a job into parts: for the agents below or beside the head of a
// template, for such a head alone, or for the roles of the team.
func (a *agent) split(j *job) {
	q := a.request(j)
	head := a.me.head(q)
	switch j.Parts = nil; {
	case a.me.id != rootID:
		j.Parts = a.me.teammates(q)
	case head != "" && a.tools[sendMessage]:
		j.Parts = []*part{{Agent: head}}
	default:
		for _, p := range team {
			j.Parts = append(j.Parts, &part{Role: p.id, Do: q.fitting(p.does)})
		}
		if q.text != "" { // the summary is read first
			j.Parts = append(j.Parts[2:], j.Parts[:2]...)
		}
	}
}

var (
	// leader matches the brief of an agent that takes whole requests, as the heads of
	// templates do.
	leader = regexp.MustCompile(`(?i)\bgive (?:this agent|it) the whole\b|把完整的.{1,12}交给它`)
	// helper matches the brief of an agent that takes requests from its head only.
	helper = regexp.MustCompile(`(?i)\bnot to this agent\b|不要找它`)
)

// leads reports whether the agent has a team: root, an agent with children, or the
// head of a template.
func (me self) leads() bool {
	return me.id == rootID || len(me.teammates(request{})) > 0 && (me.brief != nil && leader.MatchString(me.brief.Objective) ||
		slices.ContainsFunc(me.contacts, func(c contact) bool { return c.source == "child" }))
}

// purposes match both a request and the brief of the agent for it.
var purposes = []*regexp.Regexp{
	regexp.MustCompile(`(?i)\b(?:decision|decide|debate|should|argue)\b|决定|辩论|是否|该不该`),
	regexp.MustCompile(`(?i)\b(?:write|letter|text|note|draft|announcement)\b|写|撰|信`),
	regexp.MustCompile(`(?i)\b(?:research|find out|known|investigate)\b|研究|调查|已知`),
	regexp.MustCompile(`(?i)\b(?:proposal|weigh|sides)\b|提议|权衡|利弊|各方面`),
	regexp.MustCompile(`(?i)\bplans?\b|规划|计划|安排`),
}

// head returns the agent that takes the whole request, out of those that the user
// has set up: the one that it names, else the one for its kind, else the first; ""
// if there is none.
func (me self) head(q request) string {
	best, most := "", -1
	words := strings.ToLower(q.ask)
	for _, c := range me.contacts {
		score := 0
		for _, p := range purposes {
			if p.MatchString(c.about) && p.MatchString(words) {
				score++
			}
		}
		if strings.Contains(words, c.id) || c.role != "" && strings.Contains(words, strings.ToLower(c.role)) {
			score += len(purposes)
		}
		set := leader.MatchString(c.about) || setUp.begins(c.about) && !helper.MatchString(c.about)
		if set && score > most {
			best, most = c.id, score
		}
	}
	return best
}

var (
	checks  = regexp.MustCompile(`(?i)\bcheck|核查|核对`)
	against = regexp.MustCompile(`(?i)\bagainst\b|反对`)
)

// teammates returns a part for each agent below or beside a head. One alone gets the
// open questions; several take turns between the facts and the questions; checkers
// come last.
func (me self) teammates(q request) []*part {
	teammates := slices.DeleteFunc(slices.Clone(me.contacts), func(c contact) bool {
		return c.source != "child" && c.source != "preset" || c.id == rootID
	})
	slices.SortStableFunc(teammates, func(a, b contact) int { // before checkers, who argues against it
		return strings.Compare(checks.FindString(a.role)+against.FindString(a.about), checks.FindString(b.role)+against.FindString(b.about))
	})
	var parts []*part
	for i, c := range teammates {
		p := &part{Agent: c.id, Do: q.fitting([]work{known, risks})}
		switch {
		case checks.MatchString(c.role):
			p.Do, p.Last = []work{check}, true
		case i%2 == 0 && len(teammates) > 1:
			p.Do = []work{summary, facts}
		}
		parts = append(parts, p)
	}
	return parts
}

// dropLost gives up the parts of agents that were stopped or ended, and all open
// parts if no agent is busy. The runtime tells nobody of a stop, so an agent that
// waits looks at the organisation on each turn.
func (a *agent) dropLost(j *job) {
	l := a.request(j).lang
	busy := slices.ContainsFunc(a.rows, func(r row) bool { return r.works() && r.ID != a.me.id && r.ID != rootID })
	for _, p := range j.in(open) {
		i := slices.IndexFunc(a.rows, func(r row) bool { return r.ID == p.Agent })
		switch {
		case a.me.gone(p.Agent):
			p.State, p.Why = lost, whyEnded.in(l)
		case i >= 0 && strings.HasPrefix(a.rows[i].State, "stop"):
			p.State, p.Why = lost, whyStopped.in(l)
		case a.rows != nil && !busy:
			p.State, p.Why = lost, whyAtRest.in(l)
		}
	}
}
