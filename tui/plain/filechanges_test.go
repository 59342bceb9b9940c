package plain_test

import (
	"reflect"
	"testing"

	"society-tui/runtime/api"
	"society-tui/runtime/api/apitest"
	"society-tui/runtime/changes"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
)

func TestChangesOfFilesAreReadAndUndoneInLines(t *testing.T) {
	t.Parallel()
	lead(t, protocol.English, func(f *apitest.Society) {
		f.Put(api.Row{ID: "ada-1", Parent: society.Root, State: society.Idle, Depth: 1, Order: 2})
		for n := uint64(1); n <= 2; n++ {
			f.Holds.FileChanges = append(f.Holds.FileChanges, api.FileChange{Kept: true, FileChange: society.FileChange{
				N: n, Agent: "ada-1", Call: "c", Tool: "edit", Path: []string{"a.go", "b\x1b[2J.go"}[n-1], Before: "1", After: "2", Added: 1, Removed: 2, Diff: "@@ -1 +1 @@\n-old\n+new \x1b[31m\n",
			}})
		}
		f.Holds.Undone = api.UndoResult{Steps: []changes.Step{
			{File: changes.File{Path: "a.go"}, Changes: []uint64{1}, Outcome: changes.Restore},
			{File: changes.File{Path: "b.go"}, Changes: []uint64{2}, Outcome: changes.Skip, Why: changes.ChangedSince},
		}}
	}, func(p *person) {
		p.writes("/diff")
		p.hears("#1 ada-1: edit a.go  +1 −2.", `#2 ada-1: edit b\x1b[2J.go  +1 −2.`)
		p.writes("/diff 2")
		p.hears(`+new \x1b[31m`)
		p.writes("/diff a.go")
		p.hears("-old", `+new \x1b[31m`)
		p.writes("/diff none.go")
		p.hears("No agent has changed none.go")
		p.writes("/diff 9", "/diff nobody", "/undo")
		p.hears("There is no change #9", "nobody", "root changed no file that can be undone")
		p.writes("/undo ada-1")
		p.hears("Undo 1 change by ada-1?", "restore a.go (#1 ada-1).", "skip b.go (#2 ada-1): changed since by somebody outside the society.", "Yes or no?")
		p.writes("no", "/undo call 2", "yes")
		p.hears("1 file restored")
		want := []api.UndoRequest{{Changes: []uint64{1, 2}, List: true}, {Changes: []uint64{1, 2}, List: true}, {Changes: []uint64{1, 2}}}
		p.f.Mu.Lock()
		defer p.f.Mu.Unlock()
		if !reflect.DeepEqual(p.f.Holds.Undos, want) {
			t.Errorf("the undos are %+v, want %+v", p.f.Holds.Undos, want)
		}
	})
}
