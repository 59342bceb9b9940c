package graphview

import (
	"society-tui/runtime/graph"
	"society-tui/themes"
)

// told is the state of each node and edge in a run.
type told struct {
	plan    graph.Plan
	titles  map[string]string // clean
	current string            // the current node, "" for none; with several branches the first one's
	doing   graph.WorkKind
	also    map[string]graph.WorkKind // all current nodes
	held    bool
	nodes   map[string]nodeFacts
	ways    map[[2]string]wayFacts
}

type nodeFacts struct {
	done int // successful executions
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
		if f.current == "" {
			f.current, f.doing = w.Node, w.Kind
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

// title returns the title of a node. A path may name one that the graph no
// longer has.
func (f *told) title(key string) string {
	if t, ok := f.titles[key]; ok {
		return t
	}
	return line(key)
}

// face returns sign and style of a node; the sign is for terminals without
// colours.
func (v *View) face(f *told, key string) (sign string, style *themes.Pen) {
	n, passed := f.nodes[key]
	doing, current := f.also[key]
	switch {
	case current && f.held:
		return v.sign("‖", "p"), &v.styles.warning
	case current && doing == graph.Wait:
		return v.sign("↻", "r"), &v.styles.warning
	case current:
		return v.sign("▶", ">"), &v.styles.current
	case !passed:
		return v.sign("·", "."), &v.styles.subtle
	case n.last == graph.OK:
		return v.sign("✓", "+"), &v.styles.done
	case n.last == graph.CutShort:
		return v.sign("■", "#"), &v.styles.muted
	}
	return v.sign("✗", "!"), &v.styles.failed
}
