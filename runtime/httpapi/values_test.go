package httpapi_test

import (
	"context"
	"fmt"
	"iter"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"society-tui/llm"
	"society-tui/llm/llmtest"
	"society-tui/runtime/httpapi"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
)

// spawning is a model of root that makes a child with a brief; the child answers slowly.
func spawning() llm.Model {
	return llmtest.Func("spawning", func(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
		switch last := req.Messages[len(req.Messages)-1]; {
		case last.Role == llm.User && strings.Contains(last.Text, "spawn"):
			brief := `{"objective":"count","constraints":[],"inputs":"a list","outputs":"a number","completion_criteria":"it is right","deadline":"friday"}`
			return llmtest.CallTools(llm.Call{Name: "spawn_agent", Arguments: `{"roleId":"role-counter","taskBrief":` + brief + `}`})(ctx, req)
		case last.Role == llm.User:
			return llmtest.HangAfter("one, two")(ctx, req)
		}
		return llmtest.Say("done")(ctx, req)
	})
}

func TestAnAgentIsShownWithAllThatItWasGiven(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := openSite(t, spawning())
		defer s.leave()
		do(s, society.MakeRole{Name: "Counter", Prompt: "You count.", Interface: &protocol.InterfaceSpec{Services: "counting", Examples: []string{"1 2 3"}}})
		task := do(s, society.Send{To: society.Root, Text: "spawn"}).Task
		time.Sleep(time.Second)
		d := get[struct {
			httpapi.AgentDetails
			Brief map[string]any `json:"brief"`
		}](s, "/api/agents/counter-1")
		if d.Brief["deadline"] != "friday" || d.Brief["objective"] != "count" {
			t.Errorf("the brief is %v", d.Brief)
		}
		if d.ID != "counter-1" || d.ParentID != "root" || d.TaskID != string(task) || d.State != "waiting_llm" || d.RoleID != "role-counter" || d.Status != "active" {
			t.Errorf("the agent is %+v", d.Agent)
		}
		if len(d.Contacts) != 1 || d.Contacts[0].ID != "root" || len(d.Tools) == 0 || d.Tools[0].Description == "" {
			t.Errorf("contacts are %+v, tools %+v", d.Contacts, d.Tools)
		}
		if root := get[httpapi.AgentDetails](s, "/api/agents/root"); len(root.Contacts) != 2 || root.Brief != nil {
			t.Errorf("root is %+v", root)
		}
		draft := get[httpapi.Draft](s, "/api/agents/counter-1/draft")
		if draft.Text != "one, two" || draft.AgentID != "counter-1" || draft.Aborted {
			t.Errorf("the answer in flight is %+v", draft)
		}
		if got := s.serve(s.request(http.MethodGet, "/api/agents/root/draft", "")); got.code != http.StatusNoContent || got.body != "" {
			t.Errorf("root's answer in flight = %d %q", got.code, got.body)
		}
	})
}

func TestTheTreeHasParentsBeforeChildren(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := openSite(t, whims())
		defer s.leave()
		ids := s.spawn("A", "B")
		for range 2 {
			do(s, society.Spawn{Parent: ids[0], Role: "role-b"})
		}
		type node struct {
			ID       string
			Depth    int
			Children []string
		}
		got := fmt.Sprint(get[struct{ Agents []node }](s, "/api/tree").Agents)
		if want := "[{root 0 [a-1 b-1]} {a-1 1 [b-2 b-3]} {b-2 2 []} {b-3 2 []} {b-1 1 []}]"; got != want {
			t.Errorf("the tree is %s, want %s", got, want)
		}
	})
}

func TestUsageRolesAndTimelineAreThoseOfTheSociety(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := openSite(t, whims())
		defer s.leave()
		ids := s.spawn("A")
		task := do(s, society.Send{To: ids[0], Text: "go"}).Task
		settle()
		do(s, society.Terminate{Agent: ids[0], By: society.User})
		figures, err := s.society.Figures(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		usage := get[struct {
			Usage httpapi.Usage
			Spent []httpapi.Spent
		}](s, "/api/usage")
		if want := figures.Roles[1].Usage; usage.Usage.Input != want.Input || usage.Usage.Output != want.Output || want.Input == 0 {
			t.Errorf("usage is %+v, want %+v", usage.Usage, want)
		}
		if len(usage.Spent) != 1 || usage.Spent[0].TaskID != string(task) || usage.Spent[0].Calls != 1 || usage.Spent[0].Usage != usage.Usage {
			t.Errorf("spent is %+v", usage.Spent)
		}
		roles := get[struct{ Roles []httpapi.Role }](s, "/api/roles").Roles
		if len(roles) != 2 || roles[0].ID != "role-root" || roles[0].Agents != 1 || roles[1].Name != "A" || roles[1].Prompt != "You are A." || roles[1].Agents != 0 || roles[1].CreatedBy != "user" {
			t.Errorf("roles are %+v", roles)
		}
		type page struct {
			Timeline []httpapi.TimelineEvent
			Next     uint64
		}
		all := get[page](s, "/api/timeline")
		rest := get[page](s, fmt.Sprintf("/api/timeline?after=%d", all.Timeline[0].Seq))
		if len(rest.Timeline) != len(all.Timeline)-1 || rest.Next != all.Next || all.Timeline[len(all.Timeline)-1].Kind != "terminated" {
			t.Errorf("the timeline is %+v, and behind its first line %+v", all, rest)
		}
	})
}

func TestFilesAreHandedOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := openSite(t, whims())
		defer s.leave()
		for path, want := range map[string]string{
			"/api/export":                            "json of ",
			"/api/export?format=markdown&agent=root": "markdown of root",
			"/api/export?format=org":                 "org of ",
			"/api/backup":                            "backup",
			"/metrics":                               "metrics",
		} {
			if got := s.serve(s.request(http.MethodGet, path, "")); got.code != http.StatusOK || got.body != want {
				t.Errorf("GET %s = %d %q, want %q", path, got.code, got.body, want)
			}
		}
		if code, reply := s.ask(http.MethodGet, "/api/export?agent=none", ""); code != http.StatusNotFound {
			t.Errorf("GET the export of an agent that is not there = %d %v", code, reply)
		}
	})
}
