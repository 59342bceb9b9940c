package limits

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"society-tui/llm"
	"society-tui/llm/registry"
)

// A seeker is a model that has the key, or none so far.
type seeker struct {
	llm.Model

	key atomic.Value // a string
}

func (s *seeker) SeeksKey() bool                { return s.Account() == "" }
func (s *seeker) FindKey(context.Context) error { return nil }
func (s *seeker) Account() string               { return s.key.Load().(string) }

func seeking(name, place, key string) (registry.Entry, *seeker) {
	s := new(seeker)
	s.key.Store(key)
	return registry.Entry{Name: name, Model: s, Endpoint: "a", Account: place}, s
}

func TestModelsWithOneKeyShareABrakeHoweverItIsFound(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := New(8)
		given := registry.Entry{Name: "given", Endpoint: "a", Account: "k"}
		same, _ := seeking("same", "file", "k")
		again, _ := seeking("again", "file", "")
		other, _ := seeking("other", "command", "k2")
		until := time.Now().Add(time.Minute)
		l.HeldUntil(same)
		l.Hold(given, until)
		for name, c := range map[string]struct {
			of   registry.Entry
			want time.Time
		}{"the same key": {same, until}, "the same place": {again, until}, "another key": {other, time.Time{}}} {
			if got := l.HeldUntil(c.of); !got.Equal(c.want) {
				t.Errorf("a model with %s is held until %v, want %v", name, got, c.want)
			}
		}
	})
}

// Agents may wait for an endpoint from an earlier run, before any key was looked for.
func TestWhatWasLearntBeforeAKeyWasFoundHoldsForIt(t *testing.T) {
	t.Parallel()
	for name, known := range map[string]bool{"a key that is new": false, "a key that others use": true} {
		synctest.Test(t, func(t *testing.T) {
			l := New(8)
			given := registry.Entry{Name: "given", Endpoint: "a", Account: "k"}
			if known {
				l.HeldUntil(given)
			}
			late, model := seeking("late", "file", "")
			until := time.Now().Add(time.Minute)
			l.Hold(late, until)
			began := make(chan time.Duration)
			go func() {
				c, err := l.Begin(t.Context(), Request{Model: late, Agent: "x", Most: time.Hour})
				if err != nil {
					t.Error(err)
				}
				c.Done()
				began <- c.Waited()
			}()
			time.Sleep(20 * time.Second)
			model.key.Store("k")
			for _, e := range []registry.Entry{late, given} {
				if got := l.HeldUntil(e); !got.Equal(until) {
					t.Errorf("%s: %s is held until %v, want %v", name, e.Name, got, until)
				}
			}
			if waited := <-began; waited != time.Minute || time.Now().Before(until) {
				t.Errorf("%s: who waited has waited %s, want a minute", name, waited)
			}
		})
	}
}

// A key that was refused is looked for again; another one has another brake, at which those who
// wait for the model wait from then on. The model's own limit stays.
func TestWhoWaitsFollowsTheModelToAnotherKey(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := New(8)
		given := registry.Entry{Name: "given", Endpoint: "a", Account: "k"}
		moves, model := seeking("moves", "file", "k")
		moves.RPM = 3
		first, err := l.Begin(t.Context(), Request{Model: moves, Most: time.Hour})
		if err != nil {
			t.Fatal(err)
		}
		l.Hold(given, time.Now().Add(time.Hour))
		begun := time.Now()
		waits := func(e registry.Entry) <-chan time.Duration {
			began := make(chan time.Duration, 1)
			go func() {
				if c, err := l.Begin(t.Context(), Request{Model: e, Agent: e.Name, Most: 2 * time.Hour}); err == nil {
					began <- time.Since(begun)
					c.Done()
					if e.Name == "moves" && c.Waited() != 10*time.Second {
						t.Errorf("it waited %s behind brakes, want 10s", c.Waited())
					}
				}
			}()
			synctest.Wait()
			return began
		}
		stays, goes, follows := waits(given), waits(moves), waits(moves)
		time.Sleep(10 * time.Second)
		model.key.Store("k2")
		if err := first.Ask(t.Context()); err != nil || time.Since(begun) != 20*time.Second {
			t.Fatalf("Ask() = %v after %s, want that it may ask with the other key when the model's own limit allows that", err, time.Since(begun))
		}
		if a, b := <-goes, <-follows; min(a, b) != 40*time.Second || max(a, b) != time.Minute {
			t.Errorf("those who waited began after %s and %s, want them to wait for the model's own limit alone", a, b)
		}
		if until := l.HeldUntil(moves); !until.IsZero() {
			t.Errorf("the other key is held until %v", until)
		}
		if after := <-stays; after != time.Hour {
			t.Errorf("who has the first key began after %s, want an hour", after)
		}
		first.Done()
	})
}

// A key that is looked for again and again leaves nothing behind.
func TestFormerKeysAreForgotten(t *testing.T) {
	t.Parallel()
	l := New(8)
	moves, model := seeking("moves", "file", "k")
	c, err := l.Begin(t.Context(), Request{Model: moves})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 100 {
		model.key.Store(string(rune('a' + i)))
		if err := c.Ask(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if c.Done(); len(l.gates) != 1 || len(l.found) != 1 {
		t.Errorf("there are %d gates, and %d keys, want 1", len(l.gates), len(l.found))
	}
}
