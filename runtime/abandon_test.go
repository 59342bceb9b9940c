package runtime_test

import (
	"bytes"
	"context"
	"iter"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"society-tui/llm"
	"society-tui/llm/llmtest"
	"society-tui/runtime"
	"society-tui/runtime/api"
	"society-tui/runtime/conversation"
	"society-tui/runtime/society"
	"society-tui/runtime/tool"
	"society-tui/storage/memdb"
)

// discarded counts what the log says was thrown away of an agent's work.
func discarded(log *bytes.Buffer, id society.AgentID) int {
	n := 0
	for line := range strings.Lines(log.String()) {
		if strings.Contains(line, "answer discarded") && strings.Contains(line, "agent="+string(id)+" ") {
			n++
		}
	}
	return n
}

// A tool that ignores its context delays a stop or a termination by two seconds and is
// then named; its result cannot count. An interrupt does not wait for it. The tool stands
// in one answer with a spawn_agent, so that the spawn is interrupted too.
func TestAToolThatIgnoresItsContextIsAbandonedByName(t *testing.T) {
	for _, key := range keys("worker-1")[:3] {
		synctest.Test(t, func(t *testing.T) {
			var out bytes.Buffer
			work := &deed{takes: time.Hour, lingers: time.Minute}
			helper := call("spawn_agent", object{"roleId": "role-worker", "taskBrief": brief})
			c := newCast().plays("root", spawning(1), llmtest.Say("asked"))
			c.plays("worker-1", llmtest.CallTools(helper, call("deed", object{}), helper), llmtest.Say("after it"))
			c.plays("worker-2", llmtest.HangAfter("I help"))
			s := run(t, c, memdb.New(), func(cfg *runtime.Config) {
				cfg.Tools, cfg.Log = []tool.Tool{work}, slog.New(slog.NewTextHandler(&out, nil))
			})
			s.do(society.Send{To: society.Root, Text: "go"})
			time.Sleep(time.Second)
			begun := time.Now()
			reply := s.do(key)
			took := time.Since(begun)
			_, interrupts := key.(society.Interrupt)
			_, terminates := key.(society.Terminate)
			var abandoned []society.AgentID
			switch reply := reply.(type) {
			case society.StopResult:
				abandoned = reply.Abandoned
			case society.TerminateResult:
				abandoned = reply.Abandoned
			}
			if interrupts && took != 0 || !interrupts && (took != 2*time.Second || !slices.Equal(abandoned, []society.AgentID{"worker-1"})) {
				t.Errorf("%T took %v and abandoned %v", key, took, abandoned)
			}
			if n := s.model.Running(); interrupts != (n == 1) {
				t.Errorf("%T: %d calls run", key, n) // worker-2's
			}
			if !terminates {
				entries := s.said("worker-1")
				results := slices.DeleteFunc(entries, func(e conversation.Entry) bool { return e.Kind != conversation.Result })
				var outcomes []conversation.Outcome
				for _, e := range results {
					outcomes = append(outcomes, e.Outcome)
				}
				if want := []conversation.Outcome{conversation.OK, conversation.AbortedCall, conversation.NotRun}; !slices.Equal(outcomes, want) {
					t.Errorf("%T: the calls came to %v", key, outcomes)
				}
				s.do(society.Resume{Agent: "worker-1"})
				s.do(society.Send{To: "worker-1", Text: "and now?"})
				time.Sleep(time.Second)
			}
			before := s.said("worker-1")
			time.Sleep(time.Hour) // the tool ends
			synctest.Wait()
			if work.begun.Load() != 1 || work.ended.Load() != 1 {
				t.Errorf("%T: the tool was begun %d times and ended %d times", key, work.begun.Load(), work.ended.Load())
			}
			if n := discarded(&out, "worker-1"); n != 1 {
				t.Errorf("%T: the log says %d times that its result was thrown away", key, n)
			}
			if after := s.said("worker-1"); len(after) != len(before) {
				t.Errorf("%T: it said more: %+v", key, after[len(before):])
			}
			if n := len(s.rows()); n != map[bool]int{true: 1, false: 3}[terminates] {
				t.Errorf("%T: there are %d agents", key, n)
			}
		})
	}
}

// A babbler is a model that goes on whatever its context says.
type babbler struct{ over chan struct{} }

func (*babbler) Name() string { return "babbler" }

func (b *babbler) Generate(context.Context, llm.Request) iter.Seq2[llm.Chunk, error] {
	return func(yield func(llm.Chunk, error) bool) {
		for {
			select {
			case <-b.over:
				yield(llm.Chunk{Done: true, Finish: llm.FinishStop}, nil)
				return
			case <-time.After(100 * time.Millisecond):
				if !yield(llm.Chunk{Text: "bla ", Reasoning: "hm "}, nil) {
					return
				}
			}
		}
	}
}

// SPEC.md, decision 4: what came until the key stays on the screen, marked aborted, until
// the next turn; nothing that comes later is added to it.
func TestNoLateChunkIsShownAfterAKey(t *testing.T) {
	for _, key := range []society.Command{
		society.Stop{Agent: society.Root}, society.Interrupt{Agent: society.Root}, society.Interrupt{Agent: society.Root, Text: "other"},
	} {
		synctest.Test(t, func(t *testing.T) {
			model := &babbler{over: make(chan struct{})}
			s := run(t, newCast(), memdb.New(), func(cfg *runtime.Config) { cfg.Model = model })
			s.do(society.Send{To: society.Root, Text: "go"})
			time.Sleep(550 * time.Millisecond)
			partial := 5 * len("bla hm ")
			s.do(key)
			time.Sleep(time.Second)
			d, ok := s.r.Draft(society.Root)
			if i, is := key.(society.Interrupt); is && i.Text != "" {
				if !ok || d.Aborted || d.Bytes > 11*len("bla hm ") {
					t.Errorf("%#v: the new answer is shown as %+v", key, d)
				}
			} else if !ok || !d.Aborted || d.Bytes != partial || len(d.Text)+len(d.Thought) != partial {
				t.Errorf("%#v: what came until then is shown as %+v", key, d)
			}
			aborted := s.said(society.Root)[1]
			if aborted.Kind != conversation.Aborted || aborted.Tokens != partial || aborted.Text != "" {
				t.Errorf("%#v: it is kept as %+v", key, aborted)
			}
			s.do(society.Send{To: society.Root, Text: "go on", Resume: true})
			if d, ok := s.r.Draft(society.Root); ok && d.Aborted {
				t.Errorf("%#v: the next turn shows %+v", key, d)
			}
			close(model.over)
			time.Sleep(time.Second)
		})
	}
}

func TestACallThatHadSaidNothingLeavesNothingOnTheScreen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := run(t, newCast().plays("root", llmtest.Hang()), memdb.New())
		s.do(society.Send{To: society.Root, Text: "go"})
		time.Sleep(time.Second)
		if _, ok := s.r.Draft(society.Root); !ok {
			t.Fatal("a call that runs is not shown")
		}
		s.do(society.Interrupt{Agent: society.Root})
		if d, ok := s.r.Draft(society.Root); ok {
			t.Fatalf("nothing was said, and shown is %+v", d)
		}
	})
}

// A terminated agent leaves the screen at once. What it and those below it spent stays
// in the sums meanwhile, also while a tool of theirs is waited for.
func TestUsageStaysInTheSumsDuringATermination(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCast().plays("root", spawning(1), llmtest.Say("asked"))
		helper := call("spawn_agent", object{"roleId": "role-worker", "taskBrief": brief})
		c.plays("worker-1", llmtest.CallTools(helper, call("deed", object{})))
		c.plays("worker-2", llmtest.Say("I help"))
		s := run(t, c, memdb.New(), func(cfg *runtime.Config) {
			cfg.Tools = []tool.Tool{&deed{takes: time.Hour, lingers: time.Minute}}
		})
		s.do(society.Send{To: society.Root, Text: "go"})
		time.Sleep(time.Second)
		w := s.r.Watch()
		defer w.Close()
		rows := map[society.AgentID]api.Row{}
		sum := func() (sum society.Usage) {
			ctx, cancel := context.WithTimeout(s.ctx, time.Hour)
			defer cancel()
			changes, err := w.Next(ctx)
			if err != nil {
				t.Fatal(err)
			}
			for _, row := range changes.Rows {
				rows[row.ID] = row
			}
			for _, id := range changes.Gone {
				delete(rows, id)
			}
			for _, row := range rows {
				sum = sum.Plus(row.Usage.Plus(row.Ended))
			}
			return sum
		}
		before, below := sum(), rows["worker-1"].Usage.Plus(rows["worker-2"].Usage)
		if len(rows) != 3 || below == (society.Usage{}) {
			t.Fatalf("there are %d agents; those to be terminated have spent %+v", len(rows), below)
		}
		ended := s.later(society.Terminate{Agent: "worker-1", By: society.User})
		if got := sum(); len(rows) != 1 || got != before {
			t.Errorf("while it is waited for %d agents are shown, which have spent %+v, not %+v", len(rows), got, before)
		}
		if err := <-ended; err != nil {
			t.Fatal(err)
		}
		if got := sum(); len(rows) != 1 || got != before || rows[society.Root].Ended != below {
			t.Errorf("when it has gone %+v have been spent, not %+v", got, before)
		}
		time.Sleep(time.Hour) // the tool ends
	})
}
