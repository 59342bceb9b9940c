package runtime_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"society-tui/llm"
	"society-tui/llm/llmtest"
	"society-tui/runtime"
	"society-tui/runtime/api"
	"society-tui/runtime/conversation"
	"society-tui/runtime/logfile"
	"society-tui/runtime/sandbox"
	"society-tui/runtime/society"
	"society-tui/runtime/tool"
	"society-tui/storage"
	"society-tui/storage/memdb"
)

// childEnv names what a process of the tests does, with a folder in childEnv_DIR.
const childEnv = "SOCIETY_TEST_CHILD"

// children are what processes of the tests do.
var children = map[string]func(dir string) error{}

func TestMain(m *testing.M) {
	sandbox.Main() // this binary is the helper of commands
	if act := children[os.Getenv(childEnv)]; act != nil {
		if err := act(os.Getenv(childEnv + "_DIR")); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	if path := os.Getenv(victimEnv); path != "" {
		os.Exit(victim(path)) // this is the process that TestKill… kills
	}
	if n := os.Getenv(streamsEnv); n != "" {
		os.Exit(serveStreams(n)) // this is the server that BenchmarkStop… asks
	}
	goleak.VerifyTestMain(m)
}

// A cast is a model that plays each agent from a script of its own. An agent
// whose script is over says "well".
type cast struct {
	mu    sync.Mutex
	parts map[string][]llmtest.Answer
	began []string // who was asked, in order
}

func newCast() *cast { return &cast{parts: map[string][]llmtest.Answer{}} }

// plays adds answers to an agent's script.
func (c *cast) plays(agent string, answers ...llmtest.Answer) *cast {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.parts[agent] = append(c.parts[agent], answers...)
	return c
}

func (c *cast) asked(agent string) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := 0
	for _, who := range c.began {
		if who == agent {
			n++
		}
	}
	return n
}

func (c *cast) answer(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
	who := identity(req.System)
	c.mu.Lock()
	c.began = append(c.began, who)
	answer := llmtest.Say("well")
	if parts := c.parts[who]; len(parts) > 0 {
		answer, c.parts[who] = parts[0], parts[1:]
	}
	c.mu.Unlock()
	return answer(ctx, req)
}

// identity reads an agent's id from the first line of its system prompt, in
// either language.
func identity(system string) string {
	for _, before := range []string{"You are agent ", "你是智能体 "} {
		if rest, ok := strings.CutPrefix(system, before); ok {
			return rest[:strings.IndexAny(rest, ",，")]
		}
	}
	return ""
}

// A stage is a running society with a cast and a store.
type stage struct {
	t      *testing.T
	r      *runtime.Runtime
	model  *llmtest.Scripted
	store  storage.Store
	ctx    context.Context
	leave  context.CancelFunc
	ended  chan error
	closed bool
}

// run starts a society; it is left when the test ends, if not before.
func run(t *testing.T, c *cast, store storage.Store, change ...func(*runtime.Config)) *stage {
	t.Helper()
	s := &stage{t: t, model: llmtest.Func("scripted", c.answer), store: store, ended: make(chan error, 1)}
	cfg := runtime.Config{Store: store, Model: s.model, Check: true}
	for _, f := range change {
		f(&cfg)
	}
	r, err := runtime.Open(cfg)
	if err != nil {
		t.Fatal(err)
	}
	s.r = r
	s.ctx, s.leave = context.WithCancel(t.Context())
	go func() { s.ended <- r.Run(s.ctx) }()
	t.Cleanup(s.quit)
	return s
}

// quit leaves and waits for the end.
func (s *stage) quit() {
	s.t.Helper()
	if s.closed {
		return
	}
	s.closed = true
	s.leave()
	if err := <-s.ended; err != nil {
		s.t.Error(err)
	}
	if err := runtime.Check(s.store); err != nil {
		s.t.Errorf("the store is not sound: %v", err)
	}
}

func (s *stage) do(cmd society.Command) any {
	s.t.Helper()
	reply, err := s.r.Do(s.ctx, cmd)
	if err != nil {
		s.t.Fatalf("%T: %v", cmd, err)
	}
	return reply
}

// rows looks at all agents.
func (s *stage) rows() map[society.AgentID]api.Row {
	s.t.Helper()
	w := s.r.Watch()
	defer w.Close()
	c, err := w.Next(s.ctx)
	if err != nil {
		s.t.Fatal(err)
	}
	rows := map[society.AgentID]api.Row{}
	for _, row := range c.Rows {
		rows[row.ID] = row
	}
	return rows
}

// said returns the kinds and texts of a conversation, one line an entry.
func (s *stage) said(id society.AgentID) []conversation.Entry {
	s.t.Helper()
	p, err := s.r.Entries(s.ctx, id, 0, 0)
	if err != nil {
		s.t.Fatal(err)
	}
	return p.Entries
}

func (s *stage) inbox() []api.InboxMessage {
	s.t.Helper()
	list, err := s.r.Inbox(s.ctx, api.InboxQuery{})
	if err != nil {
		s.t.Fatal(err)
	}
	return list
}

func call(name string, args any) llm.Call {
	raw, err := json.Marshal(args)
	if err != nil {
		panic(err)
	}
	return llm.Call{Name: name, Arguments: string(raw)}
}

type object = map[string]any

// spawning makes n agents worker-1 … worker-n in one answer.
func spawning(n int) llmtest.Answer {
	calls := []llm.Call{call("create_role", object{"name": "worker", "rolePrompt": "Work."})}
	for i := range n {
		calls = append(calls, call("spawn_agent", object{"roleId": "role-worker", "taskBrief": object{
			"objective": fmt.Sprintf("part %d", i+1), "constraints": []string{}, "inputs": "a text",
			"outputs": "a list", "completion_criteria": "all is listed",
		}}))
	}
	return llmtest.CallTools(calls...)
}

func TestASocietySpawnsReportsAndAnswersTheUser(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCast().plays("root", spawning(2), llmtest.Say("I asked two."), llmtest.Say("One of two is in."), llmtest.Say("Both are in: 3 and 4."))
		c.plays("worker-1", llmtest.Say("3")).plays("worker-2", llmtest.When(delay(t, time.Second), llmtest.Say("4")))
		s := run(t, c, memdb.New())
		s.do(society.Send{To: society.Root, Text: "count"})
		time.Sleep(3 * time.Second)
		inbox := s.inbox()
		if len(inbox) == 0 || inbox[len(inbox)-1].Body != "Both are in: 3 and 4." || inbox[len(inbox)-1].Note {
			t.Fatalf("the person got %+v", inbox)
		}
		rows := s.rows()
		if len(rows) != 3 || rows["worker-1"].Parent != society.Root || rows["worker-2"].State != society.Idle {
			t.Fatalf("the tree is %+v", slices.Collect(maps.Keys(rows)))
		}
		if p, err := s.r.Profile(s.ctx, "worker-2"); err != nil || !strings.Contains(p.System, "part 2") {
			t.Fatalf("the system prompt of worker-2 does not hold its brief (%v): %s", err, p.System)
		}
	})
}

// The name of a contact in the system prompt is that on the screen, also once another agent
// that is no contact has changed it.
func TestTheSystemPromptFollowsTheNamesOnTheScreen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCast().plays("root", spawning(1), llmtest.Say("I asked one.")).plays("worker-1", llmtest.Say("3"), llmtest.Say("4"))
		s := run(t, c, memdb.New())
		s.do(society.Send{To: society.Root, Text: "count"})
		time.Sleep(time.Second)
		for _, step := range []struct {
			does society.Command
			want string
		}{
			{society.Rename{Agent: "worker-1"}, "- worker-1 (worker), child\n"},
			{society.Rename{Agent: "worker-1", Name: "Anna"}, "- worker-1 (worker), child, name: Anna (worker)\n"},
			{society.Spawn{Parent: "worker-1", Role: "role-worker"}, "- worker-1 (worker), child, name: Anna (worker-1)\n"},
		} {
			s.do(step.does)
			p, err := s.r.Profile(s.ctx, society.Root)
			if err != nil || !strings.Contains(p.System+"\n", step.want) {
				t.Fatalf("after %+v the system prompt of root has no %q (%v): %s", step.does, step.want, err, p.System)
			}
		}
	})
}

// delay is a gate that opens after a time of the bubble.
func delay(t *testing.T, d time.Duration) <-chan struct{} {
	gate := make(chan struct{})
	timer := time.AfterFunc(d, func() { close(gate) })
	t.Cleanup(func() { timer.Stop() })
	return gate
}

// S000 P11.
func TestAFailedCallIsTriedAgainAfterOneTwoAndFourSeconds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		busy := llmtest.Fail(&llm.Error{Class: llm.Overload, Status: 503, Text: "busy"})
		s := run(t, newCast().plays("root", busy, busy, busy, busy), memdb.New())
		s.do(society.Send{To: society.Root, Text: "hello"})
		time.Sleep(time.Minute)
		var waits []time.Duration
		requests := s.model.Requests()
		for i := range requests[1:] {
			waits = append(waits, requests[i+1].Began.Sub(requests[i].Began))
		}
		if want := []time.Duration{time.Second, 2 * time.Second, 4 * time.Second}; !slices.Equal(waits, want) {
			t.Fatalf("waited %v, not %v", waits, want)
		}
		if row := s.rows()[society.Root]; row.State != society.Idle || !strings.Contains(row.Error, "busy") {
			t.Fatalf("root is %s with error %q", row.State, row.Error)
		}
		s.do(society.Resume{Agent: society.Root}) // the failed turn had stayed open
		time.Sleep(time.Second)
		if inbox := s.inbox(); inbox[len(inbox)-1].Body != "well" {
			t.Fatalf("after resume the person got %+v", inbox)
		}
	})
}

// SPEC.md, decision 23: what another try cannot mend is asked exactly once.
func TestARefusedKeyIsAskedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := run(t, newCast().plays("root", llmtest.Fail(&llm.Error{Class: llm.Auth, Status: 401, Text: "no such key"})), memdb.New())
		s.do(society.Send{To: society.Root, Text: "hello"})
		time.Sleep(time.Minute)
		if n := len(s.model.Requests()); n != 1 {
			t.Fatalf("the model was asked %d times", n)
		}
	})
}

// S001 P1, P6, P13, P14.
func TestNothingOfAnAgentHappensAfterAStopHasReturned(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCast().plays("root", spawning(3), llmtest.Say("asked"))
		for _, who := range []string{"worker-1", "worker-2", "worker-3"} {
			c.plays(who, llmtest.HangAfter("I begin and"))
		}
		s := run(t, c, memdb.New())
		s.do(society.Send{To: society.Root, Text: "go"})
		time.Sleep(time.Second)
		if n := s.model.Running(); n != 3 {
			t.Fatalf("%d calls run", n)
		}
		reply, ok := s.do(society.Stop{Agent: society.Root}).(society.StopResult)
		if !ok || !reply.Stopped || len(reply.CascadeStopped) != 3 || len(reply.Abandoned) != 0 {
			t.Fatalf("the stop came to %+v", reply)
		}
		if n := s.model.Running(); n != 0 {
			t.Fatalf("%d calls run after the stop has returned", n)
		}
		asked := len(s.model.Requests())
		time.Sleep(time.Hour)
		if n := len(s.model.Requests()); n != asked {
			t.Fatalf("%d requests were begun after the stop", n-asked)
		}
		for id, row := range s.rows() {
			if row.State != society.Stopped {
				t.Errorf("%s is %s", id, row.State)
			}
		}
		if _, err := s.r.Do(s.ctx, society.Send{To: "worker-1", Text: "hello?"}); !refusedAs(err, society.AgentStopped) {
			t.Fatalf("a stopped agent took a message: %v", err)
		}
		entries := s.said("worker-1")
		if last := entries[len(entries)-1]; last.Kind != conversation.Aborted || last.Tokens != len("I begin and") {
			t.Fatalf("the aborted answer is kept as %+v", last)
		}
	})
}

func refusedAs(err error, code society.Code) bool {
	r, ok := err.(*society.Refusal) //nolint:errorlint // Do returns it bare
	return ok && r.Code == code
}

// S001 P7, P9, P15 and SPEC.md, decision 6.
func TestATerminatedSubtreeLeavesATombstoneAndNothingElse(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := memdb.New()
		c := newCast().plays("root", spawning(2), llmtest.Say("asked")).plays("worker-1", llmtest.HangAfter("secret words"))
		s := run(t, c, store)
		s.do(society.Send{To: society.Root, Text: "go"})
		time.Sleep(time.Second)
		s.do(society.Terminate{Agent: "worker-1", By: society.User, Reason: "enough"})
		s.do(society.Terminate{Agent: "worker-2", By: society.User})
		if rows := s.rows(); len(rows) != 1 {
			t.Fatalf("there are still %d agents", len(rows))
		}
		if _, err := s.r.Do(s.ctx, society.Send{To: "worker-1", Text: "hello?"}); !refusedAs(err, society.AgentNotFound) {
			t.Fatalf("a terminated agent took a message: %v", err)
		}
		s.do(society.Seen{Agent: society.Root}) // a later commit sweeps what is left
		err := store.View(func(tx storage.Tx) error {
			for _, bucket := range []string{"agents", "said", "mail", "contacts", "briefs", "erase"} {
				for key := range tx.Range(bucket, nil, nil) {
					if strings.Contains(string(key), "worker-") {
						t.Errorf("%s still holds %q", bucket, key)
					}
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	})
}

// S000 P12.
func TestAPanicOfOneAgentLeavesTheOthersAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		breaks := func(context.Context, llm.Request) iter.Seq2[llm.Chunk, error] { panic("broken") }
		c := newCast().plays("root", spawning(2), llmtest.Say("asked")).plays("worker-1", breaks, breaks, breaks, breaks)
		c.plays("worker-2", llmtest.Say("fine"))
		s := run(t, c, memdb.New())
		s.do(society.Send{To: society.Root, Text: "go"})
		time.Sleep(30 * time.Second)
		rows := s.rows()
		if rows["worker-1"].Paused != society.Quarantined {
			t.Fatalf("worker-1 is %s, paused %q", rows["worker-1"].State, rows["worker-1"].Paused)
		}
		if rows["worker-2"].State != society.Idle || rows["worker-2"].Error != "" {
			t.Fatalf("worker-2 is %s with error %q", rows["worker-2"].State, rows["worker-2"].Error)
		}
		if n := c.asked("worker-1"); n != 3 {
			t.Fatalf("worker-1 was asked %d times before its quarantine", n)
		}
	})
}

// A leak is a tool that panics with a key.
type leak struct{ deed }

func (*leak) Call(context.Context, tool.Caller, json.RawMessage) (tool.Result, error) {
	panic(canaryKey)
}

// Whatever panics with a key in its text, the key is in no log, no error, no row and no entry.
func TestAPanicThatHoldsAKeyShowsItNowhere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		breaks := func(context.Context, llm.Request) iter.Seq2[llm.Chunk, error] { panic("a request with " + canaryKey) }
		c := newCast().plays("root", spawning(2), llmtest.Say("asked"))
		c.plays("worker-1", breaks, breaks, breaks).plays("worker-2", llmtest.CallTools(call("deed", object{})), llmtest.Say("fine"))
		var log bytes.Buffer
		s := run(t, c, memdb.New(), func(cfg *runtime.Config) {
			cfg.Tools = []tool.Tool{&leak{}}
			cfg.Log = logfile.New(&log, logfile.Config{Redactor: logfile.NewRedactor(canaryKey)})
		})
		s.do(society.Send{To: society.Root, Text: "go"})
		time.Sleep(time.Minute)
		shown := fmt.Sprintf("%+v", s.rows())
		for _, id := range []society.AgentID{society.Root, "worker-1", "worker-2"} {
			shown += fmt.Sprintf("%+v", s.said(id))
		}
		if err := s.r.Break(s.ctx, func(cmd society.Command) bool { _, sends := cmd.(society.Send); return sends }); err != nil {
			t.Fatal(err)
		}
		_, err := s.r.Do(s.ctx, society.Send{To: society.Root, Text: canaryKey})
		if err == nil || strings.Contains(shown+err.Error(), canaryKey) {
			t.Errorf("Send = %v; shown is %s", err, shown)
		}
		s.r.GoTracked(func() { panic("beside " + canaryKey) })
		synctest.Wait()
		text := log.String()
		if strings.Contains(text, canaryKey) {
			t.Errorf("the log holds the key:\n%s", text)
		}
		for _, panicked := range []string{`"a request with [redacted]"`, `"panic":"[redacted]"`, `"beside [redacted]"`, "a rule is broken by"} {
			if !strings.Contains(text, panicked) {
				t.Errorf("the log has no %s:\n%s", panicked, text)
			}
		}
	})
}

// S000 P13.
func TestACreationIsOnDiskWhenItIsSeen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := memdb.New()
		s := run(t, newCast().plays("root", spawning(1), llmtest.Hang()).plays("worker-1", llmtest.Hang()), store)
		s.do(society.Send{To: society.Root, Text: "go"})
		time.Sleep(time.Second)
		if _, ok := s.rows()["worker-1"]; !ok {
			t.Fatalf("seen are %v, without worker-1", s.rows())
		}
		err := store.View(func(tx storage.Tx) error {
			for bucket, key := range map[string]string{"agents": "worker-1", "roles": "role-worker", "briefs": "worker-1"} {
				if v, err := tx.Get(bucket, []byte(key)); err != nil || v == nil {
					t.Errorf("%s holds no %s (%v)", bucket, key, err)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	})
}

// S000 P3: each output reads the inbox by itself and misses nothing.
func TestEveryMessageToTheUserIsInTheInboxOnceAndInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCast()
		for i := range 20 {
			c.plays("root", llmtest.CallTools(call("send_message", object{"to": "user", "payload": fmt.Sprint("note ", i)})), llmtest.Say(fmt.Sprint("answer ", i)))
		}
		s := run(t, c, memdb.New())
		var want []string
		for i := range 20 {
			s.do(society.Send{To: society.Root, Text: "go on"})
			time.Sleep(time.Second)
			want = append(want, fmt.Sprint("note ", i))
			want = append(want, fmt.Sprint("answer ", i))
		}
		for reader := range 2 {
			var got []string
			last := uint64(0)
			for _, m := range s.inbox() {
				got = append(got, m.Body)
				if m.Seq <= last {
					t.Fatalf("message %d comes behind %d", m.Seq, last)
				}
				last = m.Seq
			}
			if !slices.Equal(got, want) {
				t.Fatalf("reader %d got %q", reader, got)
			}
		}
	})
}

func TestOnlySoManyCallsOfTheModelRunAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCast().plays("root", spawning(8), llmtest.Say("asked"))
		for i := range 8 {
			c.plays(fmt.Sprint("worker-", i+1), llmtest.When(delay(t, time.Hour), llmtest.Say("done")))
		}
		s := run(t, c, memdb.New(), func(cfg *runtime.Config) { cfg.ModelCalls = 3 })
		s.do(society.Send{To: society.Root, Text: "go"})
		time.Sleep(time.Minute)
		if n := s.model.Running(); n != 3 {
			t.Fatalf("%d calls run at once", n)
		}
		queued, waiting := 0, 0
		for _, row := range s.rows() {
			if row.State == society.WaitingLLM {
				waiting++
			}
			if row.Queued {
				queued++
			}
		}
		if queued != waiting-3 {
			t.Fatalf("of %d agents that think, %d are shown to wait for a slot", waiting, queued)
		}
		s.do(society.Stop{Agent: society.Root}) // those that wait for a slot end too
		if n := s.model.Running(); n != 0 {
			t.Fatalf("%d calls run after the stop", n)
		}
	})
}
