package tui_test

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"society-tui/runtime/api"
	"society-tui/runtime/conversation"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/tui/screentest"
)

// Message details.
func TestDetailsShowAllFactsOfAMessage(t *testing.T) {
	onScreenWith(t, 160, 45, still, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		f.Say(society.Root, conversation.Entry{
			Kind: conversation.Inbound, From: "web-1", FromRole: "researcher", To: "root", Type: "status_report", MessageID: "01MSG", TaskID: "01TASK",
			Seq: 41, Body: "two sources", Text: "[from web-1]\ntwo \x1b[31msources <b>",
		})
		f.Say(society.Root, conversation.Entry{
			Kind: conversation.Answer, To: "user", Text: "I looked.", Tokens: 1234, Took: 2500 * time.Millisecond, Model: "gpt-x", Node: "review", Branch: 2,
			Calls: []conversation.Call{{ID: "call-7", Name: "read_file", Arguments: `{"path":"ch07.md"}`}},
		})
		f.Say(society.Root, conversation.Entry{Kind: conversation.Result, CallID: "call-7", Outcome: conversation.Failed, Text: "no such file", Took: 40 * time.Millisecond})
		s.Idle().Press("alt+2", "g", "down").Press("w").Shows(
			"Message from web-1", "id      01MSG", "from    web-1 (researcher)", "type    status_report", "task    01TASK", "number  41",
			"Stored record", `"b": "two sources"`, `<b>`, "esc close")
		s.Press("esc").Hides("Message from").Press("G", "up").Press("w").Shows("Call of read_file", "tokens   1,234", "took     2.5s", "model    gpt-x", "branch   2", "outcome  failed", "call-7", `"t": "no such file"`)
		s.Press("q").Press("up", "up", "up").Press("w").Shows("Message from root", `"t": "I looked."`)
		s.Press("esc", "alt+1", "w").Shows("Details of root", "planner", "thinking").Press("esc", "g", "w").Idle().Shows("Contacts · you")
	})
}

// A task that its row cuts is shown in full, wherever it is in the
// conversation; the inspector names the key.
func TestATaskIsReadInFull(t *testing.T) {
	onScreen(t, 160, 45, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		task := "Measure the old harbour" + strings.Repeat(" and look again", 20) + "\nThen report.\x1b[2J"
		f.set("web-1", func(r *api.Row) { r.Doing = task[:118] })
		f.Say("web-1", conversation.Entry{Kind: conversation.Inbound, From: "lead-1", Type: "task_assignment", Body: "Begin.\n" + `{"taskBrief":{"objective":` + strconv.Quote(strings.Split(task, "\n")[0]) + `,"outputs":"a depth","completion_criteria":"it is known"}}`})
		for i := range 250 {
			f.Say("web-1", conversation.Entry{Kind: conversation.Answer, From: "web-1", Text: fmt.Sprintf("filler %d", i)})
		}
		s.Idle().Press("alt+1", "down", "down", "alt+3").Idle().Shows("Measure the old…", "w all").Press("w").Idle().Shows("Details of web-1", "outputs: a depth", "done when: it is known").Hides("taskBrief")
		f.Say("web-1", conversation.Entry{Kind: conversation.Inbound, From: "user", Body: task})
		s.Press("esc").Idle().Press("alt+3", "w").Idle().Shows("Details of web-1", "Then report.").Hides("outputs: a depth")
	})
}

// The details of the user's row are the contacts.
func TestTheContactsOfTheUserAreRead(t *testing.T) {
	for _, size := range []struct{ w, h int }{{160, 45}, {60, 20}} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			onScreen(t, size.w, size.h, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
				family(f)
				s.Idle().Press("alt+1", "home", "w").Idle().Shows("Contacts · you", "root", "organiser · 2026-01-02 15:04:05", "web-1").Hides("choose an agent")
				f.fail("Profile", errors.New("the disk is gone"))
				s.Press("esc", "w").Idle().Shows("the disk is gone")
			})
		})
	}
}

// An error that its row cuts is shown in full with its remedy.
func TestErrorIsShownInFullWithItsRemedy(t *testing.T) {
	for _, size := range []struct{ w, h int }{{160, 45}, {60, 20}} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			onScreen(t, size.w, size.h, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
				family(f)
				end := "the end of it (tried 4 times)"
				whole := strings.Repeat("the endpoint said very much; ", 20) + end
				f.set("web-1", func(r *api.Row) { r.State, r.Error = society.Idle, whole })
				f.Say("web-1", conversation.Entry{Kind: conversation.Notice, From: "web-1", Text: whole, Cause: "overload"})
				s.Idle().Press("alt+1", "down", "down", "w").Shows("Details of web-1")
				if size.h < 30 {
					s.Press("end")
				}
				s.Shows("tried 4 times)", "What to do", "The endpoint is busy, or its answer broke off", "ctrl+x r tries again")
				s.Press("esc", "enter", "alt+2").Press("w").Shows("Message from web-1", "cause", "overload")
			})
		})
	}
}

// The log of notices has outcomes, not progress, and nothing about cleared
// text.
func TestNoticeLogOmitsTransientNotices(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		for range 3 {
			s.Type("a text").Press("ctrl+c").Shows("Cleared")
		}
		s.Press("alt+1", "end", "i").Shows("Interrupted web-2").Press("R").Idle().Pass(reaction).Press("i").Pass(reaction)
		s.Press("alt+m").Shows("Recent notifications", "Interrupted web-2").Hides("Cleared", "interrupting", "No notifications yet")
	})
}

func TestNoticeLogHoldsEachNoticeOnce(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		for range 3 {
			s.Type("/stopp").Press("enter").Idle().Press("ctrl+c")
		}
		s.Press("alt+m").Shows("(3 times)")
		if n := strings.Count(s.String(), "stopp "); n != 1 {
			t.Errorf("it stands there %d times:\n%s", n, s)
		}
	})
}

// A notice that is cut names the key to read it, which works after it has
// disappeared.
func TestAMessageThatTheRowCutsCanBeReadWhole(t *testing.T) {
	onScreen(t, 60, 20, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		s.Press("alt+m").Shows("No notifications yet").Press("esc")
		f.refuse = func(society.Command) error {
			return &society.Refusal{Code: society.LimitReached, Why: protocol.Because(protocol.UnknownRole, "there are "+strings.Repeat("very ", 20)+"many agents")}
		}
		s.Type("hello").Press("enter").Shows("Limit reached", "   your text is kept; choose a recipient", " · alt+m all of it")
		s.Press("alt+m").Hides("all of it").Shows("Recent notifications", "many agents", "very very very").Press("esc")
		s.Press("alt+m").Shows("many agents")
	})
}
