// Package tool defines what a tool is: a named act with described arguments that an agent may
// call. A [Spec] describes it to a model, a [Schema] its arguments, and [Check] checks a
// call against them. Tools are in packages of their own below this one.
package tool

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
)

// Risk classifies what a call may change.
type Risk string

// The risks. A call that only Reads may run again after a crash; one that Writes
// never does without the agent being told; one that Commits cannot be undone by anybody.
const (
	Reads   Risk = "reads"
	Writes  Risk = "writes"
	Commits Risk = "commits"
)

// A Group names tools that a role gets together.
type Group string

// Read is the group that every role has, whatever its list says: what an agent was
// sent, it can read.
const Read Group = "read"

// A Spec describes a tool to a model and to the user.
type Spec struct {
	// Name matches ^[A-Za-z0-9_-]{1,64}$, as endpoints demand.
	Name string
	// Purpose describes to models what the tool does and when to call it.
	Purpose string
	// Parameters are the arguments, in the order in which a model is to write them.
	Parameters []Property
	Risk       Risk
	// Group is the group that a role needs to use the tool; empty means a group of its
	// own, named like the tool.
	Group Group
}

// Schema returns the JSON Schema of the arguments, as a model is sent it.
func (s Spec) Schema() json.RawMessage {
	raw, err := json.Marshal(s.parameters())
	if err != nil {
		panic(fmt.Sprintf("tool: the schema of %s: %v", s.Name, err)) // names and words can always be encoded
	}
	return raw
}

func (s Spec) parameters() Schema { return Schema{kind: object, fields: s.Parameters} }

// In returns the group that the tool belongs to.
func (s Spec) In() Group { return cmp.Or(s.Group, Group(s.Name)) }

// A Tool does one kind of act. Call may run on any goroutine and must return
// soon after ctx is done.
type Tool interface {
	Spec() Spec
	Call(ctx context.Context, caller Caller, args json.RawMessage) (Result, error)
}

// A Caller is the agent that calls a tool. It is set by the runtime, never by the model.
type Caller struct {
	Agent  string // id of the calling agent
	Task   string // id of the task its turn belongs to
	CallID string
}

// A Result is the result of a call. An error of the act itself (a file that does not exist)
// is a Result with Failed set, so that the model can correct its call; an error returned by
// Call is treated the same way.
type Result struct {
	Text   string
	Failed bool
}
