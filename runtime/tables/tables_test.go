package tables_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"society-tui/runtime/approval"
	"society-tui/runtime/conversation"
	"society-tui/runtime/graph"
	"society-tui/runtime/propertytest"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/runtime/tables"
	"society-tui/runtime/tool"
	"society-tui/storage"
	"society-tui/storage/memdb"
)

func TestMain(m *testing.M) {
	propertytest.SetCases(250, 50)
	os.Exit(m.Run())
}

type fatal interface {
	Helper()
	Fatalf(format string, args ...any)
}

// A kept society is one whose events are recorded as they happen.
type kept struct {
	t     fatal
	s     *society.State
	store *memdb.Store
	at    time.Time
	halts [][]society.AgentID
	calls int
	words words
	heard propertytest.Met[string] // the kinds of events that there were
}

func found(t fatal) *kept {
	k := &kept{t: t, s: society.New(society.DefaultLimits()), store: memdb.New(), words: newWords(), heard: propertytest.Met[string]{}, at: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}
	k.equip()
	k.do(society.Found{Lang: protocol.English, Role: "organiser", Prompt: "Organise."})
	return k
}

// equip gives a society that was loaded its graphs and tools.
func (k *kept) equip() {
	k.s.SetGraphs(graphs)
	k.s.SetModels([]string{"a", "b"}, nil)
	k.s.SetClasses(map[string]tool.Class{"edit": tool.ClassEdit, "artifact_put": tool.ClassOwn})
	k.s.SetGroups(map[string]tool.Group{"edit": tool.Read, "write": tool.Read, "todo": tool.Read, "artifact_put": tool.Read}) // every role has them
}

// graphs are those that a role may have: one with branches that run one after another,
// or side by side, a loop, and times that can be up.
var graphs = func() []graph.Definition {
	d := graph.Definition{
		Name: "views", MaxIterations: 8, Timeout: graph.Duration(time.Hour),
		Nodes: []graph.Node{{Key: "open", Retries: 1}, {Key: "left"}, {Key: "right", Timeout: graph.Duration(time.Minute)}, {Key: "sum"}, {Key: "end"}},
		Edges: []graph.Edge{
			{From: "left", To: "sum"},
			{From: "right", To: "sum"},
			{From: "sum", To: "open", Question: "once more?"},
			{From: "sum", To: "end"},
		},
		FanOuts: []graph.FanOut{{
			From: "open", Join: "sum", Merge: graph.MergeAppend, Branches: []graph.Branch{{To: "left"}, {To: "right", Question: "another side?"}},
		}},
		Entries: []string{"open"}, EndNodes: []string{"end"},
	}
	beside := d
	beside.Name, beside.Parallel, beside.Routing = "side by side", true, graph.RouteChoice
	return []graph.Definition{d, beside}
}()

// do carries a command out, if it is not refused, and records what it led to.
func (k *kept) do(cmd society.Command) {
	k.t.Helper()
	events, _, err := k.s.Advance(k.at, cmd)
	if err == nil {
		k.record(events)
	}
}

func (k *kept) record(events []society.Event) {
	k.t.Helper()
	changed := k.s.TakeChanged()
	err := k.store.Update(func(tx storage.Tx) error {
		tx = noting{tx, k.words.buckets}
		if err := tables.Record(tx, k.s, events, changed); err != nil {
			return err
		}
		_, err := tables.Sweep(tx, 20)
		return err
	})
	if err != nil {
		k.t.Fatalf("record %T: %v", events, err)
	}
	for _, e := range events {
		k.words.hear(e)
		k.heard[fmt.Sprintf("%T", e)]++
		switch e := e.(type) {
		case society.StopBegun:
			k.halts = append(k.halts, e.Agents)
		case society.TerminationBegun:
			k.halts = append(k.halts, e.Agents)
		}
	}
}

func (k *kept) halted() {
	for _, ids := range k.halts {
		k.do(society.Halted{Agents: ids})
	}
	k.halts = nil
}

func (k *kept) load() society.Records {
	k.t.Helper()
	var r society.Records
	err := k.store.View(func(tx storage.Tx) (err error) {
		r, err = tables.Load(tx)
		return err
	})
	if err != nil {
		k.t.Fatalf("load: %v", err)
	}
	return r
}

// describe writes a whole state down, so that two can be compared.
func describe(s *society.State) string {
	var b strings.Builder
	write := func(v any) {
		raw, err := json.Marshal(v)
		if err != nil {
			panic(err)
		}
		fmt.Fprintf(&b, "%s\n", raw)
	}
	write(s.Numbers())
	for _, r := range s.Roles() {
		write(r)
	}
	for _, id := range s.Agents() {
		a := s.Agent(id)
		write(a)
		write(append([]society.Mail{}, a.Mailbox...))
		write(append([]society.DelayedMessage{}, a.Later...))
		write(a.Delayed())
		write(a.Contacts)
		write(a.Todo())
		write(append([]society.AgentID{}, a.Children()...))
		if t := s.Task(a.Task); t != nil {
			write(t)
		}
	}
	write(s.Contacts(society.User))
	write(s.Artifacts(""))
	write(s.Owed())
	for _, w := range s.Approvals() {
		write(w)
		write(w.Preview)
	}
	write(s.Modes())
	write(s.Rules())
	return b.String()
}

func (k *kept) call(name string, args any) conversation.Call {
	k.calls++
	raw, err := json.Marshal(args)
	if err != nil {
		k.t.Fatalf("%v", err)
	}
	return conversation.Call{ID: fmt.Sprint("call-", k.calls), Name: name, Arguments: string(raw)}
}

type object = map[string]any

func (k *kept) step(t *rapid.T) {
	agent := rapid.SampledFrom(k.s.Agents()).Draw(t, "agent")
	switch rapid.IntRange(0, 13).Draw(t, "what") {
	case 13:
		k.bounds(t, agent)
	case 12:
		k.permits(t, agent)
	case 0:
		k.do(society.Send{To: agent, Text: k.long(t), Resume: true})
	case 1:
		k.do(society.Interrupt{Agent: agent, Text: rapid.SampledFrom([]string{"", k.words.next(agent)}).Draw(t, "text")})
	case 2:
		k.do(society.Stop{Agent: agent})
	case 3:
		k.do(society.Terminate{Agent: agent, By: society.User})
	case 4:
		k.do(society.Resume{Agent: agent})
		k.do(society.DropWaiting{Agent: agent})
	case 5:
		k.halted()
	case 6:
		k.do(pair(rapid.SampledFrom([]string{"Praise.", "Find what is wrong."}).Draw(t, "prompt"), k.words.next()))
	case 7:
		role := rapid.SampledFrom(k.s.Roles()).Draw(t, "role")
		k.do(society.EditRole{Role: role.ID, Prompt: rapid.SampledFrom([]string{"Work.", "Rest."}).Draw(t, "prompt")})
		k.do(society.MakeRole{Name: "reader", Prompt: "Read.", Tools: []tool.Group{}})
		if role.Graph == nil { // a run that has lost its graph is given up by who loads it
			k.do(society.ChooseGraph{Role: role.ID, Graph: rapid.SampledFrom([]string{"views", "side by side"}).Draw(t, "graph")})
		}
	default:
		k.work(t)
	}
}

// bounds changes what may be spent, and counts what led to no answer.
func (k *kept) bounds(t *rapid.T, agent society.AgentID) {
	limit := society.Amount{Tokens: rapid.IntRange(0, 30).Draw(t, "limit")}
	switch rapid.IntRange(0, 3).Draw(t, "bound") {
	case 0:
		k.do(society.SetBudget{Agent: agent, Limit: limit})
	case 1:
		if task := k.s.Agent(agent).Task; task != "" {
			k.do(society.SetBudget{Task: task, Limit: limit})
		}
	case 2:
		k.do(society.SetBudget{Day: true, Limit: limit})
		k.do(society.RenewBudgets{})
	}
	k.do(society.CountTry{Agent: agent, Task: k.s.Agent(agent).Task, Model: "m", Usage: society.Usage{Input: 2, Estimated: 2, Priced: 2, OldPrice: 2}})
}

// asks lets an agent make the same change twice, each of which needs a yes unless one is
// given for both, or fails to be planned.
func (k *kept) asks(t *rapid.T, agent society.AgentID) {
	k.do(society.Send{To: agent, Text: k.words.next(), Resume: true})
	for range 2 {
		for _, w := range k.s.Owed() {
			if think, ok := w.(society.Think); ok {
				k.do(society.Answered{Work: think, Calls: []conversation.Call{k.call("edit", object{"content": "the same"})}})
			}
		}
		if rapid.IntRange(0, 3).Draw(t, "interrupted") == 0 {
			k.do(society.Send{To: agent, Text: k.words.next(), Resume: true})
		}
		for _, w := range k.s.Owed() {
			if plan, ok := w.(society.Plan); ok {
				k.planned(t, plan)
			}
		}
		k.permits(t, agent)
		for _, w := range k.s.Owed() {
			if act, ok := w.(society.Act); ok && rapid.Bool().Draw(t, "acts") {
				k.edited(t, act)
			}
		}
	}
}

// drains lets root terminate a child that is at work.
func (k *kept) drains() {
	k.do(pair("Praise.", k.words.next()))
	k.do(society.Send{To: society.Root, Text: k.words.next()})
	child := k.s.Agent(society.Root).Children()[0]
	for _, w := range k.s.OwedBy(society.Root) {
		k.do(society.Answered{Work: w.(society.Think), Calls: []conversation.Call{k.call("terminate_agent", object{"agentId": child})}})
	}
}

// delays lets root send the user a message for later, and then starts again with a clock that
// has gone back.
func (k *kept) delays() {
	k.do(society.Send{To: society.Root, Text: k.words.next()})
	for _, w := range k.s.OwedBy(society.Root) {
		k.do(society.Answered{Work: w.(society.Think), Calls: []conversation.Call{
			k.call("send_message", object{"to": society.User, "payload": k.words.next(society.Root), "delayMs": 1000}),
		}})
	}
	k.restart(-time.Minute)
}

// restart loads the society again, with a clock that has gone on by some time.
func (k *kept) restart(by time.Duration) {
	k.s = society.Load(society.DefaultLimits(), k.load())
	k.equip()
	k.at = k.at.Add(by)
	k.do(society.Restart{})
}

// merges lets root think in branches until some of them are merged.
func (k *kept) merges(t *rapid.T) {
	k.do(society.ChooseGraph{Role: "role-root", Graph: "side by side"})
	k.do(society.Send{To: society.Root, Text: k.words.next()})
	for range rapid.IntRange(1, 20).Draw(t, "rounds") {
		for _, w := range k.s.OwedBy(society.Root) {
			switch w := w.(type) {
			case society.Think:
				k.do(society.Answered{Work: w, Text: k.words.next(society.Root), Usage: society.Usage{Input: 3, Output: 4}})
			case society.Judge:
				k.do(society.Judged{Work: w, Verdict: graph.Yes, Why: k.words.next(society.Root), Usage: society.Usage{Input: 1, Output: 1}})
			case society.Join:
				k.do(society.Joined{Work: w, Text: k.words.next(society.Root)})
			}
		}
	}
}

// edited ends a call that has changed a file.
func (k *kept) edited(t *rapid.T, w society.Act) {
	diff := k.words.next(w.Agent, "") // the society's too: changes outlive their agents
	k.do(society.ToolDone{Work: w, Text: k.words.next(w.Agent), Outcome: conversation.OK, Files: []tool.Change{{
		Path: "a.go", Before: "1", After: "2", Diff: diff, Added: 1,
		Old: []byte(rapid.SampledFrom([]string{"", "small", "\xff\x00"}).Draw(t, "old")),
	}}})
}

// permits answers requests, and changes what agents may do.
func (k *kept) permits(t *rapid.T, agent society.AgentID) {
	rule := approval.Rule{Tool: "edit", Path: "*.go", Do: rapid.SampledFrom(approval.Verdicts()).Draw(t, "do")}
	if rapid.Bool().Draw(t, "bound") {
		rule.Under = string(agent)
	}
	for i, w := range k.s.Approvals() {
		answer := rapid.SampledFrom([]society.ApprovalAnswer{society.AllowOnce, society.AllowInTask, society.DenyCall, society.AnswerByRule, ""}).Draw(t, "answer")
		if i < 3 && answer != "" {
			k.do(society.AnswerApproval{IDs: []uint64{w.ID}, Answer: answer, Rule: &rule})
		}
	}
	of := rapid.SampledFrom([]society.ModeScope{{}, {Agent: agent}, {Role: k.s.Agent(agent).Role}}).Draw(t, "of")
	switch rapid.IntRange(0, 3).Draw(t, "policy") {
	case 0:
		k.do(society.SetMode{Of: of, Mode: rapid.SampledFrom(append(approval.Modes(), "", "")).Draw(t, "mode")})
	case 1:
		k.do(society.MakeRule{Rule: rule})
	case 2:
		for _, r := range k.s.Rules() {
			k.do(society.RemoveRule{ID: r.ID})
		}
	}
}

// planned finds out what a call would do.
func (k *kept) planned(t *rapid.T, w society.Plan) {
	cmd := society.Planned{Work: w, Plan: tool.Plan{
		Paths: []tool.Path{{Name: rapid.SampledFrom([]string{"a.go", "b.md"}).Draw(t, "path")}}, Summary: k.words.next(w.Agent),
		Preview: strings.Repeat("+"+k.words.next(w.Agent)+"\n", rapid.SampledFrom([]int{1, 1000}).Draw(t, "lines")), Hashes: map[string]string{"a.go": "1"},
	}}
	if rapid.IntRange(0, 9).Draw(t, "planned") == 0 {
		cmd.Failed = "not_found"
	}
	k.do(cmd)
}

// rest does what a society meets less often: the user's small verbs, panics, a program
// that leaves, and one that starts again, perhaps with a clock that has gone back.
func (k *kept) rest(t *rapid.T) {
	agent := rapid.SampledFrom(k.s.Agents()).Draw(t, "agent")
	switch rapid.IntRange(0, 8).Draw(t, "what else") {
	case 0:
		k.do(society.Rename{Agent: agent, Name: rapid.SampledFrom([]string{"ada", "bob", ""}).Draw(t, "name")})
		k.do(society.Seen{Agent: rapid.SampledFrom([]society.AgentID{agent, society.User}).Draw(t, "seen")})
	case 1:
		k.do(society.PauseAgent{Agent: agent})
	case 2:
		for _, w := range k.s.OwedBy(agent) {
			k.do(society.Panicked{Work: w, Text: "an internal error"})
		}
	case 3:
		k.s.Leave()
	case 4:
		k.restart(-rapid.SampledFrom([]time.Duration{0, time.Minute}).Draw(t, "back"))
	case 5:
		k.takeBack()
	case 7:
		k.do(society.Fork{Agent: agent})
	case 8:
		k.rewinds(agent)
	case 6:
		k.do(society.AssignModel{Agent: agent, Model: rapid.SampledFrom([]string{"", "a", "b"}).Draw(t, "own model")})
		k.do(society.CompressContext{Agent: agent, Cut: rapid.Bool().Draw(t, "cut")})
		k.do(society.ForgetWindow{Model: rapid.SampledFrom([]string{"", "m"}).Draw(t, "model"), Of: society.WindowKey{Endpoint: "https://models.example", Model: "m"}})
	}
}

// rewinds goes back to the user's last message to an agent, and no row is lost by it.
func (k *kept) rewinds(agent society.AgentID) {
	read := func() (entries []conversation.Entry) {
		err := k.store.View(func(tx storage.Tx) (err error) {
			entries, err = tables.Entries(tx, agent, 0, 0)
			return err
		})
		if err != nil {
			k.t.Fatalf("the entries of %s: %v", agent, err)
		}
		return entries
	}
	before := read()
	at, _ := conversation.PointOf(before, string(society.User), "", "todo", conversation.BudgetsFor(0))
	count := k.s.Agent(agent).Rewound
	k.do(society.Rewind{Agent: agent, At: at, Rewound: count})
	after := read()
	for i, e := range before {
		aside := !after[i].SetAside.IsZero()
		if want := !e.SetAside.IsZero() || k.s.Agent(agent).Rewound > count && e.Slot >= at.Slot; aside != want {
			k.t.Fatalf("slot %d of %s is set aside: %t, from %d on it is to be", e.Slot, agent, aside, at.Slot)
		}
		after[i].SetAside = e.SetAside
		if !reflect.DeepEqual(after[i], e) {
			k.t.Fatalf("%+v became %+v", e, after[i])
		}
	}
}

// takeBack takes back an open answer none of whose calls has begun. Today a call begins
// together with its answer, so that what has begun is left out of the records.
func (k *kept) takeBack() {
	r := k.load()
	i := slices.IndexFunc(r.Agents, func(a *society.Agent) bool {
		g := a.Tail.Group
		asks := slices.ContainsFunc(r.Approvals, func(w *society.Approval) bool { return w.Agent == a.ID })
		return g != nil && a.Turn != nil && !asks && !slices.ContainsFunc(g.Calls, func(c conversation.OpenCall) bool { return c.Done })
	})
	if i < 0 {
		return
	}
	a := r.Agents[i]
	a.Open = slices.DeleteFunc(a.Open, func(s society.Step) bool {
		return s.Kind == society.ActStep || s.Kind == society.PlanStep || s.Kind == society.ApproveStep
	})
	k.s = society.Load(society.DefaultLimits(), r)
	k.equip()
	dropped := society.GroupDropped{Agent: a.ID, Slot: a.Tail.Group.Slot}
	k.s.Apply(dropped)
	k.record([]society.Event{dropped})
}

// pair is a template of two agents who know each other.
func pair(prompt, objective string) society.AddTeam {
	task := func(with string) json.RawMessage {
		return json.RawMessage(`{"objective":"` + objective + `","constraints":[],"inputs":"a","outputs":"b","completion_criteria":"c",` +
			`"collaborators":[{"agentId":"` + with + `","description":"ask it"}]}`)
	}
	return society.AddTeam{
		Template: "pair",
		Roles:    []society.TeamRole{{Name: "critic", Prompt: prompt, Tools: []tool.Group{"talk"}}},
		Agents: []society.TeamAgent{
			{As: "one", Role: "critic", Brief: task("two")},
			{As: "two", Role: "critic", Parent: "one", Brief: task("root")},
		},
	}
}

func (k *kept) work(t *rapid.T) {
	owed := k.s.Owed()
	if len(owed) == 0 {
		return
	}
	w := rapid.SampledFrom(owed).Draw(t, "work")
	switch {
	case w.Kind() == society.WaitStep:
		wait := w.(society.Wait)
		if k.at.Before(wait.Until) {
			k.at = wait.Until
		}
		k.do(society.TimerFired{Work: wait})
	case w.Kind() == society.CompressStep:
		k.squeeze(w)
	case w.Kind() == society.JudgeStep:
		verdict := rapid.SampledFrom([]graph.Verdict{graph.Neither, graph.Yes, graph.No}).Draw(t, "verdict")
		k.do(society.Judged{Work: w.(society.Judge), Verdict: verdict, Choice: 1, Why: k.words.next(w.Item().Agent), Usage: society.Usage{Input: 1, Output: 1}})
	case w.Kind() == society.JoinStep:
		k.do(society.Joined{Work: w.(society.Join), Text: k.words.next(w.Item().Agent)})
	case w.Kind() == society.PlanStep:
		k.planned(t, w.(society.Plan))
	case w.Kind() == society.ActStep && w.(society.Act).Call.Name == "artifact_put":
		data := rapid.SampledFrom([]string{"", "small", "\xff\x00", "small", "small", strings.Repeat("large ", 11_000)}).Draw(t, "data")
		k.do(society.ToolDone{Work: w.(society.Act), Outcome: conversation.OK, Artifact: &society.ArtifactPut{
			Name: rapid.SampledFrom([]string{"a", "b"}).Draw(t, "name"), Type: "text/plain", Data: []byte(data),
		}})
	case w.Kind() == society.ActStep && w.(society.Act).Call.Name == "edit":
		k.edited(t, w.(society.Act))
	case w.Kind() == society.ActStep:
		k.do(society.ToolDone{Work: w.(society.Act), Text: k.words.next(w.Item().Agent), Outcome: conversation.OK})
	case rapid.IntRange(0, 15).Draw(t, "remarks") == 0:
		k.do(society.Remarked{Of: w.Item(), Text: k.words.next(w.Item().Agent)})
	case rapid.IntRange(0, 15).Draw(t, "falls back") == 0:
		k.do(society.FellBack{Of: w.Item(), Model: rapid.SampledFrom([]string{"a", "b"}).Draw(t, "model"), Text: k.words.next(w.Item().Agent)})
	case rapid.IntRange(0, 9).Draw(t, "full") == 0:
		k.do(society.Failed{Work: w, Class: "context", Text: k.words.next(w.Item().Agent), Window: society.LearntWindow{
			WindowKey: society.WindowKey{Endpoint: "https://models.example", Model: "m"}, Tokens: rapid.SampledFrom([]int{0, 8_192, 4_096}).Draw(t, "window"),
		}})
	case rapid.IntRange(0, 3).Draw(t, "how") == 0, w.Item().Run != nil && rapid.Bool().Draw(t, "ends the node"):
		k.do(society.Answered{Work: w.(society.Think), Text: k.words.next(w.Item().Agent), Usage: society.Usage{Input: 3, Output: 4}})
	case rapid.IntRange(0, 5).Draw(t, "fails") == 0:
		k.do(society.Failed{Work: w, Class: "overload", Text: k.words.next(w.Item().Agent), Retryable: rapid.Bool().Draw(t, "retryable"), Partial: 4})
	default:
		other := rapid.SampledFrom(append(append(k.s.Agents(), society.User), k.words.dead...)).Draw(t, "other")
		target := rapid.SampledFrom(append(k.s.Agents(), k.words.dead...)).Draw(t, "target")
		role := rapid.SampledFrom(k.s.Roles()).Draw(t, "role")
		word := k.words.next(w.Item().Agent)
		k.do(society.Answered{Work: w.(society.Think), Usage: society.Usage{Input: 5, Output: 2}, Calls: []conversation.Call{rapid.SampledFrom([]conversation.Call{
			k.call("create_role", object{"name": "worker", "rolePrompt": "Work."}),
			k.call("spawn_agent", object{"roleId": role.ID, "taskBrief": object{
				"objective": word, "constraints": []string{}, "inputs": "a", "outputs": "b", "completion_criteria": "c",
			}}),
			k.call("send_message", object{"to": other, "payload": word}),
			k.call("send_message", object{"to": other, "message_type": "introduction_response", "delayMs": k.calls % 2 * 1000, "payload": object{"target": object{
				"id": target, "role": "x", "interfaceSpec": object{"services": word},
			}}}),
			k.call("send_message", object{"to": []society.AgentID{other, society.User}, "payload": word, "delayMs": k.calls % 3 * 1000}),
			k.call("terminate_agent", object{"agentId": other}),
			k.call("write", object{"content": word}),
			k.call("artifact_put", object{"name": "a"}),
			k.call("todo", object{"items": []object{{"text": word, "status": "pending"}, {"text": "look", "status": "done"}}[:k.calls%3]}),
			k.call("edit", object{"content": word}),
			k.call("edit", object{"content": "the same"}),
		}).Draw(t, "call")}})
	}
}

// squeeze compresses a full context, as the worker does.
func (k *kept) squeeze(w society.Work) {
	a := k.s.Agent(w.Item().Agent)
	var entries []conversation.Entry
	err := k.store.View(func(tx storage.Tx) (err error) {
		entries, err = tables.Entries(tx, a.ID, a.Tail.First, a.Tail.Next)
		return err
	})
	if err != nil {
		k.t.Fatalf("%v", err)
	}
	cut, did := conversation.PlanToFit(entries, 10, 100, conversation.BudgetsFor(0))
	k.do(society.Compressed{Work: w, Cut: cut, Did: did, Summary: k.words.next(w.Item().Agent), Guess: 50, Usage: society.Usage{Input: 9, Output: 1}})
}

// spent adds up what the store says was spent, on days that there were.
func (k *kept) spent() (sum society.Usage) {
	k.t.Helper()
	var sums []tables.Spent
	if err := k.store.View(func(tx storage.Tx) (err error) { sums, err = tables.AllSpent(tx); return err }); err != nil {
		k.t.Fatalf("%v", err)
	}
	for _, part := range sums {
		if at, err := time.ParseInLocation(time.DateOnly, part.Day, time.Local); err != nil || at.After(k.at) || k.at.Sub(at) > 1000*time.Hour {
			k.t.Fatalf("at %v this is what was spent: %+v", k.at, part)
		}
		sum = sum.Plus(part.Usage)
	}
	return sum
}

// Whatever happens, the sums by day, task and model are what all agents have used, the
// ended with them (SPEC.md, decision 6).
func TestWhatIsSpentIsWhatAllHaveUsed(t *testing.T) {
	t.Parallel()
	heard := propertytest.Met[string]{}
	heard.Check(t, propertytest.Once("society.AnswerKept", "society.AnswerDropped", "society.GraphAdvanced", "society.Compacted"), func(t *rapid.T) {
		k := found(t)
		k.heard = heard
		if rapid.Bool().Draw(t, "in a graph") {
			k.do(society.ChooseGraph{Role: "role-root", Graph: "views"})
			k.do(society.Send{To: society.Root, Text: "go"})
		}
		for range rapid.IntRange(1, 30).Draw(t, "steps") {
			k.step(t)
		}
		k.halted()
		var used society.Usage
		for _, id := range k.s.Agents() {
			used = used.Plus(k.s.Agent(id).Usage).Plus(k.s.Agent(id).Ended)
		}
		if got := k.spent(); got != used {
			t.Fatalf("%+v was spent, all have used %+v", got, used)
		}
	})
}

// eventTypes returns the types of all events that there are, as %T prints them.
func eventTypes(t *testing.T) (names []string) {
	t.Helper()
	files, err := filepath.Glob("../society/*.go")
	if err != nil {
		t.Fatal(err)
	}
	applies := regexp.MustCompile(`(?m)^func \((?:\w+ )?(\w+)\) apply\(\w+ \*State\)`)
	for _, file := range files {
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range applies.FindAllSubmatch(src, -1) {
			names = append(names, "society."+string(m[1]))
		}
	}
	if len(names) < 30 {
		t.Fatalf("only these events were found: %v", names)
	}
	return names
}

// The tables are the record: what is loaded from them is the state in memory, after each
// event that there is.
func TestLoadReturnsTheStateInMemory(t *testing.T) {
	t.Parallel()
	met := propertytest.Met[string]{}
	want := []string{"with open branches", "ended"}
	if !propertytest.Raced {
		want = append(want, eventTypes(t)...)
	}
	met.Check(t, propertytest.Once(want...), func(t *rapid.T) {
		k := found(t)
		for e, n := range k.heard {
			met[e] += n
		}
		k.heard = met
		switch rapid.IntRange(0, 7).Draw(t, "begins") {
		case 0:
			k.asks(t, society.Root)
		case 4:
			k.drains()
		case 5:
			k.merges(t)
		case 6:
			k.delays()
		case 1, 2, 3:
			k.do(society.ChooseGraph{Role: "role-root", Graph: rapid.SampledFrom([]string{"views", "side by side"}).Draw(t, "root's graph")})
			k.do(society.Send{To: society.Root, Text: "go"})
		}
		for range rapid.IntRange(1, 30).Draw(t, "steps") {
			if rapid.IntRange(0, 9).Draw(t, "rare") == 0 {
				k.rest(t)
			} else {
				k.step(t)
			}
		}
		loaded := society.Load(society.DefaultLimits(), k.load())
		if got, want := describe(loaded), describe(k.s); got != want {
			t.Fatalf("loaded:\n%s\nin memory:\n%s", got, want)
		}
		err := k.store.View(func(tx storage.Tx) error { return tables.Check(tx, loaded) })
		if err != nil {
			t.Fatal(err)
		}
		for _, id := range k.s.Agents() {
			a := k.s.Agent(id)
			if a.Ran != nil {
				met["ended"]++
			}
			if a.Turn != nil && a.Turn.Run != nil && a.Turn.Run.Forked() {
				met["with open branches"]++
			}
		}
	})
}

// What changed without becoming another record is not written again, and the counters
// only where they changed.
func TestOnlyChangedRowsAreWritten(t *testing.T) {
	t.Parallel()
	k := found(t)
	k.do(society.Send{To: society.Root, Text: "go"})
	record := func(changed society.Changed) map[string]bool {
		written := map[string]bool{}
		if err := k.store.Update(func(tx storage.Tx) error { return tables.Record(noting{tx, written}, k.s, nil, changed) }); err != nil {
			t.Fatal(err)
		}
		return written
	}
	all := society.Changed{Records: k.s.Agents(), Tasks: []society.TaskID{k.s.Agent(society.Root).Task}, Counters: true}
	if got := record(all); len(got) != 0 {
		t.Errorf("written again: %v", got)
	}
	events, _, err := k.s.Advance(k.at, society.Answered{Work: k.s.Owed()[0].(society.Think), Calls: []conversation.Call{k.call("look", object{})}})
	if err != nil || len(events) == 0 {
		t.Fatalf("%d events, %v", len(events), err)
	}
	changed := k.s.TakeChanged()
	if changed.Counters {
		t.Errorf("a call has changed the counters to %+v", k.s.Numbers())
	}
	if got := record(changed); !maps.Equal(got, map[string]bool{"agents": true}) {
		t.Errorf("of a call these tables are written: %v", got)
	}
	events, _, err = k.s.Advance(k.at, society.Send{To: society.Root, Text: "more"})
	if changed := k.s.TakeChanged(); err != nil || len(events) == 0 || !changed.Counters || !record(changed)["counters"] {
		t.Errorf("a message has left the counters as they were: %v", err)
	}
}

// S001 P15: what was the agent's is gone from every table, however many rows it
// had.
func TestRowsOfTerminatedAgentsAreDeleted(t *testing.T) {
	t.Parallel()
	k := found(t)
	k.do(society.Send{To: society.Root, Text: "go"})
	k.do(society.Answered{Work: k.s.Owed()[0].(society.Think), Calls: []conversation.Call{
		k.call("create_role", object{"name": "worker", "rolePrompt": "Work."}),
		k.call("spawn_agent", object{"roleId": "role-worker", "taskBrief": object{
			"objective": "look", "constraints": []string{}, "inputs": "a", "outputs": "b", "completion_criteria": "c",
		}}),
	}})
	for i := range 100 {
		k.do(society.Send{To: "worker-1", Text: fmt.Sprintf("private %d %s", i, strings.Repeat("x", 600<<10))})
		for _, w := range k.s.OwedBy("worker-1") {
			k.do(society.Answered{Work: w.(society.Think), Text: "private answer"})
		}
	}
	k.do(society.Terminate{Agent: "worker-1", By: society.User})
	k.halted()
	for range 20 {
		k.do(society.Send{To: society.Root, Text: "later commits"})
	}
	err := k.store.View(func(tx storage.Tx) error {
		for _, bucket := range []string{"agents", "said", "mail", "later", "contacts", "briefs", "chunks", "erase"} {
			for key := range tx.Range(bucket, nil, nil) {
				if strings.Contains(string(key), "worker-1") {
					return fmt.Errorf("%s still holds %q", bucket, key)
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestAMessageOfSixteenMegabytesComesBackWhole(t *testing.T) {
	t.Parallel()
	k := found(t)
	text := strings.Repeat("0123456789abcdef", 1<<20-10)
	k.do(society.Send{To: society.Root, Text: text})
	var entries []conversation.Entry
	err := k.store.View(func(tx storage.Tx) (err error) {
		entries, err = tables.Entries(tx, society.Root, 0, 0)
		return err
	})
	if err != nil || len(entries) != 1 || entries[0].Body != text {
		t.Fatalf("%d entries came back (%v)", len(entries), err)
	}
}

// SPEC.md, decision 33: one unreadable record is damage, nothing is skipped.
func TestARecordThatCannotBeReadIsNamed(t *testing.T) {
	t.Parallel()
	for name, raw := range map[string][]byte{"short": {1}, "not JSON": []byte("\x01\x00{"), "parts missing": {1, 1, 0, 0, 0, 3}, "parts uncounted": {1, 1, 9}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			k := found(t)
			if err := k.store.Update(func(tx storage.Tx) error { return tx.Put("agents", []byte("root"), raw) }); err != nil {
				t.Fatal(err)
			}
			err := k.store.View(func(tx storage.Tx) error { _, err := tables.Load(tx); return err })
			if !errors.Is(err, storage.ErrDamaged) || !strings.Contains(err.Error(), "root") {
				t.Fatalf("the damage is told as: %v", err)
			}
		})
	}
}

// Check names the table of any unreadable record; records that a society needs to go on
// are an error of Load already.
func TestWhicheverRecordCannotBeReadIsFound(t *testing.T) {
	t.Parallel()
	k := found(t)
	k.do(society.Send{To: society.Root, Text: "go"})
	k.do(society.Answered{Work: k.s.Owed()[0].(society.Think), Usage: society.Usage{Input: 1}, Calls: []conversation.Call{
		k.call("create_role", object{"name": "worker", "rolePrompt": "Work."}),
		k.call("spawn_agent", object{"roleId": "role-worker", "taskBrief": object{
			"objective": "look", "constraints": []string{}, "inputs": "a", "outputs": "b", "completion_criteria": "c",
		}}),
		k.call("spawn_agent", object{"roleId": "role-worker", "taskBrief": object{
			"objective": "see", "constraints": []string{}, "inputs": "a", "outputs": "b", "completion_criteria": "c",
		}}),
		k.call("send_message", object{"to": "worker-1", "payload": "later", "delayMs": 60_000}),
		k.call("send_message", object{"to": "user", "payload": "now"}),
	}})
	k.do(society.Terminate{Agent: "worker-2", By: society.User})
	k.halted()
	err := k.store.Update(func(tx storage.Tx) error {
		return errors.Join(
			tables.Note(tx, []tables.TimelineRecord{{Seq: 1}}, 10),
			tables.Keep(tx, "drafts", []byte("words")),
		)
	})
	if err != nil {
		t.Fatal(err)
	}
	loads := map[string]bool{}
	for _, bucket := range []string{"counters", "roles", "agents", "tasks", "tombs", "spent", "later", "contacts"} {
		loads[bucket] = true
	}
	undo := errors.New("undo")
	for _, bucket := range []string{
		"counters", "roles", "agents", "tasks", "tombs", "spent", "later", "contacts", "briefs", "mail", "said", "inbox", "timeline", "view",
	} {
		var loaded, checked error
		err := k.store.Update(func(tx storage.Tx) error {
			for key := range tx.Range(bucket, nil, nil) {
				if err := tx.Put(bucket, append([]byte(nil), key...), []byte("\x01\x00{")); err != nil {
					return err
				}
				var r society.Records
				if r, loaded = tables.Load(tx); loaded == nil {
					checked = tables.Check(tx, society.Load(society.DefaultLimits(), r))
				}
				return undo
			}
			return nil
		})
		if !errors.Is(err, undo) {
			t.Errorf("%s: there is no row: %v", bucket, err)
			continue
		}
		if err := errors.Join(loaded, checked); !errors.Is(err, storage.ErrDamaged) || !strings.Contains(err.Error(), bucket) {
			t.Errorf("%s: found is %v", bucket, err)
		}
		if loads[bucket] && loaded == nil {
			t.Errorf("%s: it is loaded all the same", bucket)
		}
	}
}

func TestARecordOfALaterVersionIsRefused(t *testing.T) {
	t.Parallel()
	k := found(t)
	if err := k.store.Update(func(tx storage.Tx) error { return tx.Put("agents", []byte("root"), []byte("\x02\x00{}")) }); err != nil {
		t.Fatal(err)
	}
	err := k.store.View(func(tx storage.Tx) error { _, err := tables.Load(tx); return err })
	if !errors.Is(err, storage.ErrNewer) {
		t.Fatalf("a later version is told as: %v", err)
	}
}

// A record that has shrunk, or is gone, leaves no parts behind (S001 P15).
func TestNoPartOfALargeRecordOutlivesIt(t *testing.T) {
	t.Parallel()
	k := found(t)
	k.do(society.Send{To: society.Root, Text: "go"})
	large := k.call("compress_context", object{"summary": strings.Repeat("secret ", 300_000)})
	k.do(society.Answered{Work: k.s.Owed()[0].(society.Think), Calls: []conversation.Call{large}})
	k.do(society.ToolDone{Work: k.s.Owed()[0].(society.Act), Text: "ok", Outcome: conversation.OK})
	k.do(society.Answered{Work: k.s.Owed()[0].(society.Think), Text: "done"})
	err := k.store.View(func(tx storage.Tx) error {
		for key := range tx.Range("chunks", nil, nil) {
			if strings.HasPrefix(string(key), "agents") {
				return fmt.Errorf("%q is a part of nothing", key)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
