package orgfile

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"

	"society-tui/runtime/archive"
	"society-tui/runtime/graph"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/runtime/tables"
)

// A builder makes a society of a file.
type builder struct {
	file organisation
	lang protocol.Lang
	now  time.Time

	counters society.Counters
	roles    []society.Role
	agents   []*society.Agent // parents before children
	tombs    []society.Tombstone
	live     map[string]*society.Agent
	dead     map[string]bool
}

func (b *builder) build() error {
	b.counters = society.Counters{Names: map[string]uint64{}, Lang: b.lang, Salt: uint16(b.now.UnixNano() >> 10)}
	if err := b.buildRoles(); err != nil {
		return err
	}
	if err := b.buildRoot(); err != nil {
		return err
	}
	if err := b.buildAgents(); err != nil {
		return err
	}
	return b.checkTerminations()
}

func (b *builder) next() uint64 {
	b.counters.Order++
	return b.counters.Order
}

func (b *builder) role(id string) *society.Role {
	at := slices.IndexFunc(b.roles, func(r society.Role) bool { return string(r.ID) == id })
	if at < 0 {
		return nil
	}
	return &b.roles[at]
}

func (b *builder) buildRoles() error {
	for _, r := range b.file.Roles {
		switch {
		case r.ID == "":
			return fmt.Errorf("roles %.80q: it has no id", r.Name)
		case b.role(r.ID) != nil:
			return fmt.Errorf("roles %.80q: it is there twice", r.ID)
		}
		if err := protocol.CheckRoleName(r.Name); err != nil && !b.isRoots(r) {
			return fmt.Errorf("roles %.80q: its name %.80q: %w", r.ID, r.Name, err)
		}
		if r.Graph != nil {
			if err := r.Graph.Validate(graph.Funcs{}); err != nil {
				return fmt.Errorf("roles %.80q: its graph: %w", r.ID, err)
			}
		}
		b.roles = append(b.roles, society.Role{
			ID: society.RoleID(r.ID), Name: r.Name, Prompt: r.RolePrompt, Interface: cmp.Or(r.InterfaceSpec, r.Snake), Tools: r.ToolGroups,
			Model: r.Model, Capability: r.Capability, Graph: r.Graph, OwnGraph: r.OwnGraph, Template: r.Template,
			CreatedBy: society.AgentID(r.CreatedBy), CreatedAt: r.CreatedAt, EditedAt: r.EditedAt, Order: b.next(),
		})
	}
	return nil
}

// isRoots reports whether a role is the one that the program gives to root, with a name
// that no other may have.
func (b *builder) isRoots(r orgRole) bool {
	for _, lang := range protocol.Langs() {
		if name, _ := protocol.RootRole(lang); name == r.Name {
			return true
		}
	}
	return false
}

// buildRoot makes root: as it is in the file, or new.
func (b *builder) buildRoot() error {
	at := slices.IndexFunc(b.file.Agents, func(a orgAgent) bool { return a.ID == string(society.Root) })
	if at >= 0 {
		a := b.file.Agents[at]
		if a.Status != active {
			return fmt.Errorf("agents %q: it is %.40q, and a society needs it", society.Root, a.Status)
		}
		return b.add(a, nil)
	}
	name, prompt := protocol.RootRole(b.lang)
	role := society.RootRole
	if b.role(string(role)) != nil {
		role = "role-root-0"
	}
	b.roles = append(b.roles, society.Role{ID: role, Name: name, Prompt: prompt, CreatedBy: society.User, CreatedAt: b.now, Order: b.next()})
	return b.add(orgAgent{ID: string(society.Root), RoleID: string(role), CreatedAt: b.now, Status: active}, nil)
}

// buildAgents adds all others, each after its parent, else in their order.
func (b *builder) buildAgents() error {
	left := slices.DeleteFunc(slices.Clone(b.file.Agents), func(a orgAgent) bool { return a.ID == string(society.Root) })
	for len(left) > 0 {
		var later []orgAgent
		for _, a := range left {
			parent, ready := b.parentOf(a)
			if !ready {
				later = append(later, a)
				continue
			}
			if err := b.add(a, parent); err != nil {
				return err
			}
		}
		if len(later) == len(left) {
			return fmt.Errorf("agents %.80q: its parent %.80q is not there, is terminated, or is below it", later[0].ID, later[0].ParentAgentID)
		}
		left = later
	}
	return nil
}

func (b *builder) parentOf(a orgAgent) (parent *society.Agent, ready bool) {
	id := cmp.Or(a.ParentAgentID, string(society.Root))
	if id == string(society.User) {
		id = string(society.Root)
	}
	if a.Status == terminated {
		return nil, true // a tombstone stands in no tree
	}
	parent = b.live[id]
	return parent, parent != nil
}

// add makes an agent, or the tombstone of one.
func (b *builder) add(a orgAgent, parent *society.Agent) error {
	role := b.role(a.RoleID)
	switch {
	case b.live[a.ID] != nil || b.dead[a.ID]:
		return fmt.Errorf("agents %.80q: it is there twice", a.ID)
	case !archive.IsAgentID(a.ID):
		return fmt.Errorf("agents %.80q: no agent can be called that", a.ID)
	case role == nil:
		return fmt.Errorf("agents %.80q: its role %.80q is not there", a.ID, a.RoleID)
	}
	if a.Name != "" {
		if err := protocol.CheckRoleName(a.Name); err != nil {
			return fmt.Errorf("agents %.80q: its name %.80q: %w", a.ID, a.Name, err)
		}
	}
	if slug, n := archive.SplitID(a.ID); n > 0 {
		b.counters.Names[slug] = max(b.counters.Names[slug], n)
	}
	switch a.Status {
	case terminated:
		return b.bury(a, role)
	case active:
		if a.TerminatedAt != nil {
			return fmt.Errorf("agents %.80q: it is active and was terminated at %s", a.ID, a.TerminatedAt.Format(time.RFC3339))
		}
	default:
		return fmt.Errorf("agents %.80q: its status is %.40q", a.ID, a.Status)
	}
	made := &society.Agent{
		ID: society.AgentID(a.ID), Role: role.ID, Parent: society.User, Order: b.next(),
		Created: a.CreatedAt, Since: b.now, Status: society.Idle, Purpose: a.Purpose,
		Name: a.Name, Template: a.Template,
	}
	if parent != nil {
		made.Parent, made.Depth = parent.ID, parent.Depth+1
	}
	b.live[a.ID] = made
	b.agents = append(b.agents, made)
	return nil
}

func (b *builder) bury(a orgAgent, role *society.Role) error {
	tomb := society.Tombstone{
		ID: society.AgentID(a.ID), Role: role.ID, RoleName: role.Name, Parent: society.AgentID(a.ParentAgentID),
		CreatedAt: a.CreatedAt, Template: a.Template, Order: b.next(),
	}
	if a.TerminatedAt != nil {
		tomb.TerminatedAt = *a.TerminatedAt
	}
	at := slices.IndexFunc(b.file.Terminations, func(t orgTermination) bool { return t.AgentID == a.ID })
	if at >= 0 {
		t := b.file.Terminations[at]
		tomb.TerminatedAt, tomb.TerminatedBy, tomb.Reason = t.TerminatedAt, society.AgentID(t.TerminatedBy), t.Reason
	}
	b.dead[a.ID] = true
	b.tombs = append(b.tombs, tomb)
	return nil
}

func (b *builder) checkTerminations() error {
	seen := map[string]bool{}
	for _, t := range b.file.Terminations {
		if !b.dead[t.AgentID] || seen[t.AgentID] {
			return fmt.Errorf("terminations %.80q: no agent of that id was terminated, or it was twice", t.AgentID)
		}
		seen[t.AgentID] = true
	}
	return nil
}

// rows hands over the society.
func (b *builder) rows(put func(tables.Row) error) error {
	w := archive.NewRowWriter(put)
	w.Write(tables.Row{Table: "counters", ID: "society"}, b.counters)
	for _, r := range b.roles {
		w.Write(tables.Row{Table: "roles", ID: string(r.ID)}, r)
	}
	for _, t := range b.tombs {
		w.Write(tables.Row{Table: "tombs", ID: string(t.ID)}, t)
	}
	for _, a := range b.agents {
		w.Write(tables.Row{Table: "agents", ID: string(a.ID)}, a)
	}
	for id, list := range b.file.ContactRegistries {
		if b.live[id] == nil && id != string(society.User) {
			return fmt.Errorf("contactRegistries %.80q: there is no such agent", id)
		}
		for _, c := range list {
			if b.dead[c.ID] {
				continue
			}
			if err := b.checkContact(id, c); err != nil {
				return fmt.Errorf("contactRegistries %.80q %.80q: %w", id, c.ID, err)
			}
			w.Write(tables.Row{Table: "contacts", ID: id, Contact: c.ID}, protocol.Contact{
				ID: c.ID, Role: c.Role, InterfaceSpec: c.InterfaceSpec, Source: protocol.Source(c.Source),
				Description: c.Description, IntroducedBy: c.IntroducedBy, Said: c.Said, AddedAt: c.AddedAt,
			})
		}
	}
	root := b.role(string(b.live[string(society.Root)].Role))
	for who, known := range map[society.AgentID]protocol.Contact{
		society.Root: {ID: string(society.User), Role: string(society.User)},
		society.User: {ID: string(society.Root), Role: root.Name},
	} {
		if !slices.ContainsFunc(b.file.ContactRegistries[string(who)], func(c orgContact) bool { return c.ID == known.ID }) {
			known.Source, known.AddedAt = protocol.System, b.now
			w.Write(tables.Row{Table: "contacts", ID: string(who), Contact: known.ID}, known)
		}
	}
	return w.Err()
}

func (b *builder) checkContact(who string, c orgContact) error {
	if (c.ID != string(society.User) || c.ID == who) && b.live[c.ID] == nil {
		return errors.New("there is no such agent")
	}
	if !protocol.Source(c.Source).Known() {
		return fmt.Errorf("its source is %.40q", c.Source)
	}
	return nil
}
