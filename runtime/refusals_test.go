package runtime_test

import (
	"encoding/json"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"
	"unicode"

	"society-tui/llm"
	"society-tui/llm/llmtest"
	"society-tui/runtime"
	"society-tui/runtime/conversation"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/runtime/tool"
	"society-tui/storage/memdb"
	"society-tui/storage/storagetest"
)

// A provocation is what leads to a refusal: calls of root, which has the children
// worker-1, which never answers and has a message waiting, and worker-2, which is
// stopped; or a command.
type provocation struct {
	limits func(*society.Limits)
	calls  []llm.Call
	cmd    society.Command
	outage bool // nothing can be saved
	trees  int  // how many git worktrees can be made, 0 if agents have none
}

var provocations = map[society.Code]provocation{
	society.InvalidTaskBrief: {calls: []llm.Call{
		call("spawn_agent", object{"roleId": "role-worker"}),
		call("spawn_agent", object{"roleId": "role-worker", "taskBrief": "do it"}),
		call("spawn_agent", object{"roleId": "role-worker", "taskBrief": with(brief, "constraints", 7)}),
		call("spawn_agent", object{"roleId": "role-worker", "taskBrief": with(brief, "collaborators", []object{{"agentId": "nobody-1"}, {}})}),
	}},
	society.InvalidMessageFormat: {calls: []llm.Call{
		call("send_message", object{"to": "worker-1"}),
		call("send_message", object{"to": "worker-1", "payload": 7}),
		call("send_message", object{"to": "worker-1", "message_type": "gossip", "payload": "x"}),
		call("send_message", object{"to": "worker-1", "message_type": "task_assignment", "payload": "x"}),
		call("send_message", object{"to": "worker-1", "message_type": "introduction_request", "payload": object{"reason": true}}),
		call("spawn_agent", object{"roleId": "role-worker", "taskBrief": brief, "initialMessage": 7}),
	}},
	society.InvalidArguments: {calls: []llm.Call{
		{Name: "get_org", Arguments: "[]"},
		call("fly", object{}),
		call("send_message", object{"payload": "x"}),
		call("send_message", object{"to": []int{7}, "payload": "x"}),
		call("send_message", object{"to": "worker-1", "payload": "x", "delayMs": -1}),
		call("send_message", object{"to": "worker-1", "payload": "x", "quickReplies": "yes"}),
		call("spawn_agent", object{"taskBrief": brief}),
		call("spawn_agent", object{"roleId": "role-nobody", "taskBrief": brief}),
		call("create_role", object{"name": "user", "rolePrompt": "x"}),
		call("create_role", object{"name": "fine", "rolePrompt": " "}),
		call("create_role", object{"name": "fine", "rolePrompt": "x", "interfaceSpec": 7}),
		call("create_role", object{"name": "fine", "rolePrompt": "x", "toolGroups": []string{"magic"}}),
		call("create_role", object{"name": "fine", "rolePrompt": "x", "model": "huge"}),
		call("create_role", object{"name": "fine", "rolePrompt": "x", "capability": "wise"}),
		call("create_role", object{"name": "fine", "rolePrompt": "x", "model": "huge", "capability": "wise"}),
		call("create_role", object{"name": "fine", "rolePrompt": "x", "graph": "none"}),
		call("find_role", object{"query": " "}),
		call("terminate_agent", object{"agentId": 7}),
		call("compress_context", object{"summary": " ", "keepRecentCount": -1}),
		call("read", object{"offset": -1}),
		call("read", object{"path": "plan.md"}),
	}},
	society.InvalidRecipient: {calls: []llm.Call{
		call("send_message", object{"to": "root", "payload": "x"}),
		call("send_message", object{"to": "root", "payload": "x", "delayMs": 1000}),
		call("terminate_agent", object{"agentId": "user"}),
	}},
	society.AgentNotFound: {calls: []llm.Call{
		call("send_message", object{"to": "nobody-1", "payload": "x"}),
		call("terminate_agent", object{"agentId": "nobody-1"}),
	}},
	society.AgentStopped: {calls: []llm.Call{call("send_message", object{"to": "worker-2", "payload": "x"})}},
	society.NotYourChild: {calls: []llm.Call{call("terminate_agent", object{"agentId": "root"})}},
	society.TaskNotFound: {cmd: society.Send{To: society.Root, Text: "x", Task: "none"}},
	society.LimitReached: {
		limits: func(l *society.Limits) { l.Children = 2 },
		calls:  []llm.Call{call("spawn_agent", object{"roleId": "role-worker", "taskBrief": brief})},
	},
	society.MailboxFull: {
		limits: func(l *society.Limits) { l.Queue = 1 },
		calls:  []llm.Call{call("send_message", object{"to": "worker-1", "payload": "x"})},
	},
	society.TooLarge: {
		limits: func(l *society.Limits) { l.MessageBytes = 500 },
		calls: []llm.Call{
			call("send_message", object{"to": "worker-1", "payload": strings.Repeat("x", 501)}),
			call("spawn_agent", object{"roleId": "role-worker", "taskBrief": with(brief, "inputs", strings.Repeat("x", 501))}),
		},
	},
	society.NoWorktree:       {trees: 2, calls: []llm.Call{call("spawn_agent", object{"roleId": "role-worker", "taskBrief": brief})}},
	society.StoreUnavailable: {cmd: society.Send{To: society.Root, Text: "x"}, outage: true},
}

// with returns an object with one field that is another.
func with(o object, field string, value any) object {
	other := object{field: value}
	for name, value := range o {
		if name != field {
			other[name] = value
		}
	}
	return other
}

// Every code of the closed list comes with words in the language of the society.
func TestEveryRefusalIsSaidInTheLanguageOfTheSociety(t *testing.T) {
	t.Parallel()
	codes := codesInSource(t)
	if len(codes) != len(provocations) {
		t.Errorf("%d codes, %d are provoked", len(codes), len(provocations))
	}
	for _, lang := range protocol.Langs() {
		for _, code := range codes {
			t.Run(string(lang)+" "+string(code), func(t *testing.T) {
				p, ok := provocations[code]
				if !ok {
					t.Fatalf("nothing provokes %s", code)
				}
				synctest.Test(t, func(t *testing.T) { p.provoke(t, lang, code) })
			})
		}
	}
}

func (p provocation) provoke(t *testing.T, lang protocol.Lang, code society.Code) {
	t.Helper()
	limits := society.DefaultLimits()
	if p.limits != nil {
		p.limits(&limits)
	}
	c := newCast().plays("root", spawning(2), llmtest.Say("asked"), llmtest.CallTools(p.calls...))
	c.plays("worker-1", llmtest.Hang()).plays("worker-2", llmtest.Hang())
	store := storagetest.NewFaulty(memdb.New())
	s := run(t, c, store, func(cfg *runtime.Config) {
		cfg.Lang, cfg.Limits = lang, limits
		cfg.Worktrees, cfg.Isolate = &fakeTrees{most: p.trees}, p.trees > 0
	})
	s.do(society.Send{To: society.Root, Text: "go"})
	time.Sleep(time.Second)
	s.do(society.Stop{Agent: "worker-2"})
	s.do(society.Send{To: "worker-1", Text: "are you there?"})
	if p.outage {
		store.FailAll(errFull)
		defer func() { store.Heal(); time.Sleep(2 * time.Second) }()
	}
	if p.cmd != nil {
		_, err := s.r.Do(s.ctx, p.cmd)
		refusal, _ := errors.AsType[*society.Refusal](err)
		if !refusedAs(err, code) {
			t.Fatalf("%T comes to %v, want %s", p.cmd, err, code)
		}
		inLanguage(t, lang, refusal.Why.In(lang))
		return
	}
	s.do(society.Send{To: society.Root, Text: "go on"})
	time.Sleep(time.Second)
	var answers []conversation.Entry
	for _, e := range s.said(society.Root) {
		if e.Kind == conversation.Result {
			answers = append(answers, e)
		}
	}
	answers = answers[len(answers)-len(p.calls):]
	for i, e := range answers {
		var said struct {
			Error   society.Code
			Message string
			Errors  []string
		}
		if err := json.Unmarshal([]byte(e.Text), &said); err != nil || said.Error != code || e.Outcome != conversation.Failed {
			t.Fatalf("%s %s is answered %s, want %s", p.calls[i].Name, p.calls[i].Arguments, e.Text, code)
		}
		inLanguage(t, lang, append(said.Errors, said.Message)...)
	}
}

func inLanguage(t *testing.T, lang protocol.Lang, texts ...string) {
	t.Helper()
	for _, text := range texts {
		han := strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Han, r) })
		if text == "" || han != (lang == protocol.Chinese) {
			t.Errorf("in %s it says %q", lang, text)
		}
	}
}

// codesInSource reads the codes from where they are declared, so that none can be
// forgotten here.
func codesInSource(t *testing.T) (codes []society.Code) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), "society/refusal.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if spec, ok := n.(*ast.ValueSpec); ok {
			if of, ok := spec.Type.(*ast.Ident); ok && of.Name == "Code" {
				code, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
				if err != nil {
					t.Fatal(err)
				}
				codes = append(codes, society.Code(code))
			}
		}
		return true
	})
	return codes
}

// Errors in arguments of workers' tools, and the words for an empty result, are in the
// language of the society too.
func TestToolsOfWorkersAnswerInTheLanguageOfTheSociety(t *testing.T) {
	t.Parallel()
	for _, lang := range protocol.Langs() {
		t.Run(string(lang), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				silent := &toolOf{spec: tool.Spec{Name: "silent", Purpose: "Be silent.", Parameters: []tool.Property{tool.Must("at", tool.Text(""))}, Class: tool.ClassRead, Group: tool.Read}}
				c := newCast().plays("root", llmtest.CallTools(call("silent", object{"at": "it"}), call("silent", object{"at": 7})))
				s := run(t, c, memdb.New(), func(cfg *runtime.Config) { cfg.Lang, cfg.Tools = lang, []tool.Tool{silent} })
				s.do(society.Send{To: society.Root, Text: "go"})
				time.Sleep(time.Second)
				requests := s.model.Requests()
				told := requests[len(requests)-1].Request.Messages
				if len(told) < 2 || silent.calls != 1 {
					t.Fatalf("%d calls, the model is told %+v", silent.calls, told)
				}
				for _, m := range told[len(told)-2:] {
					inLanguage(t, lang, m.Text)
				}
			})
		})
	}
}
