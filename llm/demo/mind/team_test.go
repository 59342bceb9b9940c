package mind

import (
	"strings"
	"testing"

	"society-tui/llm"
	"society-tui/llm/demo/prose"
)

// Whoever works in a team, or for root alone, heads none.
func TestAHeadOfATeamIsKnownByItsBrief(t *testing.T) {
	t.Parallel()
	for objective, want := range map[string]purpose{
		"Make plans that can be carried out: give this agent the whole request.":      planning,
		"Draw up a plan for the harbour":                                              planning,
		"制定可以执行的计划：把完整的需求交给它。":                                                        planning,
		"Criticise the plans that the planner sends. Give requests for a plan to it.": "",
		"批评规划者发来的计划。需要计划时请找规划者，不要找它。":                                                 "",
		"Answer questions that need research: give this agent the whole request.":     research,
		"回答需要研究的问题：把完整的需求交给它。":                                                        research,
		"Research the part of a question that the lead assigns":                       "",
		"研究负责人分配的问题的一部分":                                                              "",
		"Check the claims that the lead sends, one by one":                            "",
		"Bring a question to a decision: give this agent the whole question.":         debating,
		"对问题作出决定：把完整的问题交给它。":                                                          debating,
		"Argue the side that the moderator gives it: the first position":              "",
		"为主持人指定的一方辩护：第一种立场，或赞成该说法":                                                    "",
	} {
		got := purpose("")
		if team := teamOf(objective); team != nil {
			got = team.purpose
		}
		if got != want {
			t.Errorf("%q is taken for %q, want %q", objective, got, want)
		}
	}
	for _, lang := range Languages() {
		for _, s := range prose.Skills() {
			if objective := lang.objective([]prose.Skill{s}); teamOf(objective) != nil {
				t.Errorf("%q is taken for a head's", objective)
			}
		}
		if objective := lang.say("team_objective"); len(skillsIn(objective)) > 0 || teamOf(objective) != nil {
			t.Errorf("%q says too much", objective)
		}
	}
}

// A head that is gone holds nobody up: root shares the work out itself.
func TestRootDoesWithoutAHeadThatIsGone(t *testing.T) {
	t.Parallel()
	l := &leader{me: self{lang: English, contacts: []contact{{id: "user"}, {id: "other-1"}}}, tools: toolset{}}
	l.job = &job{material: "The bus is late. It costs 3 euros.", head: &member{id: "planner-1"}, sent: true}
	l.findGone()
	if l.job.head != nil || len(l.job.parts) == 0 {
		t.Errorf("%+v", l.job)
	}
}

// What the head of a team answers after its request was given up, because its turn
// had failed and the person let it go on, is passed on: also beside another request
// that is under way.
func TestRootPassesOnWhatAHeadAnswersLate(t *testing.T) {
	t.Parallel()
	for _, lang := range Languages() {
		head := contact{id: "writer-1", role: "writer", about: "Write and review a text: give this agent the whole request."}
		me := self{lang: lang, contacts: []contact{{id: userID}, head}}
		tools := toolset{sendMessage: true}
		person := entry{heard: &heard{from: userID, body: "write about the harbour and its ferries"}}
		says := func(text string) entry { return entry{heard: &heard{from: head.id, body: text}} }
		history := []entry{person}
		var told string
		step := func() {
			a := lead(me, history, tools)
			history = append(history, entry{spoke: &llm.Message{Role: llm.Assistant, Text: a.Text, Calls: a.Calls}})
			for _, c := range a.Calls {
				history = append(history, entry{result: &result{call: c, text: "{}"}})
			}
			told = a.Text
		}
		step() // it is asked
		step() // it is waited for
		history = append(history, says("My turn has failed."))
		step()
		if !strings.Contains(told, "My turn has failed.") {
			t.Fatalf("%s: root says %q", lang, told)
		}
		history = append(history, says("**The text** on the harbour"))
		step()
		if want := lang.say("late", head.id) + "\n\n**The text** on the harbour"; told != want {
			t.Errorf("%s: root says %q, want %q", lang, told, want)
		}
		history = append(history, says("thank you"), entry{heard: &heard{from: "other-1", body: "and thank you"}})
		step()
		if strings.Contains(told, "The text") || !strings.Contains(told, "thank you") || strings.Contains(told, "and thank") {
			t.Errorf("%s: root says %q", lang, told)
		}
	}
}

// A result of ten words that was cut short, while another request waited, is given before that is
// begun, once; and it is not taken for the answer to the new one.
func TestAResultThatWasCutShortIsGivenBeforeTheNextRequest(t *testing.T) {
	t.Parallel()
	for _, lang := range Languages() {
		l := &leader{me: self{lang: lang, contacts: []contact{{id: userID}}}, tools: toolset{sendMessage: true, spawnAgent: true, createRole: true}}
		l.hearPerson(&heard{from: userID, body: "Count the words of this: the ferry leaves at noon and is back by six."})
		first := l.job
		for _, p := range first.parts {
			p.state = reported
			for _, s := range p.results() {
				first.found[s] = section{job: 1, skill: s, findings: prose.Find(s, first.material)}
			}
		}
		l.hearPerson(&heard{from: userID, body: "Summarise this: The bus is late. It costs 3 euros. Nobody knows why."})
		begins, _, _ := strings.Cut(lang.say("cut_short"), "%")
		text := l.opening()
		if !strings.Contains(text, begins) || !strings.Contains(text, "10") {
			t.Errorf("%s: it begins with %q", lang, text)
		}
		l.hearSelf(&llm.Message{Role: llm.Assistant, Text: text})
		if l.job == nil || l.job == first || strings.Contains(l.opening(), begins) {
			t.Errorf("%s: after it the job is %+v, and it says %q", lang, l.job, l.opening())
		}
	}
}

func TestARequestThatIsToBeTakenSlowlyReachesTheTeam(t *testing.T) {
	t.Parallel()
	head := contact{id: "lead-1", role: "Lead", about: "Answer the question with your research team."}
	for said, reaches := range map[string]bool{
		"Take your time: have the research team find out what heat pumps cost to run in old houses, with sources.": true,
		"Take your time.": false,
	} {
		l := &leader{me: self{lang: English, contacts: []contact{{id: userID}, head}}, tools: toolset{sendMessage: true}, crew: []*member{{id: head.id, role: head.role}}}
		l.hearPerson(&heard{from: userID, body: said})
		if got := l.job != nil && l.job.head != nil; got != reaches {
			t.Errorf("%q reaches it: %v", said, got)
		}
	}
}

// A request that names a team, or is in the words for it, goes there also while another
// is under way, and what comes in the midst of the steps of a turn is worked on too.
func TestASecondRequestReachesTheTeamItIsFor(t *testing.T) {
	t.Parallel()
	head := contact{id: "author-1", role: "Author", about: "Write and review texts: give this agent the whole task."}
	for _, second := range []string{"Now write a short note", "Take your time: please write a short note", "Let author-1 mend the greeting"} {
		l := &leader{me: self{lang: English, contacts: []contact{{id: userID}, head}}, tools: toolset{sendMessage: true}, crew: []*member{{id: head.id, role: head.role}}}
		l.hearPerson(&heard{from: userID, body: "Write a letter to all"})
		l.job.sent = true
		l.hearPerson(&heard{from: userID, body: second})
		if l.job.head == nil || l.job.sent || l.job.material != second {
			t.Errorf("%q leads to %+v", second, l.job)
		}
	}
	says := func(text string) entry { return entry{heard: &heard{from: rootID, body: text}} }
	spoke := func(text string) entry { return entry{spoke: &llm.Message{Text: text}} }
	history := []entry{says("zero"), spoke(English.say("step_final", "zero", 3)), says("one"), spoke(English.say("step_draft", "one")), says("two")}
	if text, began := request(history); text != "one\n\ntwo" || began != 2 {
		t.Errorf("the request is %q, begun at %d", text, began)
	}
}
