package script

import (
	"regexp"
	"slices"
	"strings"
)

// A post is a role that root makes.
type post struct {
	id                   string // also that of its part of a job
	name, prompt, serves text
	does                 []work
	asks                 string // the post whose part it asks for first
}

// isCalled reports whether a role has the name of the post, in either language.
func (p post) isCalled(role string) bool {
	return strings.EqualFold(role, p.name.en) || role == p.name.zh
}

func postOf(id string) post {
	i := slices.IndexFunc(team, func(p post) bool { return p.id == id })
	if i < 0 {
		return post{}
	}
	return team[i]
}

// A part is another agent's share of a job.
type part struct {
	Post   string `json:",omitempty"` // "" for an agent that is there already
	Agent  string
	Do     []work `json:",omitempty"` // nil is all of the request
	Asked  bool   `json:",omitempty"` // it is only asked for what it has
	Last   bool   `json:",omitempty"` // it checks what the others have sent
	State  state
	Report string `json:",omitempty"`
	Why    string `json:",omitempty"` // it is lost or refused
}

// A state is how far a part is.
type state string

const (
	unassigned state = ""
	open       state = "open"
	reported   state = "reported"
	lost       state = "lost"    // nothing more is to be expected of its agent
	refused    state = "refused" // no agent could be had
)

// A job is a request that an agent works on. Open ones are kept in summaries of the
// history.
type job struct {
	Request string // as the user wrote it
	User    bool   // it is the user's
	Do      []work `json:",omitempty"` // what the agent does itself
	Parts   []*part
	Sent    []string          `json:",omitempty"` // what came with it to be checked
	Added   []string          `json:",omitempty"` // what the user said on the way
	First   work              `json:",omitempty"` // the section that the user wants to read first
	Asking  asking            `json:",omitempty"`
	Roles   map[string]string `json:",omitempty"` // ids by name, lower case
	Listed  bool              `json:",omitempty"` // the roles were looked up
	Started bool              `json:",omitempty"` // it was said who does what
	Tool    string            `json:",omitempty"` // to be used for show
	Used    bool              `json:",omitempty"` // it was used
	read    request
}

// An asking is how far root is with its question to the user.
type asking string

const (
	toAsk    asking = "to ask"
	asked    asking = "asked"
	answered asking = "answered"
)

// in are the parts in a state.
func (j *job) in(s state) []*part {
	return slices.DeleteFunc(slices.Clone(j.Parts), func(p *part) bool { return p.State != s })
}

// part returns the part of a post, or nil.
func (j *job) part(post string) *part {
	for _, p := range j.Parts {
		if p.Post == post && post != "" {
			return p
		}
	}
	return nil
}

// share divides a job between agents: those of a template whose head the agent is,
// the head of a team that is there for such requests, or the posts.
func (a *agent) share(j *job) {
	q := a.request(j)
	head := a.me.head(q)
	switch j.Parts = nil; {
	case a.me.id != rootID:
		j.Parts = a.me.mates(q)
	case head != "" && a.tools[sendMessage]:
		j.Parts = []*part{{Agent: head}}
	default:
		for _, p := range team {
			j.Parts = append(j.Parts, &part{Post: p.id, Do: q.fitting(p.does)})
		}
		if q.text != "" { // the summary is read first
			j.Parts = append(j.Parts[2:], j.Parts[:2]...)
		}
	}
}

var (
	// leader is in what is said of an agent that is to be given whole requests: the
	// heads of the teams in templates.
	leader = regexp.MustCompile(`(?i)\bgive (?:this agent|it) the whole\b|把完整的.{1,12}交给它`)
	// helper is in what is said of one that is to be asked by others.
	helper = regexp.MustCompile(`(?i)\bnot to this agent\b|不要找它`)
)

// leads reports whether an agent has a team: root, one that has made agents, or one
// that was set up to answer whole requests with those beside it.
func (me self) leads() bool {
	return me.id == rootID || len(me.mates(request{})) > 0 && (me.brief != nil && leader.MatchString(me.brief.Objective) ||
		slices.ContainsFunc(me.contacts, func(c contact) bool { return c.source == "child" }))
}

// purposes are the words that a request and the agent for it have in common.
var purposes = []*regexp.Regexp{
	regexp.MustCompile(`(?i)\b(?:decision|decide|debate|should|argue)\b|决定|辩论|是否|该不该`),
	regexp.MustCompile(`(?i)\b(?:write|letter|text|note|draft|announcement)\b|写|撰|信`),
	regexp.MustCompile(`(?i)\b(?:research|find out|known|investigate)\b|研究|调查|已知`),
	regexp.MustCompile(`(?i)\b(?:proposal|weigh|sides)\b|提议|权衡|利弊|各方面`),
	regexp.MustCompile(`(?i)\bplans?\b|规划|计划|安排`),
}

// head returns the agent to whom a request as a whole belongs, out of those whom
// the user has set up: one that it names, one that is there for its kind, or the
// first; "" if there is none.
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

// mates are the parts of those below or beside the head of a team: one alone looks
// for what is open, several take turns with what is given, and who checks comes
// last.
func (me self) mates(q request) []*part {
	mates := slices.DeleteFunc(slices.Clone(me.contacts), func(c contact) bool {
		return c.source != "child" && c.source != "preset" || c.id == rootID
	})
	slices.SortStableFunc(mates, func(a, b contact) int { // and before that who argues against it
		return strings.Compare(checks.FindString(a.role)+against.FindString(a.about), checks.FindString(b.role)+against.FindString(b.about))
	})
	var parts []*part
	for i, c := range mates {
		p := &part{Agent: c.id, Do: q.fitting([]work{known, risks})}
		switch {
		case checks.MatchString(c.role):
			p.Do, p.Last = []work{check}, true
		case i%2 == 0 && len(mates) > 1:
			p.Do = []work{summary, facts}
		}
		parts = append(parts, p)
	}
	return parts
}

// lookRound gives up the parts of whom nothing more is to be expected. Nobody is
// told that an agent was stopped or ended, so who waits looks round when it is
// woken.
func (a *agent) lookRound(j *job) {
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
