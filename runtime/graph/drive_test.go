package graph_test

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"pgregory.net/rapid"

	"society-tui/runtime/graph"
)

var epoch = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

// A driver leads a run through drawn results, one second a step, and checks
// after each what must always hold.
type driver struct {
	t     *rapid.T
	def   graph.Definition
	ways  ways
	g     *graph.Graph
	r     *graph.Run
	at    time.Time
	steps int
	past  []graph.Work // all that was ever open
	// kind says that no node fails or is late, and that no verdict is missing.
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
	def := draw(t)
	g, err := graph.Compile(def, graph.Funcs{})
	if err != nil {
		t.Fatal(err)
	}
	r, err := graph.NewRun(g, rapid.SampledFrom(def.Entries).Draw(t, "entry"))
	if err != nil {
		t.Fatal(err)
	}
	d := &driver{t: t, def: def, ways: waysOf(def), g: g, r: r, at: epoch, kind: rapid.Bool().Draw(t, "kind")}
	r.OneByOne = rapid.IntRange(0, 3).Draw(t, "one by one") == 0
	if rapid.IntRange(0, 9).Draw(t, "bounded") == 0 {
		r.Deadline = epoch.Add(time.Duration(rapid.IntRange(1, 60).Draw(t, "deadline")) * time.Second)
	}
	return d
}

// step ends one piece of open work, which one is drawn, and says whether there
// was any.
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

// Ways are those of a definition with its sub-graphs laid out, told from the
// definition alone.
type ways struct {
	edges map[string][]graph.Edge  // with the conditional ones in order
	fans  map[string]graph.FanOut  // by the node they begin at
	heads map[string]string        // of a key, with its prefix, the first node
	tails map[string][]string      // the last ones
	ends  map[string]bool          // of the outermost
	by    map[string]graph.Routing // the routing that holds at a node
}

func waysOf(d graph.Definition) ways {
	w := ways{map[string][]graph.Edge{}, map[string]graph.FanOut{}, map[string]string{}, map[string][]string{}, map[string]bool{}, map[string]graph.Routing{}}
	w.lay(d, "")
	for _, key := range d.EndNodes {
		for _, end := range w.tails[key] {
			w.ends[end] = true
		}
	}
	return w
}

func (w *ways) lay(d graph.Definition, prefix string) {
	for _, n := range d.Nodes {
		key := prefix + n.Key
		if n.Graph == nil {
			w.heads[key], w.tails[key] = key, []string{key}
			continue
		}
		w.lay(*n.Graph, key+"/")
		w.heads[key] = w.heads[key+"/"+n.Entry]
		for _, end := range n.Graph.EndNodes {
			w.tails[key] = append(w.tails[key], w.tails[key+"/"+end]...)
		}
	}
	for _, e := range d.Edges {
		for _, from := range w.tails[prefix+e.From] {
			e.To = w.heads[prefix+e.To]
			w.edges[from], w.by[from] = append(w.edges[from], e), d.Routing
		}
	}
	for _, f := range d.FanOuts {
		f.Branches = slices.Clone(f.Branches)
		for i := range f.Branches {
			f.Branches[i].To = w.heads[prefix+f.Branches[i].To]
		}
		f.Join = w.heads[prefix+f.Join]
		for _, from := range w.tails[prefix+f.From] {
			w.fans[from] = f
		}
	}
}

// walked says where the path of a run is not a walk of its graph: each branch
// goes on as the verdicts say, conditions are put in order until the first yes,
// and after a fan-out the join comes, once.
func (w ways) walked(r *graph.Run) error {
	if r.Began.IsZero() {
		return nil
	}
	at := map[int]string{0: ""} // where each branch stands; "" at its beginning
	asked := map[int][]graph.Record{}
	begins := map[string]bool{} // where a branch may begin
	joined := map[int]int{}
	for _, rec := range r.Path {
		switch rec.Kind {
		case graph.Judge, graph.Choose:
			if at[rec.Branch] == "" && rec.Branch != 0 { // its gate
				continue
			}
			if rec.Node != at[rec.Branch] {
				return fmt.Errorf("branch %d is at %q and was asked at %q", rec.Branch, at[rec.Branch], rec.Node)
			}
			asked[rec.Branch] = append(asked[rec.Branch], rec)
		case graph.Join:
			if f := w.fans[at[rec.Branch]]; w.heads[rec.Node] != rec.Node || f.Join != rec.Node {
				return fmt.Errorf("%q joins what was taken at %q", rec.Node, at[rec.Branch])
			}
			joined[rec.Branch]++
		case graph.Execute:
			was, ok := at[rec.Branch]
			switch {
			case rec.Attempt > 1:
				if was != rec.Node {
					return fmt.Errorf("attempt %d of %q after %q", rec.Attempt, rec.Node, was)
				}
			case !ok || was == "":
				if rec.Branch != 0 && !begins[rec.Node] {
					return fmt.Errorf("branch %d begins at %q", rec.Branch, rec.Node)
				}
				if rec.Branch == 0 && rec.Node != w.heads[r.Entry] {
					return fmt.Errorf("it begins at %q, not %q", rec.Node, r.Entry)
				}
			default:
				if err := w.leads(was, rec.Node, asked[rec.Branch], joined[rec.Branch]); err != nil {
					return err
				}
			}
			at[rec.Branch], asked[rec.Branch], joined[rec.Branch] = rec.Node, nil, 0
			if rec.Outcome == graph.OK {
				for _, b := range w.fans[rec.Node].Branches {
					begins[b.To] = true
				}
			}
		}
	}
	return nil
}

// leads says why a branch may not have gone from one node to another after those
// verdicts.
func (w ways) leads(from, to string, asked []graph.Record, joined int) error {
	var conditions []graph.Edge
	next := ""
	for _, e := range w.edges[from] {
		if e.Conditional() {
			conditions = append(conditions, e)
		} else {
			next = e.To
		}
	}
	if f, ok := w.fans[from]; ok {
		next = f.Join
		if joined > 1 {
			return fmt.Errorf("the join %q has fired %d times", f.Join, joined)
		}
	}
	for i, rec := range asked {
		if rec.Kind == graph.Judge && (i >= len(conditions) || rec.To != conditions[i].To) {
			return fmt.Errorf("verdict %d at %q is on %q", i, from, rec.To)
		}
		if rec.Verdict == graph.Yes {
			if next = rec.To; i < len(asked)-1 {
				return errors.New("it was asked on after a yes")
			}
			if joined != 0 {
				return errors.New("a join without a fan-out")
			}
		}
	}
	if to != next {
		return fmt.Errorf("%q follows %q, not %q", to, from, next)
	}
	return nil
}
