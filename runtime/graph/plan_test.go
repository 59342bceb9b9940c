package graph_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"society-tui/runtime/graph"
	"society-tui/runtime/graph/graphtest"
)

func TestAPlanLaysSubGraphsOutUnderTheirTitles(t *testing.T) {
	t.Parallel()
	inner := graph.Definition{
		Name: "inner", Nodes: []graph.Node{{Key: "look", Title: "Look"}, {Key: "note"}},
		Edges: []graph.Edge{{From: "look", To: "note"}}, Entries: []string{"look"}, EndNodes: []string{"note"},
	}
	g, err := graph.Compile(graph.Definition{
		Name: "outer", Nodes: []graph.Node{{Key: "open"}, {Key: "study", Title: "Study", Graph: &inner}, {Key: "aside"}, {Key: "sum"}, {Key: "close"}},
		FanOuts: []graph.FanOut{{From: "open", Join: "sum", Merge: graph.MergeLast, Branches: []graph.Branch{{To: "study"}, {To: "aside", Question: "is there more?"}}}},
		Edges: []graph.Edge{
			{From: "study", To: "sum"}, {From: "aside", To: "sum"}, {From: "sum", To: "open", Question: "again?"}, {From: "sum", To: "close"},
		},
		Entries: []string{"open"}, EndNodes: []string{"close"},
	}, graph.Funcs{})
	if err != nil {
		t.Fatal(err)
	}
	var said []string
	for _, s := range g.Plan().Stops {
		said = append(said, fmt.Sprint(s))
	}
	for _, w := range g.Plan().Ways {
		said = append(said, fmt.Sprint(w))
	}
	want := []string{
		"{open open true false}", "{study/look Study/Look false false}", "{study/note Study/note false false}",
		"{aside aside false false}", "{sum sum false false}", "{close close false true}",
		"{open study/look 3  }", "{open aside 3 is there more? }", "{open sum 4  }", "{study/look study/note 2  }",
		"{study/note sum 2  }", "{aside sum 2  }", "{sum open 1 again? }", "{sum close 2  }",
	}
	if !slices.Equal(said, want) {
		t.Errorf("the plan is\n%s\nwant\n%s", strings.Join(said, "\n"), strings.Join(want, "\n"))
	}
	if got := g.Title("study/gone"); got != "study/gone" {
		t.Errorf("a node that is not there is called %q", got)
	}
}

// Property: the ways of a plan are between its stops, each stop but the entries
// is reached by one, and an entry and an end are among the stops.
func TestAPlanHangsTogether(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		g, err := graph.Compile(graphtest.Draw(t), graph.Funcs{})
		if err != nil {
			t.Fatal(err)
		}
		stops, reached := map[string]graph.Stop{}, map[string]bool{}
		entries, ends := 0, 0
		for _, s := range g.Plan().Stops {
			if _, twice := stops[s.Key]; twice {
				t.Fatalf("%s stands there twice", s.Key)
			}
			stops[s.Key] = s
			if s.Entry {
				entries++
			}
			if s.End {
				ends++
			}
		}
		for _, w := range g.Plan().Ways {
			if stops[w.From].Key == "" || stops[w.To].Key == "" {
				t.Fatalf("%+v leads from or to nowhere", w)
			}
			reached[w.To] = true
		}
		for key, s := range stops {
			if !s.Entry && !reached[key] {
				t.Fatalf("no way leads to %s", key)
			}
		}
		if entries == 0 || ends == 0 {
			t.Fatalf("%d entries, %d ends", entries, ends)
		}
	})
}
