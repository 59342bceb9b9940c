package mind

import (
	"slices"

	"society-tui/llm"
	"society-tui/llm/demo/prose"
)

// A worker is how far an agent other than root has come, worked out from its
// history.
type worker struct {
	me    self
	tools toolset
	tasks []*task // open ones
	done  *task   // the last that was reported
	asks  []question
	news  []wish // what the person said about an open task since it last spoke
	fresh bool   // it has not spoken since it was last given something to do
	error bool   // and is to show an error
	tried bool   // compress_context was called for what it has to do
}

// A task is what an agent was given to do.
type task struct {
	from    string
	job     int
	skills  []prose.Skill
	more    []prose.Skill // what the person added
	text    string
	lang    Language
	partner string // whose findings are wanted first; empty for none
	checks  bool
	looked  bool      // it looked at its contacts or context
	asked   bool      // the partner was asked
	heard   bool      // the partner has answered, or is not waited for any more
	theirs  []section // what the partner answered
}

// A question is something another wants to know, not as a task.
type question struct {
	from     string
	wish     wish
	answered bool
}

// readWorker goes over the history of an agent.
func readWorker(me self, history []entry, tools toolset) *worker {
	w := &worker{me: me, tools: tools}
	for _, e := range history {
		switch {
		case e.heard != nil:
			w.hear(e.heard)
		case e.result != nil:
			w.take(e.result)
		case e.spoke != nil:
			w.hearSelf(e.spoke)
		}
	}
	return w
}

// hear takes a message: a task, a partner's answer, a word of the one who gave
// the task, or a question.
func (w *worker) hear(h *heard) {
	b := h.assigned()
	if b == nil && w.done == nil && len(w.tasks) == 0 && w.me.brief != nil && h.from != userID && h.from != "" {
		b = w.me.brief
	}
	switch {
	case b != nil:
		w.begin(h.from, b)
	case h.from == "":
	case h.from == userID:
		w.hearPerson(h)
	default:
		w.hearAgent(h)
	}
}

// begin takes a task.
func (w *worker) begin(from string, b *brief) {
	t := &task{from: from, job: b.number(), text: b.Inputs, lang: w.me.lang}
	objective := readWish(b.Objective)
	t.skills, t.checks = skillsIn(b.Objective), checking.MatchString(b.Objective)
	if t.text == "" {
		t.text = orElse(objective.material, b.Objective)
	}
	if len(t.skills) == 0 {
		t.skills = w.usual()
	}
	for _, c := range b.Constraints {
		if lang := languageIn(c); lang != "" {
			t.lang = lang
		}
		w.error = w.error || showError.MatchString(c)
	}
	if len(b.Collaborators) > 0 && b.Collaborators[0].AgentID != w.me.id {
		t.partner = b.Collaborators[0].AgentID
	}
	w.tasks = append(w.tasks, t)
	w.fresh, w.tried = true, false
}

// usual returns what an agent of this role does if nothing is said.
func (w *worker) usual() []prose.Skill {
	var found []prose.Skill
	for _, s := range prose.Skills() {
		if who := postFor(s); w.me.role == English.say(postName(who)) || w.me.role == Chinese.say(postName(who)) {
			found = append(found, s)
		}
	}
	if len(found) == 0 {
		return []prose.Skill{prose.Summary, prose.Count}
	}
	return found
}

// hearPerson takes what the person says to this agent: something about the
// task it is at, or a request of its own.
func (w *worker) hearPerson(h *heard) {
	wish := readWish(h.body)
	w.error = w.error || wish.trouble
	w.fresh = w.fresh || wish.trouble
	if len(w.tasks) == 0 || wish.material != "" {
		w.asks = append(w.asks, question{from: userID, wish: wish})
		w.fresh, w.tried = true, false
		return
	}
	w.news = append(w.news, wish)
	t := w.tasks[len(w.tasks)-1]
	for _, s := range wish.skills {
		if !slices.Contains(t.skills, s) && !slices.Contains(t.more, s) {
			t.more = append(t.more, s)
		}
	}
	if wish.lang != "" {
		t.lang = wish.lang
	}
	if wish.finish {
		t.heard = true
	}
}

func (w *worker) hearAgent(h *heard) {
	sections := readSections(h.body)
	for _, t := range w.tasks {
		switch {
		case t.heard || h.from != t.partner && h.from != t.from:
			continue
		case h.from == t.partner && t.asked:
			t.theirs, t.heard = sections, true
			return
		case h.from == t.from && t.asked:
			t.heard = true // whoever gave the task says something: no more waiting
			return
		}
	}
	if len(sections) > 0 {
		return // findings that nobody waits for any more
	}
	w.asks = append(w.asks, question{from: h.from, wish: readWish(h.body)})
}

// take takes the result of one of the agent's own calls.
func (w *worker) take(r *result) {
	switch r.call.Name {
	case compressContext:
		w.tried = true
	case listContacts, contextStatus:
		for _, t := range w.tasks {
			t.looked = true
		}
	case sendMessage:
		to := decode[struct{ To string }](r.call.Arguments).To
		for i := range w.asks {
			if w.asks[i].from == to {
				w.asks[i].answered = true
			}
		}
		for _, t := range w.tasks {
			if t.partner == to && !t.asked {
				t.asked = true
				t.heard = r.value.Error != "" // nobody there to answer
			}
		}
	}
}

// hearSelf goes over what the agent said: plain text where it had all it needed
// was the report.
func (w *worker) hearSelf(m *llm.Message) {
	if len(m.Calls) == 0 {
		if w.next() == workReport {
			if n := len(w.tasks); n > 0 {
				w.done = w.tasks[n-1]
			}
			w.tasks, w.asks = nil, nil
		}
		w.news = nil
	}
	w.fresh, w.error = false, false
}

// A workStep is what an agent does next.
type workStep int

const (
	workNote     workStep = iota // nothing is open; say so
	workCompress                 // make room in its context
	workLook                     // look at what it knows
	workAsk                      // ask the partner
	workTell                     // tell colleagues what they asked
	workWait                     // wait for the partner
	workReport                   // answer all who asked
)

func (w *worker) next() workStep {
	for _, t := range w.tasks { // who was asked is a contact, unless it was ended since
		t.heard = t.heard || t.asked && len(w.me.contacts) > 0 && !w.me.knows(t.partner)
	}
	if w.me.warned && w.fresh && !w.tried && w.tools[compressContext] {
		return workCompress
	}
	if len(w.tasks) == 0 {
		if len(w.asks) == 0 {
			return workNote
		}
		return workReport
	}
	if w.tools[sendMessage] {
		if slices.ContainsFunc(w.tasks, func(t *task) bool { return !t.looked }) && w.looksAt() != "" {
			return workLook
		}
		if slices.ContainsFunc(w.tasks, (*task).mustAsk) {
			return workAsk
		}
		if slices.ContainsFunc(w.asks, func(q question) bool { return q.from != userID && !q.answered }) {
			return workTell
		}
		if slices.ContainsFunc(w.tasks, (*task).waits) {
			return workWait
		}
	}
	return workReport
}

func (t *task) mustAsk() bool { return t.partner != "" && !t.asked && !t.heard }
func (t *task) waits() bool   { return t.partner != "" && t.asked && !t.heard }

// looksAt returns the reading tool that fits the agent: whoever works with
// another looks whom it knows, the rest look how much room they have.
func (w *worker) looksAt() string {
	tool := contextStatus
	if slices.ContainsFunc(w.tasks, (*task).mustAsk) {
		tool = listContacts
	}
	if !w.tools[tool] {
		return ""
	}
	return tool
}
