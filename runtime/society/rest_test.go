package society

import (
	"strings"
	"testing"
	"time"

	"society-tui/runtime/graph"
)

// The time in which a turn rests is none of its run or of its node: whoever lets
// it go on finds it where it was, also if something waits for it by then.
func TestS004ARunDoesNotAgeWhileItRests(t *testing.T) {
	t.Parallel()
	rests := map[string]func(w *world){
		"between two nodes": func(w *world) {
			w.must(PauseAgent{Agent: Root})
			w.must(Judged{Work: w.owed(Root, Judge), Verdict: graph.Yes, Choice: 1})
		},
		"within a node": func(w *world) {
			w.must(Judged{Work: w.owed(Root, Judge), Verdict: graph.Yes, Choice: 1})
			w.must(Interrupt{Agent: Root})
		},
		"before a node with a time": func(w *world) {
			w.must(Judged{Work: w.owed(Root, Judge), Verdict: graph.Yes, Choice: 1})
			w.must(PauseAgent{Agent: Root})
			w.says(Root, "another")
		},
	}
	for name, rest := range rests {
		for _, write := range []bool{false, true} {
			if write && name == "within a node" {
				continue // there a new message begins a new turn
			}
			w := through(t, "limits")
			w.says(Root, "one")
			rest(w)
			w.is(Root, Idle)
			before := path(w.agent(Root).Turn.Run)
			w.at = w.at.Add(5 * time.Minute)
			if write {
				w.send(Root, "go on")
			} else {
				w.must(Resume{Agent: Root})
			}
			w.thinks(Root)
			if after := path(w.agent(Root).Turn.Run); after != before {
				t.Errorf("%s, written to: %t: the path was %q and is %q", name, write, before, after)
			}
		}
	}
}

// What other agents have written meanwhile does not throw away how far a run had
// come: resumed, it goes on where it was, and takes them at the next border.
func TestS004AResumedRunGoesOnWhereItWasThoughMessagesWait(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		play  func(w *world)
		taken bool
	}{
		"at a border": {func(w *world) { w.says(Root, "a draft") }, true},
		"before a verdict": {func(w *world) {
			w.says(Root, "a draft")
			w.says(Root, "checked")
		}, false},
		"in a branch": {func(w *world) {
			w.says(Root, "two sides")
			w.says(Root, "left")
			w.judge(graph.Yes)
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, DefaultLimits())
			child := w.spawn(Root)
			w.says(Root, "asked")
			w.must(ChooseGraph{Role: "role-root", Graph: map[bool]string{true: "views", false: "review"}[name == "in a branch"]})
			w.send(Root, "write it")
			c.play(w)
			w.must(PauseAll{})
			before, node := path(w.agent(Root).Turn.Run), w.agent(Root).AtHand().Node
			w.must(Resume{Agent: child, Alone: true})
			w.says(child, "a report")
			w.must(Resume{Agent: Root, Alone: true})
			w.at1(node)
			if after := path(w.agent(Root).Turn.Run); after != before {
				t.Errorf("the path was %q and is %q", before, after)
			}
			if waits := len(w.agent(Root).Mailbox); (waits == 0) != c.taken {
				t.Errorf("%d messages wait", waits)
			}
		})
	}
}

// A run whose graph is another when the state is read back is given up with words,
// whatever the turn was at and whether or not it was being worked on.
func TestS004ARunThatWasLostIsGivenUpWithWords(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ play, next func(w *world) }{
		"at rest": {func(w *world) {
			w.must(PauseAgent{Agent: Root})
			w.says(Root, "a draft")
		}, func(w *world) {
			w.must(Restart{})
			w.must(Resume{Agent: Root})
		}},
		"in a node": {func(w *world) { w.says(Root, "a draft") }, func(w *world) { w.says(Root, "checked") }},
		"before a verdict": {func(w *world) {
			w.says(Root, "a draft")
			w.says(Root, "checked")
		}, func(w *world) {
			work := w.owed(Root, Judge)
			if work.Run != nil {
				w.t.Fatalf("judged is %+v of a run that was lost", work.Run)
			}
			w.must(Failed{Work: work, Class: "graph", Text: "another graph"})
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := through(t, "review")
			c.play(w)
			w.must(ChooseGraph{Role: "role-root", Graph: "views"})
			w.load()
			c.next(w)
			if a := w.agent(Root); a.Status != Idle || !strings.Contains(a.Error, "was changed while") {
				t.Fatalf("root is %s, failed with %q", a.Status, a.Error)
			}
			w.must(Resume{Agent: Root})
			w.at1("open")
		})
	}
}
