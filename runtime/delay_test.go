package runtime_test

import (
	"fmt"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"society-tui/llm"
	"society-tui/llm/llmtest"
	"society-tui/runtime/api"
	"society-tui/runtime/society"
	"society-tui/storage"
	"society-tui/storage/memdb"
)

// postponing has root spawn worker-1 and write to it, a minute later.
func postponing() *cast {
	return newCast().plays("root", spawning(1), llmtest.CallTools(
		call("send_message", object{"to": []string{"worker-1", "user"}, "payload": "time is up", "delayMs": 60_000}),
	), llmtest.Say("asked")).plays("worker-1", llmtest.After(10*time.Second, llmtest.Say("well")))
}

// heard counts how often an agent took a message with a body.
func (s *stage) heard(id society.AgentID, body string) int {
	s.t.Helper()
	n := 0
	for _, e := range s.said(id) {
		if e.Body == body {
			n++
		}
	}
	return n
}

// kept counts the rows of messages that are to be sent later.
func (s *stage) kept() int {
	s.t.Helper()
	n := 0
	err := s.store.View(func(tx storage.Tx) error {
		for range tx.Range("later", nil, nil) {
			n++
		}
		return nil
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return n
}

// A message that was kept until it was due is read as it was written, with the
// introduction behind it that was added when it was delivered; the next one has none.
func TestS002ADelayedFirstMessageIsReadWithAnIntroduction(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		tell := func(text string, delay int) llm.Call {
			return call("send_message", object{"to": "worker-2", "payload": text, "delayMs": delay})
		}
		c := newCast().plays("root", spawning(2)).plays("worker-1", llmtest.CallTools(tell("first", 60_000), tell("second", 60_000)))
		s := run(t, c, memdb.New())
		s.do(society.Send{To: society.Root, Text: "go"})
		time.Sleep(2 * time.Minute)
		texts := map[string]string{}
		for _, e := range s.said("worker-2") {
			texts[e.Body] = e.Text
		}
		frame := "[Message from worker (worker-1)]\n%s\nTo reply, use send_message(to='worker-1', ...)"
		first := fmt.Sprintf(frame, "first") + "\n[Introduction by the runtime: worker-1, role \"worker\", writes to you for the first time. Purpose: \"part 1\".]"
		if second := fmt.Sprintf(frame, "second"); texts["first"] != first || texts["second"] != second {
			t.Errorf("worker-2 reads\n%q\n%q, want\n%q\n%q", texts["first"], texts["second"], first, second)
		}
	})
}

// SPEC.md, decision 10: on disk at once, in nobody's queue until it is due.
func TestADelayedMessageComesWhenItIsDue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := run(t, postponing(), memdb.New())
		s.do(society.Send{To: society.Root, Text: "go"})
		time.Sleep(59 * time.Second)
		if row := s.rows()["worker-1"]; row.Delayed != 1 || row.Waiting != 0 || s.kept() != 2 || s.heard("worker-1", "time is up") != 0 {
			t.Fatalf("%d on disk, %+v", s.kept(), row)
		}
		page, err := s.r.Entries(s.ctx, "worker-1", 0, 0)
		if err != nil || len(page.Waiting) != 1 || page.Waiting[0].Body != "time is up" || page.Waiting[0].From != society.Root ||
			page.Waiting[0].Due.Sub(page.Waiting[0].At) != time.Minute {
			t.Fatalf("in sight is %+v, %v", page.Waiting, err)
		}
		s.do(society.Interrupt{Agent: society.Root})
		time.Sleep(2 * time.Second)
		if row := s.rows()["worker-1"]; row.Delayed != 0 || s.kept() != 0 || s.heard("worker-1", "time is up") != 1 {
			t.Fatalf("%d on disk, heard %d times, %+v", s.kept(), s.heard("worker-1", "time is up"), row)
		}
		if page, err = s.r.Entries(s.ctx, "worker-1", 0, 0); err != nil || slices.ContainsFunc(page.Waiting, func(m api.Waiting) bool { return !m.Due.IsZero() }) {
			t.Fatalf("still delayed is %+v, %v", page.Waiting, err)
		}
		told := 0
		for _, m := range s.inbox() {
			if m.Body == "time is up" && m.From == society.Root {
				told++
			}
		}
		if told != 1 {
			t.Fatalf("the person is told %d times", told)
		}
	})
}

func TestADelayedMessageThatIsOverdueComesAtTheStart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, down := range []time.Duration{time.Second, time.Hour} {
			store := memdb.New()
			s := run(t, postponing(), store)
			s.do(society.Send{To: society.Root, Text: "go"})
			time.Sleep(30 * time.Second)
			s.quit()
			time.Sleep(down)
			s = run(t, newCast(), store)
			time.Sleep(time.Second)
			if n, want := s.heard("worker-1", "time is up"), map[bool]int{true: 1}[down > time.Minute]; n != want {
				t.Fatalf("after %v it was heard %d times at the start", down, n)
			}
			time.Sleep(time.Minute)
			if n := s.heard("worker-1", "time is up"); n != 1 || s.kept() != 0 {
				t.Fatalf("after %v it was heard %d times", down, n)
			}
			s.quit()
		}
	})
}

func TestAStopCountsTheDelayedMessagesThatItDrops(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := run(t, postponing(), memdb.New())
		s.do(society.Send{To: society.Root, Text: "go"})
		time.Sleep(30 * time.Second)
		if rows := s.rows(); rows["worker-1"].Delayed != 1 || !slices.Equal(rows["root"].Later, []society.AgentID{"worker-1", society.User}) {
			t.Fatalf("before it %+v keeps to %v", rows["worker-1"], rows["root"].Later)
		}
		if r, ok := s.do(society.Stop{Agent: "worker-1"}).(society.StopResult); !ok || r.Dropped != 1 || s.kept() != 1 {
			t.Fatalf("%+v, %d on disk", r, s.kept())
		}
		if rows := s.rows(); rows["worker-1"].Delayed != 0 || !slices.Equal(rows["root"].Later, []society.AgentID{society.User}) {
			t.Fatalf("after it %+v keeps to %v", rows["worker-1"], rows["root"].Later)
		}
		if r, ok := s.do(society.Stop{Agent: society.Root}).(society.StopResult); !ok || r.Dropped != 1 || s.kept() != 0 {
			t.Fatalf("%+v, %d on disk", r, s.kept())
		}
		time.Sleep(time.Hour)
		if s.heard("worker-1", "time is up") != 0 {
			t.Fatalf("it came %d times after the stop, want 0", s.heard("worker-1", "time is up"))
		}
	})
}
