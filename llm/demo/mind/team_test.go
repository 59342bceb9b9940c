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
