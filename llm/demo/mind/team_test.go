package mind

import (
	"testing"

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
