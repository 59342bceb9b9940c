package runtime_test

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"society-tui/llm"
	"society-tui/llm/llmtest"
	"society-tui/runtime"
	"society-tui/runtime/api"
	"society-tui/runtime/approval"
	"society-tui/runtime/conversation"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/runtime/tool"
	"society-tui/storage/memdb"
)

// A desk has files that agents edit, after the user's yes: each with a content that its
// plans have read.
type desk struct {
	mu      sync.Mutex
	files   map[string]string
	edits   []string // paths, in order
	planned int
}

func newDesk() *desk { return &desk{files: map[string]string{}} }

func (d *desk) Spec(protocol.Lang) tool.Spec {
	return tool.Spec{Name: "edit", Purpose: "Edit a file.", Class: tool.ClassEdit, Group: tool.Read, Parameters: []tool.Property{
		tool.Must("path", tool.Text("")), tool.May("text", tool.Text("")),
	}}
}

func (d *desk) arguments(args json.RawMessage) (path, text string) {
	var a struct{ Path, Text string }
	if err := json.Unmarshal(args, &a); err != nil {
		panic(err)
	}
	return a.Path, a.Text
}

func (d *desk) Plan(_ context.Context, _ tool.Caller, args json.RawMessage) (tool.Plan, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.planned++
	path, text := d.arguments(args)
	if path == "missing" {
		return tool.Plan{}, tool.Refused(`{"error":"not_found"}`)
	}
	return tool.Plan{
		Paths: []tool.Path{{Name: path, Protected: strings.HasPrefix(path, ".git/")}}, Summary: path + " +1 −0",
		Preview: "+" + text + "\n", Hashes: map[string]string{path: d.files[path]},
	}, nil
}

func (d *desk) Call(_ context.Context, by tool.Caller, args json.RawMessage) (tool.Result, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	path, text := d.arguments(args)
	if by.Hashes[path] != d.files[path] {
		return tool.Result{Text: `{"error":"stale"}`, Failed: true}, nil
	}
	d.files[path] = text
	d.edits = append(d.edits, path)
	return tool.Result{Text: "done"}, nil
}

func (d *desk) edited() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.edits)
}

func (d *desk) change(path, text string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.files[path] = text
}

// in lets agents of a society use the desk; mode is that of the society, "" for the default.
func (d *desk) in(mode approval.Mode) func(*runtime.Config) {
	return func(c *runtime.Config) {
		c.Tools, c.Approvals.Mode = append(c.Tools, d), mode
		c.Limits = society.DefaultLimits()
		c.Limits.Children, c.Limits.SpawnsPerMinute, c.Limits.CallsPerAnswer = 100, 100, 100
	}
}

func edits(path, text string) llm.Call { return call("edit", object{"path": path, "text": text}) }

// editing are n workers who each edit a file of their own, and root, who made them.
func editing(n int) *cast {
	c := newCast().plays("root", spawning(n))
	for i := range n {
		c.plays(fmt.Sprintf("worker-%d", i+1), llmtest.CallTools(edits(fmt.Sprintf("file-%d.go", i+1), "new")))
	}
	return c
}

// waiting returns the requests that wait.
func (s *stage) waiting() []api.Approval {
	s.t.Helper()
	time.Sleep(time.Second) // the loop waits a little for more commands
	list, err := s.r.Approvals(s.ctx)
	if err != nil {
		s.t.Fatal(err)
	}
	return list
}

func (s *stage) answer(a society.ApprovalAnswer, ids ...uint64) society.ApprovalsAnswered {
	s.t.Helper()
	return s.do(society.AnswerApproval{IDs: ids, Answer: a, Reason: "not now"}).(society.ApprovalsAnswered)
}

func TestACallWaitsForTheUsersYesAndHasThePlansHashes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk()
		s := run(t, newCast().plays("root", llmtest.CallTools(edits("a.go", "new"), edits("a.go", "newer"))), memdb.New(), d.in(""))
		s.do(society.Send{To: society.Root, Text: "go"})
		list := s.waiting()
		if len(list) != 1 || len(d.edited()) != 0 {
			t.Fatalf("%d requests wait, %v was edited", len(list), d.edited())
		}
		a := list[0]
		if a.Agent != society.Root || a.Request.Tool != "edit" || a.Summary != "a.go +1 −0" || a.Preview != "+new\n" || a.Mode != approval.AskFirst {
			t.Fatalf("the request is %+v", a)
		}
		if row := s.rows()[society.Root]; row.Approvals != 1 || row.Tool != "" || row.Mode != approval.AskFirst {
			t.Fatalf("root's row is %+v", row)
		}
		if tasks, err := s.r.Tasks(s.ctx); err != nil || tasks[0].State != society.TaskAsks {
			t.Fatalf("the task is %+v (%v)", tasks, err)
		}
		if got := s.answer(society.AllowOnce, a.ID); !slices.Equal(got.Allowed, []uint64{a.ID}) {
			t.Fatalf("the yes was answered with %+v", got)
		}
		list = s.waiting()
		if !slices.Equal(d.edited(), []string{"a.go"}) || len(list) != 1 || list[0].ID == a.ID {
			t.Fatalf("after the yes %v was edited, and %+v waits", d.edited(), list)
		}
		d.change("a.go", "by somebody else")
		s.answer(society.AllowOnce, list[0].ID)
		time.Sleep(time.Second)
		if e := lastResult(s.said(society.Root)); e.Outcome != conversation.Failed || !strings.Contains(e.Text, "stale") || len(d.edited()) != 1 {
			t.Fatalf("a call whose file had changed came to %q, %v was edited", e.Text, d.edited())
		}
		if got := s.answer(society.AllowOnce, a.ID, list[0].ID); len(got.Gone) != 2 {
			t.Fatalf("a second answer was answered with %+v", got)
		}
	})
}

// Fifty agents ask at once: there are fifty rows in the order of asking, the others go on
// as before, and one rule answers its group in one command.
func TestFiftyAgentsThatAskDelayNobodyAndOneRuleAnswersTheirGroup(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk()
		c := editing(50)
		c.plays("root", llmtest.Say("I asked fifty."), llmtest.Say("I still answer."))
		c.plays("worker-7", llmtest.Say("seven is done"))
		s := run(t, c, memdb.New(), d.in(""))
		s.do(society.Send{To: society.Root, Text: "go"})
		list := s.waiting()
		if len(list) != 50 {
			t.Fatalf("%d requests wait", len(list))
		}
		for i, a := range list {
			if i > 0 && (a.ID <= list[i-1].ID || a.At.Before(list[i-1].At)) {
				t.Fatalf("request %d comes after %d", a.ID, list[i-1].ID)
			}
		}
		asked := time.Now()
		s.do(society.Send{To: society.Root, Text: "are you there?"})
		time.Sleep(10 * time.Millisecond)
		inbox := s.inbox()
		if took := time.Since(asked); took > 10*time.Millisecond || inbox[len(inbox)-1].Body != "I still answer." {
			t.Fatalf("root answered %+v after %s", inbox, took)
		}
		if n := len(s.waiting()); n != 50 {
			t.Fatalf("%d requests wait after root's turn", n)
		}
		shown := slices.IndexFunc(list, func(a api.Approval) bool { return a.Summary == "file-10.go +1 −0" })
		got := s.do(society.AnswerApproval{
			IDs: []uint64{list[shown].ID}, Answer: society.AnswerByRule,
			Rule: &approval.Rule{Tool: "edit", Path: "file-[1-4]*.go", Do: approval.Allow},
		}).(society.ApprovalsAnswered)
		left := s.waiting()
		if len(got.Allowed) != 44 || got.Rule == 0 || len(left) != 6 || len(d.edited()) != 44 {
			t.Fatalf("the rule answered %d, %d wait, %d were edited", len(got.Allowed), len(left), len(d.edited()))
		}
	})
}

func TestADenialTouchesOneOfSeven(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk()
		s := run(t, editing(7), memdb.New(), d.in(""))
		s.do(society.Send{To: society.Root, Text: "go"})
		list := s.waiting()
		denied := list[3]
		s.answer(society.DenyCall, denied.ID)
		if left := s.waiting(); len(left) != 6 || len(d.edited()) != 0 {
			t.Fatalf("after the denial %d wait, %v was edited", len(left), d.edited())
		}
		if e := lastResult(s.said(denied.Agent)); e.Outcome != conversation.Failed || !strings.Contains(e.Text, `"error":"denied"`) || !strings.Contains(e.Text, "not now") {
			t.Fatalf("the denied call came to %q", e.Text)
		}
		for _, a := range s.waiting() {
			s.answer(society.AllowOnce, a.ID)
		}
		time.Sleep(time.Second)
		if got := d.edited(); len(got) != 6 || slices.Contains(got, denied.Request.Paths[0].Name) {
			t.Fatalf("%v were edited, the denied one is %s", got, denied.Request.Paths[0].Name)
		}
	})
}

// A program that is killed with twenty requests has the same twenty when it starts again,
// and the answers to them count.
func TestAKillWithTwentyWaitingLeavesTheSameTwenty(t *testing.T) {
	for _, paused := range []bool{false, true} {
		t.Run(fmt.Sprintf("paused %t", paused), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := newDesk()
				disk := &memDisk{memdb.New()}
				s := run(t, editing(20), disk.store(), d.in(""))
				s.do(society.Send{To: society.Root, Text: "go"})
				before := s.waiting()
				disk.crash()
				s.quit()
				again := run(t, newCast(), disk.store(), d.in(""), func(c *runtime.Config) { c.Paused = paused })
				after := again.waiting()
				if len(before) != 20 || fmt.Sprint(before) != fmt.Sprint(after) {
					t.Fatalf("before the kill there were\n%+v\nafter it\n%+v", before, after)
				}
				for _, a := range after[:10] {
					again.answer(society.AllowOnce, a.ID)
				}
				time.Sleep(time.Second)
				if paused {
					if got := d.edited(); len(got) != 0 {
						t.Fatalf("paused agents edited %v", got)
					}
					again.do(society.Resume{Agent: society.Root})
					time.Sleep(time.Second)
				}
				if left, got := again.waiting(), d.edited(); len(left) != 10 || len(got) != 10 {
					t.Fatalf("%d wait, %v were edited", len(left), got)
				}
			})
		})
	}
}

// The user says yes and stops the agent: whichever the loop takes first, nothing has run if
// both came together.
func TestAYesAndAStopTogetherRunNothing(t *testing.T) {
	for _, yesFirst := range []bool{true, false} {
		t.Run(fmt.Sprintf("yes first %t", yesFirst), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := newDesk()
				s := run(t, editing(3), memdb.New(), d.in(""))
				s.do(society.Send{To: society.Root, Text: "go"})
				var ids []uint64
				for _, a := range s.waiting() {
					ids = append(ids, a.ID)
				}
				yes, stop := society.Command(society.AnswerApproval{IDs: ids, Answer: society.AllowOnce}), society.Command(society.Stop{Agent: society.Root})
				commands := []society.Command{yes, stop}
				if !yesFirst {
					slices.Reverse(commands)
				}
				together(t, s, commands...)
				time.Sleep(time.Minute)
				if got := d.edited(); len(got) != 0 {
					t.Fatalf("%v were edited", got)
				}
				if left := s.waiting(); len(left) != 0 {
					t.Fatalf("%+v wait for stopped agents", left)
				}
			})
		})
	}
}

// together lets the loop take commands as one batch, in their order.
func together(t *testing.T, s *stage, commands ...society.Command) {
	t.Helper()
	release := s.r.HoldLoop()
	var all sync.WaitGroup
	for _, cmd := range commands {
		all.Go(func() {
			if _, err := s.r.Do(s.ctx, cmd); err != nil {
				t.Errorf("%T: %v", cmd, err)
			}
		})
		synctest.Wait() // so that they wait in their order
	}
	release()
	all.Wait()
}

// With nobody there to answer, what a child asks is denied at once, is told to who watches,
// and the task ends.
func TestAChildThatAsksNobodyIsDeniedAndTheTaskEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk()
		s := run(t, editing(1), memdb.New(), d.in(""), func(c *runtime.Config) { c.Approvals.Nobody = true })
		w := s.r.Watch()
		defer w.Close()
		if _, err := w.Next(s.ctx); err != nil {
			t.Fatal(err)
		}
		s.do(society.Send{To: society.Root, Text: "go"})
		if list := s.waiting(); len(list) != 0 || len(d.edited()) != 0 {
			t.Fatalf("%+v wait, %v was edited", list, d.edited())
		}
		c, err := w.Next(s.ctx)
		if err != nil || len(c.Ended) != 1 || c.Ended[0].Agent != "worker-1" || c.Ended[0].Outcome != society.Denied || c.Ended[0].Summary != "file-1.go +1 −0" {
			t.Fatalf("watchers were told %+v (%v)", c.Ended, err)
		}
		if tasks, err := s.r.Tasks(s.ctx); err != nil || tasks[0].State != society.TaskSettled {
			t.Fatalf("the task is %+v (%v)", tasks, err)
		}
	})
}

// In every mode that allows edits a protected path asks, and no rule answers for it.
func TestAChangeOfAProtectedPathAsksInEveryMode(t *testing.T) {
	for _, mode := range []approval.Mode{approval.AskFirst, approval.Edits, approval.All} {
		synctest.Test(t, func(t *testing.T) {
			d := newDesk()
			s := run(t, newCast().plays("root", llmtest.CallTools(edits("a.go", "new"), edits(".git/hooks/x", "rm -rf"))), memdb.New(), d.in(mode),
				func(c *runtime.Config) {
					c.Approvals.Rules = []approval.Rule{{Tool: "edit", Do: approval.Allow, Origin: "a test"}}
				})
			s.do(society.Send{To: society.Root, Text: "go"})
			if list := s.waiting(); len(list) != 1 || !list[0].Protected || list[0].Request.Paths[0].Name != ".git/hooks/x" || !slices.Equal(d.edited(), []string{"a.go"}) {
				t.Fatalf("in mode %s %+v waits, %v was edited", mode, list, d.edited())
			}
		})
	}
}

// A watcher hears of each request and of its end, also one that looks seldom.
func TestWatchersHearOfRequestsAndTheirEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk()
		s := run(t, editing(4), memdb.New(), d.in(""))
		w := s.r.Watch()
		defer w.Close()
		known := map[uint64]api.Approval{}
		var ends []api.ApprovalEnd
		look := func() {
			t.Helper()
			time.Sleep(time.Second)
			for range 3 { // what was told already, and what came behind it
				ctx, cancel := context.WithTimeout(s.ctx, time.Millisecond)
				c, err := w.Next(ctx)
				cancel()
				if err != nil {
					return
				}
				if c.All {
					clear(known)
				}
				for _, a := range c.Approvals {
					known[a.ID] = a
				}
				for _, e := range c.Ended {
					delete(known, e.ID)
				}
				ends = append(ends, c.Ended...)
			}
		}
		look()
		s.do(society.Send{To: society.Root, Text: "go"})
		look()
		if len(known) != 4 {
			t.Fatalf("the watcher knows %+v", known)
		}
		ids := slices.Sorted(maps.Keys(known))
		s.answer(society.AllowOnce, ids[0])
		s.answer(society.DenyCall, ids[1])
		s.do(society.Stop{Agent: known[ids[2]].Agent})
		look()
		var outcomes []society.ApprovalOutcome
		for _, e := range ends {
			outcomes = append(outcomes, e.Outcome)
		}
		if want := []society.ApprovalOutcome{society.Allowed, society.Denied, society.Withdrawn}; !slices.Equal(outcomes, want) || len(known) != 1 {
			t.Fatalf("the watcher heard %+v and knows %+v", ends, known)
		}
		if ends[2].Why != society.ByStop || ends[1].Reason != "not now" {
			t.Fatalf("the ends are %+v", ends)
		}
	})
}

// The user's answer for the workspace holds at once, also for calls that wait, and is no mode
// of the society: in another folder it would hold, too.
func TestTheAnswerForAFolderDecidesWhatWaitsAndIsNoModeOfTheSociety(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDesk()
		s := run(t, newCast().plays("root", llmtest.CallTools(edits("a.go", "new"))), memdb.New(), d.in(approval.AskFirst))
		s.do(society.Send{To: society.Root, Text: "go"})
		if list := s.waiting(); len(list) != 1 {
			t.Fatalf("%d requests wait, want 1", len(list))
		}
		if err := s.r.AllowInFolder(s.ctx, approval.Edits); err != nil {
			t.Fatal(err)
		}
		if left := s.waiting(); len(left) != 0 || len(d.edited()) != 1 {
			t.Errorf("%d requests wait, %v was edited", len(left), d.edited())
		}
		if p, err := s.r.Policy(s.ctx); err != nil || p.Mode != approval.Edits || len(p.Modes) != 0 || p.From != approval.FromFolder {
			t.Errorf("the policy is %+v, %v", p, err)
		}
	})
}

// A society that was let do more in another folder asks in a new one; one that was let do less
// goes on so.
func TestAModeOfAnotherFolderDoesNotHoldInANewOne(t *testing.T) {
	for chosen, want := range map[approval.Mode]approval.Mode{
		"": approval.AskFirst, approval.ReadOnly: approval.ReadOnly, approval.AskFirst: approval.AskFirst, approval.Edits: approval.AskFirst, approval.All: approval.AskFirst,
	} {
		synctest.Test(t, func(t *testing.T) {
			store := memdb.New()
			before := run(t, newCast(), store, newDesk().in(approval.Edits))
			before.do(society.SetMode{Mode: chosen})
			before.quit()
			after := run(t, newCast(), store, newDesk().in(approval.AskFirst), func(c *runtime.Config) { c.NewFolder = true })
			if p, err := after.r.Policy(after.ctx); err != nil || p.Mode != want {
				t.Errorf("after %q the mode in a new folder is %q, %v, want %q", chosen, p.Mode, err, want)
			}
		})
	}
}

// A runner is a desk whose edits are runs of commands.
type runner struct{ *desk }

func (r runner) Spec(lang protocol.Lang) tool.Spec {
	spec := r.desk.Spec(lang)
	spec.Class = tool.ClassRun
	return spec
}

// Until the sandbox is known to hold whole, commands are asked for that are free in it.
func TestCommandsAreFreeOnlyOnceTheSandboxIsKnownToHold(t *testing.T) {
	for _, state := range []api.SandboxState{api.SandboxWhole, api.SandboxPartial, api.SandboxNone} {
		synctest.Test(t, func(t *testing.T) {
			d, found := newDesk(), make(chan api.Sandbox)
			c := newCast().plays("root", llmtest.CallTools(edits("before", "x")), llmtest.CallTools(edits("after", "x")))
			s := run(t, c, memdb.New(), d.in(approval.Edits), func(cfg *runtime.Config) {
				cfg.Tools, cfg.Approvals.FreeInSandbox = []tool.Tool{runner{d}}, true
				cfg.Sandbox = func(context.Context) api.Sandbox { return <-found }
			})
			s.do(society.Send{To: society.Root, Text: "go"})
			asked := s.waiting()
			if len(asked) != 1 || len(d.edited()) != 0 {
				t.Fatalf("before the sandbox is known %d commands are asked for, %v ran", len(asked), d.edited())
			}
			found <- api.Sandbox{State: state}
			synctest.Wait()
			s.answer(society.AllowOnce, asked[0].ID)
			asked = s.waiting()
			if free := len(asked) == 0 && len(d.edited()) == 2; free != (state == api.SandboxWhole) {
				t.Errorf("with the sandbox %q %d commands are asked for, %v ran", state, len(asked), d.edited())
			}
		})
	}
}
