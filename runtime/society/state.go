// Package society holds the rules of a society of agents as a pure state
// machine: what a command leads to (Decide), what an event changes (Apply), what
// the rules do next by themselves (Follow) and which work is to be running
// (OwedBy). It has no goroutine, clock, randomness or I/O: times come in as
// arguments, results of work as commands.
package society

import (
	"cmp"
	"encoding/binary"
	"maps"
	"slices"
	"time"

	"github.com/oklog/ulid/v2"

	"society-tui/runtime/graph"
	"society-tui/runtime/protocol"
	"society-tui/runtime/tool"
)

// State is a whole society. It is not safe for use by several goroutines: the
// loop of package runtime owns it. Only Apply changes it.
type State struct {
	lang        protocol.Lang
	limits      Limits
	risks       map[string]tool.Risk  // of the tools that workers run
	emptyGroups []tool.Group          // of MCP servers, whose tools may not be there now
	groups      map[string]tool.Group // of those tools
	// isolated is set if a new agent gets a git worktree.
	isolated bool
	models   []string // that a role may name
	can      []string // what these are good for: their capabilities
	agents   map[AgentID]*Agent
	roles    map[RoleID]*Role
	graphs   map[RoleID]*graph.Graph // of the roles that have one
	plain    *graph.Graph            // of the others
	library  map[string]graph.Definition
	tasks    map[TaskID]*Task
	tombs    map[AgentID]*Tombstone
	// made counts the agents that were ever made with a role of a name, ended ones included.
	made map[string]int
	// names counts the changes of names.
	names uint64
	// artifacts are those of all tasks.
	artifacts map[ArtifactID]*Artifact
	// userKnows are the user's contacts: root, agents that have written to the user, and
	// agents that the user has written to.
	userKnows Contacts
	counters  Counters
	window    func(model, capability string) int // of the model that is asked for
	modelName func(model, capability string) string
	waits     func(model string) bool // set up, while the offline model answers for all
	leaving   bool
	spawned   []time.Time // within the last minute, oldest first
	approvals approvals
	// drains counts the agents that are being drained.
	drains int
	// spent is by task and day; bounds counts the agents, tasks and days that have a Budget.
	spent  sums
	bounds int
	// changed are the agents that Apply changed since TakeChanged was last called,
	// toFollow those since Advance last looked.
	changed, toFollow []*Agent
	tasked            map[TaskID]struct{} // tasks, as changed
	counted           bool                // the counters changed since TakeChanged was last called
}

// Changed names what Apply changed, each once. What is named may be gone.
type Changed struct {
	Agents []AgentID
	// Records are the agents whose own record differs: a new message or contact alone is
	// stored in other rows.
	Records []AgentID
	Tasks   []TaskID
	// Counters is set if the counters changed.
	Counters bool
}

// TakeChanged returns what Apply changed since the last call.
func (s *State) TakeChanged() Changed {
	c := Changed{Agents: make([]AgentID, len(s.changed)), Tasks: slices.Collect(maps.Keys(s.tasked)), Counters: s.counted}
	for i, a := range s.changed {
		c.Agents[i] = a.ID
		if a.rewritten {
			c.Records = append(c.Records, a.ID)
		}
		a.changed, a.rewritten = false, false
	}
	s.changed, s.tasked, s.counted = nil, map[TaskID]struct{}{}, false
	return c
}

// count returns the counters, which are about to change.
func (s *State) count() *Counters {
	s.counted = true
	return &s.counters
}

// mark records that an agent is about to change. The marks are in the agents themselves:
// a stop of thousands would spend most of its time on a set of them.
func (s *State) mark(a *Agent) {
	s.keep(a)
	s.queueRules(a)
}

// touchRows marks an agent whose mailbox or contacts will change, but not its record.
func (s *State) touchRows(a *Agent) {
	s.list(a)
	s.queueRules(a)
}

// keep records that the record of an agent is about to change.
func (s *State) keep(a *Agent) {
	a.rewritten = true
	s.list(a)
}

func (s *State) list(a *Agent) {
	if len(s.approvals.of) > 0 && len(s.approvals.of[a.ID]) > 0 {
		s.approvals.doubtful[a.ID] = struct{}{}
	}
	if !a.changed {
		a.changed, s.changed = true, append(s.changed, a)
	}
}

// queueRules schedules the agent for Follow.
func (s *State) queueRules(a *Agent) {
	if !a.toFollow {
		a.toFollow, s.toFollow = true, append(s.toFollow, a)
	}
}

// Counters are the numbers that grow over the life of a society and must never
// be used twice; a stored record.
type Counters struct {
	// Seq is the last number given to a message: the only order that counts.
	Seq   uint64 `json:"seq"`
	Order uint64 `json:"order"` // of creation, of agents and roles
	// Names holds the last number used for each slug.
	Names  map[string]uint64 `json:"names"`
	Lang   protocol.Lang     `json:"lang"`
	Unread int               `json:"unread,omitempty"` // messages to the user
	// Teams counts how often each template was added.
	Teams map[string]int `json:"planted,omitempty"`
	// Salt keeps the ids of two societies apart.
	Salt uint16 `json:"salt,omitempty"`
	// Delayed counts the messages that were kept until their time: each has taken a
	// number, and takes another when it is sent.
	Delayed uint64 `json:"delayed,omitempty"`
	// Approvals and Rules are the last numbers of a request to the user and of a rule.
	Approvals uint64 `json:"approvals,omitempty"`
	Rules     uint64 `json:"rules,omitempty"`
	// Artifacts is the last number given to an artifact.
	Artifacts uint64 `json:"artifacts,omitempty"`
	// FileChanges is the last number given to a change of a file.
	FileChanges uint64 `json:"fileChanges,omitempty"`
	// Windows are the windows of models that endpoints named.
	Windows []LearntWindow `json:"windows,omitempty"`
	// Budget is what became of the bound on what a day may cost, nil for nothing yet.
	Budget *DayBudget `json:"budget,omitempty"`
}

// New returns an empty society.
func New(limits Limits) *State {
	return &State{
		limits:    limits,
		agents:    map[AgentID]*Agent{},
		roles:     map[RoleID]*Role{},
		graphs:    map[RoleID]*graph.Graph{},
		plain:     plainGraph(),
		tasks:     map[TaskID]*Task{},
		tombs:     map[AgentID]*Tombstone{},
		made:      map[string]int{},
		artifacts: map[ArtifactID]*Artifact{},
		counters:  Counters{Names: map[string]uint64{}},
		tasked:    map[TaskID]struct{}{},
		spent:     sums{map[TaskID]Usage{}, map[string]Usage{}},

		approvals: newApprovals(),
	}
}

// SetRisks sets what the tools that workers run may change. A tool without a risk counts
// as writing.
func (s *State) SetRisks(risks map[string]tool.Risk) { s.risks = risks }

// Leave marks that the program is leaving and begins nothing more: a call that is opened
// afterwards certainly has not begun.
func (s *State) Leave() { s.leaving = true }

func (s *State) risk(name string) tool.Risk {
	if r, ok := s.risks[name]; ok {
		return r
	}
	return tool.Writes
}

// Empty reports whether nothing was founded yet.
func (s *State) Empty() bool { return len(s.agents) == 0 }

// Lang is the language that agents are spoken to in.
func (s *State) Lang() protocol.Lang { return s.lang }

// Limits returns the caps in force.
func (s *State) Limits() Limits { return s.limits }

// Numbers returns a copy of the counters, as a record.
func (s *State) Numbers() Counters {
	c := s.counters
	c.Names, c.Teams = maps.Clone(c.Names), maps.Clone(c.Teams)
	return c
}

// Unread counts the messages to the user that were not seen yet.
func (s *State) Unread() int { return s.counters.Unread }

// Agent returns an agent, nil if there is none. The caller only reads it.
func (s *State) Agent(id AgentID) *Agent { return s.agents[id] }

// Role returns a role, nil if there is none. The caller only reads it.
func (s *State) Role(id RoleID) *Role { return s.roles[id] }

// Task returns a task, nil if there is none. The caller only reads it.
func (s *State) Task(id TaskID) *Task { return s.tasks[id] }

// Tasks returns copies of all tasks in the order in which they began.
func (s *State) Tasks() []Task {
	tasks := make([]Task, 0, len(s.tasks))
	for _, t := range s.tasks {
		tasks = append(tasks, *t)
	}
	slices.SortFunc(tasks, func(a, b Task) int {
		return cmp.Or(cmp.Compare(a.First, b.First), cmp.Compare(a.ID, b.ID)) // the clock may have been set back
	})
	return tasks
}

// Tombstone returns what stays of a terminated agent, nil if there is none.
func (s *State) Tombstone(id AgentID) *Tombstone { return s.tombs[id] }

// Agents returns the ids of all agents in the order of their creation.
func (s *State) Agents() []AgentID {
	return idsOf(slices.SortedFunc(maps.Values(s.agents), func(a, b *Agent) int { return cmp.Compare(a.Order, b.Order) }))
}

// Roles returns all roles in the order of their creation.
func (s *State) Roles() []*Role {
	roles := slices.Collect(maps.Values(s.roles))
	slices.SortFunc(roles, func(a, b *Role) int { return int(int64(a.Order) - int64(b.Order)) })
	return roles
}

// RoleName returns the name of an agent's role: "user" for the user, "runtime" for the
// program, and what the tombstone remembers for one that was terminated.
func (s *State) RoleName(id AgentID) string {
	if id == User || id == Runtime {
		return string(id)
	}
	if a := s.agents[id]; a != nil {
		if r := s.roles[a.Role]; r != nil {
			return r.Name
		}
	}
	if t := s.tombs[id]; t != nil {
		return t.RoleName
	}
	return "unknown"
}

// Subtree returns an agent and all below it, parents before children.
func (s *State) Subtree(id AgentID) []AgentID {
	if s.agents[id] == nil {
		return nil
	}
	return idsOf(s.agents[id].subtree())
}

func idsOf(all []*Agent) []AgentID {
	ids := make([]AgentID, len(all))
	for i, a := range all {
		ids[i] = a.ID
	}
	return ids
}

// named returns the agents of an event, which are there. Those of one subtree in
// its order are not looked up one by one: with thousands that is what a stop
// would cost.
func (s *State) named(ids []AgentID) []*Agent {
	all := make([]*Agent, len(ids))
	var row []*Agent
	if len(ids) > 1 {
		row = s.agents[ids[0]].subtree()
	}
	for i, id := range ids {
		for len(row) > 0 && row[0].ID != id {
			row = row[1:]
		}
		if len(row) > 0 {
			all[i], row = row[0], row[1:]
		} else {
			all[i] = s.agents[id]
		}
	}
	return all
}

// Below reports whether id is a descendant of top.
func (s *State) Below(id, top AgentID) bool {
	for a := s.agents[id]; a != nil; a = s.agents[a.Parent] {
		if a.Parent == top {
			return true
		}
	}
	return false
}

// mint makes a ULID that no other thing of this society has: its time is at, its
// lower bits are a number that is never used twice.
func (s *State) mint(at time.Time, number uint64) string {
	var id ulid.ULID
	// Before 1970 and after 10889 there is no ULID time; order is by number anyway.
	_ = id.SetTime(uint64(max(at.UnixMilli(), 0)))
	var entropy [10]byte
	binary.BigEndian.PutUint16(entropy[:2], s.counters.Salt)
	binary.BigEndian.PutUint64(entropy[2:], number)
	_ = id.SetEntropy(entropy[:])
	return id.String()
}

// NumberOf returns the number from which a message's id was made: that of the
// message, but of a delayed one, which got its own when it was due.
func NumberOf(id MessageID) (number uint64, ok bool) {
	parsed, err := ulid.ParseStrict(string(id))
	if err != nil {
		return 0, false
	}
	return binary.BigEndian.Uint64(parsed.Entropy()[2:]), true
}

// sorted returns the keys of contacts in a fixed order.
func sorted[V any](m map[AgentID]V) []AgentID {
	return slices.Sorted(maps.Keys(m))
}
