package cli

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"society-tui/runtime/apiclient"
	"society-tui/runtime/config"
	"society-tui/runtime/httpapi"
	"society-tui/runtime/i18n"
	"society-tui/runtime/logfile"
	"society-tui/runtime/protocol"
)

// One answer to several tasks names the others in the result of each, so that its cost is
// not counted twice.
func TestAResultNamesTheTasksThatShareItsAnswer(t *testing.T) {
	t.Parallel()
	messages := []httpapi.Message{
		{TaskID: "first", AlsoTaskIDs: []string{"second"}, Text: "both"},
		{TaskID: "first", AlsoTaskIDs: []string{"third"}, Text: "soon", Note: true},
	}
	for task, want := range map[string]string{"first": "second", "second": "first"} {
		r := resultOf(apiclient.Followed{Sent: apiclient.Sent{TaskID: task}, Messages: messages}, nil)
		if !slices.Equal(r.SharedWith, []string{want}) {
			t.Errorf("that of %s is shared with %q, want %q", task, r.SharedWith, want)
		}
	}
	alone := resultOf(apiclient.Followed{Sent: apiclient.Sent{TaskID: "first"}, Messages: []httpapi.Message{{TaskID: "first", Text: "one"}}}, nil)
	if len(alone.SharedWith) > 0 {
		t.Errorf("that of one task is shared with %q", alone.SharedWith)
	}
}

// The command line and the screen say the same of a call that waits for a yes.
func TestACallThatWaitsIsNotCalledByTheNameOfItsTool(t *testing.T) {
	t.Parallel()
	session := "rev"
	p := textPrinter{console: &console{printer: i18n.Printer{Lang: protocol.English}, found: config.Settings{Session: session}, line: &commandLine{Session: &session}}}
	for want, asked := range map[string]httpapi.Approval{
		"web-1 asks to run a command and waits for your yes: open society-tui --session rev, then /approvals": {AgentID: "web-1", Tool: "bash"},
		"web-1 asks to run go vet . and waits for your yes: open society-tui --session rev, then /approvals":  {AgentID: "web-1", Tool: "bash", Summary: "go vet ."},
		"web-1 asks to write web.md and waits for your yes: open society-tui --session rev, then /approvals":  {AgentID: "web-1", Tool: "write", Summary: "web.md"},
	} {
		if got := p.asksPermission(&asked); got != want {
			t.Errorf("%s %s is said as %q, want %q", asked.Tool, asked.Summary, got, want)
		}
	}
}

// The answer is that of the agent that was asked, whoever spoke last. Without one it is the last
// message.
func TestTheAnswerIsThatOfTheAgentThatWasAsked(t *testing.T) {
	t.Parallel()
	out, err := os.CreateTemp(t.TempDir(), "out")
	if err != nil {
		t.Fatal(err)
	}
	messages := []httpapi.Message{{From: "root", Text: "soon"}, {From: "planner-1", Text: "the plan"}, {From: "root", Text: "all"}}
	for to, want := range map[string]string{"planner-1": "the plan\n", "root": "all\n", "writer-1": "all\n"} {
		if err := errors.Join(out.Truncate(0), second(out.Seek(0, io.SeekStart))); err != nil {
			t.Fatal(err)
		}
		c := &console{out: out, err: os.NewFile(^uintptr(0), ""), redactor: logfile.NewRedactor()}
		p := c.answerPrinter("text", to)
		for _, m := range messages {
			data, _ := json.Marshal(m)
			p.event(apiclient.Event{Kind: "message", Data: data})
		}
		r := resultOf(apiclient.Followed{Sent: apiclient.Sent{TaskID: "1"}, Messages: messages}, nil)
		r.answeredBy(to)
		p.end(r)
		if got, err := os.ReadFile(out.Name()); err != nil || string(got) != want {
			t.Errorf("that of %s is %q, %v, want %q", to, got, err, want)
		}
	}
}

func second[T any](_ T, err error) error { return err }

// What is denied while a request is followed is in its result.
func TestDeniedCallsAreInTheResult(t *testing.T) {
	t.Parallel()
	out, err := os.CreateTemp(t.TempDir(), "out")
	if err != nil {
		t.Fatal(err)
	}
	for output, lines := range map[string]int{"json": 1, "stream-json": 3} {
		if err := errors.Join(out.Truncate(0), second(out.Seek(0, io.SeekStart))); err != nil {
			t.Fatal(err)
		}
		c := &console{out: out, redactor: logfile.NewRedactor()}
		p := c.answerPrinter(output, "root")
		p.event(apiclient.Event{Kind: "timeline", Data: []byte(`{"agentId":"web-1","kind":"denied","text":"write"}`)})
		p.event(apiclient.Event{Kind: "timeline", Data: []byte(`{"agentId":"web-1","kind":"answered","text":""}`)})
		p.end(result{Outcome: outcomeDone})
		said, err := os.ReadFile(out.Name())
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(string(said), "\n"); n != lines || !strings.Contains(string(said), `"denied":[{"agentId":"web-1","tool":"write"}]`) {
			t.Errorf("%s: %s", output, said)
		}
	}
}
