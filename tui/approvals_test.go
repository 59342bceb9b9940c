package tui_test

import (
	"fmt"
	"testing"
	"time"

	"society-tui/runtime/api"
	"society-tui/runtime/approval"
	"society-tui/runtime/conversation"
	"society-tui/runtime/society"
	"society-tui/runtime/tool"
	"society-tui/tui/screentest"
)

// asksToEdit lets an agent ask to edit a file.
func asksToEdit(f *fakeSociety, id society.AgentID, request uint64, file string) {
	f.Say(id, conversation.Entry{Kind: conversation.Answer, From: string(id), Calls: []conversation.Call{{ID: fmt.Sprint("call-", request), Name: "edit", Arguments: `{"path":"` + file + `"}`}}})
	f.Tell(func(c *api.Changes) {
		c.Approvals = append(c.Approvals, api.Approval{
			ID: request, Agent: id, Call: fmt.Sprint("call-", request), At: time.Now(), Mode: approval.AskFirst,
			Request: approval.Request{Tool: "edit", Class: tool.ClassEdit, Paths: []tool.Path{{Name: file}}, Line: []string{string(id)}, Role: "reader"},
			Summary: file + " +2 −1", Preview: "--- a/" + file + "\n+++ b/" + file + "\n@@ -1,3 +1,4 @@\n one\n-two\n+zwei \x1b[31m\n+drei\n four\n",
		})
		c.Log = append(c.Log, api.TimelineEvent{At: time.Now(), Agent: id, Kind: "approval", Text: "edit"})
	})
	f.set(id, func(r *api.Row) {
		r.State, r.Tool, r.Doing = society.Processing, "edit", "translate the numbers"
		r.Approvals++
	})
}

// endsAsking lets a request of an agent end.
func endsAsking(f *fakeSociety, id society.AgentID, request uint64, how society.ApprovalOutcome) {
	f.Tell(func(c *api.Changes) {
		c.Ended = append(c.Ended, api.ApprovalEnd{ID: request, Agent: id, Tool: "edit", Outcome: how})
	})
	f.set(id, func(r *api.Row) { r.Approvals-- })
}

// A screen that attaches hears of all lines of the timeline that are kept.
func TestNewsOfAQuestionThatWasAnsweredAreNone(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		s.Idle()
		for _, kind := range []string{"approval", "asks"} {
			f.Tell(func(c *api.Changes) {
				c.Log = append(c.Log, api.TimelineEvent{At: time.Now(), Agent: "web-1", Kind: kind, Text: "edit"})
			})
			s.Idle().Hides("web-1 asks")
		}
	})
}

func TestCallThatNeedsAYesIsAnsweredOnTheScreen(t *testing.T) {
	onScreen(t, 160, 45, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		s.Idle()
		asksToEdit(f, "web-1", 1, "src/a.go")
		s.Idle().Shows("web-1 asks to edit · alt+a shows it", "Needs you", "asks to edit src")

		// A text that was on its way when the dialog opens answers nothing.
		s.Type("\x0ego").Type("o") // ctrl+n and a text at once, and what follows it soon
		asked(t, f)
		s.Shows("web-1 asks to edit (request 1)", "wants to  edit src/a.go +2 −1", `+zwei \x1b[31m`)
		s.Pass(time.Second).Press("esc").Shows("edit src/a.go +2 −1", "? asks you", "? asks to edit src/a.go +2 −1 · alt+a to answer")

		// Another request does not replace the one that is open.
		s.Press("alt+a").Pass(time.Second)
		asksToEdit(f, "web-2", 2, "src/b.go")
		s.Idle().Shows("(request 1)").Hides("(request 2)")
		f.forget()
		s.Press("o").Shows("Allowed 1 call")
		asked(t, f, society.AnswerApproval{IDs: []uint64{1}, Answer: society.AllowOnce})

		endsAsking(f, "web-1", 1, society.Allowed)
		s.Idle().Press("alt+a").Pass(time.Second).Shows("(request 2)")
		endsAsking(f, "web-2", 2, society.Denied)
		s.Idle().Shows("Already denied · web-2: edit src/b.go +2 −1").Hides("(request 2)")
	})
}

// Who goes on to another agent leaves the request for later.
func TestMovesBetweenAgentsLeaveARequest(t *testing.T) {
	onScreen(t, 160, 45, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		s.Idle()
		asksToEdit(f, "web-1", 1, "src/a.go")
		for _, c := range []struct {
			keys []string
			to   string
		}{{[]string{"alt+up"}, "to: lead-1"}, {[]string{"alt+up", "alt+up"}, "to: root"}, {[]string{"alt+left"}, "to: root"}} {
			s.Idle().Press("ctrl+n").Shows("(request 1)").Press(c.keys...).Shows(c.to).Hides("(request 1)")
			s.Pass(time.Second).Press("esc").Type("/to root").Press("esc", "enter").Shows("to: root")
		}
		asksToEdit(f, "web-2", 2, "src/b.go")
		s.Idle().Press("ctrl+n").Shows("(request 1)").Press("ctrl+n").Shows("(request 2)").Hides("(request 1)")
		asked(t, f)
	})
}

// One pane at a time: nothing of the tree was on the screen that has to keep its row.
func TestTheInboxIsSeenWhenTheTreeOpens(t *testing.T) {
	onScreen(t, 60, 20, func(_ *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		s.Idle()
		asksToEdit(f, "web-1", 1, "src/a.go")
		s.Idle().Press("alt+1").Shows("Needs you", "@ you", "root")
	})
}

func TestDeniedCallIsNamedAsSuch(t *testing.T) {
	onScreen(t, 100, 30, func(_ *testing.T, s *screentest.Screen, f *fakeSociety) {
		f.Say(society.Root,
			conversation.Entry{Kind: conversation.Answer, From: "root", Calls: []conversation.Call{{ID: "call-1", Name: "edit", Arguments: `{"path":"a.go"}`}}},
			conversation.Entry{Kind: conversation.Result, CallID: "call-1", Outcome: conversation.Failed, Text: `{"error":"denied","message":"no"}`})
		s.Idle().Shows("edit a.go", "■ denied").Hides("failed")
	})
}

// The dialog of a request, and the list of those that wait.
func TestApprovalsMatchTheirGoldens(t *testing.T) {
	for _, size := range []struct{ w, h int }{{100, 30}, {60, 20}} {
		t.Run(fmt.Sprintf("%dx%d", size.w, size.h), func(t *testing.T) {
			onScreenWith(t, size.w, size.h, still, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
				family(f)
				s.Idle()
				asksToEdit(f, "web-1", 1, "src/a.go")
				asksToEdit(f, "web-2", 2, "src/b.go")
				s.Idle().Press("alt+a").Shows("o Allow once · t For this task · d Deny…").Press("l").Idle()
				golden(t, fmt.Sprintf("approvals-list-%dx%d", size.w, size.h), s.String())
				s.Press("down", "enter").Pass(time.Second)
				golden(t, fmt.Sprintf("approvals-one-%dx%d", size.w, size.h), s.String())
			})
		})
	}
}

func TestAgentsThatWaitForTheSameAreOneRow(t *testing.T) {
	onScreen(t, 160, 45, func(_ *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		for i := range 50 {
			id := society.AgentID(fmt.Sprint("many-", i))
			f.spawn(id, "lead-1", "reader")
			asksToEdit(f, id, uint64(i+1), fmt.Sprintf("src/%d.go", i))
		}
		asksToEdit(f, "web-1", 60, "docs/a.md")
		s.Idle().Shows("Needs you", "50 agents: edit src/", "asks to edit doc")
	})
}

// A question mark is a part of the reason of a denial, elsewhere it is the key of the help.
func TestAQuestionMarkIsWrittenIntoAReason(t *testing.T) {
	onScreen(t, 100, 30, func(_ *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		asksToEdit(f, "web-1", 1, "src/a.go")
		s.Idle().Press("alt+a").Shows("(request 1)").Press("d").Shows("Reason").Type("why? really").Shows("why? really")
		s.Press("f1").Shows("Help")
	})
}
