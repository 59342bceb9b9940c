package archive

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"society-tui/runtime/graph"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/runtime/tables"
)

// FromOrg is the society of an organisation that WriteOrg, or another program with
// the data model of S000 and S002, has written. Its agents are idle and have said
// nothing yet. lang is the language they are spoken to in, now when they came here.
//
// What that model has no place for here is refused with the name of the record.
// Root is made if it is not in it; agents without a parent are root's. A contact who
// was terminated is left out, as everywhere (spec/decisions.md 6).
func FromOrg(r io.Reader, lang protocol.Lang, now time.Time) Content {
	return func(put func(tables.Row) error) error {
		raw, err := io.ReadAll(r)
		if err != nil {
			return err
		}
		org, err := readOrg(raw)
		if err != nil {
			return err
		}
		b := &builder{org: org, lang: lang, now: now, live: map[string]*society.Agent{}, dead: map[string]bool{}}
		if err := b.build(); err != nil {
			return err
		}
		return b.rows(put)
	}
}

// readOrg reads an organisation strictly: a field that has no place is an error that
// names its record.
func readOrg(raw []byte) (org Org, err error) {
	var lists struct {
		Roles             []json.RawMessage            `json:"roles"`
		Agents            []json.RawMessage            `json:"agents"`
		Terminations      []json.RawMessage            `json:"terminations"`
		ContactRegistries map[string][]json.RawMessage `json:"contactRegistries"`
	}
	if err := strict(raw, &lists); err != nil {
		return org, fmt.Errorf("it is no organisation: %w", err)
	}
	if org.Roles, err = records[OrgRole]("roles", lists.Roles); err != nil {
		return org, err
	}
	if org.Agents, err = records[OrgAgent]("agents", lists.Agents); err != nil {
		return org, err
	}
	if org.Terminations, err = records[OrgTermination]("terminations", lists.Terminations); err != nil {
		return org, err
	}
	org.ContactRegistries = map[string][]OrgContact{}
	for id, list := range lists.ContactRegistries {
		if org.ContactRegistries[id], err = records[OrgContact](fmt.Sprintf("contactRegistries %.80q", id), list); err != nil {
			return org, err
		}
	}
	return org, nil
}

func strict(raw []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(v); err != nil {
		return err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("something stands behind its end")
	}
	return nil
}

func records[V any](where string, list []json.RawMessage) ([]V, error) {
	all := make([]V, len(list))
	for i, raw := range list {
		if err := strict(raw, &all[i]); err != nil {
			return nil, fmt.Errorf("%s, record %d: %w", where, i+1, err)
		}
	}
	return all, nil
}

// A builder makes a society of an organisation.
type builder struct {
	org  Org
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
	for _, r := range b.org.Roles {
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

// isRoots says whether a role is the one that the program gives to root, with a name
// that no other may have.
func (b *builder) isRoots(r OrgRole) bool {
	for _, lang := range protocol.Langs() {
		if name, _ := protocol.RootRole(lang); name == r.Name {
			return true
		}
	}
	return false
}

// buildRoot makes root: as it is in the organisation, or new.
func (b *builder) buildRoot() error {
	at := slices.IndexFunc(b.org.Agents, func(a OrgAgent) bool { return a.ID == string(society.Root) })
	if at >= 0 {
		a := b.org.Agents[at]
		if a.Status != orgActive {
			return fmt.Errorf("agents %q: it is %.40q, and a society needs it", society.Root, a.Status)
		}
		return b.add(a, nil)
	}
	name, prompt := protocol.RootRole(b.lang)
	role := society.RoleID("role-root")
	if b.role(string(role)) != nil {
		role = "role-root-0"
	}
	b.roles = append(b.roles, society.Role{ID: role, Name: name, Prompt: prompt, CreatedBy: society.User, CreatedAt: b.now, Order: b.next()})
	return b.add(OrgAgent{ID: string(society.Root), RoleID: string(role), CreatedAt: b.now, Status: orgActive}, nil)
}

// buildAgents adds all others, each after its parent, else in their order.
func (b *builder) buildAgents() error {
	left := slices.DeleteFunc(slices.Clone(b.org.Agents), func(a OrgAgent) bool { return a.ID == string(society.Root) })
	for len(left) > 0 {
		var later []OrgAgent
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

func (b *builder) parentOf(a OrgAgent) (parent *society.Agent, ready bool) {
	id := cmp.Or(a.ParentAgentID, string(society.Root))
	if id == string(society.User) {
		id = string(society.Root)
	}
	if a.Status == orgTerminated {
		return nil, true // a tombstone stands in no tree
	}
	parent = b.live[id]
	return parent, parent != nil
}

// add makes an agent, or the tombstone of one.
func (b *builder) add(a OrgAgent, parent *society.Agent) error {
	role := b.role(a.RoleID)
	switch {
	case b.live[a.ID] != nil || b.dead[a.ID]:
		return fmt.Errorf("agents %.80q: it is there twice", a.ID)
	case !canBe(a.ID):
		return fmt.Errorf("agents %.80q: no agent can be called that", a.ID)
	case role == nil:
		return fmt.Errorf("agents %.80q: its role %.80q is not there", a.ID, a.RoleID)
	}
	if a.Name != "" {
		if err := protocol.CheckRoleName(a.Name); err != nil {
			return fmt.Errorf("agents %.80q: its name %.80q: %w", a.ID, a.Name, err)
		}
	}
	if slug, n := split(a.ID); n > 0 {
		b.counters.Names[slug] = max(b.counters.Names[slug], n)
	}
	switch a.Status {
	case orgTerminated:
		return b.bury(a, role)
	case orgActive:
		if a.TerminatedAt != nil {
			return fmt.Errorf("agents %.80q: it is active and was terminated at %s", a.ID, a.TerminatedAt.Format(time.RFC3339))
		}
	default:
		return fmt.Errorf("agents %.80q: its status is %.40q", a.ID, a.Status)
	}
	made := &society.Agent{
		ID: society.AgentID(a.ID), Role: role.ID, Parent: society.User, Order: b.next(),
		Created: a.CreatedAt, Since: b.now, Status: society.Idle, Purpose: a.Purpose,
		Rare: &society.Rare{Name: a.Name, Planted: a.Template},
	}
	if parent != nil {
		made.Parent, made.Depth = parent.ID, parent.Depth+1
	}
	b.live[a.ID] = made
	b.agents = append(b.agents, made)
	return nil
}

func (b *builder) bury(a OrgAgent, role *society.Role) error {
	tomb := society.Tombstone{
		ID: society.AgentID(a.ID), Role: role.ID, RoleName: role.Name, Parent: society.AgentID(a.ParentAgentID),
		CreatedAt: a.CreatedAt, Planted: a.Template, Order: b.next(),
	}
	if a.TerminatedAt != nil {
		tomb.TerminatedAt = *a.TerminatedAt
	}
	at := slices.IndexFunc(b.org.Terminations, func(t OrgTermination) bool { return t.AgentID == a.ID })
	if at >= 0 {
		t := b.org.Terminations[at]
		tomb.TerminatedAt, tomb.TerminatedBy, tomb.Reason = t.TerminatedAt, society.AgentID(t.TerminatedBy), t.Reason
	}
	b.dead[a.ID] = true
	b.tombs = append(b.tombs, tomb)
	return nil
}

func (b *builder) checkTerminations() error {
	seen := map[string]bool{}
	for _, t := range b.org.Terminations {
		if !b.dead[t.AgentID] || seen[t.AgentID] {
			return fmt.Errorf("terminations %.80q: no agent of that id was terminated, or it was twice", t.AgentID)
		}
		seen[t.AgentID] = true
	}
	return nil
}

// rows hands over all that was built.
func (b *builder) rows(put func(tables.Row) error) error {
	w := writer{put: put}
	w.row("counters", "society", "", b.counters)
	for _, r := range b.roles {
		w.row("roles", string(r.ID), "", r)
	}
	for _, t := range b.tombs {
		w.row("tombs", string(t.ID), "", t)
	}
	for _, a := range b.agents {
		w.row("agents", string(a.ID), "", a)
	}
	for id, list := range b.org.ContactRegistries {
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
			w.row("contacts", id, c.ID, protocol.Contact{
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
		if !slices.ContainsFunc(b.org.ContactRegistries[string(who)], func(c OrgContact) bool { return c.ID == known.ID }) {
			known.Source, known.AddedAt = protocol.System, b.now
			w.row("contacts", string(who), known.ID, known)
		}
	}
	return w.err
}

func (b *builder) checkContact(who string, c OrgContact) error {
	if (c.ID != string(society.User) || c.ID == who) && b.live[c.ID] == nil {
		return errors.New("there is no such agent")
	}
	if !protocol.Source(c.Source).Known() {
		return fmt.Errorf("its source is %.40q", c.Source)
	}
	return nil
}

// A writer hands over rows until one is refused.
type writer struct {
	put func(tables.Row) error
	err error
}

func (w *writer) row(table, id, contact string, record any) {
	w.numbered(tables.Row{Table: table, ID: id, Contact: contact}, record)
}

func (w *writer) numbered(r tables.Row, record any) {
	if w.err != nil {
		return
	}
	if r.Record, w.err = json.Marshal(record); w.err == nil {
		w.err = w.put(r)
	}
}
