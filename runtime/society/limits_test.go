package society

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"society-tui/runtime/conversation"
	"society-tui/runtime/tool/read"
)

// More rounds of tool calls than allowed end the turn, and the parent, for root
// the user, gets one notice. Not one call more is run (S000 Req 5.3).
func TestS000Req53TooManyToolRoundsEndTheTurnAndTellTheParent(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		l := DefaultLimits()
		l.ToolRounds = rapid.IntRange(1, 40).Draw(t, "rounds")
		w := newWorld(t, l)
		id := Root
		if rapid.Bool().Draw(t, "a child") && l.ToolRounds > 3 {
			id = w.spawn(Root)
		}
		w.send(id, "go on for ever")
		w.reads(id)
		run, asked := 0, 0
		for asked = range 100 {
			if w.agent(id).Turn.Suspended {
				break
			}
			w.calling(id, w.call("look", object{"n": asked}))
			for _, e := range w.last {
				if _, ok := e.(CallOpened); ok {
					run++
				}
			}
			if w.agent(id).Status == Processing {
				w.acts(id, "done")
			}
		}
		if run != l.ToolRounds || asked != l.ToolRounds+1 {
			t.Fatalf("%d answers with calls, %d calls were run, the limit is %d", asked, run, l.ToolRounds)
		}
		told := len(w.inbox)
		if id != Root {
			told = len(w.agent(Root).Mailbox)
		}
		if told != 1 {
			t.Fatalf("told %d times", told)
		}
		w.must(Resume{Agent: id}) // the user lets it go on: the count begins anew
		w.calling(id, w.call("look", object{"n": -1}))
		w.acts(id, "done")
		w.says(id, "I am done")
	})
}

// Answers that only read pages of long texts count as a tenth of a round: a text can be
// read whole, and nobody reads for ever. One that was taken back does not count.
func TestTenAnswersThatOnlyReadCountAsOneRound(t *testing.T) {
	t.Parallel()
	l := DefaultLimits()
	l.ToolRounds = 3
	w := newWorld(t, l)
	w.send(Root, "read it all")
	w.reads(Root)
	page := func(n int) conversation.Call { return w.call(read.Name, object{"path": "message:1", "offset": n}) }
	asked := 0
	for ; asked < 100 && !w.agent(Root).Turn.Suspended; asked++ {
		w.calling(Root, page(asked))
		if w.agent(Root).Status == Processing {
			w.acts(Root, "a page")
		}
	}
	if want := (l.ToolRounds + 1) * readsPerRound; asked != want {
		t.Errorf("the turn ended at answer %d that only reads, want %d", asked, want)
	}
	turn := &Turn{}
	turn.countRound([]conversation.Call{page(1), w.call("look", object{})}, 1)
	turn.countRound([]conversation.Call{page(1)}, 1)
	turn.countRound([]conversation.Call{page(1)}, -1)
	if turn.Rounds != 1 || turn.Reads != 0 {
		t.Errorf("rounds %d, reads %d: an answer that also looks is a round, and one that was taken back none", turn.Rounds, turn.Reads)
	}
}

// The error of a tool is the result that the model reads (S000 Req 5.4).
func TestS000Req54AToolsErrorGoesIntoTheContext(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := newWorld(t, DefaultLimits())
		w.send(Root, "go")
		text := rapid.StringMatching(`[a-z ]{1,30}`).Draw(t, "error")
		call := w.call("look", object{})
		w.calling(Root, call)
		w.must(ToolDone{Work: w.owed(Root, ActStep).(Act), Text: text, Outcome: conversation.Failed})
		seen := w.visible(Root)
		if last := seen[len(seen)-1]; last.CallID != call.ID || strings.TrimSpace(last.Text) == "" || last.Outcome != conversation.Failed ||
			strings.TrimSpace(text) != "" && last.Text != text {
			t.Fatalf("%+v", last)
		}
		w.thinks(Root)
	})
}

func TestTheSameCallIsWarnedOfAtThreeAndEndsTheTurnAtFive(t *testing.T) {
	t.Parallel()
	w := newWorld(t, DefaultLimits())
	id := w.spawn(Root)
	for i := 1; i <= 5; i++ {
		call := w.call("look", object{"same": true})
		w.calling(id, call)
		if i == 5 {
			break
		}
		w.acts(id, "done")
		if warned := strings.Contains(w.result(id, call).Text, "Warning"); warned != (i >= 3) {
			t.Errorf("call %d: %q", i, w.result(id, call).Text)
		}
	}
	if a := w.agent(id); !a.Turn.Suspended || a.Error == "" {
		t.Errorf("%+v", a)
	}
	if mail := w.agent(Root).Mailbox; len(mail) != 1 || mail[0].Type != "status_report" {
		t.Errorf("root is told %+v", mail)
	}
	w.must(Resume{Agent: id, Alone: true})
	w.calling(id, w.call("look", object{"same": true})) // the user let it go on
	w.acts(id, "done")
}

func TestCallsBeyondThoseOfOneAnswerAreNotRun(t *testing.T) {
	t.Parallel()
	l := DefaultLimits()
	l.CallsPerAnswer = 3
	w := newWorld(t, l)
	w.send(Root, "go")
	var calls []conversation.Call
	for i := range 5 {
		calls = append(calls, w.call("look", object{"n": i}))
	}
	w.calling(Root, calls...)
	for range 3 {
		w.acts(Root, "done")
	}
	for i, call := range calls {
		if ok := w.result(Root, call).Outcome == conversation.OK; ok != (i < 3) {
			t.Errorf("call %d: %+v", i, w.result(Root, call))
		}
		if i >= 3 && w.answer(Root, call)["error"] != string(LimitReached) {
			t.Errorf("call %d: %+v", i, w.result(Root, call))
		}
	}
}

func TestAnAnswerThatWasCutOffRunsNoCall(t *testing.T) {
	t.Parallel()
	w := newWorld(t, DefaultLimits())
	w.send(Root, "go")
	call := w.call("write", object{})
	w.must(Answered{Work: w.thinks(Root), Calls: []conversation.Call{call}, Cut: true})
	if r := w.result(Root, call); r.Outcome != conversation.Failed || w.answer(Root, call)["error"] != string(InvalidArguments) {
		t.Errorf("%+v", r)
	}
	w.thinks(Root)
}

// Each cap on spawning refuses with limit_reached and makes nothing, at exactly its
// number (SPEC.md, decision 24).
func TestSpawnsStopExactlyAtTheirCaps(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		set  func(*Limits)
		want int
		deep bool
	}{
		"agents":            {func(l *Limits) { l.Agents = 5 }, 4, false},
		"children":          {func(l *Limits) { l.Children = 3 }, 3, false},
		"spawns per minute": {func(l *Limits) { l.SpawnsPerMinute = 6 }, 6, false},
		"depth":             {func(l *Limits) { l.Depth = 2 }, 2, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := DefaultLimits()
			c.set(&l)
			w := newWorld(t, l)
			by, made := Root, 0
			for range 10 {
				if w.agent(by).Status == Idle {
					w.send(by, "get help")
				}
				if made == 0 {
					w.calling(by, w.call("create_role", object{"name": "worker", "rolePrompt": "Work."}))
				}
				task := brief()
				task["inputs"] = fmt.Sprint(w.calls)
				call := w.call("spawn_agent", object{"roleId": "role-worker", "taskBrief": task})
				w.calling(by, call)
				got := w.answer(by, call)
				if got["error"] != nil {
					if got["error"] != string(LimitReached) {
						t.Fatalf("%v", got)
					}
					break
				}
				made++
				if c.deep {
					by = AgentID(got["agentId"].(string))
				}
			}
			if made != c.want || len(w.s.Agents()) != c.want+1 {
				t.Errorf("%d agents were made, not %d", made, c.want)
			}
		})
	}
}

// The cap on spawns outlives a restart, and passes with the minute.
func TestTheCapOnSpawnsPerMinuteIsNotLiftedByARestart(t *testing.T) {
	t.Parallel()
	l := DefaultLimits()
	l.SpawnsPerMinute = 2
	w := newWorld(t, l)
	w.spawn(Root)
	gone := w.spawn(Root)
	w.must(Terminate{Agent: gone, By: User})
	w.halted()
	w.restart(false)
	call := w.call("spawn_agent", object{"roleId": "role-worker", "taskBrief": brief()})
	w.calling(Root, call)
	if got := w.answer(Root, call)["error"]; got != string(LimitReached) {
		t.Errorf("%v", got)
	}
	w.at = w.at.Add(time.Minute)
	w.spawn(Root)
}

// So many messages between agents without the user pause who sends the next one;
// what it says at its end goes to the user with the reason, and the user's next
// message opens the task again.
func TestTheMessageGuardPausesTheSender(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		l := DefaultLimits()
		l.TaskMessages = rapid.IntRange(3, 12).Draw(t, "limit")
		w := newWorld(t, l)
		a, b := w.spawn(Root), w.spawn(Root) // two messages
		sent := 2
		for range 20 {
			call := w.tells(b, "status_report", fmt.Sprint("report ", sent))
			w.calling(a, call)
			got := w.answer(a, call)
			if got["error"] != nil {
				if got["error"] != string(LimitReached) {
					t.Fatalf("%v", got)
				}
				break
			}
			sent++
		}
		if sent != l.TaskMessages || w.agent(a).Paused != MessageGuard || w.agent(b).Paused != "" {
			t.Fatalf("%d messages of %d, paused: %q, %q", sent, l.TaskMessages, w.agent(a).Paused, w.agent(b).Paused)
		}
		told := len(w.inbox)
		w.says(a, "my answer")
		if n := len(w.inbox) - told; n != 1 || len(w.agent(a).Owes) > 0 || len(w.agent(Root).Asked) != 1 {
			t.Fatalf("the user is told %d times, a owes %v, root waits for %v", n, w.agent(a).Owes, w.agent(Root).Asked)
		}
		if !strings.Contains(w.inbox[told].Body, string(LimitReached)) {
			t.Fatalf("without the reason: %q", w.inbox[told].Body)
		}
		w.send(a, "go on")
		w.calling(a, w.tells(b, "status_report", "more"))
		if w.agent(a).Paused != "" || w.s.Task(w.agent(a).Task).Hops != 1 {
			t.Fatalf("the user's message has not opened the task again")
		}
	})
}

func TestAFullMailboxRefusesMore(t *testing.T) {
	t.Parallel()
	l := DefaultLimits()
	l.Queue = 3
	w := newWorld(t, l)
	w.send(Root, "one") // read at once
	for range 3 {
		w.send(Root, "more")
	}
	w.refused(Send{To: Root, Text: "too much"}, MailboxFull)
	w.refused(Interrupt{Agent: Root, Text: "too much"}, MailboxFull)
	w.must(Interrupt{Agent: Root})
	w.refused(Send{To: Root, Text: "too much", Resume: true}, MailboxFull)
}

func TestLargeMessagesAndBriefsAreRefused(t *testing.T) {
	t.Parallel()
	l := DefaultLimits()
	l.MessageBytes = 300
	w := newWorld(t, l)
	id := w.spawn(Root)
	large := strings.Repeat("x", 301)
	w.refused(Send{To: Root, Text: large}, TooLarge)
	call := w.tells(id, "", large)
	w.calling(Root, call)
	task := brief()
	task["inputs"] = large
	spawn := w.call("spawn_agent", object{"roleId": "role-worker", "taskBrief": task})
	w.calling(Root, spawn)
	for _, c := range []conversation.Call{call, spawn} {
		if got := w.answer(Root, c)["error"]; got != string(TooLarge) {
			t.Errorf("%s: %v", c.Name, got)
		}
	}
	look := w.call("look", object{})
	w.calling(Root, look)
	w.acts(Root, large)
	if r := w.result(Root, look); r.Outcome != conversation.Failed || len(r.Text) > 300 || w.answer(Root, look)["error"] != string(TooLarge) {
		t.Errorf("%+v", r)
	}
}

// At the end of a turn, too: it is paused once, whoever could not be told, and
// what waits for it is kept.
func TestTheMessageGuardKeepsTheQueueOfAPausedAgent(t *testing.T) {
	t.Parallel()
	l := DefaultLimits()
	l.TaskMessages = 4
	w := newWorld(t, l)
	a, b := w.spawn(Root), w.spawn(Root)
	w.calling(b, w.tells(a, "collaboration_request", "help me"))
	w.reads(a)
	w.calling(b, w.tells(a, "status_report", "and this"))
	told := len(w.inbox)
	w.says(a, "for both of you")
	pauses := 0
	for _, e := range w.last {
		if _, ok := e.(PausedNow); ok {
			pauses++
		}
	}
	got := w.agent(a)
	if pauses != 1 || got.Paused != MessageGuard || got.Status != Idle || len(got.Mailbox) != 1 || len(got.Owes) != 0 {
		t.Errorf("paused %d times: %+v", pauses, got)
	}
	if n := len(w.inbox) - told; n != 2 {
		t.Errorf("the user is told %d times", n)
	}
}

// The caps count what one call, or one answer, sends: it cannot slip through in a
// bunch.
func TestTheCapsCountWhatIsSentAtOnce(t *testing.T) {
	t.Parallel()
	l := DefaultLimits()
	l.TaskMessages = 4
	w := newWorld(t, l)
	a, b, c := w.spawn(Root), w.spawn(Root), w.spawn(Root)
	w.calling(Root, w.tells([]AgentID{a, b, c}, "status_report", "to all"))
	if got := len(w.lastAccepted()); got != 1 || w.agent(Root).Paused != MessageGuard {
		t.Errorf("%d messages beyond the third, paused %q", got, w.agent(Root).Paused)
	}

	l = DefaultLimits()
	l.Queue = 1
	w = newWorld(t, l)
	a, b, c = w.spawn(Root), w.spawn(Root), w.spawn(Root)
	w.calling(b, w.tells(a, "collaboration_request", "help me"))
	w.reads(a)
	w.calling(c, w.tells(a, "collaboration_request", "me too"))
	w.reads(a)
	w.must(Terminate{Agent: b, By: User})
	w.must(Terminate{Agent: c, By: User})
	w.halted()
	told := len(w.inbox)
	w.says(a, "the answer for all three") // two of them can be told only through root
	if waiting, inbox := len(w.agent(Root).Mailbox), len(w.inbox)-told; waiting != 1 || inbox != 2 {
		t.Errorf("%d wait for root, %d came to the user", waiting, inbox)
	}
}
