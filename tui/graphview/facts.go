package graphview

import (
	"society-tui/runtime/graph"
	"society-tui/themes"
)

// told is what a run tells of each node and each way of its graph.
type told struct {
	plan   graph.Plan
	titles map[string]string // clean
	here   string            // the node at hand, "" for none; of several branches the first's
	doing  graph.WorkKind
	also   map[string]graph.WorkKind // all that are at hand
	held   bool
	nodes  map[string]nodeFacts
	ways   map[[2]string]wayFacts
}

type nodeFacts struct {
	done int // executions that ended well
	last graph.Outcome
}

type wayFacts struct{ yes, no int }

func facts(s *Subject) *told {
	f := &told{
		plan: s.Graph.Plan(), titles: map[string]string{}, held: s.Held,
		also: map[string]graph.WorkKind{}, nodes: map[string]nodeFacts{}, ways: map[[2]string]wayFacts{},
	}
	for _, stop := range f.plan.Stops {
		f.titles[stop.Key] = line(stop.Title)
	}
	if s.Run == nil {
		return f
	}
	for _, w := range s.Run.Next() {
		if f.here == "" {
			f.here, f.doing = w.Node, w.Kind
		}
		f.also[w.Node] = w.Kind
	}
	for i := range s.Run.Path {
		f.count(&s.Run.Path[i])
	}
	return f
}

func (f *told) count(r *graph.Record) {
	switch r.Kind {
	case graph.Execute:
		n := f.nodes[r.Node]
		if n.last = r.Outcome; r.Outcome == graph.OK {
			n.done++
		}
		f.nodes[r.Node] = n
	case graph.Judge, graph.Choose:
		if r.To == "" {
			return
		}
		way := [2]string{r.Node, r.To}
		w := f.ways[way]
		if r.Verdict == graph.Yes {
			w.yes++
		} else {
			w.no++
		}
		f.ways[way] = w
	}
}

// title is what a node is called. A path may name one that the graph has no more.
func (f *told) title(key string) string {
	if t, ok := f.titles[key]; ok {
		return t
	}
	return line(key)
}

// face is how a node is marked: by its sign first, for terminals without colours.
func (v *View) face(f *told, key string) (sign string, pen *themes.Pen) {
	n, passed := f.nodes[key]
	doing, here := f.also[key]
	switch {
	case here && f.held:
		return v.sign("‖", "p"), &v.pens.warning
	case here && doing == graph.Wait:
		return v.sign("↻", "r"), &v.pens.warning
	case here:
		return v.sign("▶", ">"), &v.pens.here
	case !passed:
		return v.sign("·", "."), &v.pens.subtle
	case n.last == graph.OK:
		return v.sign("✓", "+"), &v.pens.done
	case n.last == graph.CutShort:
		return v.sign("■", "#"), &v.pens.muted
	}
	return v.sign("✗", "!"), &v.pens.failed
}
