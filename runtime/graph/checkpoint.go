package graph

import (
	"encoding/json"
	"errors"
	"fmt"
)

// version stands before every encoded run; the record only gains fields, so it
// changes when a field would have to change its meaning.
const version = 1

// The errors of Load.
var (
	ErrDamaged = errors.New("the record of the run is damaged")
	ErrNewer   = errors.New("the record of the run is from a newer version")
)

// Encode returns the run as bytes, its checkpoint. Within another record it is
// encoded as JSON like any value; then Attach does what Load does.
func (r *Run) Encode() []byte {
	body, err := json.Marshal(r)
	if err != nil {
		panic(err) // strings, numbers and times
	}
	return append([]byte{version}, body...)
}

// Load returns the run that Encode wrote, on its graph. What was open is open
// still, under the same steps: nothing that had ended is done again. The errors
// are ErrDamaged, ErrNewer and ErrChanged.
func Load(g *Graph, encoded []byte) (*Run, error) {
	if len(encoded) == 0 {
		return nil, fmt.Errorf("%w: it is empty", ErrDamaged)
	}
	if encoded[0] > version {
		return nil, fmt.Errorf("%w: %d", ErrNewer, encoded[0])
	}
	var r Run
	if err := json.Unmarshal(encoded[1:], &r); err != nil {
		return nil, fmt.Errorf("%w: %v", ErrDamaged, err)
	}
	if err := r.Attach(g); err != nil {
		return nil, err
	}
	return &r, nil
}

// check returns what is impossible in the record of a run on g. It keeps a damaged record
// from leading the run out of its graph.
func (r *Run) check(g *Graph) error {
	damaged := func(text string, args ...any) error {
		return fmt.Errorf("%w: %s", ErrDamaged, fmt.Sprintf(text, args...))
	}
	if _, ok := g.entries[r.Entry]; !ok {
		return damaged("there is no entry point %q", r.Entry)
	}
	switch {
	case r.Status == Running && len(r.Branches) == 0:
		return damaged("it runs and has no trunk")
	case r.Status != Running && len(r.Branches) > 0:
		return damaged("it is %s and has branches", r.Status)
	}
	switch r.Status {
	case Pending, Running, Completed, Cancelled, Error:
	default:
		return damaged("the status %q", r.Status)
	}
	seen, steps := map[int]*Thread{}, map[uint64]bool{}
	for i := range r.Branches {
		t := &r.Branches[i]
		if err := r.checkThread(g, t, seen); err != nil {
			return damaged("branch %d: %v", t.ID, err)
		}
		if t.Step > r.Step || t.Step != 0 && steps[t.Step] {
			return damaged("branch %d has the step %d", t.ID, t.Step)
		}
		seen[t.ID], steps[t.Step] = t, true
	}
	return r.checkForks(g)
}

// checkThread looks at one thread; before are those that stand before it.
func (r *Run) checkThread(g *Graph, t *Thread, before map[int]*Thread) error {
	if before[t.ID] != nil || t.ID < 0 || t.ID > r.Branch || t.ID == 0 && len(before) > 0 {
		return errors.New("its number")
	}
	if t.At < 0 || t.At >= len(g.nodes) || t.Edge < 0 || t.Attempt < 0 || t.Failures < 0 || t.Failures > mostRetries || t.Left < 0 {
		return errors.New("where it stands")
	}
	p := &g.nodes[t.At]
	if t.ID != 0 {
		trunk := before[t.Parent]
		if trunk == nil || trunk.Phase != forked && trunk.Phase != joining || g.nodes[trunk.At].fan != t.Fan ||
			t.Index < 0 || t.Index >= len(g.fans[t.Fan].branches) {
			return errors.New("what it branched from")
		}
	}
	switch t.Phase {
	case ready, again:
	case gate:
		if t.ID == 0 {
			return errors.New("its gate")
		}
		if b := g.fans[t.Fan].branches[t.Index]; t.Step != 0 && b.question == "" && b.name == "" || b.to != t.At {
			return errors.New("its gate")
		}
	case arrived, untaken:
		if t.ID == 0 || t.Step != 0 {
			return errors.New("its end")
		}
	case leaving:
		if t.Edge > len(p.edges) || t.Step != 0 && t.Edge == len(p.edges) || p.end {
			return errors.New("the edge that it is at")
		}
	case forked, joining:
		if p.fan < 0 || t.Phase == forked && t.Step != 0 {
			return errors.New("its fan-out")
		}
	default:
		return fmt.Errorf("the phase %q", t.Phase)
	}
	return nil
}

// checkForks finds fan-outs with a wrong number of branches.
func (r *Run) checkForks(g *Graph) error {
	for i := range r.Branches {
		t := &r.Branches[i]
		branches, ended := 0, 0
		for k := range r.Branches {
			if b := &r.Branches[k]; b.ID != 0 && b.Parent == t.ID {
				branches++
				if b.Phase == arrived || b.Phase == untaken {
					ended++
				}
			}
		}
		want := 0
		if t.Phase == forked || t.Phase == joining {
			want = len(g.fans[g.nodes[t.At].fan].branches)
		}
		if branches != want || want > 0 && (ended == want) != (t.Phase == joining) {
			return fmt.Errorf("%w: branch %d has %d branches, %d of them at their end", ErrDamaged, t.ID, branches, ended)
		}
	}
	return nil
}
