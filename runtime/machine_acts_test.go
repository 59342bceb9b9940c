package runtime_test

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"pgregory.net/rapid"

	"society-tui/llm"
	"society-tui/llm/llmtest"
	"society-tui/runtime/conversation"
	"society-tui/runtime/graph"
	"society-tui/runtime/society"
	"society-tui/storage/memdb"
	"society-tui/storage/storagetest"
)

// actions are all that can happen to a society, each with its weight.
func (m *machine) actions() map[string]func(*rapid.T) {
	actions := map[string]func(*rapid.T){"": m.check}
	for _, a := range []struct {
		name string
		n    int
		do   func(*rapid.T)
	}{
		{"the person sends", 3, m.sends},
		{"the person takes a message back", 1, m.takesBack},
		{"the person interrupts", 2, m.interrupts},
		{"the person goes back", 2, m.rewinds},
		{"the person copies an agent", 1, m.copies},
		{"the person stops", 1, m.stops},
		{"the person resumes", 2, m.resumes},
		{"the person pauses", 1, m.pauses},
		{"the person terminates", 1, m.terminates},
		{"the person compresses", 2, m.compresses},
		{"an agent says something", 3, m.says},
		{"an agent calls tools", 9, m.calls},
		{"branches call tools", 3, m.branches},
		{"a request fails", 2, m.fails},
		{"a tool ends", 5, m.toolEnds},
		{"something comes too late", 1, m.late},
		{"time passes", 3, m.timePasses},
		{"the store fails or heals", 2, m.storeFailsOrHeals},
		{"a commit has the hiccups", 1, m.hiccups},
		{"the program leaves and starts", 1, m.leaves},
		{"the program crashes and starts", 1, m.crashes},
		{"the program crashes in the middle", 1, m.crashesWithin},
	} {
		for i := range a.n {
			actions[fmt.Sprint(a.name, " ", i+1)] = a.do
		}
	}
	return actions
}

// prepare brings life into a society: root has a role to spawn and two children.
func (m *machine) prepare() {
	steps := m.graphs()
	m.do(society.Send{To: society.Root, Text: m.text()})
	role := call("create_role", object{"name": "worker", "rolePrompt": "Work.", "graph": steps})
	role.ID = "c0"
	calls := []*act{{id: "c0", tool: "create_role"}}
	made := []llm.Call{role}
	for range 2 {
		a, c := m.newAct("spawn_agent", "")
		calls, made = append(calls, a), append(made, c)
	}
	root := m.model.at(society.Root)
	begins := root.strands[0]
	m.came(root.asks(begins), llmtest.CallTools(made...), ending{agent: society.Root, step: begins.step, kind: "calls", calls: calls})
	walks := func(f *twin) bool { return f.run != nil && f.thinks() }
	for range rapid.IntRange(0, 9).Draw(m.t, "walked") {
		if slices.ContainsFunc(m.model.twins, walks) {
			m.check(m.t)
			m.speaks(m.t, m.one(m.t, walks))
		}
	}
	for _, f := range slices.Clone(m.model.twins) {
		if f.graph != nil && f.graph.Parallel() && rapid.Bool().Draw(m.t, "forks") {
			m.forks(m.t, f)
		}
	}
}

// newAct returns a call for the model and for the program.
func (m *machine) newAct(name string, to society.AgentID) (*act, llm.Call) {
	m.n++
	a := &act{id: fmt.Sprint("c", m.n), tool: name, to: to}
	args := object{"n": m.n}
	switch name {
	case "send_message":
		a.body = m.text()
		args = object{"to": to, "payload": a.body}
	case "spawn_agent":
		args = object{"roleId": "role-worker", "taskBrief": brief}
	case "terminate_agent":
		args = object{"agentId": to, "reason": a.id}
	}
	c := call(name, args)
	c.ID = a.id
	return a, c
}

// anybody draws an agent; one that is gone or never was is rare.
func (m *machine) anybody(t *rapid.T, more ...society.AgentID) society.AgentID {
	ids := more
	for _, f := range m.model.twins {
		if ids = append(ids, f.id, f.id, f.id); f.sideBySide() && len(f.strands) > 1 {
			ids = append(ids, slices.Repeat([]society.AgentID{f.id}, 9)...)
		}
	}
	for n := range m.model.spawned {
		if id := society.AgentID(fmt.Sprint("worker-", n+1)); m.model.gone[id] {
			ids = append(ids, id)
			break
		}
	}
	return rapid.SampledFrom(append(ids, "nobody-1")).Draw(t, "agent")
}

// one draws one of those agents that fit; without any the action is not possible.
func (m *machine) one(t *rapid.T, fits func(*twin) bool) *twin {
	var ids []society.AgentID
	for _, f := range m.model.twins {
		if fits(f) {
			ids = append(ids, f.id)
		}
	}
	if len(ids) == 0 {
		t.Skip("there is none")
	}
	return m.model.at(rapid.SampledFrom(ids).Draw(t, "agent"))
}

// thinks reports whether the model is asked for a strand.
func (s *strand) thinks() bool { return s.live && s.running() == nil }

func (f *twin) thinks() bool { return slices.ContainsFunc(f.strands, (*strand).thinks) }

// strandOf draws one of those strands of a twin that fit.
func strandOf(t *rapid.T, f *twin, fits func(*strand) bool) *strand {
	able := slices.DeleteFunc(slices.Clone(f.strands), func(s *strand) bool { return !fits(s) })
	if len(able) == 1 {
		return able[0]
	}
	return able[rapid.IntRange(0, len(able)-1).Draw(t, "branch")]
}

func (m *machine) sends(t *rapid.T) {
	id := m.anybody(t)
	m.reach("send", id)
	m.do(society.Send{To: id, Text: m.text(), Resume: rapid.Bool().Draw(t, "resume and send")})
}

func (m *machine) takesBack(t *rapid.T) {
	f := m.one(t, func(f *twin) bool { return len(f.waiting) > 0 })
	m.do(society.DropWaiting{Agent: f.id})
}

func (m *machine) interrupts(t *rapid.T) {
	text := ""
	if rapid.Bool().Draw(t, "with a text") {
		text = m.text()
	}
	id := m.anybody(t)
	m.reach("interrupt", id)
	m.do(society.Interrupt{Agent: id, Text: text})
}

func (m *machine) rewinds(t *rapid.T) {
	f := m.one(t, func(f *twin) bool { return len(f.written()) > 0 })
	was := len(f.written())
	m.do(society.Rewind{Agent: f.id, Message: rapid.SampledFrom(f.written()).Draw(t, "message")})
	m.met["a rewind"] += max(was-len(f.written()), 0)
}

func (m *machine) copies(t *rapid.T) {
	f := m.one(t, func(f *twin) bool { return f.id != society.Root })
	was := len(m.model.twins)
	m.do(society.Fork{Agent: f.id})
	m.met["a fork"] += len(m.model.twins) - was
}

// written are the user's messages to a twin that are not set aside.
func (f *twin) written() (ids []society.MessageID) {
	for _, line := range f.said {
		if id, mine := strings.CutPrefix(line, string(society.User)+" "); mine {
			ids = append(ids, society.MessageID(id))
		}
	}
	return ids
}

func (m *machine) stops(t *rapid.T) {
	id := m.anybody(t)
	m.reach("stop", id)
	m.do(society.Stop{Agent: id})
}

func (m *machine) resumes(t *rapid.T) {
	id := m.anybody(t)
	m.reach("resume", id)
	m.do(society.Resume{Agent: id, Alone: rapid.Bool().Draw(t, "alone")})
}

func (m *machine) terminates(t *rapid.T) {
	id := m.anybody(t)
	m.reach("terminate", id)
	m.do(society.Terminate{Agent: id, By: society.User, Reason: "enough"})
}

func (m *machine) says(t *rapid.T) { m.speaks(t, m.one(t, (*twin).thinks)) }

func (m *machine) speaks(t *rapid.T, f *twin) { m.speaksIn(t, f, strandOf(t, f, (*strand).thinks)) }

func (m *machine) speaksIn(t *rapid.T, f *twin, s *strand) {
	if f.judges(s) {
		m.judges(t, f, s)
		return
	}
	text := rapid.SampledFrom([]string{"", m.text(), m.text()}).Draw(t, "text")
	m.came(f.asks(s), llmtest.Say(text), ending{agent: f.id, step: s.step, kind: "text", body: text})
}

// calls makes an agent call up to three tools. No recipient is written to twice
// in one answer, nor is one ended that was written to: whether it has read the first
// message before the second comes, or the drain, is not for the model to say.
func (m *machine) calls(t *rapid.T) {
	f := m.one(t, (*twin).thinks)
	s := strandOf(t, f, (*strand).thinks)
	// Else few come far in their graphs; but branches are to be at calls at the same time.
	if f.judges(s) || f.run != nil && !f.sideBySide() && rapid.IntRange(0, 2).Draw(t, "goes on") > 0 {
		m.speaksIn(t, f, s)
		return
	}
	var acts []*act
	var made []llm.Call
	written := map[society.AgentID]bool{}
	for range rapid.IntRange(1, 3).Draw(t, "calls") {
		name := rapid.SampledFrom([]string{"look", "write", "send_message", "send_message", "spawn_agent", "spawn_agent", "terminate_agent", "terminate_agent"}).Draw(t, "tool")
		var to society.AgentID
		switch name {
		case "send_message":
			to = m.anybody(t, society.User, f.parent, f.parent)
			if written[to] {
				continue
			}
			written[to] = true
		case "terminate_agent":
			if to = m.childOf(t, f); m.holdsAny(to, written) {
				continue
			}
		}
		a, c := m.newAct(name, to)
		acts, made = append(acts, a), append(made, c)
	}
	m.came(f.asks(s), llmtest.CallTools(made...), ending{agent: f.id, step: s.step, kind: "calls", calls: acts})
}

// holdsAny reports whether one of those agents is this one, or lies below it.
func (m *machine) holdsAny(top society.AgentID, those map[society.AgentID]bool) bool {
	for id := range those {
		if id == top || m.model.below(id, top) {
			return true
		}
	}
	return false
}

// childOf draws a child, and sometimes somebody else.
func (m *machine) childOf(t *rapid.T, f *twin) society.AgentID {
	var ids []society.AgentID
	for _, g := range m.model.twins {
		if g.parent == f.id {
			ids = append(ids, g.id, g.id, g.id)
		}
	}
	return rapid.SampledFrom(append(ids, m.anybody(t))).Draw(t, "child")
}

func (m *machine) fails(t *rapid.T) {
	f := m.one(t, (*twin).thinks)
	s := strandOf(t, f, (*strand).thinks)
	err := &llm.Error{Class: llm.Overload, Status: 503, Text: "busy"}
	kind := "retry"
	if rapid.IntRange(0, 3).Draw(t, "for good") == 0 {
		err, kind = &llm.Error{Class: llm.Auth, Status: 401, Text: "no such key"}, "fails"
	}
	m.came(f.asks(s), llmtest.Fail(err), ending{agent: f.id, step: s.step, kind: kind})
}

func (m *machine) toolEnds(t *rapid.T) {
	runs := func(s *strand) bool { return s.live && s.running() != nil }
	f := m.one(t, func(f *twin) bool { return slices.ContainsFunc(f.strands, runs) })
	s := strandOf(t, f, runs)
	m.came(s.running().id, nil, ending{agent: f.id, step: s.step, kind: "tool"})
}

// late brings a result of what is not owed any more: it is thrown away, whatever
// it brings.
func (m *machine) late(t *rapid.T) {
	if m.model.outage != nil || m.model.broken {
		t.Skip("results are held")
	}
	var late []workKey
	for key, owed := range m.past {
		if !owed {
			late = append(late, key)
		}
	}
	if len(late) == 0 {
		t.Skip("nothing is late")
	}
	slices.SortFunc(late, func(a, b workKey) int {
		return cmp.Or(cmp.Compare(a.agent, b.agent), cmp.Compare(a.epoch, b.epoch), cmp.Compare(a.step, b.step))
	})
	key := rapid.SampledFrom(late).Draw(t, "work")
	item := society.WorkItem{Agent: key.agent, Epoch: key.epoch, Step: key.step}
	w := society.Think{WorkItem: item}
	for _, cmd := range []society.Command{
		society.Answered{Work: w, Text: m.text()},
		society.Failed{Work: w, Text: "late"},
		society.ToolDone{Work: society.Act{WorkItem: item}, Text: "late", Outcome: conversation.OK},
		society.TimerFired{Work: society.Wait{WorkItem: item}},
		society.Judged{Work: society.Judge{WorkItem: item}, Verdict: graph.Yes},
		society.Joined{Work: society.Join{WorkItem: item}, Text: "late"},
	} {
		if _, err := m.r.Do(t.Context(), cmd); !errors.Is(err, society.ErrStale) {
			t.Fatalf("%T of %+v came to %v", cmd, w, err)
		}
	}
	m.rest()
}

func (m *machine) timePasses(t *rapid.T) {
	time.Sleep(rapid.SampledFrom([]time.Duration{500 * time.Millisecond, time.Second, 5 * time.Second, 31 * time.Second, time.Hour}).Draw(t, "time"))
	m.rest()
}

func (m *machine) storeFailsOrHeals(t *rapid.T) {
	if !m.model.broken {
		m.reach("failing disk")
		m.store.FailAll(errFull)
		m.model.broken = true
		return
	}
	m.store.Heal()
	m.model.broken = false
	if rapid.Bool().Draw(t, "wait") {
		time.Sleep(time.Second)
		m.rest()
	}
}

// hiccups lets one commit fail, before or after it was made: it is tried again,
// and nobody notices.
func (m *machine) hiccups(t *rapid.T) {
	if m.model.broken || m.model.outage != nil {
		t.Skip("nothing is saved")
	}
	if rapid.Bool().Draw(t, "after") {
		m.store.FailAfter(1, errFull)
	} else {
		m.store.FailBefore(1, errFull)
	}
}

// leaves is a graceful end: some of what is in flight still comes in time.
func (m *machine) leaves(t *rapid.T) {
	if rapid.IntRange(0, 3).Draw(t, "pause all") == 0 {
		m.do(society.PauseAll{})
	}
	m.reach("leave")
	m.leave()
	m.rest()
	m.model.leaving = true
	for range rapid.IntRange(0, 2).Draw(t, "in time") {
		if !slices.ContainsFunc(m.model.twins, (*twin).thinks) {
			break
		}
		if rapid.Bool().Draw(t, "with calls") {
			m.calls(t)
		} else {
			m.says(t)
		}
	}
	if m.running() && rapid.Bool().Draw(t, "a verb") {
		rapid.SampledFrom([]func(*rapid.T){m.stops, m.sends, m.terminates, m.interrupts}).Draw(t, "verb")(t)
	}
	m.quit()
	m.start(t)
}

// running reports whether the program that leaves is still there.
func (m *machine) running() bool {
	return slices.ContainsFunc(m.model.twins, func(f *twin) bool {
		return slices.ContainsFunc(f.strands, func(s *strand) bool { return s.live })
	})
}

// quit waits for the end of a run of the program.
func (m *machine) quit() {
	m.model.leaving = true
	m.leave()
	end := <-m.ended
	if end.err != nil {
		m.t.Fatal(end.err)
	}
	r := m.r
	m.rest()
	m.r = nil
	m.model.advance(end.at)
	m.model.left()
	if n := m.asked.Running(); n > 0 {
		m.t.Fatalf("%d requests run after the end", n)
	}
	pending := 0
	for _, f := range m.model.twins {
		pending += len(f.waiting)
	}
	if got := r.Summary().Pending; got != pending && !m.model.broken {
		m.t.Fatalf("the summary says that %d messages wait, not %d", got, pending)
	}
}

// start begins the next run of the program.
func (m *machine) start(t *rapid.T) {
	m.store.Heal()
	paused := rapid.IntRange(0, 3).Draw(t, "paused") == 0
	m.model.now = time.Now()
	m.open(paused)
	m.model.restart(paused)
}

func (m *machine) crashes(t *rapid.T) {
	m.reach("crash")
	m.crash(m.disk.Clone())
	m.model.forget() // what it could not save never was
	m.start(t)
}

// crash ends the program without a word: what goes on is what was on the disk.
func (m *machine) crash(disk *memdb.Store) {
	m.abandon()
	m.disk = &camera{Store: disk}
	m.store = storagetest.NewFaulty(m.disk)
	m.mail.forget()
	m.fresh = nil
}

// crashesWithin ends the program between the commits of one verb: it is begun,
// and not over. The next run finishes it.
func (m *machine) crashesWithin(t *rapid.T) {
	if m.model.broken || m.model.outage != nil {
		t.Skip("nothing is saved")
	}
	var cmd society.Command = society.Stop{Agent: m.anybody(t)}
	if rapid.Bool().Draw(t, "terminate") {
		cmd = society.Terminate{Agent: m.anybody(t), By: society.User}
	}
	m.disk.after, m.disk.shot = 1, nil
	_, _ = m.r.Do(t.Context(), cmd)
	m.rest()
	if m.disk.shot == nil {
		m.disk.shot = m.disk.Clone()
	}
	_, _ = m.model.verb(cmd)
	m.model.settle()
	m.crash(m.disk.shot)
	m.start(t)
}
