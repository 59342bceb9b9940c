package mind

import (
	"regexp"
	"slices"
	"strings"

	"society-tui/llm/demo/prose"
)

// A stage is what a node of an agent's graph is for, as its title says: those of
// the templates that come with the program, and any like them.
type stage string

const (
	drafting  stage = "draft"
	reviewing stage = "review"
	finishing stage = "final"
	viewing   stage = "view"
	weighing  stage = "weigh"
)

// titles are what the nodes of each stage are called, the first that fits counts.
var titles = []struct {
	stage stage
	title *regexp.Regexp
}{
	{reviewing, regexp.MustCompile(`(?i)review|check|审阅|检查`)},
	{finishing, regexp.MustCompile(`(?i)final|finish|定稿`)},
	{weighing, regexp.MustCompile(`(?i)weigh|conclu|sum up|权衡|总结`)},
	{viewing, regexp.MustCompile(`(?i)benefit|risk|cost|view|好处|风险|代价|视角`)},
	{drafting, regexp.MustCompile(`.`)},
}

func stageOf(title string) stage {
	for _, t := range titles {
		if t.title.MatchString(title) {
			return t.stage
		}
	}
	return drafting
}

// takesStep does what the node of the graph that the agent is at is for. It works
// on the last request; what the agent has said since is the work of other nodes.
func takesStep(me self, history []entry) Answer {
	text, began := request(history)
	said := spoken(history[began:])
	if text == "" {
		return Answer{Text: me.lang.say("noted")}
	}
	if yes, why, asked := judged(me, history, text, said); asked {
		return Answer{Text: me.lang.say(map[bool]string{true: "judge_yes", false: "judge_no"}[yes], why)}
	}
	lang := me.lang
	found := func(skills ...prose.Skill) string {
		var sections []section
		for _, s := range skills {
			sections = append(sections, section{skill: s, findings: prose.Find(s, text)})
		}
		return resultOf(lang, full, sections)
	}
	switch stageOf(me.step) {
	case reviewing:
		return Answer{Text: lang.say("step_review", len(prose.Find(prose.Critique, text))) + "\n\n" + found(prose.Critique)}
	case finishing:
		return Answer{Text: strings.Join([]string{lang.say("step_final", clip(text, 200), len(said)), found(prose.Summary, prose.Outline), lang.say("team_rule")}, "\n\n")}
	case viewing:
		return Answer{Text: found(viewOf(me.step)...)}
	case weighing:
		return Answer{Text: strings.Join([]string{lang.say("step_weigh", clip(text, 200)), merged(history[began:]), lang.say("team_rule")}, "\n\n")}
	}
	if len(said) == 0 {
		return Answer{Text: lang.say("step_draft", clip(text, 200)) + "\n\n" + found(prose.Summary)}
	}
	var changes []string
	for _, f := range advise([]section{{skill: prose.Critique, findings: prose.Find(prose.Critique, text)}}) {
		changes = append(changes, "- "+lang.finding(f))
	}
	return Answer{Text: lang.say("step_redraft", clip(text, 200)) + "\n\n" + strings.Join(changes, "\n")}
}

// viewOf is what is looked for from a viewpoint.
func viewOf(title string) []prose.Skill {
	switch {
	case strings.Contains(title, "风险") || strings.Contains(strings.ToLower(title), "risk"):
		return []prose.Skill{prose.Risks}
	case strings.Contains(title, "代价") || strings.Contains(strings.ToLower(title), "cost"):
		return []prose.Skill{prose.Questions}
	}
	return []prose.Skill{prose.Facts}
}

// request is the text that an agent was given by somebody, and where the first of
// it stands in the history: with what it was given before and has not answered yet, for
// what comes in the midst of a turn has one answer with what began it.
func request(history []entry) (text string, began int) {
	var parts []string
	for i := len(history) - 1; i >= 0 && !history[i].ends(); i-- {
		h := history[i].heard
		if h == nil || h.from == "" {
			continue
		}
		began = i
		said := h.body
		if b := h.assigned(); b != nil {
			said = orElse(b.Inputs, b.Objective)
		}
		parts = append(parts, said)
	}
	slices.Reverse(parts)
	return strings.Join(parts, "\n\n"), began
}

// ends says whether an entry is the answer of the last step of a turn, by its words.
func (e entry) ends() bool {
	if e.spoke == nil {
		return false
	}
	for _, lang := range Languages() {
		for _, key := range []string{"step_final", "step_weigh"} {
			if begin, _, _ := strings.Cut(lang.say(key), "%"); strings.HasPrefix(e.spoke.Text, begin) {
				return true
			}
		}
	}
	return false
}

// spoken are the answers without calls.
func spoken(history []entry) []string {
	var all []string
	for _, e := range history {
		if e.spoke != nil && len(e.spoke.Calls) == 0 {
			all = append(all, e.spoke.Text)
		}
	}
	return all
}

// merged is what branches came to, as the runtime told it.
func merged(history []entry) string {
	for i := len(history) - 1; i >= 0; i-- {
		if h := history[i].heard; h != nil && h.from == "" {
			if _, body, ok := strings.Cut(h.body, "\n\n"); ok {
				return strings.TrimSpace(body)
			}
		}
	}
	return ""
}

var judgeAt = regexp.MustCompile(`^(?:Judge this about the conversation above: |请根据以上会话判断：)`)

// judged answers a condition of the graph: a draft is to be mended once if the
// review found anything in it, and everything else does not hold.
func judged(me self, history []entry, text string, said []string) (yes bool, why string, asked bool) {
	h := history[len(history)-1].heard
	if h == nil || h.from != "" || !judgeAt.MatchString(h.body) {
		return false, "", false
	}
	n := len(prose.Find(prose.Critique, text))
	if len(said) > 2 || n == 0 {
		return false, me.lang.say("judge_good", n), true
	}
	return true, me.lang.say("judge_mend", n), true
}
