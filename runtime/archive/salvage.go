package archive

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"society-tui/runtime/conversation"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/runtime/tables"
	"society-tui/storage"
)

// Salvage makes a society of what is left of a damaged one, and says what was lost
// and what stands in for it; lang is its language if that is lost too. All agents are
// at rest in it: a turn that was under way is given up, what waits for them waits,
// and they are paused until the person resumes them or writes to them. An agent of
// which only rows are left is there again under root.
func Salvage(tx storage.Tx, lang protocol.Lang) (content Content, lost []error, err error) {
	m := &mender{
		lang: lang, roles: map[society.RoleID]*society.Role{}, tasks: map[society.TaskID]bool{},
		agents: map[society.AgentID]*society.Agent{}, tombs: map[society.AgentID]bool{},
		letters: map[letterKey]*tables.Letter{}, later: map[society.AgentID][]tables.Postponed{},
	}
	err = tables.Rows(tx, m.take, m.miss)
	if err != nil {
		return nil, nil, err
	}
	if len(m.agents) == 0 && len(m.rest) == 0 {
		return nil, m.lost, ErrUnreadable
	}
	m.mend()
	return m.rows, m.lost, nil
}

// A letterKey says where a message was delivered.
type letterKey struct {
	to  society.AgentID
	seq uint64
}

// A mender puts the pieces together.
type mender struct {
	lang     protocol.Lang
	counters *society.Counters
	roles    map[society.RoleID]*society.Role
	tasks    map[society.TaskID]bool
	agents   map[society.AgentID]*society.Agent
	tombs    map[society.AgentID]bool
	letters  map[letterKey]*tables.Letter
	later    map[society.AgentID][]tables.Postponed
	said     []said
	rest     []tables.Row // carried over as they are, if their agent lives
	contacts []tables.Row
	lost     []error
}

type said struct {
	by    society.AgentID
	entry conversation.Entry
}

func (m *mender) miss(err error) { m.lost = append(m.lost, err) }

func (m *mender) missing(format string, args ...any) {
	m.miss(fmt.Errorf("%w: %s", storage.ErrDamaged, fmt.Sprintf(format, args...)))
}

// take sorts one row in.
func (m *mender) take(r tables.Row) error {
	switch r.Table {
	case "counters":
		var c society.Counters
		err := r.Read(&c)
		if wrong := checkCounters(c); wrong != nil {
			m.miss(fmt.Errorf("%w: %w", storage.ErrDamaged, wrong))
			return nil
		}
		m.counters = &c
		return err
	case "roles":
		v := new(society.Role)
		m.roles[society.RoleID(r.ID)] = v
		return r.Read(v)
	case "agents":
		v := &society.Agent{Rare: new(society.Rare)} // of its own, to be mended
		m.agents[society.AgentID(r.ID)] = v
		return r.Read(v)
	case "mail":
		v := new(tables.Letter)
		m.letters[letterKey{society.AgentID(r.ID), r.N}] = v
		return r.Read(v)
	case "later":
		var v tables.Postponed
		err := r.Read(&v)
		m.later[society.AgentID(r.ID)] = append(m.later[society.AgentID(r.ID)], v)
		return err
	case "said":
		var v conversation.Entry
		err := r.Read(&v)
		if !v.Kind.Known() {
			m.missing("the record %s, of kind %.40q", r, v.Kind)
			return nil
		}
		m.said = append(m.said, said{society.AgentID(r.ID), v})
		return err
	case "contacts":
		m.contacts = append(m.contacts, r)
		return nil
	case "tombs":
		m.tombs[society.AgentID(r.ID)] = true
	case "tasks":
		m.tasks[society.TaskID(r.ID)] = true
	}
	m.rest = append(m.rest, r)
	return nil
}

func (m *mender) mend() {
	if m.counters == nil {
		m.missing("the counters; they were made anew")
		m.counters = &society.Counters{Lang: m.lang}
	}
	if m.counters.Names == nil {
		m.counters.Names = map[string]uint64{}
	}
	m.counters.Lang = cmp.Or(m.counters.Lang, m.lang)
	m.findAgents()
	m.plant()
	for _, id := range m.ids() {
		m.calm(m.agents[id])
	}
	m.mendMail()
	m.mendLater()
	m.count()
}

// ids are those of the agents, in the order in which they were made.
func (m *mender) ids() []society.AgentID {
	ids := make([]society.AgentID, 0, len(m.agents))
	for id := range m.agents {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(a, b society.AgentID) int {
		return cmp.Or(cmp.Compare(m.agents[a].Order, m.agents[b].Order), cmp.Compare(a, b))
	})
	return ids
}

// findAgents makes the agents anew of which only rows are left, root if it must be,
// and the roles that are missing.
func (m *mender) findAgents() {
	for id := range m.tombs {
		delete(m.agents, id)
	}
	seen := map[society.AgentID]bool{society.Root: true}
	for _, s := range m.said {
		seen[s.by] = true
	}
	for k := range m.letters {
		seen[k.to] = true
	}
	for id := range seen {
		if m.agents[id] == nil && !m.tombs[id] && canBe(string(id)) {
			m.missing("the record of %s; it is there again, at rest", id)
			m.agents[id] = &society.Agent{ID: id, Role: "role-unknown", Parent: society.Root, Order: m.counters.Order + 1, Rare: new(society.Rare)}
		}
	}
	for _, id := range m.ids() {
		role := m.agents[id].Role
		if m.roles[role] == nil {
			m.missing("the role %s with its prompt; give it one in the list of roles", role)
			m.roles[role] = &society.Role{ID: role, Name: "unknown", Prompt: "Your role was lost with a damaged file. Ask what you are to do.", CreatedBy: society.User}
		}
	}
}

// plant puts the agents into one tree, and numbers them in its order if theirs does
// not fit to it.
func (m *mender) plant() {
	root := m.agents[society.Root]
	root.Parent, root.Depth = society.User, 0
	for _, id := range m.ids() {
		a := m.agents[id]
		if id != society.Root && !m.reaches(a) {
			m.missing("whose child %s was, it was %s's; it is root's now", id, a.Parent)
			a.Parent = society.Root
		}
	}
	children := map[society.AgentID][]*society.Agent{}
	for _, id := range m.ids() {
		a := m.agents[id]
		children[a.Parent] = append(children[a.Parent], a)
	}
	order := []*society.Agent{root}
	rises := true
	for i := 0; i < len(order); i++ {
		p := order[i]
		for _, a := range children[p.ID] {
			a.Depth = p.Depth + 1
			rises = rises && a.Order > p.Order
			order = append(order, a)
		}
	}
	taken := map[uint64]bool{}
	for _, a := range order {
		rises = rises && !taken[a.Order]
		taken[a.Order] = true
	}
	if !rises {
		for i, a := range order {
			a.Order = uint64(i + 1)
		}
	}
}

// reaches says whether the way up from an agent ends at root.
func (m *mender) reaches(a *society.Agent) bool {
	for range m.agents {
		if a = m.agents[a.Parent]; a == nil {
			return false
		}
		if a.ID == society.Root {
			return true
		}
	}
	return false
}

// calm brings an agent to rest.
func (m *mender) calm(a *society.Agent) {
	a.Turn, a.Open, a.Owes, a.Asked, a.Drain, a.Drained, a.Ending = nil, nil, nil, nil, "", nil, nil
	a.Tail.Group = nil
	a.Epoch++
	if a.Status.Ended() {
		a.Status = society.Stopped
		return
	}
	a.Status = society.Idle
	a.Paused = cmp.Or(a.Paused, society.AskedToPause)
}

// mendMail puts a word where a message stood that is lost, and lets those be paused
// for whom something waits.
func (m *mender) mendMail() {
	next, seen := map[society.AgentID]uint64{}, map[society.AgentID]int{}
	read := map[society.AgentID]uint64{}
	for i := range m.said {
		s := &m.said[i]
		a := m.agents[s.by]
		if a == nil {
			continue
		}
		next[s.by] = max(next[s.by], s.entry.Slot+1)
		if s.entry.Kind.InContext() && !s.entry.Compressed && s.entry.Branch == 0 {
			seen[s.by]++
		}
		if s.entry.Kind != conversation.Inbound && s.entry.Kind != conversation.Dropped {
			continue
		}
		read[s.by] = max(read[s.by], s.entry.Seq)
		key := letterKey{s.by, s.entry.Seq}
		if m.letters[key] == nil {
			m.missing("the text of message %d to %s, of %s from %s", s.entry.Seq, s.by, s.entry.At.Format(time.DateTime), s.entry.From)
			m.letters[key] = letterFor(s.entry)
		}
	}
	for id, a := range m.agents {
		if a.Tail.Next < next[id] {
			a.Tail = conversation.Tail{Next: next[id], Load: conversation.Load{Count: seen[id]}}
		}
		a.Cursor = max(a.Cursor, read[id])
		a.Tail.First = min(a.Tail.First, a.Tail.Next)
	}
	for k := range m.letters {
		a := m.agents[k.to]
		if a != nil && k.seq > a.Cursor && a.Status.Ended() {
			a.Status, a.Paused = society.Idle, society.AskedToPause
		}
	}
}

// letterFor stands in for a message that is lost.
func letterFor(e conversation.Entry) *tables.Letter {
	const gone = "[This message was lost with a damaged file.]"
	return &tables.Letter{
		Mail: society.Mail{
			Seq: e.Seq, ID: society.MessageID(e.MessageID), From: society.AgentID(e.From), Role: e.FromRole,
			Type: protocol.MessageType(e.Type), Task: society.TaskID(e.TaskID), At: e.At,
		},
		Body: gone, Text: gone,
	}
}

// mendLater keeps what is to be sent later if both sides are there.
func (m *mender) mendLater() {
	for by, list := range m.later {
		a := m.agents[by]
		kept := slices.DeleteFunc(list, func(p tables.Postponed) bool {
			to := m.agents[p.To]
			ok := a != nil && !a.Status.Ended() && (p.To == society.User || to != nil && !to.Status.Ended())
			if !ok {
				m.missing("a message that %s was to send to %s later: one of them has ended", by, p.To)
			}
			return !ok
		})
		m.later[by] = kept
		if len(kept) == 0 {
			continue
		}
		due := kept[0].Due
		for _, p := range kept {
			if p.Due.Before(due) {
				due = p.Due
			}
		}
		a.Step++
		a.Open = append(a.Open, society.Step{N: a.Step, Kind: society.Wait, Post: true, Until: due})
	}
}

// count raises the counters above all that was given (spec/decisions.md 38), and
// finds the tasks that are missing.
func (m *mender) count() {
	c := m.counters
	name := func(id society.AgentID) {
		if slug, n := split(string(id)); n > 0 {
			c.Names[slug] = max(c.Names[slug], n)
		}
	}
	for id, a := range m.agents {
		name(id)
		c.Order = max(c.Order, a.Order)
		c.Seq = max(c.Seq, a.Cursor)
		m.needTask(a.Task)
	}
	for id := range m.tombs {
		name(id)
	}
	for k, l := range m.letters {
		c.Seq = max(c.Seq, k.seq)
		m.needTask(l.Task)
	}
	for _, list := range m.later {
		for _, p := range list {
			c.Seq = max(c.Seq, p.N)
			m.needTask(p.Mail.Task)
		}
	}
	for _, r := range m.rest {
		if r.Table == "inbox" {
			c.Seq = max(c.Seq, r.N)
		}
	}
	for _, role := range m.roles {
		c.Order = max(c.Order, role.Order)
	}
}

func (m *mender) needTask(id society.TaskID) {
	if id != "" && !m.tasks[id] {
		m.tasks[id] = true
		raw, err := json.Marshal(society.Task{ID: id})
		if err != nil {
			panic(fmt.Sprintf("archive: a task cannot be written: %v", err))
		}
		m.rest = append(m.rest, tables.Row{Table: "tasks", ID: string(id), Record: raw})
	}
}

// rows hands over the society.
func (m *mender) rows(put func(tables.Row) error) error {
	w := writer{put: put}
	w.row("counters", "society", "", m.counters)
	for id, r := range m.roles {
		w.row("roles", string(id), "", r)
	}
	for _, id := range m.ids() {
		w.row("agents", string(id), "", m.agents[id])
	}
	for k, l := range m.letters {
		if m.agents[k.to] != nil {
			w.numbered(tables.Row{Table: "mail", ID: string(k.to), N: k.seq}, l)
		}
	}
	for by, list := range m.later {
		for _, p := range list {
			w.numbered(tables.Row{Table: "later", ID: string(by), N: p.N}, p)
		}
	}
	for _, s := range m.said {
		if m.agents[s.by] != nil {
			w.numbered(tables.Row{Table: "said", ID: string(s.by), N: s.entry.Slot}, s.entry)
		}
	}
	for _, r := range m.contacts {
		who, to := society.AgentID(r.ID), society.AgentID(r.Contact)
		if (who == society.User || m.agents[who] != nil) && (to == society.User || m.agents[to] != nil) {
			w.copy(r)
		}
	}
	for _, r := range m.rest {
		if !tables.Own(r.Table) || m.agents[society.AgentID(r.ID)] != nil {
			w.copy(r)
		}
	}
	return w.err
}

func (w *writer) copy(r tables.Row) {
	if w.err == nil {
		w.err = w.put(r)
	}
}
