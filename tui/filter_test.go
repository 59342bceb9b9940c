package tui_test

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
	"society-tui/tui/screentest"
)

// A filter shows matches below their ancestors; esc restores selection and
// scroll position.
func TestFilterShowsMatchesAndEscLeadsBack(t *testing.T) {
	for text, want := range map[string]string{
		"s:error": "you root lead-1 web-1",
		"!other":  "you root lead-1 web-1 web-2",
		">5m":     "you root lead-1 web-2",
	} {
		t.Run(strings.Trim(text, "!>:"), func(t *testing.T) {
			onScreenWith(t, 100, 30, still, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
				family(f)
				f.set("web-2", func(r *api.Row) { r.State = society.Idle })
				s.Pass(6 * time.Minute)
				for i := range 60 {
					f.spawn(society.AgentID("other-"+string(rune('a'+i%26))+string(rune('a'+i/26))), society.Root, "other")
				}
				for _, id := range []society.AgentID{society.Root, "lead-1", "web-1"} {
					f.set(id, func(r *api.Row) { r.State = society.Idle })
					f.set(id, busy)
				}
				f.set("web-1", func(r *api.Row) { r.State, r.Error = society.Idle, "LLM error" })
				s.Press("alt+1", "pgdown", "pgdown", "up", "up", "up")
				before := agentRows(s)
				s.Press("/").Type(text)
				var got []string
				for _, row := range agentRows(s) {
					if name := strings.FieldsFunc(row, func(r rune) bool { return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyz-0123456789", r) }); len(name) > 0 {
						got = append(got, name[0])
					}
				}
				if shown := strings.Join(got, " "); shown != want {
					t.Errorf("%q shows %q, want %q", text, shown, want)
				}
				s.Press("esc")
				if after := agentRows(s); !slices.Equal(after, before) {
					t.Errorf("after esc the tree is\n%s\nit was\n%s", strings.Join(after, "\n"), strings.Join(before, "\n"))
				}
			})
		})
	}
}

// A paste into the filter or search line becomes one clean line.
func TestPastesIntoFilterAndSearchAreCleaned(t *testing.T) {
	t.Parallel()
	const evil = "web\x10\x89\t\x1b]52;c;aGk=\a\u009b31m\u202e\nx\ty "
	for _, to := range [][]string{{"alt+1", "/"}, {"alt+2", "/"}, {"ctrl+p"}, {"ctrl+t"}} {
		synctest.Test(t, func(t *testing.T) {
			f := newFake()
			family(f)
			b := newBare(config(f), f)
			defer b.end()
			b.size(100, 30)
			for _, k := range to {
				b.update(key(k))
			}
			b.update(tea.PasteMsg{Content: evil})
			b.settle()
			if b.broken != nil {
				t.Errorf("%q: %v", to, b.broken)
			}
		})
	}
}

// agentRows returns the rows of the tree at the left.
func agentRows(s *screentest.Screen) []string {
	var rows []string
	first := 2
	for all := s.Rows(); strings.Contains(all[2], "Needs you") && !strings.HasPrefix(all[first-1], "     "); {
		first++ // behind the agents that need the user, and a blank row
	}
	for _, row := range s.Rows()[first:] {
		if strings.HasPrefix(row, "─") || strings.HasPrefix(row, "▌ to: ") {
			break
		}
		if cells := []rune(row); len(cells) > 26 {
			row = string(cells[:26])
		}
		rows = append(rows, row)
	}
	return rows
}

// Behind the running agents f has the ended ones, and the tree shows all again.
func TestShowListsTheEndedAgentsLast(t *testing.T) {
	onScreenWith(t, 100, 30, still, func(_ *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		f.Holds.Ended = []society.Tombstone{{ID: "old-1", RoleName: "writer", TerminatedAt: time.Now(), TerminatedBy: "lead-1", Reason: "done"}}
		s.Press("alt+1", "f", "f").Shows("f:running").Press("f").Idle().Shows("Ended agents", "▸ writer", "ended by lead-1 · reason: done")
		s.Press("esc").Hides("old-1").Shows("f:all")
	})
}

// A filter without a match says which it is and how to leave it.
func TestAFilterWithoutMatchesNamesItselfAndItsKeys(t *testing.T) {
	onScreenWith(t, 160, 45, still, func(_ *testing.T, s *screentest.Screen, f *fakeSociety) {
		f.spawn(society.Root, "", "planner")
		s.Press("alt+1", "f").Shows("f:problems", "No agent matches “problems” · f changes the filter,", "esc shows all")
		s.Press("f").Shows("No agent matches “running” · f").Type("/zzz").Shows("No agent matches “running zzz” · f")
		s.Press("esc").Hides("No agent matches").Type("/zzz").Shows("No agent matches “zzz” · esc shows").Press("esc")
		s.Press("f2", "f").Shows("No agent matches “problems” · f changes the filter, esc shows all").Press("esc").Hides("No agent matches").Press("esc")
		s.Press("ctrl+p").Type("zzzq").Shows("No matches. esc clears the search.").Press("esc").Hides("No matches")
	})
}
