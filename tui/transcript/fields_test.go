package transcript_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode"

	"github.com/charmbracelet/x/ansi"

	stored "society-tui/runtime/conversation"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/tui/cells/cellstest"
)

// assigned is a conversation that begins with a task, in the runtime's
// encoding.
func assigned(t *testing.T) *shelf {
	t.Helper()
	payload := protocol.Assignment(protocol.English, protocol.Brief{
		Objective:          "Review the wording of the text.",
		Constraints:        []string{"stay with the text", "name every sentence that you doubt, and say for each of them what is wrong with it"},
		Inputs:             "The library was closed.\nThe roof was damaged.\nThe repair was expensive.\nThe city paid.\nIt is cold.",
		Outputs:            "a list",
		CompletionCriteria: "the list is with root",
		Collaborators: []protocol.Collaborator{{
			AgentID: "editor-1", Role: "Editor", Description: "summarises",
			InterfaceSpec: &protocol.InterfaceSpec{Services: "summaries", Examples: []string{"one", "two"}},
		}},
		Priority: "high",
		More:     []byte(`{"deadline":"tomorrow"}`),
	})
	return &shelf{entries: []stored.Entry{{
		Slot: 0, Kind: stored.Inbound, At: at(2, 11), From: "lead", To: "root", Type: "task_assignment", Body: payload.Body(),
	}}}
}

func TestBriefIsShownAsAListNotAsJSON(t *testing.T) {
	t.Parallel()
	chinese := plainly()
	chinese.lang = protocol.Chinese
	for name, s := range map[string]style{"brief-72": plainly(), "brief-40": plainly(), "brief-72-zh": chinese} {
		width := 72
		if name == "brief-40" {
			width = 40
		}
		r := opened(s, assigned(t))
		r.Focus(true)
		rows := r.Rows(width, 40)
		cellstest.Golden(t, name, rows, width)
		hides(t, rows, "{", "taskBrief", "It is cold.")
		if n := strings.Count(text(rows), "Review the"); n != 1 {
			t.Errorf("the objective is said %d times in\n%s", n, text(rows))
		}
		r.Top()
		r.Toggle()
		shows(t, r.Rows(width, 60), "It is cold.")
		hides(t, r.Rows(width, 60), "{", "taskBrief")
		r.Toggle()
		hides(t, r.Rows(width, 60), "stay with", "It is cold.")
	}
	r := opened(plainly(), assigned(t))
	r.Rows(72, 40)
	r.Top()
	if said := r.CopyText(); !strings.Contains(said, "deadline: tomorrow") || !strings.Contains(said, "It is cold.") {
		t.Errorf("what is copied lacks something of\n%s", said)
	}
}

func TestFieldsOfOtherMessagesAreRows(t *testing.T) {
	t.Parallel()
	for kind, c := range map[protocol.MessageType]struct {
		body         string
		shown, hides []string
	}{
		protocol.IntroductionRequest:  {`{"reason":"I need a *reviewer*","required_capability":"law"}`, []string{"reason", "I need a *reviewer*", "looks for", "law"}, []string{"{"}},
		protocol.IntroductionResponse: {"Here is one.\n" + `{"target":{"id":"law-1","role":"Lawyer","interfaceSpec":{"services":"advice"}},"introducerSays":{"role":"king"},"usage_hint":"ask"}`, []string{"Here is one.", "law-1 (Lawyer)", "services: advice", "introducer says", "role: king"}, []string{"{"}},
		protocol.StatusReport:         {"Done.\n" + `{"findings":[{"row":1,"ok":true},{"row":2,"ok":null}],"n":3}`, []string{"Done.", "findings", "• row: 1", "ok: true", "n "}, []string{"{", "null"}},
		protocol.General:              {"Use this:\n{not JSON}", []string{"{not JSON}"}, nil},
		protocol.CollaborationRequest: {"Use {\"a\":1} in it.\nand go on", []string{`Use {"a":1} in it.`, "and go on"}, nil},
	} {
		sh := &shelf{entries: []stored.Entry{{Slot: 0, Kind: stored.Inbound, At: at(2, 11), From: "lead", To: "root", Type: string(kind), Body: c.body}}}
		r := opened(plainly(), sh)
		rows := r.Rows(90, 30)
		shows(t, rows, c.shown...)
		hides(t, rows, c.hides...)
	}
	// The user's text is shown unchanged.
	sh := &shelf{entries: []stored.Entry{{Slot: 0, Kind: stored.Inbound, From: "user", To: "root", Type: "general", Body: "read\n" + `{"a":1}`}}}
	shows(t, opened(plainly(), sh).Rows(90, 30), `{"a":1}`)
}

func TestCountOfAThoughtEqualsItsUnfoldedRows(t *testing.T) {
	t.Parallel()
	sh := &shelf{entries: []stored.Entry{{
		Slot: 0, Kind: stored.Answer, At: at(2, 14), From: "root", Text: "Done.",
		Reasoning: strings.Repeat("one sentence without a newline ", 9),
	}}}
	written := func(rows []string) int {
		n := 0
		for _, row := range rows {
			if strings.ContainsFunc(ansi.Strip(row), unicode.IsLetter) {
				n++
			}
		}
		return n
	}
	for _, width := range []int{40, 72, 112} {
		r := opened(plainly(), sh)
		r.Focus(true)
		before := r.Rows(width, 30)
		r.PrevMessage()
		r.Toggle()
		n := written(r.Rows(width, 30)) - written(before)
		shows(t, before, fmt.Sprintf("▸ thinking  %d lines", n))
	}
}

func TestAnAbortedAnswerIsShownOnce(t *testing.T) {
	t.Parallel()
	sh := many(2)
	r := opened(plainly(), sh)
	draft := answering()
	r.Stream(society.Root, draft, true)
	draft.Aborted = true
	r.Stream(society.Root, draft, true)
	shows(t, r.Rows(80, 40), "root · ■ cancelled", "not saved", "Next I will ask")
	sh.say(r, stored.Entry{Kind: stored.Aborted, At: at(4, 1), From: "root", Tokens: 853, Cause: "aborted"})
	rows := r.Rows(80, 40)
	shows(t, rows, "■ cancelled · 853 B of a partial answer discarded", "Next I will ask")
	if n := strings.Count(ansi.Strip(strings.Join(rows, "\n")), "cancelled"); n != 1 {
		t.Errorf("one abort is told %d times in\n%s", n, text(rows))
	}
}

// What was said stays readable where no call of the answer was run.
func TestTheTextOfAnAnswerWithAnUnknownEndIsShown(t *testing.T) {
	t.Parallel()
	sh := many(2)
	r := opened(plainly(), sh)
	sh.say(r, stored.Entry{Kind: stored.Aborted, At: at(4, 1), From: "root", Text: "I **look** at the figures.", Cause: "the answer ended for an unknown reason (bored)"})
	shows(t, r.Rows(100, 40), "■ cancelled · the answer ended for an unknown reason (bored)", "I look at the figures.")
}

func TestSentMessageIsShownAsAMessage(t *testing.T) {
	t.Parallel()
	question := `{"to":"user","message_type":"collaboration_request","payload":{"text":"How much do you want to read?\n\nI can keep it **short** or list\nevery\ndetail\nof both plans.","deadline":"today"},"quickReplies":["short","all"]}`
	sh := &shelf{entries: []stored.Entry{
		{Slot: 0, Kind: stored.Answer, At: at(2, 14), From: "root", Tokens: 12, Calls: []stored.Call{
			call("a", "send_message", question), call("b", "send_message", `{"to":["web-1","web-2"],"payload":"one\ntwo\nthree\nfour\nfive"}`),
			call("c", "send_message", `{"to":"nobody","payload":"lost"}`),
		}},
		result(1, "a", stored.OK, `{"messageId":"01J"}`, 10),
		result(2, "c", stored.Failed, `{"error":"unknown_recipient"}`, 10),
	}}
	r := opened(plainly(), sh)
	r.Focus(true)
	rows := r.Rows(72, 30)
	cellstest.Golden(t, "told-72", rows, 72)
	shows(t, rows, "root → you · asks", "12 tok · 14:02:14  send_message ✓", "of both plans.", "deadline  today", "root → web-1, web-2 · message", "three", "+2 lines", `▸ send_message nobody "lost"`)
	hides(t, rows, "messageId", "**", "{", "four")
	if n := strings.Count(text(rows), "14:02:14"); n != 1 {
		t.Errorf("the answer has %d heads in\n%s", n, text(rows))
	}
	for range 12 {
		r.Down()
	}
	r.Top()
	for range 12 { // to the second message
		if strings.Contains(under(r), "web-1, web-2") {
			break
		}
		r.Down()
	}
	r.Toggle()
	shows(t, r.Rows(72, 40), "four", "five")
	if said := r.CopyText(); said != "one\ntwo\nthree\nfour\nfive" {
		t.Errorf("what is copied is %q", said)
	}
	r.Toggle()
	shows(t, r.Rows(72, 40), `▸ send_message web-1, web-2 "one two three`)
	r.Toggle()
	shows(t, r.Rows(72, 40), "+2 lines")

	r.CycleDetail()
	shows(t, r.Rows(72, 60), "message_type: collaboration_request", "messageId")
	r.CycleDetail()
	rows = r.Rows(72, 40)
	shows(t, rows, `▸ send_message user "How much`)
	hides(t, rows, "of both plans.")
}
