package runtime_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"society-tui/llm/llmtest"
	"society-tui/runtime"
	"society-tui/runtime/api"
	"society-tui/runtime/approval"
	"society-tui/runtime/conversation"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/runtime/tool"
	"society-tui/storage/memdb"
)

// A plug is an MCP server whose tools a test sets.
type plug struct {
	mu      sync.Mutex
	tools   []tool.Tool
	changed func()
	runs    bool
}

func (p *plug) Run(ctx context.Context, changed func()) {
	p.mu.Lock()
	p.changed, p.runs = changed, true
	p.mu.Unlock()
	<-ctx.Done()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.runs = false
}

func (p *plug) running() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.runs
}

// has sets the tools: the names with their identities, in turn.
func (p *plug) has(tools ...string) {
	p.mu.Lock()
	p.tools = nil
	for i := 0; i < len(tools); i += 2 {
		p.tools = append(p.tools, &plugged{tools[i], tools[i+1]})
	}
	changed := p.changed
	p.mu.Unlock()
	changed()
	time.Sleep(time.Second) // the loop takes them between two batches
}

func (p *plug) Tools() []tool.Tool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.tools
}

// Tool waits as long as it may: the server may tell of the tool.
func (p *plug) Tool(ctx context.Context, name string) tool.Tool {
	for ctx.Err() == nil {
		for _, t := range p.Tools() {
			if t.(*plugged).name == name {
				return t
			}
		}
		time.Sleep(time.Second)
	}
	return nil
}

func (p *plug) Groups() []tool.Group { return []tool.Group{"mcp_docs"} }

func (p *plug) List() []api.Server                                     { return []api.Server{{Name: "docs", Group: "mcp_docs"}} }
func (p *plug) Output(string) (string, error)                          { return "", nil }
func (p *plug) Switch(context.Context, string, api.ServerSwitch) error { return nil }
func (p *plug) in(mode approval.Mode, rules ...approval.Rule) func(*runtime.Config) {
	return func(c *runtime.Config) { c.Servers, c.Approvals.Mode, c.Approvals.Rules = p, mode, rules }
}

// A plugged is a tool of a plug.
type plugged struct{ name, identity string }

func (t *plugged) Spec(protocol.Lang) tool.Spec {
	return tool.Spec{Name: t.name, Purpose: "Look it up.", Class: tool.ClassMCP, Group: "mcp_docs", Parameters: []tool.Property{tool.May("about", tool.Text(""))}}
}

func (t *plugged) Plan(context.Context, tool.Caller, json.RawMessage) (tool.Plan, error) {
	return tool.Plan{Summary: t.name, Hashes: map[string]string{"mcp:docs": t.identity}, Target: tool.Target{Server: "docs", Identity: t.identity}}, nil
}

func (t *plugged) Call(_ context.Context, by tool.Caller, _ json.RawMessage) (tool.Result, error) {
	if by.Hashes["mcp:docs"] != t.identity {
		return tool.Result{Text: `{"error":"stale"}`, Failed: true}, nil
	}
	return tool.Result{Text: "looked up by " + t.identity}, nil
}

// reader is a founding: root makes an agent with the tools of the server.
func reader() llmtest.Answer {
	return llmtest.CallTools(
		call("create_role", object{"name": "reader", "rolePrompt": "Read.", "toolGroups": []string{"talk", "mcp_docs"}}),
		call("spawn_agent", object{"roleId": "role-reader", "taskBrief": brief}),
	)
}

func (s *stage) toolsOf(id society.AgentID) (names []string) {
	s.t.Helper()
	p, err := s.r.Profile(s.ctx, id)
	if err != nil {
		s.t.Fatal(err)
	}
	for _, t := range p.Tools {
		if t.Group == "mcp_docs" {
			names = append(names, t.Name)
		}
	}
	return names
}

func TestToolsOfServersComeAndGoWithTheNextRequest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &plug{}
		look := call("mcp_docs_look", object{"about": "x"})
		c := newCast().plays("root", reader())
		c.plays("reader-1", llmtest.Say("there is nothing yet"), llmtest.CallTools(look), llmtest.Say("found"), llmtest.CallTools(look), llmtest.Say("found again"), llmtest.CallTools(look), llmtest.Say("it is gone"))
		s := run(t, c, memdb.New(), p.in(""))
		s.do(society.Send{To: society.Root, Text: "go"})
		time.Sleep(time.Second)
		if row, ok := s.rows()["reader-1"]; !ok || row.Error != "" {
			t.Fatalf("a role with the group of a server that has no tools yet: %+v", row)
		}
		if all, err := s.r.Servers(s.ctx); err != nil || len(all) != 1 || !slices.Equal(all[0].Roles, []string{"reader"}) {
			t.Errorf("the servers are %+v, %v", all, err)
		}
		if got := s.toolsOf("reader-1"); got != nil {
			t.Fatalf("before the server has told its tools there are %v", got)
		}
		p.has("mcp_docs_find", "1", "mcp_docs_look", "1")
		if got := s.toolsOf("reader-1"); !slices.Equal(got, []string{"mcp_docs_find", "mcp_docs_look"}) {
			t.Fatalf("then there are %v", got)
		}
		if got := s.toolsOf(society.Root); got != nil {
			t.Fatalf("root, who was not given the group, has %v", got)
		}
		s.do(society.Send{To: "reader-1", Text: "look"})
		list := s.waiting()
		if len(list) != 1 || list[0].Request.Target.Server != "docs" || list[0].Request.Target.Identity != "1" {
			t.Fatalf("there wait %+v", list)
		}
		s.answer(society.AllowInTask, list[0].ID)
		time.Sleep(time.Second)
		if e := lastResult(s.said("reader-1")); e.Text != "looked up by 1" {
			t.Fatalf("the call came to %q", e.Text)
		}
		p.has("mcp_docs_look", "2") // its description has changed
		s.do(society.Send{To: "reader-1", Text: "look again"})
		if list = s.waiting(); len(list) != 1 || list[0].Request.Target.Identity != "2" {
			t.Fatalf("of the tool that has changed there wait %+v", list)
		}
		p.has("mcp_docs_look", "3") // and changes once more before the yes
		s.answer(society.AllowOnce, list[0].ID)
		time.Sleep(time.Second)
		if e := lastResult(s.said("reader-1")); e.Outcome != conversation.Failed || !strings.Contains(e.Text, "stale") {
			t.Fatalf("the call came to %q", e.Text)
		}
		p.has()
		s.do(society.Send{To: "reader-1", Text: "and again"})
		if list := s.waiting(); len(list) != 0 {
			t.Fatalf("of a tool that is gone there wait %+v", list)
		}
		if e := lastResult(s.said("reader-1")); e.Outcome != conversation.Failed || !strings.Contains(e.Text, `there is no tool \"mcp_docs_look\"`) {
			t.Fatalf("a call of a tool that is gone came to %q", e.Text)
		}
	})
}

// After a restart a call that waits for the user is planned again, and its server needs a while
// until it has told its tools: the request is the same.
func TestACallThatWaitsIsAskedForAgainAfterARestartWhenItsServerIsReady(t *testing.T) {
	for _, comes := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			disk := &memDisk{memdb.New()}
			p := &plug{tools: []tool.Tool{&plugged{"mcp_docs_look", "1"}}}
			c := newCast().plays("root", reader()).plays("reader-1", llmtest.Say("ready"), llmtest.CallTools(call("mcp_docs_look", object{})), llmtest.Say("found"))
			s := run(t, c, disk.store(), p.in(""), func(cfg *runtime.Config) { cfg.Servers = p })
			time.Sleep(time.Second)
			p.has("mcp_docs_look", "1")
			s.do(society.Send{To: society.Root, Text: "go"})
			time.Sleep(time.Second)
			s.do(society.Send{To: "reader-1", Text: "look"})
			before := s.waiting()
			if len(before) != 1 {
				t.Fatalf("there wait %+v", before)
			}
			disk.crash()
			s.quit()
			late := &plug{}
			again := run(t, c, disk.store(), late.in(""))
			time.Sleep(5 * time.Second)
			if comes {
				late.has("mcp_docs_look", "1")
			}
			time.Sleep(time.Minute)
			after := again.waiting()
			if !comes {
				if e := lastResult(again.said("reader-1")); len(after) != 0 || !strings.Contains(e.Text, "there is no tool") {
					t.Fatalf("without the tool there wait %+v, and the call came to %q", after, e.Text)
				}
				return
			}
			if len(after) != 1 || after[0].ID != before[0].ID || after[0].Request.Class != tool.ClassMCP {
				t.Fatalf("there wait %+v, before the restart %+v", after, before)
			}
			again.answer(society.AllowOnce, after[0].ID)
			time.Sleep(time.Second)
			if e := lastResult(again.said("reader-1")); e.Text != "looked up by 1" {
				t.Fatalf("the call came to %q", e.Text)
			}
		})
	}
}

// A rule can name a tool before its server has told of it. One of no server is an error.
func TestARuleCanNameAToolOfAServerThatDoesNotRunYet(t *testing.T) {
	tools := map[string]bool{"mcp_docs_look": false, "mcp_dogs_look": true, "mcp_docs": true}
	synctest.Test(t, func(t *testing.T) {
		p := &plug{}
		s := run(t, newCast(), memdb.New(), p.in(""))
		for name, wrong := range tools {
			_, err := s.r.Do(s.ctx, society.MakeRule{Rule: approval.Rule{Tool: name, Do: approval.Deny}})
			if (err != nil) != wrong {
				t.Errorf("MakeRule for %s: %v", name, err)
			}
		}
		s.quit()
	})
	for name, wrong := range tools {
		r, err := runtime.Open(runtime.Config{
			Store: memdb.New(), Model: llmtest.Script("m"), Servers: &plug{},
			Approvals: society.ApprovalSettings{Rules: []approval.Rule{{Tool: name, Do: approval.Allow}}},
		})
		if (err != nil) != wrong {
			t.Errorf("with a rule for %s: Open = %v", name, err)
		}
		_ = r
	}
}

func TestServersEndWithTheSociety(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &plug{}
		s := run(t, newCast(), memdb.New(), p.in(""))
		time.Sleep(time.Second)
		if !p.running() {
			t.Error("the servers do not run")
		}
		s.quit()
		if p.running() {
			t.Error("the servers run when the society has ended")
		}
	})
}

func TestWatchersAreToldThatServersHaveChanged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := &plug{}
		s := run(t, newCast(), memdb.New(), p.in(""))
		w := s.r.Watch()
		defer w.Close()
		time.Sleep(time.Second) // the servers run
		first, err := w.Next(s.ctx)
		if err != nil {
			t.Fatal(err)
		}
		p.has("mcp_docs_look", "1")
		second, err := w.Next(s.ctx)
		if err != nil || second.Servers <= first.Servers {
			t.Errorf("Servers was %d, and is %d, %v", first.Servers, second.Servers, err)
		}
		p.has("mcp_docs_look", "1")
		third, err := w.Next(s.ctx)
		if err != nil || third.Servers <= second.Servers {
			t.Errorf("Servers was %d, and is %d, %v", second.Servers, third.Servers, err)
		}
	})
}
