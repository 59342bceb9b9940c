package runtime_test

import (
	"encoding/json"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"society-tui/llm/llmtest"
	"society-tui/runtime/conversation"
	"society-tui/runtime/society"
	"society-tui/storage/memdb"
)

// SPEC.md, decision 3: a sender to a stopped or a terminated agent gets the code, the
// user and agents alike, and the text is not kept.
func TestS001P4WritingToTheStoppedAndTheGoneIsRefusedAloud(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCast().plays("root", spawning(3), llmtest.Say("asked"))
		c.plays("root", llmtest.CallTools(call("send_message", object{"to": []string{"worker-1", "worker-2", "nobody-1", "worker-3"}, "payload": "hey"})))
		for _, who := range []string{"worker-1", "worker-2", "worker-3"} {
			c.plays(who, llmtest.Hang())
		}
		s := run(t, c, memdb.New())
		s.do(society.Send{To: society.Root, Text: "go"})
		time.Sleep(time.Second)
		s.do(society.Stop{Agent: "worker-1"})
		s.do(society.Terminate{Agent: "worker-2", By: society.User})
		for id, code := range map[society.AgentID]society.Code{
			"worker-1": society.AgentStopped, "worker-2": society.AgentNotFound, "nobody-1": society.AgentNotFound,
		} {
			for _, cmd := range []society.Command{society.Send{To: id, Text: "hey"}, society.Interrupt{Agent: id, Text: "hey"}} {
				if _, err := s.r.Do(s.ctx, cmd); !refusedAs(err, code) {
					t.Errorf("%T to %s came to %v, not %s", cmd, id, err, code)
				}
			}
		}
		before := len(s.said("worker-1"))
		s.do(society.Send{To: society.Root, Text: "write to them"})
		time.Sleep(time.Second)
		e := lastResult(s.said(society.Root))
		var got struct {
			Results []struct{ To, Error, Message, MessageID string }
		}
		if err := json.Unmarshal([]byte(e.Text), &got); err != nil || len(got.Results) != 4 || e.Outcome != conversation.Failed {
			t.Fatalf("the call came to %q (%v): %s", e.Outcome, err, e.Text)
		}
		for i, code := range []society.Code{society.AgentStopped, society.AgentNotFound, society.AgentNotFound, ""} {
			if r := got.Results[i]; r.Error != string(code) || (r.Message == "") != (code == "") || (r.MessageID == "") != (code != "") {
				t.Errorf("the message to %s came to %+v, not %q", r.To, r, code)
			}
		}
		if n := len(s.said("worker-1")); n != before {
			t.Errorf("the stopped agent has %d entries more", n-before)
		}
	})
}

// "Resume and send": the stopped agent and those that were stopped with it are
// taken up, and the text is delivered, once.
func TestResumeAndSendDeliversOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCast().plays("root", spawning(1), llmtest.Say("asked"), llmtest.Hang())
		c.plays("worker-1", llmtest.Hang(), llmtest.Say("here I am"))
		s := run(t, c, memdb.New())
		s.do(society.Send{To: society.Root, Text: "go"})
		time.Sleep(time.Second)
		s.do(society.Stop{Agent: society.Root})
		sent, ok := s.do(society.Send{To: society.Root, Text: "first text", Resume: true}).(society.Sent)
		if !ok || len(sent.Resumed) != 2 || sent.Resumed[0] != society.Root || sent.Resumed[1] != "worker-1" {
			t.Fatalf("resume and send came to %+v", sent)
		}
		// It runs now: the same verb is an ordinary message, which interrupts.
		again, ok := s.do(society.Send{To: society.Root, Text: "second text", Resume: true}).(society.Sent)
		if !ok || len(again.Resumed) != 0 || again.Message == sent.Message {
			t.Fatalf("the second one came to %+v", again)
		}
		s.do(society.Interrupt{Agent: society.Root})
		s.do(society.Resume{Agent: society.Root})
		time.Sleep(time.Second)
		var got []string
		for _, e := range s.said(society.Root) {
			if e.Kind == conversation.Inbound && strings.Contains(e.Body, "text") {
				got = append(got, e.MessageID)
			}
		}
		if len(got) != 2 || got[0] != string(sent.Message) || got[1] != string(again.Message) {
			t.Fatalf("root has got %v", got)
		}
		s.do(society.Send{To: "worker-1", Text: "and you?"})
		time.Sleep(time.Second)
		if inbox := s.inbox(); inbox[len(inbox)-1].Body != "here I am" {
			t.Fatalf("who was resumed along says %+v", inbox)
		}
	})
}
