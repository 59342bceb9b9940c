package mind

import (
	"slices"
	"strings"

	"society-tui/llm"
	"society-tui/llm/demo/prose"
)

func (l *leader) say(phrase string, blanks ...any) string { return l.me.lang.say(phrase, blanks...) }

func (l *leader) roleID(p *part) string { return l.roles[strings.ToLower(l.roleOf(p))] }

// makeRoles makes the roles that lack for parts without an agent.
func (l *leader) makeRoles() []llm.Call {
	var calls []llm.Call
	var made []post
	for _, p := range l.job.parts {
		if p.state != unassigned || l.free(p) != nil || l.roleID(p) != "" || slices.Contains(made, p.post) {
			continue
		}
		made = append(made, p.post)
		calls = append(calls, call(createRole, map[string]any{
			"name":       l.roleOf(p),
			"rolePrompt": l.say(postPrompt(p.post)),
			"interfaceSpec": map[string]any{
				"services":      l.say("serves_" + string(p.post)),
				"input_format":  l.say("input_format"),
				"output_format": l.say("output_format"),
			},
		}))
	}
	return calls
}

// assign gives all parts that are ready to agents: to one that has the role
// already, or to a new one.
func (l *leader) assign() []llm.Call {
	var calls []llm.Call
	for _, p := range l.job.parts {
		if !p.ready() {
			continue
		}
		b := l.briefFor(p)
		if m := l.free(p); m != nil {
			calls = append(calls, call(sendMessage, map[string]any{
				"to": m.id, "message_type": "task_assignment",
				"payload": map[string]any{"text": l.say("next_task", b.Objective), "taskBrief": b},
			}))
			continue
		}
		calls = append(calls, call(spawnAgent, map[string]any{"roleId": l.roleID(p), "taskBrief": b}))
	}
	return calls
}

// briefFor writes the brief of a part. It holds all that the agent needs: the
// text itself, what to do, and who helps.
func (l *leader) briefFor(p *part) *brief {
	lang := l.me.lang
	b := &brief{
		Objective:          l.objectiveOf(p),
		Constraints:        []string{lang.say("only_the_text"), lang.say("answer_in_" + string(l.job.lang))},
		Inputs:             l.job.material,
		Outputs:            lang.say("outputs"),
		CompletionCriteria: lang.say("completion"),
		References:         []string{lang.say("reference", l.job.number)},
	}
	if p.trouble {
		b.Constraints = append(b.Constraints, lang.say("error_first"))
	}
	if p.partner != nil && p.partner.agent != "" && p.partner.state != gone {
		how := "merge_first"
		if p.checks {
			how = "check_first"
		}
		b.Constraints = append(b.Constraints, lang.say(how, p.partner.agent))
		b.Collaborators = []collaborator{{
			AgentID: p.partner.agent, Role: l.doer(p.partner), Description: lang.objective(p.partner.skills),
		}}
	}
	return b
}

// objectiveOf is the objective of a part; no other part of the job has it.
func (l *leader) objectiveOf(p *part) string {
	if p.checks {
		return l.say("check_objective", l.me.lang.objective(p.skills))
	}
	return l.me.lang.objective(p.skills)
}

// objective says what is to be done, so that readWish finds the same skills.
func (l Language) objective(skills []prose.Skill) string {
	var does []string
	for _, s := range skills {
		does = append(does, l.say(skillDoes(s)))
	}
	return strings.Join(does, l.say("space"))
}

// nudge tells agents to go on without a partner that will not help them.
func (l *leader) nudge() []llm.Call {
	var calls []llm.Call
	for _, p := range l.stuck() {
		calls = append(calls, call(sendMessage, map[string]any{
			"to": p.agent, "payload": l.say("go_on_without", p.partner.agent),
		}))
	}
	return calls
}

// askPerson asks a question that can be answered with one key.
func (l *leader) askPerson() Answer {
	question, replies := l.say("ask_length"), []string{l.say("reply_short"), l.say("reply_full")}
	if l.job.material == "" {
		question, replies = l.say("ask_what"), exampleTitles(l.me.lang)
	}
	return Answer{Text: l.opening(), Calls: []llm.Call{call(sendMessage, map[string]any{
		"to": userID, "message_type": "collaboration_request",
		"payload": map[string]any{"text": question}, "quickReplies": replies,
	})}}
}

// asideCalls are the calls that carry out an order about the society.
func (l *leader) asideCalls() []llm.Call {
	w := l.aside.wish
	var calls []llm.Call
	if w.dismiss && l.tools[terminateAgent] {
		for _, id := range l.targets(w.said) {
			calls = append(calls, call(terminateAgent, map[string]any{"agentId": id, "reason": l.say("dismiss_reason")}))
		}
		return calls
	}
	if w.who && l.tools[getOrg] {
		calls = append(calls, call(getOrg, struct{}{}))
	}
	return calls
}

// targets are the agents that an order to end somebody means: by id, by name, by
// role, or all.
func (l *leader) targets(said string) []string {
	said = strings.ToLower(said)
	var found []string
	for _, id := range agentID.FindAllString(said, 20) {
		if !slices.Contains(found, id) {
			found = append(found, id)
		}
	}
	for _, m := range l.crew {
		name := l.called(m.id)
		_, after, named := strings.Cut(said, strings.ToLower(name))
		if named && name != m.id && !m.gone && strings.IndexAny(after, "0123456789") != 0 {
			found = append(found, m.id)
		}
	}
	if len(found) > 0 {
		return found
	}
	for _, m := range l.crew {
		if !m.gone && (everybody.MatchString(said) || m.role != "" && strings.Contains(said, strings.ToLower(m.role))) {
			found = append(found, m.id)
		}
	}
	return found
}
