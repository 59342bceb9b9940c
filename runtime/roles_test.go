package runtime_test

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"society-tui/llm/llmtest"
	"society-tui/runtime"
	"society-tui/runtime/conversation"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/runtime/tool"
	"society-tui/storage/memdb"
)

// duo is a template of a critic below root and a reader below the critic, who may
// only answer.
func duo(protocol.Lang) society.AddTeam {
	task, err := json.Marshal(brief)
	if err != nil {
		panic(err)
	}
	return society.AddTeam{
		Template: "duo", Once: true,
		Roles: []society.TeamRole{
			{Name: "critic", Prompt: "Find what is wrong.", Tools: []tool.Group{"organise", "talk"}},
			{Name: "reader", Prompt: "Read.", Tools: []tool.Group{}},
		},
		Agents: []society.TeamAgent{{Role: "critic", Brief: task}, {Role: "reader", Parent: "critic", Brief: task}},
	}
}

// What the inspector shows of an agent's prompt is what its model is sent, byte
// for byte: with the addition, the brief, the contacts, its own tools and the
// warning, in each language.
func TestThePromptThatIsShownIsThePromptThatIsSent(t *testing.T) {
	for _, lang := range protocol.Langs() {
		t.Run(string(lang), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				c := newCast().plays("root", llmtest.Hang(), llmtest.Hang()).plays("critic-1", llmtest.Hang()).plays("reader-1", llmtest.Hang())
				limits := society.DefaultLimits()
				limits.ContextMessages = 2
				s := run(t, c, memdb.New(), func(cfg *runtime.Config) {
					cfg.Lang, cfg.Addition, cfg.FirstTeam, cfg.Limits = lang, "Answer in verse.\nAlways.", duo, limits
				})
				for _, id := range []society.AgentID{"root", "critic-1", "reader-1"} {
					for range 3 { // more than the context is to hold
						s.do(society.Send{To: id, Text: "look"})
					}
					synctest.Wait() // else the first request might be noted after the second
					s.do(society.Interrupt{Agent: id, Text: "again"})
				}
				synctest.Wait()
				requests := s.model.Requests()
				for _, id := range []society.AgentID{"root", "critic-1", "reader-1"} {
					p, err := s.r.Profile(s.ctx, id)
					if err != nil {
						t.Fatal(err)
					}
					at := len(requests) - 1
					for at >= 0 && identity(requests[at].Request.System) != string(id) {
						at--
					}
					if at < 0 {
						t.Fatalf("%s was never asked", id)
					}
					if sent := requests[at].Request; sent.System != p.System {
						t.Errorf("%s is shown\n%s\nand sent\n%s", id, p.System, sent.System)
					}
					var names []string
					for _, spec := range requests[at].Request.Tools {
						names = append(names, spec.Name)
					}
					var shown []string
					for _, tool := range p.Tools {
						shown = append(shown, tool.Name)
						if harmless := tool.Name == "find_role" || tool.Name == "list_roles" || tool.Name == "list_contacts" || tool.Name == "get_org" || tool.Name == "context_status" || tool.Name == "read"; tool.Writes == harmless || tool.Purpose == "" {
							t.Errorf("of %s is shown %+v", tool.Name, tool)
						}
					}
					if !slices.Equal(names, shown) {
						t.Errorf("%s is offered %v, and shown %v", id, names, shown)
					}
					if !strings.Contains(p.System, "Answer in verse.\nAlways.") {
						t.Errorf("%s is told nothing of the addition:\n%s", id, p.System)
					}
					warning := map[protocol.Lang]string{protocol.English: "# Context warning", protocol.Chinese: "# 上下文警告"}[lang]
					if warned := strings.Contains(p.System, warning); warned != (id == "root") { // who could compress it
						t.Errorf("%s is warned: %t", id, warned)
					}
				}
			})
		})
	}
}

// A role is offered its own tools, and reading, and no others; a call of another is
// answered, and the turn goes on.
func TestAnAgentIsOfferedTheToolsOfItsRole(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		clock := &toolOf{text: "noon", spec: tool.Spec{Name: "clock", Purpose: "Tell the time.", Class: tool.ClassRead, Group: "time"}}
		c := newCast().plays("critic-1", llmtest.CallTools(call("clock", object{})), llmtest.Say("no clock")).
			plays("reader-1", llmtest.CallTools(call("send_message", object{"to": "user", "payload": "hello"})), llmtest.Say("so be it"))
		c.plays("root", llmtest.CallTools(call("clock", object{})), llmtest.Say("late"))
		c.plays("watch-1", llmtest.CallTools(call("clock", object{})), llmtest.Say("noon"))
		team := func(l protocol.Lang) society.AddTeam {
			p := duo(l)
			p.Roles = append(p.Roles, society.TeamRole{Name: "watch", Prompt: "Tell the time.", Tools: []tool.Group{"time"}})
			p.Agents = append(p.Agents, society.TeamAgent{Role: "watch", Brief: p.Agents[0].Brief})
			return p
		}
		s := run(t, c, memdb.New(), func(cfg *runtime.Config) { cfg.FirstTeam, cfg.Tools = team, []tool.Tool{clock} })
		for _, id := range []society.AgentID{"root", "critic-1", "reader-1", "watch-1"} {
			s.do(society.Send{To: id, Text: "go"})
		}
		time.Sleep(time.Minute)
		for id, want := range map[society.AgentID]struct {
			outcome conversation.Outcome
			tools   int
		}{"root": {conversation.Failed, 11}, "critic-1": {conversation.Failed, 9}, "reader-1": {conversation.Failed, 1}, "watch-1": {conversation.OK, 2}} {
			said := s.said(id)
			if len(said) != 4 || said[2].Outcome != want.outcome {
				t.Errorf("%s: %+v", id, said)
			}
			if p, err := s.r.Profile(s.ctx, id); err != nil || len(p.Tools) != want.tools {
				t.Errorf("%s is offered %v (%v)", id, p.Tools, err)
			}
		}
		if clock.calls != 1 {
			t.Errorf("the clock was asked %d times", clock.calls)
		}
	})
}

// An edited prompt holds from the next request on; what is asked now goes on with
// the old one. It survives a restart, and so does the first team, once.
func TestAnEditedPromptHoldsFromTheNextRequestOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := memdb.New()
		c := newCast().plays("critic-1", llmtest.After(time.Minute, llmtest.CallTools(call("get_org", object{}))), llmtest.Say("done"))
		s := run(t, c, store, func(cfg *runtime.Config) { cfg.FirstTeam = duo })
		if p, err := s.r.FirstTeam(); err != nil || len(p.Agents) != 2 || p.Before != 0 {
			t.Fatalf("%+v, %v", p, err)
		}
		s.do(society.Send{To: "critic-1", Text: "go"})
		time.Sleep(time.Second)
		change := s.do(society.EditRole{Role: "role-critic", Prompt: "Praise."}).(society.RoleChange)
		if !change.Changed || change.Agents != 1 {
			t.Errorf("%+v", change)
		}
		time.Sleep(2 * time.Minute)
		var sent []string
		for _, r := range s.model.Requests() {
			sent = append(sent, map[bool]string{true: "old", false: "new"}[strings.Contains(r.Request.System, "Find what is wrong.")])
		}
		if !slices.Equal(sent, []string{"old", "new"}) {
			t.Errorf("sent were %v", sent)
		}
		s.quit()
		again := run(t, newCast(), store, func(cfg *runtime.Config) { cfg.FirstTeam = duo })
		if p, err := again.r.FirstTeam(); err != nil || p.Before != 1 || p.Agents != nil {
			t.Errorf("it was added twice: %+v, %v", p, err)
		}
		roles, err := again.r.Roles(again.ctx)
		if err != nil || len(roles) != 3 || roles[1].Prompt != "Praise." || roles[1].Agents != 1 {
			t.Errorf("%+v, %v", roles, err)
		}
	})
}

// A template that is refused does not keep the society from opening.
func TestARefusedTemplateIsToldAndTheSocietyOpens(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := run(t, newCast(), memdb.New(), func(cfg *runtime.Config) {
			cfg.FirstTeam = func(l protocol.Lang) society.AddTeam {
				p := duo(l)
				p.Roles[1].Model = "gpt-x"
				return p
			}
		})
		if _, err := s.r.FirstTeam(); err == nil || !strings.Contains(err.Error(), `the model "gpt-x" is not set up (there is scripted)`) {
			t.Errorf("%v", err)
		}
		if rows := s.rows(); len(rows) != 1 {
			t.Errorf("%v", rows)
		}
	})
}

// toolOf is a tool that answers at once and counts its calls.
type toolOf struct {
	spec  tool.Spec
	text  string
	calls int
}

func (f *toolOf) Spec(protocol.Lang) tool.Spec { return f.spec }

func (f *toolOf) Call(context.Context, tool.Caller, json.RawMessage) (tool.Result, error) {
	f.calls++
	return tool.Result{Text: f.text}, nil
}
