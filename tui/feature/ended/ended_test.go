package ended_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"society-tui/runtime/api"
	"society-tui/runtime/api/apitest"
	"society-tui/runtime/society"
	"society-tui/tui/feature/ended"
	"society-tui/tui/page"
	"society-tui/tui/page/pagetest"
)

func TestEndedAgentsAreListedWithWhenByWhomWhyAndWhatTheySpent(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := apitest.New()
		f.Put(api.Row{ID: society.Root})
		s := pagetest.New(t, f, func(d *page.Deps) page.Feature { return ended.New(d) })
		s.Do("/ended").Shows("No agent has been terminated").Press("esc")
		f.Holds.Ended = []society.Tombstone{
			{ID: "web-1", RoleName: "researcher", Order: 1, CreatedAt: time.Now().Add(-time.Hour), TerminatedAt: time.Now().Add(-time.Minute), TerminatedBy: society.User, Usage: society.Usage{Input: 900, Output: 300}},
			{ID: "web-2", RoleName: "writer\x1b[31m", Order: 2, TerminatedAt: time.Now(), TerminatedBy: society.Root, Reason: "no longer needed\nat all"},
			{ID: "web-3", RoleName: "researcher", Order: 3, CreatedAt: time.Now().Add(-time.Hour), TerminatedAt: time.Now().Add(-time.Minute), TerminatedBy: society.Root, Copied: true},
		}
		s.Do("/ended").Shows("▸ writer", "  researcher  ", "  researcher-3", "ended by you · 1.2k tokens · –", "ended by root · reason: no longer needed at all").Hides("\x1b[31m")
		if shown := s.String(); strings.Index(shown, "writer") > strings.Index(shown, "researcher") {
			t.Errorf("the older one stands first:\n%s", shown)
		}
		s.Press("down", "enter").Shows("Created", time.Now().Add(-time.Hour).Local().Format("15:04:05"), "Its conversation was deleted.")
	})
}
