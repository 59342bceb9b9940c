package cli

import (
	"slices"
	"testing"

	"society-tui/runtime/apiclient"
	"society-tui/runtime/httpapi"
	"society-tui/runtime/i18n"
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
	p := textPrinter{console: &console{printer: i18n.Printer{Lang: protocol.English}}, place: " --session rev"}
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
