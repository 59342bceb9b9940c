package transcript_test

import (
	"testing"

	"society-tui/runtime/conversation"
	"society-tui/tui/transcript"
)

// What a compression keeps for the model is neither shown nor found.
func TestEncodedMessagesOfACompressionAreNotFound(t *testing.T) {
	t.Parallel()
	const kept = `[{"Role":"user","Text":"a walk","Reasoning":"","Calls":null,"CallID":""}]`
	s := many(3)
	s.entries[0].Kind, s.entries[0].Body, s.entries[0].Text = conversation.Summary, "", "So far.\n"+kept+"\nOpen: a walk in town"
	s.entries[1].Kind, s.entries[1].Body, s.entries[1].Text = conversation.Answer, "", ""
	s.entries[1].Calls = []conversation.Call{call("a", "compress_context", `{"summary":"So far.\n[{\"Role\":\"user\",\"Text\":\"a walk\"}]","keepRecentCount":0}`)}
	r := opened(plainly(), s)
	r.Focus(true)
	r.Rows(80, 24)
	searched(r, s, "walk")
	shows(t, r.Rows(80, 24), "Open: a walk in town", "1 of 1")
	hides(t, r.Rows(80, 24), "Reasoning")
	query, _ := r.Query("walk")
	places := query.In(s.page(transcript.PageRequest{Agent: "root", Upto: 3}))
	if len(places) != 1 || places[0].Slot != 0 || places[0].Before != "So far. Open: a " {
		t.Errorf("found %+v, want only the one that is shown", places)
	}
}
