package society

import (
	"slices"
	"strings"
	"time"

	"society-tui/runtime/conversation"
	"society-tui/runtime/graph"
	"society-tui/runtime/protocol"
)

// begin starts an idle agent's turn on its unread messages, or resumes one
// that is suspended between two nodes of its graph.
//
// An interrupted or failed turn is not resumed by a message: the message begins a new
// turn at the entry of the graph, which sees all that was said before. So what the user
// writes to an interrupted agent is read at once, wherever in the graph it was (SPEC.md,
// decision 1), also before a verdict and in a branch, where a run that went on could not
// take it (decision 31). Resume goes on where the turn was.
func (d *decision) begin(a *Agent) {
	if !d.wakes(a) {
		return
	}
	held := a.Turn != nil && a.Turn.Held
	switch {
	case !held:
		d.take(a)
	case a.Turn.Run != nil && a.Turn.Run.Forked(): // between the nodes of a branch nothing is taken
	case d.attaches(a):
		d.take(a)
	}
	d.goAhead(a, opening{again: held})
}

// attaches reports whether the agent's run can go on. One whose graph is another by now
// fails at once, and would swallow the messages that its turn has taken.
func (d *decision) attaches(a *Agent) bool {
	_, err := d.run(a)
	return err == nil
}

// take moves all that waits into the conversation, in order (S003 4.2–4.4).
func (d *decision) take(a *Agent) {
	if len(a.Mailbox) > 0 {
		d.takeInto(a, a.Turn == nil || a.Turn.Suspended && !a.Turn.Held)
	}
}

// takeInto takes what waits into a fresh turn or into the one that there is.
func (d *decision) takeInto(a *Agent, fresh bool) {
	t := d.tail(a)
	first := t.Next
	mails := slices.Concat(a.Mailbox, d.queued[a.ID]) // what this decision sends comes before it too
	for range mails {
		t.Append()
	}
	task := mails[0].Task
	if fresh {
		d.runs[a.ID] = nil
	} else {
		task = a.Turn.Task
	}
	d.add(MailTaken{Agent: a.ID, Mails: mails, First: first, At: d.at, Task: task, Fresh: fresh})
}

// answered decides on a complete answer. Messages that came meanwhile interrupt it before
// any of its calls (S003 2.1–2.4); an answer without calls was complete before them and
// is delivered first (SPEC.md, decision 12).
func (d *decision) answered(a *Agent, c Answered) {
	d.used = c.Usage
	at := a.Turn.at(a.step(c.Work.Step).Work)
	entry := conversation.Entry{
		Kind: conversation.Answer, At: d.at, From: string(a.ID), Text: c.Text, Reasoning: c.Thought,
		Calls: slices.Clone(c.Calls), Tokens: c.Usage.Output, Took: c.Took, Cause: c.Cause, Extra: c.Extra, Model: c.Model,
		TaskID: string(a.Turn.Task),
	}
	if at != nil {
		entry.Node, entry.Branch = at.Node, at.Branch
	}
	if len(c.Calls) == 0 {
		d.nodeAnswered(a, c, entry)
		return
	}
	if d.interrupted(a) {
		entry.Kind, entry.Slot = conversation.Superseded, d.tail(a).Aside()
		d.add(AnswerDropped{Agent: a.ID, Step: c.Work.Step, Entry: entry, Usage: c.Usage, Guess: c.Guess, ByAgents: byAgents(a.Mailbox)})
		d.readOn(a, opening{closes: c.Work.Step})
		return
	}
	if c.Cut {
		for i := range entry.Calls {
			entry.Calls[i].Problem = d.badArguments(protocol.Because(protocol.CutOff))
		}
	}
	for i := d.s.limits.CallsPerAnswer; i < len(entry.Calls); i++ {
		entry.Calls[i].Problem = d.refused(refuse(LimitReached, "", protocol.TooManyCalls, d.s.limits.CallsPerAnswer))
	}
	entry.Slot = d.tail(a).Open(entry.Branch, c.Calls)
	d.add(AnswerKept{Agent: a.ID, Step: c.Work.Step, Entry: entry, Usage: c.Usage, Guess: c.Guess})
}

// nodeAnswered ends the execution of a node. The answer of an end point is that of
// the turn; of any other the run goes on. What was said is kept, also where the run
// cannot go on.
func (d *decision) nodeAnswered(a *Agent, c Answered, entry conversation.Entry) {
	run, err := d.told(a, a.step(c.Work.Step).Work, graph.Result{})
	ended := err == nil && run.Status == graph.Completed
	if entry.Slot = d.tail(a).Next; strings.TrimSpace(c.Text) == "" {
		d.tail(a).Aside() // no model sees it, so it does not count
	} else {
		d.tail(a).Append()
		if ended {
			hearers, _ := d.hearers(a)
			entry.To = named(hearers)
		}
	}
	d.add(AnswerKept{Agent: a.ID, Step: c.Work.Step, Entry: entry, Usage: c.Usage, Guess: c.Guess})
	if err != nil {
		d.runLost(a, err)
		return
	}
	d.moved(a, run, 0)
	if !ended {
		d.onward(a, run, c.Work.Step)
		return
	}
	reported := d.deliver(a, c.Text)
	if d.reads(a) && d.guarded != a.ID {
		d.take(a)
		d.goAhead(a, opening{closes: c.Work.Step})
		return
	}
	d.add(TurnEnded{Agent: a.ID, At: d.at, Reported: reported})
}

// named names several agents in one field of an entry.
func named(ids []AgentID) string {
	var names []string
	for _, id := range ids {
		names = append(names, string(id))
	}
	return strings.Join(names, ",")
}

// reads reports whether the agent takes what waits for it when it next can.
func (d *decision) reads(a *Agent) bool { return d.wakes(a) && a.atBorder() }

// wakes reports whether what waits for the agent is for it to read. In a drain children
// come before parents: their last reports are still to come.
func (d *decision) wakes(a *Agent) bool {
	return len(a.Mailbox) > 0 && a.Paused == "" && !d.waitsBelow(a) && !a.compressesForUser() && !d.held(a)
}

func (d *decision) waitsBelow(a *Agent) bool { return a.Drain != "" && d.s.busyBelow(a.ID) }

// interrupted reports whether what waits for the agent comes before its next call. After
// three answers in a row that messages of agents had dropped, such messages wait for the
// calls, so that many children cannot starve their parent; the user always interrupts
// (SPEC.md, decision 11).
func (d *decision) interrupted(a *Agent) bool {
	return d.reads(a) && (a.Turn.Dropped < 3 || !byAgents(a.Mailbox))
}

func byAgents(mails []Mail) bool {
	for _, m := range mails {
		if m.From == User {
			return false
		}
	}
	return true
}

// goOn carries the calls of open answers on, one call of one of them; where all are
// answered the model is asked again.
func (d *decision) goOn(a *Agent) {
	if a.Turn.Denied >= mostDenials {
		d.fail(a, "denied", d.say(protocol.DeniedEnd, mostDenials))
		return
	}
	for _, o := range a.openAnswers() {
		if d.carryOn(a, o) {
			return
		}
	}
	if a.unserved() {
		d.roundEnded(a)
	}
}

// carryOn carries the calls of an open answer on: the next one is skipped for what has
// come meanwhile, decided by the rules, or handed to a worker. It reports whether there
// was something to do.
func (d *decision) carryOn(a *Agent, o openAnswer) bool {
	call, found, executed := o.next()
	switch {
	case !found:
		return false
	case a.works(call.ID):
		return false // it is waited for and its result kept
	case a.runs(call.ID):
		return d.approving(a, o, call)
	case d.s.drainOf(a, call.ID):
		return false // a terminate_agent that waits for its subtree
	case d.interrupted(a):
		d.skip(a, o, executed)
	case a.Turn.CountedRounds() > d.s.limits.ToolRounds: // it is not begun
		d.fail(a, "tool_rounds", d.say(protocol.TooManyRounds, d.s.limits.ToolRounds))
	case d.s.waitsForTurn(a, o, call):
		return d.stopClock(a, o)
	default:
		if !d.startClock(a, o) {
			d.call(a, o, call)
		}
	}
	return true
}

// skip takes messages before the next call. An answer is dropped if none of its calls was
// executed.
func (d *decision) skip(a *Agent, o openAnswer, executed bool) {
	if !executed {
		d.add(GroupDropped{Agent: a.ID, Slot: o.group.Slot, ByAgents: byAgents(a.Mailbox)})
		d.tail(a).Drop()
	} else {
		d.answerOpen(a, func(conversation.Call) (string, conversation.Outcome) {
			return d.say(protocol.SkippedCall), conversation.Skipped
		})
	}
	d.readOn(a, opening{})
}

// stopClock keeps the time of a node from running while it waits for its branch's
// turn or for the user, startClock lets it run again. They report whether they changed anything.
func (d *decision) stopClock(a *Agent, o openAnswer) bool { return d.clock(a, o, (*graph.Run).Hold) }

func (d *decision) startClock(a *Agent, o openAnswer) bool {
	return d.clock(a, o, (*graph.Run).Release)
}

func (d *decision) clock(a *Agent, o openAnswer, set func(*graph.Run, uint64, time.Time) bool) bool {
	if o.at == nil {
		return false
	}
	run := a.Turn.Run.Clone()
	changed := set(run, o.at.Step, d.at)
	if changed {
		d.moved(a, run, 0)
	}
	return changed
}

// roundEnded asks the model again after all calls of its answer.
func (d *decision) roundEnded(a *Agent) {
	if d.reads(a) {
		d.readOn(a, opening{})
		return
	}
	d.goAhead(a, opening{})
}

// readOn takes what waits and goes on with the node at hand. Where the time of the node or
// of the run is up, or the graph is another by now, nothing is taken: a turn that fails at
// once would swallow it.
func (d *decision) readOn(a *Agent, o opening) {
	if run, err := d.run(a); err == nil && !run.IsDue(d.at) {
		d.take(a)
	}
	d.goAhead(a, o)
}

// answerOpen answers every call of the open answers that has no result.
func (d *decision) answerOpen(a *Agent, how func(conversation.Call) (string, conversation.Outcome)) {
	for _, o := range a.openAnswers() {
		d.answerAll(a, o, how)
	}
}

func (d *decision) answerAll(a *Agent, o openAnswer, how func(conversation.Call) (string, conversation.Outcome)) {
	for i, open := range o.group.Calls {
		if open.Done {
			continue
		}
		call := conversation.Call{ID: open.ID, Name: open.Name}
		if i < len(o.calls) {
			call = o.calls[i]
		}
		text, outcome := how(call)
		d.answerCall(a, call, 0, text, outcome, 0)
	}
}

// cutOff answers a call of work that is cut short.
func (d *decision) cutOff(a *Agent) func(conversation.Call) (string, conversation.Outcome) {
	return func(call conversation.Call) (string, conversation.Outcome) {
		running := slices.ContainsFunc(a.Open, func(s Step) bool { return s.Call == call.ID && s.Kind == ActStep && !s.NotBegun })
		if running || d.s.drainOf(a, call.ID) {
			return d.say(protocol.AbortedCall), conversation.AbortedCall
		}
		return d.say(protocol.NotRunCall), conversation.NotRun
	}
}

func (d *decision) toolDone(a *Agent, c ToolDone) {
	text, outcome := c.Text, c.Outcome
	if c.Artifact != nil {
		put, kept := d.putArtifact(a, *c.Artifact)
		if text == "" {
			text, outcome = put, kept
		} else { // what the call has read counts, kept or not
			text += "\n" + put
		}
	}
	if c.Spawns {
		spawned := false
		if text, spawned = d.spawn(a, c.Work.Call, c.Worktree); !spawned {
			outcome = conversation.Failed
		}
	}
	d.filesChanged(c.Work.fileChange(), c.Files)
	if most := d.s.limits.MessageBytes; len(text) > most {
		text, outcome = d.refused(refuse(TooLarge, "", protocol.ResultTooLarge, len(text), most)), conversation.Failed
	}
	e := d.resultOf(a, c.Work.Call, c.Work.Step, text, outcome, c.Took)
	if c.Image != nil {
		c.Image.addTo(&e)
	}
	d.resulted(a, e)
}

// failed decides on the failure of a model call: again after 1, 2, 4 s, or the turn ends
// and stays open (SPEC.md, decision 23).
func (d *decision) failed(a *Agent, c Failed) {
	step := *a.step(c.Work.Item().Step)
	if d.learnWindow(c.Window); step.ByUser {
		d.notSummarized(a, step, c)
		return
	}
	if c.Class == string(OverBudget) {
		d.notAsked(a, step)
		return
	}
	if c.Class == contextFull && step.Kind != CompressStep && !step.AfterCompression {
		d.abortedEntry(a, c.Partial, c.Text)
		d.openCompression(a, CompressOpened{Closes: step.N, Work: step.Work})
		return
	}
	made := step.Attempt
	most := d.s.limits.Retries
	if c.Class == "empty" {
		most = min(most, 1)
	}
	wait := max(time.Second<<made, c.RetryAfter)
	free := c.Class == rateLimited && c.RetryAfter > 0 // a wait that the endpoint names costs no try
	waited, late := step.Waited+c.Waited, wait > d.s.limits.LongestWait
	if free {
		waited += wait
		late = waited > d.s.limits.LongestWait
	}
	if !c.Retryable || made >= most && !free || late {
		if step.Kind == CompressStep {
			d.notSummarized(a, step, c)
			return
		}
		text := d.tried(c, made)
		if c.Class == contextFull {
			text = d.contextFull(a, c.Text)
		} else if c.Retryable && late && (made < most || free) {
			if free { // how often it was asked says nothing
				text = c.Text
			}
			text = d.say(protocol.RetryTooLate, text, d.at.Add(wait).Format(time.RFC3339))
		} else if !c.Retryable && c.RetryAfter > 0 { // a quota that is filled again
			text = d.say(protocol.RetryTooLate, c.Text, d.at.Add(c.RetryAfter).Format(time.RFC3339))
		}
		if strings.TrimSpace(c.Said) == "" {
			d.abortedEntry(a, c.Partial, c.Text)
		} else {
			d.add(Noted{Agent: a.ID, Entry: conversation.Entry{
				Slot: d.tail(a).Aside(), Kind: conversation.Aborted, At: d.at, From: string(a.ID), Text: c.Said, Cause: c.Text, Model: c.Model,
			}})
		}
		switch {
		case step.Kind == JudgeStep:
			d.judgedAs(a, step.N, graph.Result{Failed: text}, Judged{})
		case !d.nodeFails(a, step, text):
			d.failFor(a, c, text)
		}
		return
	}
	d.abortedEntry(a, c.Partial, c.Text)
	what := RetryThink
	if step.Kind == CompressStep {
		what = RetryCompress
	}
	attempt := made + 1
	if free {
		attempt = made
	}
	d.add(RetrySet{
		Agent: a.ID, Step: step.N, Next: a.Step + 1, Attempt: attempt, At: d.at, Until: d.at.Add(wait), For: what, Cause: c.Text, Model: c.Model, Task: a.Turn.Task,
		Waited: waited, Free: free,
		WithoutModel: step.WithoutModel, AfterCompression: step.AfterCompression, Work: step.Work,
	})
}

// tried describes why a call failed and how often it was tried.
func (d *decision) tried(c Failed, retries int) string {
	switch {
	case retries > 0:
		return d.say(protocol.FailedAfter, c.Text, retries+1)
	case c.Unasked:
		return c.Text
	case c.Retryable:
		return d.say(protocol.FailedOnce, c.Text)
	}
	return d.say(protocol.NotTriedAgain, c.Text)
}

// abortedEntry keeps of a partial answer that it was thrown away, and its length.
func (d *decision) abortedEntry(a *Agent, partial int, cause string) {
	if partial == 0 {
		return
	}
	d.add(Noted{Agent: a.ID, Entry: conversation.Entry{
		Slot: d.tail(a).Aside(), Kind: conversation.Aborted, At: d.at, From: string(a.ID), Tokens: partial, Cause: cause,
	}})
}

// fail ends a turn without an answer: into the agent's own view, and to its parent, for
// root to the user.
func (d *decision) fail(a *Agent, class, text string) {
	d.failFor(a, Failed{Class: class, Text: text}, text)
}

// failFor fails a turn with another text than that of the failure.
func (d *decision) failFor(a *Agent, why Failed, text string) {
	d.answerOpen(a, d.cutOff(a))
	d.add(Noted{Agent: a.ID, Entry: conversation.Entry{
		Slot: d.tail(a).Aside(), Kind: conversation.Notice, At: d.at, From: string(a.ID), Text: text, Cause: why.Class,
	}})
	d.add(TurnFailed{Agent: a.ID, At: d.at, Text: text, Class: why.Class, Code: why.Code, Cause: why.Text, Model: why.Model})
	report := message{
		from: a.ID, kind: protocol.StatusReport, task: a.Turn.Task,
		payload: protocol.Payload{Text: d.say(protocol.TurnFailed, a.ID, text)},
	}
	d.report(a, a.Parent, report)
	for _, to := range a.Owes { // the others who wait for it must not wait in vain
		if to != User && to != a.Parent && d.accepts(a.ID, to, 0) == nil && d.guard(report, to) == nil {
			d.post(report, to)
		}
	}
}

func (d *decision) timerFired(a *Agent, c TimerFired) { d.waited(a, *a.step(c.Work.Step)) }

// waited goes on when a wait has ended.
func (d *decision) waited(a *Agent, step Step) {
	switch step.For {
	case DrainDeadline:
		d.drainEnds(a, true)
	case MessageDue:
		d.sendDelayed(a, step.Until)
	case NodeDeadline:
		d.timeIsUp(a, step.N)
	case RetryNode:
		if run := d.tell(a, step.Work, graph.Result{}); run != nil {
			d.moved(a, run, step.N)
			d.onward(a, run, step.N)
		}
	case RetryCompress:
		d.add(RetryOver{Agent: a.ID, Step: step.N})
		d.openCompression(a, CompressOpened{WithoutModel: step.WithoutModel, Attempt: step.Attempt, Waited: step.Waited, Work: step.Work})
	case RetryThink:
		d.add(RetryOver{Agent: a.ID, Step: step.N})
		d.goAhead(a, opening{closes: step.N, attempt: step.Attempt, waited: step.Waited, afterCompression: step.AfterCompression})
	}
}

// panicked answers the work that a panic ended; the third panic within a minute
// quarantines the agent (S000 P12).
func (d *decision) panicked(a *Agent, c Panicked) {
	d.add(WorkerPanicked{Agent: a.ID, At: d.at})
	step := *a.step(c.Work.Item().Step)
	if step.waits(MessageDue) {
		return // it is waited again: nothing is sent before its time
	}
	if step.Kind == WaitStep {
		d.waited(a, step)
		return
	}
	act, acts := c.Work.(Act)
	if plan, plans := c.Work.(Plan); plans {
		act, acts = Act{WorkItem: plan.WorkItem, Call: plan.Call}, true
	}
	many := len(recent(a.Panics, d.at))+1 >= d.s.limits.PanicsPerMinute
	switch {
	case step.ByUser:
		d.failed(a, Failed{Work: c.Work, Class: "panic", Text: c.Text})
	case many:
		if acts { // it had begun: its effect is unknown
			d.answerCall(a, act.Call, act.Step, d.say(protocol.ToolPanicked), conversation.Failed, 0)
		}
		d.fail(a, "panic", d.say(protocol.QuarantinedAgent, c.Text))
		d.add(PausedNow{Agent: a.ID, Why: Quarantined, At: d.at})
	case acts:
		d.answerCall(a, act.Call, act.Step, d.say(protocol.ToolPanicked), conversation.Failed, 0)
	default:
		d.failed(a, Failed{Work: c.Work, Class: "panic", Text: c.Text, Retryable: true})
	}
}
