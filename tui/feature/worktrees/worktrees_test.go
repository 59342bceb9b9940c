package worktrees_test

import (
	"fmt"
	"io/fs"
	"testing"
	"testing/synctest"
	"time"

	"society-tui/runtime/api"
	"society-tui/runtime/api/apitest"
	"society-tui/runtime/society"
	"society-tui/tui/action"
	"society-tui/tui/feature/worktrees"
	"society-tui/tui/page"
	"society-tui/tui/page/pagetest"
)

const patch = "diff --git a/a.go b/a.go\n--- a/a.go\n+++ b/a.go\n@@ -1 +1 @@\n-one\n+two\x1b[31m\n"

// onPage runs a script with the worktree of an agent that has ended and of one that lives.
// old.patch is a file that exists.
func onPage(t *testing.T, script func(*pagetest.Screen, *apitest.Society, *[]action.SavedFile)) {
	t.Helper()
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := apitest.New()
		s.Put(api.Row{ID: society.Root})
		s.Put(api.Row{ID: "coder-2", Parent: society.Root})
		s.Holds.Worktrees = []api.Worktree{
			{Name: "coder-x", Agent: "coder-1", Branch: "society/s/coder-1", Dir: "/data/coder-x", Made: time.Now(), Commits: 1, Files: 2, Merge: "git merge society/s/coder-1"},
			{Name: "coder-y", Agent: "coder-2", Branch: "society/s/coder-2", Dir: "/data/coder-y", Made: time.Now(), Live: true},
		}
		s.Holds.Patches = map[string][]byte{"coder-x": []byte(patch)}
		var saved []action.SavedFile
		script(pagetest.New(t, s, func(deps *page.Deps) page.Feature {
			deps.Actions.WriteFile = func(f action.SavedFile) (string, error) {
				if f.Path == "old.patch" && !f.Replace {
					return "", fmt.Errorf("it is there: %w", fs.ErrExist)
				}
				saved = append(saved, f)
				return "/here/" + f.Path, nil
			}
			return worktrees.New(deps)
		}), s, &saved)
	})
}

func TestWorktreesAreListedWithWhatWasChanged(t *testing.T) {
	onPage(t, func(s *pagetest.Screen, _ *apitest.Society, _ *[]action.SavedFile) {
		s.Do("/worktrees").Shows("coder-1", "1 commit", "2 files not committed", "coder-2", "in use", "unchanged")
		s.Press("enter").Shows("Worktree of coder-1", "society/s/coder-1", "/data/coder-x", "git merge society/s/coder-1", "+two", "Drop").Hides("\x1b[31m")
		s.Press("esc").Press("down", "enter").Shows("Worktree of coder-2").Hides("Drop", "Export")
	})
}

func TestAWorktreeIsDroppedOnlyAfterAQuestion(t *testing.T) {
	onPage(t, func(s *pagetest.Screen, held *apitest.Society, _ *[]action.SavedFile) {
		s.Do("/worktrees").Press("enter", "d").Shows("Drop the worktree of coder-1?", "not merged: 1 commit").Press("enter") // cancels
		if len(held.Holds.Worktrees) != 2 {
			t.Fatal("it was dropped without a yes")
		}
		s.Press("enter", "d", "d").Shows("Dropped the worktree of coder-1")
		if left := held.Holds.Worktrees; len(left) != 1 || left[0].Name != "coder-y" {
			t.Errorf("left are %+v", left)
		}
	})
}

func TestThePatchIsExportedAsItIs(t *testing.T) {
	onPage(t, func(s *pagetest.Screen, _ *apitest.Society, saved *[]action.SavedFile) {
		s.Do("/worktrees").Press("enter", "x", "enter").Shows("Exported to /here/coder-1.patch")
		s.Do("/worktrees").Press("enter", "x", "ctrl+u").Type("old.patch").Press("enter").Shows("old.patch exists").Press("r").Shows("Exported to /here/old.patch")
		if got := *saved; len(got) != 2 || string(got[0].Data) != patch || !got[1].Replace {
			t.Errorf("wrote %+v", got)
		}
	})
}

func TestAWrittenCommandNamesTheWorktree(t *testing.T) {
	onPage(t, func(s *pagetest.Screen, held *apitest.Society, saved *[]action.SavedFile) {
		s.Do("/worktrees coder-1").Shows("Worktree of coder-1", "+two").Press("esc")
		s.Do("/worktrees coder-1 > new.patch").Shows("Exported to /here/new.patch")
		s.Do("/worktrees coder-1 > old.patch").Hides("Exported to /here/old.patch")
		if got := *saved; len(got) != 1 || string(got[0].Data) != patch || got[0].Replace {
			t.Errorf("wrote %+v", got)
		}
		s.Do("/worktrees drop coder-2").Shows("The agent still works there")
		s.Do("/worktrees none").Shows("No worktree of none")
		s.Do("/worktrees drop coder-1").Shows("Drop the worktree of coder-1?").Press("d").Shows("Dropped the worktree of coder-1")
		if left := held.Holds.Worktrees; len(left) != 1 {
			t.Errorf("left are %+v", left)
		}
	})
}
