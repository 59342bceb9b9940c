package script

import "slices"

// A teamRole is a role of the team that root makes.
type teamRole struct {
	name, prompt, serves text
	does                 []work
}

var (
	planner = &teamRole{
		name:   text{"Planner", "规划者"},
		prompt: text{"You turn a request into steps that somebody can take, or pick the facts out of a text.", "你把请求变成可以执行的步骤，或者从文本中挑出事实。"},
		serves: text{"steps of a request, facts of a text", "请求的步骤、文本中的事实"},
		does:   []work{steps, facts},
	}
	// The reviewer asks the planner for its part, and checks it.
	reviewer = &teamRole{
		name:   text{"Reviewer", "审阅者"},
		prompt: text{"You look for what a request or a text leaves open, and check what a colleague has made of it.", "你寻找请求或文本没有说清的地方，并核对同事由此得出的内容。"},
		serves: text{"open questions, risks, checks", "未决问题、风险、核对"},
		does:   []work{known, questions, risks},
	}
	writer = &teamRole{
		name:   text{"Writer", "撰写者"},
		prompt: text{"You put into few words what counts: a checklist for a request, a summary of a text in its own sentences.", "你用很少的文字写出要点：请求的检查清单，或用原文的句子写成的摘要。"},
		serves: text{"checklists and summaries", "检查清单和摘要"},
		does:   []work{checklist, summary},
	}
	team = []*teamRole{planner, reviewer, writer}

	// The roles of the template review. They use the tools for files.
	auditor = &teamRole{name: text{"Auditor", "审查员"}, does: []work{folder}}
	tester  = &teamRole{name: text{"Tester", "测试员"}, does: []work{tests}}
)

// of returns the work of a role on the request.
func (q request) of(r *teamRole) []work {
	return slices.DeleteFunc(q.all(), func(w work) bool { return !slices.Contains(r.does, w) })
}

// roleNamed returns the role of a name, nil if it is none of these.
func roleNamed(name string) *teamRole {
	for _, r := range append(slices.Clone(team), auditor, tester) {
		if r.name.is(name) {
			return r
		}
	}
	return nil
}
