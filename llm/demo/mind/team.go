package mind

import (
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"society-tui/llm"
	"society-tui/llm/demo/prose"
)

// A purpose is what an agent is for that leads a team of its own, as its brief
// says: those of the templates that come with the program, and any like them.
type purpose string

const (
	planning purpose = "plan"
	research purpose = "research"
	debating purpose = "debate"
	writing  purpose = "write"
	weighted purpose = "weigh"
)

// A team is what heads of a purpose are known by, what a person says who wants
// them, and who helps them.
type team struct {
	purpose purpose
	brief   *regexp.Regexp // the first clause of the head's brief
	wanted  *regexp.Regexp // the beginning of a request
	mates   *regexp.Regexp // role and description of those who do the work
	second  *regexp.Regexp // of the one who checks it; nil for nobody
	// sides are what the mates are given to look for, one after the other.
	sides [][]prose.Skill
}

var teams = []team{
	{
		planning, regexp.MustCompile(`(?i)^(?:make|write|draft|draw up)\b.*\bplans?\b|^制定.*计划`),
		regexp.MustCompile(`(?i)^\W*(?:please )?(?:plan\b|(?:make|draft|write|draw up) (?:me )?(?:a|the) plan\b)|^请?(?:帮我)?(?:规划|计划|制定)`),
		regexp.MustCompile(`(?i)critic|批评`), nil,
		[][]prose.Skill{{prose.Questions, prose.Risks}},
	},
	{
		research, regexp.MustCompile(`(?i)^answer\b.*\bresearch\b|^回答.*研究`),
		regexp.MustCompile(`(?i)^\W*(?:please )?(?:research|find out|investigate)\b|^请?(?:帮我)?(?:研究|调查)`),
		regexp.MustCompile(`(?i)finder|research|研究`), regexp.MustCompile(`(?i)check|核查`),
		[][]prose.Skill{{prose.Summary, prose.Facts}, {prose.Questions, prose.Risks}},
	},
	{
		debating, regexp.MustCompile(`(?i)\bto a decision\b|对.*作出决定`),
		regexp.MustCompile(`(?i)^\W*(?:please )?(?:debate|decide|discuss|should)\b|^请?(?:帮我)?(?:辩论|决定|讨论)|是否`),
		regexp.MustCompile(`(?i)advocate|argue|辩`), nil,
		[][]prose.Skill{{prose.Summary, prose.Facts}, {prose.Questions, prose.Risks}},
	},
	// These work alone, in the steps of a graph.
	{
		writing, regexp.MustCompile(`(?i)^write and review\b|^撰写并审阅`),
		regexp.MustCompile(`(?i)^\W*(?:please )?(?:write|draft)\b|^请?(?:帮我)?(?:撰写|写)`), nobody, nil, nil,
	},
	{
		weighted, regexp.MustCompile(`(?i)^look at .*\bfrom three sides\b|^从三个方面`),
		regexp.MustCompile(`(?i)^\W*(?:please )?(?:weigh|assess|look at)\b|^请?(?:帮我)?(?:权衡|评估)`), nobody, nil, nil,
	},
}

var nobody = regexp.MustCompile(`$^`)

var firstClause = regexp.MustCompile(`^[^:：;；.。\n]*`)

// teamOf returns the team whose head a brief's objective describes, or nil.
func teamOf(objective string) *team {
	for i := range teams {
		if teams[i].brief.MatchString(firstClause.FindString(objective)) {
			return &teams[i]
		}
	}
	return nil
}

// headFor returns the head of a team that is here for what the person wants: the
// one it asks for, or for a wish that names nothing the model can do, any.
func (l *leader) headFor(w wish) *member {
	if m := l.asksTeam(w); m != nil {
		return m
	}
	var either *member
	for _, c := range l.me.contacts {
		t, m := teamOf(c.about), l.member(c.id)
		switch {
		case t == nil || m == nil || m.gone || !l.tools[sendMessage] || size(leadIn.ReplaceAllString(w.said, "")) < leastRequest:
		case either == nil && len(w.skills) == 0 && !w.ask && !w.trouble && !w.finish && !w.greeting && !w.thanks && !w.who && !w.dismiss:
			either = m
		}
	}
	return either
}

// asksTeam returns the head of the team that the person asks for: by its name, or with
// the words for what it does.
func (l *leader) asksTeam(w wish) *member {
	for _, c := range l.me.contacts {
		t, m := teamOf(c.about), l.member(c.id)
		if t == nil || m == nil || m.gone || !l.tools[sendMessage] || size(w.said) < leastRequest {
			continue
		}
		if t.wanted.MatchString(leadIn.ReplaceAllString(w.said, "")) || slices.Contains(agentID.FindAllString(w.said, -1), c.id) {
			return m
		}
	}
	return nil
}

// leadIn is what may stand before a request: that it follows another, or is asked for
// kindly.
var leadIn = regexp.MustCompile(`(?i)^\W*(?:(?:and|now|then|next|also|after that|please|take your time)\W+)+|^(?:[^\p{Han}]*(?:然后|现在|接着|另外|再|请|慢慢来))+[^\p{Han}]*`)

// leastRequest is how many words a request to a team has.
const leastRequest = 3

// delegate gives the whole request to the head of a team.
func (l *leader) delegate() llm.Call {
	b := &brief{
		Objective: l.say("team_objective"), Constraints: []string{}, Inputs: l.job.material,
		Outputs: l.say("team_outputs"), CompletionCriteria: l.say("team_done"),
	}
	return assignment(l.job.head.id, b)
}

func assignment(to string, b *brief) llm.Call {
	return call(sendMessage, map[string]any{
		"to": to, "message_type": "task_assignment", "payload": map[string]any{"text": b.Objective, "taskBrief": b},
	})
}

// passOn answers the person with what a team has come to.
func (l *leader) passOn() string {
	j := l.job
	return l.with(l.say("result_title", l.called(j.head.id)) + "\n\n" + j.report)
}

// An errand is how far the head of a team is with a request, worked out from its
// history.
type errand struct {
	me     self
	tools  toolset
	team   *team
	mates  []contact
	second *contact
	text   string            // of the request; empty if none is open
	asked  map[string]bool   // who was given something
	said   map[string]string // what they answered
	began  int               // where in the history it began
}

// readErrand goes over the history of an agent. ok is false for one that heads no
// team, and for a task in which it is no head.
func readErrand(me self, history []entry, tools toolset) (e *errand, ok bool) {
	if me.brief == nil || me.brief.number() > 0 || !tools[sendMessage] {
		return nil, false
	}
	e = &errand{me: me, tools: tools, team: teamOf(me.brief.Objective)}
	if e.team == nil {
		return nil, false
	}
	for _, c := range me.contacts {
		about := c.role + " " + c.about
		switch {
		case c.id == rootID || c.id == userID:
		case e.team.second != nil && e.team.second.MatchString(about):
			e.second = &c
		case e.team.mates.MatchString(about) && len(e.mates) < len(e.team.sides):
			e.mates = append(e.mates, c)
		}
	}
	slices.SortStableFunc(e.mates, func(a, b contact) int { // who argues against it comes last
		return strings.Compare(against.FindString(a.about), against.FindString(b.about))
	})
	own := true
	for i, h := range history {
		switch {
		case h.heard != nil && h.heard.from != "":
			if e.helps(h.heard.from) {
				if e.asked[h.heard.from] {
					e.said[h.heard.from] = h.heard.body
				}
				continue
			}
			own = e.begin(h.heard)
			e.began = i
		case h.result != nil:
			e.take(h.result)
		case h.spoke != nil && len(h.spoke.Calls) == 0 && e.text != "" && e.over():
			e.text = ""
		}
	}
	return e, own && len(e.mates) > 0
}

// against is in what is said of the second of two sides.
var against = regexp.MustCompile(`(?i)\bagainst\b|反对`)

// helps says whether somebody works for the head.
func (e *errand) helps(id string) bool {
	return e.second != nil && e.second.id == id || slices.ContainsFunc(e.mates, func(c contact) bool { return c.id == id })
}

// begin takes a request. It says whether it is one for the team: what root shares
// out itself is not.
func (e *errand) begin(h *heard) bool {
	e.asked, e.said = make(map[string]bool), make(map[string]string)
	e.text = h.body
	if b := h.assigned(); b != nil {
		e.text = orElse(b.Inputs, b.Objective)
		return b.number() == 0
	}
	return true
}

// take notes to whom something was sent. Of one who could not be told no answer
// is waited for.
func (e *errand) take(r *result) {
	if r.call.Name != sendMessage || e.asked == nil {
		return
	}
	args := decode[struct {
		To json.RawMessage `json:"to"`
	}](r.call.Arguments)
	var to string
	if json.Unmarshal(args.To, &to) != nil {
		return
	}
	e.asked[to] = true
	if r.value.Error != "" {
		e.said[to] = ""
	}
}

// open are those who were asked and have not answered.
func (e *errand) open() []string {
	var ids []string
	for id := range e.asked {
		if _, answered := e.said[id]; !answered && e.me.knows(id) {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

// next are the calls that bring the request on; none while somebody is at work,
// and when all is in.
func (e *errand) next() []llm.Call {
	var calls []llm.Call
	for i, m := range e.mates {
		if !e.asked[m.id] {
			calls = append(calls, assignment(m.id, e.briefOf(e.team.sides[i])))
		}
	}
	if len(calls) > 0 || len(e.open()) > 0 || e.second == nil || e.asked[e.second.id] {
		return calls
	}
	b := e.briefOf(e.team.sides[0])
	b.Objective = e.me.lang.say("check_objective", b.Objective)
	b.Collaborators = []collaborator{{AgentID: e.mates[0].id, Role: e.mates[0].role, Description: e.me.lang.objective(e.team.sides[0])}}
	return []llm.Call{assignment(e.second.id, b)}
}

func (e *errand) briefOf(skills []prose.Skill) *brief {
	lang := e.me.lang
	return &brief{
		Objective: lang.objective(skills), Constraints: []string{lang.say("only_the_text")}, Inputs: e.text,
		Outputs: lang.say("outputs"), CompletionCriteria: lang.say("completion"),
	}
}

// over says whether all have answered who could.
func (e *errand) over() bool { return len(e.next()) == 0 && len(e.open()) == 0 }

func (e *errand) act() Answer {
	lang := e.me.lang
	calls := e.next()
	switch {
	case e.text == "":
		return Answer{Text: lang.say("noted")}
	case len(calls) > 0:
		return Answer{Reasoning: lang.say("think_team_"+string(e.team.purpose), len(calls)), Calls: calls}
	case len(e.open()) > 0:
		return Answer{Text: lang.say("team_wait", lang.list(e.open()))}
	}
	var body []string
	switch e.team.purpose {
	case planning:
		body = e.plan()
	case research:
		body = e.reportFindings()
	case debating:
		body = e.decide()
	}
	return Answer{Text: strings.Join(append(body, lang.say("team_rule")), "\n\n")}
}

// of are the findings that a member of the team has reported.
func (e *errand) of(c contact) []section { return readSections(e.said[c.id]) }

// block is what a member has found, under a heading.
func (e *errand) block(heading string, c contact) string {
	found := resultOf(e.me.lang, full, e.of(c))
	if found == "" {
		found = e.me.lang.say("team_silent", c.id)
	}
	return "## " + e.me.lang.say(heading, c.id) + "\n\n" + found
}

// plan makes a plan: first what the critic says is to be settled, then each of the
// request's own sentences as a step.
func (e *errand) plan() []string {
	lang := e.me.lang
	var steps []string
	step := func(text string) { steps = append(steps, strconv.Itoa(len(steps)+1)+". "+text) }
	for _, f := range advise(onlySkills(e.of(e.mates[0]))) {
		if f.Kind != leaveIt && f.Kind != noColleague {
			step(lang.say("plan_settle", lang.finding(f)))
		}
	}
	for _, s := range prose.Sentences(e.text[:min(len(e.text), longestPlanned)]) {
		step(clip(e.text[s.From:s.To], 300))
	}
	step(lang.say("plan_last"))
	return []string{
		lang.say("plan_goal", clip(e.text, 200)),
		"## " + lang.say("plan_steps") + "\n\n" + strings.Join(steps, "\n"),
		e.block("plan_objections", e.mates[0]),
	}
}

// longestPlanned is how much of a request becomes steps.
const longestPlanned = 8 << 10

func (e *errand) reportFindings() []string {
	var body []string
	for _, m := range e.mates {
		body = append(body, e.block("found_by", m))
	}
	if e.second != nil {
		body = append(body, e.block("checked_by", *e.second))
	}
	return append([]string{e.me.lang.say("report_on", clip(e.text, 200))}, body...)
}

// decide counts what the two sides have found.
func (e *errand) decide() []string {
	lang := e.me.lang
	count := make([]int, 2)
	body := []string{""}
	for i, m := range e.mates {
		for _, s := range e.of(m) {
			count[i] += len(s.findings)
		}
		body = append(body, e.block([]string{"side_for", "side_against"}[i], m))
	}
	decision := "decide_against"
	if count[0] > count[1] {
		decision = "decide_for"
	}
	body[0] = lang.say(decision, clip(e.text, 200), count[0], count[1])
	return body
}
