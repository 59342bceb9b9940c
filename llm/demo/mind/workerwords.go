package mind

import (
	"fmt"
	"strings"

	"society-tui/llm"
	"society-tui/llm/demo/prose"
)

// failuresShown is how often a call fails for an agent that is to show an
// error: less often than anybody tries again.
const failuresShown = 2

// work answers as an agent other than root.
func work(me self, history []entry, tools toolset) Answer {
	w := readWorker(me, history, tools)
	a := w.act()
	if w.fresh && w.error {
		a.Failures = failuresShown
	}
	return a
}

func (w *worker) act() Answer {
	switch w.next() {
	case workCompress:
		return Answer{Calls: []llm.Call{call(compressContext, map[string]any{
			"summary": w.say("worker_summary", w.me.role, w.doneWork()), "keepRecentCount": 10,
		})}}
	case workLook:
		return Answer{Reasoning: w.thoughts(), Calls: []llm.Call{call(w.looksAt(), struct{}{})}}
	case workAsk:
		return Answer{Text: w.heardNews(""), Calls: w.askPartners()}
	case workTell:
		return Answer{Text: w.heardNews(""), Calls: w.tell()}
	case workWait:
		return Answer{Text: w.heardNews(w.say("wait_for_partner", w.partners()))}
	case workReport:
		return w.report()
	}
	return Answer{Text: w.heardNews(w.say("noted"))}
}

func (w *worker) say(phrase string, blanks ...any) string { return w.me.lang.say(phrase, blanks...) }

func (w *worker) thoughts() string {
	t := w.tasks[len(w.tasks)-1]
	sentenceCount, wordCount := prose.Size(t.text)
	return w.say("think_work", w.me.lang.skillList(t.skills), sentenceCount, wordCount)
}

func (w *worker) doneWork() string {
	if w.done == nil {
		return "–"
	}
	return w.me.lang.skillList(w.done.skills)
}

// heardNews is body after what is to be said to the person about additions.
func (w *worker) heardNews(body string) string {
	var paragraphs []string
	for _, n := range w.news {
		paragraphs = append(paragraphs, acknowledge(w.me.lang, n, true))
	}
	if body != "" {
		paragraphs = append(paragraphs, body)
	}
	return strings.Join(paragraphs, "\n\n")
}

// partners are those whom the agent waits for.
func (w *worker) partners() string {
	var ids []string
	for _, t := range w.tasks {
		if t.waits() {
			ids = append(ids, t.partner)
		}
	}
	return w.me.lang.list(ids)
}

// askPartners asks for the findings that open tasks build on.
func (w *worker) askPartners() []llm.Call {
	var calls []llm.Call
	for _, t := range w.tasks {
		if !t.mustAsk() {
			continue
		}
		phrase := "ask_to_merge"
		if t.checks {
			phrase = "ask_to_check"
		}
		calls = append(calls, call(sendMessage, map[string]any{
			"to": t.partner, "message_type": "collaboration_request",
			"payload": map[string]any{"text": w.say(phrase)},
		}))
	}
	return calls
}

// tell sends colleagues what they asked for, each in a message of its own: the
// text at the end of the turn is for the one who gave the task.
func (w *worker) tell() []llm.Call {
	var calls []llm.Call
	for _, q := range w.asks {
		if q.from == userID || q.answered {
			continue
		}
		calls = append(calls, call(sendMessage, map[string]any{
			"to": q.from, "message_type": "collaboration_response",
			"payload": map[string]any{"text": w.answerTo(q)},
		}))
	}
	return calls
}

// report answers all who asked.
func (w *worker) report() Answer {
	var blocks []string
	for _, q := range w.asks {
		if !q.answered {
			blocks = append(blocks, w.answerTo(q))
		}
	}
	var thought string
	for _, t := range w.tasks {
		blocks = append(blocks, writeSections(t.lang, t.sections()))
		sentenceCount, wordCount := prose.Size(t.text)
		thought = w.say("think_report", sentenceCount, wordCount, w.me.lang.skillList(t.skills))
	}
	return Answer{Reasoning: thought, Text: w.heardNews(strings.Join(blocks, "\n\n"))}
}

// sections does the work of a task.
func (t *task) sections() []section {
	var sections []section
	if !t.checks || t.partner == "" {
		sections = t.find(t.skills)
	}
	if t.partner != "" && t.checks {
		sections = append(sections, section{t.job, check, compareNotes(t.text, onlySkills(t.theirs))})
	} else if t.partner != "" {
		sections = append(sections, section{t.job, advice, advise(t.theirs)})
	}
	return append(sections, t.find(t.more)...)
}

// onlySkills leaves out what a colleague said about somebody else's work.
func onlySkills(sections []section) []section {
	var found []section
	for _, s := range sections {
		if s.skill != advice && s.skill != check {
			found = append(found, s)
		}
	}
	return found
}

func (t *task) find(skills []prose.Skill) []section {
	var found []section
	for _, s := range skills {
		found = append(found, section{t.job, s, prose.Find(s, t.text)})
	}
	return found
}

// answerTo answers a question: with what it names, else with what the agent
// found in its last task, else by saying who it is.
func (w *worker) answerTo(q question) string {
	lang := q.wish.lang
	if lang == "" {
		lang = w.me.lang
	}
	last := w.done
	if n := len(w.tasks); n > 0 {
		last = w.tasks[n-1]
	}
	fromPeer := q.from != userID
	text, skills := q.wish.material, q.wish.skills
	if fromPeer && len(skills) == 0 {
		text = "" // a colleague's words about the work are no text to work on
	}
	if text == "" && last != nil {
		text = last.text
	}
	if text == "" && w.me.brief != nil {
		text = w.me.brief.Inputs
	}
	if len(skills) == 0 {
		skills = w.usual()
		if last != nil {
			skills = last.skills
		}
	}
	if text == "" || !fromPeer && q.wish.wantsNothing() {
		return w.introduce(lang, skills)
	}
	t := &task{text: text}
	if fromPeer && last != nil {
		t.job = last.job
	}
	return writeSections(lang, t.find(skills))
}

// introduce says who the agent is and what it can do.
func (w *worker) introduce(lang Language, skills []prose.Skill) string {
	text := lang.say("worker_intro", fmt.Sprintf("%s (%s)", w.me.id, w.me.role), lang.skillList(skills))
	if w.done != nil {
		text += lang.say("space") + lang.say("worker_last", clip(w.done.text, 80))
	}
	return text
}
