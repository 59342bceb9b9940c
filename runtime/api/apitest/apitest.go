// Package apitest has a society without a runtime, for tests of its clients: what it
// holds, what happens in it and how it answers is up to the test.
package apitest

import (
	"context"
	"sync"
	"time"

	"society-tui/runtime/api"
	"society-tui/runtime/conversation"
	"society-tui/runtime/graph"
	"society-tui/runtime/society"
)

// A Society is an api.Society and its api.Watcher; Watch returns one more. Mu guards what it holds; a
// method takes it unless its comment says otherwise.
type Society struct {
	// Call, if set, is called before each method that may wait, without Mu: it may
	// wait, count, or fail the method of that name.
	Call func(ctx context.Context, method string) error
	// Answer answers a command, with Mu held.
	Answer func(cmd society.Command) (society.Reply, error)

	Mu       sync.Mutex
	Rows     map[society.AgentID]*api.Row
	Said     map[society.AgentID][]conversation.Entry
	Drafts   map[society.AgentID]api.Draft
	Written  map[society.AgentID][]api.Output // by calls that are being run
	Values   map[string][]byte
	Messages []api.InboxMessage // to the user
	Did      []society.Command
	Pending  api.Changes // told next, besides rows
	Holds    struct {
		Models []api.Model
		Asked  []api.Asked
		Graphs []api.Graph
		// Definitions are of the graphs of roles, Profiles those of agents that have more than an id.
		Definitions map[graph.Version]graph.Definition
		Profiles    map[society.AgentID]api.Profile
		Missing     []api.MissingModel
		Roles       []api.Role
		Figures     api.Figures
		// Approvals are read whole; what is told of them is up to the test.
		Approvals map[uint64]api.Approval
		Policy    api.Policy
		Artifacts []api.Artifact
		// FileChanges are changes of files with their diffs, Undone is what Undo
		// returns.
		FileChanges []api.FileChange
		Undone      api.UndoResult
		Undos       []api.UndoRequest               // that were asked for
		Files       map[string][]byte               // of all workspaces, by path
		Contents    map[society.ArtifactID][][]byte // of artifacts, by version
		Ended       []society.Tombstone
		Worktrees   []api.Worktree
		Patches     map[string][]byte // of worktrees, by name
		Servers     []api.Server
		Outputs     map[string]string // of servers, by name
	}

	Changed chan struct{}            // holds one token while changes are pending
	touched map[society.AgentID]bool // rows told next
	first   told                     // by Next
	others  map[*Watcher]bool
	lines   []api.TimelineEvent // all that were told
}

// New returns a society without agents.
func New() *Society {
	return &Society{
		Rows: map[society.AgentID]*api.Row{}, Said: map[society.AgentID][]conversation.Entry{}, Drafts: map[society.AgentID]api.Draft{}, Written: map[society.AgentID][]api.Output{},
		Values: map[string][]byte{}, Pending: api.Changes{All: true}, touched: map[society.AgentID]bool{}, Changed: make(chan struct{}, 1),
		first: told{touched: map[society.AgentID]bool{}}, others: map[*Watcher]bool{},
	}
}

// Put adds or replaces the row of an agent.
func (s *Society) Put(row api.Row) {
	s.Tell(func(*api.Changes) { s.Rows[row.ID], s.touched[row.ID] = &row, true })
}

// Tell edits the next changes, apart from their rows.
func (s *Society) Tell(change func(*api.Changes)) {
	s.Mu.Lock()
	defer s.Mu.Unlock()
	change(&s.Pending)
	s.Touch()
}

// Say appends to an agent's conversation.
func (s *Society) Say(id society.AgentID, entries ...conversation.Entry) {
	s.Tell(func(*api.Changes) { s.Append(id, entries...) })
}

// Append is Say with Mu held.
func (s *Society) Append(id society.AgentID, entries ...conversation.Entry) {
	for _, e := range entries {
		e.Slot, e.At = uint64(len(s.Said[id])), time.Now()
		s.Said[id] = append(s.Said[id], e)
		s.Rows[id].Next, s.Rows[id].Settled = e.Slot+1, e.Slot+1
		s.Rewrite(id, e.Slot)
	}
}

// Rewrite tells that a conversation changed from a slot on, with Mu held.
func (s *Society) Rewrite(id society.AgentID, slot uint64) {
	if s.Pending.Rewritten == nil {
		s.Pending.Rewritten = map[society.AgentID]uint64{}
	}
	if low, known := s.Pending.Rewritten[id]; !known || slot < low {
		s.Pending.Rewritten[id] = slot
	}
	s.Touch(id)
}

// Touch tells rows and Pending, with Mu held.
func (s *Society) Touch(ids ...society.AgentID) {
	for _, id := range ids {
		s.touched[id] = true
	}
	wake(s.Changed)
	for w := range s.others {
		wake(w.changed)
	}
}

func wake(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
