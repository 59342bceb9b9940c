package runtime_test

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"

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
	})
}
