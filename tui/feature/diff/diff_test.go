package diff_test

import (
	"reflect"
	"testing"
	"testing/synctest"
	"time"

	"society-tui/runtime/api"
	"society-tui/runtime/api/apitest"
	"society-tui/runtime/changes"
	"society-tui/runtime/society"
	"society-tui/tui/feature/diff"
	"society-tui/tui/page"
	"society-tui/tui/page/pagetest"
)

func changed(n uint64, by society.AgentID, call, path string) api.FileChange {
	return api.FileChange{Kept: true, FileChange: society.FileChange{
		N: n, At: time.Now(), Agent: by, Task: "t1", Call: call, Tool: "edit", Path: path, Before: "1", After: "2", Added: 2, Removed: 1,
		Diff: "--- a/" + path + "\n+++ b/" + path + "\n@@ -1 +1,2 @@\n-old \x1b[31m\n+new\n+more\n",
	}}
}

// shown runs a script with the feature on a screen, in a society whose agents ada and bob
// changed files: ada twice, the second time two at once, and bob one of them since.
func shown(t *testing.T, script func(*testing.T, *pagetest.Screen, *apitest.Society)) {
	t.Helper()
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := apitest.New()
		for i, id := range []society.AgentID{"ada-1"} { // bob has ended
			s.Put(api.Row{ID: id, Parent: society.Root, Role: "ada", Order: uint64(i + 2), State: society.Idle, Task: "t1"})
		}
		s.Holds.Figures.Tasks = map[society.TaskID]api.TaskFigures{"t1": {Text: "mend the parser"}}
		s.Holds.FileChanges = []api.FileChange{
			changed(1, "ada-1", "c1", "a.go"), changed(2, "ada-1", "c2", "b.go"), changed(3, "ada-1", "c2", "\x1b]0;x\adir/c.go"), changed(4, "bob-1", "c3", "a.go"),
		}
		s.Holds.FileChanges[0].Undone = 9
		x := pagetest.New(t, s, func(d *page.Deps) page.Feature { return diff.New(d) })
		x.At = "ada-1"
		script(t, x, s)
	})
}

func TestChangesAreListedByFileCallAgentAndTask(t *testing.T) {
	shown(t, func(_ *testing.T, x *pagetest.Screen, _ *apitest.Society) {
		x.Do("/diff").Shows("by file", "a.go  +2 −1", "ada-1, bob-1", "b.go  +2 −1", "dir/c.go  +2 −1").Hides("\x1b]0")
		x.Press("s").Shows("by call", "#4 bob-1: a.go  +2 −1", "#2 ada-1: b.go, ", "+4 −2", "#1 ada-1: a.go  +2 −1  (undone)")
		x.Press("s").Shows("by agent", "ada-1: a.go, b.go, ", "bob-1: a.go  +2 −1")
		x.Press("s").Shows("by task", "mend the parser: a.go, b.go, ", "+6 −3")
		x.Press("s").Shows("by file")
	})
}

// What an agent wrote into a new file and took out again is not in it: the counts are those of git.
func TestANewFileCountsItsLinesAlone(t *testing.T) {
	shown(t, func(_ *testing.T, x *pagetest.Screen, s *apitest.Society) {
		whole, edit := changed(5, "ada-1", "c5", "new.go"), changed(6, "ada-1", "c6", "new.go")
		whole.Before, whole.Added, whole.Removed = "", 19, 0
		edit.Added, edit.Removed = 2, 2
		s.Holds.FileChanges = append(s.Holds.FileChanges, whole, edit)
		x.Do("/diff").Shows("new.go  +19 −0", "a.go  +2 −1").Press("esc")
		s.Holds.FileChanges[4].Undone, s.Holds.FileChanges[5].Undone = 7, 7
		undo := changed(7, society.User, "undo-1", "new.go")
		undo.Undoes, undo.After, undo.Added, undo.Removed = []uint64{5, 6}, "", 0, 19
		whole.N, edit.N, whole.Call, edit.Call = 8, 9, "c8", "c9"
		s.Holds.FileChanges = append(s.Holds.FileChanges, undo, whole, edit)
		x.Do("/diff").Shows("new.go  +19 −0").Press("esc")
		x.Do("/diff new.go").Shows("new.go  +19 −0", "#5 ada-1: edit new.go  undone by #7")
	})
}

func TestADiffIsShownWithWhoMadeItAndWithoutControlCharacters(t *testing.T) {
	shown(t, func(_ *testing.T, x *pagetest.Screen, _ *apitest.Society) {
		x.Do("/diff").Press("enter").Shows("#1 ada-1: edit a.go  undone by #9", "#4 bob-1: edit a.go  +2 −1", "@@ -1 +1,2 @@", "-old ", "+more").Hides("\x1b[31m")
		x.Press("esc", "esc").Do("/diff 3").Shows("#2 ada-1: edit b.go", "dir/c.go").Hides("bob-1")
		x.Press("esc").Do("/diff bob-1").Shows("by file", "bob-1", "a.go  +2 −1").Hides("b.go")
		x.Press("esc").Do("/diff 77").Shows("There is no change #77")
		x.Do("/diff c.go").Shows("dir/c.go").Hides("b.go").Press("esc")
		x.Do("/diff ./a.go").Shows("#1 ada-1: edit a.go", "#4 bob-1: edit a.go").Hides("b.go").Press("esc")
		x.Do("/diff d.go").Shows("No agent has changed d.go", "/diff lists all changes")
		x.Do("/diff nobody").Shows("nobody")
	})
}

// An undo lists first what it would do, and does nothing without a yes.
func TestAnUndoListsFirstAndThenReports(t *testing.T) {
	shown(t, func(t *testing.T, x *pagetest.Screen, s *apitest.Society) {
		s.Holds.Undone.Steps = []changes.Step{
			{File: changes.File{Path: "b.go"}, Changes: []uint64{2}, Outcome: changes.Restore},
			{File: changes.File{Path: "new"}, Changes: []uint64{5}, Outcome: changes.Remove},
			{File: changes.File{Path: "a.go"}, Changes: []uint64{3}, Outcome: changes.Skip, Why: changes.ChangedSince, By: "bob-1"},
		}
		x.Do("/undo").Shows("Undo 1 change by ada-1?", "restore b.go (#2 ada-1)", "delete new (#5), which was new", "skip a.go (#3 ada-1): changed since by bob-1")
		x.Press("enter").Hides("by ada-1?")
		x.Do("/undo").Press("y").Shows("1 file restored, 1 file removed", "skip a.go (#3): changed since by bob-1")
		x.Do("/undo agent bob-1").Press("y")
		x.Do("/undo task").Press("esc")
		x.Do("/undo 3").Press("esc")
		of := func(list bool, n ...uint64) api.UndoRequest { return api.UndoRequest{Changes: n, List: list} }
		want := []api.UndoRequest{of(true, 2, 3), of(true, 2, 3), of(false, 2, 3), of(true, 4), of(false, 4), of(true, 2, 3, 4), of(true, 2, 3)}
		s.Mu.Lock()
		defer s.Mu.Unlock()
		if !reflect.DeepEqual(s.Holds.Undos, want) {
			t.Errorf("the undos are %+v\nwant %+v", s.Holds.Undos, want)
		}
	})
}

// The notice of an undo names the command that undoes it, for the changes of all agents in it,
// and counts removed files as such.
func TestAnUndoNamesTheCommandThatUndoesIt(t *testing.T) {
	shown(t, func(t *testing.T, x *pagetest.Screen, s *apitest.Society) {
		one, two := changed(5, "ada-1", "undo-1", "b.go"), changed(6, "bob-1", "undo-1", "new")
		one.Undoes, two.Undoes = []uint64{2}, []uint64{4}
		s.Holds.FileChanges = append(s.Holds.FileChanges, one, two)
		s.Holds.Undone.Call = "undo-1"
		s.Holds.Undone.Steps = []changes.Step{{File: changes.File{Path: "new"}, Changes: []uint64{4}, Outcome: changes.Remove}}
		x.Do("/undo").Press("y").Shows("1 file removed", "to undo this too: /undo call 5").Hides("restored")
		x.Do("/undo call 5").Press("esc")
		s.Mu.Lock()
		defer s.Mu.Unlock()
		if asked := s.Holds.Undos; !reflect.DeepEqual(asked[len(asked)-1].Changes, []uint64{5, 6}) {
			t.Errorf("it would undo %v", asked[len(asked)-1].Changes)
		}
	})
}

// A repeated /undo goes on to the change before, also of another agent, and a file is undone
// without its undos.
func TestARepeatedUndoGoesOnToTheChangeBefore(t *testing.T) {
	shown(t, func(t *testing.T, x *pagetest.Screen, s *apitest.Society) {
		review := func(n uint64, by society.AgentID, call string) api.FileChange {
			return changed(n, by, call, "review.md")
		}
		all := []api.FileChange{review(1, "ada-1", "c1"), review(2, "bob-1", "c2"), review(3, "ada-1", "c3")}
		asks := func(want ...string) {
			s.Holds.FileChanges = all
			x.Do("/undo").Shows(want...)
			x.Press("esc")
		}
		restores := func(outcome changes.Outcome, n ...uint64) {
			s.Holds.Undone.Steps = []changes.Step{{File: changes.FileOf(&all[0].FileChange), Changes: n, Outcome: outcome, To: n[len(n)-1]}}
		}
		undone := func(n uint64) {
			u := review(uint64(len(all))+1, society.User, "undo")
			u.Undoes, all[n-1].Undone = []uint64{n}, u.N
			all = append(all, u)
		}
		restores(changes.Restore, 3)
		asks("Undo 1 change by ada-1?", "restore review.md (#3 ada-1)", "2 earlier changes stay: review.md, by ada-1, bob-1.", "/undo task undoes all changes of the task")
		undone(3)
		restores(changes.Restore, 2)
		asks("Undo 1 change by bob-1?", "1 earlier change stays: review.md, by ada-1.")
		restores(changes.Remove, 2, 1)
		x.Do("/diff").Press("u").Shows("Undo 2 changes by ada-1, bob-1?", "delete review.md (#2 bob-1, #1 ada-1), which was new").Hides("stay")
		x.Press("esc", "esc")
		undone(2)
		restores(changes.Remove, 1)
		asks("Undo 1 change by ada-1?", "delete review.md (#1 ada-1), which was new")
		var chosen [][]uint64
		for _, u := range s.Holds.Undos {
			chosen = append(chosen, u.Changes)
		}
		if want := [][]uint64{{3}, {2}, {1, 2}, {1}}; !reflect.DeepEqual(chosen, want) {
			t.Errorf("undone are %v, want %v", chosen, want)
		}
	})
}

func TestAnUndoOfNothingSaysSo(t *testing.T) {
	shown(t, func(t *testing.T, x *pagetest.Screen, s *apitest.Society) {
		x.Do("/undo 1").Shows("There is no change #1 that can be undone")
		s.Holds.Undone.Steps = []changes.Step{{File: changes.File{Path: "a.go"}, Changes: []uint64{4}, Outcome: changes.Skip, Why: changes.NotKept}}
		x.Do("/undo agent bob-1").Shows("Nothing to undo", "its old content is not kept").Hides("y Undo")
		s.Holds.FileChanges = nil
		x.Press("esc").Do("/undo").Shows("changed no file that can be undone").Do("/diff").Shows("No agent has changed a file")
	})
}

// An agent that changed nothing itself names the undo that helps: the one of its task.
func TestAnUndoOfAnAgentWithoutChangesNamesTheUndoOfItsTask(t *testing.T) {
	shown(t, func(_ *testing.T, x *pagetest.Screen, s *apitest.Society) {
		s.Put(api.Row{ID: society.Root, Role: "planner", Order: 1, State: society.Idle, Task: "t1"})
		x.Hear().At = society.Root
		x.Do("/undo").Shows("root changed no file that can be undone", "/undo task undoes b.go, ", "a.go, changed by ada-1, bob-1")
		x.Do("/undo agent").Shows("/undo task undoes")
		for i := range s.Holds.FileChanges {
			s.Holds.FileChanges[i].Undone = 9
		}
		x.Do("/undo").Shows("/diff lists all changes").Hides("/undo task")
	})
}
