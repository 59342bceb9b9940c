package graph_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"society-tui/runtime/graph"
	"society-tui/runtime/graph/graphtest"
	"society-tui/runtime/propertytest"
)

// Every run ends, by itself or by a limit, its path is a walk of its graph, and
// iterations are counted right all the way.
func TestS004EveryRunEndsAndItsPathIsAWalkOfTheGraph(t *testing.T) {
	t.Parallel()
	how := propertytest.Met[string]{}
	ends := propertytest.Once("completed ", "error max_iterations", "error timeout", "error node_failed", "error no_route")
	how.Check(t, ends, func(t *rapid.T) {
		d := begun(t)
		d.end()
		if err := graphtest.Walk(d.def, d.r.Entry, d.r.Path); err != nil {
			t.Fatalf("%v:\n%s\n%+v", err, d.g, d.r.Path)
		}
		last := d.r.Path[len(d.r.Path)-1]
		if d.r.Status == graph.Completed && (last.Node != d.def.EndNodes[0] || last.Kind != graph.Execute || last.Outcome != graph.OK) {
			t.Fatalf("it is completed at %+v", last)
		}
		if (d.r.Reason == "") != (d.r.Status == graph.Completed) || d.r.Ended != d.at {
			t.Fatalf("it is %s, %q, since %s", d.r.Status, d.r.Reason, d.r.Ended)
		}
		how[string(d.r.Status)+" "+string(d.r.Reason)]++
	})
}

// The join of a fan-out is opened once for each time the fan-out is taken, when
// every branch has arrived or was not taken, with those that were, in order. A
// branch that is not taken holds up nothing (driver.holds).
func TestS004AJoinFiresOnceForAllBranchesThatWereTaken(t *testing.T) {
	t.Parallel()
	met, runs := propertytest.Met[string]{}, propertytest.Cases()
	want := propertytest.Met[string]{"joins": runs / 20, "joins in a branch": runs / 100, "branches of nothing": runs / 100}
	met.Check(t, want, func(t *rapid.T) {
		d := begun(t)
		parents, gates := map[int]int{}, map[int]graph.Verdict{}
		for {
			for i, b := range d.r.Branches {
				if i > 0 {
					parents[b.ID] = b.Parent
				}
			}
			w, result, ok := d.next()
			if !ok {
				break
			}
			if w.Branch != 0 && w.Kind == graph.Judge && d.r.Path != nil && !slices.ContainsFunc(d.r.Path, func(r graph.Record) bool {
				return r.Branch == w.Branch && r.Kind == graph.Execute
			}) {
				gates[w.Branch] = result.Verdict
			}
			if w.Kind == graph.Join {
				met["joins"]++
				if w.Branch != 0 {
					met["joins in a branch"]++
				}
				checkJoin(d, w, parents, gates)
			}
			d.done(w, result)
			if w.Kind == graph.Join && d.r.Expects(w) {
				t.Fatalf("Expects(%+v) is true after the join has fired, want false", w)
			}
		}
		for id, parent := range parents {
			if gates[id] == graph.No && !slices.ContainsFunc(d.r.Path, func(r graph.Record) bool { return r.Kind == graph.Join && r.Branch == parent }) {
				met["branches of nothing"]++
			}
		}
	})
}

func checkJoin(d *driver, w graph.Work, parents map[int]int, gates map[int]graph.Verdict) {
	if !slices.IsSorted(w.Branches) || len(w.Branches) == 0 {
		d.t.Fatalf("it joins %v", w.Branches)
	}
	for _, other := range d.r.Next() {
		if slices.Contains(w.Branches, other.Branch) {
			d.t.Fatalf("it joins %v while %+v is open", w.Branches, other)
		}
	}
	for _, id := range w.Branches {
		if parents[id] != w.Branch || gates[id] == graph.No {
			d.t.Fatalf("the branch %d of %d, %q, is joined into %d", id, parents[id], gates[id], w.Branch)
		}
		ended := slices.ContainsFunc(d.r.Path, func(r graph.Record) bool {
			return r.Branch == id && r.Kind == graph.Execute && r.Outcome == graph.OK
		})
		if !ended {
			d.t.Fatalf("the branch %d is joined and has done nothing", id)
		}
	}
	for id, parent := range parents { // and no branch that was taken is left out
		still := slices.ContainsFunc(d.r.Branches, func(b graph.Thread) bool { return b.ID == id })
		if still && parent == w.Branch && gates[id] != graph.No && gates[id] != graph.Neither && !slices.Contains(w.Branches, id) {
			d.t.Fatalf("the branch %d of %d was taken and is not joined with %v", id, parent, w.Branches)
		}
	}
}

// What is loaded from the checkpoint of any moment has the same work open, and
// goes on exactly as the run that was never interrupted.
func TestS004ACheckpointGoesOnAsTheRunItself(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		d := pending(t)
		twin := load(t, d.g, d.r)
		if err := errors.Join(d.r.Start(d.at), twin.Start(d.at)); err != nil {
			t.Fatal(err)
		}
		for {
			if rapid.IntRange(0, 7).Draw(t, "crash") == 0 {
				twin = load(t, d.g, twin)
			}
			if a, b := d.r.Next(), twin.Next(); !reflect.DeepEqual(a, b) {
				t.Fatalf("it waits for\n%+v, not\n%+v", b, a)
			}
			w, result, ok := d.next()
			if !ok {
				break
			}
			d.done(w, result)
			if err := twin.Done(w, result); err != nil {
				t.Fatal(err)
			}
		}
		if a, b := d.r.Encode(), twin.Encode(); !bytes.Equal(a, b) {
			t.Fatalf("they part:\n%s\n%s", a, b)
		}
	})
}

func load(t *rapid.T, g *graph.Graph, r *graph.Run) *graph.Run {
	l, err := graph.Load(g, r.Encode())
	if err != nil {
		t.Fatalf("load %s: %v", r.Encode(), err)
	}
	return l
}

// Nothing is open after an abort, which keeps the path, and no result counts.
func TestS004AnAbortLeavesNoWork(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		d := begun(t)
		for range rapid.IntRange(0, 30).Draw(t, "steps") {
			d.step()
		}
		over, open, path := d.r.Status.Over(), d.r.Next(), len(d.r.Path)
		err := d.r.Abort(d.at)
		if over {
			if !errors.Is(err, graph.ErrStatus) {
				t.Fatalf("abort of a run that is over: %v", err)
			}
			return
		}
		if err != nil || d.r.Status != graph.Cancelled || d.r.Reason != graph.Aborted || len(d.r.Next()) > 0 || len(d.r.Path) < path {
			t.Fatalf("it is %s (%v) with %+v", d.r.Status, err, d.r.Next())
		}
		for _, w := range open {
			if err := d.r.Done(w, graph.Result{At: d.at}); !errors.Is(err, graph.ErrStale) {
				t.Fatalf("a result after the abort: %v", err)
			}
		}
		if err := errors.Join(d.r.Pause(), d.r.Resume(d.at), d.r.Interrupt(d.at), d.r.Start(d.at)); d.r.Status != graph.Cancelled || err == nil {
			t.Fatalf("it is %s", d.r.Status)
		}
		d.holds()
	})
}

// A result of closed work is refused and changes nothing, however the work was closed.
func TestS004AStaleResultNeverChangesARun(t *testing.T) {
	t.Parallel()
	met := propertytest.Met[string]{}
	met.Check(t, propertytest.Once("refused"), func(t *rapid.T) {
		d := begun(t)
		for d.r.Status == graph.Running {
			switch rapid.IntRange(0, 9).Draw(t, "what") {
			case 0:
				d.interrupt()
			case 1:
				d.at = d.at.Add(time.Duration(rapid.IntRange(0, 9).Draw(t, "pass")) * time.Second)
				d.r.Expire(d.at)
				d.holds()
			}
			d.step()
			for _, w := range d.past {
				if d.r.Expects(w) {
					continue
				}
				was := d.r.Clone()
				if err := d.r.Done(w, d.result(w)); !errors.Is(err, graph.ErrStale) {
					t.Fatalf("result of %+v: %v", w, err)
				}
				if !reflect.DeepEqual(was, d.r) {
					t.Fatalf("it has changed:\n%s\n%s", was.Encode(), d.r.Encode())
				}
				met["refused"]++
			}
			d.past = d.past[max(0, len(d.past)-3):] // else it takes long
		}
	})
}

// interrupt takes back what is open and opens it anew.
func (d *driver) interrupt() {
	was := d.r.Next()
	if err := d.r.Interrupt(d.at); err != nil {
		d.t.Fatal(err)
	}
	if open := d.r.Next(); len(open) > 0 {
		d.t.Fatalf("after an interrupt %+v is open", open)
	}
	if err := d.r.Resume(d.at); err != nil {
		d.t.Fatal(err)
	}
	d.holds()
	if now := d.r.Next(); d.r.Status == graph.Running && !slices.Equal(kinds(was), kinds(now)) {
		d.t.Fatalf("after an interrupt it waits for\n%+v, not\n%+v", now, was)
	}
}

func kinds(work []graph.Work) []string {
	all := make([]string, len(work))
	for i, w := range work {
		all[i] = fmt.Sprintf("%s %d %s %s", w.Kind, w.Branch, w.Node, w.To)
	}
	return all
}

// A run that is paused at any moment lets what is open end, opens nothing, and
// after Resume is where it would have been.
func TestS004APauseChangesNothingButTheTime(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		d := begun(t)
		for range rapid.IntRange(0, 30).Draw(t, "steps") {
			d.step()
		}
		if d.r.Status.Over() {
			return
		}
		twin := d.r.Clone()
		if err := d.r.Pause(); err != nil {
			t.Fatal(err)
		}
		before := d.at
		for _, w := range rapid.Permutation(d.r.Next()).Draw(t, "order") {
			if result := d.result(w); d.r.Expects(w) && twin.Expects(w) {
				result.At = before
				d.done(w, result)
				if err := twin.Done(w, result); err != nil {
					t.Fatal(err)
				}
			}
		}
		if open := d.r.Next(); d.r.Status == graph.Running && twin.Status == graph.Running && len(open) > 0 {
			t.Fatalf("it is paused and waits for %+v", open)
		}
		if d.r.Status == graph.Running {
			if err := d.r.Resume(before); err != nil {
				t.Fatal(err)
			}
		}
		if d.r.Status != twin.Status {
			t.Fatalf("it is %s %s, and unpaused %s %s", d.r.Status, d.r.Reason, twin.Status, twin.Reason)
		}
		if d.r.OneByOne || len(d.r.Branches) == 1 && len(twin.Branches) == 1 {
			if a, b := d.r.Encode(), twin.Encode(); d.r.Branch == twin.Branch && d.r.Step == twin.Step && !bytes.Equal(a, b) {
				t.Fatalf("they part:\n%s\n%s", a, b)
			}
		}
		if a, b := somewhere(d.r), somewhere(twin); d.r.Status == graph.Running && (!slices.Equal(a, b) || d.r.Iterations != twin.Iterations) {
			t.Fatalf("it waits for\n%v, and unpaused for\n%v", a, b)
		}
	})
}

// somewhere is what a run waits for, without the numbers that come from the order
// in which branches went on.
func somewhere(r *graph.Run) []string {
	var all []string
	for _, w := range r.Next() {
		all = append(all, fmt.Sprint(w.Kind, w.Node, w.To, w.Attempt, len(w.Branches)))
	}
	slices.Sort(all)
	return all
}

// What was tried out on a clone never shows in the run it was made of.
func TestS004AClonesFateIsItsOwn(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		d := begun(t)
		for range rapid.IntRange(0, 20).Draw(t, "steps") {
			d.step()
		}
		clone := *d
		was := d.r.Encode()
		clone.r = d.r.Clone()
		for range rapid.IntRange(1, 20).Draw(t, "tried") {
			clone.step()
		}
		if now := d.r.Encode(); !bytes.Equal(was, now) {
			t.Fatalf("it has changed:\n%s\n%s", was, now)
		}
		mine := clone.r.Encode()
		d.end()
		if now := clone.r.Encode(); !bytes.Equal(mine, now) {
			t.Fatalf("the clone has changed:\n%s\n%s", mine, now)
		}
	})
}

// A record that was damaged is refused, or makes a run that goes on within its
// graph: nothing that a disk holds can bring the program down.
func TestS004ADamagedCheckpointIsRefusedOrHarmless(t *testing.T) {
	t.Parallel()
	met := propertytest.Met[string]{}
	met.Check(t, propertytest.Once("refused"), func(t *rapid.T) {
		d := begun(t)
		for range rapid.IntRange(0, 30).Draw(t, "steps") {
			d.step()
		}
		encoded := d.r.Encode()
		for range rapid.IntRange(1, 3).Draw(t, "bytes") {
			i := rapid.IntRange(0, len(encoded)-1).Draw(t, "at")
			encoded[i] = rapid.SampledFrom([]byte(`0123456789-"{}[],:nread`)).Draw(t, "byte")
		}
		r, err := graph.Load(d.g, encoded)
		if err != nil {
			met["refused"]++
			return
		}
		for range 200 {
			open := r.Next()
			if len(open) == 0 {
				break
			}
			if err := r.Done(open[0], d.result(open[0])); err != nil {
				t.Fatal(err)
			}
		}
	})
}

func TestS004ARunNoticesThatItsGraphWasChanged(t *testing.T) {
	t.Parallel()
	g, err := chatAndReview().Build()
	if err != nil {
		t.Fatal(err)
	}
	r, err := graph.NewRun(g, "")
	if err != nil {
		t.Fatal(err)
	}
	other, err := chatAndReview().AddConditionalEdge("chat", "chat", "again?").Build()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := graph.Load(other, r.Encode()); !errors.Is(err, graph.ErrChanged) {
		t.Errorf("loaded on another graph: %v", err)
	}
	if _, err := graph.Load(g, append([]byte{99}, r.Encode()[1:]...)); !errors.Is(err, graph.ErrNewer) {
		t.Errorf("loaded from a newer version: %v", err)
	}
	if _, err := graph.NewRun(g, "review"); !errors.Is(err, graph.ErrEntry) {
		t.Errorf("begun where nothing begins: %v", err)
	}
}

// Within another record a run is a value like any, and goes on once it has its
// graph back.
func TestS004ARunLiesWithinAnotherRecord(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		type record struct {
			Name string     `json:"name"`
			Run  *graph.Run `json:"run,omitempty"`
		}
		d := begun(t)
		for range rapid.IntRange(0, 10).Draw(t, "steps") {
			d.step()
		}
		text, err := json.Marshal(record{"ada-1", d.r})
		if err != nil {
			t.Fatal(err)
		}
		var back record
		if err := json.Unmarshal(text, &back); err != nil {
			t.Fatal(err)
		}
		if err := back.Run.Attach(d.g); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(back.Run.Next(), d.r.Next()) {
			t.Fatalf("it waits for\n%+v, not\n%+v", back.Run.Next(), d.r.Next())
		}
		d.r = back.Run
		d.end()
	})
}

// A checkpoint of the first version is read for ever.
func TestS004AnOldCheckpointIsRead(t *testing.T) {
	t.Parallel()
	g, err := chatAndReview().Build()
	if err != nil {
		t.Fatal(err)
	}
	const old = `{"graph":"` + oldGraph + `","entry":"chat","status":"running","began":"2026-01-01T00:00:00Z","n":2,"step":2,` +
		`"open":[{"at":1,"phase":"ready","try":1,"step":2,"began":"2026-01-01T00:00:01Z"}],` +
		`"path":[{"k":"execute","s":1,"n":"chat","a":1,"at":"2026-01-01T00:00:01Z","d":1000000000,"o":"ok"}]}`
	r, err := graph.Load(g, append([]byte{1}, old...))
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Done(r.Next()[0], graph.Result{At: epoch}); err != nil || r.Status != graph.Completed {
		t.Errorf("it is %s (%v)", r.Status, err)
	}
}

// S004, configuration: fifty nodes are executed where a graph says nothing else.
func TestS004ARunEndsAfterFiftyNodesUnlessItsGraphSaysOtherwise(t *testing.T) {
	t.Parallel()
	for limit, want := range map[int]int{0: 50, 7: 7} {
		g, err := graph.Compile(graph.Definition{
			Name: "loop", MaxIterations: limit, Nodes: []graph.Node{{Key: "on"}, {Key: "end"}},
			Edges:   []graph.Edge{{From: "on", To: "end", Question: "enough?"}, {From: "on", To: "on"}},
			Entries: []string{"on"}, EndNodes: []string{"end"},
		}, graph.Funcs{})
		if err != nil {
			t.Fatal(err)
		}
		r, err := graph.NewRun(g, "")
		if err == nil {
			err = r.Start(time.Time{})
		}
		for err == nil && !r.Status.Over() {
			err = r.Done(r.Next()[0], graph.Result{Verdict: graph.No})
		}
		if err != nil || r.Iterations != want || r.Reason != graph.TooManySteps {
			t.Errorf("with the limit %d it ended after %d nodes: %s, %v", limit, r.Iterations, r.Reason, err)
		}
	}
}
