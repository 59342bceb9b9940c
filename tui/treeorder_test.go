package tui_test

import (
	"strings"
	"testing"
	"time"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
	"society-tui/tui/screentest"
)

// Lines move at most once a second, and the last change is sorted even if no
// other follows.
func TestTheTreeIsSortedOnceASecondAndTheSelectionStays(t *testing.T) {
	onScreenWith(t, 160, 45, still, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		spend := func(id society.AgentID, tokens int) {
			f.set(id, func(r *api.Row) { r.Usage.Input = tokens })
		}
		lines := func() string {
			var all []string
			for _, row := range strings.Split(s.String(), "\n") {
				for _, id := range []string{"lead-1", "web-1", "web-2"} {
					if column, _, tree := strings.Cut(row, "│ "); tree && strings.Contains(column, id+" ") {
						all = append(all, id)
					}
				}
			}
			return strings.Join(all, " ")
		}
		s.Idle().Press("alt+1")
		usual := lines()
		s.Press("down", "down", "down").Idle()

		s.Press("o").Shows("o:activity", "working ones first")
		s.Press("o").Shows("o:state")
		s.Press("o").Shows("o:tokens")
		spend("web-2", 50_000)
		s.Pass(2 * time.Second)
		if got := lines(); strings.Index(got, "web-2") > strings.Index(got, "web-1") {
			t.Fatalf("web-2 has used most: %s\n%s", got, s)
		}
		spend("web-1", 90_000)
		s.Idle()
		early := lines()
		spend("web-1", 90_001)
		s.Pass(100 * time.Millisecond)
		if lines() != early {
			t.Errorf("sorted twice within a second: %s, then %s", early, lines())
		}
		s.Pass(time.Second)
		if got := lines(); strings.Index(got, "web-1") > strings.Index(got, "web-2") {
			t.Errorf("web-1 has used most: %s", got)
		}
		f.forget()
		s.Press("i")
		asked(t, f, society.Interrupt{Agent: "web-2"})

		s.Press("o").Pass(2 * time.Second).Hides("  o:")
		if lines() != usual {
			t.Errorf("as they were spawned: %s, want %s", lines(), usual)
		}
	})
}
