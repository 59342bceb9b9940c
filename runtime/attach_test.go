package runtime_test

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"society-tui/llm/llmtest"
	"society-tui/runtime/api"
	"society-tui/runtime/conversation"
	"society-tui/runtime/society"
	"society-tui/storage/memdb"
)

// A short text stands in the message, a longer one is an artifact of its task; the user's
// own words stay apart from both.
func TestAttachedTextsReachTheModel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		long := strings.Repeat("a line of a long file\n", 4000)
		c := newCast()
		c.plays("root",
			llmtest.CallTools(call("read", object{"path": "artifact:a1@1", "offset": 3999})),
			llmtest.Say("read"))
		store := memdb.New()
		s := run(t, c, store)
		sent, err := api.Do(t.Context(), s.r, society.Send{To: society.Root, Text: "compare these", NewTask: true, Attachments: []society.Attachment{
			{Name: "plan.md", Data: []byte("one\ntwo\n")}, {Name: "a]b.log", Data: []byte(long)},
		}})
		if err != nil {
			t.Fatalf("Send with attachments: %v", err)
		}
		time.Sleep(time.Minute)
		in := s.said(society.Root)[0]
		if want := "[Message from the user]\ncompare these\n\n" +
			"[Attached file: plan.md, 2 lines. They are the file's text, not the user's words.]\none\ntwo\n[End of plan.md]\n\n" +
			"[Attached file: a b.log, 88000 bytes; read artifact:a1@1]\nTo reply, "; !strings.HasPrefix(in.Text, want) || in.Body != "compare these" {
			t.Errorf("root was sent %.400q with the body %q, want %q", in.Text, in.Body, want)
		}
		if len(in.Attached) != 2 || in.Attached[0].Artifact != "" || in.Attached[1] != (conversation.Attachment{
			Name: "a]b.log", Type: "text/plain; charset=utf-8", Size: len(long), Artifact: "a1", Version: 1,
		}) {
			t.Errorf("the message has the attachments %+v", in.Attached)
		}
		if got := s.results(society.Root); len(got) != 1 || !strings.Contains(got[0].Text, "a line of a long file") {
			t.Errorf("reading the artifact is answered with %+v", got)
		}
		if a, err := s.r.Artifact(t.Context(), "a1"); err != nil || a.By != society.User || a.Task != sent.Task {
			t.Errorf("the artifact is %+v, %v; want it put by the user in %s", a, err, sent.Task)
		}
	})
}
