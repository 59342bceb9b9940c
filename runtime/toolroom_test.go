package runtime_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"society-tui/llm"
	"society-tui/llm/chatapi"
	"society-tui/llm/llmtest"
	"society-tui/llm/registry"
	"society-tui/runtime"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/runtime/tool"
	"society-tui/storage/memdb"
)

// A model is not sent more descriptions of tools than its window has room for; those of the
// organisation it always gets.
func TestToolsThatTheWindowHasNoRoomForAreNotOffered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		short := &toolOf{spec: tool.Spec{Name: "short", Purpose: "Short.", Class: tool.ClassRead, Group: "more"}}
		long := &toolOf{spec: tool.Spec{Name: "long", Purpose: strings.Repeat("Very long. ", 20_000), Class: tool.ClassRead, Group: "more"}}
		last := &toolOf{spec: tool.Spec{Name: "last", Purpose: "Last.", Class: tool.ClassRead, Group: "more"}}
		team := func(l protocol.Lang) society.AddTeam {
			p := duo(l)
			p.Roles = []society.TeamRole{{Name: "all", Prompt: "Do.", Tools: []tool.Group{"organise", "talk", "context", "more"}}}
			p.Agents = []society.TeamAgent{{Role: "all", Brief: p.Agents[0].Brief}}
			return p
		}
		models, err := registry.New(registry.Entry{Name: "m", Window: 100_000, Model: llmtest.Func("m", llmtest.Say("so"))})
		if err != nil {
			t.Fatal(err)
		}
		s := run(t, newCast(), memdb.New(), func(cfg *runtime.Config) {
			cfg.FirstTeam, cfg.Tools = team, []tool.Tool{short, long, last}
			cfg.Models = models
		})
		p, err := s.r.Profile(s.ctx, "all-1")
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, tl := range p.Tools {
			names = append(names, tl.Name)
		}
		if len(names) != 13 || !slices.Contains(names, "short") || slices.Contains(names, "long") || !slices.Contains(names, "last") {
			t.Errorf("offered are %v", names)
		}
		saidOnce(t, s, "Tools not offered: 1, because their descriptions would take more than 1/5 of the model's window (long).")
	})
}

// saidOnce holds that the first agent, which works twice, is told about once, while its turn
// goes on.
func saidOnce(t *testing.T, s *stage, want string) {
	t.Helper()
	for range 2 {
		s.do(society.Send{To: "all-1", Text: "go"})
		time.Sleep(time.Minute)
	}
	if got := notices(s, "all-1"); len(got) != 1 || got[0] != want || s.rows()["all-1"].Error != "" {
		t.Errorf("it is told %q, want %q", got, want)
	}
}

// Of more tools than an endpoint takes the last are left out.
func TestToolsBeyondThoseThatARequestTakesAreNotOffered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var many []tool.Tool
		for i := range 150 {
			many = append(many, &toolOf{spec: tool.Spec{Name: fmt.Sprintf("t%03d", i), Purpose: "Short.", Class: tool.ClassRead, Group: "more"}})
		}
		model := llmtest.Func("m", llmtest.Say("so"))
		team := func(l protocol.Lang) society.AddTeam {
			p := duo(l)
			p.Roles = []society.TeamRole{{Name: "all", Prompt: "Do.", Tools: []tool.Group{"organise", "talk", "context", "more"}}}
			p.Agents = []society.TeamAgent{{Role: "all", Brief: p.Agents[0].Brief}}
			return p
		}
		s := run(t, newCast(), memdb.New(), among(t, registry.Entry{Name: "m", Model: model}), func(cfg *runtime.Config) { cfg.FirstTeam, cfg.Tools = team, many })
		p, err := s.r.Profile(s.ctx, "all-1")
		if err != nil {
			t.Fatal(err)
		}
		left := len(p.NotOffered)
		saidOnce(t, s, fmt.Sprintf("Tools not offered: %d, because endpoints take at most 128 (t%03d, t%03d, t%03d, t%03d, t%03d, …).", left, 150-left, 151-left, 152-left, 153-left, 154-left))
		for _, req := range model.Requests() {
			if n := len(req.Request.Tools); n != llm.MostTools || left < 22 {
				t.Errorf("%d tools are offered, %d are not", n, left)
			}
		}
	})
}

// An endpoint that takes no effort beside tools is asked for none, and the conversation says so.
func TestAnEffortThatTheEndpointRefusesBesideToolsIsNamed(t *testing.T) {
	t.Parallel()
	endpoint := startOnceFull(t)
	endpoint.refuseNext(asStatus(http.StatusBadRequest, `{"error":{"message":"Function tools with reasoning_effort are not supported for this model."}}`))
	model, err := chatapi.New(chatapi.Config{BaseURL: endpoint.url, Model: "strict", Options: chatapi.Options{Effort: "high"}})
	if err != nil {
		t.Fatal(err)
	}
	defer model.Close()
	s := run(t, newCast(), memdb.New(), among(t, registry.Entry{Name: "m", Model: model}))
	for range 2 {
		s.do(society.Send{To: society.Root, Text: "go"})
		quiet(t, s.r)
	}
	if got := notices(s, society.Root); len(got) != 1 || got[0] != "The endpoint of m takes no effort beside tools: while tools are offered it is asked not to think." {
		t.Errorf("it is told %q", got)
	}
}

// A tool that an endpoint refuses by its name is left out, and the conversation says so.
func TestAToolThatTheEndpointRefusesIsLeftOutAndNamed(t *testing.T) {
	t.Parallel()
	refused := `{"error":{"message":"Invalid schema for function 'spawn_agent': schema must be simpler","type":"invalid_request_error"}}`
	endpoint := startOnceFull(t)
	endpoint.refuseNext(asStatus(http.StatusBadRequest, refused))
	model, err := chatapi.New(chatapi.Config{BaseURL: endpoint.url, Model: "strict"})
	if err != nil {
		t.Fatal(err)
	}
	defer model.Close()
	s := run(t, newCast(), memdb.New(), among(t, registry.Entry{Name: "m", Model: model}))
	for range 2 {
		s.do(society.Send{To: society.Root, Text: "go"})
		quiet(t, s.r)
	}
	if got := notices(s, society.Root); len(got) != 1 || got[0] != "The endpoint of m refuses the tool spawn_agent, which is no longer offered." {
		t.Errorf("it is told %q", got)
	}
	for _, served := range endpoint.next.Requests() {
		if slices.ContainsFunc(served.Request.Tools, func(o llm.ToolSpec) bool { return o.Name == "spawn_agent" }) {
			t.Error("it is offered again")
		}
	}
	if all, _ := endpoint.repeated(); all != 3 {
		t.Errorf("%d requests", all)
	}
}
