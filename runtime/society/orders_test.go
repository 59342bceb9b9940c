package society

import (
	"maps"
	"slices"
	"sync"
	"testing"
	"time"

	"society-tui/runtime/conversation"
	"society-tui/runtime/propertytest"
)

// A cast is who plays in the orders: root is above all, mid is its child, low is
// the child of mid, and peer is another child of root.
type cast struct{ mid, low, peer AgentID }

// An act is something that may come at any moment of a small history.
type act struct {
	name string
	do   func(w *world, c cast)
}

// finish ends what an agent owes of a kind. If it owes nothing now, what it owed
// once is answered instead, which must not count.
func (w *world) finish(id AgentID, kind StepKind, result func(Work) Command) {
	w.t.Helper()
	if w.s.Agent(id) != nil {
		for _, work := range w.s.OwedBy(id) {
			if work.Kind() == kind {
				w.at = maxTime(w.at, untilOf(work))
				w.must(result(work))
				return
			}
		}
	}
	for _, work := range w.past {
		if work.Item().Agent == id && work.Kind() == kind {
			w.stale(result(work))
		}
	}
}

func (w *world) finishText(id AgentID, text string) {
	w.t.Helper()
	w.finish(id, ThinkStep, func(work Work) Command { return Answered{Work: work.(Think), Text: text} })
}

func (w *world) finishCall(id AgentID, calls ...conversation.Call) {
	w.t.Helper()
	w.finish(id, ThinkStep, func(work Work) Command { return Answered{Work: work.(Think), Calls: calls} })
}

// acts are all that may happen in an order, the user's verbs first.
func acts() []act {
	return []act{
		{"stop mid", func(w *world, c cast) { w.attempt(Stop{Agent: c.mid}) }},
		{"stop root", func(w *world, _ cast) { w.attempt(Stop{Agent: Root}) }},
		{"stop low", func(w *world, c cast) { w.attempt(Stop{Agent: c.low}) }},
		{"terminate mid", func(w *world, c cast) { w.attempt(Terminate{Agent: c.mid, By: User}) }},
		{"terminate low", func(w *world, c cast) { w.attempt(Terminate{Agent: c.low, By: User}) }},
		{"interrupt mid", func(w *world, c cast) { w.attempt(Interrupt{Agent: c.mid}) }},
		{"interrupt root with text", func(w *world, _ cast) { w.attempt(Interrupt{Agent: Root, Text: "now"}) }},
		{"resume all", func(w *world, _ cast) { w.attempt(Resume{Agent: Root}) }},
		{"resume low", func(w *world, c cast) { w.attempt(Resume{Agent: c.low, Alone: true}) }},
		{"restart", func(w *world, _ cast) { w.restart(false) }},
		{"all halted", func(w *world, _ cast) { w.halted() }},
		{"write to mid", func(w *world, c cast) { w.attempt(Send{To: c.mid, Text: "and?", Resume: true}) }},
		{"peer writes to mid", func(w *world, c cast) { w.finishCall(c.peer, w.tells(c.mid, "", "a question")) }},
		{"mid writes to peer later", func(w *world, c cast) { w.finishCall(c.mid, w.tellsLater(c.peer, "later", time.Minute)) }},
		{"mid spawns", func(w *world, c cast) {
			w.finishCall(c.mid, w.call("spawn_agent", object{"roleId": "role-worker", "taskBrief": brief()}))
		}},
		{"mid answers", func(w *world, c cast) { w.finishText(c.mid, "mid is done") }},
		{"low answers", func(w *world, c cast) { w.finishText(c.low, "low is done") }},
		{"mid ends low", func(w *world, c cast) {
			w.finishCall(c.mid, w.call("terminate_agent", object{"agentId": c.low}))
		}},
		{"root ends mid", func(w *world, c cast) {
			w.finishCall(Root, w.call("terminate_agent", object{"agentId": c.mid}), w.call("look", object{}))
		}},
		{"the tool of mid ends", func(w *world, c cast) {
			w.finish(c.mid, ActStep, func(work Work) Command { return w.worked(work.(Act)) })
		}},
		{"low writes to mid", func(w *world, c cast) { w.finishCall(c.low, w.tells(c.mid, "status_report", "so far")) }},
		{"low fails", func(w *world, c cast) {
			w.finish(c.low, ThinkStep, func(work Work) Command { return Failed{Work: work, Class: "auth", Text: "no key"} })
		}},
		{"time passes for low", func(w *world, c cast) {
			w.finish(c.low, WaitStep, func(work Work) Command { return TimerFired{Work: work.(Wait)} })
		}},
		{"the context of mid is compressed", func(w *world, c cast) {
			w.finish(c.mid, CompressStep, func(work Work) Command { return Compressed{Work: work} })
		}},
		{"time passes for mid", func(w *world, c cast) {
			w.finish(c.mid, WaitStep, func(work Work) Command { return TimerFired{Work: work.(Wait)} })
		}},
	}
}

// A scene is where an order begins.
type scene struct {
	name string
	set  func(w *world, c cast)
}

func scenes() []scene {
	return []scene{
		{"all think", func(*world, cast) {}},
		{"mid runs the first of two tools", func(w *world, c cast) {
			w.says(c.low, "low is ready")
			w.calling(c.mid, w.call("write", object{}), w.call("look", object{}))
		}},
		{"mid waits to ask again", func(w *world, c cast) {
			w.must(Failed{Work: w.thinks(c.mid), Class: "overload", Text: "busy", Retryable: true})
		}},
		{"the context of mid is full", func(w *world, c cast) {
			w.must(Failed{Work: w.thinks(c.mid), Class: contextFull, Text: "full"})
		}},
		{"mid and peer keep messages to each other and to the user", func(w *world, c cast) {
			w.calling(c.mid, w.tellsLater([]AgentID{c.peer, User}, "later", time.Minute))
			w.calling(c.peer, w.tellsLater(c.mid, "later", time.Minute))
		}},
		{"mid is drained", func(w *world, c cast) {
			w.calling(Root, w.call("terminate_agent", object{"agentId": c.mid}), w.call("look", object{}))
		}},
		{"mid drains low and is drained itself", func(w *world, c cast) {
			w.calling(c.mid, w.call("terminate_agent", object{"agentId": c.low}))
			w.calling(Root, w.call("terminate_agent", object{"agentId": c.mid}), w.call("look", object{}))
		}},
		{"mid is stopped and low goes on", func(w *world, c cast) {
			w.must(Stop{Agent: c.mid})
			w.halted()
			w.must(Send{To: c.low, Text: "go on alone", Resume: true})
		}},
		{"mid is drained while it is stopped and low goes on", func(w *world, c cast) {
			w.must(Stop{Agent: c.mid})
			w.halted()
			w.must(Send{To: c.low, Text: "go on alone", Resume: true})
			w.calling(Root, w.call("terminate_agent", object{"agentId": c.mid}), w.call("look", object{}))
		}},
		{"mid compresses its context", func(w *world, c cast) {
			w.calling(c.mid, w.call("compress_context", object{"summary": "so far", "keepRecentCount": 0}), w.call("write", object{}))
		}},
		{"mid reads twice", func(w *world, c cast) {
			w.calling(c.mid, w.call("look", object{}), w.call("look", object{"n": 2}))
		}},
		{"low waits to ask again while mid is drained", func(w *world, c cast) {
			w.must(Failed{Work: w.thinks(c.low), Class: "overload", Text: "busy", Retryable: true})
			w.calling(Root, w.call("terminate_agent", object{"agentId": c.mid}), w.call("look", object{}))
		}},
		{"low is stopping while mid is drained", func(w *world, c cast) {
			w.must(Stop{Agent: c.low})
			w.calling(Root, w.call("terminate_agent", object{"agentId": c.mid}), w.call("look", object{}))
		}},
		{"mid is drained while it is stopping and low goes on", func(w *world, c cast) {
			w.must(Stop{Agent: c.mid})
			w.must(Halted{Agents: []AgentID{c.low}})
			w.must(Send{To: c.low, Text: "go on alone", Resume: true})
			w.calling(Root, w.call("terminate_agent", object{"agentId": c.mid}), w.call("look", object{}))
		}},
		{"mid has failed", func(w *world, c cast) {
			w.must(Failed{Work: w.thinks(c.mid), Class: "auth", Text: "no key"})
		}},
		{"mid is interrupted and has mail", func(w *world, c cast) {
			w.must(Interrupt{Agent: c.mid})
			w.calling(c.peer, w.tells(c.mid, "", "hello"))
		}},
	}
}

// told says in which order something went wrong.
type told struct {
	*testing.T
	order string
}

func (told) Helper() {} // asking where it was called costs more than the calls

func (t told) Fatalf(format string, args ...any) {
	t.T.Fatalf(t.order+": "+format, args...)
}

// orders lets every order of so many acts happen, each from a society that the
// acts before have left. An act that leads to nothing is not followed further:
// what comes after it is an order without it.
func orders(t *testing.T, w *world, c cast, name string, acts []act, most int) (led []string) {
	for _, a := range acts {
		next := w.clone(told{t, name + ", " + a.name})
		a.do(next, c)
		next.agrees(next.s)
		if next.events > w.events {
			led = append(led, a.name)
		}
		switch {
		case next.events == w.events:
			continue
		case most > 1:
			orders(t, next, c, name+", "+a.name, acts, most-1)
		default:
			next.rest()
			next.nobodyWaits()
			next.agrees(next.s)
		}
	}
	return led
}

// rest ends all owed work well, and checks that the society becomes idle: nothing runs,
// ends or drains, and only paused or stopped agents hold messages.
func (w *world) rest() {
	w.t.Helper()
	for range 1000 {
		w.halted()
		// No time is up before what it bounds has ended.
		owed := slices.DeleteFunc(w.s.Owed(), func(work Work) bool { return w.agent(work.Item().Agent).step(work.Item().Step).waits(NodeDeadline) })
		waiting := w.unanswered()
		if len(owed)+len(waiting) == 0 {
			break
		}
		if len(owed) == 0 {
			w.answers(waiting[0])
			continue
		}
		switch work := owed[0].(type) {
		case Plan:
			w.must(planOf(work, "a"))
		case Think:
			w.must(Answered{Work: work, Text: "that is all"})
		case Act:
			w.act(work)
		case Compress:
			w.squeeze(work, 0)
		case Judge:
			w.must(judgedWell(work))
		case Join:
			w.must(Joined{Work: work, Text: "all of it"})
		case Wait:
			w.at = maxTime(w.at, work.Until)
			w.must(TimerFired{Work: work})
		}
	}
	for _, id := range w.s.Agents() {
		a := w.agent(id)
		if a.Paused != "" && a.waitsForUser() && a.Drain == "" {
			continue // it has the yes, and begins when it is resumed
		}
		if a.Status != Idle && a.Status != Stopped || a.Drain != "" {
			w.t.Fatalf("%s does not come to rest: it is %s, drained by %q", id, a.Status, a.Drain)
		}
	}
}

// unanswered returns the requests that wait for the user.
func (w *world) unanswered() []*Approval {
	return slices.DeleteFunc(w.s.Approvals(), func(r *Approval) bool { return r.Yes })
}

// answers says yes to a request, or no where the call could not begin.
func (w *world) answers(r *Approval) {
	w.t.Helper()
	answer := AnswerApproval{IDs: []uint64{r.ID}, Answer: AllowOnce}
	if w.agent(r.Agent).Paused != "" {
		answer.Answer = DenyCall
	}
	w.must(answer)
}

// nobodyWaits checks that at rest no answer is still to come.
func (w *world) nobodyWaits() {
	w.t.Helper()
	for _, id := range w.s.Agents() {
		for _, other := range w.agent(id).Asked {
			if b := w.agent(other); !b.stirs() && len(b.Asked) == 0 && b.Turn == nil && !w.disturbed() {
				w.t.Fatalf("%s waits for %s, which has come to rest", id, other)
			}
		}
	}
}

// clone returns a copy of the world that has nothing in common with it.
func (w *world) clone(t fatal) *world {
	c := *w
	m := *w.mirror
	c.mirror, m.t = &m, t
	m.said, m.letter = map[AgentID]map[uint64]conversation.Entry{}, map[AgentID]map[uint64]*delivery{}
	for id, said := range w.said {
		m.said[id] = maps.Clone(said)
	}
	for id, letters := range w.letter {
		m.letter[id] = map[uint64]*delivery{}
		for seq, d := range letters {
			copied := *d
			m.letter[id][seq] = &copied
		}
	}
	m.inbox, m.ended, m.born = slices.Clone(m.inbox), maps.Clone(m.ended), maps.Clone(m.born)
	m.made, m.knows, m.spent = maps.Clone(m.made), maps.Clone(m.knows), maps.Clone(m.spent)
	m.steps, m.ids, m.runs, m.asking = maps.Clone(m.steps), maps.Clone(m.ids), maps.Clone(m.runs), maps.Clone(m.asking)
	m.later = map[DelayedRef]*postponed{}
	for h, p := range w.later {
		copied := *p
		m.later[h] = &copied
	}
	c.halts, c.past, c.verbs = slices.Clone(w.halts), slices.Clone(w.past), slices.Clone(w.verbs)
	c.owing = maps.Clone(w.owing)
	c.s = w.again()
	return &c
}

// again returns the society once more, with nothing in common. Unlike one that is read
// from the store it still has the runs whose graph was changed meanwhile.
func (w *world) again() *State {
	s := Load(w.s.limits, w.copied())
	s.library = w.s.library
	s.SetRisks(w.s.risks)
	s.SetClasses(w.s.approvals.classes)
	s.SetApprovals(w.s.approvals.settings)
	s.SetGroups(w.s.groups)
	for id, a := range w.s.agents {
		b := s.agents[id]
		b.Ran = a.Ran
		if a.Turn != nil && a.Turn.Run != nil {
			b.Turn.Run, b.Turn.lost = a.Turn.Run, false
		}
	}
	return s
}

// copied returns records that share nothing with the society.
func (w *world) copied() Records {
	r := Records{Counters: w.s.Numbers(), User: slices.Clone(w.s.userKnows)}
	for _, id := range w.s.Agents() {
		a := *w.s.Agent(id)
		a.Open, a.Mailbox = slices.Clone(a.Open), slices.Clone(a.Mailbox)
		a.Panics = slices.Clone(a.Panics)
		a.Owes, a.Asked, a.Contacts = slices.Clone(a.Owes), slices.Clone(a.Asked), slices.Clone(a.Contacts)
		a.OwedFrom, a.AskedFrom, a.Requests = slices.Clone(a.OwedFrom), slices.Clone(a.AskedFrom), slices.Clone(a.Requests)
		a.inbound, a.changed, a.toFollow, a.rewritten = nil, false, false, false
		if a.Turn != nil {
			turn := *a.Turn
			turn.Loads = slices.Clone(turn.Loads)
			a.Turn = &turn
		}
		r.Agents = append(r.Agents, &a)
	}
	for _, a := range w.s.Artifacts("") {
		r.Artifacts = append(r.Artifacts, &a)
	}
	r.Roles = w.s.Roles()
	for _, task := range w.s.tasks {
		copied := *task
		r.Tasks = append(r.Tasks, &copied)
	}
	for _, tomb := range w.s.tombs {
		r.Tombs = append(r.Tombs, tomb)
	}
	for _, one := range w.s.Approvals() {
		copied := *one
		r.Approvals = append(r.Approvals, &copied)
	}
	r.Modes, r.Rules = w.s.Modes(), slices.Clone(w.s.approvals.rules)
	r.Spent = w.sums()
	return r
}

// disturbed reports whether the user, or the bound of a drain, has ended something
// without a message to any agent (S001 P5).
func (w *world) disturbed() bool {
	return w.cutOff || slices.ContainsFunc(w.verbs, func(c Command) bool {
		switch c.(type) {
		case Stop, Terminate:
			return true
		}
		return false
	})
}

// races are what the user's verbs are to be played against: each in a scene in which both
// lead to something, where both orders of the two are played then.
func races() map[string][]string {
	against := []string{
		"mid answers", "low answers", "the tool of mid ends", "the context of mid is compressed", "mid spawns", "peer writes to mid", "low writes to mid",
		"write to mid", "mid ends low", "root ends mid", "time passes for mid", "time passes for low", "low fails", "all halted", "restart", "resume all",
		"stop mid", "stop root", "stop low", "terminate mid", "terminate low", "interrupt mid", "interrupt root with text",
	}
	return map[string][]string{
		"stop mid": against, "stop root": against, "terminate mid": against,
		"interrupt mid": {
			"mid answers", "the tool of mid ends", "the context of mid is compressed", "mid spawns", "peer writes to mid", "low writes to mid",
			"mid ends low", "root ends mid", "time passes for mid", "restart", "stop mid", "terminate mid",
		},
	}
}

// All orders of three of the acts, in every scene: what stop, terminate,
// interrupt, a drain or a restart do against an answer, a tool's result, a spawn,
// a message and each other (S001 P6, P11, P12, P13). After every command Check
// holds, every message is delivered once and in order or counted where it was
// dropped, nothing of an ended agent counts or is owed until it is resumed, and
// at the end nobody hangs.
func TestAllOrdersOfThreeActsEndWell(t *testing.T) {
	t.Parallel()
	most := 3
	if propertytest.Raced {
		most = 2
	}
	var mu sync.Mutex
	played, scenesPlayed := map[[2]string]int{}, 0 // in so many scenes
	t.Cleanup(func() {
		if scenesPlayed < len(scenes()) || most < 3 {
			return // only some were asked for
		}
		for verb, others := range races() {
			for _, other := range others {
				if played[[2]string{verb, other}] == 0 {
					t.Errorf("%q against %q is played in no scene", verb, other)
				}
			}
		}
	})
	for _, sc := range scenes() {
		t.Run(sc.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(told{t, sc.name}, DefaultLimits())
			var c cast
			c.mid, c.peer = w.spawn(Root), w.spawn(Root)
			c.low = w.spawn(c.mid)
			sc.set(w, c)
			led := orders(t, w, c, sc.name, acts(), most)
			mu.Lock()
			defer mu.Unlock()
			scenesPlayed++
			for _, a := range led {
				for _, b := range led {
					played[[2]string{a, b}]++
				}
			}
		})
	}
}
