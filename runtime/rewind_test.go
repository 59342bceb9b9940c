package runtime_test

import (
	"context"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"society-tui/llm"
	"society-tui/llm/llmtest"
	"society-tui/runtime"
	"society-tui/runtime/conversation"
	"society-tui/runtime/society"
	"society-tui/storage/memdb"
)

// asks sends a message and returns its id when it is answered.
func (s *stage) asks(id society.AgentID, text string) society.MessageID {
	s.t.Helper()
	sent := s.do(society.Send{To: id, Text: text}).(society.Sent) //nolint:forcetypeassert // its reply
	time.Sleep(time.Minute)
	return sent.Message
}

// lastRequest is what the model was last sent.
func (s *stage) lastRequest() llm.Request {
	s.t.Helper()
	requests := s.model.Requests()
	return requests[len(requests)-1].Request
}

// mentions reports whether a request has a text in one of its messages.
func mentions(req llm.Request, text string) bool {
	return slices.ContainsFunc(req.Messages, func(m llm.Message) bool { return strings.Contains(m.Text, text) })
}

// The next request holds nothing of what was set aside, the store holds all of it, and a crash
// changes neither.
func TestTheNextRequestHoldsNothingThatWasSetAside(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCast()
		for _, n := range []string{"one", "two", "three", "four", "five"} {
			c.plays("root", llmtest.Say("answer "+n))
		}
		disk := &memDisk{memdb.New()}
		s := run(t, c, disk.store())
		var ids []society.MessageID
		for _, n := range []string{"one", "two", "three", "four", "five"} {
			ids = append(ids, s.asks(society.Root, "question "+n))
		}
		got := s.do(society.Rewind{Agent: society.Root, Message: ids[1], At: conversation.Point{Slot: 99}}).(society.Rewound) //nolint:forcetypeassert // its reply
		if got.Text != "question two" || got.Entries != 8 {
			t.Errorf("the reply is %+v", got)
		}
		disk.crash()
		s.quit()
		c = newCast().plays("root", llmtest.Say("a better answer"))
		s = run(t, c, disk.store())
		s.asks(society.Root, "a better question")
		req := s.lastRequest()
		if len(req.Messages) != 3 || !mentions(req, "question one") || !mentions(req, "answer one") || !mentions(req, "a better question") {
			t.Errorf("the request is %+v", req.Messages)
		}
		aside := 0
		for _, e := range s.said(society.Root) {
			if !e.SetAside.IsZero() {
				aside++
			}
		}
		if aside != 8 || len(s.said(society.Root)) != 12 {
			t.Errorf("%d of %d entries are set aside, want 8 of 12", aside, len(s.said(society.Root)))
		}
		if err := runtime.Check(s.store); err != nil {
			t.Error(err)
		}
	})
}

// Behind a rewind to before its answer a question is open again, also after a restart, and so
// it is behind one more; a question that was set aside is not.
func TestARewindToBeforeAnAnswerOpensItsQuestionAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ask := call("send_message", object{"to": "user", "payload": "red or blue?", "quickReplies": []string{"red", "blue"}})
		c := newCast().plays("root", llmtest.CallTools(ask), llmtest.Say("I wait"), llmtest.Say("red it is"), llmtest.Say("blue it is"), llmtest.Say("anew"))
		disk := &memDisk{memdb.New()}
		s := run(t, c, disk.store())
		open := func(when string, want bool) {
			t.Helper()
			if row := s.rows()[society.Root]; row.Asks != want || want && (!slices.Equal(row.Replies, []string{"red", "blue"}) || row.Question != "red or blue?") {
				t.Errorf("%s root asks: %t %q %q, want %t", when, row.Asks, row.Question, row.Replies, want)
			}
		}
		begun := s.asks(society.Root, "paint it")
		open("before the answer", true)
		for _, answer := range []string{"red", "blue"} {
			id := s.asks(society.Root, answer)
			open("answered", false)
			s.do(society.Rewind{Agent: society.Root, Message: id})
			open("before the answer again", true)
		}
		disk.crash()
		s.quit()
		s = run(t, newCast().plays("root", llmtest.Say("anew")), disk.store())
		open("after a restart", true)
		s.do(society.Rewind{Agent: society.Root, Message: begun})
		open("before the request", false)
		id := s.asks(society.Root, "build it")
		s.do(society.Rewind{Agent: society.Root, Message: id})
		open("before another request", false)
	})
}

// A rewind cuts the call in flight short, whose answer does not count.
func TestARewindCutsTheCallInFlightShort(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := run(t, newCast().plays("root", llmtest.Hang(), llmtest.Say("again")), memdb.New())
		s.asks(society.Root, "the question")
		if got := s.do(society.Rewind{Agent: society.Root}).(society.Rewound); !got.Was || got.Text != "the question" { //nolint:forcetypeassert // its reply
			t.Errorf("the reply is %+v", got)
		}
		if row := s.rows()[society.Root]; row.State != society.Idle || row.Paused != society.Interrupted {
			t.Errorf("root is %s, paused %q", row.State, row.Paused)
		}
		s.asks(society.Root, "another")
		if req := s.lastRequest(); len(req.Messages) != 1 || !mentions(req, "another") {
			t.Errorf("the request is %+v", req.Messages)
		}
	})
}

// The task of an agent is that of the last message that was not set aside, also after a
// restart and for a copy; a message behind the rewind replaces it.
func TestARewindShowsTheTaskOfTheLastMessageThatIsLeft(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCast().plays("root", llmtest.Say("one"), llmtest.Say("two"), llmtest.Say("three"))
		disk := &memDisk{memdb.New()}
		s := run(t, c, disk.store())
		does := func(when string, id society.AgentID, want string) {
			t.Helper()
			if got := s.rows()[id].Doing; got != want {
				t.Errorf("%s %s works on %q, want %q", when, id, got, want)
			}
		}
		first := s.asks(society.Root, "first request")
		second := s.asks(society.Root, "second request")
		s.asks(society.Root, "third request")
		s.do(society.Rewind{Agent: society.Root, Message: second, Doing: "chosen by a client"})
		does("after the rewind", society.Root, "first request")
		does("copied", s.do(society.Fork{Agent: society.Root}).(society.Forked).Agent, "first request") //nolint:forcetypeassert // its reply
		disk.crash()
		s.quit()
		s = run(t, newCast().plays("root", llmtest.Say("four")), disk.store())
		does("after a restart", society.Root, "first request")
		fourth := s.asks(society.Root, "fourth request")
		does("written to", society.Root, "fourth request")
		s.do(society.Rewind{Agent: society.Root, Message: fourth})
		does("after another rewind", society.Root, "first request")
		s.do(society.Rewind{Agent: society.Root, Message: first})
		does("at the beginning", society.Root, "")
	})
}

// What is left of an answer that was cut short goes with the message that it answered.
func TestARewindTakesWhatIsLeftOfACancelledAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		model := &babbler{over: make(chan struct{})}
		s := run(t, newCast(), memdb.New(), func(cfg *runtime.Config) { cfg.Model = model })
		s.do(society.Send{To: society.Root, Text: "go"})
		time.Sleep(550 * time.Millisecond)
		s.do(society.Interrupt{Agent: society.Root})
		if d, ok := s.r.Draft(society.Root); !ok || !d.Aborted {
			t.Fatalf("what was cut short is shown as %+v", d)
		}
		s.do(society.Rewind{Agent: society.Root})
		if d, ok := s.r.Draft(society.Root); ok {
			t.Errorf("it is set aside, and shown as %+v", d)
		}
		s.do(society.Send{To: society.Root, Text: "go again"})
		time.Sleep(550 * time.Millisecond)
		s.do(society.Rewind{Agent: society.Root})
		if d, ok := s.r.Draft(society.Root); ok {
			t.Errorf("it was running, and is shown as %+v", d)
		}
		close(model.over)
		time.Sleep(time.Second)
	})
}

// What an agent has seen of files since the message counts as unseen, what it saw before does
// not.
func TestFilesSeenOnlySinceTheMessageCountAsUnseen(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "a", "one\n")
	put(t, dir, "b", "one\n")
	synctest.Test(t, func(t *testing.T) {
		edit := func(name string) llmtest.Answer {
			return llmtest.CallTools(call("edit", object{"path": name, "old_string": "one", "new_string": "two"}))
		}
		c := newCast().plays("ada-1",
			llmtest.CallTools(call("read", object{"path": "a"})), llmtest.Say("read a"),
			llmtest.CallTools(call("read", object{"path": "b"})), llmtest.Say("read b"),
			edit("a"), edit("b"), llmtest.Say("done"))
		s := run(t, c, memdb.New(), withFiles(dir))
		s.asks("ada-1", "read a")
		s.asks("ada-1", "read b")
		s.do(society.Rewind{Agent: "ada-1"})
		s.asks("ada-1", "change both")
		if a, b := content(t, dir, "a"), content(t, dir, "b"); a != "two\n" || b != "one\n" {
			t.Errorf("a is %q and b %q: b was not read in what is left", a, b)
		}
	})
}

// Requests of an agent and of its copy are the same up to the fork, and separate then.
func TestAForkIsSentTheSameHistoryAndThenItsOwn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCast().plays("root", llmtest.Say("answer one"), llmtest.Say("root goes on")).plays("organiser-1", llmtest.Say("the copy goes on"))
		s := run(t, c, memdb.New())
		first := s.asks(society.Root, "question one")
		id := s.do(society.Fork{Agent: society.Root}).(society.Forked).Agent //nolint:forcetypeassert // its reply
		s.asks(society.Root, "left")
		left := s.lastRequest()
		s.asks(id, "right")
		right := s.lastRequest()
		for i := range 2 {
			if left.Messages[i].Text != right.Messages[i].Text {
				t.Errorf("message %d of the copy is %q, want %q", i, right.Messages[i].Text, left.Messages[i].Text)
			}
		}
		if len(right.Messages) != 3 || mentions(right, "left") || mentions(left, "right") {
			t.Errorf("they are sent\n%+v\n%+v", left.Messages, right.Messages)
		}
		got, err := s.r.Entries(context.Background(), id, 0, 0)
		if err != nil || len(got.Entries) != 4 || got.Entries[0].MessageID != string(first) || got.Entries[0].Body != "question one" {
			t.Errorf("the copy has %+v, %v", got.Entries, err)
		}
		s.do(society.Terminate{Agent: id, By: society.User})
		if err := runtime.Check(s.store); err != nil {
			t.Error(err)
		}
	})
}

// A stop and an interrupt at the same time as a rewind, and a crash right behind them, leave a
// society that is whole: what was set aside is in no request, and nothing else is missing.
func TestARewindBesideAStopAndAnInterruptSurvivesACrash(t *testing.T) {
	for _, order := range [][]string{
		{"rewind", "stop", "interrupt"}, {"stop", "rewind", "interrupt"}, {"interrupt", "rewind", "stop"}, {"interrupt", "stop", "rewind"}, {"rewind", "interrupt"}, {"interrupt", "rewind"},
	} {
		t.Run(strings.Join(order, " "), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				disk := &memDisk{memdb.New()}
				s := run(t, newCast().plays("root", llmtest.Say("answer one"), llmtest.Hang(), llmtest.Hang()), disk.store())
				s.asks(society.Root, "question one")
				s.asks(society.Root, "question two")
				commands := map[string]society.Command{
					"rewind": society.Rewind{Agent: society.Root}, "stop": society.Stop{Agent: society.Root}, "interrupt": society.Interrupt{Agent: society.Root},
				}
				outcomes := make([]error, len(order))
				var all sync.WaitGroup
				for i, which := range order {
					all.Go(func() { _, outcomes[i] = s.r.Do(s.ctx, commands[which]) })
				}
				all.Wait()
				disk.crash()
				s.quit()
				s = run(t, newCast().plays("root", llmtest.Say("again"), llmtest.Say("and again")), disk.store())
				s.do(society.Resume{Agent: society.Root})
				time.Sleep(time.Minute)
				s.asks(society.Root, "question three")
				req, rewound := s.lastRequest(), outcomes[slices.Index(order, "rewind")] == nil
				if mentions(req, "question two") == rewound || !mentions(req, "question one") || !mentions(req, "question three") {
					t.Errorf("rewound: %t, and the request is %+v", rewound, req.Messages)
				}
				if err := runtime.Check(s.store); err != nil {
					t.Error(err)
				}
			})
		})
	}
}
