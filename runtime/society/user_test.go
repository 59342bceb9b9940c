package society

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"society-tui/runtime/protocol"
)

// The user writes to an agent by its id, never to "user", and to nobody that is not there.
func TestS000P1AMessageOfTheUserNamesALiveAgent(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := grown(t)
		ids := append(w.s.Agents(), User, "", "nobody-1", "worker-1", "Root")
		to := rapid.SampledFrom(ids).Draw(t, "to")
		a := w.s.Agent(to)
		accepts := a != nil && !a.Status.Ended() && a.Drain == "" && len(a.Mailbox) < w.s.limits.Queue
		_, err := w.try(Send{To: to, Text: "hello"})
		if (err == nil) != accepts {
			t.Fatalf("to %q: %v", to, err)
		}
		if to == User {
			w.refused(Send{To: to, Text: "hello"}, InvalidRecipient)
		}
	})
}

// It goes straight to the agent, from "user", once, and to nobody else.
func TestS000P2AMessageOfTheUserGoesStraightToItsAgent(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := grown(t)
		to := w.anyAgent(t)
		text := rapid.StringMatching(`[a-z]{1,9}`).Draw(t, "text")
		if _, err := w.try(Send{To: to, Text: text, Resume: true}); err != nil {
			return
		}
		n := 0
		for _, e := range w.last {
			switch e := e.(type) {
			case MessageQueued:
				switch {
				case e.Mail.From == User && e.To == to && e.Body == text:
					n++
				case e.Mail.From == User, e.Mail.Type != protocol.StatusReport: // of a turn that cannot go on
					t.Fatalf("%+v", e)
				}
			case MessageToUser:
				if e.Mail.Type != protocol.StatusReport { // which its parent had no room for
					t.Fatalf("the user is written to: %+v", e)
				}
			}
		}
		if n != 1 {
			t.Fatalf("%d messages", n)
		}
	})
}

// Each message to the user, written by a tool or at the end of a turn, arrives
// once and in order.
func TestS000P3EveryMessageToTheUserArrivesOnce(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := newWorld(t, DefaultLimits())
		child := w.spawn(Root)
		var want []string
		for i := range rapid.IntRange(1, 8).Draw(t, "messages") {
			text := fmt.Sprintf("message %d", i)
			by := rapid.SampledFrom([]AgentID{Root, child}).Draw(t, "by")
			w.send(by, "and?")
			w.reads(by)
			switch rapid.IntRange(0, 2).Draw(t, "how") {
			case 0:
				w.calling(by, w.tells(User, rapid.SampledFrom([]string{"", "status_report", "collaboration_request"}).Draw(t, "type"), text))
			case 1:
				w.calling(by, w.tells([]AgentID{User, User}, "", text))
			case 2:
				w.says(by, text)
			}
			want = append(want, text)
		}
		var got []string
		for _, d := range w.inbox {
			if d.Mail.From == User || d.Mail.Role == "" {
				t.Fatalf("%+v", d)
			}
			got = append(got, d.Body)
		}
		if !slices.Equal(got, want) {
			t.Fatalf("got %q, want %q", got, want)
		}
	})
}

// reads lets an agent take what waits for it, without a word.
func (w *world) reads(id AgentID) {
	w.t.Helper()
	if len(w.agent(id).Mailbox) > 0 {
		w.must(Answered{Work: w.thinks(id)})
	}
}

func TestAQuestionToTheUserIsRememberedUntilItIsAnswered(t *testing.T) {
	t.Parallel()
	w := newWorld(t, DefaultLimits())
	w.send(Root, "plan it")
	w.calling(Root, w.call("send_message", object{"to": User, "payload": "red or blue?", "quickReplies": []string{"red", "blue"}}))
	if q := w.agent(Root).Asks; q == nil || !slices.Equal(q.Replies, []string{"red", "blue"}) {
		t.Fatalf("%+v", q)
	}
	if w.agent(Root).Unread != 1 || w.s.Numbers().Unread != 1 {
		t.Errorf("unread %d of %d", w.agent(Root).Unread, w.s.Numbers().Unread)
	}
	w.must(Seen{Agent: Root})
	w.must(Seen{Agent: User})
	if w.agent(Root).Unread != 0 || w.s.Numbers().Unread != 0 {
		t.Errorf("it was seen, and is still unread")
	}
	w.send(Root, "red")
	if q := w.agent(Root).Asks; q != nil {
		t.Errorf("still asks %+v", q)
	}
}

// The task of an agent stays the words of the request: only a new request replaces them.
func TestAnAnswerToAQuestionIsNotTheNewTask(t *testing.T) {
	t.Parallel()
	w := newWorld(t, DefaultLimits())
	w.send(Root, "Paint the house")
	w.calling(Root, w.call("send_message", object{"to": User, "payload": "Which colour?", "quickReplies": []string{"red", "blue"}}))
	w.says(Root, "I asked for the colour.")
	w.must(Send{To: Root, Text: "red"})
	w.reads(Root)
	if got := w.agent(Root).Doing; got != "Paint the house" {
		t.Errorf("after the answer it does %q, want the request", got)
	}
	w.says(Root, "Done.")
	w.send(Root, "Now the fence")
	if got := w.agent(Root).Doing; got != "Now the fence" {
		t.Errorf("after a new request it does %q", got)
	}
	w.calling(Root, w.call("send_message", object{"to": User, "payload": "Which fence?", "quickReplies": []string{"left", "right"}}))
	w.says(Root, "I asked which fence.")
	w.must(Send{To: Root, Text: "Water the garden", NewTask: true})
	w.reads(Root)
	if got := w.agent(Root).Doing; got != "Water the garden" {
		t.Errorf("after a request instead of an answer it does %q", got)
	}
}

func TestAMessageCanBeTakenBackUntilItIsRead(t *testing.T) {
	t.Parallel()
	w := newWorld(t, DefaultLimits())
	w.send(Root, "one")
	w.refused(DropWaiting{Agent: Root}, InvalidArguments) // read already
	w.send(Root, "two")
	w.send(Root, "three")
	if d := w.must(DropWaiting{Agent: Root}).(Dropped); d.Seq != w.letterOf(Root, "three") {
		t.Errorf("took back %d", d.Seq)
	}
	w.must(DropWaiting{Agent: Root, Seq: w.letterOf(Root, "two")})
	w.refused(DropWaiting{Agent: Root}, InvalidArguments)
	w.says(Root, "done")
	w.is(Root, Idle)
}

// letterOf returns the number of the user's message with this text.
func (w *world) letterOf(id AgentID, text string) uint64 {
	w.t.Helper()
	for seq, d := range w.letter[id] {
		if d.text == protocol.Render(w.s.Lang(), protocol.Sender{ID: string(d.mail.From), Role: d.mail.Role}, protocol.Payload{Text: text}) {
			return seq
		}
	}
	w.t.Fatalf("%s was never told %q", id, text)
	return 0
}
