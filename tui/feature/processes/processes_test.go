package processes_test

import (
	"testing"
	"testing/synctest"
	"time"

	"society-tui/runtime/api"
	"society-tui/runtime/api/apitest"
	"society-tui/runtime/society"
	"society-tui/tui/feature/processes"
	"society-tui/tui/page"
	"society-tui/tui/page/pagetest"
)

func TestProcessIsEndedOnlyAfterAQuestion(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		held := apitest.New()
		held.Put(api.Row{ID: society.Root})
		held.Put(api.Row{ID: "coder-1", Parent: society.Root, Processes: []api.Process{
			{ID: "p1", Command: "npm run dev \x1b[31m--port 1", Since: time.Now().Add(-3 * time.Minute)},
			{ID: "p2", Command: "sleep 100", Since: time.Now(), Outside: true},
		}})
		s := pagetest.New(t, held, func(deps *page.Deps) page.Feature { return processes.New(deps) })
		left := func() int {
			held.Mu.Lock()
			defer held.Mu.Unlock()
			return len(held.Rows["coder-1"].Processes)
		}
		s.Do("/processes").Shows("npm run dev", "coder-1", "3m", "sleep 100", "outside the sandbox").Hides("\x1b[31m")
		s.Press("enter").Shows("End process p1 of coder-1?", "npm run dev").Press("enter") // cancels
		if left() != 2 {
			t.Fatal("it was ended without a yes")
		}
		s.Do("/processes").Press("enter", "e")
		s.Shows("Ended process p1 of coder-1")
		if left() != 1 {
			t.Fatal("it was not ended after a yes")
		}
		s.Do("/processes").Shows("enter end it").Press("esc")
		s.Do("/processes end p9").Shows("p9 names no process, or several")
		s.Do("/processes end coder-1 p2").Shows("End process p2 of coder-1?").Press("e")
		if left() != 0 {
			t.Error("the second was not ended")
		}
	})
}

func TestEmptyListHintsOnlyWhatWorks(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := pagetest.New(t, apitest.New(), func(deps *page.Deps) page.Feature { return processes.New(deps) })
		s.Do("/processes").Shows("No agent has a background process", "esc close").Hides("enter end it", "↑/↓ move")
	})
}
