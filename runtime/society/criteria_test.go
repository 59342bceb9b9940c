package society

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"society-tui/runtime/conversation"
	"society-tui/runtime/graph"
	"society-tui/runtime/propertytest"
	"society-tui/runtime/tool"
)

// A criterion of S003 is a property of every command in every random history.
type criterion struct {
	name string
	// before is asked of each event, of the society as it stood just before it;
	// behind as it stands just behind it. ended is asked when the command is over.
	before, behind func(c *claim, s *State, e Event)
	ended          func(c *claim, cmd Command, err error)
}

// A claim is a criterion in one history.
type claim struct {
	*world
	t    fatal  // the number of the criterion
	was  *State // before the command
	held bool   // whether there was something to hold
	// row counts the answers in a row that messages of agents had dropped.
	row map[AgentID]int
	// heard is what was said at the last look, or what calls have come to.
	heard map[AgentID]map[uint64]conversation.Entry
	taken map[AgentID]uint64
	size  map[AgentID]int
	open  []Step
}

// S003 has no numbered properties: its criteria are held to be them, each in a
// thousand random histories with agents in every situation. Those of one
// requirement watch the same histories; a failure names its criterion.
func TestS003(t *testing.T) {
	t.Parallel()
	for req, group := range [][]criterion{activity(), beforeTools(), atTheEnd(), queues(), histories(), consistency()} {
		t.Run(fmt.Sprintf("S003 Req %d", req+1), func(t *testing.T) {
			t.Parallel()
			held, most := propertytest.Met[string]{}, propertytest.Met[string]{}
			for _, cr := range group {
				most[cr.name] = propertytest.Cases() * 3 / 4
			}
			held.Seek(t, most, func(t *rapid.T) { watch(t, group, held) })
			for _, cr := range group {
				t.Run("S003 "+cr.name, func(t *testing.T) { held.Has(t, propertytest.Met[string]{cr.name: most[cr.name]}) })
			}
		})
	}
}

// by returns the criterion of a failure.
type by struct {
	fatal
	name string
}

func (b by) Fatalf(format string, args ...any) {
	b.fatal.Fatalf("S003 "+b.name+": "+format, args...)
}

// watch lets a society live, and holds the criteria in every moment: first those
// of the whole command, then those of its events, which are played again. It counts
// the criteria that had something to hold.
func watch(t *rapid.T, group []criterion, held propertytest.Met[string]) {
	w := peopled(t, small())
	w.s.limits = anyLimits(t)
	claims := make([]*claim, len(group))
	for i, cr := range group {
		claims[i] = &claim{
			world: w, t: by{w.t, cr.name}, row: map[AgentID]int{}, taken: map[AgentID]uint64{},
			heard: map[AgentID]map[uint64]conversation.Entry{},
		}
	}
	w.witness = func(was *State, cmd Command, err error) {
		for i, cr := range group {
			if claims[i].was = was; cr.ended != nil {
				cr.ended(claims[i], cmd, err)
			}
		}
		for _, e := range w.last {
			for i, cr := range group {
				if cr.before != nil {
					cr.before(claims[i], was, e)
				}
				claims[i].counts3(was, e)
			}
			was.Apply(e)
			for i, cr := range group {
				if cr.behind != nil {
					cr.behind(claims[i], was, e)
				}
			}
		}
	}
	defer func() {
		for i, c := range claims {
			if c.held {
				held[group[i].name]++
			}
		}
	}()
	for range rapid.IntRange(0, 2).Draw(t, "graphs") {
		w.regraph(t)
		if id := w.anyAgent(t); w.asked(id) {
			w.says(id, "") // the turn so far began before its role had the graph
			w.asked(id)
		}
	}
	for range rapid.IntRange(1, 3).Draw(t, "situations") {
		w.lives(t, rapid.IntRange(0, 5).Draw(t, "steps"))
		w.situate(t)
		w.meets(t)
		w.meets(t)
	}
	w.answersInEveryWay(t)
	w.attempt(Send{To: w.anyAgent(t)}) // there is no text
	w.late(t)
}

// answersInEveryWay lets an agent answer with calls, which a message drops, with a
// text while a message waits, and with a text when nothing does.
func (w *world) answersInEveryWay(t *rapid.T) {
	for range 4 {
		id := w.anyAgent(t)
		if !w.asked(id) {
			continue
		}
		w.attempt(Send{To: id, Text: "hold on"})
		w.calling(id, w.call("write", object{"n": w.calls}))
		if w.asked(id) {
			w.attempt(Send{To: id, Text: "and this"})
			w.attempt(Send{To: id, Text: "and that"}) // two are taken at once
			w.says(id, "here it is")
		}
		if w.asked(id) {
			w.says(id, "and that")
		}
		return
	}
}

// counts3 counts dropped answers in a row as SPEC.md, decision 11 says, on its own.
func (c *claim) counts3(s *State, e Event) {
	drop := func(id AgentID) {
		c.row[id]++
		if slices.ContainsFunc(s.Agent(id).Mailbox, func(m Mail) bool { return m.From == User }) {
			c.row[id] = 0
		}
	}
	switch e := e.(type) {
	case AnswerDropped:
		drop(e.Agent)
	case GroupDropped:
		drop(e.Agent)
	case AnswerKept:
		if len(e.Entry.Calls) == 0 {
			c.row[e.Agent] = 0
		}
	case ToolResultKept:
		for _, group := range s.Agent(e.Agent).Tail.Opened() {
			left := slices.DeleteFunc(slices.Clone(group.Calls), func(o conversation.OpenCall) bool { return o.Done })
			if len(left) == 1 && left[0].ID == e.Entry.CallID {
				c.row[e.Agent] = 0
			}
		}
	case MailTaken:
		if e.Fresh {
			c.row[e.Agent] = 0
		}
	}
}

// held reports whether a mark keeps an agent from taking what waits: a pause, or a drain
// in which somebody below is still at work.
func held(s *State, a *Agent) bool {
	if a.Paused != "" || a.compressesForUser() {
		return true
	}
	if a.Drain == "" {
		return false
	}
	for _, id := range s.Subtree(a.ID)[1:] {
		b := s.Agent(id)
		if b.waitsForUser() {
			continue
		}
		if b.Status == WaitingLLM || b.Status == Processing || b.Status == Idle && b.Paused == "" && len(b.Mailbox) > 0 {
			return true
		}
	}
	return false
}

// betweenNodes reports whether the turn of an agent is where messages may be taken: in a
// graph before a node or within it, not while a condition is judged and not in a branch.
func betweenNodes(a *Agent) bool {
	if a.Turn == nil || a.Turn.Run == nil {
		return true
	}
	next := a.Turn.Run.Next()
	return len(a.Turn.Run.Branches) == 1 && len(next) == 1 && next[0].Kind == graph.Execute
}

// changed reports whether the graph of an agent was changed in the middle of its run.
func changed(s *State, a *Agent) bool {
	return a.Turn != nil && a.Turn.Run != nil && a.Turn.Run.Clone().Attach(s.graphOf(a)) != nil
}

// breaksOff reports whether the run of an agent cannot go on as it is: its graph was
// changed, or its time or that of a node is up. That comes before what waits.
func (w *world) breaksOff(s *State, a *Agent) bool {
	return changed(s, a) || a.Turn != nil && a.Turn.Run != nil && a.Turn.Run.IsDue(w.at)
}

// afterwards returns the run of an agent's turn as an answer without calls leaves it,
// by the graph alone: nil without a graph. lost reports that the graph was changed in the
// middle of the run.
func (c *claim) afterwards(a *Agent, answer Answered) (run *graph.Run, lost bool) {
	if a.Turn.Run == nil || changed(c.was, a) {
		return nil, a.Turn.Run != nil
	}
	run = a.Turn.Run.Clone()
	if err := run.Done(graph.Work{Step: a.step(answer.Work.Step).Work}, graph.Result{At: c.at}); err != nil {
		c.t.Fatalf("%s answers to step %d, and its graph says %v", a.ID, answer.Work.Step, err)
	}
	run.Expire(c.at) // the time of another branch may be up
	return run, false
}

// due reports whether what waits for an agent comes before its next call (SPEC.md,
// decision 11).
func (c *claim) due(s *State, a *Agent) bool {
	if len(a.Mailbox) == 0 || held(s, a) || c.isSpent(a) || !betweenNodes(a) {
		return false
	}
	return c.row[a.ID] < 3 || slices.ContainsFunc(a.Mailbox, func(m Mail) bool { return m.From == User })
}

// isSpent reports whether a budget holds an agent after the command, perhaps for the answer
// that it was: it could not be asked again.
func (c *claim) isSpent(a *Agent) bool {
	_, spent := c.s.HeldBy(a.ID, c.at)
	return spent
}

// works are the pieces of work of an agent that are its turn's: all but the wait
// for the bound of a drain.
func works(a *Agent) []Step {
	return slices.DeleteFunc(slices.Clone(a.Open), Step.aside)
}

// waitsForADrain reports whether the next call of an agent is a termination that goes on.
func waitsForADrain(s *State, a *Agent) bool {
	for _, id := range a.Children() {
		b := s.Agent(id)
		for _, answer := range a.openAnswers() {
			for _, call := range answer.group.Calls {
				if !call.Done && (b.Drained != nil && b.Drained.CallID == call.ID || b.Ending != nil && b.Ending.CallID == call.ID) {
					return true
				}
			}
		}
	}
	return false
}

// waitsForItsTurn reports whether a branch that runs beside others waits with a call that
// writes for those before it (SPEC.md, decision 46).
func (w *world) waitsForItsTurn(a *Agent, at graph.Work) bool {
	for _, answer := range a.openAnswers() {
		if call, found, _ := answer.next(); found && answer.branch == at.Branch {
			return a.AtHand().Branch != at.Branch && w.s.risk(call.Name) != tool.Reads
		}
	}
	return false
}

// Req 1: one sequence of model calls for each agent.
func activity() []criterion {
	return []criterion{
		{name: "1.1 who is in a turn that goes on is active and nobody else", ended: func(c *claim, _ Command, _ error) {
			for _, id := range c.s.Agents() {
				a := c.agent(id)
				active, turn := a.Status == WaitingLLM || a.Status == Processing, a.Turn != nil && !a.Turn.Suspended
				if active != turn {
					c.t.Fatalf("%s is %s, in a turn that goes on: %t", id, a.Status, turn)
				}
				c.count(active)
			}
		}},
		{name: "1.2 an agent is active from the moment that it takes a message", behind: func(c *claim, s *State, e Event) {
			if beside(e) {
				return
			}
			for id := range c.size { // who has just taken something
				next, ok := e.(ThinkOpened)
				if !ok || next.Agent != id || s.Agent(id).Status != WaitingLLM || len(works(s.Agent(id))) != 1 {
					c.t.Fatalf("%s takes messages, and then comes %T %+v; %+v", id, e, e, c.of(id))
				}
				c.count(true)
			}
			c.size = nil
			if e, ok := e.(MailTaken); ok {
				c.size = map[AgentID]int{e.Agent: 1}
			}
		}},
		{name: "1.3 an agent is active no more after an answer without calls", ended: func(c *claim, cmd Command, err error) {
			answer, ok := cmd.(Answered)
			if !ok || err != nil || len(answer.Calls) > 0 {
				return
			}
			a := c.was.Agent(answer.Work.Agent)
			now := c.s.Agent(a.ID)
			if now == nil || now.Status == Terminating {
				c.count(true)
				return
			}
			run, lost := c.afterwards(a, answer)
			ends := run == nil && !lost || run != nil && run.Status == graph.Completed
			if run != nil && !run.Status.Over() {
				c.goesOn(a, now, run)
				return
			}
			if len(a.Mailbox) > 0 && !held(c.was, a) {
				return // 3.1 to 3.3
			}
			fits := ends && now.Turn == nil || !ends && now.Turn != nil && now.Turn.Suspended && !now.Turn.Held && now.Error != ""
			if now.Status != Idle || len(works(now)) > 0 || !fits {
				c.t.Fatalf("%s is %s with %+v after its run %+v", a.ID, now.Status, now.Turn, run)
			}
			c.count(true)
		}},
		{name: "1.4 what comes to an active agent waits", before: func(c *claim, s *State, e Event) {
			c.open = nil
			switch e := e.(type) {
			case MessageQueued:
				if a := s.Agent(e.To); a.Status.Active() {
					c.size, c.open = map[AgentID]int{e.To: len(a.Mailbox)}, slices.Clone(a.Open)
				}
			case MailTaken:
				if open := works(s.Agent(e.Agent)); len(open) > 0 {
					c.t.Fatalf("%s takes messages while %+v goes on", e.Agent, open)
				}
			}
		}, behind: func(c *claim, s *State, e Event) {
			if in, ok := e.(MessageQueued); ok && c.open != nil {
				a := s.Agent(in.To)
				if len(a.Mailbox) != c.size[in.To]+1 || !slices.Equal(a.Open, c.open) || !a.Status.Active() {
					c.t.Fatalf("%s is told something, and is %+v", a.ID, a)
				}
				c.count(true)
			}
		}},
		{name: "1.5 no agent ever handles two messages at once", before: func(c *claim, s *State, e Event) {
			var id AgentID
			var closes, work uint64
			switch e := e.(type) {
			case ThinkOpened:
				id, work = e.Agent, e.Work
			case CallOpened:
				id, work = e.Agent, e.Work
			case JudgeOpened:
				id, work = e.Agent, e.Work
			case RunWaits:
				id, work = e.Agent, e.Work
			case CompressOpened:
				id, work, closes = e.Agent, e.Work, e.Closes
			case RetrySet:
				id, work, closes = e.Agent, e.Work, e.Step
			default:
				return
			}
			a := s.Agent(id)
			for _, open := range works(a) {
				if _, begins := e.(CallOpened); begins && (open.Kind == PlanStep || open.Kind == ApproveStep) {
					continue // the call that begins was planned
				}
				if open.N != closes && !besides(a, open.Work, work) {
					c.t.Fatalf("%T of %s, for whom %+v goes on", e, id, open)
				}
			}
			c.count(true)
		}},
	}
}

// goesOn checks that a turn whose run goes on has exactly the work that the run waits
// for, unless it rests before a node because of a pause.
func (c *claim) goesOn(a, now *Agent, run *graph.Run) {
	c.t.Helper()
	next := run.Next()
	begins := !slices.ContainsFunc(next, func(w graph.Work) bool {
		return w.Kind != graph.Execute || slices.ContainsFunc(a.Open, func(open Step) bool { return open.Work == w.Step }) ||
			c.waitsForItsTurn(a, w)
	})
	open := works(now)
	if a.Paused != "" && begins {
		if now.Status != Idle || !now.Turn.Held || len(open) > 0 {
			c.t.Fatalf("%s is paused before a node, and %s with %+v", a.ID, now.Status, now.Turn)
		}
		return
	}
	missing := slices.ContainsFunc(next, func(w graph.Work) bool {
		return !slices.ContainsFunc(open, func(step Step) bool { return step.Work == w.Step }) && !c.waitsForItsTurn(now, w)
	})
	if !now.Status.Active() || now.Turn.Suspended || missing && !waitsForADrain(c.s, now) || len(open) > len(next) {
		c.t.Fatalf("%s is %s with %+v, its run waits for %+v", a.ID, now.Status, open, next)
	}
}

// besides reports whether work for one step of a run may go on while another begins: in
// branches side by side, one at a time in each.
func besides(a *Agent, open, begins uint64) bool {
	if a.Turn.Run == nil || a.Turn.Run.OneByOne {
		return false
	}
	one, other := a.Turn.at(open), a.Turn.at(begins)
	return one != nil && other != nil && one.Branch != other.Branch
}

// calledBy returns whose call an event is the execution of, "" for nobody's. A
// call that the rules decide by themselves is executed where it is answered; a
// termination where its drain begins.
func calledBy(s *State, e Event) AgentID {
	switch e := e.(type) {
	case CallOpened:
		return e.Agent
	case DrainBegun:
		return e.Drain.By
	case ToolResultKept:
		a := s.Agent(e.Agent)
		i := slices.IndexFunc(a.Turn.Calls, func(call conversation.Call) bool { return call.ID == e.Entry.CallID })
		executed := e.Entry.Outcome == conversation.OK || e.Entry.Outcome == conversation.Failed
		if e.Step == 0 && executed && a.Turn.Calls[i].Name != "terminate_agent" {
			return e.Agent
		}
	}
	return ""
}

// doneBy returns who did what an event says, "" where nobody did anything to
// others or to the organisation.
func doneBy(s *State, e Event) AgentID {
	switch e := e.(type) {
	case MessageQueued:
		return e.Mail.From
	case MessageToUser:
		return e.Mail.From
	case AgentMade:
		return e.Agent.Parent
	case RoleMade:
		return e.Role.CreatedBy
	}
	return calledBy(s, e)
}

// superseded returns the agent whose answer the command brings and messages have
// to drop, nil if there is none.
func (c *claim) superseded(cmd Command, err error) *Agent {
	answer, ok := cmd.(Answered)
	if !ok || err != nil || len(answer.Calls) == 0 {
		return nil
	}
	if a := c.was.Agent(answer.Work.Agent); len(a.Mailbox) > 0 && !held(c.was, a) && !c.isSpent(a) && betweenNodes(a) && !c.breaksOff(c.was, a) &&
		(a.Turn.Dropped < 3 || slices.ContainsFunc(a.Mailbox, func(m Mail) bool { return m.From == User })) {
		return a
	}
	return nil
}

// Req 2: what has come is looked for before each tool.
func beforeTools() []criterion {
	return []criterion{
		{name: "2.1 no call is executed while a message that comes before it waits", before: func(c *claim, s *State, e Event) {
			by := calledBy(s, e)
			if kept, ok := e.(AnswerKept); ok && len(kept.Entry.Calls) > 0 {
				by = kept.Agent
			}
			if by == "" {
				return
			}
			if a := s.Agent(by); c.due(s, a) {
				c.t.Fatalf("%T: %s goes on with %d messages waiting, after %d dropped answers", e, by, len(a.Mailbox), c.row[by])
			}
			c.count(true)
		}},
		{name: "2.2 the answer with its calls is deleted", ended: func(c *claim, cmd Command, err error) {
			a := c.superseded(cmd, err)
			if a == nil {
				return
			}
			dropped, ok := c.last[0].(AnswerDropped)
			if !ok || dropped.Agent != a.ID || !slices.Equal(c.of(a.ID), []string{"AnswerDropped", "MailTaken", "ThinkOpened"}) {
				c.t.Fatalf("%s has %d messages, and there come %v", a.ID, len(a.Mailbox), c.of(a.ID))
			}
			entry := c.said[a.ID][dropped.Entry.Slot]
			if entry.Kind != conversation.Superseded || entry.Kind.InContext() || len(entry.Calls) != len(cmd.(Answered).Calls) {
				c.t.Fatalf("kept as %+v", entry)
			}
			for _, call := range cmd.(Answered).Calls { // and no model sees anything of it
				for _, e := range c.visible(a.ID) {
					if e.CallID == call.ID || slices.ContainsFunc(e.Calls, func(other conversation.Call) bool { return other.ID == call.ID }) {
						c.t.Fatalf("%s sees %+v", a.ID, e)
					}
				}
			}
			c.count(true)
		}},
		{name: "2.3 all that has come is appended in its order", ended: func(c *claim, cmd Command, err error) {
			if a := c.superseded(cmd, err); a != nil {
				c.appended(a, a.Tail.Next+1) // behind the dropped answer
			}
		}},
		{name: "2.4 the model is asked again at once and no tool runs", before: func(c *claim, s *State, e Event) {
			by := doneBy(s, e)
			if c.size[by] > 0 {
				c.t.Fatalf("%T by %s, whose answer was dropped", e, by)
			}
			dropped := func(id AgentID) {
				if !c.breaksOff(s, s.Agent(id)) {
					c.size = map[AgentID]int{id: 1}
				}
			}
			switch e := e.(type) {
			case AnswerDropped:
				dropped(e.Agent)
			case GroupDropped:
				dropped(e.Agent)
			case ToolResultKept:
				if e.Entry.Outcome == conversation.Skipped {
					dropped(e.Agent)
				}
			case ThinkOpened:
				c.count(c.size[e.Agent] > 0)
				delete(c.size, e.Agent)
			}
			if i := slices.IndexFunc(c.last, func(other Event) bool { return reflect.DeepEqual(other, e) }); i == len(c.last)-1 && len(c.size) > 0 {
				c.t.Fatalf("%v is not asked again", c.size)
			}
		}},
		{name: "2.5 what waits is a list that a store gives back message by message", ended: func(c *claim, cmd Command, err error) {
			for _, id := range c.s.Agents() {
				mails := c.agent(id).Mailbox
				if len(mails) < 2 || !c.agent(id).Status.Active() || len(c.was.Agent(id).Mailbox) == len(mails) {
					continue
				}
				for i, mail := range mails {
					if back := again(c.t, &mail); !reflect.DeepEqual(*back, mail) || i > 0 && mails[i-1].Seq >= mail.Seq {
						c.t.Fatalf("message %d of %s: %+v, back %+v", i, id, mail, back)
					}
				}
				c.count(true)
			}
		}},
	}
}

// of names the events of an agent's own turn in the last command.
func (c *claim) of(id AgentID) []string {
	var names []string
	for _, e := range c.last {
		if beside(e) {
			continue
		}
		if v := reflect.ValueOf(e).FieldByName("Agent"); v.IsValid() && v.Kind() == reflect.String && AgentID(v.String()) == id {
			names = append(names, reflect.TypeOf(e).Name())
		}
	}
	return names
}

// beside reports whether an event only tells where a graph stands, beside what happens.
func beside(e Event) bool {
	switch e.(type) {
	case GraphAdvanced, DeadlineSet:
		return true
	}
	return false
}

// appended checks that what was waiting for an agent stands in its conversation from a
// slot on, each message an entry of its own, in their order, and nothing behind it.
func (c *claim) appended(a *Agent, slot uint64) {
	c.t.Helper()
	for i, mail := range a.Mailbox {
		e := c.said[a.ID][slot+uint64(i)]
		if e.Kind != conversation.Inbound || e.Seq != mail.Seq || e.Text != c.letter[a.ID][mail.Seq].text {
			c.t.Fatalf("message %d of %s stands in slot %d as %+v", mail.Seq, a.ID, slot+uint64(i), e)
		}
	}
	if now := c.agent(a.ID); now.Tail.Next != slot+uint64(len(a.Mailbox)) || len(now.Mailbox) > 0 {
		c.t.Fatalf("%s: its conversation ends at %d, %d wait", a.ID, now.Tail.Next, len(now.Mailbox))
	}
	c.count(true)
}

// count counts what was held.
func (c *claim) count(met bool) {
	c.held = c.held || met
}

// ending returns the agent whose turn an answer without calls ends, and whether
// something has come for it that goes on with it.
func (c *claim) finishing(cmd Command, err error) (a *Agent, more bool) {
	answer, ok := cmd.(Answered)
	if !ok || err != nil || len(answer.Calls) > 0 {
		return nil, false
	}
	for _, e := range c.last {
		if e, paused := e.(PausedNow); paused && e.Agent == answer.Work.Agent {
			return nil, false // the guard has paused it over its own text
		}
	}
	a = c.was.Agent(answer.Work.Agent)
	if run, lost := c.afterwards(a, answer); lost || run != nil && run.Status != graph.Completed {
		return nil, false // it ends a node, not the turn
	}
	return a, len(a.Mailbox) > 0 && !held(c.was, a)
}

// Req 3: what has come is looked for at the end.
func atTheEnd() []criterion {
	return []criterion{
		{name: "3.1 what has come is looked for at an answer without calls which is kept", ended: func(c *claim, cmd Command, err error) {
			a, more := c.finishing(cmd, err)
			if !more {
				return
			}
			if names := c.of(a.ID); names[0] != "AnswerKept" || !slices.Equal(names[len(names)-2:], []string{"MailTaken", "ThinkOpened"}) || slices.Contains(names, "TurnEnded") {
				c.t.Fatalf("%s has %d messages, and there come %v", a.ID, len(a.Mailbox), names)
			}
			c.count(true)
		}},
		{name: "3.2 it is appended in its order behind the answer", ended: func(c *claim, cmd Command, err error) {
			a, more := c.finishing(cmd, err)
			if !more {
				return
			}
			if e := c.said[a.ID][a.Tail.Next]; e.Kind != conversation.Answer || e.Text != cmd.(Answered).Text {
				c.t.Fatalf("the answer of %s stands as %+v", a.ID, e)
			}
			c.appended(a, a.Tail.Next+1)
		}},
		{name: "3.3 and the model is asked again", ended: func(c *claim, cmd Command, err error) {
			a, more := c.finishing(cmd, err)
			if !more {
				return
			}
			if now := c.s.Agent(a.ID); now == nil || now.Status == Terminating {
				return // it was one message more than its drain may take
			}
			work, runs := c.running(a.ID)
			if !runs || work.Kind() != ThinkStep || work.Item().Step == cmd.(Answered).Work.Step || c.agent(a.ID).Status != WaitingLLM || work.Item().Task != a.Turn.Task {
				c.t.Fatalf("%s owes %+v", a.ID, work)
			}
			c.count(true)
		}},
		{name: "3.4 with nothing come the agent is idle", ended: func(c *claim, cmd Command, err error) {
			a, more := c.finishing(cmd, err)
			if a == nil || more || held(c.was, a) {
				return
			}
			now := c.s.Agent(a.ID)
			if _, runs := c.running(a.ID); runs || now != nil && now.Status != Terminating && (now.Status != Idle || now.Turn != nil) {
				c.t.Fatalf("%s is %s", a.ID, now.Status)
			}
			if !slices.Contains(c.of(a.ID), "TurnEnded") {
				c.t.Fatalf("there come %v", c.of(a.ID))
			}
			c.count(true)
		}},
	}
}

// sizes returns how much waits for each agent.
func sizes(s *State) map[AgentID]int {
	n := map[AgentID]int{}
	for id, a := range s.agents {
		n[id] = len(a.Mailbox)
	}
	return n
}

// Req 4: the queue.
func queues() []criterion {
	return []criterion{
		{name: "4.1 each agent has a queue of its own", before: func(c *claim, s *State, _ Event) {
			c.size = sizes(s)
		}, behind: func(c *claim, s *State, e Event) {
			changes := func(id AgentID) bool { return false }
			switch e := e.(type) {
			case MessageQueued:
				changes = func(id AgentID) bool { return id == e.To }
			case MailTaken:
				changes = func(id AgentID) bool { return id == e.Agent }
			case MessageWithdrawn:
				changes = func(id AgentID) bool { return id == e.Agent }
			case StopBegun:
				changes = func(id AgentID) bool { return slices.Contains(e.Agents, id) }
			case TerminationBegun:
				changes = func(id AgentID) bool { return slices.Contains(e.Agents, id) }
			}
			for id, n := range sizes(s) {
				if n != c.size[id] && !changes(id) {
					c.t.Fatalf("%T: %d messages waited for %s, now %d", e, c.size[id], id, n)
				}
				c.count(n != c.size[id])
			}
		}},
		{name: "4.2 what came first is taken first", before: func(c *claim, s *State, e Event) {
			taken, ok := e.(MailTaken)
			if !ok {
				return
			}
			for _, mail := range taken.Mails {
				if mail.Seq <= c.taken[taken.Agent] {
					c.t.Fatalf("%s takes message %d after %d", taken.Agent, mail.Seq, c.taken[taken.Agent])
				}
				c.taken[taken.Agent] = mail.Seq
			}
			c.count(len(taken.Mails) > 1)
		}},
		{name: "4.3 all that waits is taken at once and only where no mark holds it", before: func(c *claim, s *State, e Event) {
			taken, ok := e.(MailTaken)
			if !ok {
				return
			}
			if held(s, s.Agent(taken.Agent)) {
				c.t.Fatalf("%s takes messages, which a mark holds", taken.Agent)
			}
			if !reflect.DeepEqual(taken.Mails, s.Agent(taken.Agent).Mailbox) {
				c.t.Fatalf("%s takes %+v of %+v", taken.Agent, taken.Mails, s.Agent(taken.Agent).Mailbox)
			}
			c.count(len(taken.Mails) > 1)
		}},
		{name: "4.4 and the queue is empty then", behind: func(c *claim, s *State, e Event) {
			taken, ok := e.(MailTaken)
			if !ok {
				return
			}
			if a := s.Agent(taken.Agent); len(a.Mailbox) > 0 || a.Cursor != taken.Mails[len(taken.Mails)-1].Seq {
				c.t.Fatalf("%s has %+v, its cursor is at %d", a.ID, a.Mailbox, a.Cursor)
			}
			c.count(true)
		}},
		{name: "4.5 of an idle agent it is empty unless a mark holds it", ended: func(c *claim, _ Command, _ error) {
			for _, id := range c.s.Agents() {
				a := c.agent(id)
				if a.Status != Idle || held(c.s, a) {
					continue
				}
				if len(a.Mailbox) > 0 || len(c.waiting(id)) > 0 {
					c.t.Fatalf("%s is idle with %d messages", id, len(a.Mailbox))
				}
				c.count(true)
			}
		}},
	}
}

// asked are the histories that models are asked about for an agent: its own, and in
// branches that run side by side that of each which waits for one.
func (c *claim) asked(a *Agent) (histories [][]conversation.Entry) {
	if !a.SideBySide() {
		return [][]conversation.Entry{c.history(a.ID)}
	}
	for _, step := range works(a) {
		if !step.ofCall() {
			histories = append(histories, slices.Clone(conversation.Seen(c.history(a.ID), a.Branches(a.Turn.at(step.Work)))))
		}
	}
	return histories
}

// Req 5: the history.
func histories() []criterion {
	return []criterion{
		{name: "5.1 only an answer with calls is deleted", ended: func(c *claim, cmd Command, err error) {
			for _, e := range c.last {
				switch e := e.(type) {
				case AnswerDropped:
					if len(e.Entry.Calls) == 0 {
						c.t.Fatalf("%+v", e)
					}
				case GroupDropped:
					if len(c.said[e.Agent][e.Slot].Calls) == 0 {
						c.t.Fatalf("%+v", c.said[e.Agent][e.Slot])
					}
				}
			}
			if a, more := c.finishing(cmd, err); a != nil && c.s.Agent(a.ID) != nil {
				if e := c.said[a.ID][a.Tail.Next]; e.Kind != conversation.Answer || e.Text != cmd.(Answered).Text {
					c.t.Fatalf("an answer without calls is kept as %+v", e)
				}
				c.count(more)
			}
		}},
		{name: "5.2 only the last answer is deleted", before: func(c *claim, s *State, e Event) {
			dropped, ok := e.(AnswerDropped)
			if !ok {
				return
			}
			if a := s.Agent(dropped.Agent); dropped.Entry.Slot != a.Tail.Next || a.Tail.Group != nil || a.step(dropped.Step) == nil {
				c.t.Fatalf("%s drops slot %d, its conversation ends at %d", a.ID, dropped.Entry.Slot, a.Tail.Next)
			}
			c.count(true)
		}},
		{name: "5.3 what was said before is untouched", ended: func(c *claim, _ Command, _ error) {
			for id, was := range c.heard {
				if c.s.Agent(id) == nil {
					delete(c.heard, id)
				}
				for slot, e := range was {
					now := c.said[id][slot]
					if now.Kind == conversation.Superseded && e.Kind == conversation.Answer && len(e.Calls) > 0 {
						e.Kind = now.Kind // dropped before any of its calls began
					}
					if e.SetAside.IsZero() {
						e.SetAside = now.SetAside // which leaves all else as it is
					}
					if c.s.Agent(id) != nil && !reflect.DeepEqual(now, e) {
						c.t.Fatalf("%s: %+v became %+v", id, e, now)
					}
					c.count(true)
				}
			}
			for id, said := range c.said {
				if c.heard[id] == nil {
					c.heard[id] = map[uint64]conversation.Entry{}
				}
				for slot, e := range said {
					c.heard[id][slot] = e
				}
			}
		}},
		{name: "5.4 the model is asked only with a legal history", ended: func(c *claim, _ Command, _ error) {
			for _, id := range c.s.Agents() {
				if c.agent(id).Status != WaitingLLM {
					continue
				}
				for _, history := range c.asked(c.agent(id)) {
					c.legal(id, history)
					raw := slices.DeleteFunc(history, func(e conversation.Entry) bool {
						blank := e.Kind == conversation.Answer && e.Text == "" && len(e.Calls) == 0
						return !e.Kind.InContext() || e.Slot < c.agent(id).Tail.First || blank
					})
					summaries := 0
					for _, e := range raw {
						if e.Kind == conversation.Summary {
							summaries++
						}
					}
					seen := conversation.Legal(raw)
					if len(seen) != len(raw)-max(0, summaries-1) || len(seen) == 0 || seen[0].Kind != conversation.Inbound && seen[0].Kind != conversation.Summary && c.agent(id).Tail.First == 0 {
						c.t.Fatalf("%s has said\n%+v\nand sees\n%+v", id, raw, seen)
					}
					c.count(true)
				}
			}
		}},
		{name: "5.5 no executed call and no result is ever deleted", ended: func(c *claim, _ Command, _ error) {
			for id, done := range c.heard {
				if c.s.Agent(id) == nil {
					continue
				}
				for slot, e := range done {
					now := c.said[id][slot]
					if now.Kind != conversation.Result || now.Text != e.Text || now.Outcome != e.Outcome {
						c.t.Fatalf("%s: the result %+v became %+v", id, e, now)
					}
					answered := slices.ContainsFunc(c.whole(id), func(a conversation.Entry) bool {
						return a.Kind == conversation.Answer && slices.ContainsFunc(a.Calls, func(call conversation.Call) bool { return call.ID == e.CallID })
					})
					if !answered {
						c.t.Fatalf("%s: the answer to the result %+v is gone", id, e)
					}
				}
				c.count(len(done) > 0)
			}
			for _, e := range c.last {
				if e, ok := e.(ToolResultKept); ok && e.Entry.Outcome != conversation.Skipped {
					if c.heard[e.Agent] == nil {
						c.heard[e.Agent] = map[uint64]conversation.Entry{}
					}
					c.heard[e.Agent][e.Entry.Slot] = e.Entry
				}
			}
		}},
	}
}

// codes is the closed list of SPEC.md, decision 37.
var codes = []Code{
	"invalid_task_brief", "invalid_message_format", "invalid_arguments", "invalid_recipient", "agent_not_found", "agent_stopped",
	"not_your_child", "task_not_found", "limit_reached", "mailbox_full", "too_large", "store_unavailable",
}

// Req 6: consistency.
func consistency() []criterion {
	return []criterion{
		{name: "6.1 who is active has exactly one piece of work and nobody else has any", ended: func(c *claim, _ Command, _ error) {
			for _, id := range c.s.Agents() {
				a := c.agent(id)
				own, due := len(works(a)), 0
				if waitsForADrain(c.s, a) {
					own++
				}
				if due = 1; !a.Status.Active() {
					due = 0
				} else if a.SideBySide() { // one for each branch that goes on
					next := a.Turn.Run.Next()
					due = len(slices.DeleteFunc(next, func(w graph.Work) bool { return c.waitsForItsTurn(a, w) }))
				}
				if own != due {
					c.t.Fatalf("%s is %s with %d pieces of work, not %d", id, a.Status, own, due)
				}
				c.count(own > 0)
			}
		}},
		{name: "6.2 the queue is what was accepted and neither taken nor dropped", ended: func(c *claim, _ Command, _ error) {
			for _, id := range c.s.Agents() {
				mails := c.agent(id).Mailbox
				waiting := c.waiting(id)
				same := slices.EqualFunc(mails, waiting, func(m Mail, d *delivery) bool { return m.Seq == d.mail.Seq })
				if !same {
					c.t.Fatalf("%s has %+v waiting, not %+v", id, mails, waiting)
				}
				c.count(len(mails) > 0)
			}
		}},
		{name: "6.3 a command happens whole or not at all", ended: func(c *claim, cmd Command, err error) {
			if err != nil {
				now, was := encoded(c.t, c.records()), encoded(c.t, (&world{mirror: c.mirror, s: c.was}).records())
				if now != was {
					c.t.Fatalf("%T is refused, but\n%s became\n%s", cmd, was, now)
				}
				c.count(true)
				return
			}
			asked := map[AgentID]bool{}
			for _, e := range slices.Backward(c.last) { // what is taken is asked about in the same step
				switch e := e.(type) {
				case ThinkOpened:
					asked[e.Agent] = true
				case MailTaken:
					if !asked[e.Agent] {
						c.t.Fatalf("%s has taken messages, and the model is not asked", e.Agent)
					}
				}
			}
		}},
		{name: "6.4 whatever does not fit is told to the caller", ended: func(c *claim, cmd Command, err error) {
			if err == nil {
				return
			}
			r, refused := errors.AsType[*Refusal](err)
			stale := errors.Is(err, ErrStale) && WorkOf(cmd).Item().Agent != ""
			if !stale && (!refused || r.Why == nil || !slices.Contains(codes, r.Code)) {
				c.t.Fatalf("%T: %v", cmd, err)
			}
			c.count(true)
		}},
	}
}

// After a crash at any moment everything goes on: owed work is owed again, no message is
// lost or doubled, and the society becomes idle.
func TestS003C65ASocietyRecoversFromACrashAtAnyMoment(t *testing.T) {
	t.Parallel()
	met := propertytest.Met[string]{}
	met.Check(t, callsInBranches(propertytest.Met[string]{}), func(t *rapid.T) {
		w := grown(t)
		for range rapid.IntRange(1, 4).Draw(t, "crashes") {
			w.meetBranches(met, w.s.Agents())
			w.restart(false)
			w.agrees(w.s)
			w.lives(t, rapid.IntRange(0, 3).Draw(t, "steps"))
		}
		w.restart(false)
		w.rest()
		w.agrees(w.s)
	})
}

// The failure of a call or of a tool, or a panic of either, never leaves an agent
// hanging: it tries again, goes on with the error, or has failed where its parent
// can see it; and its history is what it was, and legal.
func TestS003AFailureNeitherHangsAnAgentNorHarmsItsHistory(t *testing.T) {
	t.Parallel()
	seen := propertytest.Met[string]{}
	seen.Check(t, propertytest.Once("goes on", "has failed"), propertytest.Tried(func(t *rapid.T) bool {
		w := grown(t)
		owed := slices.DeleteFunc(w.s.Owed(), func(work Work) bool { return w.agent(work.Item().Agent).step(work.Item().Step).aside() })
		if len(owed) == 0 {
			return false
		}
		work := rapid.SampledFrom(owed).Draw(t, "work")
		failure := rapid.SampledFrom(failures(work)).Draw(t, "failure")
		before := w.history(work.Item().Agent)
		told := len(w.inbox)
		w.must(failure)
		a := w.s.Agent(work.Item().Agent)
		if a == nil || a.Status == Terminating {
			return false // it was the last that a drain waited for
		}
		for _, e := range before {
			if now := w.said[a.ID][e.Slot]; !reflect.DeepEqual(now, e) {
				t.Fatalf("%+v became %+v", e, now)
			}
		}
		_, runs := w.running(a.ID)
		switch {
		case runs || waitsForADrain(w.s, a):
			seen["goes on"]++
		case a.Status == Idle && a.Paused != "" && a.Turn.Held:
			seen["rests before a node"]++
		case a.Status != Idle || !a.Turn.Suspended || a.Error == "":
			t.Fatalf("%T leaves %s %+v", failure, a.ID, a)
		default:
			seen["has failed"]++
			if len(w.lastAccepted()) == 0 && len(w.inbox) == told {
				t.Fatalf("nobody is told that %s has failed", a.ID)
			}
		}
		for range 2 { // whose graph was changed meanwhile fails once, and begins anew
			w.rest()
			if _, held := w.s.HeldBy(Root, w.at); held {
				return false // until the user raises the budget
			}
			w.must(Resume{Agent: Root})
		}
		w.rest()
		if a := w.s.Agent(work.Item().Agent); a != nil && a.Turn != nil && a.Status != Stopped {
			t.Fatalf("%s does not go on: %+v", a.ID, a)
		}
		return true
	}))
}

// failures are what a piece of work can fail with.
func failures(work Work) []Command {
	switch work.Kind() {
	case ThinkStep:
		return []Command{
			Failed{Work: work, Class: "network", Text: "no route", Retryable: true, Partial: 7},
			Failed{Work: work, Class: "auth", Text: "no key"},
			Failed{Work: work, Class: "empty", Text: "nothing", Retryable: true},
			Panicked{Work: work, Text: "oops"},
		}
	case CompressStep:
		return []Command{
			Failed{Work: work, Class: "network", Text: "no route", Retryable: true},
			Failed{Work: work, Class: "auth", Text: "no key"},
			Compressed{Work: work},
			Panicked{Work: work, Text: "oops"},
		}
	case ActStep:
		return []Command{
			ToolDone{Work: work.(Act), Text: "no such file", Outcome: conversation.Failed},
			ToolDone{Work: work.(Act), Text: "", Outcome: conversation.Failed},
			Panicked{Work: work, Text: "oops"},
		}
	}
	return []Command{Panicked{Work: work, Text: "oops"}}
}

// The look before each tool costs nothing that grows with the queue: it makes no
// copy, whether one message waits or a thousand.
func TestS003TheLookBeforeAToolDoesNotGrowWithTheQueue(t *testing.T) {
	for _, waiting := range []int{0, 1, 1000} {
		w := newWorld(t, DefaultLimits())
		w.send(Root, "go")
		w.calling(Root, w.call("write", object{}), w.call("write", object{"n": 2}))
		for i := range waiting {
			w.send(Root, fmt.Sprint("message ", i))
		}
		d := &decision{s: w.s, at: w.at}
		if n := testing.AllocsPerRun(100, func() { d.interrupted(w.agent(Root)) }); n > 0 {
			t.Errorf("with %d messages waiting the look makes %v copies", waiting, n)
		}
	}
}
