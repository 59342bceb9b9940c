package tui_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"society-tui/runtime/api"
	"society-tui/runtime/conversation"
	"society-tui/runtime/society"
	"society-tui/tui/screentest"
)

// Calls are read when the tools' tab is shown, far back for an agent with few
// calls, and again after new calls.
func TestCallsAreReadWhenTheirTabIsShown(t *testing.T) {
	onScreen(t, 160, 45, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		call := func(id society.AgentID, n int) {
			f.Say(id, conversation.Entry{Kind: conversation.Answer, At: time.Now(), Calls: []conversation.Call{{ID: fmt.Sprint("c", n), Name: fmt.Sprint("tool_", n), Arguments: fmt.Sprintf(`{"n":%d}`, n)}}})
			f.Say(id, conversation.Entry{Kind: conversation.Result, CallID: fmt.Sprint("c", n), Outcome: conversation.OK, Text: fmt.Sprint("result ", n)})
		}
		call("web-1", 1)
		for i := range 300 {
			f.Say("web-1", conversation.Entry{Kind: conversation.Inbound, From: "lead-1", To: "web-1", Body: fmt.Sprint("message ", i)})
		}
		s.Press("alt+1", "down", "down").Idle()
		before := f.read()
		s.Press("alt+3", "5", "4", "3").Press("alt+1").Idle()
		if f.read() != before {
			t.Errorf("%v was read, want %v: nobody looks at the calls", f.read(), before)
		}
		s.Press("alt+3", "6").Press("alt+1").Shows("Tools · web-1", "✓ tool_1", `{"n":1}`, "→ result 1", "May use (3)", "makes changes")
		call("web-1", 2)
		s.Pass(time.Second).Shows("first (2)", "✓ tool_2", "→ result 2", "→ result 1")
		s.Press("up").Shows("Tools · lead-1", "No calls yet")
		f.set("web-1", func(r *api.Row) { r.State = society.Idle })
		s.Press("down").Shows("first (2)", "✓ tool_1")
	})
}

// From the tree the inspector shows the selected agent, which is also the
// target of verbs; opening another agent shows that one.
func TestInspectorFollowsTheTreesSelection(t *testing.T) {
	for _, width := range []int{60, 100, 160} {
		t.Run(fmt.Sprint(width), func(t *testing.T) {
			onScreen(t, width, 45, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
				family(f)
				s.Press("alt+1", "down", "down", "alt+3").Shows("Inspector · web-1")
				s.Press("ctrl+x").Shows("interrupt web-1").Press("esc")
				s.Press("alt+2").Press("alt+3").Shows("Inspector · root")
				s.Press("alt+1", "alt+3").Shows("Inspector · web-1").Press("esc")
				s.Type("/to lead-1").Press("enter", "enter", "alt+3").Shows("Inspector · lead-1")
			})
		})
	}
}

// A read error is shown with its reason, not as an empty or pending list. It is
// read again when another tab is shown.
func TestInspectorExplainsReadErrors(t *testing.T) {
	onScreen(t, 160, 45, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		f.fail("Profile", errors.New("disk\x1b[2J gone"))
		s.Press("alt+3")
		for tab := 2; tab <= 6; tab++ {
			s.Press(fmt.Sprint(tab)).Idle().Shows("Cannot read: disk gone").Hides("reading…", "No calls yet", "No brief")
		}
		f.fail("Profile", nil)
		s.Press("2").Idle().Shows("No brief").Hides("cannot be read")
		f.Say(society.Root, conversation.Entry{Kind: conversation.Answer, Text: "well"})
		s.Idle()
		f.fail("Entries", errors.New("disk gone"))
		s.Press("6").Idle().Shows("Cannot read: disk gone").Hides("reading…", "No calls yet").Press("2").Shows("No brief")
	})
}
