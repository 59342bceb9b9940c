package plain_test

import (
	"testing"

	"society-tui/runtime/api"
	"society-tui/runtime/api/apitest"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/tui"
	"society-tui/tui/action"
)

func TestWorktreesAreReadAndDroppedInLines(t *testing.T) {
	t.Parallel()
	var saved []action.SavedFile
	cfg := tui.Config{Lang: protocol.English, Save: func(f action.SavedFile) (string, error) {
		saved = append(saved, f)
		return "/here/" + f.Path, nil
	}}
	leadWith(t, cfg, func(f *apitest.Society) {
		f.Put(api.Row{ID: "bob-1", Parent: society.Root, State: society.Idle, Depth: 1, Order: 2})
		f.Holds.Worktrees = []api.Worktree{
			{Name: "ada-x", Agent: "ada-1", Dir: "/data/ada-x", Commits: 1, Files: 2, Merge: "git merge society/s/ada-1"},
			{Name: "bob-x", Agent: "bob-1", Dir: "/data/bob-x", Live: true},
		}
		f.Holds.Patches = map[string][]byte{"ada-x": []byte("-old\n+new \x1b[31m\n")}
	}, func(p *person) {
		p.writes("/worktrees")
		p.hears("ada-1: 1 commit, 2 files not committed.", "bob-1: in use, unchanged.")
		p.writes("/worktrees @ada-1")
		p.hears("Folder: /data/ada-x", "git merge society/s/ada-1", `+new \x1b[31m`)
		p.writes("/worktrees ada-1 > a.patch")
		p.hears("Exported to /here/a.patch")
		if len(saved) != 1 || string(saved[0].Data) != "-old\n+new \x1b[31m\n" || saved[0].Replace {
			t.Errorf("wrote %+v", saved)
		}
		p.writes("/worktrees nobody", "/worktrees drop bob-1")
		p.hears("No worktree of nobody", "still works there")
		p.writes("/worktrees drop ada-1")
		p.hears("Drop the worktree of ada-1?", "not merged: 1 commit, 2 files not committed", "Yes or no?")
		p.writes("no")
		p.hears("Nothing was done.")
		left := func() int {
			p.f.Mu.Lock()
			defer p.f.Mu.Unlock()
			return len(p.f.Holds.Worktrees)
		}
		if left() != 2 {
			t.Error("it was dropped after a no")
		}
		p.writes("/worktrees drop ada-1", "yes")
		p.hears("Dropped the worktree of ada-1")
		if left() != 1 {
			t.Error("it was not dropped after a yes")
		}
	})
}
