package attach_test

import (
	"context"
	"errors"
	"reflect"
	"testing"
	"testing/synctest"
	"time"

	"society-tui/llm/llmtest"
	"society-tui/runtime/api"
	"society-tui/runtime/attach"
	"society-tui/runtime/graph"
	"society-tui/runtime/society"
	"society-tui/storage/memdb"
)

func TestAttachedClientCommandsReadsAndIsTold(t *testing.T) {
	for _, http1 := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			h := openHost(t, memdb.New(), llmtest.Script("scripted", llmtest.Say("done")))
			defer h.leave()
			c := h.connect(func(cfg *attach.Config) {
				if http1 {
					cfg.URL = "http://127.0.0.1:3000"
				}
			})
			defer c.Close()
			w := c.Watcher()
			first, err := w.Next(t.Context())
			if err != nil || !first.All || len(first.Rows) != 1 || first.Screens != 1 || first.Model != "scripted" {
				t.Fatalf("first look = %+v, %v", first, err)
			}
			sent, err := api.Do(t.Context(), c, society.Send{To: society.Root, Text: "go"})
			if err != nil || sent.Message == "" {
				t.Fatalf("Do(Send) = %+v, %v", sent, err)
			}
			for inbox := 0; inbox == 0; {
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				changes, err := w.Next(ctx)
				cancel()
				if err != nil {
					t.Fatal(err)
				}
				inbox = changes.Inbox
			}
			said, err := c.Inbox(t.Context(), api.InboxQuery{})
			if err != nil || len(said) != 1 || said[0].Body != "done" {
				t.Errorf("Inbox = %+v, %v", said, err)
			}
			if e, err := c.Entries(t.Context(), society.Root, 0, 0); err != nil || len(e.Entries) != 2 {
				t.Errorf("Entries = %+v, %v", e, err)
			}
			_, err = c.Do(t.Context(), society.Stop{Agent: "nobody-1"})
			refused, ok := errors.AsType[*society.Refusal](err)
			_, want := h.society.Do(t.Context(), society.Stop{Agent: "nobody-1"})
			if !ok || refused.Error() != want.Error() || refused.Code != society.AgentNotFound {
				t.Errorf("Do(Stop) of nobody = %v, want %v", err, want)
			}
		})
	}
}

func TestGraphDefinitionIsReadOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		want := graph.Definition{
			Name: "plan", Nodes: []graph.Node{{Key: "a", Prompt: "Plan."}, {Key: "b", Prompt: "Check.", Tools: []string{}}},
			Edges: []graph.Edge{{From: "a", To: "b"}}, Entries: []string{"a"}, EndNodes: []string{"b"},
		}
		h := openHost(t, memdb.New(), llmtest.Script("hang", llmtest.Hang()))
		defer h.leave()
		c := h.connect()
		defer c.Close()
		made, err := api.Do(t.Context(), c, society.AddTeam{
			Template: "t", Graphs: []graph.Definition{want}, Roles: []society.TeamRole{{Name: "planner", Prompt: "You plan.", Graph: "plan"}},
			Agents: []society.TeamAgent{{Role: "planner", Brief: []byte(`{"objective":"o","constraints":[],"inputs":"i","outputs":"u","completion_criteria":"c"}`)}},
		})
		if err != nil {
			t.Fatalf("Do(AddTeam) = %v", err)
		}
		p, err := c.Profile(t.Context(), made.Agents[0])
		if err != nil || p.Graph == "" {
			t.Fatalf("Profile = %+v, %v", p, err)
		}
		if _, err := c.GraphDefinition(t.Context(), "none"); !errors.Is(err, api.ErrNoGraph) {
			t.Errorf("GraphDefinition of none = %v", err)
		}
		got, err := c.GraphDefinition(t.Context(), p.Graph)
		direct, _ := h.society.GraphDefinition(t.Context(), p.Graph)
		if err != nil || !reflect.DeepEqual(got, direct) {
			t.Errorf("GraphDefinition = %+v, %v, want %+v", got, err, direct)
		}
		h.leave()
		if again, err := c.GraphDefinition(t.Context(), p.Graph); err != nil || !reflect.DeepEqual(again, got) {
			t.Errorf("GraphDefinition without the program = %+v, %v", again, err)
		}
	})
}
