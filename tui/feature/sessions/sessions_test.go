package sessions_test

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"society-tui/runtime/api"
	"society-tui/runtime/api/apitest"
	"society-tui/runtime/session"
	"society-tui/runtime/society"
	"society-tui/tui/command"
	"society-tui/tui/dialog"
	"society-tui/tui/feature/sessions"
	"society-tui/tui/feature/sessions/sessionstest"
	"society-tui/tui/page"
	"society-tui/tui/page/pagetest"
)

// A journey is the feature with its store.
type journey struct {
	*pagetest.Screen
	*sessionstest.Store
}

// onPage runs a script on the list of sessions, of which society is open.
func onPage(t *testing.T, script func(t *testing.T, j *journey)) {
	t.Helper()
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		society, sessionsOf := apitest.New(), sessionstest.New()
		society.Put(rootRow)
		script(t, &journey{pagetest.New(t, society, func(d *page.Deps) page.Feature {
			return sessions.New(d, sessions.Config{
				Store: sessionsOf, Current: session.Default, Enter: func(context.Context, string) error { return nil },
				Leaving: func() bool { return false }, AboutLeaving: func(string, string) []dialog.Line { return nil },
			})
		}, &command.Command{ID: "make_role", Keys: command.Keys(command.List, "n")}), sessionsOf})
	})
}

// The start tells of another session that has work to go on with, of the one used last; not of
// the open one, of one that another program has open, or of one that takes long to read.
func TestTheStartTellsOfAnotherSessionWithWork(t *testing.T) {
	onPage(t, func(_ *testing.T, j *journey) {
		at := session.Preview{Agents: 2, AtWork: true}
		j.Sessions = j.Sessions[:0]
		j.Add(session.Default, at, time.Time{})
		j.Opens().Hides("has work")
		j.Add("large", at, time.Time{})
		j.Sessions[1].Size = 1 << 30
		j.Damage("busy", session.Problem{Why: session.InUse})
		j.Add("idle", session.Preview{Agents: 2}, time.Time{})
		j.Opens().Hides("has work")
		j.Add("two", at, time.Time{})
		j.Opens().Shows("Session two has work that goes on when you open it: alt+s")
	})
}

var rootRow = api.Row{ID: society.Root, State: society.Idle}

func TestSwitchLeavesForTheSessionOnceItIsOpen(t *testing.T) {
	onPage(t, func(t *testing.T, j *journey) {
		j.Do("/sessions").Press("down", "enter").Hides("enter open")
		if !slices.Equal(j.Left, []page.Leaving{{To: "book"}}) {
			t.Errorf("left %+v, want for book", j.Left)
		}
	})
}

func TestARenamedSessionKeepsItsPlaceInTheList(t *testing.T) {
	onPage(t, func(t *testing.T, j *journey) {
		j.Do("/sessions").Press("r").Shows("Cannot rename society: open here")
		j.Press("down", "r").Shows("Rename book", "Name: book").Press("ctrl+u").Type("Society").Press("enter")
		j.Shows("Cannot rename book: there is a session Society already")
		j.Press("r", "backspace", "backspace").Type("at").Press("enter").Shows("Renamed book to boat", "▸ boat")
		if did := j.Acts(); did != `rename "book" to Society; rename "book" to boat` {
			t.Errorf("did %s", did)
		}
	})
}

func TestDeletingASessionShowsLossesAndNeedsConfirmation(t *testing.T) {
	onPage(t, func(t *testing.T, j *journey) {
		j.Add("crowd", session.Preview{Agents: 11, Request: "Go."}, time.Time{})
		j.Add("fresh", session.Preview{Agents: 1}, time.Time{})
		j.Damage("torn", session.Problem{Why: session.Damaged})
		j.Damage("busy", session.Problem{Why: session.InUse})
		j.Do("/sessions").Press("D").Shows("Cannot delete society: open here")
		j.Press("down", "D").Shows("Delete book?", "(65.5 kB): 3 agents", "Your last message: What does the second", "This cannot be undone.", "enter = Cancel")
		j.Press("enter").Hides("Delete book?")
		j.Press("D").Press("esc").Hides("Delete book?")
		j.Press("down", "D").Shows("Delete crowd?", "11 agents", "Type the number").Press("y").Shows("Delete crowd?")
		j.Type("12").Press("enter").Shows("12 is not 11").Press("esc")
		j.Press("down", "down", "down", "D").Shows("Cannot delete busy: already open in another society-tui")
		if did := j.Acts(); did != "" {
			t.Fatalf("did %s", did)
		}
		j.Press("up", "D").Shows("Delete torn?", "Its contents are unknown: ").Press("y").Shows("Deleted torn")
		j.Press("home", "down", "down", "D").Type("11").Press("enter").Shows("Deleted crowd", "▸ fresh").Hides("crowd  ")
		if did := j.Acts(); did != "delete torn; delete crowd" {
			t.Errorf("did %s", did)
		}
	})
}

func TestDeletingASessionNamesWorkThatIsNotCommitted(t *testing.T) {
	onPage(t, func(t *testing.T, j *journey) {
		j.Do("/sessions").Press("down", "D").Shows("Delete book?").Hides("worktree").Press("esc")
		j.Lost = map[string][]society.AgentID{"book": {"ada-1", "b\x1b[2J"}}
		j.Press("D").Shows("Delete book?", "git worktrees of 2 agents", "committed: ada-1, b.").Hides("\x1b[2J")
	})
}

// The list begins at the open session, wherever that is in it.
func TestTheListOfSessionsBeginsAtTheOneThatIsOpen(t *testing.T) {
	onPage(t, func(_ *testing.T, j *journey) {
		j.Add("atlas", session.Preview{}, time.Date(1999, 12, 26, 0, 0, 0, 0, time.UTC))
		slices.Reverse(j.Sessions) // atlas, book, society
		j.Do("/sessions").Shows("▸ society").Press("up").Shows("▸ book", "  society")
		j.Press("n", "esc").Shows("▸ book") // the selection stays
	})
}
