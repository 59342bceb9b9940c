package archive

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"society-tui/runtime/graph"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/runtime/tables"
	"society-tui/runtime/tool"
	"society-tui/storage"
)

// An Org is the organisation of a society in the data model of S000 and S002: who
// there is and was, and who knows whom. It holds no message and no brief. Fields
// that are not of that model are there only where they say something.
type Org struct {
	Roles        []OrgRole        `json:"roles"`
	Agents       []OrgAgent       `json:"agents"`
	Terminations []OrgTermination `json:"terminations"`
	// ContactRegistries are the contacts of each agent, and of the user.
	ContactRegistries map[string][]OrgContact `json:"contactRegistries"`
}

// An OrgRole is a role.
type OrgRole struct {
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

// An OrgAgent is an agent that lives, or lived.
type OrgAgent struct {
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

// An OrgTermination says who ended an agent, and why.
type OrgTermination struct {
	AgentID      string    `json:"agentId"`
	TerminatedBy string    `json:"terminatedBy"`
	TerminatedAt time.Time `json:"terminatedAt"`
	Reason       string    `json:"reason"`
}

// An OrgContact is a contact as S002 keeps it.
type OrgContact struct {
	ID            string                  `json:"id"`
	Role          string                  `json:"role"`
	InterfaceSpec *protocol.InterfaceSpec `json:"interfaceSpec,omitempty"`
	Source        string                  `json:"source"`
	Description   string                  `json:"description,omitempty"`
	IntroducedBy  string                  `json:"introducedBy,omitempty"`
	Said          *protocol.Target        `json:"introducerSays,omitempty"`
	AddedAt       time.Time               `json:"addedAt,omitzero"`
}

// The statuses of S000's data model.
const (
	orgActive     = "active"
	orgTerminated = "terminated"
)

// WriteOrg writes the organisation as JSON. Agents come in the order in which they
// were made, the terminated among them.
func WriteOrg(w io.Writer, tx storage.Tx, o Options) error {
	records, err := tables.Load(tx)
	if err != nil {
		return err
	}
	org := orgOf(society.Load(society.DefaultLimits(), records), records)
	raw, err := json.MarshalIndent(org, "", "  ")
	if err != nil {
		return fmt.Errorf("the organisation: %w", err)
	}
	for line := range strings.Lines(o.redact(string(raw))) {
		if _, err := io.WriteString(w, printing(strings.TrimSuffix(line, "\n"))+"\n"); err != nil {
			return err
		}
	}
	return nil
}

func orgOf(s *society.State, records society.Records) Org {
	org := Org{
		Roles: []OrgRole{}, Agents: []OrgAgent{}, Terminations: []OrgTermination{},
		ContactRegistries: map[string][]OrgContact{},
	}
	for _, r := range s.Roles() {
		org.Roles = append(org.Roles, OrgRole{
			ID: string(r.ID), Name: r.Name, RolePrompt: r.Prompt, InterfaceSpec: r.Interface, ToolGroups: r.Tools,
			Model: r.Model, Capability: r.Capability, Graph: r.Graph, OwnGraph: r.OwnGraph, Template: r.Template,
			CreatedBy: string(r.CreatedBy), CreatedAt: r.CreatedAt, EditedAt: r.EditedAt,
		})
	}
	order := map[string]uint64{}
	for _, id := range s.Agents() {
		a := s.Agent(id)
		order[string(id)] = a.Order
		org.Agents = append(org.Agents, OrgAgent{
			ID: string(id), RoleID: string(a.Role), ParentAgentID: string(a.Parent), CreatedAt: a.Created, Status: orgActive,
			Name: a.Name, Purpose: a.Purpose, Template: a.Planted,
		})
		org.ContactRegistries[string(id)] = registryOf(a.Contacts)
	}
	org.ContactRegistries[string(society.User)] = registryOf(s.Contacts(society.User))
	for _, t := range records.Tombs {
		order[string(t.ID)] = t.Order
		org.Agents = append(org.Agents, OrgAgent{
			ID: string(t.ID), RoleID: string(t.Role), ParentAgentID: string(t.Parent),
			CreatedAt: t.CreatedAt, TerminatedAt: &t.TerminatedAt, Status: orgTerminated, Template: t.Planted,
		})
		org.Terminations = append(org.Terminations, OrgTermination{
			AgentID: string(t.ID), TerminatedBy: string(t.TerminatedBy), TerminatedAt: t.TerminatedAt, Reason: t.Reason,
		})
	}
	slices.SortFunc(org.Agents, func(a, b OrgAgent) int { return cmp.Compare(order[a.ID], order[b.ID]) })
	slices.SortFunc(org.Terminations, func(a, b OrgTermination) int { return cmp.Compare(order[a.AgentID], order[b.AgentID]) })
	return org
}

func registryOf(contacts society.Contacts) []OrgContact {
	known := []OrgContact{}
	for _, c := range contacts.All() { // in the order of their ids
		known = append(known, OrgContact{
			ID: c.ID, Role: c.Role, InterfaceSpec: c.InterfaceSpec, Source: string(c.Source), Description: c.Description,
			IntroducedBy: c.IntroducedBy, Said: c.Said, AddedAt: c.AddedAt,
		})
	}
	return known
}
