// Package orgfile reads and writes the organisation of a society as JSON, in a format
// that similar programs share: roles, living and terminated agents, terminations, and
// contacts. It holds no messages and no briefs.
//
// [Write] writes the organisation of a stored society. [Read] returns a society whose
// agents are idle and have said nothing yet.
package orgfile

import (
	"time"

	"society-tui/runtime/graph"
	"society-tui/runtime/protocol"
	"society-tui/runtime/tool"
)

// An organisation is the content of a file. Fields that other programs do not know are
// left out if empty.
type organisation struct {
	Roles        []orgRole        `json:"roles"`
	Agents       []orgAgent       `json:"agents"`
	Terminations []orgTermination `json:"terminations"`
	// ContactRegistries are the contacts of each agent, and of the user.
	ContactRegistries map[string][]orgContact `json:"contactRegistries"`
}

// An orgRole is a role.
type orgRole struct {
	ID            string                  `json:"id"`
	Name          string                  `json:"name"`
	RolePrompt    string                  `json:"rolePrompt"`
	InterfaceSpec *protocol.InterfaceSpec `json:"interfaceSpec,omitempty"`
	// Snake is another name for InterfaceSpec, which is read only.
	Snake      *protocol.InterfaceSpec `json:"interface_spec,omitempty"`
	ToolGroups []tool.Group            `json:"toolGroups,omitzero"` // nil is all
	Model      string                  `json:"model,omitempty"`
	Capability string                  `json:"capability,omitempty"`
	Graph      *graph.Definition       `json:"graph,omitempty"`
	OwnGraph   bool                    `json:"ownGraph,omitempty"`
	Template   string                  `json:"template,omitempty"`
	CreatedBy  string                  `json:"createdBy"`
	CreatedAt  time.Time               `json:"createdAt"`
	EditedAt   time.Time               `json:"editedAt,omitzero"`
}

// An orgAgent is one that lives, or lived.
type orgAgent struct {
	ID            string     `json:"id"`
	RoleID        string     `json:"roleId"`
	ParentAgentID string     `json:"parentAgentId"`
	CreatedAt     time.Time  `json:"createdAt"`
	TerminatedAt  *time.Time `json:"terminatedAt"`
	Status        string     `json:"status"` // active or terminated
	Name          string     `json:"name,omitempty"`
	Purpose       string     `json:"purpose,omitempty"`
	Template      string     `json:"template,omitempty"`
}

// An orgTermination records who ended an agent, and why.
type orgTermination struct {
	AgentID      string    `json:"agentId"`
	TerminatedBy string    `json:"terminatedBy"`
	TerminatedAt time.Time `json:"terminatedAt"`
	Reason       string    `json:"reason"`
}

// An orgContact is somebody to whom an agent or the user can write.
type orgContact struct {
	ID            string                  `json:"id"`
	Role          string                  `json:"role"`
	InterfaceSpec *protocol.InterfaceSpec `json:"interfaceSpec,omitempty"`
	Source        string                  `json:"source"`
	Description   string                  `json:"description,omitempty"`
	IntroducedBy  string                  `json:"introducedBy,omitempty"`
	Said          *protocol.Target        `json:"introducerSays,omitempty"`
	AddedAt       time.Time               `json:"addedAt,omitzero"`
}

// The statuses of an agent.
const (
	active     = "active"
	terminated = "terminated"
)
