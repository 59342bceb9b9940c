package runtime_test

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"
	"time"

	"society-tui/llm"
	"society-tui/llm/llmtest"
	"society-tui/runtime/graph"
)

// The story of graphs: root has a board and a council judge, each in a graph of its
// own with a loop, conditions and branches: one after another in the board, and side by
// side in the council, where both read at once and then change something in their order.
// In a branch of the board a clerk is spawned, whose report comes while branches are open
// and is taken behind their join.
var judgingScript = scripted(map[string][]llmtest.Answer{
	"root": {
		llmtest.CallTools(
			call("create_role", object{"name": "clerk", "rolePrompt": "ROLE clerk."}),
			call("create_role", object{"name": "board", "rolePrompt": "ROLE board.", "graph": "board"}),
			call("create_role", object{"name": "council", "rolePrompt": "ROLE council.", "graph": "council"}),
			call("spawn_agent", object{"roleId": "role-board", "taskBrief": brief}),
			call("spawn_agent", object{"roleId": "role-council", "taskBrief": brief}),
		),
		llmtest.Say("Two judge."),
		llmtest.Say("One has judged."),
		llmtest.Say("Both have judged."),
		llmtest.CallTools(call("send_message", object{"to": "board-1", "payload": "judge once more"})),
		llmtest.Say("It judges again."),
		llmtest.Say("The board has judged again."),
	},
	"clerk": {
		llmtest.CallTools(call("peek", object{})),
		llmtest.Say("Counted."),
	},
})

// judgingGraphs are the graphs of the board and of the council.
func judgingGraphs() []graph.Definition {
	board := graph.Definition{
		Name: "board",
		Nodes: []graph.Node{
			{Key: "draft", Title: "Draft"},
			{Key: "facts", Title: "Facts"},
			{Key: "staff", Title: "Staff"},
			{Key: "law", Title: "Law"},
			{Key: "weigh", Title: "Weigh"},
			{Key: "publish", Title: "Publish"},
			{Key: "shelve", Title: "Shelve"},
		},
		Edges: []graph.Edge{
			{From: "draft", To: "draft", Question: "Is another draft needed?"},
			{From: "facts", To: "weigh"},
			{From: "staff", To: "weigh"},
			{From: "law", To: "weigh"},
			{From: "weigh", To: "publish", Question: "Is it the first to be judged?"},
			{From: "weigh", To: "shelve"},
		},
		FanOuts: []graph.FanOut{{
			From: "draft", Join: "weigh", Merge: graph.MergeAppend,
			Branches: []graph.Branch{{To: "facts"}, {To: "staff"}, {To: "law", Question: "Is the law concerned?"}},
		}},
		Entries: []string{"draft"}, EndNodes: []string{"publish", "shelve"},
	}
	council := board
	council.Name, council.Parallel = "council", true
	return []graph.Definition{board, council}
}

// judging is the model of the story.
func judging(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
	last, step, who := req.Messages[len(req.Messages)-1].Text, presentStep.FindStringSubmatch(req.System), "board"
	if strings.Contains(req.System, "ROLE council.") {
		who = "council"
	}
	drafts := answersIn(req, "Draft")
	answer := judgingScript
	switch {
	case strings.HasPrefix(last, "Judge this"):
		asked := strings.Contains(last, "draft needed?") && drafts == 2 || strings.Contains(last, "the first to be judged?") && drafts == 3
		answer = llmtest.Say(map[bool]string{true: "Yes.", false: "No."}[asked])
	case step == nil:
	case step[1] == "Draft" && drafts == 0 && who == "council": // far behind the board
		answer = llmtest.After(40*time.Minute, llmtest.SayAndCall("Draft 0", call("deed", object{"n": who})))
	case step[1] == "Draft" && drafts == 0:
		answer = llmtest.SayAndCall("Draft 0", call("deed", object{"n": who}))
	case step[1] == "Facts" && answersIn(req, "Facts") == 0:
		answer = llmtest.SayAndCall("Facts", call("peek", object{}), call("deed", object{"n": fmt.Sprint(who, drafts)}))
	case step[1] == "Staff" && who == "board" && answersIn(req, "Staff") == 0:
		answer = llmtest.SayAndCall("Staff", call("spawn_agent", object{"roleId": "role-clerk", "taskBrief": brief}))
	case step[1] == "Staff" && who == "council" && answersIn(req, "Staff") == 0: // it reads beside Facts and waits for its turn
		answer = llmtest.SayAndCall("Staff", call("peek", object{"n": who}), call("deed", object{"n": who + "'s staff"}))
	case step[1] == "Staff": // the clerk has reported by then
		answer = llmtest.After(10*time.Minute, llmtest.Say("Staff found"))
	case step[1] == "Publish" && answersIn(req, "Publish") == 0:
		answer = llmtest.SayAndCall("Publish", call("deed", object{"n": who + " publishes"}))
	default:
		answer = llmtest.Say(fmt.Sprint(step[1], " ", drafts))
	}
	return llmtest.After(time.Second, answer)(ctx, req)
}

// ranThrough is the run of an agent's last turn, without times and numbers of steps.
// What was cut short was done again. Side by side, branches come as they come.
func ranThrough(g *graph.Graph, run *graph.Run) (list []string) {
	if run == nil {
		return nil
	}
	path := slices.DeleteFunc(slices.Clone(run.Path), func(r graph.Record) bool { return r.Outcome == graph.CutShort })
	slices.SortStableFunc(path, func(x, y graph.Record) int { return x.Branch - y.Branch })
	list = append(list, fmt.Sprintf("ran %s, %s %s after %d executions", g.Name(), run.Status, run.Reason, run.Iterations))
	for _, r := range path {
		list = append(list, fmt.Sprintf("  ran kind %d of %s in branch %d, attempt %d: outcome %d, verdict %d, to %q, %s", r.Kind, r.Node, r.Branch, r.Attempt, r.Outcome, r.Verdict, r.To, r.Why))
	}
	return list
}
