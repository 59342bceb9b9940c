package society

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"pgregory.net/rapid"

	"society-tui/runtime/approval"
	"society-tui/runtime/conversation"
	"society-tui/runtime/graph"
	"society-tui/runtime/tool"
	"society-tui/runtime/tool/artifacts"
)

// anyAgent draws one of the agents that are there.
func (w *world) anyAgent(t *rapid.T) AgentID {
	return rapid.SampledFrom(w.s.Agents()).Draw(t, "agent")
}

// step does one random thing that may happen to a society.
func (w *world) step(t *rapid.T) {
	w.at = w.at.Add(time.Duration(rapid.IntRange(0, 3).Draw(t, "seconds")) * time.Second)
	switch rapid.IntRange(0, 26).Draw(t, "what") {
	case 0, 1:
		w.attempt(Send{To: w.anyAgent(t), Text: "hello", Resume: rapid.Bool().Draw(t, "resume")})
	case 10:
		w.attempt(Interrupt{Agent: w.anyAgent(t), Text: rapid.SampledFrom([]string{"", "go on like this"}).Draw(t, "text")})
	case 11:
		w.attempt(Stop{Agent: w.anyAgent(t)})
	case 12:
		w.attempt(Resume{Agent: w.anyAgent(t), Alone: rapid.Bool().Draw(t, "alone")})
	case 13:
		w.attempt(Terminate{Agent: w.anyAgent(t), By: User})
	case 14:
		w.halted()
	case 15:
		w.late(t)
	case 16:
		w.rare(t)
	case 25, 26:
		w.permits(t)
	default:
		w.work(t)
	}
}

func (w *world) rare(t *rapid.T) {
	switch rapid.IntRange(0, 16).Draw(t, "rare") {
	case 0, 1:
		w.restart(rapid.IntRange(0, 3).Draw(t, "paused") == 0)
	case 2:
		w.attempt(DropWaiting{Agent: w.anyAgent(t)})
	case 3:
		w.attempt(PauseAll{})
	case 4:
		w.attempt(Seen{Agent: w.anyAgent(t)})
	case 5:
		w.attempt(Send{To: w.anyAgent(t), Text: "something else", NewTask: true})
	case 7:
		w.regraph(t)
	case 6:
		w.attempt(Rename{Agent: w.anyAgent(t), Name: rapid.SampledFrom([]string{"", "Ada", "worker-1"}).Draw(t, "name")})
	case 8:
		w.attempt(w.anySpawn(t))
	case 9, 10:
		w.attempt(CompressContext{Agent: w.anyAgent(t), Keep: rapid.IntRange(0, 4).Draw(t, "keep"), Cut: rapid.Bool().Draw(t, "without a summary")})
	case 11:
		w.attempt(ForgetWindow{Model: rapid.SampledFrom([]string{"", "m", "m"}).Draw(t, "of"), Of: anyWindow(t).WindowKey})
	case 12:
		w.attempt(SetEffort{Agent: w.anyAgent(t), Effort: rapid.SampledFrom(append(Efforts(), "")).Draw(t, "effort")})
	case 13:
		w.budgets(t)
	case 14, 15:
		w.rewinds(t)
	case 16:
		w.attempt(Fork{Agent: w.anyAgent(t)})
	}
}

// rewinds goes back to one of the user's messages to an agent.
func (w *world) rewinds(t *rapid.T) {
	c := Rewind{Agent: w.anyAgent(t)}
	for _, e := range w.history(c.Agent) {
		if e.Kind == conversation.Inbound && e.From == string(User) && rapid.Bool().Draw(t, "to this one") {
			c.Message = MessageID(e.MessageID)
		}
	}
	w.attempt(w.point(c))
}

// budgets bounds what an agent or a task may use, or takes the bound away.
func (w *world) budgets(t *rapid.T) {
	id := w.anyAgent(t)
	limit := Amount{Tokens: rapid.SampledFrom([]int{0, 0, 10, 100, 10_000}).Draw(t, "limit")}
	if rapid.Bool().Draw(t, "of the task") {
		_, more := w.s.HeldBy(id, w.at)
		w.attempt(SetBudget{Task: w.s.Agent(id).Task, Limit: limit, More: more})
		return
	}
	w.attempt(SetBudget{Agent: id, Limit: limit, Alone: rapid.Bool().Draw(t, "alone")})
}

// anyWindow is one that an endpoint named.
func anyWindow(t *rapid.T) LearntWindow {
	return LearntWindow{
		WindowKey: WindowKey{Model: rapid.SampledFrom([]string{"a", "b"}).Draw(t, "model")},
		Tokens:    rapid.SampledFrom([]int{0, 1_000, 8_000, 16_000}).Draw(t, "window"),
	}
}

// permits answers requests to the user in some way, or changes what agents may do.
func (w *world) permits(t *rapid.T) {
	waiting := w.s.Approvals()
	if len(waiting) == 0 || rapid.IntRange(0, 9).Draw(t, "policy") == 0 {
		w.policy(t)
		return
	}
	answer := AnswerApproval{Answer: rapid.SampledFrom([]ApprovalAnswer{AllowOnce, AllowOnce, AllowInTask, DenyCall, AnswerByRule}).Draw(t, "answer")}
	for range rapid.IntRange(1, 3).Draw(t, "at once") {
		answer.IDs = append(answer.IDs, rapid.SampledFrom(waiting).Draw(t, "request").ID)
	}
	if answer.Answer == AnswerByRule {
		rule := w.anyRule(t)
		answer.Rule = &rule
	}
	w.attempt(answer)
}

// policy changes what agents may do.
func (w *world) policy(t *rapid.T) {
	id := w.anyAgent(t)
	of := rapid.SampledFrom([]ModeScope{{}, {}, {Agent: id}, {Role: w.agent(id).Role}}).Draw(t, "of")
	switch rapid.IntRange(0, 2).Draw(t, "change") {
	case 0:
		w.attempt(SetMode{Of: of, Mode: rapid.SampledFrom([]approval.Mode{"", "", approval.AskFirst, approval.Edits, approval.ReadOnly}).Draw(t, "mode")})
	case 1:
		w.attempt(MakeRule{Rule: w.anyRule(t)})
	case 2:
		for _, r := range w.s.Rules() {
			w.attempt(RemoveRule{ID: r.ID})
		}
	}
}

// anyRule is one of the user's that answers some requests.
func (w *world) anyRule(t *rapid.T) approval.Rule {
	return approval.Rule{
		Tool: "edit", Path: rapid.SampledFrom([]string{"", "a", "b"}).Draw(t, "path"), Do: rapid.SampledFrom(approval.Verdicts()).Draw(t, "do"),
		Under: string(rapid.SampledFrom(append(w.s.Agents(), "", "")).Draw(t, "under")),
	}
}

// plans is the worker that finds out what a call would do.
func (w *world) plans(t *rapid.T, work Plan) {
	if rapid.IntRange(0, 9).Draw(t, "no plan") == 0 {
		w.must(Planned{Work: work, Failed: "not_found"})
		return
	}
	w.must(planOf(work, rapid.SampledFrom([]string{"a", "b", ".git/x"}).Draw(t, "path")))
}

// planOf is the plan of a call for a path.
func planOf(work Plan, path string) Planned {
	return Planned{Work: work, Plan: tool.Plan{
		Paths: []tool.Path{{Name: path, Protected: path == ".git/x"}}, Summary: path + " +1", Preview: "+1", Hashes: map[string]string{path: "1"},
	}}
}

// anySpawn is one of the user's.
func (w *world) anySpawn(t *rapid.T) Spawn {
	return Spawn{
		Parent: w.anyAgent(t), Role: rapid.SampledFrom(w.s.Roles()).Draw(t, "role").ID,
		Text: rapid.SampledFrom([]string{"", "help me"}).Draw(t, "text"),
	}
}

// late brings the result of some work again that is not owed any more: it must
// not count.
func (w *world) late(t *rapid.T) {
	if len(w.past) == 0 {
		return
	}
	work := rapid.SampledFrom(w.past).Draw(t, "past")
	if w.s.Agent(work.Item().Agent).expects(work) {
		return
	}
	for _, cmd := range resultsOf(work) {
		w.stale(cmd)
	}
}

// resultsOf returns a result of each kind.
func resultsOf(work Work) []Command {
	item := work.Item()
	return []Command{
		Answered{Work: Think{WorkItem: item}, Text: "late"},
		Failed{Work: work, Retryable: true},
		Planned{Work: Plan{WorkItem: item}},
		ToolDone{Work: Act{WorkItem: item}, Text: "late"},
		TimerFired{Work: Wait{WorkItem: item}},
		Compressed{Work: work},
		Judged{Work: Judge{WorkItem: item}, Verdict: graph.Yes},
		Joined{Work: Join{WorkItem: item}, Text: "late"},
		Panicked{Work: work},
	}
}

// work ends some piece of work that is owed, in some way.
func (w *world) work(t *rapid.T) {
	owed := w.s.Owed()
	if len(owed) == 0 {
		return
	}
	work := rapid.SampledFrom(owed).Draw(t, "work")
	if rapid.IntRange(0, 40).Draw(t, "panics") == 0 {
		w.must(Panicked{Work: work, Text: "oops"})
		return
	}
	switch work := work.(type) {
	case Wait:
		w.at = maxTime(w.at, work.Until)
		w.must(TimerFired{Work: work})
	case Plan:
		w.plans(t, work)
	case Act:
		w.act(work)
	case Think:
		w.think(t, work)
	case Compress:
		w.squeezes(t, work)
	case Judge:
		w.judges(t, work)
	case Join:
		w.must(Joined{Work: work, Text: "what the branches came to"})
	}
}

// usageOf is what some call has used: counted or estimated, with a price or without one.
func usageOf(work Work) Usage {
	all := []Usage{{Input: 2, Output: 1}, {Input: 5, Output: 7, Estimated: 12}, {Input: 5, Output: 7, Cached: 4, Cost: 9, Priced: 12}, {Input: 3, Cost: 40, Priced: 3}}
	return all[work.Item().Step%uint64(len(all))]
}

// modelFor is the model that some call asked.
func modelFor(work Work) string { return []string{"small", "large"}[work.Item().Step/4%2] }

// judges ends a judgement in some way.
func (w *world) judges(t *rapid.T, work Judge) {
	switch rapid.IntRange(0, 9).Draw(t, "judged") {
	case 0:
		w.must(Failed{Work: work, Class: "overload", Text: "busy", Retryable: rapid.Bool().Draw(t, "retry")})
	case 1:
		w.must(Judged{Work: work, Verdict: graph.Neither, Why: "it depends"})
	case 2, 3, 4:
		w.must(Judged{Work: work, Verdict: graph.No, Why: "not yet", Usage: usageOf(work), Model: modelFor(work)})
	default:
		choice := rapid.IntRange(1, max(1, len(work.Run.Choices))).Draw(t, "choice")
		w.must(Judged{Work: work, Verdict: graph.Yes, Choice: choice, Why: "it is", Usage: usageOf(work), Model: modelFor(work)})
	}
}

// squeezes ends the compression of a full context in some way.
func (w *world) squeezes(t *rapid.T, work Work) {
	switch rapid.IntRange(0, 4).Draw(t, "how") {
	case 0:
		w.must(Failed{Work: work, Class: "overload", Text: "busy", Retryable: true})
	case 1:
		w.must(Failed{Work: work, Class: contextFull, Text: "the context is full"})
	default:
		w.squeeze(work, rapid.IntRange(0, 300).Draw(t, "room"))
	}
}

// squeeze is the worker that compresses a full context.
func (w *world) squeeze(work Work, room int) {
	w.t.Helper()
	a := w.agent(work.Item().Agent)
	entries := w.seen(a, a.branch(a.step(work.Item().Step).Work))
	cut, did := conversation.PlanToFit(entries, w.s.limits.KeepRecent, room, w.s.budgets(a, nil))
	w.must(Compressed{Work: work, Cut: cut, Did: did, Summary: "what came before", Usage: Usage{Input: 5, Output: 2}, Model: "small"})
}

// act is the worker of all tools.
func (w *world) act(work Act) {
	w.t.Helper()
	w.must(w.worked(work))
}

// worked is the result of all workers' tools.
func (w *world) worked(work Act) Command {
	w.t.Helper()
	if work.Call.Name == artifacts.Put {
		_, args, _ := strings.Cut(work.Call.Arguments, ":") // {"n":7}
		name := "name " + args[:1]
		return ToolDone{Work: work, Outcome: conversation.OK, Artifact: &ArtifactPut{Name: name, Type: "text/plain", Data: []byte(work.Call.Arguments)}}
	}
	if work.Call.Name != "compress_context" {
		return ToolDone{Work: work, Text: "done", Outcome: conversation.OK}
	}
	var args struct {
		Summary string `json:"summary"`
		Keep    int    `json:"keepRecentCount"`
	}
	if err := json.Unmarshal([]byte(work.Call.Arguments), &args); err != nil {
		w.t.Fatalf("arguments of compress_context: %v", err)
	}
	if w.s.Agent(work.Agent) == nil {
		return Compressed{Work: work, Summary: args.Summary}
	}
	o, _ := w.agent(work.Agent).answerOf(work.Call.ID)
	cut, did := conversation.Plan(w.seen(w.agent(work.Agent), o.branch), args.Keep, work.Call.ID)
	return Compressed{Work: work, Cut: cut, Did: did, Summary: args.Summary}
}

func maxTime(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// think ends a think: with a failure, a text, or up to three calls.
func (w *world) think(t *rapid.T, work Think) {
	how := rapid.IntRange(0, 9).Draw(t, "how")
	switch {
	case how == 0:
		w.must(Failed{Work: work, Class: "overload", Text: "busy", Retryable: rapid.Bool().Draw(t, "retry"), Partial: 3})
		return
	case how == 1 && rapid.Bool().Draw(t, "full"):
		w.must(Failed{Work: work, Class: contextFull, Text: "the context is full", Window: anyWindow(t)})
		return
	case how <= 3:
		text := rapid.SampledFrom([]string{"", "here it is"}).Draw(t, "text")
		w.must(Answered{Work: work, Text: text, Usage: usageOf(work), Model: modelFor(work)})
		return
	}
	var calls []conversation.Call
	for range rapid.IntRange(1, 3).Draw(t, "calls") {
		calls = append(calls, w.anyCall(t, work.Agent))
	}
	w.must(Answered{Work: work, Calls: calls, Cut: rapid.IntRange(0, 20).Draw(t, "cut") == 0, Usage: usageOf(work), Model: modelFor(work)})
}

func (w *world) anyCall(t *rapid.T, by AgentID) conversation.Call {
	others := append(w.s.Agents(), User, "nobody-7")
	if p := w.s.Agent(by).Parent; p != User {
		others = append(others, p, p)
	}
	other := rapid.SampledFrom(others).Draw(t, "other")
	switch rapid.IntRange(0, 15).Draw(t, "tool") {
	case 0:
		return w.call("create_role", object{"name": "worker", "rolePrompt": "Work."})
	case 1, 2, 3:
		role := rapid.SampledFrom(w.s.Roles()).Draw(t, "role")
		return w.call("spawn_agent", object{"roleId": role.ID, "taskBrief": brief()})
	case 4, 5:
		kind := rapid.SampledFrom(anyKind).Draw(t, "kind")
		after := rapid.SampledFrom([]int{0, 0, 0, 500, 2000, 60_000}).Draw(t, "delay")
		if after == 0 {
			return w.tells(other, kind, w.anyPayload(t))
		}
		return w.call("send_message", object{
			"to": []AgentID{other, User}, "message_type": kind, "payload": w.anyPayload(t), "delayMs": after,
		})
	case 6, 7, 12, 13:
		if children := w.s.Agent(by).Children(); len(children) > 0 {
			other = rapid.SampledFrom(children).Draw(t, "child")
		}
		return w.call("terminate_agent", object{"agentId": other})
	case 8:
		if n := rapid.IntRange(0, 3).Draw(t, "todo"); n > 0 {
			return w.todo(n, rapid.IntRange(0, n).Draw(t, "done"))
		}
		return w.call("list_contacts", object{})
	case 9:
		return w.call("compress_context", object{"summary": "so far", "keepRecentCount": rapid.IntRange(0, 4).Draw(t, "keep")})
	case 14, 15:
		return w.call(rapid.SampledFrom([]string{"edit", "run"}).Draw(t, "asks"), object{"n": w.calls % 7})
	case 10:
		if rapid.Bool().Draw(t, "artifact") {
			return w.call(artifacts.Put, object{"n": w.calls % 7})
		}
		return w.call("look", object{"n": w.calls % 3})
	}
	return w.call("write", object{"n": w.calls})
}

// small are limits that random histories reach.
func small() Limits {
	l := DefaultLimits()
	l.Agents, l.Depth, l.Children, l.Queue, l.ToolRounds = 12, 3, 4, 6, 6
	l.TaskMessages, l.DrainMessages, l.CallsPerAnswer, l.RepeatsWarned, l.RepeatsEnded = 25, 3, 2, 2, 3
	return l
}

// anyLimits draws small limits, some of them very small.
func anyLimits(t *rapid.T) Limits {
	l := small()
	l.TaskMessages = rapid.SampledFrom([]int{25, 4}).Draw(t, "messages of a task")
	l.PanicsPerMinute = rapid.SampledFrom([]int{3, 1}).Draw(t, "panics in a minute")
	return l
}

// A shape is a tree of agents with its limits.
type shape struct {
	limits  Limits
	parents string
}

var shapes sync.Map // the society of each shape; tests use copies

// peopled returns a society with up to six agents at random places, all of them
// thinking.
func peopled(t *rapid.T, l Limits) *world {
	ids, depth, children := []AgentID{Root}, map[AgentID]int{}, map[AgentID]int{}
	var parents []AgentID
	for i := range rapid.IntRange(1, 6).Draw(t, "people") {
		able := slices.DeleteFunc(slices.Clone(ids), func(id AgentID) bool { return depth[id] >= l.Depth || children[id] >= l.Children })
		parent, child := rapid.SampledFrom(able).Draw(t, "parent"), AgentID(fmt.Sprintf("worker-%d", i+1))
		depth[child] = depth[parent] + 1
		children[parent]++
		ids, parents = append(ids, child), append(parents, parent)
	}
	key := shape{l, fmt.Sprint(parents)}
	kept, made := shapes.Load(key)
	if !made {
		w := newWorld(t, l)
		for _, parent := range parents {
			w.spawn(parent)
		}
		kept, _ = shapes.LoadOrStore(key, w)
	}
	return kept.(*world).clone(silent{t})
}

// grown returns a society that has lived through some random steps, with some of
// its agents in situations that they seldom come into by themselves.
func grown(t *rapid.T) *world {
	w := peopled(t, small())
	w.s.limits = anyLimits(t)
	for range rapid.IntRange(0, 2).Draw(t, "graphs") {
		w.regraph(t)
	}
	w.lives(t, rapid.IntRange(0, 25).Draw(t, "steps"))
	for range rapid.IntRange(1, 4).Draw(t, "in situations") {
		w.situate(t)
	}
	return w
}

// lives lets so many things happen.
func (w *world) lives(t *rapid.T, steps int) {
	for range steps {
		if rapid.IntRange(0, 9).Draw(t, "situate") == 0 {
			w.situate(t)
			continue
		}
		w.step(t)
	}
}

// What all events promise is in mirror, what all states hold in Check.
func TestEveryHistoryKeepsTheInvariants(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := grown(t)
		w.agrees(w.s)
		w.halted()
		w.agrees(w.s)
		w.restart(false)
		w.agrees(w.s)
	})
}
