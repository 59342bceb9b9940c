package repair

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"society-tui/runtime/archive"
	"society-tui/runtime/conversation"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/runtime/tables"
	"society-tui/storage"
)

// A messageKey is where a message was delivered.
type messageKey struct {
	to  society.AgentID
	seq uint64
}

// A rebuilder puts the rows together that can still be read.
type rebuilder struct {
	lang      protocol.Lang
	counters  *society.Counters
	roles     map[society.RoleID]*society.Role
	tasks     map[society.TaskID]bool
	agents    map[society.AgentID]*society.Agent
	tombs     map[society.AgentID]bool
	messages  map[messageKey]*tables.StoredMessage
	delayed   map[society.AgentID][]tables.StoredDelayed
	said      []said
	artifacts map[society.ArtifactID]*society.Artifact
	versions  map[society.ArtifactID]map[uint64]tables.Row
	// lastFileChange is the greatest number of a change of a file.
	lastFileChange uint64
	rest           []tables.Row // carried over as they are, if their agent lives
	contacts       []tables.Row
	lost           []error
}

type said struct {
	by    society.AgentID
	entry conversation.Entry
}

func (b *rebuilder) lose(err error) { b.lost = append(b.lost, err) }

func (b *rebuilder) losef(format string, args ...any) {
	b.lose(fmt.Errorf("%w: %s", storage.ErrDamaged, fmt.Sprintf(format, args...)))
}

// take sorts one row in.
func (b *rebuilder) take(r tables.Row) error {
	switch r.Table {
	case "counters":
		var c society.Counters
		err := r.Read(&c)
		if wrong := archive.CheckCounters(c); wrong != nil {
			b.lose(fmt.Errorf("%w: %w", storage.ErrDamaged, wrong))
			return nil
		}
		b.counters = &c
		return err
	case "roles":
		v := new(society.Role)
		b.roles[society.RoleID(r.ID)] = v
		return r.Read(v)
	case "agents":
		v := new(society.Agent)
		b.agents[society.AgentID(r.ID)] = v
		return r.Read(v)
	case "mail":
		v := new(tables.StoredMessage)
		b.messages[messageKey{society.AgentID(r.ID), r.N}] = v
		return r.Read(v)
	case "later":
		var v tables.StoredDelayed
		err := r.Read(&v)
		b.delayed[society.AgentID(r.ID)] = append(b.delayed[society.AgentID(r.ID)], v)
		return err
	case "said":
		var v conversation.Entry
		err := r.Read(&v)
		if !v.Kind.Known() {
			b.losef("the record %s, of kind %.40q", r, v.Kind)
			return nil
		}
		b.said = append(b.said, said{society.AgentID(r.ID), v})
		return err
	case "contacts":
		b.contacts = append(b.contacts, r)
		return nil
	case "artifacts":
		v := new(society.Artifact)
		b.artifacts[society.ArtifactID(r.ID)] = v
		return r.Read(v)
	case "versions":
		id := society.ArtifactID(r.ID)
		if b.versions[id] == nil {
			b.versions[id] = map[uint64]tables.Row{}
		}
		b.versions[id][r.N] = r
		return nil
	case "fileChanges":
		b.lastFileChange = max(b.lastFileChange, r.N)
	case "tombs":
		b.tombs[society.AgentID(r.ID)] = true
	case "tasks":
		b.tasks[society.TaskID(r.ID)] = true
	}
	b.rest = append(b.rest, r)
	return nil
}

func (b *rebuilder) rebuild() {
	if b.counters == nil {
		b.losef("the counters; they were made anew")
		b.counters = &society.Counters{Lang: b.lang}
	}
	if b.counters.Names == nil {
		b.counters.Names = map[string]uint64{}
	}
	b.counters.Lang = cmp.Or(b.counters.Lang, b.lang)
	b.findAgents()
	b.connect()
	for _, id := range b.ids() {
		halt(b.agents[id])
	}
	b.restoreMail()
	b.restoreDelayed()
	b.restoreArtifacts()
	b.raiseCounters()
}

// ids are the agents, in order of creation.
func (b *rebuilder) ids() []society.AgentID {
	ids := make([]society.AgentID, 0, len(b.agents))
	for id := range b.agents {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, func(x, y society.AgentID) int {
		return cmp.Or(cmp.Compare(b.agents[x].Order, b.agents[y].Order), cmp.Compare(x, y))
	})
	return ids
}

// findAgents restores agents whose record is lost but which have rows, root if necessary,
// and missing roles.
func (b *rebuilder) findAgents() {
	for id := range b.tombs {
		delete(b.agents, id)
	}
	seen := map[society.AgentID]bool{society.Root: true}
	for _, s := range b.said {
		seen[s.by] = true
	}
	for k := range b.messages {
		seen[k.to] = true
	}
	for id := range seen {
		if b.agents[id] == nil && !b.tombs[id] && archive.IsAgentID(string(id)) {
			b.losef("the record of %s; it is there again, at rest", id)
			b.agents[id] = &society.Agent{ID: id, Role: "role-unknown", Parent: society.Root, Order: b.counters.Order + 1}
		}
	}
	for _, id := range b.ids() {
		role := b.agents[id].Role
		if b.roles[role] == nil {
			b.losef("the role %s with its prompt; give it one in the list of roles", role)
			b.roles[role] = &society.Role{ID: role, Name: "unknown", Prompt: "Your role was lost with a damaged file. Ask what you are to do.", CreatedBy: society.User}
		}
	}
}

// connect puts the agents into one tree, and numbers them in its order if their own
// does not fit it.
func (b *rebuilder) connect() {
	root := b.agents[society.Root]
	root.Parent, root.Depth = society.User, 0
	for _, id := range b.ids() {
		a := b.agents[id]
		if id != society.Root && !b.reaches(a) {
			b.losef("whose child %s was, it was %s's; it is root's now", id, a.Parent)
			a.Parent = society.Root
		}
	}
	children := map[society.AgentID][]*society.Agent{}
	for _, id := range b.ids() {
		a := b.agents[id]
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

// reaches reports whether the way up from an agent ends at root.
func (b *rebuilder) reaches(a *society.Agent) bool {
	for range b.agents {
		if a = b.agents[a.Parent]; a == nil {
			return false
		}
		if a.ID == society.Root {
			return true
		}
	}
	return false
}

// halt makes an agent idle.
func halt(a *society.Agent) {
	a.Turn, a.Open, a.Owes, a.Asked, a.Drain, a.Drained, a.Ending = nil, nil, nil, nil, "", nil, nil
	a.OwedFrom, a.AskedFrom, a.Requests = nil, nil, nil
	a.Tail.Group = nil
	a.Epoch++
	if a.Status.Ended() {
		a.Status = society.Stopped
		return
	}
	a.Status = society.Idle
	a.Paused = cmp.Or(a.Paused, society.AskedToPause)
}

// restoreMail replaces lost messages with placeholders, and pauses agents with unread
// messages.
func (b *rebuilder) restoreMail() {
	next, seen := map[society.AgentID]uint64{}, map[society.AgentID]int{}
	read := map[society.AgentID]uint64{}
	for i := range b.said {
		s := &b.said[i]
		a := b.agents[s.by]
		if a == nil {
			continue
		}
		next[s.by] = max(next[s.by], s.entry.Slot+1)
		if s.entry.Kind.InContext() && !s.entry.Compressed && s.entry.SetAside.IsZero() && s.entry.Branch == 0 {
			seen[s.by]++
		}
		if s.entry.Kind != conversation.Inbound && s.entry.Kind != conversation.Dropped {
			continue
		}
		read[s.by] = max(read[s.by], s.entry.Seq)
		key := messageKey{s.by, s.entry.Seq}
		if b.messages[key] == nil {
			b.losef("the text of message %d to %s, of %s from %s", s.entry.Seq, s.by, s.entry.At.Format(time.DateTime), s.entry.From)
			b.messages[key] = placeholder(s.entry)
		}
	}
	for id, a := range b.agents {
		if a.Tail.Next < next[id] {
			a.Tail = conversation.Tail{Next: next[id], Load: conversation.Load{Count: seen[id]}}
		}
		a.Cursor = max(a.Cursor, read[id])
		a.Tail.First = min(a.Tail.First, a.Tail.Next)
	}
	for k := range b.messages {
		a := b.agents[k.to]
		if a != nil && k.seq > a.Cursor && a.Status.Ended() {
			a.Status, a.Paused = society.Idle, society.AskedToPause
		}
	}
}

// placeholder returns what stands in for a message that is lost.
func placeholder(e conversation.Entry) *tables.StoredMessage {
	const gone = "[This message was lost with a damaged file.]"
	return &tables.StoredMessage{
		Mail: society.Mail{
			Seq: e.Seq, ID: society.MessageID(e.MessageID), From: society.AgentID(e.From), Role: e.FromRole,
			Type: protocol.MessageType(e.Type), Task: society.TaskID(e.TaskID), At: e.At,
		},
		Body: gone, Text: gone,
	}
}

// restoreDelayed keeps delayed messages whose sender and recipient both exist.
func (b *rebuilder) restoreDelayed() {
	for by, list := range b.delayed {
		a := b.agents[by]
		kept := slices.DeleteFunc(list, func(p tables.StoredDelayed) bool {
			to := b.agents[p.To]
			ok := a != nil && !a.Status.Ended() && (p.To == society.User || to != nil && !to.Status.Ended())
			if !ok {
				b.losef("a message that %s was to send to %s later: one of them has ended", by, p.To)
			}
			return !ok
		})
		b.delayed[by] = kept
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
		a.Open = append(a.Open, society.Step{N: a.Step, Kind: society.WaitStep, For: society.MessageDue, Until: due})
	}
}

// raiseCounters raises the counters above every number and name in use, which are never
// given again, and adds the tasks that are missing.
func (b *rebuilder) raiseCounters() {
	c := b.counters
	name := func(id society.AgentID) {
		if slug, n := archive.SplitID(string(id)); n > 0 {
			c.Names[slug] = max(c.Names[slug], n)
		}
	}
	for id, a := range b.agents {
		name(id)
		c.Order = max(c.Order, a.Order)
		c.Seq = max(c.Seq, a.Cursor)
		b.needTask(a.Task)
	}
	for id := range b.tombs {
		name(id)
	}
	for k, l := range b.messages {
		c.Seq = max(c.Seq, k.seq)
		b.needTask(l.Task)
	}
	for _, list := range b.delayed {
		for _, p := range list {
			c.Seq = max(c.Seq, p.N)
			b.needTask(p.Mail.Task)
		}
	}
	for _, r := range b.rest {
		if r.Table == "inbox" {
			c.Seq = max(c.Seq, r.N)
		}
	}
	for _, role := range b.roles {
		c.Order = max(c.Order, role.Order)
	}
}

func (b *rebuilder) needTask(id society.TaskID) {
	if id != "" && !b.tasks[id] {
		b.tasks[id] = true
		raw, err := json.Marshal(society.Task{ID: id})
		if err != nil {
			panic(fmt.Sprintf("repair: a task cannot be written: %v", err))
		}
		b.rest = append(b.rest, tables.Row{Table: "tasks", ID: string(id), Record: raw})
	}
}

// rows hands over the society.
func (b *rebuilder) rows(put func(tables.Row) error) error {
	w := archive.NewRowWriter(put)
	w.Write(tables.Row{Table: "counters", ID: "society"}, b.counters)
	for id, r := range b.roles {
		w.Write(tables.Row{Table: "roles", ID: string(id)}, r)
	}
	for _, id := range b.ids() {
		w.Write(tables.Row{Table: "agents", ID: string(id)}, b.agents[id])
	}
	for k, l := range b.messages {
		if b.agents[k.to] != nil {
			w.Write(tables.Row{Table: "mail", ID: string(k.to), N: k.seq}, l)
		}
	}
	for by, list := range b.delayed {
		for _, p := range list {
			w.Write(tables.Row{Table: "later", ID: string(by), N: p.N}, p)
		}
	}
	for _, s := range b.said {
		if b.agents[s.by] != nil {
			w.Write(tables.Row{Table: "said", ID: string(s.by), N: s.entry.Slot}, s.entry)
		}
	}
	for _, r := range b.contacts {
		who, to := society.AgentID(r.ID), society.AgentID(r.Contact)
		if (who == society.User || b.agents[who] != nil) && (to == society.User || b.agents[to] != nil) {
			w.Copy(r)
		}
	}
	for _, r := range b.rest {
		if !tables.Own(r.Table) || b.agents[society.AgentID(r.ID)] != nil {
			w.Copy(r)
		}
	}
	for id, a := range b.artifacts {
		w.Write(tables.Row{Table: "artifacts", ID: string(id)}, a)
		for n := uint64(1); n <= uint64(a.Version); n++ {
			w.Copy(b.versions[id][n])
		}
	}
	return w.Err()
}
