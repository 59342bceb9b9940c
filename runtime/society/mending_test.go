package society

import (
	"strings"
	"testing"

	"society-tui/runtime/tool/org"
)

// A blunder is a wrong call with what its error has to name, and the arguments
// that mend it, which a model could write with nothing but that error.
type blunder struct {
	name   string
	tool   string
	args   object
	says   []string
	mended object
}

// The error of every wrong call explains how to correct it, and the corrected call works
// (S002 8.5).
func TestAModelCanMendEveryWrongCallByItsError(t *testing.T) {
	t.Parallel()
	full := func(change func(b object)) object {
		b := brief()
		change(b)
		return b
	}
	for _, c := range []blunder{
		{"no recipient", org.SendMessage, object{"payload": "x"}, []string{"to"}, object{"to": "worker-1"}},
		{"an empty recipient", org.SendMessage, object{"to": "", "payload": "x"}, []string{"to"}, object{"to": "worker-1"}},
		{"a recipient that is a number", org.SendMessage, object{"to": 7, "payload": "x"}, []string{"to"}, object{"to": "worker-1"}},
		{"no recipients", org.SendMessage, object{"to": []string{}, "payload": "x"}, []string{"to"}, object{"to": []string{"worker-1"}}},
		{"a recipient that there is not", org.SendMessage, object{"to": "nobody-1", "payload": "x"}, []string{"agent_not_found", "nobody-1", "get_org"}, object{"to": "worker-1"}},
		{"itself as recipient", org.SendMessage, object{"to": "root", "payload": "x"}, []string{"invalid_recipient", "somebody else"}, object{"to": "worker-1"}},
		{"no payload", org.SendMessage, object{"to": "worker-1"}, []string{"invalid_message_format", "payload"}, object{"payload": "x"}},
		{"a type that there is not", org.SendMessage, object{"to": "worker-1", "message_type": "gossip", "payload": "x"}, []string{"message_type", "status_report", "general"}, object{"message_type": "general"}},
		{"a payload that does not fit its type", org.SendMessage, object{"to": "worker-1", "message_type": "introduction_request", "payload": object{"reason": "r"}}, []string{"introduction_request", "required_capability"}, object{"payload": object{"reason": "r", "required_capability": "c"}}},
		{"an introduction to nobody", org.SendMessage, object{"to": "worker-1", "message_type": "introduction_response", "payload": object{"target": object{"id": "nobody-1", "role": "x"}}}, []string{"target.id", "nobody-1", "get_org"}, object{"payload": object{"target": object{"id": "root", "role": "x"}}}},
		{"quick replies that are no list", org.SendMessage, object{"to": "user", "payload": "x?", "quickReplies": "yes"}, []string{"quickReplies"}, object{"quickReplies": []string{"yes"}}},
		{"no role", org.SpawnAgent, object{"taskBrief": brief()}, []string{"roleId"}, object{"roleId": "role-worker"}},
		{"a role that there is not", org.SpawnAgent, object{"roleId": "worker", "taskBrief": brief()}, []string{"roleId", "list_roles", "create_role"}, object{"roleId": "role-worker"}},
		{"no brief", org.SpawnAgent, object{"roleId": "role-worker"}, []string{"invalid_task_brief", "objective", "constraints", "inputs", "outputs", "completion_criteria"}, object{"taskBrief": brief()}},
		{"a brief as text", org.SpawnAgent, object{"roleId": "role-worker", "taskBrief": "do it"}, []string{"taskBrief must be an object, not a string"}, object{"taskBrief": brief()}},
		{"constraints as text", org.SpawnAgent, object{"roleId": "role-worker", "taskBrief": full(func(b object) { b["constraints"] = "none" })}, []string{"constraints must be a list of strings"}, object{"taskBrief": brief()}},
		{"a collaborator that there is not", org.SpawnAgent, object{"roleId": "role-worker", "taskBrief": full(func(b object) { b["collaborators"] = []object{{"agentId": "nobody-1"}} })}, []string{"collaborators[0].agentId", "get_org"}, object{"taskBrief": brief()}},
		{"a first message that is none", org.SpawnAgent, object{"roleId": "role-worker", "taskBrief": brief(), "initialMessage": 7}, []string{"payload must be a string or an object"}, object{"initialMessage": "Begin."}},
		{"a role without a name", org.CreateRole, object{"rolePrompt": "Test."}, []string{"name"}, object{"name": "tester"}},
		{"a role with the user's name", org.CreateRole, object{"name": "User", "rolePrompt": "Test."}, []string{"name", "mistaken for", "choose another"}, object{"name": "tester"}},
		{"a role whose name ends a first line", org.CreateRole, object{"name": "x】", "rolePrompt": "Test."}, []string{"name", "】"}, object{"name": "tester"}},
		{"a role without a prompt", org.CreateRole, object{"name": "tester", "rolePrompt": " "}, []string{"rolePrompt"}, object{"rolePrompt": "Test."}},
		{"a form of a wrong type", org.CreateRole, object{"name": "tester", "rolePrompt": "Test.", "interfaceSpec": object{"examples": "x"}}, []string{"examples"}, object{"interfaceSpec": object{"examples": []string{"x"}}}},
		{"a group of tools that there is not", org.CreateRole, object{"name": "tester", "rolePrompt": "Test.", "toolGroups": []string{"magic"}}, []string{"toolGroups", "magic"}, object{"toolGroups": []string{"talk"}}},
		{"an empty query", org.FindRole, object{"query": ""}, []string{"query", "list_roles"}, object{"query": "work"}},
		{"somebody else's child", org.TerminateAgent, object{"agentId": "worker-2"}, []string{"not_your_child", "worker-2"}, object{"agentId": "worker-1"}},
		{"an end of nobody", org.TerminateAgent, object{"agentId": "nobody-1"}, []string{"agent_not_found", "nobody-1"}, object{"agentId": "worker-1"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, DefaultLimits())
			below := w.spawn(w.spawn(Root))
			for _, id := range []AgentID{below, w.agent(below).Parent} {
				w.says(id, "done")
			}
			w.reads(Root)
			text := w.tries(c.tool, c.args)
			for _, want := range append(c.says, `"error"`) {
				if !strings.Contains(text, want) {
					t.Errorf("%q is not in %s", want, text)
				}
			}
			args := object{}
			for _, from := range []object{c.args, c.mended} {
				for name, value := range from {
					args[name] = value
				}
			}
			if text := w.tries(c.tool, args); strings.Contains(text, `"error"`) {
				t.Errorf("mended as it was told, it is %v: %s", args, text)
			}
		})
	}
}

// tries makes root call a tool and returns the result, or "" if it comes later.
func (w *world) tries(name string, args object) string {
	w.t.Helper()
	call := w.call(name, args)
	w.calling(Root, call)
	for _, e := range w.said[Root] {
		if e.CallID == call.ID {
			return e.Text
		}
	}
	return ""
}
