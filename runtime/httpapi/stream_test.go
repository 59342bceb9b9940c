package httpapi_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"society-tui/llm"
	"society-tui/llm/llmtest"
	"society-tui/runtime/api"
	"society-tui/runtime/httpapi"
	"society-tui/runtime/propertytest"
	"society-tui/runtime/society"
	"society-tui/storage/memdb"
	"society-tui/storage/storagetest"
)

// kindsOf lists the kinds of events, each run of equal ones once.
func kindsOf(events []event) (kinds []string) {
	for _, e := range events {
		if len(kinds) == 0 || kinds[len(kinds)-1] != e.kind {
			kinds = append(kinds, e.kind)
		}
	}
	return kinds
}

// only returns the events of a kind.
func only(events []event, kind string) (some []event) {
	for _, e := range events {
		if e.kind == kind {
			some = append(some, e)
		}
	}
	return some
}

func TestAStreamBeginsWithAnIDAndHowThingsAre(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := openSite(t, whims())
		defer s.leave()
		s.spawn("Ada")
		do(s, society.Send{To: society.Root, Text: "go"})
		settle()
		c := s.read("", "", -1)
		settle()
		defer c.end()
		if got, want := fmt.Sprint(kindsOf(c.taken())), "[begin snapshot agent task]"; got != want {
			t.Errorf("it begins with %s, want %s", got, want)
		}
		if c.code != http.StatusOK || c.header.Get("Content-Type") != "text/event-stream" || c.header.Get("Cache-Control") != "no-store" {
			t.Errorf("it is %d with %v", c.code, c.header)
		}
		newest, err := s.society.Newest(t.Context())
		if want := fmt.Sprintf("%d.%d", newest.Timeline, newest.Inbox); err != nil || c.lastID() != want {
			t.Errorf("its id is %q, want %q, %v", c.lastID(), want, err)
		}
	})
}

// A stream has only the kinds that were asked for, and texts only if they are named.
func TestEventsAreFiltered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := openSite(t, dictation{20 * time.Millisecond})
		defer s.leave()
		ids := s.spawn("Ada", "Bob")
		readers := map[string]*reader{}
		first := do(s, society.Send{To: ids[0], Text: "go"}).Task
		settle()
		for _, query := range []string{"", "kinds=text", "kinds=message", "kinds=timeline", "kinds=task,agent", "kinds=message,agent,timeline,text&agent=bob-1", "kinds=message,agent,task,timeline,text&task=" + string(first)} {
			readers[query] = s.read(query, "", -1)
			defer readers[query].end()
		}
		settle()
		for _, id := range ids {
			do(s, society.Send{To: id, Text: "slow"})
			time.Sleep(time.Second)
		}
		settle()
		for query, c := range readers {
			kinds := map[string]map[string]int{}
			for _, e := range c.taken() {
				of := decoded[struct{ ID, AgentID, From string }](t, e)
				if kinds[e.kind] == nil {
					kinds[e.kind] = map[string]int{}
				}
				kinds[e.kind][cmp.Or(of.AgentID, of.From, of.ID)]++
			}
			for kind := range kinds {
				asked := strings.Contains(query, kind) || !strings.Contains(query, "kinds") && kind != "text" || kind == "begin" || kind == "snapshot"
				if !asked {
					t.Errorf("%q is told %s", query, kind)
				}
			}
			for _, kind := range []string{"message", "timeline", "agent", "text"} {
				if !strings.Contains(query, kind) {
					continue
				}
				ada, bob := kinds[kind]["ada-1"] > 0, kinds[kind]["bob-1"] > 0
				if wantAda, wantBob := !strings.Contains(query, "bob"), !strings.Contains(query, "&task"); ada != wantAda && !(kind == "timeline" && strings.Contains(query, "&task")) || bob != wantBob {
					t.Errorf("%q: %s of ada: %v, of bob: %v", query, kind, ada, bob)
				}
			}
		}
	})
}

// A quiet stream shows every 15 s that it is alive, also if what happens is filtered out.
func TestAStreamShowsThatItIsAlive(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := openSite(t, whims())
		defer s.leave()
		began := time.Now()
		quiet, filtered := s.read("", "", -1), s.read("kinds=message,text&agent=none", "", -1)
		defer quiet.end()
		defer filtered.end()
		time.Sleep(61 * time.Second)
		settle()
		for range 610 {
			time.Sleep(100 * time.Millisecond)
			do(s, society.PauseAgent{Agent: society.Root})
			do(s, society.Resume{Agent: society.Root})
		}
		for name, c := range map[string]*reader{"quiet": quiet, "filtered": filtered} {
			for i, at := range c.comments[:4] {
				if want := began.Add(time.Duration(i+1) * 15 * time.Second); at.Sub(want).Abs() > 10*time.Millisecond {
					t.Errorf("%s: comment %d comes after %v", name, i, at.Sub(began))
				}
			}
		}
		if n := len(filtered.comments); n != 8 {
			t.Errorf("the filtered stream had %d comments in 122 s, want 8", n)
		}
		if n := len(quiet.comments); n != 4 {
			t.Errorf("the stream had %d comments in the 61 s in which it was quiet, want 4", n)
		}
	})
}

func TestAStreamEndsWithAGoodbye(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := openSite(t, whims())
		c := s.read("", "", -1)
		settle()
		s.leave()
		<-c.ended
		events := c.taken()
		if last := events[len(events)-1]; last.kind != "bye" || string(last.data) != "{}" {
			t.Errorf("the last event is %s %s", last.kind, last.data)
		}
		if n := len(only(events, "bye")); n != 1 {
			t.Errorf("it says %d times goodbye", n)
		}
	})
}

// blocks is a connection whose client reads nothing: a write fails when its deadline has come.
func (c *reader) blocks() {
	c.mu.Lock()
	deadline := c.deadline
	c.mu.Unlock()
	time.Sleep(time.Until(deadline) + time.Nanosecond)
}

// Readers that never read hold up neither the society nor other readers, and are gone after
// 30 s.
func TestReadersThatNeverReadHoldUpNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := openSite(t, whims())
		defer s.leave()
		began := time.Now()
		var dead []*reader
		for range 100 {
			dead = append(dead, s.readSlowly("kinds=message,timeline,task,agent,text", "", -1, (*reader).blocks))
		}
		alive := s.read("kinds=message", "", -1)
		defer alive.end()
		settle()
		for i := range 20 {
			do(s, society.Send{To: society.Root, Text: "go"})
			settle()
			if n := len(only(alive.taken(), "message")); n != 1 || time.Since(began) > time.Second {
				t.Fatalf("message %d was told %d times, %v later", i, n, time.Since(began))
			}
		}
		for _, c := range dead {
			<-c.ended
		}
		if took := time.Since(began).Round(time.Millisecond); took != 30*time.Second {
			t.Errorf("they were gone after %v, want 30 s", took)
		}
		if strings.Contains(s.log.String(), "cut short") {
			t.Errorf("a reader that is gone is logged as a failure:\n%s", s.log)
		}
	})
}

// What is kept for a reader that does not read is bounded, however much it misses.
func TestReadersThatNeverReadNeedLittleMemory(t *testing.T) {
	if propertytest.Raced {
		t.Skip("the race detector needs memory itself")
	}
	synctest.Test(t, func(t *testing.T) {
		long := strings.Repeat("0123456789abcdef", 1<<12) // 64 KiB
		s := openSite(t, llmtest.Func("long", llmtest.Say(long)))
		defer s.leave()
		for range 10 {
			do(s, society.Send{To: society.Root, Text: "go"})
			settle()
		}
		before := heap()
		never := make(chan struct{})
		defer close(never)
		const readers = 100
		for range readers {
			c := s.readSlowly("kinds=message,timeline,task,agent,text", "0.0", -1, func(*reader) { <-never })
			defer c.cancel()
		}
		settle()
		for range 20 {
			do(s, society.Send{To: society.Root, Text: "go"})
			settle()
		}
		if grown := heap() - before; grown > 20<<20 {
			t.Errorf("%d readers that do not read need %d KiB", readers, grown>>10)
		} else {
			t.Logf("%d readers need %d KiB", readers, grown>>10)
		}
	})
}

// heap returns the bytes that are in use.
func heap() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// A client that reads a long message slowly is not taken for one that does not read.
func TestALongMessageMayBeReadSlowly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		long := strings.Repeat("0123456789abcdef", 1<<17) // 2 MiB
		s := openSite(t, llmtest.Func("long", llmtest.Say(long)))
		defer s.leave()
		c := s.readSlowly("kinds=message", "", -1, func(*reader) { time.Sleep(29 * time.Second) })
		settle()
		do(s, society.Send{To: society.Root, Text: "go"})
		time.Sleep(time.Hour)
		c.end()
		messages := only(c.taken(), "message")
		if len(messages) != 1 || decoded[httpapi.Message](t, messages[0]).Text != long {
			t.Errorf("%d messages came", len(messages))
		}
	})
}

// Texts of agents cannot break out of their event.
func TestATextCannotBreakAnEvent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := openSite(t, echo())
		defer s.leave()
		c := s.read("kinds=message,text,agent,task,timeline", "", -1)
		defer c.end()
		settle()
		hostile := "a\n\nid: 9.9\nevent: bye\ndata: {}\n\n\r\n\rdata: x\r\rb\x00\x1b[2J\x7f\u0085\u2028\u2029\u202e\ufeff<script>"
		do(s, society.Send{To: society.Root, Text: hostile})
		time.Sleep(time.Second)
		do(s, society.Send{To: society.Root, Text: hostile + "and hang"})
		time.Sleep(time.Second)
		events := c.taken()
		if messages := only(events, "message"); len(messages) != 1 || decoded[httpapi.Message](t, messages[0]).Text != hostile {
			t.Errorf("messages = %v", messages)
		}
		for _, e := range events {
			if strings.ContainsAny(string(e.data), "\r\n\x00\x1b\u2028\u2029") || e.kind == "bye" || e.id == "9.9" {
				t.Errorf("event %s %s is %q", e.kind, e.id, e.data)
			}
		}
		texts := copied{drafts: map[string]draft{}, met: propertytest.Met[string]{}}
		texts.take(t, only(events, "text"))
		if got := texts.drafts["root"].text; got != hostile+"and hang" {
			t.Errorf("the answer in flight is %q", got)
		}
	})
}

// A change that is not saved shows at once in agents, and in the timeline when it is on disk.
func TestLinesAreToldWhenTheyAreOnDisk(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := storagetest.NewFaulty(memdb.New())
		s := open(t, ground{model: whims(), store: store})
		defer s.leave()
		id := s.spawn("Ada")[0]
		do(s, society.Send{To: id, Text: "hang"})
		settle()
		c := s.read("kinds=timeline,agent", "", -1)
		defer c.end()
		settle()
		c.taken()
		store.FailAll(errors.New("the disk is full"))
		do(s, society.Interrupt{Agent: id})
		settle()
		if events := c.taken(); len(only(events, "agent")) == 0 || len(only(events, "timeline")) > 0 {
			t.Errorf("while nothing is saved %s are told, want agents and no lines", kindsOf(events))
		}
		store.Heal()
		time.Sleep(3 * time.Second)
		lines := only(c.taken(), "timeline")
		if len(lines) == 0 || decoded[httpapi.TimelineEvent](t, lines[0]).Kind != "interrupted" {
			t.Errorf("afterwards the lines %v are told", lines)
		}
	})
}

// unreadable is a society whose inbox cannot be read after the first time.
type unreadable struct {
	httpapi.Society
	reads *int
}

func (s unreadable) Inbox(ctx context.Context, of api.InboxQuery) ([]api.InboxMessage, error) {
	if *s.reads++; *s.reads > 1 {
		return nil, errors.New("page 7 is damaged")
	}
	return s.Society.Inbox(ctx, of)
}

func TestAStreamThatCannotBeReadEndsAndIsLogged(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		reads := 0
		s := open(t, ground{model: whims(), society: func(inner httpapi.Society) httpapi.Society { return unreadable{inner, &reads} }})
		defer s.leave()
		c := s.read("", "", -1)
		settle()
		do(s, society.PauseAgent{Agent: society.Root})
		<-c.ended
		if events := c.taken(); len(only(events, "bye")) > 0 || !strings.Contains(s.log.String(), "page 7 is damaged") {
			t.Errorf("it ends with %v, log\n%s", kindsOf(events), s.log)
		}
	})
}

// A wait ends with the task, with its time, or with the society.
func TestWaitReturnsWhenNobodyWorksOnTheTask(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := openSite(t, llmtest.Func("slow", func(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
			if text := req.Messages[len(req.Messages)-1].Text; strings.Contains(text, "hang") {
				return llmtest.Hang()(ctx, req)
			}
			return llmtest.After(20*time.Second, llmtest.Say("done"))(ctx, req)
		}))
		for _, c := range []struct {
			text, query, state string
			after              time.Duration
		}{
			{"go", "", "settled", 20 * time.Second},
			{"go", "?timeout=5", "open", 5 * time.Second},
			{"go", "?timeout=5s", "open", 5 * time.Second},
			{"go", "?timeout=1m", "settled", 20 * time.Second},
			{"hang", "", "open", time.Minute},
			{"hang", "?timeout=0", "open", 0},
		} {
			task := do(s, society.Send{To: society.Root, Text: c.text, NewTask: true}).Task
			began := time.Now()
			got := get[httpapi.Task](s, "/api/tasks/"+string(task)+"/wait"+c.query)
			if took := time.Since(began).Round(10 * time.Millisecond); got.State != c.state || took != c.after {
				t.Errorf("wait%s for %q = %s after %v, want %s after %v", c.query, c.text, got.State, took, c.state, c.after)
			}
			do(s, society.Stop{Agent: society.Root})
			do(s, society.Resume{Agent: society.Root})
		}
		task := do(s, society.Send{To: society.Root, Text: "hang", NewTask: true}).Task
		for _, query := range []string{"?timeout=61", "?timeout=90s", "?timeout=-1", "?timeout=-1s", "?timeout=soon", "?timeout="} {
			if code, reply := s.ask(http.MethodGet, "/api/tasks/"+string(task)+"/wait"+query, ""); code != http.StatusBadRequest {
				t.Errorf("wait%s = %d %v", query, code, reply)
			}
		}
		ended := make(chan reply, 1)
		go func() { ended <- s.serve(s.request(http.MethodGet, "/api/tasks/"+string(task)+"/wait", "")) }()
		settle()
		s.leave()
		if got := <-ended; got.code != http.StatusServiceUnavailable {
			t.Errorf("wait while the society leaves = %d %s", got.code, got.body)
		}
	})
}
