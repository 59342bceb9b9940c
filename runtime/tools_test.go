package runtime_test

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"society-tui/llm"
	"society-tui/llm/llmtest"
	"society-tui/llm/registry"
	"society-tui/runtime"
	"society-tui/runtime/conversation"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/runtime/template"
	"society-tui/runtime/tool"
	"society-tui/runtime/tool/artifacts"
	"society-tui/runtime/tool/org"
	"society-tui/runtime/tool/todo"
	"society-tui/storage/memdb"
)

// Every tool that is offered works: each is called through the real loop, rightly and
// wrongly, in each language.
func TestEveryOfferedToolAnswersRightAndWrongCalls(t *testing.T) {
	for _, lang := range protocol.Langs() {
		for _, spec := range slices.Concat(org.Specs(lang, org.Offer{}), []tool.Spec{todo.Spec(lang)}, artifacts.Specs(lang, false)) {
			t.Run(string(lang)+" "+spec.Name, func(t *testing.T) {
				calls, ok := tried[spec.Name]
				if !ok {
					t.Fatalf("no test calls %s", spec.Name)
				}
				synctest.Test(t, func(t *testing.T) { callTool(t, lang, spec.Name, calls) })
			})
		}
	}
}

// What agents are sent of tools is taken by every endpoint, whatever models and graphs
// there are to choose from, and in each step of a graph.
func TestEverySchemaThatIsSentIsTakenByEveryEndpoint(t *testing.T) {
	t.Parallel()
	for _, lang := range protocol.Langs() {
		synctest.Test(t, func(t *testing.T) {
			big, small := llmtest.Func("big", newCast().answer), llmtest.Func("small", newCast().answer)
			s := run(t, newCast(), memdb.New(), among(t,
				registry.Entry{Name: "big", Model: big}, registry.Entry{Name: "small", Model: small, Capabilities: []string{"fast"}},
			), func(cfg *runtime.Config) { cfg.Lang, cfg.Graphs = lang, template.Graphs }, withKeepers)
			s.do(society.Send{To: "keeper-1", Text: "go"})
			for _, graph := range []string{"", "draft-review", "three-views"} {
				s.do(society.ChooseGraph{Role: "role-root", Graph: graph})
				s.do(society.Send{To: society.Root, Text: "go"})
				time.Sleep(time.Minute)
			}
			sent := map[string]bool{}
			for _, r := range big.Requests() {
				for _, spec := range r.Request.Tools {
					sent[spec.Name] = true
					if err := llm.CheckSchema(spec.Parameters); err != nil {
						t.Errorf("%s: %s: %v", lang, spec.Name, err)
					}
					if spec.Name == "create_role" && (!strings.Contains(string(spec.Parameters), "small (fast)") || !strings.Contains(string(spec.Parameters), "three-views")) {
						t.Errorf("%s: neither models nor graphs are offered: %s", lang, spec.Parameters)
					}
				}
			}
			if want := len(tried) + 1; len(sent) != want { // and read
				t.Errorf("%s: %d tools are sent, want %d: %v", lang, len(sent), want, sent)
			}
		})
	}
}

// A trial is how a tool is called, and what its result must hold.
type trial struct {
	right, holds object
	wrong        object
	code         string
	puts         object // an artifact, first
	text         string // the end of a result that is no JSON
}

var brief = object{
	"objective": "look", "constraints": []string{"in Go"}, "inputs": "a", "outputs": "b", "completion_criteria": "c",
}

var tried = map[string]trial{
	org.CreateRole: {
		right: object{"name": "tester", "rolePrompt": "Test."}, holds: object{"ok": true, "roleId": "role-tester"},
		wrong: object{"name": "user", "rolePrompt": "Test."}, code: "invalid_arguments",
	},
	org.FindRole: {
		right: object{"query": "work"}, holds: object{},
		wrong: object{"query": ""}, code: "invalid_arguments",
	},
	org.ListRoles: {right: object{}, holds: object{}},
	org.SpawnAgent: {
		right: object{"roleId": "role-worker", "taskBrief": brief}, holds: object{"ok": true, "agentId": "worker-2", "roleName": "worker"},
		wrong: object{"roleId": "role-worker", "taskBrief": object{"objective": "look"}}, code: "invalid_task_brief",
	},
	org.TerminateAgent: {
		right: object{"agentId": "worker-1"}, holds: object{"ok": true, "terminated": true, "terminatedAgentId": "worker-1"},
		wrong: object{"agentId": "root"}, code: "not_your_child",
	},
	org.SendMessage: {
		right: object{"to": "worker-1", "payload": "hello"}, holds: object{"ok": true, "contactKnown": true},
		wrong: object{"to": "nobody-1", "payload": "hello"}, code: "agent_not_found",
	},
	org.ListContacts: {right: object{}, holds: object{}},
	org.GetOrg:       {right: object{}, holds: object{}},
	org.CompressContext: {
		right: object{"summary": "much was said", "keepRecentCount": 0}, holds: object{"ok": true, "compressed": true},
		wrong: object{"summary": "much was said", "keepRecentCount": -1}, code: "invalid_arguments",
	},
	org.ContextStatus: {right: object{}, holds: object{"maxMessages": 50.0}},
	artifacts.Put: {
		right: object{"name": "r", "content": "text"}, holds: object{"ok": true, "id": "a1", "version": 1.0, "cite": "artifact:a1"},
		wrong: object{"name": "r", "path": "x", "content": "text"}, code: "invalid_arguments",
	},
	artifacts.Get: {
		puts:  object{"name": "r", "content": "text"},
		right: object{"id": "a1"}, text: "text",
		wrong: object{"id": "a1", "name": "r"}, code: "invalid_arguments",
	},
	artifacts.List: {right: object{}, holds: object{}},
	todo.Name: {
		right: object{"items": []object{{"text": "look", "status": "in_progress"}}}, holds: object{"ok": true, "total": 1.0},
		wrong: object{"items": []object{{"text": "look", "status": "perhaps"}}}, code: "invalid_arguments",
	},
}

func callTool(t *testing.T, lang protocol.Lang, name string, trial trial) {
	t.Helper()
	by := society.AgentID("keeper-1")
	var script []llmtest.Answer
	if _, ok := org.GroupOf(name); ok {
		by, script = society.Root, []llmtest.Answer{spawning(1)}
	}
	if trial.puts != nil {
		script = append(script, llmtest.CallTools(call(artifacts.Put, trial.puts)))
	}
	if trial.wrong != nil {
		script = append(script, llmtest.CallTools(call(name, trial.wrong)))
	}
	script = append(script, llmtest.CallTools(call(name, trial.right)), llmtest.Say("done"))
	c := newCast().plays(string(by), script...).plays("worker-1", llmtest.When(delay(t, time.Second), llmtest.Say("x")))
	s := run(t, c, memdb.New(), withKeepers, func(cfg *runtime.Config) { cfg.Lang = lang })
	s.do(society.Send{To: by, Text: "go"})
	time.Sleep(time.Minute)
	var results []conversation.Entry
	calls := map[string]string{}
	for _, e := range s.said(by) {
		for _, call := range e.Calls {
			calls[call.ID] = call.Name
		}
		if e.Kind == conversation.Result && calls[e.CallID] == name {
			results = append(results, e)
		}
	}
	if trial.wrong != nil {
		i := len(results) - 2
		holds(t, results[i], conversation.Failed, object{"error": trial.code})
	}
	last := results[len(results)-1]
	if trial.text != "" {
		if last.Outcome != conversation.OK || !strings.HasSuffix(last.Text, "\n"+trial.text) {
			t.Errorf("the result is %s, %q, and does not end with %q", last.Outcome, last.Text, trial.text)
		}
		return
	}
	holds(t, last, conversation.OK, trial.holds)
}

func holds(t *testing.T, e conversation.Entry, outcome conversation.Outcome, want object) {
	t.Helper()
	var got object
	if err := json.Unmarshal([]byte(e.Text), &got); err != nil {
		t.Fatalf("the result is not JSON (%v): %s", err, e.Text)
	}
	if e.Outcome != outcome {
		t.Fatalf("the outcome is %s, not %s: %s", e.Outcome, outcome, e.Text)
	}
	for field, value := range want {
		if got[field] != value {
			t.Errorf("%s is %v, not %v: %s", field, got[field], value, e.Text)
		}
	}
	if outcome == conversation.Failed && (got["message"] == nil || got["message"] == "") {
		t.Errorf("the refusal does not say what to do: %s", e.Text)
	}
}

// S000 6.1, 6.2, 6.4, 6.5: what the log says, and that it holds no bodies.
func TestTheLogTellsLifecycleCallsAndQueuesWithoutBodies(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var out bytes.Buffer
		log := slog.New(slog.NewTextHandler(&out, nil))
		c := newCast().plays("root", spawning(1), llmtest.Say("secret plan"), llmtest.FailAfter("secret half", &llm.Error{Class: llm.Overload, Text: "busy"}))
		c.plays("worker-1", llmtest.Hang())
		s := run(t, c, memdb.New(), func(cfg *runtime.Config) { cfg.Log = log; cfg.IdleWarning = 10 * time.Minute })
		s.do(society.Send{To: society.Root, Text: "secret wish"})
		time.Sleep(time.Hour) // root rests and waits for worker-1
		s.do(society.Send{To: "worker-1", Text: "secret question"})
		s.do(society.Interrupt{Agent: "worker-1"})
		s.do(society.Stop{Agent: "worker-1"})
		s.do(society.Terminate{Agent: "worker-1", By: society.User})
		s.do(society.Send{To: society.Root, Text: "secret wish"})
		time.Sleep(time.Minute)
		s.quit()
		text := out.String()
		for _, want := range []string{
			"spawned", "message accepted", "queue=1", "messages read", "outcome=ok", "took=", "input=", "output=",
			"outcome=overload", "outcome=cancelled", "discarded=", "interrupted", "retry", "paused", "stopped", "terminated",
			"agent is idle for long", "society stopped", "processed=", "pending=",
		} {
			if !strings.Contains(text, want) {
				t.Errorf("the log does not say %q", want)
			}
		}
		if strings.Contains(text, "secret") {
			t.Errorf("the log holds what was said:\n%s", text)
		}
		if t.Failed() {
			t.Log(text)
		}
	})
}
