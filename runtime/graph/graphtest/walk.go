package graphtest

import (
	"errors"
	"fmt"
	"slices"

	"society-tui/runtime/graph"
)

// Ways are those of a definition with its sub-graphs laid out, told from the
// definition alone.
type ways struct {
	edges map[string][]graph.Edge // with the conditional ones in order
	fans  map[string]graph.FanOut // by the node they begin at
	heads map[string]string       // of a key, with its prefix, the first node
	tails map[string][]string     // the last ones
}

func waysOf(d graph.Definition) ways {
	w := ways{map[string][]graph.Edge{}, map[string]graph.FanOut{}, map[string]string{}, map[string][]string{}}
	w.lay(d, "")
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
			w.edges[from] = append(w.edges[from], e)
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

// Walk returns where a path is not a walk of the graph from that entry point: each branch
// follows its verdicts, conditions are asked in order until the first yes, and after a
// fan-out the join comes once.
func Walk(d graph.Definition, entry string, path []graph.Record) error {
	w := waysOf(d)
	at := map[int]string{0: ""} // where each branch stands; "" at its beginning
	asked := map[int][]graph.Record{}
	begins := map[string]bool{} // where a branch may begin
	joined := map[int]int{}
	for _, rec := range path {
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
				if rec.Branch == 0 && rec.Node != w.heads[entry] {
					return fmt.Errorf("it begins at %q, not %q", rec.Node, entry)
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

// leads returns why a branch cannot have gone from one node to another after those
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
