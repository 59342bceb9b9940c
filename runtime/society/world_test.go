package society

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"society-tui/runtime/conversation"
	"society-tui/runtime/propertytest"
	"society-tui/runtime/protocol"
	"society-tui/runtime/tool"
	"society-tui/runtime/tool/artifacts"
	"society-tui/runtime/tool/org"
	"society-tui/runtime/tool/todo"
)

func TestMain(m *testing.M) {
	debug.SetGCPercent(800) // tens of thousands of small, short-lived worlds
	propertytest.SetCases(120, 25)
	os.Exit(m.Run())
}

// fatal is what the world needs of a test: *testing.T and *rapid.T have it.
type fatal interface {
	Helper()
	Fatalf(format string, args ...any)
}

// A world is a society with everything around it that a test plays: the workers,
// the clock, and a mirror of what a store would hold.
type world struct {
	*mirror
	s     *State
	at    time.Time
	halts [][]AgentID // of agents that are ending
	past  []Work      // all that was ever owed
	owing map[owing]bool
	calls int
	last  []Event   // of the last command
	verbs []Command // all that were not refused
	// witness, if set, gets every command with the society before it.
	witness func(was *State, cmd Command, err error)
}

// owing names a piece of work.
type owing struct {
	agent       AgentID
	epoch, step uint64
}

// silent keeps the many cases of a property from asking where they were called,
// which costs more than what they do.
type silent struct{ fatal }

func (silent) Helper() {}

func newWorld(t fatal, limits Limits) *world {
	if _, many := t.(*rapid.T); many {
		t = silent{t}
	}
	w := &world{
		mirror: newMirror(t), s: New(limits), owing: map[owing]bool{},
		at: time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC),
	}
	w.risks()
	w.must(Found{Lang: protocol.English, Role: "organiser", Prompt: "Organise."})
	return w
}

func (w *world) risks() {
	w.s.SetGraphs(library())
	risks := map[string]tool.Risk{"look": tool.Reads, "write": tool.Writes}
	for _, spec := range org.Specs(protocol.English, org.Offer{}) {
		risks[spec.Name] = spec.Risk()
	}
	w.s.SetRisks(risks)
	w.s.SetClasses(map[string]tool.Class{artifacts.Put: tool.ClassOwn, "look": tool.ClassRead, "write": tool.ClassOwn, "edit": tool.ClassEdit, "run": tool.ClassRun})
	w.s.SetGroups(map[string]tool.Group{"look": tool.Read, "write": tool.Read, "edit": tool.Read, "run": tool.Read, todo.Name: tool.Read, artifacts.Put: tool.Read}) // every role has them
}

// try carries a command out, checks every invariant, and keeps the mirror.
func (w *world) try(cmd Command) (any, error) {
	w.t.Helper()
	var was *State
	calls := w.modelCalls()
	if w.witness != nil {
		was = w.again()
	}
	events, reply, err := w.s.Advance(w.at, cmd)
	if w.last = events; err != nil {
		if was != nil {
			w.witness(was, cmd, err)
		}
		return nil, err
	}
	w.verbs, w.lost = append(w.verbs, cmd), 0
	for _, e := range events {
		switch e := e.(type) {
		case StopBegun:
			w.halts = append(w.halts, e.Agents)
		case TerminationBegun:
			w.halts = append(w.halts, e.Agents)
		case ResumedNow:
			if e.Why != OverBudget {
				w.explicit(cmd)
			}
		}
		w.note(w.s, e)
	}
	if r, stop := reply.(StopResult); stop && r.Dropped != w.lost || !stop && w.lost > 0 {
		w.t.Fatalf("%T clears %d messages, and counts %+v", cmd, w.lost, reply)
	}
	w.quiet()
	w.withinBudgets(calls, cmd)
	if problem := Check(w.s); problem != nil {
		w.t.Fatalf("after %T: %v", cmd, problem)
	}
	for _, work := range w.s.Owed() {
		if key := (owing{work.Item().Agent, work.Item().Epoch, work.Item().Step}); !w.owing[key] {
			w.owing[key], w.past = true, append(w.past, work)
		}
	}
	if was != nil {
		w.witness(was, cmd, nil)
	}
	return reply, nil
}

// quiet checks that nothing is owed for whoever has ended, but the wait for the bound of
// a drain in which others go on (S001 P1, P14).
func (w *world) quiet() {
	w.t.Helper()
	for id := range w.ended {
		if work, runs := w.running(id); runs {
			w.t.Fatalf("%s has ended and owes %+v", id, work)
		}
	}
}

// explicit checks that only the user takes an agent up again (SPEC.md, decision 1).
func (w *world) explicit(cmd Command) {
	w.t.Helper()
	switch c := cmd.(type) {
	case Resume, Send:
		return
	case Interrupt:
		if c.Text != "" {
			return
		}
	}
	w.t.Fatalf("%T resumes an agent", cmd)
}

func (w *world) must(cmd Command) any {
	w.t.Helper()
	reply, err := w.try(cmd)
	if err != nil {
		w.t.Fatalf("%T: %v", cmd, err)
	}
	return reply
}

// refused carries a command out that is to be refused with a code.
func (w *world) refused(cmd Command, code Code) {
	w.t.Helper()
	_, err := w.try(cmd)
	if r, ok := errors.AsType[*Refusal](err); !ok || r.Code != code {
		w.t.Fatalf("%T: %v, not %s", cmd, err, code)
	}
}

// stale brings a result that must not count.
func (w *world) stale(cmd Command) {
	w.t.Helper()
	if _, err := w.try(cmd); !errors.Is(err, ErrStale) {
		w.t.Fatalf("%T: %v, not stale", cmd, err)
	}
}

// attempt carries a command out that may be refused.
func (w *world) attempt(cmd Command) {
	w.t.Helper()
	if _, err := w.try(cmd); err != nil {
		if _, ok := errors.AsType[*Refusal](err); !ok {
			w.t.Fatalf("%T: %v is no refusal", cmd, err)
		}
	}
}

func (w *world) agent(id AgentID) *Agent {
	w.t.Helper()
	a := w.s.Agent(id)
	if a == nil {
		w.t.Fatalf("%s is not there", id)
	}
	return a
}

// is checks that an agent has a status.
func (w *world) is(id AgentID, status Status) {
	w.t.Helper()
	if a := w.agent(id); a.Status != status {
		w.t.Fatalf("%s is %s, not %s", id, a.Status, status)
	}
}

// owed returns the first work of a kind that an agent owes.
func (w *world) owed(id AgentID, kind StepKind) Work {
	w.t.Helper()
	for _, work := range w.s.OwedBy(id) {
		if work.Kind() == kind {
			return work
		}
	}
	w.t.Fatalf("%s owes no %s; it is %s", id, kind, w.agent(id).Status)
	return nil
}

func (w *world) thinks(id AgentID) Think {
	w.t.Helper()
	return w.owed(id, ThinkStep).(Think)
}

// untilOf is when work ends by itself, the zero time if it does not.
func untilOf(work Work) time.Time {
	wait, _ := work.(Wait)
	return wait.Until
}

// callOf is the call that work runs, the zero one if it runs none.
func callOf(work Work) conversation.Call {
	act, _ := work.(Act)
	return act.Call
}

// isAfterCompression reports whether work was begun after a compression.
func isAfterCompression(work Work) bool {
	switch work := work.(type) {
	case Think:
		return work.AfterCompression
	case Judge:
		return work.AfterCompression
	}
	return false
}

// isWithoutModel reports whether work compresses without a summary.
func isWithoutModel(work Work) bool {
	compress, _ := work.(Compress)
	return compress.WithoutModel
}

// send is the user's message.
func (w *world) send(to AgentID, text string) {
	w.t.Helper()
	w.must(Send{To: to, Text: text})
}

// says answers an agent's think with plain text.
func (w *world) says(id AgentID, text string) {
	w.t.Helper()
	w.must(Answered{Work: w.thinks(id), Text: text})
}

// acts ends the tool that runs for an agent.
func (w *world) acts(id AgentID, text string) {
	w.t.Helper()
	w.must(ToolDone{Work: w.owed(id, ActStep).(Act), Text: text, Outcome: conversation.OK})
}

// fires lets the time pass that an agent waits for.
func (w *world) fires(id AgentID) {
	w.t.Helper()
	work := w.owed(id, WaitStep)
	w.at = maxTime(w.at, untilOf(work))
	w.must(TimerFired{Work: work.(Wait)})
}

// call makes a call of a tool; its id is one of its own.
func (w *world) call(name string, args any) conversation.Call {
	w.t.Helper()
	w.calls++
	return conversation.Call{ID: fmt.Sprintf("call-%d", w.calls), Name: name, Arguments: payloadOf(args)}
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

// tells is a call of send_message.
func (w *world) tells(to any, kind string, payload any) conversation.Call {
	w.t.Helper()
	return w.call("send_message", object{"to": to, "message_type": kind, "payload": payload})
}

// tellsLater is a call of send_message with a delay.
func (w *world) tellsLater(to any, payload any, after time.Duration) conversation.Call {
	w.t.Helper()
	return w.call("send_message", object{"to": to, "payload": payload, "delayMs": after.Milliseconds()})
}

// result returns the recorded result of a call.
func (w *world) result(id AgentID, call conversation.Call) conversation.Entry {
	w.t.Helper()
	for _, e := range w.said[id] {
		if e.Kind == conversation.Result && e.CallID == call.ID {
			return e
		}
	}
	w.t.Fatalf("%s has no result for %s", id, call.Name)
	return conversation.Entry{}
}

// answer reads the recorded result of a call.
func (w *world) answer(id AgentID, call conversation.Call) object {
	w.t.Helper()
	text, _, _ := strings.Cut(w.result(id, call).Text, "\n") // a warning may follow
	var v object
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		w.t.Fatalf("the result of %s: %q: %v", call.Name, text, err)
	}
	return v
}

// spawn makes an agent under a parent, which is in its turn or is sent a message
// first, and returns its id. Parent and child are left thinking.
func (w *world) spawn(parent AgentID) AgentID {
	w.t.Helper()
	if w.agent(parent).Status == Idle {
		w.send(parent, "get help")
	}
	if w.s.Role("role-worker") == nil {
		w.calling(parent, w.call("create_role", object{"name": "worker", "rolePrompt": "Work."}))
	}
	task := brief()
	task["inputs"] = fmt.Sprintf("text %d", w.calls) // the same call again would be warned of
	spawn := w.call("spawn_agent", object{"roleId": "role-worker", "taskBrief": task})
	if w.agent(parent).Turn.Rounds >= w.s.limits.ToolRounds-1 {
		w.says(parent, "a pause")
		w.send(parent, "more help")
	}
	w.calling(parent, spawn)
	id, _ := w.answer(parent, spawn)["agentId"].(string)
	if id == "" {
		w.t.Fatalf("spawn under %s: %s", parent, w.result(parent, spawn).Text)
	}
	return AgentID(id)
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

// records returns what a store would give back, through its encoding.
func (w *world) records() Records {
	w.t.Helper()
	r := Records{Counters: w.s.Numbers(), User: slices.Clone(w.s.userKnows)}
	for _, id := range w.s.Agents() {
		a := w.s.Agent(id)
		b := again(w.t, a)
		if len(a.Later) > 0 {
			b.Later = slices.Clone(a.Later)
		}
		b.Mailbox = slices.Clone(a.Mailbox)
		if a.todo != nil {
			r.Todos = append(r.Todos, again(w.t, a.todo))
		}
		for _, c := range a.Contacts {
			b.Contacts = b.Contacts.With(c)
		}
		r.Agents = append(r.Agents, b)
	}
	for _, a := range w.s.Artifacts("") {
		r.Artifacts = append(r.Artifacts, again(w.t, &a))
	}
	for _, role := range w.s.Roles() {
		r.Roles = append(r.Roles, again(w.t, role))
	}
	for _, id := range slices.Sorted(maps.Keys(w.s.tasks)) {
		r.Tasks = append(r.Tasks, again(w.t, w.s.tasks[id]))
	}
	for _, id := range sorted(w.s.tombs) {
		r.Tombs = append(r.Tombs, again(w.t, w.s.tombs[id]))
	}
	for _, one := range w.s.Approvals() {
		stored := again(w.t, one)
		stored.Preview = one.Preview
		r.Approvals = append(r.Approvals, stored)
	}
	r.Modes, r.Rules = w.s.Modes(), slices.Clone(w.s.approvals.rules)
	r.Spent = w.sums()
	return r
}

// again returns what becomes of a record that is stored and read.
func again[T any](t fatal, v *T) *T {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatalf("encode %T: %v", v, err)
	}
	read := new(T)
	if err := json.Unmarshal(raw, read); err != nil {
		t.Fatalf("decode %T: %v", v, err)
	}
	return read
}

// load puts the society in the place of the one that its records make.
func (w *world) load() {
	w.t.Helper()
	w.s = Load(w.s.limits, w.records())
	w.risks()
}

// restart is a crash and a new start.
func (w *world) restart(paused bool) {
	w.t.Helper()
	w.load()
	w.halts = nil
	w.must(Restart{Paused: paused})
}
