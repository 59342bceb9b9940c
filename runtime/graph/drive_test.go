package graph_test

import (
	"slices"
	"time"

	"pgregory.net/rapid"

	"society-tui/runtime/graph"
	"society-tui/runtime/graph/graphtest"
)

var epoch = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// A driver leads a run through drawn results, one second a step, and checks
// after each what must always hold.
type driver struct {
	t     *rapid.T
	def   graph.Definition
	g     *graph.Graph
	r     *graph.Run
	at    time.Time
	steps int
	past  []graph.Work // all that was ever open
	// kind marks runs without failures, timeouts or missing verdicts.
	kind bool
}

func begun(t *rapid.T) *driver {
	d := pending(t)
	if err := d.r.Start(d.at); err != nil {
		t.Fatal(err)
	}
	d.holds()
	return d
}

func pending(t *rapid.T) *driver {
	def := graphtest.Draw(t)
	g, err := graph.Compile(def, graph.Funcs{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := graph.NewRun(g, rapid.SampledFrom(def.Entries).Draw(t, "entry"))
	if err != nil {
		t.Fatal(err)
	}
	d := &driver{t: t, def: def, g: g, r: r, at: epoch, kind: rapid.Bool().Draw(t, "kind")}
	r.OneByOne = rapid.IntRange(0, 3).Draw(t, "one by one") == 0
	if rapid.IntRange(0, 9).Draw(t, "bounded") == 0 {
		r.Deadline = epoch.Add(time.Duration(rapid.IntRange(1, 60).Draw(t, "deadline")) * time.Second)
	}
	return d
}

// step ends one piece of open work, which one is drawn, and reports whether there was
// any.
func (d *driver) step() bool {
	w, result, ok := d.next()
	if !ok {
		return false
	}
	d.done(w, result)
	return true
}

// next draws a piece of open work and what comes of it.
func (d *driver) next() (graph.Work, graph.Result, bool) {
	open := d.r.Next()
	if len(open) == 0 {
		return graph.Work{}, graph.Result{}, false
	}
	w := rapid.SampledFrom(open).Draw(d.t, "work")
	return w, d.result(w), true
}

func (d *driver) result(w graph.Work) graph.Result {
	d.at = d.at.Add(time.Second)
	result := graph.Result{At: d.at}
	switch w.Kind {
	case graph.Execute:
		if !d.kind && rapid.IntRange(0, 7).Draw(d.t, "fails") == 0 {
			result.Failed, result.Final = "it broke", rapid.IntRange(0, 3).Draw(d.t, "final") == 0
		}
	case graph.Judge:
		result.Verdict = rapid.SampledFrom([]graph.Verdict{graph.Yes, graph.No}).Draw(d.t, "verdict")
		if !d.kind && rapid.IntRange(0, 4).Draw(d.t, "neither") == 0 {
			result.Verdict = graph.Neither
		}
	case graph.Choose:
		result.Verdict = graph.No
		if result.Choice = rapid.IntRange(0, len(w.Choices)).Draw(d.t, "choice"); result.Choice > 0 {
			result.Verdict = graph.Yes
		}
	case graph.Wait:
		if w.Until.After(d.at) {
			d.at = w.Until
			result.At = d.at
		}
	}
	return result
}

func (d *driver) done(w graph.Work, result graph.Result) {
	d.steps++
	if d.steps > 20_000 {
		d.t.Fatalf("the run does not end:\n%s", d.g)
	}
	if err := d.r.Done(w, result); err != nil {
		d.t.Fatalf("result of open work %+v: %v", w, err)
	}
	d.holds()
}

// end leads the run to its end.
func (d *driver) end() {
	for d.step() {
	}
	if !d.r.Paused && !d.r.Status.Over() {
		d.t.Fatalf("it is %s and has no work:\n%s", d.r.Status, d.g)
	}
}

// holds checks what holds after every command.
func (d *driver) holds() {
	r := d.r
	open := r.Next()
	switch {
	case r.Status.Over() && len(open) > 0:
		d.t.Fatalf("it is %s and has work: %+v", r.Status, open)
	case r.Status == graph.Running && !r.Paused && len(open) == 0:
		d.t.Fatalf("it hangs:\n%s\n%+v", d.g, r)
	case r.OneByOne && len(open) > 1:
		d.t.Fatalf("it runs one by one and has %d open", len(open))
	case r.Iterations > d.g.MaxIterations():
		d.t.Fatalf("%d nodes were executed, %d may be", r.Iterations, d.g.MaxIterations())
	}
	executions := 0
	for _, w := range open {
		if w.Kind == graph.Execute {
			executions++
		}
		if !r.Expects(w) {
			d.t.Fatalf("%+v is open and not expected", w)
		}
		if !slices.ContainsFunc(d.past, func(p graph.Work) bool { return p.Step == w.Step }) {
			d.past = append(d.past, w)
		}
	}
	for _, rec := range r.Path {
		if rec.Kind == graph.Execute {
			executions++
		}
	}
	if executions != r.Iterations {
		d.t.Fatalf("%d executions, %d are counted", executions, r.Iterations)
	}
}
