package society

import (
	"errors"
	"strings"
	"testing"

	"society-tui/runtime/conversation"
)

// The outcome of each verb in each state (SPEC.md, decisions 1, 3, 8): "ok", "same" if it
// is accepted and changes nothing, "stale" for a result that no longer counts, or the
// code of the refusal. The last four verbs are tools: of another agent on this one, and
// of this agent.
const refusals = `
                        idle              waiting_llm       processing        paused            draining        stopping          stopped           terminating     gone            nobody          user
send                    ok                ok                ok                ok                agent_stopped   agent_stopped     agent_stopped     agent_stopped   agent_not_found agent_not_found invalid_recipient
send_and_resume         ok                ok                ok                ok                agent_stopped   agent_stopped     ok                agent_stopped   agent_not_found agent_not_found invalid_recipient
take_back               invalid_arguments invalid_arguments invalid_arguments invalid_arguments invalid_arguments invalid_arguments invalid_arguments agent_stopped agent_not_found agent_not_found invalid_recipient
interrupt               same              ok                ok                same              ok              agent_stopped     agent_stopped     agent_stopped   agent_not_found agent_not_found invalid_recipient
interrupt_with_text     ok                ok                ok                ok                agent_stopped   agent_stopped     agent_stopped     agent_stopped   agent_not_found agent_not_found invalid_recipient
stop                    ok                ok                ok                ok                ok              same              same              agent_stopped   agent_not_found agent_not_found invalid_recipient
resume                  same              same              same              ok                same            agent_stopped     ok                agent_stopped   agent_not_found agent_not_found invalid_recipient
resume_alone            same              same              same              ok                same            agent_stopped     ok                agent_stopped   agent_not_found agent_not_found invalid_recipient
terminate               ok                ok                ok                ok                ok              ok                ok                same            agent_not_found agent_not_found invalid_recipient
told_by_its_sibling     ok                ok                ok                ok                agent_stopped   agent_stopped     agent_stopped     agent_stopped   agent_not_found agent_not_found ok
told_by_its_parent      ok                ok                ok                ok                agent_stopped   agent_stopped     agent_stopped     agent_stopped   agent_not_found agent_not_found ok
ended_by_its_parent     ok                ok                ok                ok                agent_stopped   ok                ok                agent_stopped   agent_not_found agent_not_found invalid_recipient
ended_by_its_sibling    not_your_child    not_your_child    not_your_child    not_your_child    not_your_child  not_your_child    not_your_child    agent_stopped   agent_not_found agent_not_found invalid_recipient
tells_its_parent        stale             ok                stale             stale             ok              stale             stale             stale           stale           stale           stale
spawns                  stale             ok                stale             stale             agent_stopped   stale             stale             stale           stale           stale           stale
makes_a_role            stale             ok                stale             stale             agent_stopped   stale             stale             stale           stale           stale           stale
ends_its_child          stale             ok                stale             stale             agent_stopped   stale             stale             stale           stale           stale           stale
`

// states bring the first child of root into a state, and return the agent for the verbs.
var states = map[string]func(w *world, mid AgentID) AgentID{
	"idle":        func(w *world, mid AgentID) AgentID { w.says(mid, ""); return mid },
	"waiting_llm": func(_ *world, mid AgentID) AgentID { return mid },
	"processing":  func(w *world, mid AgentID) AgentID { w.calling(mid, w.call("write", object{})); return mid },
	"paused":      func(w *world, mid AgentID) AgentID { w.must(Interrupt{Agent: mid}); return mid },
	"draining": func(w *world, mid AgentID) AgentID {
		w.terminates(Root, mid)
		w.must(Interrupt{Agent: Root, Text: "do something else meanwhile"})
		return mid
	},
	"stopping":    func(w *world, mid AgentID) AgentID { w.must(Stop{Agent: mid}); return mid },
	"stopped":     func(w *world, mid AgentID) AgentID { w.must(Stop{Agent: mid}); w.halted(); return mid },
	"terminating": func(w *world, mid AgentID) AgentID { w.must(Terminate{Agent: mid, By: User}); return mid },
	"gone": func(w *world, mid AgentID) AgentID {
		w.must(Terminate{Agent: mid, By: User})
		w.halted()
		return mid
	},
	"nobody": func(*world, AgentID) AgentID { return "nobody-7" },
	"user":   func(*world, AgentID) AgentID { return User },
}

// person are the verbs of the user.
var person = map[string]func(id AgentID) Command{
	"send":                func(id AgentID) Command { return Send{To: id, Text: "hello"} },
	"send_and_resume":     func(id AgentID) Command { return Send{To: id, Text: "hello", Resume: true} },
	"take_back":           func(id AgentID) Command { return DropWaiting{Agent: id} },
	"interrupt":           func(id AgentID) Command { return Interrupt{Agent: id} },
	"interrupt_with_text": func(id AgentID) Command { return Interrupt{Agent: id, Text: "hello"} },
	"stop":                func(id AgentID) Command { return Stop{Agent: id} },
	"resume":              func(id AgentID) Command { return Resume{Agent: id} },
	"resume_alone":        func(id AgentID) Command { return Resume{Agent: id, Alone: true} },
	"terminate":           func(id AgentID) Command { return Terminate{Agent: id, By: User} },
}

// tools are calls, and who makes them.
func (w *world) toolOf(verb string, id, mid, low, peer AgentID) (by AgentID, call conversation.Call) {
	w.t.Helper()
	switch verb {
	case "told_by_its_sibling":
		return peer, w.tells(id, "", "hello")
	case "told_by_its_parent":
		return Root, w.tells(id, "", "hello")
	case "ended_by_its_parent":
		return Root, w.call("terminate_agent", object{"agentId": id})
	case "ended_by_its_sibling":
		return peer, w.call("terminate_agent", object{"agentId": id})
	case "tells_its_parent":
		return mid, w.tells(Root, "", "hello")
	case "spawns":
		return mid, w.call("spawn_agent", object{"roleId": "role-worker", "taskBrief": brief()})
	case "makes_a_role":
		return mid, w.call("create_role", object{"name": "second", "rolePrompt": "Help."})
	case "ends_its_child":
		return mid, w.call("terminate_agent", object{"agentId": low})
	}
	w.t.Fatalf("there is no verb %s", verb)
	return "", conversation.Call{}
}

func TestEachVerbInEachState(t *testing.T) {
	t.Parallel()
	lines := strings.Split(strings.TrimSpace(refusals), "\n")
	columns := strings.Fields(lines[0])
	if len(columns) != len(states) {
		t.Fatalf("%d columns for %d states", len(columns), len(states))
	}
	for _, line := range lines[1:] {
		cells := strings.Fields(line)
		if len(cells) != len(columns)+1 {
			t.Fatalf("%s has %d cells, not %d", cells[0], len(cells)-1, len(columns))
		}
		for i, state := range columns {
			verb, want := cells[0], cells[i+1]
			t.Run(verb+" "+state, func(t *testing.T) {
				t.Parallel()
				if got := comesTo(t, verb, state); got != want {
					t.Errorf("it comes to %s, not %s", got, want)
				}
			})
		}
	}
}

// comesTo plays one cell.
func comesTo(t *testing.T, verb, state string) string {
	w := newWorld(t, DefaultLimits())
	mid, peer := w.spawn(Root), w.spawn(Root)
	low := w.spawn(mid)
	first := w.thinks(mid)
	id := states[state](w, mid)
	before := encoded(t, w.records())
	if cmd, ok := person[verb]; ok {
		_, err := w.try(cmd(id))
		return w.outcome(err, before)
	}
	by, call := w.toolOf(verb, id, mid, low, peer)
	work := first
	if by != mid {
		work = w.thinks(by)
	} else if id != mid {
		work.Agent = id
	}
	_, err := w.try(Answered{Work: work, Calls: []conversation.Call{call}})
	if err != nil {
		return w.outcome(err, before)
	}
	if verb == "ended_by_its_parent" || verb == "ends_its_child" {
		for _, e := range w.last { // the result of an accepted one is yet to come
			switch e.(type) {
			case DrainBegun, TerminationBegun:
				return "ok"
			}
		}
	}
	if code, failed := w.answer(by, call)["error"].(string); failed {
		return code
	}
	return "ok"
}

// outcome names the outcome of a command. A refused command has changed nothing.
func (w *world) outcome(err error, before string) string {
	w.t.Helper()
	same := encoded(w.t, w.records()) == before
	var r *Refusal
	switch {
	case err == nil && same && len(w.last) == 0:
		return "same"
	case err == nil:
		return "ok"
	case !same:
		w.t.Fatalf("%v, but something has changed", err)
	case errors.As(err, &r):
		return string(r.Code)
	case errors.Is(err, ErrStale):
		return "stale"
	}
	return err.Error()
}
