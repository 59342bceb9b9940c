package runtime_test

import (
	"context"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"society-tui/llm"
	"society-tui/llm/chatapi"
	"society-tui/llm/llmtest"
	"society-tui/runtime"
	"society-tui/runtime/api"
	"society-tui/runtime/conversation"
	"society-tui/runtime/propertytest"
	"society-tui/runtime/society"
	"society-tui/runtime/tool"
	"society-tui/storage"
	"society-tui/storage/boltdb"
	"society-tui/storage/memdb"
	"society-tui/storage/storagetest"
)

// A scene is a society whose model is an endpoint at the other side of a
// connection. root has made worker-1, who is in a moment of its work when the key
// comes, and worker-2, who has nothing to do with it; worker-1 has made worker-3,
// who waits for the model like worker-2.
type scene struct {
	t      *testing.T
	ctx    context.Context
	r      *runtime.Runtime
	server *llmtest.StrictServer
	cast   *cast
	disk   *sluice
	faulty *storagetest.Faulty
	deed   *deed
	// answers lets worker-1's last answer go; holder lets worker-2's.
	answers, holder chan struct{}
	open            func() // the disk again, after the key
}

// A moment is where worker-1 is when the key comes.
type moment struct {
	name   string
	script []llmtest.Answer                 // of worker-1, after it has made worker-3
	lead   func(*scene) []llmtest.Answer    // the same, of what the scene holds
	config func(*scene, *runtime.Config)    // what else is different
	reach  func(*scene)                     // returns when it is there
	check  func(*scene, conversation.Entry) // what its conversation ends with
	draft  bool                             // something of an answer was shown
}

var moments = []moment{
	{
		name: "streaming", script: []llmtest.Answer{flowing}, draft: true,
		reach: func(s *scene) { s.drafted(func(d api.Draft) bool { return d.Text != "" }) }, check: thrownAway,
	},
	{
		name: "waiting for headers", script: []llmtest.Answer{llmtest.Hang()},
		reach: func(s *scene) { s.asked("worker-1", 2) }, check: thrownAway,
	},
	{
		name: "between reasoning chunks", script: []llmtest.Answer{pondering}, draft: true,
		reach: func(s *scene) { s.drafted(func(d api.Draft) bool { return d.Thought != "" }) }, check: thrownAway,
	},
	{
		name: "retry wait", script: []llmtest.Answer{llmtest.Fail(&llm.Error{Class: llm.Overload, Status: 503, Text: "busy", RetryAfter: time.Minute})},
		reach: func(s *scene) {
			s.until("it waits to try again", func(rows rowsByID) bool { return rows["worker-1"].Retry != nil })
		},
	},
	{
		name:   "waiting for a slot",
		config: func(_ *scene, cfg *runtime.Config) { cfg.ModelCalls = 1 },
		reach:  (*scene).queueUp,
		check:  thrownAway,
	},
	{
		name: "tool running", script: []llmtest.Answer{llmtest.CallTools(call("deed", object{}))},
		reach: (*scene).acting, check: cutShort,
	},
	{
		name: "tool that ignores its context", script: []llmtest.Answer{llmtest.CallTools(call("deed", object{}))},
		config: func(s *scene, _ *runtime.Config) { s.deed.lingers = 100 * time.Millisecond },
		reach:  (*scene).acting, check: cutShort,
	},
	{
		name: "spawning",
		lead: func(s *scene) []llmtest.Answer {
			spawn := call("spawn_agent", object{"roleId": "role-worker", "taskBrief": brief})
			return []llmtest.Answer{llmtest.When(s.answers, llmtest.CallTools(spawn, call("deed", object{})))}
		},
		reach: func(s *scene) {
			s.asked("worker-1", 2)
			began, open := s.disk.shut()
			s.open = open
			close(s.answers)
			s.wait("the commit of the spawn begins", began)
		},
		check: cutShort,
	},
	{
		name: "in the middle of a commit", script: []llmtest.Answer{flowing}, draft: true,
		reach: func(s *scene) {
			s.drafted(func(d api.Draft) bool { return d.Text != "" })
			began, open := s.disk.shut()
			s.open = open
			go func() { _, _ = s.r.Keep(s.ctx, map[string]api.Value{"something": {}}) }()
			s.wait("a commit begins", began)
		},
		check: thrownAway,
	},
	{
		name: "disk full", script: []llmtest.Answer{flowing}, draft: true,
		reach: func(s *scene) {
			s.drafted(func(d api.Draft) bool { return d.Text != "" })
			s.faulty.FailAll(errFull)
			if rand.IntN(2) == 0 { // else the key itself finds it out
				if _, err := s.r.Do(s.ctx, society.Send{To: society.Root, Text: "lost"}); !refusedAs(err, society.StoreUnavailable) {
					s.t.Fatalf("a message on a full disk came to %v", err)
				}
			}
		},
	},
}

// flowing answers word by word for as long as somebody reads.
func flowing(ctx context.Context, _ llm.Request) iter.Seq2[llm.Chunk, error] {
	return func(yield func(llm.Chunk, error) bool) {
		next := time.NewTicker(time.Millisecond)
		defer next.Stop()
		for yield(llm.Chunk{Text: "on and "}, nil) {
			select {
			case <-next.C:
			case <-ctx.Done():
				yield(llm.Chunk{}, ctx.Err())
				return
			}
		}
	}
}

// pondering thinks a little and then says nothing.
func pondering(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
	return func(yield func(llm.Chunk, error) bool) {
		if yield(llm.Chunk{Reasoning: "let me see"}, nil) {
			llmtest.Hang()(ctx, req)(yield)
		}
	}
}

// thrownAway checks that a call of the model was cut short.
func thrownAway(s *scene, last conversation.Entry) {
	if last.Kind != conversation.Aborted || last.Text != "" {
		s.t.Errorf("its conversation ends with %+v", last)
	}
}

// cutShort checks that a call of a tool was cut short, or not begun.
func cutShort(s *scene, last conversation.Entry) {
	if last.Kind != conversation.Result || last.Outcome != conversation.AbortedCall {
		s.t.Errorf("its conversation ends with %+v", last)
	}
}

// A sluice is a store that holds commits up while it is shut.
type sluice struct {
	storage.Store
	mu     sync.Mutex
	opened chan struct{} // nil while it is open
	began  chan struct{} // capacity 1: somebody stands at it
}

// shut holds up each commit from now on until open is called.
func (g *sluice) shut() (began <-chan struct{}, open func()) {
	opened := make(chan struct{})
	g.mu.Lock()
	defer g.mu.Unlock()
	g.opened, g.began = opened, make(chan struct{}, 1)
	return g.began, func() {
		g.mu.Lock()
		g.opened = nil
		g.mu.Unlock()
		close(opened)
	}
}

func (g *sluice) Update(f func(storage.Tx) error) error {
	g.mu.Lock()
	opened, began := g.opened, g.began
	g.mu.Unlock()
	if opened != nil {
		select {
		case began <- struct{}{}:
		default:
		}
		<-opened
	}
	return g.Store.Update(f)
}

type rowsByID = map[society.AgentID]api.Row

// until waits until the society looks as wanted. It also looks again whenever an
// answer has grown.
func (s *scene) until(what string, wanted func(rowsByID) bool) {
	s.t.Helper()
	w := s.r.Watch()
	defer w.Close()
	rows := rowsByID{}
	for {
		c, err := w.Next(s.ctx)
		if err != nil {
			s.t.Fatalf("until %s: %v; %+v", what, err, rows)
		}
		for _, row := range c.Rows {
			rows[row.ID] = row
		}
		if wanted(rows) {
			return
		}
	}
}

func (s *scene) drafted(wanted func(api.Draft) bool) {
	s.t.Helper()
	s.until("an answer is shown", func(rowsByID) bool {
		d, ok := s.r.Draft("worker-1")
		return ok && wanted(d)
	})
}

func (s *scene) wait(what string, c <-chan struct{}) {
	s.t.Helper()
	select {
	case <-c:
	case <-s.ctx.Done():
		s.t.Fatalf("until %s: %v", what, s.ctx.Err())
	}
}

// of returns what the server was asked for one agent.
func (s *scene) of(id society.AgentID) []llmtest.Served {
	return slices.DeleteFunc(s.server.Requests(), func(r llmtest.Served) bool { return identity(r.Request.System) != string(id) })
}

// asked waits until the server has read the nth request of an agent.
func (s *scene) asked(id society.AgentID, nth int) {
	s.t.Helper()
	s.await(fmt.Sprintf("%s asks %d times", id, nth), func() bool { return len(s.of(id)) >= nth })
}

func (s *scene) await(what string, wanted func() bool) {
	s.t.Helper()
	if err := s.server.Await(s.ctx, func(llmtest.Counts) bool { return wanted() }); err != nil {
		s.t.Fatalf("until %s: %v", what, err)
	}
}

func (s *scene) acting() {
	s.t.Helper()
	s.wait("the tool runs", s.deed.started)
}

// queueUp lets worker-2 take the only slot and worker-1 wait for it.
func (s *scene) queueUp() {
	s.t.Helper()
	s.until("all rest", func(rows rowsByID) bool {
		busy := len(rows) < 3
		for _, row := range rows {
			busy = busy || row.State.Active() || row.Waiting > 0
		}
		return !busy
	})
	s.cast.plays("worker-2", llmtest.When(s.holder, llmtest.Say("done")))
	s.do(society.Send{To: "worker-2", Text: "take it"})
	s.asked("worker-2", 2)
	s.do(society.Send{To: "worker-1", Text: "and you"})
	s.until("worker-1 waits for a slot", func(rows rowsByID) bool { return rows["worker-1"].Queued })
}

func (s *scene) do(cmd society.Command) any {
	s.t.Helper()
	reply, err := s.r.Do(s.ctx, cmd)
	if err != nil {
		s.t.Fatalf("%#v: %v", cmd, err)
	}
	return reply
}

// set builds the scene and leads it to the moment.
func set(ctx context.Context, t *testing.T, m moment) (s *scene, strike func()) {
	t.Helper()
	s = &scene{
		t: t, ctx: ctx, cast: newCast(), deed: &deed{takes: time.Hour, started: make(chan struct{}, 1)},
		answers: make(chan struct{}), holder: make(chan struct{}), open: func() {},
	}
	s.server = llmtest.StartStrict(t, llmtest.Strict{Answer: s.cast.answer})
	model, err := chatapi.New(chatapi.Config{BaseURL: s.server.URL, Model: "strict"})
	if err != nil {
		t.Fatal(err)
	}
	var store storage.Store = memdb.New()
	cfg := runtime.Config{Model: model, Check: true, Tools: []tool.Tool{s.deed}}
	if m.name == "disk full" {
		bolt, err := boltdb.Open(filepath.Join(t.TempDir(), "society.db"))
		if err != nil {
			t.Fatal(err)
		}
		s.faulty, store = storagetest.NewFaulty(bolt), bolt
		cfg.Store = struct {
			storage.Store
			reopens
		}{s.faulty, bolt}
	} else {
		s.disk = &sluice{Store: store}
		cfg.Store = s.disk
	}
	if m.config != nil {
		m.config(s, &cfg)
	}
	if m.lead != nil {
		m.script = m.lead(s)
	}
	if s.r, err = runtime.Open(cfg); err != nil {
		t.Fatal(err)
	}
	s.cast.plays("root", spawning(2), llmtest.Say("asked"))
	if m.script != nil { // else the workers are done at once
		s.cast.plays("worker-1", append([]llmtest.Answer{spawning(1)}, m.script...)...)
		s.cast.plays("worker-2", llmtest.HangAfter("I watch")).plays("worker-3", llmtest.HangAfter("I help"))
	}
	ended := make(chan error, 1)
	go func() { ended <- s.r.Run(context.WithoutCancel(ctx)) }()
	s.do(society.Send{To: society.Root, Text: "go"})
	if m.script != nil {
		s.asked("worker-2", 1)
		s.asked("worker-3", 1)
		s.until("root rests", func(rows rowsByID) bool { return rows[society.Root].State == society.Idle })
	}
	m.reach(s)
	return s, func() {
		s.r.Force()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		_ = model.Close()
		if err := runtime.Check(store); err != nil {
			t.Errorf("the store is not sound: %v", err)
		}
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	}
}

// press presses the key and returns how long it took until the server saw the ended
// connections close. Without an open call it returns how long the key took.
func (s *scene) press(key society.Command, ends []society.AgentID) time.Duration {
	s.t.Helper()
	running := func() (open []llmtest.Served) {
		for _, id := range ends {
			open = append(open, slices.DeleteFunc(s.of(id), func(r llmtest.Served) bool { return !r.Ended.IsZero() })...)
		}
		return open
	}
	before, spared := running(), len(s.of("worker-3"))
	begun := time.Now()
	var abandoned []society.AgentID
	done := make(chan error, 1)
	go func() {
		reply, err := s.r.Do(s.ctx, key)
		switch reply := reply.(type) {
		case society.StopResult:
			abandoned = reply.Abandoned
		case society.TerminateResult:
			abandoned = reply.Abandoned
		}
		done <- err
	}()
	s.await("the connections are closed", func() bool { return len(running()) == 0 })
	seen := time.Since(begun)
	s.open()
	if err := <-done; err != nil {
		s.t.Fatalf("%#v: %v", key, err)
	}
	if len(abandoned) > 0 {
		s.t.Errorf("%#v: work of %v did not end", key, abandoned)
	}
	took := time.Since(begun)
	if len(before) > 0 {
		took = seen
	}
	for _, id := range ends {
		for _, r := range s.of(id) {
			for _, b := range before {
				if r.Began.Equal(b.Began) && !r.Gone {
					s.t.Errorf("%#v: a call of %s was not cut, it ended", key, id)
				}
			}
		}
	}
	if len(s.of("worker-3")) != spared {
		s.t.Errorf("%#v: worker-3 was asked again", key)
	}
	return took
}

// round plays one key at one moment and checks all that must hold afterwards.
func round(t *testing.T, m moment, key society.Command) time.Duration {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	s, strike := set(ctx, t, m)
	ends := []society.AgentID{"worker-1", "worker-3", "worker-4"}
	_, interrupts := key.(society.Interrupt)
	_, terminates := key.(society.Terminate)
	if interrupts {
		ends = ends[:1]
	}
	asked := 0
	for _, id := range ends {
		asked += len(s.of(id))
	}
	took := s.press(key, ends)
	draft, shown := s.r.Draft("worker-1")
	if shown && (terminates || !draft.Aborted) || !shown && m.draft && !terminates {
		t.Errorf("it is shown as %+v", draft)
	}
	s.goOn(m)
	if later, still := s.r.Draft("worker-1"); still != shown || later != draft {
		t.Errorf("late words are shown: %+v, then %+v", draft, later)
	}
	if !terminates && m.name != "disk full" {
		s.told(m)
	}
	if n := len(slices.DeleteFunc(s.of("worker-2"), func(r llmtest.Served) bool { return !r.Gone })); n != 0 {
		t.Errorf("a call of worker-2 was cut")
	}
	strike()
	for _, id := range ends {
		asked -= len(s.of(id))
	}
	if asked != 0 {
		t.Errorf("%d requests were begun after the key", -asked)
	}
	if m.name == "spawning" && !interrupts && s.deed.begun.Load() != 0 {
		t.Errorf("%d tools were begun after the key, want 0", s.deed.begun.Load())
	}
	if v := s.server.Violations(); len(v) > 0 {
		t.Errorf("the server refuses histories: %v", v)
	}
	return took
}

// goOn lets the society go on as far as it does: whoever waited for the same slot gets
// it, and root answers the user.
func (s *scene) goOn(m moment) {
	s.t.Helper()
	if m.name == "disk full" {
		for range 2 { // what was to be begun has been begun when they are through
			s.do(society.Interrupt{Agent: society.Root})
		}
		return
	}
	close(s.holder)
	inbox, err := s.r.Inbox(s.ctx, api.InboxQuery{})
	if err != nil {
		s.t.Fatal(err)
	}
	s.do(society.Send{To: society.Root, Text: "how is it going?"})
	s.until("root has answered", func(rowsByID) bool {
		now, err := s.r.Inbox(s.ctx, api.InboxQuery{})
		if err != nil {
			s.t.Fatal(err)
		}
		return len(now) > len(inbox)
	})
}

// told checks what is kept of worker-1's conversation.
func (s *scene) told(m moment) {
	s.t.Helper()
	page, err := s.r.Entries(s.ctx, "worker-1", 0, 0)
	if err != nil {
		s.t.Fatal(err)
	}
	if err := sound(page.Entries); err != nil {
		s.t.Error(err)
	}
	if m.check != nil {
		m.check(s, page.Entries[len(page.Entries)-1])
	}
}

// sound returns what is wrong with a conversation that has no open call: each call must
// have one result, in its place, with nothing to be mended.
func sound(entries []conversation.Entry) error {
	results := 0
	for i, e := range entries {
		if i > 0 && e.Slot <= entries[i-1].Slot {
			return fmt.Errorf("slot %d comes behind slot %d", e.Slot, entries[i-1].Slot)
		}
		if e.Kind == conversation.Result && !e.Compressed {
			results++
		}
	}
	for _, e := range conversation.Legal(entries) {
		if e.Kind != conversation.Result {
			continue
		}
		if results--; e.Text == conversation.Unanswered {
			return fmt.Errorf("call %s has no result", e.CallID)
		}
	}
	return nil
}

// 1,000 rounds with SOCIETY_LONG=1, which also holds the figure.
func TestAKeyClosesTheConnectionWhateverTheMoment(t *testing.T) {
	t.Parallel()
	rounds, most := 100, 100*time.Millisecond
	long := os.Getenv("SOCIETY_LONG") != ""
	switch {
	case long:
		rounds = 1000
	case propertytest.Raced:
		rounds = 50
	}
	all := keys("worker-1")
	took := map[string][]time.Duration{}
	for i, n := range rand.Perm(rounds) {
		m, key := moments[n%len(moments)], all[n/len(moments)%3]
		name := fmt.Sprintf("%s, %T, round %d", m.name, key, i)
		t.Run(name, func(t *testing.T) { took[m.name] = append(took[m.name], round(t, m, key)) })
		if t.Failed() {
			return
		}
	}
	var every []time.Duration
	for _, m := range moments {
		every = append(every, took[m.name]...)
		t.Logf("%-30s %s", m.name, spread(took[m.name]))
	}
	t.Logf("%-30s %s", "all", spread(every))
	if p99 := percentile(every, 99); long && p99 > most {
		t.Errorf("99 of 100 connections are closed within %v, not %v", p99, most)
	}
}

func spread(took []time.Duration) string {
	return fmt.Sprintf("n %4d  p50 %8v  p95 %8v  p99 %8v  max %8v", len(took),
		percentile(took, 50), percentile(took, 95), percentile(took, 99), percentile(took, 100))
}

func percentile(took []time.Duration, p int) time.Duration {
	if len(took) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(took))
	return sorted[max(0, (len(sorted)*p+99)/100-1)].Round(10 * time.Microsecond)
}
