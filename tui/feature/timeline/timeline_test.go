package timeline_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"society-tui/runtime/api"
	"society-tui/runtime/api/apitest"
	"society-tui/runtime/society"
	"society-tui/tui/command"
	"society-tui/tui/feature/timeline"
	"society-tui/tui/page"
	"society-tui/tui/page/pagetest"
)

// happened sends a timeline to the screen.
func happened(f *apitest.Society, events ...api.TimelineEvent) {
	f.Tell(func(c *api.Changes) {
		for i, e := range events {
			e.Seq = uint64(i + 1)
			if e.At.IsZero() {
				e.At = time.Now().Add(time.Duration(i) * time.Second)
			}
			c.Log = append(c.Log, e)
		}
	})
}

// onPage runs a script with the feature and a family of agents.
func onPage(t *testing.T, script func(*testing.T, *pagetest.Screen, *apitest.Society)) {
	t.Helper()
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := apitest.New()
		f.Put(api.Row{ID: society.Root})
		f.Put(api.Row{ID: "lead-1", Parent: society.Root})
		f.Put(api.Row{ID: "web-1", Parent: "lead-1"})
		script(t, pagetest.New(t, f, func(d *page.Deps) page.Feature {
			return timeline.New(d, func(e *api.TimelineEvent) (symbol, text string) { return "·", e.Kind })
		}, &command.Command{ID: "next_pane", Keys: command.Keys(command.Global, "tab")}), f)
	})
}

func TestTimelineListsEventsOfASubtreeInOrder(t *testing.T) {
	onPage(t, func(t *testing.T, s *pagetest.Screen, f *apitest.Society) {
		happened(f, api.TimelineEvent{Agent: "lead-1", Kind: "spawned"}, api.TimelineEvent{Agent: "web-1", Kind: "spawned"},
			api.TimelineEvent{Agent: "gone-1", Kind: "terminated"}, api.TimelineEvent{Agent: "web-1", Kind: "stopped", Text: "1 agents"})
		s.Hear().Do("timeline").Shows("Timeline of root and its subtree", "lead-1  spawned", "gone-1  terminated", "enter open", "tab kind")
		if shown := s.String(); strings.Index(shown, "lead-1  spawned") > strings.Index(shown, "web-1  spawned") {
			t.Errorf("the later one stands first:\n%s", s)
		}
		s.Press("tab").Shows("web-1  spawned").Hides("gone-1  terminated", "web-1  stopped")
		s.Press("tab").Shows("gone-1  terminated").Hides("web-1  spawned")
		s.Press("enter").Shows("gone-1 no longer exists", "Timeline of")
		s.Press("esc").Shows("web-1  stopped").Type("web-1 stop").Shows("web-1  stopped").Hides("web-1  spawned", "gone-1  terminated")
		if s.Press("enter").Hides("Timeline of"); s.Opened != "web-1" {
			t.Errorf("%q is open, want web-1", s.Opened)
		}
		s.At = "web-1"
		s.Do("timeline").Shows("Timeline of web-1 and its subtree", "web-1  stopped").Hides("lead-1  spawned", "gone-1  terminated")
	})
}
