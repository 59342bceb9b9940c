package runtime_test

import (
	"testing"
	"testing/synctest"
	"time"

	"society-tui/llm/llmtest"
	"society-tui/runtime/conversation"
	"society-tui/runtime/society"
	"society-tui/storage/memdb"
	"society-tui/storage/storagetest"
)

// What had come of an answer is known of a stop in an outage too, whose record
// is written when the store works again.
func TestTheLengthOfAnAbortedAnswerOutlastsAnOutage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := storagetest.NewFaulty(memdb.New())
		s := run(t, newCast().plays("root", llmtest.HangAfter("I begin and")), store)
		s.do(society.Send{To: society.Root, Text: "go"})
		time.Sleep(time.Second)
		store.FailAll(errFull)
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
