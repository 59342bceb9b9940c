package graphview

import (
	"fmt"
	"image/color"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"pgregory.net/rapid"

	"society-tui/runtime/graph"
	"society-tui/runtime/graph/graphtest"
	"society-tui/runtime/i18n"
	"society-tui/runtime/protocol"
	"society-tui/themes"
	"society-tui/tui/cells/cellstest"
	"society-tui/tui/symbols"
)

var noon = time.Date(2026, 11, 22, 14, 0, 0, 0, time.UTC)

func views() map[string]*View {
	return map[string]*View{
		"":       New(themes.Auto(color.Black), i18n.Printer{}, symbols.Set{}),
		"-zh":    New(themes.Auto(color.White), i18n.Printer{Lang: protocol.Chinese}, symbols.Set{}),
		"-ascii": New(themes.Plain(), i18n.Printer{ASCII: true}, symbols.Set{ASCII: true}),
	}
}

func compiled(t interface {
	Helper()
	Fatal(...any)
}, d graph.Definition,
) *graph.Graph {
	t.Helper()
	g, err := graph.Compile(d, graph.Funcs{})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// review is a graph with a loop, a fan-out, a sub-graph, and text that others
// wrote.
func review() graph.Definition {
	study := graph.Definition{
		Name: "study", Nodes: []graph.Node{{Key: "read", Title: "Read"}, {Key: "note", Title: "Note down"}},
		Edges: []graph.Edge{{From: "read", To: "note"}}, Entries: []string{"read"}, EndNodes: []string{"note"},
	}
	return graph.Definition{
		Name: "review",
		Nodes: []graph.Node{
			{Key: "plan", Title: "Plan"},
			{Key: "study", Title: "Study", Graph: &study},
			{Key: "web", Title: "第一手来源"},
			{Key: "draft", Title: "Draft\x1b[31m it"},
			{Key: "check", Title: "Check"},
			{Key: "final", Title: "Final"},
		},
		FanOuts: []graph.FanOut{{From: "plan", Join: "draft", Merge: graph.MergeLast, Branches: []graph.Branch{{To: "study"}, {To: "web", Question: "Does it need sources from elsewhere?"}}}},
		Edges: []graph.Edge{
			{From: "study", To: "draft"},
			{From: "web", To: "draft"},
			{From: "draft", To: "check"},
			{From: "check", To: "draft", Question: "Is there a claim in the draft that no source supports, or a slip?"},
			{From: "check", To: "plan", Question: "Is the plan wrong?"},
			{From: "check", To: "final"},
		},
		Entries: []string{"plan"}, EndNodes: []string{"final"},
	}
}

// through runs review up to the second judgement of the check.
func through(t *testing.T, g *graph.Graph) *graph.Run {
	t.Helper()
	run, err := graph.NewRun(g, "")
	if err != nil {
		t.Fatal(err)
	}
	run.OneByOne = true
	at := noon
	if err := run.Start(at); err != nil {
		t.Fatal(err)
	}
	judged := 0
	for judged < 5 {
		w := run.Next()[0]
		result := graph.Result{Why: "so it is"}
		if w.Kind == graph.Judge {
			judged++
			switch judged {
			case 1, 4:
				result.Verdict = graph.Yes
				result.Why = "claim 3 has none, and the number of the second edition is that of the first: both are to be mended before it is sent"
			case 2:
				result.Verdict = graph.Yes
			case 3:
				result.Verdict = graph.Neither
				result.Why = "perhaps"
			default:
				return run
			}
		}
		at = at.Add(3 * time.Second)
		result.At = at
		if err := run.Done(w, result); err != nil {
			t.Fatal(err)
		}
	}
	return run
}

func TestGraphMatchesItsGoldens(t *testing.T) {
	t.Parallel()
	g := compiled(t, review())
	for suffix, v := range views() {
		for _, width := range []int{34, 50, 70, 120} {
			rows := v.Rows(Subject{Graph: g, Run: through(t, g)}, width)
			cellstest.Golden(t, fmt.Sprintf("review-%d%s", width, suffix), rows, width)
			if suffix == "-ascii" {
				cellstest.Colourless(t, rows)
			}
		}
	}
}

func TestEndedRunIsDescribed(t *testing.T) {
	t.Parallel()
	g := compiled(t, review())
	v := views()[""]
	shown := func(s Subject) string { return ansi.Strip(strings.Join(v.Rows(s, 50), "\n")) }
	run := through(t, g)
	if got := shown(Subject{Graph: g, Run: run}); !strings.Contains(got, "deciding where to go after Plan") {
		t.Errorf("of a judgement it says\n%s", got)
	}
	held, err := graph.NewRun(g, "")
	if err != nil {
		t.Fatal(err)
	}
	if err := held.Start(noon); err != nil {
		t.Fatal(err)
	}
	if got := shown(Subject{Graph: g, Run: held, Held: true}); !strings.Contains(got, "paused before Plan") || !strings.Contains(got, "‖ Plan") {
		t.Errorf("of a pause it says\n%s", got)
	}
	if err := held.Done(held.Next()[0], graph.Result{At: noon, Failed: "the\x1b]0;x\a wire broke"}); err != nil {
		t.Fatal(err)
	}
	if got := shown(Subject{Graph: g, Run: held}); !strings.Contains(got, "failed: a node failed") || !strings.Contains(got, "the wire broke") || !strings.Contains(got, "✗ Plan") {
		t.Errorf("of a failure it says\n%s", got)
	}
	if got := shown(Subject{Graph: g}); !strings.Contains(got, "not started") {
		t.Errorf("without a run it says\n%s", got)
	}
	if got := shown(Subject{}); !strings.Contains(got, "a single") {
		t.Errorf("without a graph it says\n%s", got)
	}
}

// Property: each node is placed once, each edge is drawn or leads back, drawn
// edges lead one layer down, and nothing overlaps.
func TestPlacingKeepsEveryNodeAndWay(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		g := compiled(t, someGraph(t))
		plan := g.Plan()
		l := place(&plan)
		seen := map[int]bool{}
		of := make([]*spot, len(plan.Stops))
		for n, layer := range l.layers {
			for _, s := range layer {
				if s.layer != n {
					t.Fatalf("a spot of layer %d stands in %d", s.layer, n)
				}
				for _, to := range s.below {
					if to.layer != n+1 || !slices.Contains(l.layers[n+1], to) {
						t.Fatalf("a way leads from layer %d to %d", n, to.layer)
					}
				}
				if s.lane() {
					if len(s.above) == 0 || len(s.below) == 0 {
						t.Fatal("a lane leads from or to nowhere")
					}
					continue
				}
				if seen[s.stop] {
					t.Fatalf("%s stands there twice", plan.Stops[s.stop].Key)
				}
				seen[s.stop], of[s.stop] = true, s
			}
		}
		if len(seen) != len(plan.Stops) {
			t.Fatalf("%d of %d nodes are placed", len(seen), len(plan.Stops))
		}
		ways := map[int]bool{}
		for _, n := range slices.Concat(l.back, l.ahead) {
			if ways[n] {
				t.Fatalf("%+v is there twice", plan.Ways[n])
			}
			ways[n] = true
		}
		for n, w := range plan.Ways {
			if !ways[n] && w.Kind != graph.Joining {
				t.Fatalf("%+v is lost", w)
			}
		}
		leads := func(from, to int) bool {
			next := []*spot{of[from]}
			for len(next) > 0 {
				var below []*spot
				for _, s := range next {
					for _, b := range s.below {
						if b == of[to] {
							return true
						}
						if b.lane() && b.to == to {
							below = append(below, b)
						}
					}
				}
				next = below
			}
			return false
		}
		at := map[string]int{}
		for i, s := range plan.Stops {
			at[s.Key] = i
		}
		for _, n := range l.ahead {
			if w := plan.Ways[n]; !leads(at[w.From], at[w.To]) {
				t.Fatalf("%+v is not drawn", w)
			}
		}
		width := rapid.IntRange(1, 300).Draw(t, "width")
		if !l.spread(width, func(*spot) int { return rapid.IntRange(1, 60).Draw(t, "want") }) {
			return
		}
		for _, layer := range l.layers {
			right := -spotGap
			for _, s := range layer {
				if s.x < right+spotGap || s.x+s.w > width {
					t.Fatalf("a spot has the columns %d to %d of %d", s.x, s.x+s.w, width)
				}
				right = s.x + s.w
			}
		}
	})
}

// Property: any graph in any state, at any width, is drawn in rows of exactly
// that width, with every node named.
func TestAnyGraphIsDrawnAtAnyWidth(t *testing.T) {
	t.Parallel()
	all := views()
	rapid.Check(t, func(t *rapid.T) {
		d := someGraph(t)
		for i := range d.Nodes {
			d.Nodes[i].Title = rapid.SampledFrom([]string{"", "章节校对", "A title that is much too long for any box", "a\x1b[31m\tb\nc", "👩‍👩‍👧"}).Draw(t, "title")
		}
		g := compiled(t, d)
		s := Subject{Graph: g, Held: rapid.Bool().Draw(t, "held")}
		if rapid.Bool().Draw(t, "run") {
			s.Run = someRun(t, g)
		}
		v := all[rapid.SampledFrom([]string{"", "-zh", "-ascii"}).Draw(t, "view")]
		width := rapid.IntRange(1, 200).Draw(t, "width")
		rows := v.Rows(s, width)
		for i, row := range rows {
			if got := ansi.StringWidthWc(row); got != width {
				t.Fatalf("row %d is %d cells wide, want %d: %q", i, got, width, row)
			}
			if text := ansi.Strip(row); strings.ContainsAny(text, "\x1b\t\n") {
				t.Fatalf("row %d holds %q", i, text)
			}
		}
		if width < 40 {
			return
		}
		shown := ansi.Strip(strings.Join(rows, "\n"))
		for _, stop := range g.Plan().Stops {
			if first, _, _ := strings.Cut(line(stop.Title), " "); !strings.Contains(shown, first[:min(len(first), 3)]) {
				t.Fatalf("%q is not named in\n%s", stop.Title, shown)
			}
		}
	})
}

// someGraph draws a graph of nested blocks, or a chain of 1 to 50 nodes with
// conditions on edges between any of them.
func someGraph(t *rapid.T) graph.Definition {
	if rapid.Bool().Draw(t, "of blocks") {
		return graphtest.Draw(t)
	}
	d := graph.Definition{Name: "tangle"}
	n := rapid.IntRange(1, 50).Draw(t, "nodes")
	for i := range n {
		d.Nodes = append(d.Nodes, graph.Node{Key: fmt.Sprint("n", i)})
		if i > 0 {
			d.Edges = append(d.Edges, graph.Edge{From: d.Nodes[i-1].Key, To: d.Nodes[i].Key})
		}
	}
	seen := map[[2]int]bool{}
	for range rapid.IntRange(0, 60).Draw(t, "questions") {
		way := [2]int{rapid.IntRange(0, max(n-2, 0)).Draw(t, "from"), rapid.IntRange(0, n-1).Draw(t, "to")}
		if n > 1 && !seen[way] {
			seen[way] = true
			d.Edges = append(d.Edges, graph.Edge{From: d.Nodes[way[0]].Key, To: d.Nodes[way[1]].Key, Question: "Is it so?"})
		}
	}
	d.Entries, d.EndNodes = []string{"n0"}, []string{d.Nodes[n-1].Key}
	return d
}

// someRun runs a graph for a random number of steps.
func someRun(t *rapid.T, g *graph.Graph) *graph.Run {
	run, err := graph.NewRun(g, "")
	if err != nil {
		t.Fatal(err)
	}
	run.OneByOne = rapid.Bool().Draw(t, "one by one")
	if err := run.Start(noon); err != nil {
		t.Fatal(err)
	}
	for n := range rapid.IntRange(0, 80).Draw(t, "steps") {
		next := run.Next()
		if len(next) == 0 {
			return run
		}
		w := rapid.SampledFrom(next).Draw(t, "work")
		result := graph.Result{
			At: noon.Add(time.Duration(n) * time.Second), Failed: rapid.SampledFrom([]string{"", "", "", "broken"}).Draw(t, "failed"),
			Verdict: rapid.SampledFrom([]graph.Verdict{graph.Yes, graph.No, graph.Neither}).Draw(t, "verdict"), Why: "why not",
		}
		if w.Kind == graph.Choose && result.Verdict == graph.Yes {
			result.Choice = rapid.IntRange(1, len(w.Choices)).Draw(t, "choice")
		}
		if err := run.Done(w, result); err != nil {
			t.Fatal(err)
		}
	}
	return run
}
