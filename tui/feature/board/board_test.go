package board_test

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/api"
	"society-tui/runtime/api/apitest"
	"society-tui/runtime/society"
	"society-tui/tui/command"
	"society-tui/tui/feature/board"
	"society-tui/tui/layout"
	"society-tui/tui/page"
	"society-tui/tui/page/pagetest"
)

// onBoard runs a script with the open board of so many agents.
func onBoard(t *testing.T, agents int, script func(*testing.T, *pagetest.Screen, *board.Feature)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		f := apitest.New()
		f.Put(api.Row{ID: society.Root, State: society.WaitingLLM, Since: time.Now()})
		for i := 1; i < agents; i++ {
			f.Put(api.Row{
				ID: society.AgentID(fmt.Sprintf("agent-%d", i)), Parent: society.Root, Order: uint64(i), Role: "agent", Doing: "read chapter " + fmt.Sprint(i),
				State: society.WaitingLLM, Since: time.Now(), Usage: society.Usage{Input: 1000 + i},
			})
		}
		var b *board.Feature
		s := pagetest.New(t, f, func(d *page.Deps) page.Feature {
			b = board.New(d, board.Config{
				Marked: func() []society.AgentID { return nil }, IsMarked: func(society.AgentID) bool { return false },
				Unmark: func() bool { return false }, Mark: func(society.AgentID) tea.Cmd { return nil }, Moved: func() {},
				Open:  func(id society.AgentID) tea.Cmd { return d.Screen.OpenAgent(id, time.Time{}) },
				Talk:  func(id society.AgentID) tea.Cmd { return d.Screen.OpenAgent(id, time.Time{}) },
				Press: func(*command.Binding, string) (tea.Cmd, bool) { return nil, false },
			})
			return b
		})
		script(t, s.Do("board"), b)
	})
}

// A key and the frame after it cost as much with 1,204 agents as with 60: only what is seen is
// drawn, and nothing is sorted.
func TestBoardDrawsOnlyWhatIsSeen(t *testing.T) {
	screen := layout.Arrange(160, 45, layout.Prefs{})
	work := func(agents int) (allocs float64) {
		onBoard(t, agents, func(t *testing.T, s *pagetest.Screen, b *board.Feature) {
			s.Press("1", "home").Shows(fmt.Sprintf("Board %s", map[bool]string{true: "1,204", false: "60"}[agents > 60]))
			down, commands := tea.KeyPressMsg{Code: tea.KeyDown}, s.Registry
			allocs = testing.AllocsPerRun(20, func() {
				b.Press(down, commands.Find("down", command.Board, false))
				if part, _ := b.View(&screen); len(part.Rows) != part.At.H {
					t.Errorf("%d rows in a place of %d", len(part.Rows), part.At.H)
				}
			})
		})
		return allocs
	}
	few, many := work(60), work(1204)
	if many > few*1.2 {
		t.Errorf("a key allocates %v times with 60 agents and %v times with 1,204", few, many)
	}
}

func TestBoardScrollsToItsEnds(t *testing.T) {
	onBoard(t, 1204, func(t *testing.T, s *pagetest.Screen, b *board.Feature) {
		s.Press("1", "end").Shows("root").Press("up").Shows("agent-1203").Hides("agent-1 ")
		s.Press("home").Shows("agent-1 ").Hides("agent-1203")
		if got := b.AtHand(); got != "agent-1" {
			t.Errorf("%s is selected, want agent-1", got)
		}
		if s.Press("enter"); s.Opened != "agent-1" || b.IsOpen() {
			t.Errorf("%q is open, and the board %t", s.Opened, b.IsOpen())
		}
	})
}
