package graph_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pelletier/go-toml/v2"
	"pgregory.net/rapid"

	"society-tui/runtime/graph"
	"society-tui/runtime/graph/graphtest"
)

// A plant makes one kind of mistake in a definition, with nodes of its own, so
// that several can be made at once.
type plant struct {
	code graph.Code
	make func(d *graph.Definition, own func(n int) []string)
}

// end is the end point that Draw gives a definition.
func end(d *graph.Definition) string { return d.EndNodes[0] }

func link(d *graph.Definition, from, to string) {
	d.Edges = append(d.Edges, graph.Edge{From: from, To: to})
}

func fan(from, join string, to ...string) graph.FanOut {
	f := graph.FanOut{From: from, Join: join, Merge: graph.MergeAppend}
	for _, key := range to {
		f.Branches = append(f.Branches, graph.Branch{To: key})
	}
	return f
}

// inner is a definition whose nodes are all entry points and end points.
func inner(keys ...string) *graph.Definition {
	d := &graph.Definition{Name: "in", Entries: keys, EndNodes: slices.Clone(keys)}
	for _, key := range keys {
		d.Nodes = append(d.Nodes, graph.Node{Key: key})
	}
	return d
}

// alone plants what is wrong with one node.
func alone(code graph.Code, spoil func(n *graph.Node)) plant {
	return plant{code, func(d *graph.Definition, own func(int) []string) {
		own(1)
		spoil(&d.Nodes[len(d.Nodes)-1])
	}}
}

// fanned plants what is wrong with a fan-out of two branches.
func fanned(code graph.Code, spoil func(f *graph.FanOut)) plant {
	return plant{code, func(d *graph.Definition, own func(int) []string) {
		k := own(4)
		f := fan(k[0], k[3], k[1], k[2])
		spoil(&f)
		d.FanOuts = append(d.FanOuts, f)
		link(d, k[1], k[3])
		link(d, k[2], k[3])
	}}
}

var plants = []plant{
	{graph.TooLarge, func(d *graph.Definition, _ func(int) []string) { d.Name += strings.Repeat(" ", 201) }},
	{graph.DuplicateKey, func(d *graph.Definition, _ func(int) []string) { d.Entries = append(d.Entries, d.Entries[0]) }},
	{graph.TwoDefaults, func(d *graph.Definition, own func(int) []string) { // one beside a fan-out
		k := own(3)
		d.FanOuts = append(d.FanOuts, fan(k[0], k[2], k[1]))
		link(d, k[1], k[2])
		link(d, k[0], k[2])
	}},
	alone(graph.BadKey, func(n *graph.Node) { n.Key += "/slash" }),
	alone(graph.BadLimit, func(n *graph.Node) { n.Timeout = graph.Duration(-time.Second) }),
	alone(graph.BadLimit, func(n *graph.Node) { n.RetryWait = graph.Duration(25 * time.Hour) }),
	alone(graph.BadSubGraph, func(n *graph.Node) { n.Entry = "a" }),
	alone(graph.BadSubGraph, func(n *graph.Node) { n.Graph = inner("a", "b") }),
	alone(graph.BadSubGraph, func(n *graph.Node) { n.Graph, n.Entry = inner("a", "b"), "ghost" }),
	alone(graph.UnknownRouting, func(n *graph.Node) { n.Graph = inner("a"); n.Graph.Routing = "any" }),
	fanned(graph.NoMerge, func(f *graph.FanOut) { f.Merge = "shuffle" }),
	fanned(graph.NoMerge, func(f *graph.FanOut) { f.Func = "known" }),
	fanned(graph.DuplicateEdge, func(f *graph.FanOut) { f.Branches[1].To = f.Branches[0].To }),
	fanned(graph.BlankQuestion, func(f *graph.FanOut) { f.Branches[1].Question = "\t " }),
	fanned(graph.TwoConditions, func(f *graph.FanOut) { f.Branches[1].Question, f.Branches[1].Func = "so?", "known" }),
	fanned(graph.UnknownFunc, func(f *graph.FanOut) { f.Branches[1].Func = "nobody" }),
	{graph.NoName, func(d *graph.Definition, _ func(int) []string) { d.Name = strings.Repeat(" ", max(1, len(d.Name))) }},
	{graph.EmptyKey, func(d *graph.Definition, _ func(int) []string) { d.Nodes = append(d.Nodes, graph.Node{}) }},
	{graph.BadKey, func(d *graph.Definition, _ func(int) []string) {
		d.Nodes = append(d.Nodes, graph.Node{Key: "two words"})
	}},
	{graph.DuplicateKey, func(d *graph.Definition, own func(int) []string) {
		d.Nodes = append(d.Nodes, graph.Node{Key: own(1)[0]})
	}},
	{graph.UnknownNode, func(d *graph.Definition, own func(int) []string) { link(d, own(1)[0], "ghost") }},
	{graph.UnknownNode, func(d *graph.Definition, _ func(int) []string) { d.Entries = append(d.Entries, "ghost") }},
	{graph.Unreachable, func(d *graph.Definition, own func(int) []string) { link(d, own(1)[0], end(d)) }},
	{graph.NoWayToEnd, func(d *graph.Definition, own func(int) []string) {
		k := own(2)
		d.Entries = append(d.Entries, k[0])
		link(d, k[0], k[1])
		link(d, k[1], k[0])
	}},
	{graph.TwoDefaults, func(d *graph.Definition, own func(int) []string) {
		k := own(2)
		link(d, k[0], k[1])
		link(d, k[0], end(d))
	}},
	{graph.TwoFanOuts, func(d *graph.Definition, own func(int) []string) {
		k := own(3)
		d.FanOuts = append(d.FanOuts, fan(k[0], k[2], k[1]), fan(k[0], k[2], k[1]))
	}},
	{graph.EdgeFromEnd, func(d *graph.Definition, own func(int) []string) { link(d, end(d), own(1)[0]) }},
	{graph.DuplicateEdge, func(d *graph.Definition, own func(int) []string) {
		k := own(2)
		link(d, k[0], k[1])
		link(d, k[0], k[1])
	}},
	{graph.BlankQuestion, func(d *graph.Definition, own func(int) []string) {
		k := own(2)
		d.Edges = append(d.Edges, graph.Edge{From: k[0], To: k[1], Question: "\t "})
	}},
	{graph.TwoConditions, func(d *graph.Definition, own func(int) []string) {
		k := own(2)
		d.Edges = append(d.Edges, graph.Edge{From: k[0], To: k[1], Question: "so?", Func: "known"})
	}},
	{graph.MixedChoice, func(d *graph.Definition, own func(int) []string) {
		k := own(3)
		d.Routing = graph.RouteChoice
		d.Edges = append(d.Edges, graph.Edge{From: k[0], To: k[1], Question: "so?"}, graph.Edge{From: k[0], To: k[2], Func: "known"})
	}},
	{graph.UnknownFunc, func(d *graph.Definition, own func(int) []string) {
		k := own(2)
		d.Edges = append(d.Edges, graph.Edge{From: k[0], To: k[1], Func: "nobody"})
	}},
	{graph.UnknownFunc, func(d *graph.Definition, own func(int) []string) {
		k := own(3)
		f := fan(k[0], k[2], k[1])
		f.Merge, f.Func = graph.MergeFunc, "nobody"
		d.FanOuts = append(d.FanOuts, f)
	}},
	{graph.NoBranches, func(d *graph.Definition, own func(int) []string) {
		k := own(2)
		d.FanOuts = append(d.FanOuts, fan(k[0], k[1]))
	}},
	{graph.NoJoin, func(d *graph.Definition, own func(int) []string) {
		k := own(2)
		d.FanOuts = append(d.FanOuts, fan(k[0], "", k[1]))
	}},
	{graph.NoMerge, func(d *graph.Definition, own func(int) []string) {
		k := own(3)
		f := fan(k[0], k[2], k[1])
		f.Merge = ""
		d.FanOuts = append(d.FanOuts, f)
	}},
	{graph.BranchMissesIt, func(d *graph.Definition, own func(int) []string) {
		k := own(3)
		d.FanOuts = append(d.FanOuts, fan(k[0], k[2], k[1]))
	}},
	{graph.BranchIsJoin, func(d *graph.Definition, own func(int) []string) {
		k := own(2)
		d.FanOuts = append(d.FanOuts, fan(k[0], k[1], k[1]))
	}},
	{graph.BranchHasEnd, func(d *graph.Definition, own func(int) []string) {
		k := own(3)
		d.FanOuts = append(d.FanOuts, fan(k[0], k[2], k[1]))
		d.Edges = append(d.Edges, graph.Edge{From: k[1], To: end(d), Question: "so?"})
		link(d, k[1], k[2])
	}},
	{graph.BranchReturns, func(d *graph.Definition, own func(int) []string) {
		k := own(3)
		d.FanOuts = append(d.FanOuts, fan(k[0], k[2], k[1]))
		d.Edges = append(d.Edges, graph.Edge{From: k[1], To: k[0], Question: "so?"})
		link(d, k[1], k[2])
	}},
	{graph.CrossedJoins, func(d *graph.Definition, own func(int) []string) { // two with one join
		k := own(4)
		d.FanOuts = append(d.FanOuts, fan(k[0], k[3], k[1]), fan(k[1], k[3], k[2]))
		link(d, k[2], k[3])
	}},
	{graph.CrossedJoins, func(d *graph.Definition, own func(int) []string) { // the outer join first
		k := own(5)
		d.FanOuts = append(d.FanOuts, fan(k[0], k[3], k[1]), fan(k[1], k[4], k[2]))
		link(d, k[2], k[3])
		link(d, k[3], k[4])
	}},
	{graph.BadLimit, func(d *graph.Definition, _ func(int) []string) { d.MaxIterations = -1 }},
	{graph.BadLimit, func(d *graph.Definition, _ func(int) []string) { d.Timeout = graph.Duration(-time.Second) }},
	{graph.BadLimit, func(d *graph.Definition, own func(int) []string) {
		own(1)
		d.Nodes[len(d.Nodes)-1].Retries = 1000
	}},
	{graph.TooLarge, func(d *graph.Definition, own func(int) []string) {
		own(1)
		d.Nodes[len(d.Nodes)-1].Prompt = strings.Repeat("x", 1<<20)
	}},
	{graph.BadSubGraph, func(d *graph.Definition, own func(int) []string) {
		own(1)
		n := &d.Nodes[len(d.Nodes)-1]
		n.Graph, n.Prompt = &graph.Definition{Name: "in", Nodes: []graph.Node{{Key: "a"}}, Entries: []string{"a"}, EndNodes: []string{"a"}}, "words"
	}},
	{graph.NoEntry, func(d *graph.Definition, own func(int) []string) { // in a sub-graph
		own(1)
		d.Nodes[len(d.Nodes)-1].Graph = &graph.Definition{Name: "in", Nodes: []graph.Node{{Key: "a"}}, EndNodes: []string{"a"}}
	}},
	{graph.NoEnd, func(d *graph.Definition, own func(int) []string) { // in a sub-graph
		own(1)
		d.Nodes[len(d.Nodes)-1].Graph = &graph.Definition{Name: "in", Nodes: []graph.Node{{Key: "a"}}, Entries: []string{"a"}}
	}},
	{graph.NoNodes, func(d *graph.Definition, own func(int) []string) { // in a sub-graph
		own(1)
		d.Nodes[len(d.Nodes)-1].Graph = &graph.Definition{Name: "in"}
	}},
}

var known = graph.Funcs{Conditions: map[string]graph.Condition{"known": func(graph.State) (bool, error) { return true, nil }}}

// Every mistake that is made is found, all in one go, and a definition without
// mistakes has none.
func TestS004ValidateFindsEachPlantedMistakeAllAtOnce(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		d := graphtest.Draw(t)
		if err := d.Validate(known); err != nil {
			t.Fatalf("without a mistake: %v", err)
		}
		planted := rapid.SliceOfNDistinct(rapid.IntRange(0, len(plants)-1), 1, 8, rapid.ID[int]).Draw(t, "planted")
		for _, n := range planted {
			plants[n].make(&d, func(many int) []string {
				var keys []string
				for i := range many {
					keys = append(keys, fmt.Sprintf("p%d-%d", n, i))
					d.Nodes = append(d.Nodes, graph.Node{Key: keys[i]})
				}
				return keys
			})
		}
		mistakes, ok := errors.AsType[graph.Mistakes](d.Validate(known))
		if !ok {
			t.Fatalf("Validate found no mistake in %+v", d)
		}
		for _, n := range planted {
			code := plants[n].code
			mine := slices.ContainsFunc(mistakes, func(m graph.Mistake) bool {
				return m.Code == code && (m.Where == "" || m.Where[0] != 'p' || strings.HasPrefix(m.Where, fmt.Sprintf("p%d-", n)))
			})
			if !mine {
				t.Errorf("%s (%d) was not found among:\n%v", code, n, mistakes)
			}
		}
		if _, err := graph.Compile(d, known); err == nil {
			t.Errorf("Compile made a graph of %+v, want an error", d)
		}
	})
}

func chatAndReview() *graph.Builder {
	return graph.New("my-agent").
		SetDescription("AI 助手").
		SetMaxIterations(50).
		SetTimeout(60*time.Second).
		AddLLMNode("chat", "对话节点", "", nil, "你是 Helpful AI").
		AddLLMNode("review", "审核节点", "", nil, "你是严格审核员").
		AddEdge("chat", "review").
		SetEntryPoint("chat").
		SetEndPoints([]string{"review"})
}

func TestS004TheBuilderMakesTheGraphOfTheDesign(t *testing.T) {
	t.Parallel()
	g, err := chatAndReview().Build()
	if err != nil {
		t.Fatal(err)
	}
	if n, ok := g.Node("review"); !ok || n.Title != "审核节点" || n.Prompt != "你是严格审核员" {
		t.Errorf("the node review is %+v", n)
	}
	if _, ok := g.Node("reviewer"); ok {
		t.Error("there is a node that was not added")
	}
	if g.MaxIterations() != 50 || g.Timeout() != time.Minute || g.Name() != "my-agent" || g.Validate() != nil {
		t.Errorf("the graph has %d iterations and %s", g.MaxIterations(), g.Timeout())
	}
	want := "my-agent\n  > chat\n    -> review\n  review .\n"
	if got := g.String(); got != want {
		t.Errorf("it is drawn as\n%s, not\n%s", got, want)
	}
}

func TestS004TheBuilderReportsWhatADefinitionCannotShow(t *testing.T) {
	t.Parallel()
	yes := func(graph.State) (bool, error) { return true, nil }
	_, err := chatAndReview().
		AddConditionalEdge("chat", "review", "  ").
		AddFuncEdge("chat", "review", "", yes).
		DefineCondition("twice", yes).
		DefineCondition("twice", yes).
		AddEdge("chat", "nowhere").
		Build()
	mistakes, _ := errors.AsType[graph.Mistakes](err)
	for _, code := range []graph.Code{graph.BlankQuestion, graph.UnknownFunc, graph.DuplicateFunc, graph.UnknownNode} {
		if !mistakes.Has(code) {
			t.Errorf("%s is not in: %v", code, err)
		}
	}
}

// What is written down as JSON is the same graph when it is read again.
func TestS004ADefinitionSurvivesBeingWrittenDown(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		d := graphtest.Draw(t)
		d.Nodes[0].Tools = rapid.SampledFrom([][]string{nil, {}, {"fetch"}}).Draw(t, "tools")
		if d.Nodes[0].Graph != nil {
			d.Nodes[0].Tools = nil
		}
		g, err := graph.Compile(d, graph.Funcs{})
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(g.Definition())
		if err != nil {
			t.Fatal(err)
		}
		var back graph.Definition
		if err := json.Unmarshal(text, &back); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(back, d) {
			t.Fatalf("it came back as\n%+v, not\n%+v", back, d)
		}
		again, err := graph.Compile(back, graph.Funcs{})
		if err != nil || again.Fingerprint() != g.Fingerprint() {
			t.Fatalf("it came back as another graph (%v)", err)
		}
	})
}

func TestS004AGraphIsReadFromTOML(t *testing.T) {
	t.Parallel()
	const text = `
name = "write"
max_iterations = 20
timeout = "1m30s"
entry_points = ["draft"]
end_points = ["publish"]

[[nodes]]
key = "draft"
prompt = "Write."
tools = []
retries = 2
timeout = "10s"

[[nodes]]
key = "publish"

[[edges]]
from = "draft"
to = "draft"
question = "Is something missing?"

[[edges]]
from = "draft"
to = "publish"
`
	var d graph.Definition
	if err := toml.NewDecoder(strings.NewReader(text)).DisallowUnknownFields().Decode(&d); err != nil {
		t.Fatal(err)
	}
	g, err := graph.Compile(d, graph.Funcs{})
	if err != nil {
		t.Fatal(err)
	}
	n, _ := g.Node("draft")
	if g.Timeout() != 90*time.Second || n.Tools == nil || n.Retries != 2 || time.Duration(n.Timeout) != 10*time.Second {
		t.Errorf("the graph is %+v", g.Definition())
	}
	if publish, _ := g.Node("publish"); publish.Tools != nil {
		t.Errorf("a node without a list of tools has %q, want nil", publish.Tools)
	}
}

// The fingerprint tells apart what decides the way of a run, and nothing else.
func TestS004TheFingerprintNoticesAnotherWayAndNoOtherWords(t *testing.T) {
	t.Parallel()
	of := func(change func(d *graph.Definition)) string {
		g, err := chatAndReview().Build()
		if err != nil {
			t.Fatal(err)
		}
		d := g.Definition()
		d.Nodes = append(d.Nodes, graph.Node{Key: "team", Graph: inner("a", "b"), Entry: "a"},
			graph.Node{Key: "left"}, graph.Node{Key: "right"}, graph.Node{Key: "join"})
		d.Entries = append(d.Entries, "team")
		d.FanOuts = append(d.FanOuts, fan("team", "join", "left", "right"))
		link(&d, "left", "join")
		link(&d, "right", "join")
		link(&d, "join", "review")
		change(&d)
		if g, err = graph.Compile(d, known); err != nil {
			t.Fatal(err)
		}
		return g.Fingerprint()
	}
	was := of(func(*graph.Definition) {})
	for name, same := range map[string]func(d *graph.Definition){
		"prompt":                func(d *graph.Definition) { d.Nodes[0].Prompt = "other" },
		"title":                 func(d *graph.Definition) { d.Nodes[0].Title = "other" },
		"limits":                func(d *graph.Definition) { d.MaxIterations, d.Timeout = 7, 7 },
		"prompt of a sub-graph": func(d *graph.Definition) { d.Nodes[2].Graph.Nodes[0].Prompt = "other" },
	} {
		if of(same) != was {
			t.Errorf("another %s makes another graph", name)
		}
	}
	for name, other := range map[string]func(d *graph.Definition){
		"edge":      func(d *graph.Definition) { link(d, "chat", "chat"); d.Edges[len(d.Edges)-1].Question = "again?" },
		"key":       func(d *graph.Definition) { d.Nodes[0].Key, d.Edges[0].From, d.Entries[0] = "talk", "talk", "talk" },
		"condition": func(d *graph.Definition) { d.Edges[0].Func = "known" },
		"entry":     func(d *graph.Definition) { d.Entries = append(d.Entries, "review") },
		"routing":   func(d *graph.Definition) { d.Routing = graph.RouteChoice },
		"merge":     func(d *graph.Definition) { d.FanOuts[0].Merge = graph.MergeLast },
		"branch":    func(d *graph.Definition) { d.FanOuts[0].Branches[1].Question = "is it needed?" },
		"way in":    func(d *graph.Definition) { d.Nodes[2].Entry = "b" },
		"sub-graph": func(d *graph.Definition) {
			in := d.Nodes[2].Graph
			in.Nodes[1].Key, in.Entries[1], in.EndNodes[1] = "c", "c", "c"
		},
		"routing of a sub-graph": func(d *graph.Definition) { d.Nodes[2].Graph.Routing = graph.RouteChoice },
	} {
		if of(other) == was {
			t.Errorf("another %s makes the same graph", name)
		}
	}
}

// A graph is not changed through what was put in or what was given out.
func TestS004AGraphIsImmutable(t *testing.T) {
	t.Parallel()
	d := graph.Definition{
		Name: "g", Nodes: []graph.Node{{Key: "a", Tools: []string{"x"}}, {Key: "b"}},
		Edges: []graph.Edge{{From: "a", To: "b"}}, Entries: []string{"a"}, EndNodes: []string{"b"},
	}
	g, err := graph.Compile(d, graph.Funcs{})
	if err != nil {
		t.Fatal(err)
	}
	was := g.String()
	out := g.Definition()
	for _, held := range []*graph.Definition{&d, &out} {
		held.Nodes[0].Key, held.Nodes[0].Tools[0], held.Edges[0].To, held.Entries[0], held.EndNodes[0] = "z", "z", "z", "z", "z"
	}
	if n, _ := g.Node("a"); g.String() != was || n.Tools[0] != "x" {
		t.Errorf("it has become\n%s", g)
	}
}

// A definition that holds itself is refused, and in no time.
func TestS004ADefinitionThatHoldsItselfIsRefused(t *testing.T) {
	t.Parallel()
	d := graph.Definition{Name: "endless", Entries: []string{"a"}, EndNodes: []string{"c"}}
	d.Nodes = []graph.Node{{Key: "a", Graph: &d}, {Key: "b", Graph: &d}, {Key: "c", Graph: &d}}
	link(&d, "a", "b")
	link(&d, "b", "c")
	if mistakes, _ := errors.AsType[graph.Mistakes](d.Validate(graph.Funcs{})); !mistakes.Has(graph.TooLarge) {
		t.Errorf("it is not too large: %v", mistakes)
	}
}

// A definition that a model has blown up is refused soon and in few words.
func TestS004AHugeDefinitionIsRefusedSoonAndInFewWords(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 1<<20)
	d := graph.Definition{Name: long, Nodes: []graph.Node{{Key: "a"}}, Entries: []string{"a"}, EndNodes: []string{"a"}}
	for i := range 200_000 {
		d.FanOuts = append(d.FanOuts, fan("a", "a", "a"))
		d.Edges = append(d.Edges, graph.Edge{From: "a", To: fmt.Sprint(i)})
	}
	huge := d.Validate(graph.Funcs{})
	d.FanOuts, d.Edges = nil, d.Edges[:1000]
	d.Edges[0].To = long
	for name, err := range map[string]error{"huge": huge, "wrong": d.Validate(graph.Funcs{})} {
		if err == nil || len(err.Error()) > 50_000 {
			t.Errorf("%s: it is refused in %d bytes", name, len(fmt.Sprint(err)))
		}
	}
	if mistakes, _ := errors.AsType[graph.Mistakes](huge); !mistakes.Has(graph.TooLarge) {
		t.Errorf("it is not too large: %v", mistakes)
	}
}
