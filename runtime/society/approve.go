package society

import (
	"maps"
	"slices"
	"strings"
	"time"

	"society-tui/runtime/approval"
	"society-tui/runtime/conversation"
	"society-tui/runtime/protocol"
)

// mostDenials is how many denied calls end a turn: a model that tries again and again is not
// told anything new.
const mostDenials = 3

// plan begins to find out what a call would do.
func (d *decision) plan(a *Agent, o openAnswer, call conversation.Call) {
	opened := PlanOpened{Agent: a.ID, Step: a.Step + 1, Call: call.ID, Tool: call.Name, At: d.at}
	if o.at != nil {
		opened.Work = o.at.Step
	}
	d.add(opened)
}

// planned decides on a call whose plan is known: it begins, is denied, or waits for the
// user.
func (d *decision) planned(a *Agent, c Planned) {
	call, step := c.Work.Call, *a.step(c.Work.Step)
	was := d.s.approvalOf(a.ID, call.ID)
	if c.Failed != "" {
		if was != nil {
			d.add(ApprovalEnded{Approval: *was, Outcome: Withdrawn, Why: ByFailure, At: d.at})
		}
		d.answerCall(a, call, step.N, c.Failed, conversation.Failed, c.Took)
		return
	}
	if was == nil && d.interrupted(a) {
		d.add(PlanDropped{Agent: a.ID, Step: step.N})
		return // the message comes before the call
	}
	w := d.request(a, call, c)
	if was != nil {
		w.ID, w.At = was.ID, was.At
	}
	verdict := d.s.decideOn(&w, policyChange{})
	w.ByRule = verdict.Verdict == approval.Allow && verdict.Rule != nil || was != nil && was.Yes && was.ByRule
	switch {
	case verdict.Verdict == approval.Ask && (was != nil && was.Yes && was.Key == w.Key && maps.Equal(was.Hashes, w.Hashes) || d.s.granted(a, &w)):
		verdict.Verdict = approval.Allow
	case verdict.Verdict == approval.Ask && d.s.approvals.settings.Nobody:
		d.denies(a, call, step.N, w, d.say(protocol.NobodyToAsk))
		return
	}
	if was != nil && !was.Yes && verdict.Verdict == approval.Allow && verdict.Rule == nil {
		// A start in another folder, or with other settings, is no answer of the user's.
		w.Mode, w.Rule, w.Protected, w.ByRule = was.Mode, was.Rule, was.Protected, false
		d.asks(a, w, c, step)
		return
	}
	switch verdict.Verdict {
	case approval.Allow:
		if was != nil && a.Paused != "" { // it begins when the agent is resumed
			w.Yes = true
			d.asks(a, w, c, step)
			return
		}
		if was != nil {
			d.add(ApprovalEnded{Approval: w, Outcome: Allowed, At: d.at})
		}
		d.begins(a, call, step, &w)
	case approval.Deny:
		d.denies(a, call, step.N, w, d.denied(verdict))
	default:
		w.Mode, w.Protected = verdict.Mode, verdict.Protected
		if verdict.Rule != nil {
			w.Rule = verdict.Rule.String()
		}
		d.asks(a, w, c, step)
	}
}

// whyBytes bounds a model's reason for a call.
const whyBytes = 1 << 10

// request makes the request for a call from its plan.
func (d *decision) request(a *Agent, call conversation.Call, c Planned) Approval {
	w := Approval{
		Agent: a.ID, Task: a.Turn.Task, Call: call.ID, Tool: call.Name, Class: d.s.approvals.classes[call.Name], At: d.at,
		Paths: c.Plan.Paths, Summary: clip(strings.ToValidUTF8(c.Plan.Summary, "�"), DoingBytes), Hashes: c.Plan.Hashes, Dir: c.Plan.Dir, Key: callKey(call, c.Plan.Target),
		Target: c.Plan.Target, Why: clip(strings.ToValidUTF8(c.Plan.Why, "�"), whyBytes),
	}
	if o, ok := a.answerOf(call.ID); ok {
		w.Branch = o.branch
	}
	w.Preview, w.Cut = Opening(c.Plan.Preview)
	return w
}

// asks lets a call wait for the user.
func (d *decision) asks(a *Agent, w Approval, c Planned, step Step) {
	again := w.ID != 0
	if !again {
		w.ID = d.s.counters.Approvals + 1
	}
	d.add(ApprovalAsked{Approval: w, Preview: c.Plan.Preview, Closes: step.N, Step: a.Step + 1, Work: step.Work, Again: again})
}

// begins opens a call that is allowed.
func (d *decision) begins(a *Agent, call conversation.Call, step Step, w *Approval) {
	d.add(CallOpened{
		Agent: a.ID, Step: a.Step + 1, Call: call.ID, Tool: call.Name, At: d.at, Closes: step.N, Work: step.Work,
		Writes: d.writes(call.Name), NotBegun: d.s.leaving, Hashes: w.Hashes, Dir: w.Dir, ByRule: w.ByRule,
	})
}

// denied is what a model is told of a call that the policy denies. Of a rule it is told the
// reason alone.
func (d *decision) denied(v approval.Decision) string {
	switch {
	case v.Rule == nil:
		return d.say(protocol.DeniedByMode)
	case v.Rule.Why == "":
		return d.say(protocol.DeniedByRule)
	}
	return v.Rule.Why
}

// denies answers a call that is not made. Other calls are not touched.
func (d *decision) denies(a *Agent, call conversation.Call, step uint64, w Approval, why string) {
	d.add(ApprovalEnded{Approval: w, Outcome: Denied, Reason: why, At: d.at})
	text := payloadOf(map[string]any{"error": "denied", "message": d.say(protocol.CallDenied, why)})
	d.answerCall(a, call, step, text, conversation.Failed, 0)
	d.add(CallDenied{Agent: a.ID})
}

// approving goes on with a call that waits for the user: the user's message comes before
// it, and a yes lets it begin. It reports whether there was something to do.
func (d *decision) approving(a *Agent, o openAnswer, call conversation.Call) bool {
	w := d.s.approvalOf(a.ID, call.ID)
	at := slices.IndexFunc(a.Open, func(s Step) bool { return s.Kind == ApproveStep && s.Call == call.ID })
	if at < 0 || w == nil { // it is being planned
		return false
	}
	step := a.Open[at]
	switch {
	case d.reads(a) && !byAgents(a.Mailbox), w.Yes && d.interrupted(a):
		ended := ApprovalEnded{Approval: *w, Outcome: Withdrawn, Why: ByMessage, At: d.at, Closes: step.N}
		if w.Yes {
			ended.Outcome, ended.Why, ended.Holds = Allowed, "", true
		}
		d.add(ended)
	case !w.Yes:
		return d.stopClock(a, o)
	case a.Paused != "":
		return false
	case d.startClock(a, o):
	default:
		d.add(ApprovalEnded{Approval: *w, Outcome: Allowed, At: d.at})
		d.begins(a, call, step, w)
	}
	return true
}

// answerApprovals carries out the user's answer to requests.
func (d *decision) answerApprovals(c AnswerApproval) (ApprovalsAnswered, error) {
	var reply ApprovalsAnswered
	var found []*Approval
	for _, id := range c.IDs {
		switch w := d.s.approvals.waiting[id]; {
		case w == nil || w.Yes:
			reply.Gone = append(reply.Gone, id)
		case !slices.Contains(found, w):
			found = append(found, w)
		}
	}
	if len(c.Reason) > longestReason {
		return reply, refuse(TooLarge, "", protocol.MessageTooLarge, len(c.Reason), longestReason)
	}
	if len(found) == 0 && c.Answer.known() {
		return reply, nil
	}
	switch c.Answer {
	case AllowOnce, AllowInTask:
		for _, w := range found {
			d.allows(w, &reply, false)
			if c.Answer == AllowInTask {
				d.add(CallGranted{Task: w.Task, Agent: w.Agent, Key: w.Key})
			}
		}
	case DenyCall:
		why := strings.TrimSpace(c.Reason)
		if why == "" {
			why = d.say(protocol.DeniedByUser)
		}
		for _, w := range found {
			d.refuses(w, why, &reply)
		}
	case AnswerByRule:
		rule, err := d.newRule(c.Rule)
		if err != nil {
			return reply, err
		}
		if rule.Do == approval.Allow && rule.Identity == "" {
			rule.Identity = found[0].Target.Identity // the yes is to the tool as it is
		}
		for _, w := range found {
			if !rule.Covers(d.s.RequestOf(w)) {
				return reply, refuse(InvalidArguments, w.Agent, protocol.RuleMisses, w.ID)
			}
		}
		d.add(RuleMade{Rule: rule})
		reply.Rule = rule.ID
		d.decideAgain(&reply, policyChange{rule: &rule})
	default:
		return reply, refuse(InvalidArguments, "", protocol.UnknownAnswer, string(c.Answer))
	}
	return reply, nil
}

// longestReason bounds a reason of the user's, in bytes.
const longestReason = 4 << 10

func (d *decision) allows(w *Approval, reply *ApprovalsAnswered, byRule bool) {
	d.add(ApprovalGiven{ID: w.ID, Agent: w.Agent, At: d.at, ByRule: byRule})
	reply.Allowed = append(reply.Allowed, w.ID)
}

// refuses answers a waiting call with a no.
func (d *decision) refuses(w *Approval, why string, reply *ApprovalsAnswered) {
	a := d.s.agents[w.Agent]
	d.denies(a, a.Turn.call(w.Call), 0, *w, why)
	reply.Denied = append(reply.Denied, w.ID)
}

// decideAgain decides on all that wait after the rules have changed, with one rule more or
// with another mode. A yes that a paused agent has stands against an ask, not against a no
// that came later.
func (d *decision) decideAgain(reply *ApprovalsAnswered, change policyChange) {
	for _, w := range d.s.Approvals() {
		switch v := d.s.decideOn(w, change); {
		case v.Verdict == approval.Deny:
			d.refuses(w, d.denied(v), reply)
		case v.Verdict == approval.Allow && !w.Yes:
			d.allows(w, reply, v.Rule != nil)
		}
	}
}

// newRule checks a rule of the user's and numbers it.
func (d *decision) newRule(r *approval.Rule) (approval.Rule, *Refusal) {
	if r == nil {
		return approval.Rule{}, refuse(InvalidArguments, "", protocol.BadRule, textNoRule)
	}
	rule := *r
	rule.ID, rule.Origin = d.s.counters.Rules+1, ""
	if err := rule.Check(d.s.approvals.classes, d.s.emptyGroups...); err != nil {
		return rule, refuse(InvalidArguments, "", protocol.BadRule, err)
	}
	for _, id := range []AgentID{AgentID(rule.Agent), AgentID(rule.Under)} {
		if id == "" {
			continue
		}
		if _, err := d.agent(id); err != nil {
			return rule, err
		}
	}
	if id := RoleID(rule.Role); id != "" && d.s.roles[id] == nil {
		return rule, refuse(InvalidArguments, "", protocol.UnknownRoleID, id)
	}
	return rule, nil
}

// makeRule adds a rule, which answers all that wait and that it covers.
func (d *decision) makeRule(c MakeRule) (ApprovalsAnswered, error) {
	var reply ApprovalsAnswered
	rule, err := d.newRule(&c.Rule)
	if err != nil {
		return reply, err
	}
	d.add(RuleMade{Rule: rule})
	reply.Rule = rule.ID
	d.decideAgain(&reply, policyChange{rule: &rule})
	return reply, nil
}

// removeRule removes a rule of the user's. What waits goes on waiting.
func (d *decision) removeRule(c RemoveRule) error {
	if !slices.ContainsFunc(d.s.approvals.rules, func(r approval.Rule) bool { return r.ID == c.ID }) {
		return refuse(InvalidArguments, "", protocol.UnknownRule, c.ID)
	}
	d.add(RulesRemoved{IDs: []uint64{c.ID}})
	return nil
}

// setMode sets a mode, and answers what waits and is decided otherwise by it.
func (d *decision) setMode(c SetMode) (ApprovalsAnswered, error) {
	var reply ApprovalsAnswered
	switch {
	case c.Mode != "" && !c.Mode.Known():
		return reply, refuse(InvalidArguments, "", protocol.UnknownMode, string(c.Mode))
	case c.Of.Role != "" && c.Of.Agent != "":
		return reply, refuse(InvalidArguments, c.Of.Agent, protocol.ModeOfBoth)
	case c.Of.Role != "" && d.s.roles[c.Of.Role] == nil:
		return reply, refuse(InvalidArguments, "", protocol.UnknownRoleID, c.Of.Role)
	case c.Of.Agent != "":
		if _, err := d.agent(c.Of.Agent); err != nil {
			return reply, err
		}
	}
	if d.s.approvals.modes[c.Of] == c.Mode {
		return reply, nil
	}
	d.add(ModeSet{Of: c.Of, Mode: c.Mode, At: d.at})
	d.decideAgain(&reply, policyChange{of: c.Of, mode: &c.Mode})
	return reply, nil
}

// overdue denies what has waited too long.
func (d *decision) overdue() error {
	wait := d.s.approvals.settings.Wait
	var reply ApprovalsAnswered
	for _, w := range d.s.Approvals() {
		if wait > 0 && !w.Yes && !w.At.Add(wait).After(d.at) {
			d.refuses(w, d.say(protocol.DeniedLate, wait.Round(time.Second).String()), &reply)
		}
	}
	return nil
}
