package society

import (
	"slices"
	"time"

	"society-tui/runtime/protocol"
)

// An Event has happened. Events live in memory only: they are folded into the
// State by Apply and into the tables by package tables, in one transaction.
type Event interface{ apply(s *State) }

// Apply changes s as e says. It cannot refuse: e has already happened.
func (s *State) Apply(e Event) {
	e.apply(s)
	if e, ok := e.(Spends); ok {
		s.spend(e.Spent())
	}
}

// Founded begins a society.
type Founded struct {
	Lang protocol.Lang
	Salt uint16
}

func (e Founded) apply(s *State) {
	c := s.count()
	s.lang, c.Lang, c.Salt = e.Lang, e.Lang, e.Salt
}

// RoleMade adds a role.
type RoleMade struct{ Role Role }

func (e RoleMade) apply(s *State) {
	role := e.Role
	s.setRole(&role)
	c := s.count()
	c.Order = max(c.Order, role.Order)
}

// Logged implements Logs.
func (e RoleMade) Logged(*State) []LogLine {
	return logged("role created", "role", e.Role.ID, "by", e.Role.CreatedBy)
}

// RoleEdited replaces a role by what it is now.
type RoleEdited struct{ Role Role }

func (e RoleEdited) apply(s *State) {
	role := e.Role
	s.setRole(&role)
	s.names++
	for _, id := range s.Agents() {
		if a := s.agents[id]; a.Role == role.ID { // it may have another model now
			s.list(a)
		}
	}
}

// TeamAdded counts a template that was added.
type TeamAdded struct {
	Template string
	Agents   []AgentID
}

func (e TeamAdded) apply(s *State) {
	c := s.count()
	if c.Teams == nil {
		c.Teams = map[string]int{}
	}
	c.Teams[e.Template]++
}

// TaskBegun adds a task.
type TaskBegun struct{ Task Task }

func (e TaskBegun) apply(s *State) {
	task := e.Task
	s.tasks[task.ID] = &task
	s.tasked[task.ID] = struct{}{}
}

// AgentMade adds an agent.
type AgentMade struct {
	Agent Agent
	Brief *protocol.Brief
	Slug  string // whose number was used up
	Num   uint64
}

func (e AgentMade) apply(s *State) {
	a := e.Agent
	s.agents[a.ID] = &a
	s.mark(&a)
	s.countMade(&a)
	c := s.count()
	c.Order = max(c.Order, a.Order)
	if e.Slug != "" {
		c.Names[e.Slug] = e.Num
	}
	if p := s.agents[a.Parent]; p != nil {
		p.adopt(&a)
		s.touchRows(p)
		if a.Template == "" { // the cap contains runaways, which the user is not
			s.spawned = append(recent(s.spawned, a.Created), a.Created)
		}
	}
}

// Lines implements Shows.
func (e AgentMade) Lines() []TimelineLine {
	a := &e.Agent
	return shown(a.Created, a.ID, "spawned", "by "+string(a.Parent), "by", a.Parent, "role", a.Role)
}

// ContactAdded puts someone into the contacts of an agent, or of the user.
type ContactAdded struct {
	Agent   AgentID
	Contact protocol.Contact
}

func (e ContactAdded) apply(s *State) {
	s.addContact(e.Agent, e.Contact)
}

// Renamed sets a display name.
type Renamed struct {
	Agent AgentID
	Name  string
}

func (e Renamed) apply(s *State) {
	s.touch(e.Agent).Name = e.Name
	s.names++
}

// AgentModelSet sets the model of a single agent.
type AgentModelSet struct {
	Agent AgentID
	Model string
}

func (e AgentModelSet) apply(s *State) {
	s.touch(e.Agent).Model = e.Model
}

// WorkerPanicked records a panic of a worker, for the quarantine.
type WorkerPanicked struct {
	Agent AgentID
	At    time.Time
}

func (e WorkerPanicked) apply(s *State) {
	a := s.touch(e.Agent)
	a.Panics = append(recent(a.Panics, e.At), e.At)
}

// touch returns an agent that is about to change.
func (s *State) touch(id AgentID) *Agent {
	a := s.agents[id]
	s.mark(a)
	return a
}

func with(ids []AgentID, id AgentID) []AgentID {
	if slices.Contains(ids, id) {
		return ids
	}
	return append(slices.Clone(ids), id)
}

func without(ids []AgentID, id AgentID) []AgentID {
	return slices.DeleteFunc(slices.Clone(ids), func(x AgentID) bool { return x == id })
}
