package orgfile

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"society-tui/runtime/archive"
	"society-tui/runtime/society"
	"society-tui/runtime/tables"
	"society-tui/storage"
)

// Write writes the organisation of the society in a store as JSON. Agents come in the
// order in which they were made, the terminated among them. redact takes keys out of
// what is written.
func Write(w io.Writer, tx storage.Tx, redact func(string) string) error {
	records, err := tables.Load(tx)
	if err != nil {
		return err
	}
	file := fileOf(society.Load(society.DefaultLimits(), records), records)
	raw, err := json.MarshalIndent(file, "", "  ")
	if err != nil {
		return fmt.Errorf("the organisation: %w", err)
	}
	for line := range strings.Lines(redact(string(raw))) {
		if _, err := io.WriteString(w, archive.Printable(strings.TrimSuffix(line, "\n"))+"\n"); err != nil {
			return err
		}
	}
	return nil
}

func fileOf(s *society.State, records society.Records) organisation {
	f := organisation{
		Roles: []orgRole{}, Agents: []orgAgent{}, Terminations: []orgTermination{},
		ContactRegistries: map[string][]orgContact{},
	}
	for _, r := range s.Roles() {
		f.Roles = append(f.Roles, orgRole{
			ID: string(r.ID), Name: r.Name, RolePrompt: r.Prompt, InterfaceSpec: r.Interface, ToolGroups: r.Tools,
			Model: r.Model, Capability: r.Capability, Graph: r.Graph, OwnGraph: r.OwnGraph, Template: r.Template,
			CreatedBy: string(r.CreatedBy), CreatedAt: r.CreatedAt, EditedAt: r.EditedAt,
		})
	}
	order := map[string]uint64{}
	for _, id := range s.Agents() {
		a := s.Agent(id)
		order[string(id)] = a.Order
		f.Agents = append(f.Agents, orgAgent{
			ID: string(id), RoleID: string(a.Role), ParentAgentID: string(a.Parent), CreatedAt: a.Created, Status: active,
			Name: a.Name, Purpose: a.Purpose, Template: a.Template,
		})
		f.ContactRegistries[string(id)] = registryOf(a.Contacts)
	}
	f.ContactRegistries[string(society.User)] = registryOf(s.Contacts(society.User))
	for _, t := range records.Tombs {
		order[string(t.ID)] = t.Order
		f.Agents = append(f.Agents, orgAgent{
			ID: string(t.ID), RoleID: string(t.Role), ParentAgentID: string(t.Parent),
			CreatedAt: t.CreatedAt, TerminatedAt: &t.TerminatedAt, Status: terminated, Template: t.Template,
		})
		f.Terminations = append(f.Terminations, orgTermination{
			AgentID: string(t.ID), TerminatedBy: string(t.TerminatedBy), TerminatedAt: t.TerminatedAt, Reason: t.Reason,
		})
	}
	slices.SortFunc(f.Agents, func(a, b orgAgent) int { return cmp.Compare(order[a.ID], order[b.ID]) })
	slices.SortFunc(f.Terminations, func(a, b orgTermination) int { return cmp.Compare(order[a.AgentID], order[b.AgentID]) })
	return f
}

func registryOf(contacts society.Contacts) []orgContact {
	known := []orgContact{}
	for _, c := range contacts { // in the order of their ids
		known = append(known, orgContact{
			ID: c.ID, Role: c.Role, InterfaceSpec: c.InterfaceSpec, Source: string(c.Source), Description: c.Description,
			IntroducedBy: c.IntroducedBy, Said: c.Said, AddedAt: c.AddedAt,
		})
	}
	return known
}
