package changes_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"society-tui/runtime/changes"
	"society-tui/runtime/society"
)

// change returns the n-th change of a file.
func change(n uint64, by society.AgentID, path, before, after string) changes.Change {
	return changes.Change{FileChange: society.FileChange{N: n, Agent: by, Call: string(by) + path, Path: path, Before: before, After: after, Dir: "/w"}, Kept: before != ""}
}

func undo(n uint64, path, before, after string, of ...uint64) changes.Change {
	c := change(n, society.User, path, before, after)
	c.Undoes = of
	return c
}

func unkept(c changes.Change) changes.Change { c.Kept = false; return c }

func unknown(c changes.Change) changes.Change { c.Unknown = true; return c }

func TestAnUndoRestoresOnlyWhatIsAsTheChangeLeftIt(t *testing.T) {
	t.Parallel()
	ada, bob := society.AgentID("ada"), society.AgentID("bob")
	for name, c := range map[string]struct {
		all    []changes.Change
		chosen []uint64
		now    map[string]string
		want   []changes.Step
	}{
		"the last change": {
			[]changes.Change{change(1, ada, "a", "0", "1")},
			[]uint64{1},
			map[string]string{"a": "1"},
			[]changes.Step{{Changes: []uint64{1}, Outcome: changes.Restore, From: "1", To: 1}},
		},
		"several of one agent, at once": {
			[]changes.Change{change(1, ada, "a", "0", "1"), change(2, ada, "a", "1", "2")},
			[]uint64{1, 2},
			map[string]string{"a": "2"},
			[]changes.Step{{Changes: []uint64{2, 1}, Outcome: changes.Restore, From: "2", To: 1}},
		},
		"a new file": {
			[]changes.Change{change(1, ada, "a", "", "1")},
			[]uint64{1},
			map[string]string{"a": "1"},
			[]changes.Step{{Changes: []uint64{1}, Outcome: changes.Remove, From: "1", To: 1}},
		},
		"a deleted file": {
			[]changes.Change{change(1, ada, "a", "0", "")},
			[]uint64{1},
			nil,
			[]changes.Step{{Changes: []uint64{1}, Outcome: changes.Restore, To: 1}},
		},
		"another agent since": {
			[]changes.Change{change(1, ada, "a", "0", "1"), change(2, bob, "a", "1", "2")},
			[]uint64{1},
			map[string]string{"a": "2"},
			[]changes.Step{{Changes: []uint64{1}, Outcome: changes.Skip, Why: changes.ChangedSince, By: bob, From: ""}},
		},
		"another agent between": {
			[]changes.Change{change(1, ada, "a", "0", "1"), change(2, bob, "a", "1", "2"), change(3, ada, "a", "2", "3")},
			[]uint64{1, 3},
			map[string]string{"a": "3"},
			[]changes.Step{
				{Changes: []uint64{3}, Outcome: changes.Restore, From: "3", To: 3},
				{Changes: []uint64{1}, Outcome: changes.Skip, Why: changes.ChangedSince, By: bob},
			},
		},
		"another agent since, whose change an undo has bared": {
			[]changes.Change{change(1, ada, "a", "", "1"), change(2, bob, "a", "1", "2"), change(3, ada, "a", "2", "3"), undo(4, "a", "3", "2", 3)},
			[]uint64{1},
			map[string]string{"a": "2"},
			[]changes.Step{{Changes: []uint64{1}, Outcome: changes.Skip, Why: changes.ChangedSince, By: bob}},
		},
		"all that an undo has left of a new file": {
			[]changes.Change{change(1, ada, "a", "", "1"), change(2, bob, "a", "1", "2"), change(3, ada, "a", "2", "3"), undo(4, "a", "3", "2", 3)},
			[]uint64{1, 2},
			map[string]string{"a": "2"},
			[]changes.Step{{Changes: []uint64{2, 1}, Outcome: changes.Remove, From: "2", To: 1}},
		},
		"nobody known since": {
			[]changes.Change{change(1, ada, "a", "0", "1")},
			[]uint64{1},
			map[string]string{"a": "x"},
			[]changes.Step{{Changes: []uint64{1}, Outcome: changes.Skip, Why: changes.ChangedSince}},
		},
		"undone already": {
			[]changes.Change{change(1, ada, "a", "0", "1"), undo(2, "a", "1", "0", 1)},
			[]uint64{1},
			map[string]string{"a": "0"},
			[]changes.Step{{Changes: []uint64{1}, Outcome: changes.Skip, Why: changes.AlreadyUndone}},
		},
		"the undo itself": {
			[]changes.Change{change(1, ada, "a", "0", "1"), undo(2, "a", "1", "0", 1)},
			[]uint64{2},
			map[string]string{"a": "0"},
			[]changes.Step{{Changes: []uint64{2}, Outcome: changes.Restore, From: "0", To: 2}},
		},
		"again, after its undo was undone": {
			[]changes.Change{change(1, ada, "a", "0", "1"), undo(2, "a", "1", "0", 1), undo(3, "a", "0", "1", 2)},
			[]uint64{1},
			map[string]string{"a": "1"},
			[]changes.Step{{Changes: []uint64{1}, Outcome: changes.Restore, From: "1", To: 1}},
		},
		"an old content that is not kept": {
			[]changes.Change{unkept(change(1, ada, "a", "0", "1"))},
			[]uint64{1},
			map[string]string{"a": "1"},
			[]changes.Step{{Changes: []uint64{1}, Outcome: changes.Skip, Why: changes.NotKept}},
		},
		"an unknown effect": {
			[]changes.Change{unknown(change(1, ada, "a", "0", ""))},
			[]uint64{1},
			map[string]string{"a": "0"},
			[]changes.Step{{Changes: []uint64{1}, Outcome: changes.Skip, Why: changes.UnknownEffect}},
		},
		"there and back": {
			[]changes.Change{change(1, ada, "a", "0", "1"), change(2, ada, "a", "1", "0")},
			[]uint64{1, 2},
			map[string]string{"a": "0"},
			[]changes.Step{{Changes: []uint64{2, 1}, Outcome: changes.Skip, Why: changes.AsBefore, From: "0", To: 1}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			now := map[changes.File]changes.State{}
			for path, hash := range c.now {
				now[changes.File{Dir: "/w", Path: path}] = changes.State{Hash: hash}
			}
			got := changes.Plan(c.chosen, c.all, now)
			for i := range c.want {
				c.want[i].File = changes.File{Dir: "/w", Path: "a"}
			}
			if !slices.EqualFunc(got, c.want, func(x, y changes.Step) bool {
				return x.File == y.File && slices.Equal(x.Changes, y.Changes) && x.Outcome == y.Outcome && x.Why == y.Why && x.By == y.By && x.From == y.From && x.To == y.To
			}) {
				t.Errorf("Plan = %+v\nwant %+v", got, c.want)
			}
		})
	}
}

// A file that was moved stays where it is if its old place cannot be restored.
func TestAnUndoOfAMoveLosesNoFile(t *testing.T) {
	t.Parallel()
	from, to := change(1, "ada", "old", "1", ""), change(2, "ada", "new", "", "1")
	from.Call, to.Call = "c", "c"
	now := map[changes.File]changes.State{{Dir: "/w", Path: "new"}: {Hash: "1"}}
	for _, kept := range []bool{true, false} {
		from.Kept = kept
		for _, s := range changes.Plan([]uint64{1, 2}, []changes.Change{from, to}, now) {
			if (s.Outcome == changes.Skip) == kept {
				t.Errorf("with the old content kept: %t, %s is to %s because %q", kept, s.Path, s.Outcome, s.Why)
			}
		}
	}
}

// Whatever agents, the user and others do to a file: what an undo overwrites is what one of
// the chosen changes wrote, and the content of nobody else is touched.
func TestAnUndoTakesBackOnlyChosenChanges(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var all []changes.Change
		var chosen []uint64
		hash := ""
		writers := map[string]uint64{} // of each content, all different
		next := 'a'
		for n := uint64(1); n <= 8; n++ {
			if rapid.Bool().Draw(t, "by another") {
				hash = string(next)
				next++
				writers[hash] = 0
			}
			after := string(next)
			next++
			all = append(all, change(n, society.AgentID(rapid.SampledFrom([]string{"ada", "bob"}).Draw(t, "agent")), "a", hash, after))
			writers[after], hash = n, after
			if rapid.Bool().Draw(t, "chosen") {
				chosen = append(chosen, n)
			}
		}
		if rapid.Bool().Draw(t, "by another at last") {
			hash = string(next)
			writers[hash] = 0
		}
		for _, s := range changes.Plan(chosen, all, map[changes.File]changes.State{{Dir: "/w", Path: "a"}: {Hash: hash}}) {
			if s.Outcome == changes.Skip {
				continue
			}
			if s.From != hash || !slices.Contains(chosen, writers[hash]) {
				t.Fatalf("%+v overwrites %q, written by %d; chosen are %v", s, hash, writers[hash], chosen)
			}
			for i, n := range s.Changes { // one behind the other, none of others between
				if c := all[n-1]; c.After != hash || !slices.Contains(chosen, n) {
					t.Fatalf("change %d of %+v does not fit to %q (%d)", n, s, hash, i)
				} else {
					hash = c.Before
				}
			}
		}
	})
}
