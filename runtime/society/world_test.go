package society

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"society-tui/runtime/conversation"
	"society-tui/runtime/protocol"
	"society-tui/runtime/tool"
)

// TestMain makes every property run a thousand random cases, unless the command
// line says otherwise.
func TestMain(m *testing.M) {
	flag.Parse()
	set := false
	flag.Visit(func(f *flag.Flag) { set = set || f.Name == "rapid.checks" })
	if !set {
		if err := flag.Set("rapid.checks", "1000"); err != nil {
			panic(err)
		}
	}
	os.Exit(m.Run())
}

// fatal is what the world needs of a test: *testing.T and *rapid.T have it.
type fatal interface {
	Helper()
	Fatalf(format string, args ...any)
}

// A world is a society with everything around it that a test plays: the workers,
// the clock, and a mirror of the conversations as a store would hold them.
type world struct {
	t      fatal
	s      *State
	at     time.Time
	halts  [][]AgentID // of agents that are ending
	past   []Work      // all that was ever owed
	said   map[AgentID]map[uint64]conversation.Entry
	letter map[AgentID]map[uint64]*delivery
	inbox  []Delivered
	calls  int
	last   []Event // of the last command
}

// A delivery is what became of a message to an agent.
type delivery struct {
	text    string
	taken   int
	dropped bool
}

func newWorld(t fatal, limits Limits) *world {
	w := &world{
		t: t, s: New(limits), at: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC),
		said: map[AgentID]map[uint64]conversation.Entry{}, letter: map[AgentID]map[uint64]*delivery{},
	}
	w.risks()
	w.must(Found{Lang: protocol.English, Role: "organiser", Prompt: "Organise."})
	return w
}

func (w *world) risks() {
	w.s.SetRisks(map[string]tool.Risk{"look": tool.Reads, "write": tool.Writes, "compress_context": tool.Reads, "context_status": tool.Reads})
}

// try carries a command out, checks every invariant, and keeps the mirror.
func (w *world) try(cmd Command) (any, error) {
	w.t.Helper()
	events, reply, err := w.s.Advance(w.at, cmd)
	w.last = events
	if err != nil {
		return nil, err
	}
	for _, e := range events {
		w.mirror(e)
	}
	if problem := Check(w.s); problem != nil {
		w.t.Fatalf("after %T: %v", cmd, problem)
	}
	for _, work := range w.s.Owed() {
		if !slices.ContainsFunc(w.past, func(p Work) bool {
			return p.Agent == work.Agent && p.Step == work.Step && p.Epoch == work.Epoch
		}) {
			w.past = append(w.past, work)
		}
	}
	return reply, nil
}

func (w *world) must(cmd Command) any {
	w.t.Helper()
	reply, err := w.try(cmd)
	if err != nil {
		w.t.Fatalf("%T: %v", cmd, err)
	}
	return reply
}

// mirror keeps what a store would keep, and holds each event to what it promises.
func (w *world) mirror(e Event) {
	w.t.Helper()
	put := func(id AgentID, entry conversation.Entry) {
		if w.said[id] == nil {
			w.said[id] = map[uint64]conversation.Entry{}
		}
		if old, ok := w.said[id][entry.Slot]; ok {
			w.t.Fatalf("%s: slot %d has %+v and gets %+v", id, entry.Slot, old, entry)
		}
		w.said[id][entry.Slot] = entry
	}
	switch e := e.(type) {
	case Accepted:
		if w.letter[e.To] == nil {
			w.letter[e.To] = map[uint64]*delivery{}
		}
		if w.letter[e.To][e.Mail.Seq] != nil {
			w.t.Fatalf("message %d to %s was accepted twice", e.Mail.Seq, e.To)
		}
		w.letter[e.To][e.Mail.Seq] = &delivery{text: e.Text}
	case Delivered:
		w.inbox = append(w.inbox, e)
	case TakenBack:
		w.letter[e.Agent][e.Seq].dropped = true
	case Taken:
		w.take(e, put)
	case AnswerKept:
		put(e.Agent, e.Entry)
	case AnswerDropped:
		put(e.Agent, e.Entry)
	case Resulted:
		put(e.Agent, e.Entry)
	case Noted:
		put(e.Agent, e.Entry)
	case Compacted:
		put(e.Agent, e.Entry)
	case GroupDropped:
		entry := w.said[e.Agent][e.Slot]
		entry.Kind = conversation.Superseded
		w.said[e.Agent][e.Slot] = entry
	case StopBegun:
		w.halts = append(w.halts, e.Agents)
	case TerminationBegun:
		w.halts = append(w.halts, e.Agents)
	case Erased:
		for _, t := range e.Tombs {
			delete(w.said, t.ID)
			delete(w.letter, t.ID)
		}
	case ThinkOpened:
		w.legal(e.Agent)
	}
}

func (w *world) take(e Taken, put func(AgentID, conversation.Entry)) {
	w.t.Helper()
	last := uint64(0)
	for i, m := range e.Mails {
		d := w.letter[e.Agent][m.Seq]
		switch {
		case d == nil:
			w.t.Fatalf("%s takes message %d, which was never accepted", e.Agent, m.Seq)
		case d.taken > 0 || d.dropped:
			w.t.Fatalf("%s takes message %d twice", e.Agent, m.Seq)
		case m.Seq <= last:
			w.t.Fatalf("%s takes message %d behind %d", e.Agent, m.Seq, last)
		}
		d.taken++
		last = m.Seq
		put(e.Agent, conversation.Entry{
			Slot: e.First + uint64(i), Kind: conversation.Inbound, Text: d.text, From: string(m.From), Seq: m.Seq,
		})
	}
}

// history returns the mirror of a conversation in slot order.
func (w *world) history(id AgentID) []conversation.Entry {
	var list []conversation.Entry
	for _, e := range w.said[id] {
		list = append(list, e)
	}
	slices.SortFunc(list, func(a, b conversation.Entry) int { return int(a.Slot) - int(b.Slot) })
	return list
}

// legal holds that the history needs no mending when the model is asked: every
// call has the one result that was recorded for it (S003 5.4).
func (w *world) legal(id AgentID) {
	w.t.Helper()
	context := slices.DeleteFunc(w.history(id), func(e conversation.Entry) bool { return !e.Kind.InContext() })
	answered := map[string]int{}
	for _, e := range context {
		if e.Kind == conversation.Result {
			answered[e.CallID]++
		}
	}
	for _, e := range context {
		for _, c := range e.Calls {
			if answered[c.ID] != 1 {
				w.t.Fatalf("%s is asked to think with call %s (%s) answered %d times", id, c.ID, c.Name, answered[c.ID])
			}
		}
	}
}

// owed returns the first work of a kind that an agent owes.
func (w *world) owed(id AgentID, kind WorkKind) Work {
	w.t.Helper()
	for _, work := range w.s.OwedBy(id) {
		if work.Kind == kind {
			return work
		}
	}
	w.t.Fatalf("%s owes no %s; it is %s", id, kind, w.s.Agent(id).Status)
	return Work{}
}

func (w *world) thinks(id AgentID) Work { w.t.Helper(); return w.owed(id, Think) }

// says answers an agent's think with plain text.
func (w *world) says(id AgentID, text string) {
	w.t.Helper()
	w.must(Answered{Work: w.thinks(id), Text: text})
}

// call makes a call of a tool; its id is one of its own.
func (w *world) call(name string, args any) conversation.Call {
	w.calls++
	raw, err := json.Marshal(args)
	if err != nil {
		w.t.Fatalf("arguments of %s: %v", name, err)
	}
	return conversation.Call{ID: fmt.Sprintf("call-%d", w.calls), Name: name, Arguments: string(raw)}
}

// calling answers an agent's think with calls.
func (w *world) calling(id AgentID, calls ...conversation.Call) {
	w.t.Helper()
	w.must(Answered{Work: w.thinks(id), Calls: calls})
}

type object = map[string]any

func brief() object {
	return object{
		"objective": "look at it", "constraints": []string{}, "inputs": "a text",
		"outputs": "a list", "completion_criteria": "all is listed",
	}
}

// result returns the recorded result of a call.
func (w *world) result(id AgentID, call conversation.Call) conversation.Entry {
	w.t.Helper()
	for _, e := range w.history(id) {
		if e.Kind == conversation.Result && e.CallID == call.ID {
			return e
		}
	}
	w.t.Fatalf("%s has no result for %s", id, call.Name)
	return conversation.Entry{}
}

// spawn makes an agent under a parent, which is in its turn or is sent a message
// first, and returns its id. Parent and child are left thinking.
func (w *world) spawn(parent AgentID) AgentID {
	w.t.Helper()
	if w.s.Agent(parent).Status == Idle {
		w.must(Send{To: parent, Text: "get help"})
	}
	if w.s.Role("role-worker") == nil {
		w.calling(parent, w.call("create_role", object{"name": "worker", "rolePrompt": "Work."}))
	}
	spawn := w.call("spawn_agent", object{"roleId": "role-worker", "taskBrief": brief()})
	w.calling(parent, spawn)
	var got struct {
		Agent AgentID `json:"agentId"`
	}
	text := w.result(parent, spawn).Text
	if err := json.Unmarshal([]byte(text), &got); err != nil || got.Agent == "" {
		w.t.Fatalf("spawn under %s: %s", parent, text)
	}
	return got.Agent
}

// halted lets all workers of ending agents have ended.
func (w *world) halted() {
	w.t.Helper()
	for len(w.halts) > 0 {
		ids := w.halts[0]
		w.halts = w.halts[1:]
		w.must(Halted{Agents: ids})
	}
}

// reload stores the society and loads it again, as a restart does.
func (w *world) reload() {
	w.t.Helper()
	records := Records{Counters: w.s.Numbers(), Roles: w.s.Roles()}
	for _, id := range w.s.Agents() {
		a := w.s.Agent(id)
		raw, err := json.Marshal(a)
		if err != nil {
			w.t.Fatalf("encode %s: %v", id, err)
		}
		b := &Agent{}
		if err := json.Unmarshal(raw, b); err != nil {
			w.t.Fatalf("decode %s: %v", id, err)
		}
		b.Mailbox, b.Contacts = slices.Clone(a.Mailbox), a.Contacts
		records.Agents = append(records.Agents, b)
	}
	for _, task := range w.s.tasks {
		records.Tasks = append(records.Tasks, task)
	}
	for _, t := range w.s.tombs {
		records.Tombs = append(records.Tombs, t)
	}
	w.s = Load(w.s.limits, records)
	w.risks()
	w.halts = nil
	w.must(Restart{})
}

// anyAgent draws one of the agents that are there.
func (w *world) anyAgent(t *rapid.T) AgentID {
	return rapid.SampledFrom(w.s.Agents()).Draw(t, "agent")
}

// step does one random thing that may happen to a society.
func (w *world) step(t *rapid.T) {
	switch rapid.IntRange(0, 15).Draw(t, "what") {
	case 0, 1:
		w.attempt(Send{To: w.anyAgent(t), Text: "hello", Resume: rapid.Bool().Draw(t, "resume")})
	case 2, 3, 4, 5, 6, 7, 8:
		w.work(t)
	case 9:
		w.attempt(Interrupt{Agent: w.anyAgent(t), Text: rapid.SampledFrom([]string{"", "go on like this"}).Draw(t, "text")})
	case 10:
		w.attempt(Stop{Agent: w.anyAgent(t)})
	case 11:
		w.attempt(Resume{Agent: w.anyAgent(t), Alone: rapid.Bool().Draw(t, "alone")})
	case 12:
		w.attempt(Terminate{Agent: w.anyAgent(t), By: User})
	case 13:
		w.halted()
	case 14:
		w.stale(t)
	case 15:
		w.rare(t)
	}
}

func (w *world) rare(t *rapid.T) {
	switch rapid.IntRange(0, 3).Draw(t, "rare") {
	case 0:
		w.reload()
	case 1:
		w.attempt(DropWaiting{Agent: w.anyAgent(t)})
	case 2:
		w.attempt(PauseAll{})
	case 3:
		w.attempt(Seen{Agent: w.anyAgent(t)})
	}
}

// attempt carries a command out that may be refused.
func (w *world) attempt(cmd Command) {
	if _, err := w.try(cmd); err != nil {
		if _, ok := errors.AsType[*Refusal](err); !ok {
			w.t.Fatalf("%T: %v is no refusal", cmd, err)
		}
	}
}

// stale brings the result of some work again: it must count only if it is owed.
func (w *world) stale(t *rapid.T) {
	if len(w.past) == 0 {
		return
	}
	work := rapid.SampledFrom(w.past).Draw(t, "past")
	if w.s.Agent(work.Agent).Expects(work) {
		return
	}
	before := len(w.said[work.Agent])
	for _, cmd := range []Command{
		Answered{Work: work, Text: "late"}, Failed{Work: work, Retryable: true},
		ToolDone{Work: work, Text: "late"}, TimerFired{Work: work}, Compressed{Work: work}, Panicked{Work: work},
	} {
		if _, err := w.try(cmd); !errors.Is(err, ErrStale) {
			w.t.Fatalf("a late %T of %s was taken: %v", cmd, work.Agent, err)
		}
	}
	if len(w.said[work.Agent]) != before {
		w.t.Fatalf("a late result changed the conversation of %s", work.Agent)
	}
}

// work ends some piece of work that is owed, in some way.
func (w *world) work(t *rapid.T) {
	owed := w.s.Owed()
	if len(owed) == 0 {
		return
	}
	work := rapid.SampledFrom(owed).Draw(t, "work")
	if rapid.IntRange(0, 40).Draw(t, "panics") == 0 {
		w.must(Panicked{Work: work, Text: "oops"})
		return
	}
	switch work.Kind {
	case Wait:
		w.at = maxTime(w.at, work.Until)
		w.must(TimerFired{Work: work})
	case Act:
		w.must(ToolDone{Work: work, Text: "done", Outcome: conversation.OK})
	case Think:
		w.answer(t, work)
	}
}

func maxTime(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// answer ends a think: with a failure, a text, or up to three calls.
func (w *world) answer(t *rapid.T, work Work) {
	how := rapid.IntRange(0, 9).Draw(t, "how")
	switch {
	case how == 0:
		w.must(Failed{Work: work, Class: "overload", Text: "busy", Retryable: rapid.Bool().Draw(t, "retry"), Partial: 3})
		return
	case how <= 3:
		w.must(Answered{Work: work, Text: rapid.SampledFrom([]string{"", "here it is"}).Draw(t, "text"), Usage: Usage{Input: 5, Output: 7}})
		return
	}
	var calls []conversation.Call
	for range rapid.IntRange(1, 3).Draw(t, "calls") {
		calls = append(calls, w.anyCall(t))
	}
	w.must(Answered{Work: work, Calls: calls, Cut: rapid.IntRange(0, 20).Draw(t, "cut") == 0})
}

func (w *world) anyCall(t *rapid.T) conversation.Call {
	other := rapid.SampledFrom(append(w.s.Agents(), User, "nobody-7")).Draw(t, "other")
	switch rapid.IntRange(0, 9).Draw(t, "tool") {
	case 0:
		return w.call("create_role", object{"name": "worker", "rolePrompt": "Work."})
	case 1, 2, 3:
		role := rapid.SampledFrom(w.s.Roles()).Draw(t, "role")
		return w.call("spawn_agent", object{"roleId": role.ID, "taskBrief": brief()})
	case 4, 5:
		kind := rapid.SampledFrom([]string{"", "status_report", "collaboration_request"}).Draw(t, "kind")
		return w.call("send_message", object{"to": other, "message_type": kind, "payload": object{"text": "well"}})
	case 6:
		return w.call("terminate_agent", object{"agentId": other})
	case 7:
		return w.call("list_contacts", object{})
	case 8:
		return w.call("look", object{"n": w.calls})
	}
	return w.call("write", object{"n": w.calls})
}

// small are limits that random histories reach.
func small() Limits {
	l := DefaultLimits()
	l.Agents, l.Depth, l.Children, l.Queue, l.ToolRounds = 12, 3, 4, 6, 6
	return l
}

// grown returns a society that has lived through some random steps.
func grown(t *rapid.T) *world {
	w := newWorld(t, small())
	for range rapid.IntRange(1, 40).Draw(t, "steps") {
		w.step(t)
	}
	return w
}

func TestEveryHistoryKeepsTheInvariants(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := grown(t)
		w.halted()
		w.reload()
		w.halted()
	})
}
