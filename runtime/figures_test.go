package runtime_test

import (
	"testing"
	"testing/synctest"
	"time"

	"society-tui/llm"
	"society-tui/llm/llmtest"
	"society-tui/runtime/api"
	"society-tui/runtime/conversation"
	"society-tui/runtime/society"
	"society-tui/storage/memdb"
)

// What was spent is kept by day, task and model over an agent's end and a restart, and
// is what all agents together have used.
func TestFiguresHoldAllThatWasSpentOverAnEndAndARestart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		disk := &memDisk{memdb.New()}
		again := &llm.Error{Class: llm.Overload, Status: 500, Text: "later"}
		s := run(t, newCast().plays("root", llmtest.Say("one"), llmtest.Fail(again), llmtest.Fail(again), llmtest.Say("two"), llmtest.Say("three")), disk.store())
		s.do(society.Send{To: society.Root, Text: "first"})
		time.Sleep(time.Minute)
		s.do(society.Send{To: society.Root, Text: "second"})
		time.Sleep(24 * time.Hour)
		s.do(society.Send{To: society.Root, Text: "another task", NewTask: true})
		time.Sleep(time.Minute)
		made, err := s.r.Do(s.ctx, society.Spawn{Parent: society.Root, Role: "role-root"})
		if err != nil {
			t.Fatal(err)
		}
		s.do(society.Terminate{Agent: made.(society.Spawned).Agent, By: society.User})
		check := func() {
			t.Helper()
			f, err := s.r.Figures(s.ctx)
			if err != nil {
				t.Fatal(err)
			}
			var sum api.Spent
			days, tasks, said := map[string]bool{}, map[society.TaskID]bool{}, map[string]bool{}
			for _, p := range f.Spent {
				sum.Calls, sum.Retries, sum.Usage = sum.Calls+p.Calls, sum.Retries+p.Retries, sum.Usage.Plus(p.Usage)
				days[p.Day], tasks[p.Task] = true, true
				said[f.Tasks[p.Task].Text] = true
			}
			c, err := s.r.Watch().Next(s.ctx)
			if err != nil {
				t.Fatal(err)
			}
			if sum.Calls != 3 || sum.Retries != 2 || len(days) != 2 || len(tasks) != 2 || sum.Usage != c.Usage || c.Usage == (society.Usage{}) {
				t.Errorf("spent %+v on %d days in %d tasks, all agents have used %+v", sum, len(days), len(tasks), c.Usage)
			}
			if len(said) != 2 || !said["first"] || !said["another task"] {
				t.Errorf("the tasks are called %v", said)
			}
			if f.Made != 2 || f.Ended != 1 || f.Messages != 6 || len(f.Roles) != 1 || f.Roles[0].Made != 2 || f.Roles[0].Usage != c.Usage {
				t.Errorf("%+v", f)
			}
		}
		check()
		s.quit()
		s = run(t, newCast(), disk.store())
		check()
	})
}

// A task that begins with an agent of the user's is called what that agent was told.
func TestATaskIsCalledWhatItsAgentWasTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		disk := &memDisk{memdb.New()}
		s := run(t, newCast().plays("root-1", llmtest.Say("one")), disk.store())
		s.do(society.Spawn{Parent: society.Root, Role: "role-root", Text: "dive"})
		time.Sleep(time.Minute)
		f, err := s.r.Figures(s.ctx)
		if err != nil {
			t.Fatal(err)
		}
		for _, task := range f.Tasks {
			if task.Text != "dive" {
				t.Errorf("%+v", task)
			}
		}
		if len(f.Tasks) != 1 {
			t.Errorf("%+v", f.Tasks)
		}
		s.quit()
	})
}

// A delayed message is sent once: when its time has come, and after a restart too.
func TestADelayedMessageCountsOnceAmongTheMessagesSent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		disk := &memDisk{memdb.New()}
		s := run(t, postponing(), disk.store())
		check := func(kept int) {
			t.Helper()
			f, err := s.r.Figures(s.ctx)
			if err != nil {
				t.Fatal(err)
			}
			inbox, err := s.r.Inbox(s.ctx, api.InboxQuery{})
			if err != nil {
				t.Fatal(err)
			}
			came := len(inbox)
			for _, id := range []society.AgentID{society.Root, "worker-1"} {
				for _, e := range s.said(id) {
					if e.Kind == conversation.Inbound {
						came++
					}
				}
			}
			if f.Messages != uint64(came) || s.kept() != kept {
				t.Errorf("%d messages sent, %d came; %d are kept", f.Messages, came, s.kept())
			}
		}
		s.do(society.Send{To: society.Root, Text: "go"})
		time.Sleep(59 * time.Second)
		check(2)
		s.quit()
		s = run(t, newCast(), disk.store())
		check(2)
		time.Sleep(time.Minute)
		check(0)
		s.quit()
	})
}
