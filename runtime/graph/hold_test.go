package graph_test

import (
	"bytes"
	"errors"
	"testing"
	"time"

	"society-tui/runtime/graph"
)

// timedRun is a run at its only node, which has a minute.
func timedRun(t *testing.T, at time.Time) (*graph.Graph, *graph.Run) {
	t.Helper()
	g, err := graph.New("timed").AddNode(graph.Node{Key: "a", Timeout: graph.Duration(time.Minute), Retries: 1}).
		SetEntryPoint("a").SetEndPoints([]string{"a"}).Build()
	if err != nil {
		t.Fatal(err)
	}
	r, err := graph.NewRun(g, "")
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Start(at); err != nil {
		t.Fatal(err)
	}
	return g, r
}

func TestHeldTimeIsLeftWhenItIsReleased(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	g, r := timedRun(t, at)
	step := r.Next()[0].Step
	if r.Release(step, at) {
		t.Errorf("Release(%d) of what was not held is true, want false", step)
	}
	if !r.Hold(step, at.Add(20*time.Second)) || r.Hold(step, at.Add(21*time.Second)) {
		t.Errorf("Hold(%d) twice: want true, then false", step)
	}
	if due := r.Due(); !due.IsZero() {
		t.Errorf("it is due at %s", due)
	}
	r.Expire(at.Add(time.Hour))
	if len(r.Path) > 0 {
		t.Fatalf("its time was up: %+v", r.Path)
	}
	r, err := graph.Load(g, r.Encode())
	if err != nil {
		t.Fatal(err)
	}
	r.Postpone(time.Hour) // while nobody ran it
	if !r.Release(step, at.Add(2*time.Hour)) {
		t.Fatalf("Release(%d) is false, want true: it was held", step)
	}
	if due, want := r.Due(), at.Add(2*time.Hour+40*time.Second); !due.Equal(want) {
		t.Errorf("it is due at %s, not at %s", due, want)
	}
}

func TestACheckpointWithLessThanNoTimeLeftIsRefused(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	g, r := timedRun(t, at)
	r.Hold(r.Next()[0].Step, at.Add(20*time.Second))
	encoded := r.Encode()
	if _, err := graph.Load(g, encoded); err != nil {
		t.Fatal(err)
	}
	if _, err := graph.Load(g, bytes.ReplaceAll(encoded, []byte(`"left":`), []byte(`"left":-`))); !errors.Is(err, graph.ErrDamaged) {
		t.Errorf("Load: %v, want %v", err, graph.ErrDamaged)
	}
}

func TestTimeThatIsUpIsNotHeld(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	_, r := timedRun(t, at)
	if r.Hold(r.Next()[0].Step, at.Add(time.Minute)) {
		t.Error("Hold is true when the time is up, want false")
	}
}

// What was held is forgotten when the execution ends or is taken back: the next one has
// all of its time.
func TestANewExecutionHasAllOfItsTime(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	for name, ends := range map[string]func(r *graph.Run){
		"it has failed": func(r *graph.Run) {
			if err := r.Done(r.Next()[0], graph.Result{At: at, Failed: "no"}); err != nil {
				t.Fatal(err)
			}
			if err := r.Done(r.Next()[0], graph.Result{At: at}); err != nil {
				t.Fatal(err)
			}
		},
		"it was interrupted": func(r *graph.Run) {
			if err := r.Interrupt(at); err != nil {
				t.Fatal(err)
			}
			if err := r.Resume(at); err != nil {
				t.Fatal(err)
			}
		},
	} {
		_, r := timedRun(t, at)
		r.Hold(r.Next()[0].Step, at.Add(20*time.Second))
		ends(r)
		if w := r.Next()[0]; w.Kind != graph.Execute || r.Release(w.Step, at) || !r.Due().Equal(at.Add(time.Minute)) {
			t.Errorf("after %s: %+v, due at %s", name, w, r.Due())
		}
	}
}
