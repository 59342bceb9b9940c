package society

import (
	"fmt"
	"hash/fnv"
	"time"

	"society-tui/runtime/conversation"
	"society-tui/runtime/protocol"
	"society-tui/runtime/tool"
	"society-tui/runtime/tool/artifacts"
	"society-tui/runtime/tool/org"
	"society-tui/runtime/tool/todo"
)

// call decides the next call of an open answer: by the rules themselves for what
// changes the organisation, so that effect and result are one transaction; else
// by opening it for a worker.
func (d *decision) call(a *Agent, o openAnswer, call conversation.Call) {
	if call.Problem != "" {
		d.answerCall(a, call, 0, call.Problem, conversation.Failed, 0)
		return
	}
	if a.Turn.Repeats[repeatKey(call, o.branch)]+1 >= d.s.limits.RepeatsEnded {
		d.fail(a, "repeats", d.say(protocol.RepeatedEnd, call.Name, d.s.limits.RepeatsEnded))
		return
	}
	if !d.s.MayUseAt(a, o.at, call.Name) {
		node := ""
		if o.at != nil {
			node = o.at.Node
		}
		d.answerCall(a, call, 0, d.notGiven(a, call.Name, node), conversation.Failed, 0)
		return
	}
	var text string
	var ok bool
	switch call.Name {
	case org.CreateRole:
		text, ok = d.createRole(a, call)
	case org.FindRole:
		text, ok = d.findRole(call)
	case org.ListRoles:
		text, ok = d.listRoles(), true
	case org.SpawnAgent:
		if d.s.isolated { // a worker makes its worktree first
			d.openCall(a, o, call)
			return
		}
		text, ok = d.spawn(a, call, "")
	case org.TerminateAgent:
		d.terminateAgent(a, call)
		return // an accepted one is answered at the end of the drain
	case org.SendMessage:
		text, ok = d.sendMessage(a, call)
	case org.ListContacts:
		text, ok = d.listContacts(a), true
	case org.GetOrg:
		text, ok = d.listAgents(), true
	case todo.Name:
		text, ok = d.keepTodo(a, o, call)
	default:
		if d.s.asksFor(call.Name) {
			d.plan(a, o, call)
			return
		}
		d.openCall(a, o, call)
		return
	}
	outcome := conversation.OK
	if !ok {
		outcome = conversation.Failed
	}
	d.answerCall(a, call, 0, text, outcome, 0)
}

// openCall gives a call to a worker.
func (d *decision) openCall(a *Agent, o openAnswer, call conversation.Call) {
	opened := CallOpened{
		Agent: a.ID, Step: a.Step + 1, Call: call.ID, Tool: call.Name, At: d.at, Writes: d.writes(call.Name), NotBegun: d.s.leaving,
	}
	if o.at != nil {
		opened.Work = o.at.Step
	}
	d.add(opened)
}

func (d *decision) writes(name string) bool {
	return d.s.risk(name) != tool.Reads && name != artifacts.Put && name != org.SpawnAgent // whose effect comes with the result
}

// answerCall puts the result of one call into the slot reserved for it. A call
// that ran counts towards the repeats, and the model is warned of them.
func (d *decision) answerCall(a *Agent, call conversation.Call, step uint64, text string, outcome conversation.Outcome, took time.Duration) {
	d.resulted(a, d.resultOf(a, call, step, text, outcome, took))
}

func (d *decision) resultOf(a *Agent, call conversation.Call, step uint64, text string, outcome conversation.Outcome, took time.Duration) ToolResultKept {
	o, _ := a.answerOf(call.ID)
	var repeat string
	if a.Turn != nil && (outcome == conversation.OK || outcome == conversation.Failed) {
		repeat = repeatKey(call, o.branch)
		if n := a.Turn.Repeats[repeat] + 1; n >= d.s.limits.RepeatsWarned {
			text += "\n" + d.say(protocol.RepeatedWarning, n, d.s.limits.RepeatsEnded)
		}
	}
	return ToolResultKept{Agent: a.ID, Step: step, Repeat: repeat, Call: call, Entry: conversation.Entry{
		Text: text, Outcome: outcome, Took: took, Branch: o.branch, CallID: call.ID,
	}}
}

// resulted completes the entry of a result, if its call is open.
func (d *decision) resulted(a *Agent, e ToolResultKept) {
	slot, ok := d.tail(a).Result(e.Entry.CallID)
	if !ok {
		return
	}
	e.Entry.Slot, e.Entry.Kind, e.Entry.At, e.Entry.From = slot, conversation.Result, d.at, string(a.ID)
	d.add(e)
}

// repeatKey stands for a call with its arguments. Branches do not see what others have
// called, so that each counts its own.
func repeatKey(c conversation.Call, branch int) string {
	h := fnv.New64a()
	fmt.Fprintf(h, "%s\x00%s", c.Name, c.Arguments)
	if branch != 0 {
		fmt.Fprintf(h, "\x00%d", branch)
	}
	return fmt.Sprintf("%x", h.Sum64())
}

// arguments reads the arguments of a call.
func (d *decision) arguments(call conversation.Call) *protocol.Arguments {
	return protocol.ReadArguments(d.s.lang, call.Arguments)
}

func (d *decision) badArguments(why *protocol.Reason) string {
	return d.refused(&Refusal{Code: InvalidArguments, Why: why})
}

// refused returns a refusal as the result of a call.
func (d *decision) refused(r *Refusal) string { return payloadOf(d.refusal(r)) }

func (d *decision) refusal(r *Refusal) map[string]any {
	m := map[string]any{"error": r.Code, "message": r.Why.In(d.s.lang)}
	if r.Agent != "" {
		m["agentId"] = r.Agent
	}
	return m
}

func (d *decision) listContacts(a *Agent) string {
	return payloadOf(map[string]any{"contacts": d.s.ListContacts(a.ID)})
}

func (d *decision) listAgents() string {
	list := []map[string]any{}
	for _, id := range d.s.Agents() {
		a := d.s.agents[id]
		if a.Status == Terminating {
			continue
		}
		m := map[string]any{"id": id, "role": d.s.RoleName(id), "parent": a.Parent, "state": a.Status}
		if name := d.s.fullName(id); name != m["role"] {
			m["name"] = name
		}
		if a.Doing != "" {
			m["doing"] = a.Doing
		}
		if a.Paused != "" {
			m["paused"] = a.Paused
		}
		list = append(list, m)
	}
	return payloadOf(map[string]any{"agents": list})
}
