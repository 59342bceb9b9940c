package mind

import (
	"maps"
	"slices"
	"strings"

	"society-tui/llm"
	"society-tui/llm/demo/prose"
)

// A leader is how far root has come, worked out from its history.
type leader struct {
	me     self
	tools  toolset
	spoke  bool              // it has said something before
	roles  map[string]string // ids of roles by name, lower case
	listed bool              // the roles were looked up in this job
	crew   []*member
	job    *job
	last   *job // the one before
	jobs   int  // the highest number so far
	aside  *aside
	news   []wish    // what the person added since root last spoke
	late   []section // of earlier jobs, since root last spoke
	lateBy string
	behind []*heard // what heads of teams have answered to earlier requests, likewise
	owed   []string // results that were cut short, because the person asked for something else
	warned bool     // compress_context was called in this job
}

// A member is an agent that root made.
type member struct {
	id, role string
	gone     bool
}

// A job is one thing that the person wants done.
type job struct {
	number   int
	wish     wish
	material string
	left     int // lines of the text that root was not given
	skills   []prose.Skill
	lang     Language
	detail   detail
	parts    []*part
	found    map[prose.Skill]section
	by       map[prose.Skill]string
	reply    string // the phrase to answer with, where there is nothing to work on
	asked    askState
	trouble  bool // one agent is to show an error
	slow     bool
	finish   bool // the person does not want to wait
	same     bool // only the form of the last result is to change
	started  bool // root has spoken in this job
	added    []prose.Skill
	latest   string // who reported last

	head   *member // of the team that does all of it; nil for none
	sent   bool    // it was given the request
	report string  // what it answered
}

type askState int

const (
	notAsking askState = iota
	toAsk
	asking
	gotAnswer
)

// An aside is an order about the society that is no job.
type aside struct {
	wish wish
	done []*result
}

// readLeader goes over root's history.
func readLeader(me self, history []entry, tools toolset) *leader {
	l := &leader{me: me, tools: tools, roles: make(map[string]string)}
	for _, c := range me.contacts {
		if c.id != userID && c.id != rootID {
			l.crew = append(l.crew, &member{id: c.id, role: c.role})
		}
	}
	for _, e := range history {
		switch {
		case e.heard != nil && e.heard.from == "":
			l.remember(e.heard.body)
		case e.heard != nil && e.heard.from == userID:
			l.hearPerson(e.heard)
		case e.heard != nil:
			l.hearAgent(e.heard)
		case e.result != nil:
			l.take(e.result)
		case e.spoke != nil:
			l.hearSelf(e.spoke)
		}
	}
	l.findGone()
	return l
}

// hearPerson takes what the person said: the beginning of a job, an answer, an
// addition to the job that is going on, or an order.
func (l *leader) hearPerson(h *heard) {
	w := readWish(h.body)
	if w.dismiss || w.who {
		l.aside = &aside{wish: w}
		return
	}
	j := l.job
	switch {
	case j == nil:
		l.begin(w)
	case j.asked == asking:
		j.asked = gotAnswer
		l.answer(w)
	case w.material != "", l.asksTeam(w) != nil:
		if result, due := l.due(); due {
			l.owed = append(l.owed, result)
		}
		l.close()
		l.begin(w)
	default:
		l.add(w)
	}
}

// due is the result of a job that has all it needs: it was cut short, or it would have
// been said by now.
func (l *leader) due() (result string, due bool) {
	j := l.job
	switch {
	case j.reply != "" || j.asked == toAsk || len(j.parts) == 0 && j.head == nil:
		return "", false
	case j.head != nil:
		return l.say("cut_short", l.called(j.head.id)) + "\n\n" + j.report, j.report != ""
	case slices.ContainsFunc(j.parts, func(p *part) bool { return !p.over() }):
		return "", false
	}
	_, body, _ := l.result()
	return j.lang.say("cut_short", j.lang.skillList(j.skills)) + "\n\n" + strings.Join(body, "\n\n"), true
}

// begin starts a job.
func (l *leader) begin(w wish) {
	l.jobs++
	l.listed, l.warned = false, false
	j := &job{number: l.jobs, wish: w, material: w.material, left: w.left, skills: w.skills, detail: w.detail, lang: w.lang, slow: w.slow, trouble: w.trouble}
	l.job = j
	if j.lang == "" {
		j.lang = l.me.lang
	}
	if w.ask {
		j.asked = toAsk
	}
	j.found, j.by = make(map[prose.Skill]section), make(map[prose.Skill]string)
	if j.head = l.headFor(w); j.head != nil {
		j.material, j.asked = w.said, notAsking
		return
	}
	if j.material == "" {
		l.inherit(w)
	}
	if j.reply == "" && j.asked == notAsking && !j.same {
		j.plan()
	}
}

// inherit finds something to work on for a wish without a text.
func (l *leader) inherit(w wish) {
	j, last := l.job, l.last
	formOnly := w.lang != "" || w.detail != "" || w.finish
	switch {
	case len(w.skills) > 0 && last != nil && last.material != "":
		j.material, j.left = last.material, last.left
	case formOnly && last != nil && len(last.found) > 0:
		j.material, j.left, j.skills, j.same = last.material, last.left, last.skills, true
		j.found, j.by = maps.Clone(last.found), maps.Clone(last.by)
		j.parts = slices.DeleteFunc(slices.Clone(last.parts), func(p *part) bool { return !p.over() })
	case w.trouble && last != nil && last.material != "":
		j.material, j.left = last.material, last.left
	case w.trouble:
		j.takeExample(0, l.me.lang)
	case w.ask:
	case w.slow:
		j.reply = "tour"
	case len(w.skills) > 0:
		j.reply = "need_text"
	case w.thanks:
		j.reply = "welcome"
	case w.greeting:
		j.reply = "hello"
	default:
		j.reply = "help"
	}
}

// takeExample makes the job one of the examples.
func (j *job) takeExample(n int, lang Language) {
	w := readWish(Examples(lang)[n])
	j.material, j.skills = w.material, w.skills
}

// plan shares the work out. A wish that names no skill is seen from several
// sides.
func (j *job) plan() {
	if len(j.skills) == 0 {
		j.skills = []prose.Skill{prose.Summary, prose.Facts, prose.Questions, prose.Risks}
	}
	j.parts = share(j.skills)
	j.chooseTrouble()
}

// chooseTrouble makes the next agent that begins the one that shows an error.
func (j *job) chooseTrouble() {
	for _, p := range j.parts {
		if j.trouble && p.state == unassigned {
			p.trouble, j.trouble = true, false
		}
	}
}

// answer takes the person's answer to root's question.
func (l *leader) answer(w wish) {
	j := l.job
	if w.material != "" {
		j.material, j.left, j.skills = w.material, w.left, w.skills
	}
	if j.material == "" {
		n := 0
		for i, title := range exampleTitles(l.me.lang) {
			if strings.EqualFold(strings.TrimSpace(w.said), title) {
				n = i
			}
		}
		j.takeExample(n, l.me.lang)
	}
	if len(j.parts) == 0 {
		j.plan()
	}
	l.add(w)
}

// add takes what the person adds to the job that is going on.
func (l *leader) add(w wish) {
	j := l.job
	l.news = append(l.news, w)
	if w.lang != "" {
		j.lang = w.lang
	}
	if w.detail != "" {
		j.detail = w.detail
	}
	j.slow = j.slow || w.slow
	j.finish = j.finish || w.finish
	j.trouble = j.trouble || w.trouble
	if j.material == "" || j.head != nil {
		return
	}
	var more []prose.Skill
	for _, s := range w.skills {
		if !slices.Contains(j.skills, s) {
			more = append(more, s)
		}
	}
	if len(more) == 0 {
		return
	}
	j.skills = append(slices.Clone(j.skills), more...)
	j.added = append(j.added, more...)
	j.parts = shareMore(slices.Clone(j.parts), more)
	j.same = false
	j.chooseTrouble()
}

// hearAgent takes a report, or whatever else an agent says.
func (l *leader) hearAgent(h *heard) {
	if j := l.job; j != nil && j.head != nil && j.sent && h.from == j.head.id {
		j.report, j.latest = h.body, h.from
		return
	}
	if l.heads(h.from) && strings.TrimSpace(h.body) != "" { // as after a turn that had failed and was let go on
		l.behind = append(l.behind, h)
		return
	}
	sections := readSections(h.body)
	if len(sections) == 0 {
		if p := l.openPart(h.from); p != nil {
			p.state, p.said = answered, h.body
			l.job.latest = h.from
		}
		return
	}
	for _, s := range sections {
		l.jobs = max(l.jobs, s.job)
		if l.job == nil || s.job != l.job.number && s.job != 0 {
			l.late, l.lateBy = append(l.late, s), h.from
			continue
		}
		l.job.found[s.skill], l.job.by[s.skill] = s, h.from
		l.job.latest = h.from
	}
	if l.job == nil {
		return
	}
	for _, p := range l.job.parts {
		if p.agent != h.from || p.over() {
			continue
		}
		all := true
		for _, s := range p.results() {
			_, ok := l.job.found[s]
			all = all && ok
		}
		if all {
			p.state = reported
		}
	}
}

// heads says whether an agent is the head of a team, to whom root gives nothing but
// whole requests.
func (l *leader) heads(id string) bool {
	return slices.ContainsFunc(l.me.contacts, func(c contact) bool { return c.id == id && teamOf(c.about) != nil }) &&
		(l.job == nil || l.openPart(id) == nil)
}

// openPart returns the part that an agent is at, or nil.
func (l *leader) openPart(agent string) *part {
	if l.job == nil {
		return nil
	}
	for _, p := range l.job.parts {
		if p.agent == agent && p.state == open {
			return p
		}
	}
	return nil
}

// hearSelf goes over what root itself said. An answer ended the job, and what
// root had to mention is mentioned.
func (l *leader) hearSelf(m *llm.Message) {
	if l.job != nil && len(m.Calls) == 0 && isAnswer(m.Text) {
		l.close()
	}
	carriesOut := slices.ContainsFunc(m.Calls, func(c llm.Call) bool { return c.Name == terminateAgent || c.Name == getOrg })
	if l.aside != nil && (len(l.aside.done) > 0 || !carriesOut && len(l.asideCalls()) == 0) {
		l.aside = nil
	}
	l.spoke, l.news, l.late, l.behind, l.owed = true, nil, nil, nil, nil
	if l.job != nil {
		l.job.started = true
	}
}

// isAnswer tells an answer to the person from a note. It goes by the words, not
// by what root would say at this place now: the beginning of the history may
// have been compressed away, and with it what led here.
func isAnswer(text string) bool {
	for _, lang := range Languages() {
		title, _, _ := strings.Cut(lang.say("result_title"), "%")
		if strings.HasPrefix(text, title) || strings.Contains(text, "\n"+title) ||
			strings.Contains(text, lang.say("you_can")) || strings.Contains(text, lang.say("tour")) {
			return true
		}
	}
	return false
}

func (l *leader) close() {
	if l.job.material != "" {
		l.last = l.job
	}
	l.job = nil
}

// findGone marks parts whose agents are no more. An agent that was ended is in
// nobody's contacts.
func (l *leader) findGone() {
	if l.job == nil {
		return
	}
	if j := l.job; j.head != nil && j.report == "" && (j.head.gone || len(l.me.contacts) > 1 && !l.me.knows(j.head.id)) {
		j.head = nil // root shares it out itself
		j.plan()
	}
	for _, p := range l.job.parts {
		if p.state != open {
			continue
		}
		m := l.member(p.agent)
		if m != nil && m.gone || len(l.me.contacts) > 1 && !l.me.knows(p.agent) {
			p.state = gone
		}
	}
}

func (l *leader) member(id string) *member {
	for _, m := range l.crew {
		if m.id == id {
			return m
		}
	}
	return nil
}

// called is what the person's screen calls an agent. An id that says nothing of the
// role, because the role's name has no letters for one, gives only its number.
func (l *leader) called(id string) string {
	number, bare := strings.CutPrefix(id, "agent-")
	if m := l.member(id); bare && m != nil && m.role != "" {
		return m.role + "-" + number
	}
	return id
}
