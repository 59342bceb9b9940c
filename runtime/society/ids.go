package society

import "society-tui/runtime/protocol"

// An AgentID names an agent. It is short and readable (the role's slug and a number,
// "web-3"), because models copy it, and never used again: not after termination, restart
// or import (SPEC.md, decision 38).
type AgentID string

// Root is the agent that the user talks to first. User is the user: an address, not an
// agent.
const (
	Root AgentID = "root"
	User AgentID = "user"
	// Runtime is the sender of messages from the program itself.
	Runtime AgentID = protocol.RuntimeID
)

// A RoleID names a role, a MessageID a message, a TaskID what a user once asked for with
// all that followed from it.
type (
	RoleID    string
	MessageID string
	TaskID    string
)

// RootRole is the role of root, which every society has from its beginning.
const RootRole RoleID = "role-root"
