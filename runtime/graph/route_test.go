package graph_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"society-tui/runtime/graph"
)

// oldGraph is the fingerprint of chatAndReview.
const oldGraph = "4506b6c70dcf01bd"

// routed returns a graph of a, b and c with two conditional edges at a, and with
// a default one if it is wanted.
func routed(t *testing.T, by graph.Routing, fallback bool) *graph.Graph {
	t.Helper()
	b := graph.New("routed").SetRouting(by)
	for _, key := range []string{"a", "b", "c", "d"} {
		b.AddLLMNode(key, "", "", nil, "")
	}
	b.AddConditionalEdge("a", "b", "to b?").AddConditionalEdge("a", "c", "to c?")
	if fallback {
		b.AddEdge("a", "d")
	} else {
		b.AddEdge("b", "d")
	}
	g, err := b.SetEntryPoint("a").SetEndPoints(slices.Compact([]string{map[bool]string{true: "b", false: "c"}[fallback], "c", "d"})).Build()
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// play runs g with these results, a second each, and returns the run.
func play(t *testing.T, g *graph.Graph, results ...graph.Result) *graph.Run {
	t.Helper()
	r, err := graph.NewRun(g, "")
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Start(epoch); err != nil {
		t.Fatal(err)
	}
	for i, result := range results {
		open := r.Next()
		if len(open) == 0 {
			t.Fatalf("after %d results it is %s %s", i, r.Status, r.Reason)
		}
		result.At = epoch.Add(time.Duration(i+1) * time.Second)
		if err := r.Done(open[0], result); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

var (
	done    = graph.Result{}
	yes     = graph.Result{Verdict: graph.Yes, Why: "it is so"}
	no      = graph.Result{Verdict: graph.No}
	neither = graph.Result{Why: "perhaps"}
	broken  = graph.Result{Failed: "the model is away"}
)

func at(r *graph.Run) string {
	var keys []string
	for _, w := range r.Next() {
		keys = append(keys, w.Kind.String()+" "+w.Node+w.To)
	}
	return strings.Join(append(keys, string(r.Reason)), " ")
}

func TestS004TheFirstConditionThatHoldsDecidesThenTheDefaultThenNoRoute(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		by       graph.Routing
		fallback bool
		results  []graph.Result
		want     string
		warnings int
	}{
		"asked first":     {"", true, []graph.Result{done}, "judge ab ", 0},
		"the first":       {"", true, []graph.Result{done, yes}, "execute b ", 0},
		"the second":      {"", true, []graph.Result{done, no, yes}, "execute c ", 0},
		"the default":     {"", true, []graph.Result{done, no, no}, "execute d ", 0},
		"none":            {"", false, []graph.Result{done, no, no}, "no_route", 0},
		"neither is no":   {"", true, []graph.Result{done, neither, yes}, "execute c ", 1},
		"a failure is no": {"", true, []graph.Result{done, broken, broken}, "execute d ", 2},
		"a final failure": {"", true, []graph.Result{done, {Failed: "panic", Final: true}}, "condition_failed", 1},
		"one choice":      {graph.RouteChoice, true, []graph.Result{done}, "choose a ", 0},
		"chosen":          {graph.RouteChoice, true, []graph.Result{done, {Verdict: graph.Yes, Choice: 2}}, "execute c ", 0},
		"none chosen":     {graph.RouteChoice, true, []graph.Result{done, no}, "execute d ", 0},
		"no such choice":  {graph.RouteChoice, true, []graph.Result{done, {Verdict: graph.Yes, Choice: 3}}, "execute d ", 1},
		"a failed choice": {graph.RouteChoice, false, []graph.Result{done, broken}, "no_route", 1},
		"no clear choice": {graph.RouteChoice, false, []graph.Result{done, neither}, "no_route", 1},
	}
	for name, test := range tests {
		r := play(t, routed(t, test.by, test.fallback), test.results...)
		if got := at(r); got != test.want {
			t.Errorf("%s: it is at %q, not %q", name, got, test.want)
		}
		warnings := 0
		for _, rec := range r.Path {
			if rec.Warning() {
				warnings++
			}
		}
		if warnings != test.warnings {
			t.Errorf("%s: %d warnings, not %d", name, warnings, test.warnings)
		}
	}
	r := play(t, routed(t, "", true), done, yes)
	if long := play(t, routed(t, graph.RouteEach, true), done, graph.Result{Verdict: graph.Yes, Why: strings.Repeat("界", 200)}); len(long.Path[1].Why) > 404 || !strings.HasSuffix(long.Path[1].Why, "界…") {
		t.Errorf("a long reason is recorded as %q", long.Path[1].Why)
	}
	if last := r.Path[len(r.Path)-1]; last.Why != "it is so" || last.To != "b" || last.Verdict != graph.Yes {
		t.Errorf("the verdict is recorded as %+v", last)
	}
}

// single returns a graph of one node.
func single(t *testing.T, n graph.Node) *graph.Graph {
	t.Helper()
	n.Key = "only"
	g, err := graph.New("single").AddNode(n).SetEntryPoint("only").SetEndPoints([]string{"only"}).Build()
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestS004AFailedNodeIsTriedAgainAfterWaitsThatDouble(t *testing.T) {
	t.Parallel()
	g := single(t, graph.Node{Retries: 2})
	r := play(t, g, broken, done, broken, done, broken)
	if r.Status != graph.Error || r.Reason != graph.NodeFailed || !strings.Contains(r.Detail, "away") || r.Iterations != 3 {
		t.Errorf("it is %s %s: %s after %d", r.Status, r.Reason, r.Detail, r.Iterations)
	}
	first, second := play(t, g, broken).Next()[0], play(t, g, broken, done, broken).Next()[0]
	if !first.Until.Equal(epoch.Add(2*time.Second)) || !second.Until.Equal(epoch.Add(5*time.Second)) {
		t.Errorf("it waits until %s and %s", first.Until, second.Until)
	}
	if r := play(t, g, broken, done, done); r.Status != graph.Completed || r.Path[2].Attempt != 2 {
		t.Errorf("it is %s after %+v", r.Status, r.Path)
	}
	if r := play(t, g, graph.Result{Failed: "the key is wrong", Final: true}); r.Reason != graph.NodeFailed {
		t.Errorf("after a final failure it is %s", r.Status)
	}
}

func TestS004DeadlinesOfRunAndNodeAreKept(t *testing.T) {
	t.Parallel()
	g := single(t, graph.Node{Timeout: graph.Duration(5 * time.Second), Retries: 1})
	begin := func(deadline time.Duration) *graph.Run {
		r, err := graph.NewRun(g, "")
		if err != nil {
			t.Fatal(err)
		}
		r.Deadline = epoch.Add(deadline)
		if err := r.Start(epoch); err != nil {
			t.Fatal(err)
		}
		return r
	}
	r := begin(time.Minute)
	if due := r.Due(); !due.Equal(epoch.Add(5 * time.Second)) {
		t.Errorf("it is due at %s", due)
	}
	r.Expire(epoch.Add(4 * time.Second))
	if at(r) != "execute only " {
		t.Errorf("before its time it is at %s", at(r))
	}
	r.Expire(epoch.Add(5 * time.Second))
	if at(r) != "wait only " || r.Path[0].Outcome != graph.Late {
		t.Errorf("after its time it is at %s", at(r))
	}
	if due := r.Due(); !due.Equal(epoch.Add(time.Minute)) {
		t.Errorf("then it is due at %s", due)
	}
	r.Expire(epoch.Add(time.Minute))
	if r.Status != graph.Error || r.Reason != graph.TimedOut || !r.Due().IsZero() {
		t.Errorf("after its deadline it is %s %s", r.Status, r.Reason)
	}
	late := begin(3 * time.Second)
	if err := late.Done(late.Next()[0], graph.Result{At: epoch.Add(4 * time.Second)}); err != nil || late.Reason != graph.TimedOut || len(late.Path) != 1 {
		t.Errorf("with a late result it is %s %s (%v), %d records", late.Status, late.Reason, err, len(late.Path))
	}
	paused := begin(3 * time.Second)
	if err := paused.Pause(); err != nil {
		t.Fatal(err)
	}
	if paused.Expire(epoch.Add(3 * time.Second)); paused.Reason != graph.TimedOut {
		t.Errorf("a pause has held up the deadline: it is %s", paused.Status)
	}
}

func TestS004ASubGraphIsRunInPlaceOfItsNode(t *testing.T) {
	t.Parallel()
	inner, err := chatAndReview().Build()
	if err != nil {
		t.Fatal(err)
	}
	g, err := graph.New("outer").
		AddLLMNode("first", "", "", nil, "").AddGraph("talk", "", inner).AddLLMNode("last", "", "", nil, "").
		AddEdge("first", "talk").AddEdge("talk", "last").
		SetEntryPoint("first").SetEndPoints([]string{"last"}).Build()
	if err != nil {
		t.Fatal(err)
	}
	r := play(t, g, done, done, done, done)
	var walked []string
	for _, rec := range r.Path {
		walked = append(walked, rec.Node)
	}
	if want := []string{"first", "talk/chat", "talk/review", "last"}; !slices.Equal(walked, want) || r.Status != graph.Completed {
		t.Errorf("it is %s after %v", r.Status, walked)
	}
	if n, ok := g.Node("talk/review"); !ok || n.Title != "审核节点" {
		t.Errorf("its node is %+v", n)
	}
}

// A sub-graph keeps its own routing, and from each of its end points the edges of
// its node lead on, by the routing of the graph that it lies in.
func TestS004ASubGraphWithSeveralEndsLeadsOnFromEach(t *testing.T) {
	t.Parallel()
	inner := graph.New("inner").SetRouting(graph.RouteChoice)
	outer := graph.New("outer")
	for _, key := range []string{"in", "left", "right"} {
		inner.AddLLMNode(key, "", "", nil, "")
	}
	inner.AddConditionalEdge("in", "left", "left?").AddEdge("in", "right").SetEntryPoint("in").SetEndPoints([]string{"left", "right"})
	g, err := inner.Build()
	if err != nil {
		t.Fatal(err)
	}
	g, err = outer.AddGraph("sub", "", g).AddLLMNode("last", "", "", nil, "").AddConditionalEdge("sub", "last", "on?").
		SetEntryPoint("sub").SetEndPoints([]string{"last"}).Build()
	if err != nil {
		t.Fatal(err)
	}
	for choice, end := range map[graph.Result]string{{Verdict: graph.Yes, Choice: 1}: "left", no: "right"} {
		if got := at(play(t, g, done)); got != "choose sub/in " {
			t.Errorf("it is at %q", got)
		}
		if got, want := at(play(t, g, done, choice, done)), "judge sub/"+end+"last "; got != want {
			t.Errorf("it is at %q, not %q", got, want)
		}
		if r := play(t, g, done, choice, done, yes, done); r.Status != graph.Completed {
			t.Errorf("from %s it is %s", end, r.Status)
		}
	}
}

// One by one, a branch with all its inner branches ends before the next one begins.
func TestS004BranchesThatRunOneByOneKeepTheirOrder(t *testing.T) {
	t.Parallel()
	b := graph.New("nested")
	for _, key := range []string{"from", "a", "a1", "a2", "aj", "b", "join"} {
		b.AddLLMNode(key, "", "", nil, "")
	}
	for _, key := range []string{"a1", "a2"} {
		b.AddEdge(key, "aj")
	}
	b.AddEdge("aj", "join").AddEdge("b", "join").
		AddFanOut(fan("from", "join", "a", "b")).AddFanOut(fan("a", "aj", "a1", "a2")).
		SetEntryPoint("from").SetEndPoints([]string{"join"})
	g, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	r, err := graph.NewRun(g, "")
	if err != nil {
		t.Fatal(err)
	}
	r.OneByOne = true
	if err := r.Start(epoch); err != nil {
		t.Fatal(err)
	}
	for len(r.Next()) > 0 {
		if err := r.Done(r.Next()[0], done); err != nil {
			t.Fatal(err)
		}
	}
	var walked []string
	for _, rec := range r.Path {
		walked = append(walked, rec.Kind.String()+" "+rec.Node)
	}
	want := []string{
		"execute from", "execute a", "execute a1", "execute a2", "join aj", "execute aj", "execute b", "join join", "execute join",
	}
	if !slices.Equal(walked, want) {
		t.Errorf("it went %q", walked)
	}
}

func TestS004WhoObservesARunHearsAllOfIt(t *testing.T) {
	t.Parallel()
	g := routed(t, "", true)
	r, err := graph.NewRun(g, "")
	if err != nil {
		t.Fatal(err)
	}
	var heard []string
	r.Observe(func(e graph.Event) {
		line := string(e.Kind)
		if e.Record != nil {
			line += " " + e.Record.Kind.String() + " " + e.Record.Node
		} else if e.Kind == graph.Opened {
			line += " " + e.Work.String() + " " + e.Node
		} else {
			line += " " + string(e.Status)
		}
		heard = append(heard, line)
	})
	if err := r.Start(epoch); err != nil {
		t.Fatal(err)
	}
	for _, result := range []graph.Result{done, yes, done} {
		if err := r.Done(r.Next()[0], result); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{
		"opened execute a", "recorded execute a", "opened judge a", "recorded judge a",
		"opened execute b", "recorded execute b", "over completed",
	}
	if !slices.Equal(heard, want) {
		t.Errorf("it heard %q", heard)
	}
}

func TestS004AnAnswerToAConditionIsReadInBothLanguages(t *testing.T) {
	t.Parallel()
	for answer, want := range map[string]graph.Verdict{
		"yes": graph.Yes, "Yes, it is done.": graph.Yes, "**YES**\nbecause": graph.Yes, "是，已完成": graph.Yes,
		"true": graph.Yes, "是的": graph.Yes, "对。": graph.Yes, "false": graph.No, "不": graph.No,
		"no": graph.No, " No. Not yet.": graph.No, "否：还没有": graph.No, "不是": graph.No,
		"": graph.Neither, "maybe": graph.Neither, "yesterday": graph.Neither, "I think yes": graph.Neither, "42": graph.Neither,
	} {
		if v, _ := graph.ParseVerdict(answer); v != want {
			t.Errorf("%q is %q, not %q", answer, v, want)
		}
	}
	if _, why := graph.ParseVerdict("Yes, it is done."); why != "it is done." {
		t.Errorf("the reason is %q", why)
	}
	for answer, want := range map[string]int{"2: the second": 2, "0": 0, "3": 0, "none": 0, "**1**": 1} {
		if _, choice, _ := graph.ParseChoice(answer, 2); choice != want {
			t.Errorf("%q chooses %d, not %d", answer, choice, want)
		}
	}
}
