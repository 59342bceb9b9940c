package cli

import (
	"slices"
	"testing"

	"society-tui/runtime/apiclient"
	"society-tui/runtime/httpapi"
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
