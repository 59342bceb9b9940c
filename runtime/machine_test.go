package runtime_test

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"iter"
	"log/slog"
	"maps"
	"os"
	"slices"
	"strconv"
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
	"society-tui/runtime/conversation"
	"society-tui/runtime/propertytest"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/runtime/tables"
	"society-tui/runtime/tool"
	"society-tui/storage"
	"society-tui/storage/memdb"
	"society-tui/storage/storagetest"
)

// The real loop over a store does, step by step, what a simple model says: all verbs of
// the user and of agents, every way in which work ends, time, a store that fails and
// heals, leaving, crashes, and starts with and without --paused, of agents whose turns
// are single steps or runs through graphs. After every step the tree, states, pauses,
// epochs, queues and conversations on disk, the rows that the screen sees, the replies of
// the verbs, and every request and run of a tool that has ever begun are those of the
// model; the histories that the model was sent are legal, and the store is sound.
//
// It runs 35 times about 50 steps, 500 times with SOCIETY_LONG=1, 15 times under the race
// detector, which meets every goroutine in the first few, and as often as
// SOCIETY_MACHINE_RUNS says. From 70 on it runs until everything has happened in the
// middle of a run.
func TestTheProgramDoesWhatItsModelDoes(t *testing.T) {
	runs := 35
	switch {
	case os.Getenv("SOCIETY_LONG") != "":
		runs = 500
	case propertytest.Raced:
		runs = 15
	}
	if n, err := strconv.Atoi(os.Getenv("SOCIETY_MACHINE_RUNS")); err == nil {
		runs = n
	}
	setRapid(t, "rapid.steps", 50)
	half := (runs + 1) / 2
	setRapid(t, "rapid.checks", (half+4)/5) // a round, repeated as often as needed
	all := propertytest.Met[string]{"a life": half, "a rewind": 1, "a fork": 1}
	if runs >= 70 {
		maps.Copy(all, inTheMiddle())
	}
	for _, half := range []string{"one half", "the other"} { // for two cores
		t.Run(half, func(t *testing.T) {
			t.Parallel()
			met := propertytest.Met[string]{}
			met.Check(t, all, func(t *rapid.T) { rapid.SyncTest(t, func(t *rapid.T) { live(t, met) }) })
		})
	}
}

// setRapid changes a setting of rapid until the test has ended. It is for all tests of
// the package, so no test that runs beside others may change it.
func setRapid(t *testing.T, name string, n int) {
	t.Helper()
	f := flag.Lookup(name)
	was := f.Value.String()
	if err := f.Value.Set(strconv.Itoa(n)); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Value.Set(was) })
}

// live is one life of a society.
func live(t *rapid.T, met propertytest.Met[string]) {
	m := &machine{t: t, met: met, disk: &camera{Store: memdb.New()}, bodies: map[society.MessageID]string{}, known: map[society.MessageID]bool{}, past: map[workKey]bool{}}
	m.store = storagetest.NewFaulty(m.disk)
	m.model = &model{tree: newTree(), limits: machineLimits(), now: time.Now(), began: map[string]int{}}
	m.model.posted, m.model.told, m.model.owes = m.posted, m.told, m.owes
	m.model.wrong = func(format string, args ...any) { t.Fatalf(format, args...) }
	t.Cleanup(func() { m.abandon() })
	met["a life"]++
	m.open(false)
	m.prepare()
	t.Repeat(m.actions())
	m.check(t)
	m.quit()
}

// A machine is a program beside its model.
type machine struct {
	t     *rapid.T
	model *model
	disk  *camera
	store *storagetest.Faulty

	// The present run of the program.
	r     *runtime.Runtime
	hands *hands
	asked *llmtest.Scripted
	mail  *postmark
	leave context.CancelFunc
	ended chan runEnd

	met propertytest.Met[string] // in the middle of what something has happened

	checks int
	n      int                          // numbers texts and calls
	bodies map[society.MessageID]string // what the messages say, where that is known
	inbox  []api.InboxMessage           // what the user had got before this step
	known  map[society.MessageID]bool   // messages to agents that the model was told of
	past   map[workKey]bool             // all that was ever owed; true: it is owed now
	legal  int                          // requests whose history was checked
	fresh  []api.InboxMessage           // what the user has got in this step
}

// A runEnd is how a run of the program ended, and when.
type runEnd struct {
	err error
	at  time.Time
}

// A workKey names a piece of work.
type workKey struct {
	agent       society.AgentID
	epoch, step uint64
}

// A camera keeps what a store holds at a moment, as a crash would find it.
type camera struct {
	*memdb.Store
	mu    sync.Mutex
	after int // commits until the picture is taken; 0: none
	shot  *memdb.Store
}

func (c *camera) Update(f func(storage.Tx) error) error {
	err := c.Store.Update(f)
	c.mu.Lock()
	defer c.mu.Unlock()
	if err == nil && c.after > 0 {
		if c.after--; c.after == 0 {
			c.shot = c.Clone()
		}
	}
	return err
}

// hands hold all requests and runs of tools until they are told how to end, and
// count what was begun.
type hands struct {
	mu    sync.Mutex
	gates map[string]chan llmtest.Answer // by agent, by its node, or by call
	began map[string]int
}

func (h *hands) begin(name string) <-chan llmtest.Answer {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.began[name]++
	h.gates[name] = make(chan llmtest.Answer, 1)
	return h.gates[name]
}

func (h *hands) end(name string, how llmtest.Answer) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.gates[name] <- how
}

func (h *hands) count() map[string]int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return maps.Clone(h.began)
}

func (h *hands) answer(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
	name := identity(req.System)
	if step := presentStep.FindStringSubmatch(req.System); step != nil {
		name = askedAt(name, step[1])
	}
	gate := h.begin(name)
	return func(yield func(llm.Chunk, error) bool) {
		if !yield(llm.Chunk{Reasoning: "hm "}, nil) {
			return
		}
		select {
		case how := <-gate:
			how(ctx, req)(yield)
		case <-ctx.Done():
			yield(llm.Chunk{}, ctx.Err())
		}
	}
}

// A gated tool ends when the test lets it.
type gated struct {
	hands *hands
	name  string
	class tool.Class
}

func (g gated) Spec(protocol.Lang) tool.Spec {
	return tool.Spec{Name: g.name, Purpose: "For tests.", Class: g.class, Group: tool.Read}
}

func (g gated) Call(ctx context.Context, caller tool.Caller, _ json.RawMessage) (tool.Result, error) {
	select {
	case <-g.hands.begin(caller.CallID):
		return tool.Result{Text: "done"}, nil
	case <-ctx.Done():
		return tool.Result{}, ctx.Err()
	}
}

// A postmark learns from the log which messages agents were given.
type postmark struct {
	mu    sync.Mutex
	fresh []stamp // not yet accounted for by the model
}

type stamp struct {
	from, to society.AgentID
	id       society.MessageID
	kind     protocol.MessageType
}

func (p *postmark) Enabled(context.Context, slog.Level) bool { return true }
func (p *postmark) WithAttrs([]slog.Attr) slog.Handler       { return p }
func (p *postmark) WithGroup(string) slog.Handler            { return p }

func (p *postmark) Handle(_ context.Context, r slog.Record) error {
	if r.Message != "message accepted" {
		return nil
	}
	var s stamp
	r.Attrs(func(a slog.Attr) bool {
		switch v := fmt.Sprint(a.Value.Any()); a.Key {
		case "from":
			s.from = society.AgentID(v)
		case "to":
			s.to = society.AgentID(v)
		case "type":
			s.kind = protocol.MessageType(v)
		case "message":
			s.id = society.MessageID(v)
		}
		return true
	})
	p.mu.Lock()
	defer p.mu.Unlock()
	p.fresh = append(p.fresh, s)
	return nil
}

// take returns the first message that fits, and forgets it.
func (p *postmark) take(fits func(stamp) bool) (stamp, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	i := slices.IndexFunc(p.fresh, fits)
	if i < 0 {
		return stamp{}, false
	}
	s := p.fresh[i]
	p.fresh = slices.Delete(p.fresh, i, i+1)
	return s, true
}

func (m *machine) posted(from, to society.AgentID, body string) society.MessageID {
	id := m.stamped(from, to)
	if body != "" {
		m.bodies[id] = body
	}
	return id
}

func (m *machine) stamped(from, to society.AgentID) society.MessageID {
	if to == society.User {
		if i := slices.IndexFunc(m.fresh, func(msg api.InboxMessage) bool { return msg.From == from }); i >= 0 {
			id := m.fresh[i].ID
			m.fresh = slices.Delete(m.fresh, i, i+1)
			return id
		}
		if m.model.outage != nil { // it is in memory only
			return ""
		}
	} else if m.model.saving {
		if id := m.filed(from, to); id != "" {
			return id
		}
	} else if s, ok := m.mail.take(func(s stamp) bool { return s.from == from && s.to == to }); ok {
		m.known[s.id] = true
		return s.id
	}
	m.t.Fatalf("the message of %s to %s was not accepted", from, to)
	return ""
}

// filed finds a stored message that is not in the log: the outcome of a verb in an outage
// is decided again when it is written, but logged once.
func (m *machine) filed(from, to society.AgentID) (id society.MessageID) {
	fits := func(by society.AgentID, other society.MessageID) bool {
		return id == "" && by == from && !m.known[other]
	}
	err := m.store.View(func(tx storage.Tx) error {
		entries, err := tables.Entries(tx, to, 0, 0)
		for _, e := range entries {
			if e.Kind == conversation.Inbound && fits(society.AgentID(e.From), society.MessageID(e.MessageID)) {
				id = society.MessageID(e.MessageID)
			}
		}
		if err != nil {
			return err
		}
		letters, err := tables.WaitingFor(tx, to)
		for _, l := range letters {
			if fits(l.From, l.ID) {
				id = l.ID
			}
		}
		return err
	})
	if err != nil {
		m.t.Fatal(err)
	}
	m.known[id] = true
	return id
}

func (m *machine) told(from society.AgentID) []recipient {
	var all []recipient
	m.mail.mu.Lock()
	for _, s := range m.mail.fresh {
		if s.from == from {
			all = append(all, recipient{s.to, s.kind == protocol.StatusReport})
		}
	}
	m.mail.mu.Unlock()
	for _, msg := range m.fresh {
		if msg.From == from {
			all = append(all, recipient{society.User, msg.Type == protocol.StatusReport})
		}
	}
	return all
}

// owes reads whether an agent has a turn.
func (m *machine) owes(id society.AgentID) (open bool) {
	err := m.store.View(func(tx storage.Tx) error {
		records, err := tables.Load(tx)
		for _, a := range records.Agents {
			if a.ID == id {
				open = a.Turn != nil
			}
		}
		return err
	})
	if err != nil {
		m.t.Fatal(err)
	}
	return open
}

// open begins a run of the program.
func (m *machine) open(paused bool) {
	m.hands = &hands{gates: map[string]chan llmtest.Answer{}, began: map[string]int{}}
	m.asked = llmtest.Func("held", m.hands.answer)
	m.mail = &postmark{}
	m.legal = 0
	r, err := runtime.Open(runtime.Config{
		Store: m.store, Model: m.asked, Limits: machineLimits(), ModelCalls: 100, Paused: paused, Log: slog.New(m.mail), Graphs: machineGraphs,
		Tools: []tool.Tool{gated{m.hands, "look", tool.ClassRead}, gated{m.hands, "write", tool.ClassOwn}},
	})
	if err != nil {
		m.t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	over := make(chan runEnd, 1)
	m.r, m.leave, m.ended = r, cancel, over
	go func() {
		err := r.Run(ctx)
		over <- runEnd{err, time.Now()}
	}()
	m.rest()
}

// abandon ends a run of the program whose results must not count.
func (m *machine) abandon() {
	if m.r == nil {
		return
	}
	m.r.Force()
	m.leave()
	<-m.ended
	m.r = nil
}

// rest waits until nothing goes on by itself.
func (m *machine) rest() {
	time.Sleep(time.Millisecond) // the loop may be gathering a batch
	synctest.Wait()
	inbox, err := m.r.Inbox(context.Background(), api.InboxQuery{})
	if err != nil {
		m.t.Fatal(err)
	}
	same := func(a, b api.InboxMessage) bool { return a.ID == b.ID && a.Body == b.Body }
	if len(inbox) < len(m.inbox) || !slices.EqualFunc(inbox[:len(m.inbox)], m.inbox, same) {
		m.t.Fatalf("of what the person had got something is gone or changed: %+v", inbox)
	}
	m.fresh = append(m.fresh, inbox[len(m.inbox):]...)
	m.inbox = inbox
}

// do gives a command to the program and to the model, and compares the answers.
func (m *machine) do(cmd society.Command) {
	m.model.advance(time.Now())
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	got, err := m.r.Do(ctx, cmd)
	m.rest()
	want, code := m.model.order(cmd)
	if codeOf(err) != code {
		m.t.Fatalf("%+v came to the error %v, not %q", cmd, err, code)
	}
	if code == "" {
		m.compareReplies(cmd, got, want)
	}
}

func codeOf(err error) society.Code {
	var refusal *society.Refusal
	switch {
	case err == nil:
		return ""
	case errors.As(err, &refusal):
		return refusal.Code
	case errors.Is(err, api.ErrLeaving):
		return "leaving"
	}
	return society.Code(err.Error())
}

func (m *machine) compareReplies(cmd society.Command, got, want any) {
	switch reply := got.(type) {
	case society.Sent:
		reply.Task = ""
		got = reply
	case society.Rewound:
		if body, known := m.bodies[reply.Message]; known && body != reply.Text {
			m.t.Fatalf("the text is %q, not %q", reply.Text, body)
		}
		got = society.Rewound{Message: reply.Message, Was: reply.Was}
	case society.Dropped:
		if reply.Text != m.bodies[want.(society.MessageID)] {
			m.t.Fatalf("taken back was %q, not %q", reply.Text, m.bodies[want.(society.MessageID)])
		}
		return
	}
	if g, w := fmt.Sprintf("%+v", got), fmt.Sprintf("%+v", want); g != w {
		m.t.Fatalf("%+v came to %s, not to %s", cmd, g, w)
	}
}

// came ends a piece of work as the model expects.
func (m *machine) came(name string, how llmtest.Answer, e ending) {
	m.model.advance(time.Now())
	m.hands.end(name, how)
	m.rest()
	m.model.came(e)
}

// left returns the messages that nobody has taken.
func (p *postmark) left() []stamp {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.fresh)
}

// forget forgets them.
func (p *postmark) forget() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.fresh = nil
}

func (m *machine) text() string {
	m.n++
	return fmt.Sprintf("number %d.", m.n)
}

// check compares the program with the model.
func (m *machine) check(t *rapid.T) {
	m.model.advance(time.Now())
	m.checkScreen(t)
	m.checkStore(t)
	if got, want := m.hands.count(), m.model.began; !maps.Equal(got, want) {
		t.Fatalf("begun were the requests and tools\n%v, not\n%v", got, want)
	}
	if left := m.mail.left(); len(left) > 0 {
		t.Fatalf("messages from nowhere: %+v", left)
	}
	m.fresh = nil
	requests := m.asked.Requests()
	for _, req := range requests[m.legal:] {
		if err := llm.CheckHistory(req.Request); err != nil {
			t.Fatalf("%s was asked with an illegal history: %v", identity(req.Request.System), err)
		}
		m.checkHeard(t, req.Request)
	}
	m.legal = len(requests)
}

// checkHeard checks that a request has every message that its agent has taken.
func (m *machine) checkHeard(t *rapid.T, req llm.Request) {
	f := m.model.at(society.AgentID(identity(req.System)))
	if f == nil || f.state != society.WaitingLLM || m.model.outage != nil {
		return // it was asked, and more has happened since
	}
	heard := 0
	for _, msg := range req.Messages {
		if msg.Role == llm.User && strings.HasPrefix(msg.Text, "[") { // else it is a word of the graph's
			heard++
		}
	}
	if taken := f.taken(); heard > taken || heard < taken-f.unheard {
		t.Fatalf("%s was sent %d messages, it has taken %d, of which %d may be in summaries", f.id, heard, taken, f.unheard)
	}
}

func (m *machine) checkScreen(t *rapid.T) {
	w := m.r.Watch()
	defer w.Close()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	c, err := w.Next(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if unsaved := m.model.outage != nil; (c.Unsaved != "") != unsaved {
		t.Fatalf("the screen is told %q, in an outage: %t", c.Unsaved, unsaved)
	}
	line := func(id, parent society.AgentID, state society.Status, paused society.Pause, draining bool, waiting int, running []string) string {
		slices.Sort(running)
		return fmt.Sprintf("%s of %s: %s, paused %q, draining %t, %d waiting, running %v", id, parent, state, paused, draining, waiting, running)
	}
	var got, want []string
	for _, row := range c.Rows {
		got = append(got, line(row.ID, row.Parent, row.State, row.Paused, row.Draining, row.Waiting, row.Running))
	}
	for _, f := range m.model.twins {
		var running []string
		for _, s := range f.strands {
			if a := s.next(); a != nil && (a.runs || a.waits) {
				running = append(running, a.id)
			}
		}
		want = append(want, line(f.id, f.parent, f.state, f.paused, f.drain != "", len(f.waiting), running))
	}
	if !slices.Equal(got, want) {
		t.Fatalf("the screen shows\n%s\nnot\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// checkStore compares what is on disk.
func (m *machine) checkStore(t *rapid.T) {
	if m.checks++; m.checks%8 == 1 { // all of it; the others look at what the rules need
		if err := runtime.Check(m.store); err != nil {
			t.Fatalf("the store is not sound: %v", err)
		}
	}
	want := m.model.tree
	if m.model.outage != nil {
		want = m.model.outage.saved
	}
	var got strings.Builder
	err := m.store.View(func(tx storage.Tx) error {
		records, err := tables.Load(tx)
		if err != nil {
			return err
		}
		s := society.Load(machineLimits(), records)
		if err := society.Check(s); err != nil {
			return err
		}
		for key := range m.past {
			m.past[key] = false
		}
		for _, w := range s.Owed() {
			m.past[workKey{w.Item().Agent, w.Item().Epoch, w.Item().Step}] = true
		}
		for _, id := range s.Agents() {
			p, err := m.portrait(tx, s.Agent(id))
			if err != nil {
				return err
			}
			if f := want.at(id); f != nil {
				f.keepsTime(p)
			}
			got.WriteString(p.String())
		}
		return m.checkErased(tx, want)
	})
	if err != nil {
		t.Fatal(err)
	}
	if w := want.portrait(); got.String() != w {
		t.Fatalf("the store holds\n%s\nnot\n%s", got.String(), w)
	}
}

// keepsTime copies the ends of a twin's waits from the program: the loop may have
// gathered a batch for a moment, which the model does not know.
func (f *twin) keepsTime(p portrait) {
	near := func(theirs time.Time, ours *time.Time) {
		if theirs.Sub(*ours).Abs() <= time.Millisecond {
			*ours = theirs
		}
	}
	for _, r := range p.retries {
		if s := f.strand(r.step); s != nil {
			near(r.at, &s.retry)
		}
	}
	if f.drained != nil {
		near(p.until, &f.drained.until)
	}
}

// portrait reads one agent from the store.
func (m *machine) portrait(tx storage.Tx, a *society.Agent) (portrait, error) {
	p := portrait{id: a.ID, parent: a.Parent, drain: a.Drain, state: a.Status, paused: a.Paused, epoch: a.Epoch}
	if a.Turn != nil {
		p.open, p.dropped, p.walked = a.Turn.Suspended, a.Turn.Dropped, walked(a.Turn.Run)
	}
	for _, step := range a.Open {
		if step.Kind == society.WaitStep && step.For <= society.RetryNode {
			p.retries = append(p.retries, retry{step.Work, step.Until})
		}
	}
	slices.SortFunc(p.retries, func(x, y retry) int { return int(x.step) - int(y.step) })
	if a.Drained != nil {
		p.until = a.Drained.Deadline
	}
	for _, l := range a.Mailbox {
		p.waiting = append(p.waiting, fmt.Sprint(l.From, " ", l.ID))
	}
	entries, err := tables.Entries(tx, a.ID, 0, 0)
	for _, e := range entries {
		mark := ""
		if !e.SetAside.IsZero() {
			mark = aside
		}
		switch e.Kind {
		case conversation.Inbound:
			p.said = append(p.said, mark+e.From+" "+e.MessageID)
			if body, known := m.bodies[society.MessageID(e.MessageID)]; known && !strings.HasPrefix(e.Body, body) {
				return p, fmt.Errorf("message %s says %q, not %q", e.MessageID, e.Body, body)
			}
		case conversation.Answer:
			p.said = append(p.said, mark+"answer")
		case conversation.Result:
			p.said = append(p.said, mark+e.CallID+" "+gist(e))
		}
	}
	return p, err
}

// gist describes the result of a call in the model's words.
func gist(e conversation.Entry) string {
	var r struct {
		Error, MessageID, AgentID, TerminatedAgentID string
		CascadeTerminated                            []string
		CutOff                                       int
	}
	words := string(e.Outcome)
	if json.Unmarshal([]byte(e.Text), &r) != nil {
		return words
	}
	switch {
	case r.Error != "":
		return words + " " + r.Error
	case r.MessageID != "":
		return words + " " + r.MessageID
	case r.TerminatedAgentID != "":
		return fmt.Sprintf("%s %s %v cut off %d", words, r.TerminatedAgentID, r.CascadeTerminated, r.CutOff)
	}
	return strings.TrimSpace(words + " " + r.AgentID)
}

// checkErased checks that nothing is kept of those that are gone (S001 P15).
func (m *machine) checkErased(tx storage.Tx, want tree) error {
	for _, bucket := range []string{"agents", "said", "mail", "contacts", "briefs", "erase"} {
		for key := range tx.Range(bucket, nil, nil) {
			for _, id := range strings.Split(string(key), "\x00") {
				if want.gone[society.AgentID(id)] {
					return fmt.Errorf("%s still holds %q", bucket, key)
				}
			}
		}
	}
	return nil
}
