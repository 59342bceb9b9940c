package runtime_test

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"society-tui/llm"
	"society-tui/llm/llmtest"
	"society-tui/runtime"
	"society-tui/runtime/api"
	"society-tui/runtime/approval"
	"society-tui/runtime/conversation"
	"society-tui/runtime/i18n"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/runtime/tool"
	"society-tui/storage/memdb"
)

// A shop has tools that run for a long time, one of each class that reaches outside of the
// program, and background processes. It records what runs for whom.
type shop struct {
	takes   time.Duration // of a call
	lingers time.Duration // of a call and of a process that is to end
	deaf    bool          // its processes do not end

	mu      sync.Mutex
	calls   map[society.AgentID]int // that run
	begun   map[string]int          // by tool
	most    map[string]int          // that ran at the same time, by tool
	now     map[string]int
	ids     int
	procs   map[society.AgentID][]api.Process
	notify  func(society.AgentID)
	outputs map[string]func([]byte) // of running calls, by their ids
}

func newShop(takes, lingers time.Duration) *shop {
	return &shop{
		takes: takes, lingers: lingers, calls: map[society.AgentID]int{}, begun: map[string]int{}, most: map[string]int{}, now: map[string]int{},
		procs: map[society.AgentID][]api.Process{}, outputs: map[string]func([]byte){}, notify: func(society.AgentID) {},
	}
}

// in lets agents of a society use the shop without asking.
func (s *shop) in(cfg *runtime.Config) {
	for _, of := range []tool.Spec{
		{Name: "bash", Class: tool.ClassRun},
		{Name: "fetch", Class: tool.ClassNet},
		{Name: "mcp_one_do", Class: tool.ClassMCP},
		{Name: "serve", Class: tool.ClassRun},
		{Name: "serve_late", Class: tool.ClassRun},
	} {
		of.Purpose, of.Group = "Do it.", tool.Read
		cfg.Tools = append(cfg.Tools, ware{s, of})
	}
	cfg.Processes, cfg.Approvals.Mode = s, approval.All
	cfg.Limits = society.DefaultLimits()
	cfg.Limits.Children, cfg.Limits.SpawnsPerMinute = 100, 1000
}

// A ware is a tool of the shop. A call of "serve" starts a background process and ends, one of
// "serve_late" was about to start one when it is to end, and does.
type ware struct {
	*shop
	spec tool.Spec
}

func (w ware) Spec(protocol.Lang) tool.Spec { return w.spec }

func (w ware) Call(ctx context.Context, by tool.Caller, _ json.RawMessage) (tool.Result, error) {
	id := society.AgentID(by.Agent)
	w.begin(id, by)
	defer w.end(id, by)
	if w.spec.Name == "serve" {
		if ctx.Err() == nil {
			w.start(id)
		}
		return tool.Result{Text: "it runs"}, nil
	}
	timer := time.NewTimer(w.takes)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
		time.Sleep(w.lingers)
		if w.spec.Name == "serve_late" {
			w.start(id)
		}
	}
	return tool.Result{Text: "it is done"}, nil
}

func (w ware) begin(id society.AgentID, by tool.Caller) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.calls[id]++
	w.begun[w.spec.Name]++
	w.now[w.spec.Name]++
	w.most[w.spec.Name] = max(w.most[w.spec.Name], w.now[w.spec.Name])
	w.outputs[by.CallID] = by.Output
}

// count returns how many calls of a tool have begun, and how many at most ran at the same time.
func (s *shop) count(name string) (begun, most int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.begun[name], s.most[name]
}

// output returns what takes the output of a call that runs; nil for none.
func (s *shop) output() (write func([]byte)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, write = range s.outputs {
	}
	return write
}

func (w ware) end(id society.AgentID, by tool.Caller) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.calls[id]--
	w.now[w.spec.Name]--
	delete(w.outputs, by.CallID)
}

func (s *shop) start(id society.AgentID) {
	s.mu.Lock()
	s.ids++
	s.procs[id] = append(s.procs[id], api.Process{ID: fmt.Sprint("p", s.ids), Command: "serve " + strings.Repeat("x", 2000), Since: time.Now()})
	s.mu.Unlock()
	s.notify(id)
}

func (s *shop) Notify(f func(society.AgentID)) { s.notify = f }

func (s *shop) Running(id society.AgentID) []api.Process {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.procs[id])
}

func (s *shop) End(ctx context.Context, ids ...society.AgentID) error {
	if s.deaf {
		<-ctx.Done()
		return ctx.Err()
	}
	time.Sleep(s.lingers)
	for _, id := range ids {
		s.mu.Lock()
		had := len(s.procs[id])
		delete(s.procs, id)
		s.mu.Unlock()
		if had > 0 {
			s.notify(id)
		}
	}
	return nil
}

func (s *shop) EndOne(_ context.Context, id society.AgentID, process string) error {
	s.mu.Lock()
	i := slices.IndexFunc(s.procs[id], func(p api.Process) bool { return p.ID == process })
	if i >= 0 {
		s.procs[id] = slices.Delete(slices.Clone(s.procs[id]), i, i+1)
	}
	s.mu.Unlock()
	if i < 0 {
		return api.ErrNoProcess
	}
	s.notify(id)
	return nil
}

// left counts the calls and processes that run for agents.
func (s *shop) left(ids ...society.AgentID) (calls, processes int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, id := range ids {
		calls, processes = calls+s.calls[id], processes+len(s.procs[id])
	}
	return calls, processes
}

// write writes to the output of all calls that run.
func (s *shop) write(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, write := range s.outputs {
		write([]byte(text))
	}
}

// workers are agents that each call the tool of their name's turn: bash, fetch, an MCP
// server, and one that starts a background process and rests.
func workers() *cast {
	c := newCast().plays("root", spawning(4), llmtest.Say("asked"))
	for i, name := range []string{"bash", "fetch", "mcp_one_do", "serve"} {
		c.plays(fmt.Sprint("worker-", i+1), llmtest.CallTools(call(name, object{})), llmtest.Say("done"))
	}
	return c
}

var allWorkers = []society.AgentID{"worker-1", "worker-2", "worker-3", "worker-4"}

// When a stop or a termination has returned, no call of its agents runs, no process of
// theirs is there, and none comes back.
func TestStopLeavesNoCallAndNoProcess(t *testing.T) {
	for _, key := range []society.Command{
		society.Stop{Agent: society.Root},
		society.Stop{Agent: "worker-1"},
		society.Stop{Agent: "worker-4"},
		society.Terminate{Agent: "worker-1", By: society.User},
		society.Terminate{Agent: "worker-4", By: society.User},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := newShop(time.Hour, time.Second)
			st := run(t, workers(), memdb.New(), s.in)
			st.do(society.Send{To: society.Root, Text: "go"})
			time.Sleep(time.Second)
			if calls, processes := s.left(allWorkers...); calls != 3 || processes != 1 {
				t.Fatalf("%d calls and %d processes run, want 3 and 1", calls, processes)
			}
			top, _ := key.(society.Ends).Ends()
			ended := []society.AgentID{top}
			if top == society.Root {
				ended = allWorkers
			}
			begun := time.Now()
			reply := st.do(key)
			if calls, processes := s.left(ended...); calls+processes > 0 {
				t.Errorf("%#v returned while %d calls and %d processes run", key, calls, processes)
			}
			if took := time.Since(begun); took > 1100*time.Millisecond {
				t.Errorf("%#v took %v", key, took)
			}
			if stop, ok := reply.(society.StopResult); ok && len(stop.Abandoned) > 0 {
				t.Errorf("%#v abandoned %v", key, stop.Abandoned)
			}
			time.Sleep(time.Minute)
			if calls, processes := s.left(ended...); calls+processes > 0 {
				t.Errorf("a minute after %#v %d calls and %d processes run", key, calls, processes)
			}
		})
	}
}

// A call that is being cancelled may have started a process until it has ended.
func TestStopEndsAProcessThatBeginsMeanwhile(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newShop(time.Hour, time.Second)
		c := newCast().plays("root", llmtest.CallTools(call("serve", object{}), call("serve_late", object{})))
		st := run(t, c, memdb.New(), s.in)
		st.do(society.Send{To: society.Root, Text: "go"})
		time.Sleep(time.Second)
		reply, _ := st.do(society.Stop{Agent: society.Root}).(society.StopResult)
		if calls, processes := s.left("root"); calls+processes > 0 || s.ids != 2 || len(reply.Abandoned) > 0 {
			t.Errorf("the stop returned while %d calls and %d of %d processes run, and abandoned %v", calls, processes, s.ids, reply.Abandoned)
		}
	})
}

// Background processes belong to their agent, not to its turn: they outlive an interrupt
// and a pause, which a stop does not.
func TestInterruptEndsTheCallAndKeepsBackgroundProcesses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newShop(time.Hour, time.Second)
		c := newCast().plays("root", spawning(1), llmtest.Say("asked"))
		c.plays("worker-1", llmtest.CallTools(call("serve", object{}), call("bash", object{})), llmtest.Say("done"))
		st := run(t, c, memdb.New(), s.in)
		st.do(society.Send{To: society.Root, Text: "go"})
		time.Sleep(time.Second)
		row := st.rows()["worker-1"]
		if len(row.Processes) != 1 || row.Processes[0].ID != "p1" || len(row.Processes[0].Command) > 1100 || row.Processes[0].Since.IsZero() {
			t.Errorf("the row has the processes %+v", row.Processes)
		}
		st.do(society.Interrupt{Agent: "worker-1"})
		time.Sleep(2 * time.Second)
		if calls, processes := s.left("worker-1"); calls != 0 || processes != 1 {
			t.Errorf("after an interrupt %d calls and %d processes run, want 0 and 1", calls, processes)
		}
		st.do(society.PauseAgent{Agent: "worker-1"})
		if _, processes := s.left("worker-1"); processes != 1 {
			t.Error("a pause has ended a background process")
		}
		if err := st.r.EndProcess(st.ctx, "worker-1", "p7"); err != api.ErrNoProcess { //nolint:errorlint // it is returned bare
			t.Errorf("EndProcess of an unknown one = %v", err)
		}
		if err := st.r.EndProcess(st.ctx, "worker-1", "p1"); err != nil {
			t.Error(err)
		}
		if row := st.rows()["worker-1"]; len(row.Processes) != 0 {
			t.Errorf("after its end the row has the processes %+v", row.Processes)
		}
	})
}

func TestDrainEndsBackgroundProcesses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newShop(time.Minute, time.Second)
		c := newCast().plays("root", spawning(1), llmtest.CallTools(call("terminate_agent", object{"agentId": "worker-1"})), llmtest.Say("it ends"))
		c.plays("worker-1", llmtest.CallTools(call("serve", object{}), call("bash", object{})), llmtest.Say("done"))
		st := run(t, c, memdb.New(), s.in)
		st.do(society.Send{To: society.Root, Text: "go"})
		time.Sleep(time.Second)
		if _, processes := s.left("worker-1"); processes != 1 {
			t.Fatalf("%d processes run", processes)
		}
		time.Sleep(2 * time.Minute)
		if calls, processes := s.left("worker-1"); calls+processes > 0 || len(st.rows()) != 1 {
			t.Errorf("after the drain %d calls, %d processes and %d agents are left", calls, processes, len(st.rows()))
		}
	})
}

// What cannot be ended is named, and does not hold a stop up for ever. Programs get longer
// than other work.
func TestProcessThatDoesNotEndIsNamed(t *testing.T) {
	for name, c := range map[string]struct {
		tool    string
		lingers time.Duration
		deaf    bool
		took    time.Duration
		left    []society.AgentID
	}{
		"a process that ends":            {"serve", time.Second, false, time.Second, nil},
		"a process that does not":        {"serve", 0, true, 5 * time.Second, []society.AgentID{"worker-1"}},
		"a command that takes its time":  {"bash", 4 * time.Second, false, 4 * time.Second, nil},
		"a command that does not end":    {"bash", time.Minute, false, 5 * time.Second, []society.AgentID{"worker-1"}},
		"a page that does not end":       {"fetch", 4 * time.Second, false, 2 * time.Second, []society.AgentID{"worker-1"}},
		"a server that does not let go":  {"mcp_one_do", 4 * time.Second, false, 2 * time.Second, []society.AgentID{"worker-1"}},
		"a server that lets go in a sec": {"mcp_one_do", time.Second, false, time.Second, nil},
	} {
		synctest.Test(t, func(t *testing.T) {
			s := newShop(time.Hour, c.lingers)
			s.deaf = c.deaf
			cast := newCast().plays("root", spawning(1), llmtest.Say("asked"))
			cast.plays("worker-1", llmtest.CallTools(call(c.tool, object{})), llmtest.Say("done"))
			st := run(t, cast, memdb.New(), s.in)
			st.do(society.Send{To: society.Root, Text: "go"})
			time.Sleep(time.Second)
			begun := time.Now()
			reply, _ := st.do(society.Stop{Agent: "worker-1"}).(society.StopResult)
			if took := time.Since(begun).Round(10 * time.Millisecond); took != c.took || !slices.Equal(reply.Abandoned, c.left) {
				t.Errorf("%s: the stop took %v and abandoned %v, want %v and %v", name, took, reply.Abandoned, c.took, c.left)
			}
			s.deaf = false
			time.Sleep(time.Minute)
		})
	}
}

// Leaving waits for calls and lets background processes run as long as they do. By force
// neither has time.
func TestLeavingEndsBackgroundProcesses(t *testing.T) {
	for _, force := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			s := newShop(10*time.Second, 900*time.Millisecond)
			c := newCast().plays("root", llmtest.CallTools(call("serve", object{}), call("bash", object{})), llmtest.Hang())
			st := run(t, c, memdb.New(), s.in)
			st.do(society.Send{To: society.Root, Text: "go"})
			time.Sleep(time.Second)
			if force {
				st.r.Force()
			} else {
				time.AfterFunc(8*time.Second, func() {
					if _, processes := s.left("root"); processes != 1 {
						t.Error("the process has ended before the call")
					}
				})
			}
			begun := time.Now()
			st.quit()
			if calls, processes := s.left("root"); calls+processes > 0 {
				t.Errorf("by force %t: after leaving %d calls and %d processes run", force, calls, processes)
			}
			if took := time.Since(begun); force && took > 1500*time.Millisecond {
				t.Errorf("leaving by force took %v", took)
			}
		})
	}
}

// After a crash, a command and a call of a server may have taken effect, and are not made
// again; a page is asked for once more.
func TestRestartRunsNoCommandTwice(t *testing.T) {
	for name, again := range map[string]bool{"bash": false, "mcp_one_do": false, "fetch": true} {
		synctest.Test(t, func(t *testing.T) {
			store := memdb.New()
			first := newShop(time.Hour, 0)
			st := run(t, newCast().plays("root", llmtest.CallTools(call(name, object{}))), store, first.in)
			st.do(society.Send{To: society.Root, Text: "go"})
			time.Sleep(time.Second)
			crashed := store.Clone()
			second := newShop(time.Second, 0)
			revived := run(t, newCast().plays("root", llmtest.Say("so")), crashed, second.in)
			time.Sleep(5 * time.Second)
			results := revived.results(society.Root)
			want, ran := conversation.Unknown, 0
			if again {
				want, ran = conversation.OK, 1
			}
			if second.begun[name] != ran || len(results) != 1 || results[0].Outcome != want {
				t.Errorf("%s ran %d times and came to %+v, want %d and %q", name, second.begun[name], results, ran, want)
			}
		})
	}
}

// besides is a model that calls a tool in each of three branches.
func besides(name string) llm.Model {
	return llmtest.Func("branches", func(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
		step, last := presentStep.FindStringSubmatch(req.System), req.Messages[len(req.Messages)-1]
		if step != nil && slices.Contains([]string{"Benefits", "Risks", "Costs"}, step[1]) && last.Role != llm.Tool {
			return llmtest.CallTools(call(name, object{}))(ctx, req)
		}
		return llmtest.Say("so")(ctx, req)
	})
}

// Of branches side by side one command runs at a time, in their order, while pages are
// asked for together. A stop in between leaves nothing.
func TestCommandsOfBranchesWaitForTheirTurn(t *testing.T) {
	for name, most := range map[string]int{"bash": 1, "mcp_one_do": 1, "fetch": 3} {
		synctest.Test(t, func(t *testing.T) {
			s := newShop(10*time.Second, time.Second)
			st := run(t, newCast(), memdb.New(), s.in, func(cfg *runtime.Config) { cfg.Model, cfg.Graphs = besides(name), withParallel })
			st.do(society.ChooseGraph{Role: "role-root", Graph: "three-at-once"})
			st.do(society.Send{To: society.Root, Text: "go"})
			time.Sleep(15 * time.Second)
			if _, got := s.count(name); got != most {
				t.Errorf("%d calls of %s ran at the same time, want %d", got, name, most)
			}
			st.do(society.Stop{Agent: society.Root})
			if calls, _ := s.left("root"); calls != 0 {
				t.Errorf("the stop returned while %d calls of %s run", calls, name)
			}
			ran, _ := s.count(name)
			time.Sleep(time.Minute)
			if again, _ := s.count(name); again != ran {
				t.Errorf("%s ran again after the stop", name)
			}
		})
	}
}

// Whatever is asked of agents in whatever order: when a stop or a termination has
// returned, nothing runs for its agents until they are resumed, and after leaving nothing
// runs at all.
func TestNothingRunsForEndedAgentsInAnyOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rapid.SyncTest(t, func(t *rapid.T) { liveWithPrograms(t) })
	})
}

func liveWithPrograms(t *rapid.T) {
	s := newShop(time.Duration(rapid.IntRange(0, 5000).Draw(t, "takes"))*time.Millisecond, time.Duration(rapid.IntRange(0, 1500).Draw(t, "lingers"))*time.Millisecond)
	names := []string{"bash", "fetch", "mcp_one_do", "serve", "serve_late"}
	c := newCast().plays("root", spawning(3), llmtest.Say("asked"))
	for i := range 3 {
		for range 6 {
			var calls []llm.Call
			for range rapid.IntRange(1, 3).Draw(t, "calls") {
				calls = append(calls, call(rapid.SampledFrom(names).Draw(t, "tool"), object{}))
			}
			c.plays(fmt.Sprint("worker-", i+1), llmtest.CallTools(calls...))
		}
	}
	cfg := runtime.Config{Store: memdb.New(), Model: llmtest.Func("scripted", c.answer), Check: true}
	s.in(&cfg)
	r, err := runtime.Open(cfg)
	if err != nil {
		t.Fatal(err)
	}
	ctx, leave := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- r.Run(ctx) }()
	do := func(cmd society.Command) (society.Reply, error) { return r.Do(ctx, cmd) }
	if _, err := do(society.Send{To: society.Root, Text: "go"}); err != nil {
		t.Fatal(err)
	}
	time.Sleep(10 * time.Millisecond)
	for range rapid.IntRange(1, 8).Draw(t, "acts") {
		id := rapid.SampledFrom([]society.AgentID{"root", "worker-1", "worker-2", "worker-3"}).Draw(t, "agent")
		below := []society.AgentID{id}
		if id == society.Root {
			below = append(below, allWorkers...)
		}
		act := rapid.SampledFrom([]string{"stop", "terminate", "interrupt", "pause", "resume", "message", "end processes"}).Draw(t, "act")
		var reply society.Reply
		var err error
		switch act {
		case "stop":
			reply, err = do(society.Stop{Agent: id})
		case "terminate":
			reply, err = do(society.Terminate{Agent: id, By: society.User})
		case "interrupt":
			reply, err = do(society.Interrupt{Agent: id})
		case "pause":
			reply, err = do(society.PauseAgent{Agent: id})
		case "resume":
			reply, err = do(society.Resume{Agent: id})
		case "message":
			reply, err = do(society.Send{To: id, Text: "and now?"})
		default:
			for _, p := range s.Running(id) {
				err = r.EndProcess(ctx, id, p.ID)
			}
		}
		if act == "stop" && err == nil || act == "terminate" && err == nil {
			if calls, processes := s.left(below...); calls+processes > 0 {
				t.Fatalf("%s of %s returned %+v while %d calls and %d processes run", act, id, reply, calls, processes)
			}
			time.Sleep(time.Duration(rapid.IntRange(0, 3000).Draw(t, "later")) * time.Millisecond)
			if calls, processes := s.left(below...); calls+processes > 0 {
				t.Fatalf("later %d calls and %d processes of %s run", calls, processes, id)
			}
		}
		time.Sleep(time.Duration(rapid.IntRange(0, 3000).Draw(t, "then")) * time.Millisecond)
	}
	leave()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	if calls, processes := s.left(append(slices.Clone(allWorkers), society.Root)...); calls+processes > 0 {
		t.Fatalf("after leaving %d calls and %d processes run", calls, processes)
	}
}

func TestSandboxIsTriedInTheBackgroundAndTold(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		found := make(chan api.Sandbox)
		s := run(t, newCast(), memdb.New(), func(cfg *runtime.Config) {
			cfg.Sandbox = func(context.Context) api.Sandbox { return <-found }
		})
		w := s.r.Watch()
		defer w.Close()
		c, err := w.Next(s.ctx)
		if err != nil || c.Sandbox.State != api.SandboxChecking {
			t.Fatalf("at first the sandbox is %+v (%v)", c.Sandbox, err)
		}
		want := api.Sandbox{State: api.SandboxPartial, Network: api.NetworkBlocked, Reasons: []i18n.Text{{EN: "an old kernel", ZH: "内核太旧"}}}
		found <- want
		for c.Sandbox.State == api.SandboxChecking {
			if c, err = w.Next(s.ctx); err != nil {
				t.Fatal(err)
			}
		}
		policy, err := s.r.Policy(s.ctx)
		if err != nil || c.Sandbox.State != want.State || policy.Sandbox.Network != want.Network || len(policy.Sandbox.Reasons) != 1 {
			t.Errorf("told %+v, of the policy %+v (%v)", c.Sandbox, policy.Sandbox, err)
		}
	})
}

func TestARowSaysWhatTheRunningCallIsAbout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newShop(time.Minute, time.Second)
		of := call("bash", object{"command": "go test ./...", "input": strings.Repeat("x", 1<<20)})
		st := run(t, newCast().plays("root", llmtest.CallTools(of), llmtest.Say("done")), memdb.New(), s.in)
		st.do(society.Send{To: society.Root, Text: "go"})
		time.Sleep(time.Second)
		row := st.rows()[society.Root]
		if row.Tool != "bash" || row.Arguments != "" {
			t.Errorf("of a call whose arguments are too long the row has %q %.100q", row.Tool, row.Arguments)
		}
		time.Sleep(2 * time.Minute)
		if row := st.rows()[society.Root]; row.Tool+row.Arguments != "" {
			t.Errorf("at rest the row has %q %.100q", row.Tool, row.Arguments)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		s := newShop(time.Minute, time.Second)
		of := call("bash", object{"command": "go test ./...", "input": strings.Repeat("x", 2<<10)})
		st := run(t, newCast().plays("root", llmtest.CallTools(of), llmtest.Say("done")), memdb.New(), s.in)
		st.do(society.Send{To: society.Root, Text: "go"})
		time.Sleep(time.Second)
		row := st.rows()[society.Root]
		if want := `{"command":"go test ./...","input":"` + strings.Repeat("x", 200) + `"}`; row.Tool != "bash" || row.Arguments != want {
			t.Errorf("the row has %q %q, want bash %s", row.Tool, row.Arguments, want)
		}
	})
}
