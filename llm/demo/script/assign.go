package script

import (
	"slices"
	"strings"

	"society-tui/llm"
)

// assign returns the calls that give the parts of a job to agents, which are made if
// there are none. Roles come before the agents that have them, and the planner before the
// reviewer, whose brief names it.
func (a *agent) assign(j *job) []llm.Call {
	var roles, calls []llm.Call
	for _, p := range j.in(unassigned) {
		agent, role := a.agentFor(p), a.roles[p.role]
		switch {
		case agent == "" && !a.listed:
			return []llm.Call{call(listRoles, struct{}{})}
		case agent == "" && role == "":
			roles = append(roles, a.newRole(p.role))
		case p.role == reviewer && j.parts[0].state == unassigned: // comes after the planner
		case agent == "":
			calls = append(calls, call(spawnAgent, map[string]any{"roleId": role, "taskBrief": a.briefFor(j, p)}))
		default:
			b := a.briefFor(j, p)
			calls = append(calls, message(agent, taskAssignment, map[string]any{"text": sayNewTask.in(j.lang, b.Objective), "taskBrief": b}))
		}
	}
	if len(roles) > 0 {
		return roles
	}
	return calls
}

func (a *agent) newRole(r *teamRole) llm.Call {
	l := a.me.lang
	return call(createRole, map[string]any{
		"name": r.name.in(l), "rolePrompt": r.prompt.in(l), "toolGroups": []string{"talk", "context"},
		"interfaceSpec": map[string]any{"services": r.serves.in(l)},
	})
}

// briefFor writes the brief of a part, with the request as the user wrote it.
func (a *agent) briefFor(j *job, p *part) brief {
	b := brief{
		Objective: j.objective(p.do), Constraints: append([]string{sayOnlyThis.in(j.lang)}, j.added...),
		Inputs: j.words, Outputs: sayOutputs.in(j.lang), CompletionCriteria: sayComplete.in(j.lang),
	}
	if slices.Contains(p.do, folder) || slices.Contains(p.do, tests) {
		b.Constraints[0], b.CompletionCriteria = sayOnlyFiles.in(j.lang), sayCompleteFiles.in(j.lang)
	}
	first := j.parts[0]
	if a.me.isRoot() && p == first && j.trouble {
		b.Constraints = append(b.Constraints, sayErrorFirst.in(j.lang))
	}
	if a.me.isRoot() && p == first && j.tool {
		b.Constraints = append(b.Constraints, sayToolFirst.in(j.lang))
	}
	if j.file != "" {
		b.Constraints = append(b.Constraints, sayIntoFile.in(j.lang, j.file, sayBusy.in(j.lang, tester.name.in(j.lang))))
	}
	if p.role == reviewer && a.me.knows(first.agent) {
		b.Constraints = append(b.Constraints, sayAskFirst.in(j.lang, first.agent))
		b.Collaborators = []collaborator{{first.agent, planner.name.in(a.me.lang), j.objective(first.do)}}
	}
	return b
}

// opening returns the text beside the first calls for a request: root restates it and
// says who does what. Later it names those that it asks again.
func (a *agent) opening(j *job) string {
	again := slices.DeleteFunc(j.in(unassigned), func(p *part) bool { return !p.again })
	switch {
	case !a.me.isRoot(), j.begun && len(again) == 0:
		return ""
	case j.begun:
		return sayAgain.in(j.lang, j.lang.list(unique(each(again, a.name))))
	}
	lines := []string{sayWork.in(j.lang)}
	for _, p := range j.parts {
		lines = append(lines, sayPart.in(j.lang, a.name(p), j.objective(p.do)))
	}
	return paragraphs(sayRequest.in(j.lang, j.title()), strings.Join(lines, "\n"))
}

// name returns the name of the agent of a part, or of its role if there is none.
func (a *agent) name(p *part) string {
	switch {
	case p.agent != "" && (p.role == nil || a.me.knows(p.agent)):
		return a.me.called(p.agent)
	case a.agentFor(p) != "":
		return a.me.called(a.agentFor(p))
	}
	return p.role.name.in(a.me.lang)
}
