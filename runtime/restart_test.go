package runtime_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"os"
	"path/filepath"
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
	"society-tui/runtime/tables"
	"society-tui/runtime/tool"
	"society-tui/storage"
	"society-tui/storage/boltdb"
	"society-tui/storage/memdb"
)

// A disk is what outlives a run of the program.
type disk interface {
	// store is what the run that comes next opens.
	store() storage.Store
	// crash makes the next run find what is there now.
	crash()
	// left makes the next run find what the last one has left.
	left()
}

type memDisk struct{ *memdb.Store }

func (d *memDisk) store() storage.Store { return d.Store }
func (d *memDisk) crash()               { d.Store = d.Clone() }
func (d *memDisk) left()                {}

// A boltDisk is a real file; a crash leaves the pages as they are.
type boltDisk struct {
	t    *testing.T
	path string
	open *boltdb.Store
}

func (d *boltDisk) store() storage.Store {
	if d.open == nil {
		var err error
		if d.open, err = boltdb.Open(d.path); err != nil {
			d.t.Fatal(err)
		}
		d.t.Cleanup(func() { _ = d.open.Close() })
	}
	return d.open
}

func (d *boltDisk) crash() {
	d.t.Cleanup(func(s *boltdb.Store) func() { return func() { _ = s.Close() } }(d.open))
	copied := d.path + "+"
	from, err := os.Open(d.path)
	if err != nil {
		d.t.Fatal(err)
	}
	defer from.Close()
	to, err := os.OpenFile(copied, os.O_WRONLY|os.O_CREATE, 0o600)
	if err != nil {
		d.t.Fatal(err)
	}
	defer to.Close()
	if _, err := io.Copy(to, from); err != nil {
		d.t.Fatal(err)
	}
	d.path, d.open = copied, nil
}

func (d *boltDisk) left() {
	if err := d.open.Close(); err != nil {
		d.t.Fatal(err)
	}
	d.open = nil
}

// A revival is a state in which a program ends, and what the next one makes of it.
type revival struct {
	name   string
	change func(*runtime.Config)
	play   func(t *testing.T, c *cast) // the answers of the first run
	reach  func(s *stage)              // the verbs that lead to the state

	who    society.AgentID
	during society.Status // when the program crashes
	// leftAs is the state that a program leaves behind which has time to leave, if
	// it is another.
	leftAs society.Status

	want    society.Status // after the start; "" when it is gone
	paused  society.Pause
	waiting int
	asked   int                  // how often its model is asked by the next run
	ran     int                  // how often its tool has run in both
	outcome conversation.Outcome // the result of its last call
	epochs  uint64               // by how much its epoch has grown
	later   func(t *testing.T, s *stage)
}

// working has root ask one worker, which does what the answers say.
func working(answers ...llmtest.Answer) func(*testing.T, *cast) {
	return func(_ *testing.T, c *cast) {
		c.plays("root", spawning(1), llmtest.Say("asked")).plays("worker-1", answers...)
	}
}

var busyNow = llmtest.Fail(&llm.Error{Class: llm.Overload, Status: 503, Text: "busy"})

func panics(context.Context, llm.Request) iter.Seq2[llm.Chunk, error] { panic("broken") }

func stubbornly(ctx context.Context, _ llm.Request) iter.Seq2[llm.Chunk, error] {
	return func(yield func(llm.Chunk, error) bool) {
		<-ctx.Done()
		time.Sleep(time.Second)
		yield(llm.Chunk{}, ctx.Err())
	}
}

// inFlight gives a command whose end is not waited for.
func (s *stage) inFlight(cmd society.Command) {
	go func() { _, _ = s.r.Do(s.ctx, cmd) }()
	time.Sleep(time.Millisecond)
}

var revivals = []revival{
	{
		name: "stopped", play: working(llmtest.Hang()), reach: func(s *stage) { s.do(society.Stop{Agent: "worker-1"}) },
		who: "worker-1", during: society.Stopped, want: society.Stopped,
	},
	{
		name: "stopping", play: working(stubbornly), reach: func(s *stage) { s.inFlight(society.Stop{Agent: "worker-1"}) },
		who: "worker-1", during: society.Stopping, leftAs: society.Stopped, want: society.Stopped,
	},
	{
		name: "terminating", play: working(stubbornly),
		reach: func(s *stage) { s.inFlight(society.Terminate{Agent: "worker-1", By: society.User}) },
		who:   "worker-1", during: society.Terminating, leftAs: "gone", later: nothingIsLeft,
	},
	{
		name: "draining", who: "worker-1", during: society.WaitingLLM, later: nothingIsLeft,
		play: func(_ *testing.T, c *cast) {
			c.plays("root", spawning(1), llmtest.CallTools(call("terminate_agent", object{"agentId": "worker-1"})))
			c.plays("worker-1", llmtest.Hang())
		},
		reach: func(s *stage) { s.do(society.Send{To: society.Root, Text: "end it"}) },
	},
	{
		name: "waiting for the end of a drain", who: society.Root, during: society.Processing, want: society.WaitingLLM,
		play: func(_ *testing.T, c *cast) {
			c.plays("root", spawning(1), llmtest.CallTools(call("terminate_agent", object{"agentId": "worker-1"})))
			c.plays("worker-1", llmtest.Hang())
		},
		asked: 1, outcome: conversation.OK, epochs: 1, later: theCallSaysWhatWasCutOff,
	},
	{
		name: "interrupted, with a message that waits", who: "worker-1", during: society.Idle, want: society.Idle,
		play: working(llmtest.HangAfter("well")),
		reach: func(s *stage) {
			s.do(society.Send{To: "worker-1", Text: "and then?"})
			s.do(society.Interrupt{Agent: "worker-1"})
		},
		paused: society.Interrupted, waiting: 1,
	},
	{
		name: "quarantined", play: working(panics, panics, panics), reach: func(*stage) { time.Sleep(time.Minute) },
		who: "worker-1", during: society.Idle, want: society.Idle, paused: society.Quarantined,
	},
	{
		name: "held by the guard of messages", who: society.Root, during: society.Idle, want: society.Idle,
		change: func(c *runtime.Config) { c.Limits.TaskMessages = 1 },
		play: func(_ *testing.T, c *cast) {
			c.plays("root", spawning(1), llmtest.CallTools(call("send_message", object{"to": "worker-1", "payload": "more"})), llmtest.Say("well"))
			c.plays("worker-1", llmtest.Hang())
		},
		paused: society.MessageGuard, outcome: conversation.Failed,
	},
	{
		name: "waiting_llm", play: working(llmtest.HangAfter("I begin")),
		who: "worker-1", during: society.WaitingLLM, want: society.WaitingLLM, asked: 1, epochs: 1,
	},
	{
		name: "waiting_llm, with a message that waits", play: working(llmtest.Hang()),
		reach: func(s *stage) { s.do(society.Send{To: "worker-1", Text: "and then?"}) },
		who:   "worker-1", during: society.WaitingLLM, want: society.WaitingLLM, asked: 1, epochs: 1, waiting: 1,
	},
	{
		name: "processing with a tool that reads", play: working(llmtest.CallTools(call("look", object{}))),
		who: "worker-1", during: society.Processing, want: society.Processing, ran: 2, epochs: 1,
	},
	{
		name: "processing with a tool that writes", play: working(llmtest.CallTools(call("write", object{}))),
		who: "worker-1", during: society.Processing, want: society.WaitingLLM,
		ran: 1, asked: 1, epochs: 1, outcome: conversation.Unknown,
	},
	{
		name: "waiting to try again", play: working(busyNow),
		who: "worker-1", during: society.WaitingLLM, want: society.WaitingLLM, asked: 1, epochs: 1,
	},
	{
		name: "waiting for a slot", who: "worker-2", during: society.WaitingLLM, want: society.WaitingLLM, epochs: 1,
		change: func(c *runtime.Config) { c.ModelCalls = 1 },
		play: func(t *testing.T, c *cast) {
			c.plays("root", spawning(2), llmtest.Say("asked")).plays("worker-1", llmtest.Hang()).plays("worker-2", llmtest.Hang())
		},
		later: allButOneWaitForASlot,
	},
}

var how = map[bool]string{true: ", after a crash", false: ", after leaving"}

// SPEC.md, decision 9: every state after the program has left in order, and after a
// crash: in memory and on a real disk.
func TestEveryStateOutlivesLeavingAndCrashing(t *testing.T) {
	for _, row := range revivals {
		for _, crashes := range []bool{true, false} {
			for _, real := range []bool{false, true} {
				name := row.name + how[crashes] + map[bool]string{true: ", on disk"}[real]
				t.Run(name, func(t *testing.T) {
					path := filepath.Join(t.TempDir(), "society.db")
					synctest.Test(t, func(t *testing.T) {
						var d disk = &memDisk{memdb.New()}
						if real {
							d = &boltDisk{t: t, path: path}
						}
						row.lives(t, d, crashes)
					})
				})
			}
		}
	}
}

// A rig is what one run of the program stands on: who answers, and the tools.
type rig struct {
	hands *hands
	cast  *cast
}

func newRig() rig {
	return rig{hands: &hands{gates: map[string]chan llmtest.Answer{}, began: map[string]int{}}, cast: newCast()}
}

// config gives a run the tools that hang until they are told to end.
func (r rig) config(c *runtime.Config) {
	c.Limits = society.DefaultLimits()
	c.Tools = []tool.Tool{gated{r.hands, "look", tool.ClassRead}, gated{r.hands, "write", tool.ClassOwn}}
}

func (r rig) ran() int {
	n := 0
	for _, times := range r.hands.count() {
		n += times
	}
	return n
}

// config is what the row changes in both runs.
func (row revival) config(c *runtime.Config) {
	if row.change != nil {
		row.change(c)
	}
}

// reached starts a society and leads it to the state.
func (row revival) reached(t *testing.T, d disk) (*stage, rig) {
	t.Helper()
	first := newRig()
	row.play(t, first.cast)
	s := run(t, first.cast, d.store(), first.config, row.config)
	s.do(society.Send{To: society.Root, Text: "go"})
	time.Sleep(100 * time.Millisecond)
	if row.reach != nil {
		row.reach(s)
	}
	synctest.Wait()
	return s, first
}

// end ends a run of the program: by a crash, without notice, or with time to leave.
func (row revival) end(t *testing.T, s *stage, d disk, crashes bool) {
	t.Helper()
	if crashes {
		d.crash()
		s.r.Force()
		s.quit()
		return
	}
	s.quit()
	d.left()
}

func (row revival) lives(t *testing.T, d disk, crashes bool) {
	s, first := row.reached(t, d)
	if a := onDisk(t, d.store(), row.who); a == nil || a.Status != row.during {
		t.Fatalf("%s is not %s yet: %+v", row.who, row.during, a)
	}
	row.end(t, s, d, crashes)
	before := onDisk(t, d.store(), row.who)
	row.checkLeft(t, before, crashes)

	second := newRig()
	for _, who := range []string{"root", "worker-1", "worker-2"} {
		second.cast.plays(who, llmtest.Hang())
	}
	again := run(t, second.cast, d.store(), second.config, row.config)
	time.Sleep(2 * time.Second)
	row.checkRevived(t, again, before, second, first.ran()+second.ran())
	if row.later != nil {
		row.later(t, again)
	}
}

// checkLeft holds what the first run has left behind.
func (row revival) checkLeft(t *testing.T, a *society.Agent, crashes bool) {
	t.Helper()
	want := row.during
	if !crashes && row.leftAs != "" {
		want = row.leftAs
	}
	got := society.Status("gone")
	if a != nil {
		got = a.Status
	}
	if got != want {
		t.Fatalf("%s was left %s, not %s", row.who, got, want)
	}
}

func (row revival) checkRevived(t *testing.T, s *stage, before *society.Agent, second rig, ran int) {
	t.Helper()
	after := onDisk(t, s.store, row.who)
	if row.want == "" {
		if after != nil {
			t.Fatalf("%s is there again: %+v", row.who, after)
		}
		if _, err := s.r.Do(s.ctx, society.Send{To: row.who, Text: "are you there?"}); !refusedAs(err, society.AgentNotFound) {
			t.Fatalf("a message to it came to %v", err)
		}
		return
	}
	if after == nil || after.Status != row.want || after.Paused != row.paused || len(after.Mailbox) != row.waiting {
		t.Fatalf("%s is %+v", row.who, after)
	}
	if after.Epoch != before.Epoch+row.epochs {
		t.Errorf("its epoch was %d and is %d", before.Epoch, after.Epoch)
	}
	if n := second.cast.asked(string(row.who)); n != row.asked && row.later == nil {
		t.Errorf("it was asked %d times, not %d", n, row.asked)
	}
	if ran != row.ran {
		t.Errorf("its tool ran %d times, not %d", ran, row.ran)
	}
	if row.outcome != "" {
		if e := lastResult(s.said(row.who)); e.Outcome != row.outcome {
			t.Errorf("its call came to %q: %s", e.Outcome, e.Text)
		}
	}
	lateResultsDoNotCount(t, s, before, after)
}

// lateResultsDoNotCount brings what the run before was waiting for.
func lateResultsDoNotCount(t *testing.T, s *stage, before, after *society.Agent) {
	t.Helper()
	for _, step := range before.Open {
		if before.Epoch == after.Epoch {
			continue // it is still being waited for
		}
		w := society.WorkItem{Agent: before.ID, Epoch: before.Epoch, Step: step.N}
		for _, cmd := range []society.Command{
			society.Answered{Work: society.Think{WorkItem: w}, Text: "late"},
			society.ToolDone{Work: society.Act{WorkItem: w}, Text: "late"},
			society.TimerFired{Work: society.Wait{WorkItem: w}},
		} {
			if _, err := s.r.Do(s.ctx, cmd); !errors.Is(err, society.ErrStale) {
				t.Errorf("a late %T came to %v", cmd, err)
			}
		}
	}
	for _, e := range s.said(before.ID) {
		if e.Text == "late" {
			t.Errorf("what came late is in the conversation: %+v", e)
		}
	}
}

// onDisk reads an agent as it is stored, nil if it is not.
func onDisk(t *testing.T, store storage.Store, id society.AgentID) *society.Agent {
	t.Helper()
	var found *society.Agent
	err := store.View(func(tx storage.Tx) error {
		records, err := tables.Load(tx)
		for _, a := range records.Agents {
			if a.ID == id {
				found = a
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func lastResult(entries []conversation.Entry) conversation.Entry {
	for _, e := range slices.Backward(entries) {
		if e.Kind == conversation.Result {
			return e
		}
	}
	return conversation.Entry{}
}

// nothingIsLeft checks that of worker-1 only the tombstone stays (S001 P15).
func nothingIsLeft(t *testing.T, s *stage) {
	t.Helper()
	err := s.store.View(func(tx storage.Tx) error {
		for _, bucket := range []string{"agents", "said", "mail", "contacts", "briefs", "erase"} {
			for key := range tx.Range(bucket, nil, nil) {
				if strings.Contains(string(key), "worker-1") {
					t.Errorf("%s still holds %q", bucket, key)
				}
			}
		}
		if v, err := tx.Get("tombs", []byte("worker-1")); err != nil || v == nil {
			t.Errorf("there is no tombstone (%v)", err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// theCallSaysWhatWasCutOff checks that the parent's terminate_agent is answered by the
// start that has finished the drain.
func theCallSaysWhatWasCutOff(t *testing.T, s *stage) {
	t.Helper()
	var got society.TerminateResult
	if err := json.Unmarshal([]byte(lastResult(s.said(society.Root)).Text), &got); err != nil {
		t.Fatal(err)
	}
	if !got.OK || !got.Terminated || got.TerminatedAgentID != "worker-1" || got.CutOff != 1 {
		t.Errorf("the call was answered %+v", got)
	}
}

func allButOneWaitForASlot(t *testing.T, s *stage) {
	t.Helper()
	thinking, queued := 0, 0
	for _, row := range s.rows() {
		if row.State == society.WaitingLLM {
			thinking++
		}
		if row.Queued {
			queued++
		}
	}
	if n := s.model.Running(); n != 1 || queued == 0 || queued != thinking-1 {
		t.Errorf("of %d agents that think, %d are answered and %d wait for a slot", thinking, n, queued)
	}
}

// --paused: whatever an agent was at, it is asked nothing and runs nothing until
// it is resumed; then it goes on.
func TestEveryStateIsPausedByAPausedStart(t *testing.T) {
	for _, row := range revivals {
		for _, crashes := range []bool{true, false} {
			t.Run(row.name+how[crashes], func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					d := &memDisk{memdb.New()}
					s, first := row.reached(t, d)
					row.end(t, s, d, crashes)
					ran := first.ran()
					second := newRig()
					again := run(t, second.cast, d.store(), second.config, func(c *runtime.Config) { c.Paused = true })
					time.Sleep(time.Hour)
					for id, row := range again.rows() {
						if row.State != society.Stopped && (row.State != society.Idle || row.Paused == "") {
							t.Errorf("%s is %s, paused %q", id, row.State, row.Paused)
						}
					}
					if n := len(again.model.Requests()); n != 0 || first.ran()+second.ran() != ran {
						t.Errorf("%d requests and %d tools were begun", n, second.ran())
					}
					again.do(society.Resume{Agent: society.Root})
					time.Sleep(time.Hour)
					for id, row := range again.rows() {
						if row.State != society.Idle || row.Waiting > 0 {
							t.Errorf("after the resume %s is %s with %d waiting", id, row.State, row.Waiting)
						}
					}
				})
			})
		}
	}
}

// What a leaving program does not begin any more it does not call unknown: a tool
// that writes, called by an answer that came while leaving, runs in the next run,
// once.
func TestACallThatLeavingKeptFromBeginningRunsAtTheNextStart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := memdb.New()
		first, second := newRig(), newRig()
		first.cast.plays("root", llmtest.When(delay(t, time.Second), llmtest.CallTools(call("write", object{}))))
		s := run(t, first.cast, store, first.config)
		s.do(society.Send{To: society.Root, Text: "go"})
		s.quit() // the answer comes meanwhile
		again := run(t, second.cast, store, second.config)
		time.Sleep(time.Second)
		if first.ran() != 0 || second.ran() != 1 {
			t.Fatalf("the tool ran %d times before and %d times after the restart", first.ran(), second.ran())
		}
		for id := range second.hands.count() {
			second.hands.end(id, nil)
		}
		time.Sleep(time.Second)
		if e := lastResult(again.said(society.Root)); e.Outcome != conversation.OK || e.Text != "done" {
			t.Fatalf("the call came to %+v", e)
		}
	})
}

// The same call is "not run", and not of unknown effect, when it is aborted before
// it has begun: by a start with --paused, and by a stop.
func TestACallThatLeavingKeptFromBeginningIsAbortedAsNotRun(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := memdb.New()
		first, second := newRig(), newRig()
		first.cast.plays("root", llmtest.When(delay(t, time.Second), llmtest.CallTools(call("write", object{}))))
		s := run(t, first.cast, store, first.config)
		s.do(society.Send{To: society.Root, Text: "go"})
		s.quit()
		again := run(t, second.cast, store, second.config, func(c *runtime.Config) { c.Paused = true })
		time.Sleep(time.Second)
		if e := lastResult(again.said(society.Root)); e.Outcome != conversation.NotRun || second.ran() != 0 {
			t.Fatalf("the call came to %q and ran %d times", e.Outcome, second.ran())
		}
	})
}

func TestStartReportCountsAgentsByState(t *testing.T) {
	for name, row := range map[string]struct {
		verb society.Command
		want api.StartReport
	}{
		"at work": {nil, api.StartReport{AtWork: 1}},
		"paused":  {society.Interrupt{Agent: society.Root}, api.StartReport{Paused: 1}},
		"stopped": {society.Stop{Agent: society.Root}, api.StartReport{Stopped: 1}},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				disk := &memDisk{memdb.New()}
				s := run(t, newCast().plays("root", llmtest.Hang()), disk.store())
				if got := s.r.StartReport(); got != (api.StartReport{}) {
					t.Errorf("a new society had %+v", got)
				}
				s.do(society.Send{To: society.Root, Text: "go"})
				time.Sleep(time.Second)
				if row.verb != nil {
					s.do(row.verb)
				}
				disk.crash()
				s.r.Force()
				s.quit()
				if got := run(t, newCast(), disk.store()).r.StartReport(); got != row.want {
					t.Errorf("found were %+v, want %+v", got, row.want)
				}
			})
		})
	}
}
