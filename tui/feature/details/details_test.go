package details_test

import (
	"fmt"
	"testing"
	"testing/synctest"

	"society-tui/runtime/api"
	"society-tui/runtime/api/apitest"
	"society-tui/runtime/conversation"
	"society-tui/runtime/society"
	"society-tui/tui/feature/details"
	"society-tui/tui/page"
	"society-tui/tui/page/pagetest"
	"society-tui/tui/transcript"
)

// An old error is not shown as the last one, however far back the task is.
func TestOldErrorIsNotShownAsTheLast(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := apitest.New()
		f.Put(api.Row{ID: "web-1", Parent: society.Root, State: society.Idle, Error: "the disk is full", Doing: "Measure"})
		f.Say("web-1", conversation.Entry{Kind: conversation.Inbound, From: "lead-1", Body: "Measure the harbour."})
		f.Say("web-1", conversation.Entry{Kind: conversation.Notice, From: "web-1", Text: "no such key", Cause: "auth"})
		for i := range 100 {
			f.Say("web-1", conversation.Entry{Kind: conversation.Answer, From: "web-1", Text: fmt.Sprintf("filler %d", i)})
		}
		s := pagetest.New(t, f, func(d *page.Deps) page.Feature {
			return details.New(d, details.Config{
				Picked:  func() (transcript.Picked, bool) { return transcript.Picked{}, false },
				Subject: func() society.AgentID { return "web-1" },
				InWords: func(text string) string { return text },
				State:   func(*api.Row) string { return "error" },
				Paused:  func(*api.Row) string { return "" },
				Model:   func(society.AgentID) (model, health string) { return "demo", "ok" },
			})
		})
		s.At = "web-1"
		s.Do("tree.whole").Shows("Details of web-1", "the disk is full", "Measure the harbour.", "demo · ok").Hides("no such key")
		s.Press("q").Hides("Details of")
	})
}
