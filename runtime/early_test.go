package runtime_test

import (
	"testing"
	"testing/synctest"
	"time"

	"society-tui/llm/llmtest"
	"society-tui/runtime"
	"society-tui/runtime/society"
	"society-tui/runtime/tool"
	"society-tui/storage/memdb"
)

// A call that only reads may begin before its answer is on disk, because it runs again
// after a crash; any other may not.
func TestOnlyACallThatReadsBeginsBeforeTheCommit(t *testing.T) {
	for class, want := range map[tool.Class]int64{tool.ClassRead: 1, tool.ClassOwn: 0, tool.ClassEdit: 0, tool.ClassRun: 0, tool.ClassNet: 0, tool.ClassMCP: 0} {
		t.Run(string(class), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				disk, work := &slowDisk{Store: memdb.New()}, &deed{class: class}
				c := newCast().plays("root", llmtest.After(time.Second, llmtest.CallTools(call("deed", object{}))), llmtest.Say("I see"))
				s := run(t, c, disk, func(cfg *runtime.Config) { cfg.Tools = []tool.Tool{work} })
				s.do(society.Send{To: society.Root, Text: "go"})
				disk.slow(time.Minute)
				time.Sleep(30 * time.Second) // into the commit of the answer
				if n := work.begun.Load(); n != want {
					t.Errorf("in the middle of the commit the call was begun %d times, not %d", n, want)
				}
				disk.slow(0)
			})
		})
	}
}

// The answer of an agent that reads for long is on the screen at once.
func TestAnAnswerDoesNotWaitForItsCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCast().plays("root", llmtest.CallTools(call("deed", object{})), llmtest.Say("I see"))
		s := run(t, c, memdb.New(), func(cfg *runtime.Config) {
			cfg.Tools = []tool.Tool{&deed{class: tool.ClassRead, takes: time.Hour}}
		})
		s.do(society.Send{To: society.Root, Text: "go"})
		time.Sleep(time.Millisecond)
		if state := s.rows()[society.Root].State; state != society.Processing {
			t.Errorf("root is %s, not with its tool", state)
		}
	})
}

// A stop of an agent whose call ends when it is cancelled is one commit: that it stops, and
// that it has.
func TestAStopIsOneCommitIfItsWorkEndsAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &costs{Store: memdb.New()}
		s := run(t, newCast().plays("root", llmtest.Hang()), store)
		s.do(society.Send{To: society.Root, Text: "go"})
		synctest.Wait()
		store.commits.Store(0)
		s.do(society.Stop{Agent: society.Root})
		if n := store.commits.Load(); n != 1 {
			t.Errorf("it took %d commits", n)
		}
		if state := s.rows()[society.Root].State; state != society.Stopped {
			t.Errorf("root is %s", state)
		}
	})
}
