package runtime_test

import (
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

// What the person wrote and a stop has cleared stays theirs: readable, after a
// restart too, and for no model.
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
