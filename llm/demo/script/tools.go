package script

import (
	"encoding/json"
	"slices"
	"strings"

	"society-tui/llm"
)

// The tools that the model uses.
const (
	createRole      = "create_role"
	listRoles       = "list_roles"
	spawnAgent      = "spawn_agent"
	terminateAgent  = "terminate_agent"
	sendMessage     = "send_message"
	getOrg          = "get_org"
	compressContext = "compress_context"
)

// reading are tools that only read, to show the use of one.
var reading = []string{"list_contacts", "context_status"}

// The message types that the model sends.
const (
	collaborationRequest = "collaboration_request"
	taskAssignment       = "task_assignment"
)

// A brief is a task brief, with the fields that the model reads and writes.
type brief struct {
	Objective          string         `json:"objective"`
	Constraints        []string       `json:"constraints"`
	Inputs             string         `json:"inputs"`
	Outputs            string         `json:"outputs"`
	CompletionCriteria string         `json:"completion_criteria"`
	Collaborators      []collaborator `json:"collaborators,omitempty"`
}

// has reports whether the text is one of the constraints.
func (b *brief) has(t text) bool { return slices.ContainsFunc(b.Constraints, t.is) }

// A collaborator is an agent that the receiver of a brief asks for its part.
type collaborator struct {
	AgentID     string `json:"agentId"`
	Role        string `json:"role"`
	Description string `json:"description"`
}

// Arguments hold the arguments of all tools that the model reads again.
type arguments struct {
	Name      string   // of create_role
	AgentID   string   // of terminate_agent
	TaskBrief brief    // of spawn_agent
	To        []string // of send_message
	Payload   struct{ TaskBrief brief }
}

// A result is the result of a call.
type result struct {
	tool  string
	asked arguments
	value toolResult
}

// A toolResult holds the fields of all tools' results that the model reads.
type toolResult struct {
	Error, Message, RoleID, AgentID string
	Roles                           []struct{ RoleID, Name string }
	Agents                          []row
	CascadeTerminated               []string
}

// A row is an agent in the result of get_org.
type row struct {
	ID, Name, Role, Parent, State string
	Paused                        any
}

// isStopped is the error of a message to a stopped agent.
const isStopped = "agent_stopped"

func (r row) isStopped() bool { return strings.HasPrefix(r.State, "stop") }

// works reports whether the agent is busy, or only paused.
func (r row) works() bool {
	return r.State != "idle" && !r.isStopped() || r.Paused != nil && r.Paused != false
}

// readResult reads the result of a call; ok is false for a call that the runtime has not
// run, which it answers with a sentence instead of JSON.
func readResult(c llm.Call, said string) (r result, ok bool) {
	r = result{tool: c.Name, asked: decode[arguments](c.Arguments)}
	if c.Name == sendMessage {
		r.asked.TaskBrief = r.asked.Payload.TaskBrief
	}
	// A warning of the runtime may follow the JSON.
	err := json.NewDecoder(strings.NewReader(said)).Decode(&r.value)
	return r, err == nil
}

// call returns a call of a tool.
func call(name string, arguments any) llm.Call {
	return llm.Call{Name: name, Arguments: encode(arguments)}
}

// message returns a call that sends a message.
func message(to, kind string, payload map[string]any, quickReplies ...string) llm.Call {
	arguments := map[string]any{"to": []string{to}, "message_type": kind, "payload": payload}
	if quickReplies != nil {
		arguments["quickReplies"] = quickReplies
	}
	return call(sendMessage, arguments)
}

// encode writes JSON. It is of strings, lists and maps, which cannot fail.
func encode(v any) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(v)
	return strings.TrimSuffix(b.String(), "\n")
}

// decode reads JSON of other models too, whose malformed fields stay empty.
func decode[T any](written string) T {
	var v T
	_ = json.Unmarshal([]byte(written), &v)
	return v
}
