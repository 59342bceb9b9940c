package runtime_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"society-tui/llm/llmtest"
	"society-tui/runtime"
	"society-tui/runtime/conversation"
	"society-tui/runtime/society"
	"society-tui/runtime/tool"
	"society-tui/storage/memdb"
	"society-tui/storage/storagetest"
)

// What had come of an answer is known of a stop in an outage too, whose record
// is written when the store works again.
func TestTheLengthOfAnAbortedAnswerOutlastsAnOutage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, store := fallsIll(t, newCast().plays("root", llmtest.HangAfter("I begin and")))
		s.do(society.Stop{Agent: society.Root})
		time.Sleep(time.Minute)
		store.Heal()
		time.Sleep(2 * time.Second)
		entries := s.said(society.Root)
		if last := entries[len(entries)-1]; last.Kind != conversation.Aborted || last.Tokens != len("I begin and") {
			t.Fatalf("the aborted answer is kept as %+v", last)
		}
	})
}

// What the user wrote and a stop has cleared stays theirs: readable, after a restart too,
// and for no model.
func TestAnUnreadTextThatAStopClearsStaysInTheConversation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := memdb.New()
		s := run(t, newCast().plays("root", llmtest.Hang(), llmtest.Say("now I am here")), store)
		s.do(society.Send{To: society.Root, Text: "go"})
		time.Sleep(time.Second)
		s.do(society.Send{To: society.Root, Text: "and mind the page numbers"})
		s.do(society.Send{To: society.Root, Text: "and the dates"})
		s.do(society.Stop{Agent: society.Root})
		held := func(entries []conversation.Entry) {
			t.Helper()
			var texts []string
			for _, e := range entries {
				if e.Kind == conversation.Dropped {
					texts = append(texts, e.Body)
				}
			}
			if want := []string{"and mind the page numbers", "and the dates"}; !slices.Equal(texts, want) {
				t.Fatalf("dropped are %q of %+v", texts, entries)
			}
		}
		held(s.said(society.Root))
		s.do(society.Resume{Agent: society.Root})
		s.do(society.Send{To: society.Root, Text: "begin again"})
		time.Sleep(time.Minute)
		for _, r := range s.model.Requests() {
			for _, m := range r.Request.Messages {
				if strings.Contains(m.Text, "page numbers") || strings.Contains(m.Text, "dates") {
					t.Errorf("the model was sent %q", m.Text)
				}
			}
		}
		s.quit()
		held(run(t, newCast(), store).said(society.Root))
	})
}

// A stop ends when its own workers have ended. The join of an earlier stop of the
// same agent, which an outage has made twice, says nothing of those that were
// begun after it.
func TestAnEarlierStopDoesNotEndALaterOne(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		works := &deed{takes: time.Hour, lingers: time.Minute}
		c := newCast().plays("root", llmtest.CallTools(call("deed", object{})), llmtest.CallTools(call("deed", object{})))
		s, store := fallsIll(t, c, func(cfg *runtime.Config) { cfg.Tools = []tool.Tool{works} })
		first := s.later(society.Stop{Agent: society.Root}) // its workers are joined until 2 s from now
		store.Heal()                                        // in a second its record is written, and they are joined once more
		if err := <-first; err != nil {
			t.Fatal(err)
		}
		s.do(society.Resume{Agent: society.Root})
		s.do(society.Send{To: society.Root, Text: "again"})
		synctest.Wait()
		if n := works.begun.Load(); n != 2 {
			t.Fatalf("the tool was begun %d times", n)
		}
		begun := time.Now()
		reply := s.do(society.Stop{Agent: society.Root})
		if took := time.Since(begun); took != 2*time.Second {
			t.Errorf("the second stop took %v", took)
		}
		if r, ok := reply.(society.StopResult); !ok || len(r.Abandoned) != 1 {
			t.Errorf("the second stop came to %+v", reply)
		}
		time.Sleep(time.Hour)
	})
}

// A rule that panics at the end of a stop affects only agents on which it panics alone
// (SPEC.md, decision 24). Callers that wait for such an end get an error, a second stop
// is answered, and the program leaves at once.
func TestARuleThatPanicsAtTheEndOfAStopKeepsNobodyElse(t *testing.T) {
	onWorker1 := func(agents []society.AgentID) bool { return slices.Contains(agents, "worker-1") }
	for _, c := range []struct {
		name   string
		breaks func(agents []society.AgentID, n int) bool // n: how often it has panicked
		left   society.AgentID                            // stopping
	}{
		{"once", func(_ []society.AgentID, n int) bool { return n == 0 }, ""},
		{"on several at once", func(agents []society.AgentID, _ int) bool { return len(agents) > 1 }, ""},
		{"always on one", func(agents []society.AgentID, _ int) bool { return onWorker1(agents) }, "worker-1"},
	} {
		for _, ill := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, in an outage: %t", c.name, ill), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					actors := newCast().plays("root", spawning(2), llmtest.Hang()).plays("worker-1", llmtest.Hang()).plays("worker-2", llmtest.Hang())
					store := storagetest.NewFaulty(memdb.New())
					s := run(t, actors, store)
					s.do(society.Send{To: society.Root, Text: "go"})
					time.Sleep(time.Minute)
					panics, mended := 0, false
					if err := s.r.Break(s.ctx, func(cmd society.Command) bool {
						halted, ok := cmd.(society.Halted)
						broken := ok && !mended && c.breaks(halted.Agents, panics)
						if broken {
							panics++
						}
						return broken
					}); err != nil {
						t.Fatal(err)
					}
					if ill {
						store.FailAll(errFull)
					}
					err := <-s.later(society.Stop{Agent: society.Root})
					if (err != nil) != (c.left != "") {
						t.Errorf("the stop came to %v", err)
					}
					store.Heal()
					time.Sleep(time.Minute)
					for id, row := range s.rows() {
						want := society.Stopped
						if id == c.left {
							want = society.Stopping
						}
						if row.State != want {
							t.Errorf("%s is %s after %d panics", id, row.State, panics)
						}
					}
					if panics == 0 || panics > 10 {
						t.Errorf("the rule panicked %d times", panics)
					}
					s.do(society.Stop{Agent: society.Root})
					if begun := time.Now(); c.left == "" {
						s.do(society.Resume{Agent: society.Root})
						s.quit()
					} else if s.quit(); time.Since(begun) > time.Second {
						t.Errorf("it left after %s", time.Since(begun))
					}
				})
			})
		}
	}
}
