package society

import (
	"slices"

	"society-tui/runtime/conversation"
	"society-tui/runtime/graph"
	"society-tui/runtime/tool/read"
)

// Where an agent's turn stands in its graph, and what that means for what it sees
// and may use there.

// AtHand returns the first open work of the agent's run, nil without a graph and between
// turns.
func (a *Agent) AtHand() *graph.Work { return a.Turn.first() }

func (t *Turn) first() *graph.Work {
	if t == nil || t.Run == nil {
		return nil
	}
	if w, ok := t.Run.First(); ok {
		return &w
	}
	return nil
}

// at returns the open work of the run under that step, nil without a graph.
func (t *Turn) at(step uint64) *graph.Work {
	if t == nil || t.Run == nil || step == 0 {
		return nil
	}
	for _, w := range t.Run.Next() {
		if w.Step == step {
			return &w
		}
	}
	return nil
}

// Node returns the node of the graph that such work is for; ok is false for nil.
func (s *State) Node(a *Agent, at *graph.Work) (node graph.Node, ok bool) {
	if at == nil {
		return node, false
	}
	return s.graphOf(a).Node(at.Node)
}

// MayUseAt reports whether an agent may use a tool at some work of its graph: its role
// was given the tool, and the node does not leave it out. No node leaves out reading: its
// model may be sent a part of a text only.
func (s *State) MayUseAt(a *Agent, at *graph.Work, name string) bool {
	if !s.mayUse(a.ID, name) {
		return false
	}
	node, ok := s.Node(a, at)
	return !ok || node.Tools == nil || name == read.Name || slices.Contains(node.Tools, name)
}

// SideBySide reports whether the turn is in branches that run side by side.
func (a *Agent) SideBySide() bool {
	return a.Turn != nil && a.Turn.Run != nil && !a.Turn.Run.OneByOne && a.Turn.Run.Forked()
}

// Branches are the branch that such work is in and those around it: of what was
// said in branches, what its model sees. It is empty in the trunk.
func (a *Agent) Branches(at *graph.Work) []int {
	if at == nil {
		return nil
	}
	return a.around(at.Branch)
}

// around are a branch and those around it, nil for one that is not open.
func (a *Agent) around(branch int) []int {
	var all []int
	for open := true; branch != 0; {
		all = append(all, branch)
		if a.Turn == nil || a.Turn.Run == nil {
			return nil
		}
		if branch, open = a.Turn.Run.Parent(branch); !open {
			return nil
		}
	}
	return all
}

// TailAt is the tail of the agent's conversation with the load of what its model
// sees at that work, nil in the plain graph.
func (a *Agent) TailAt(at *graph.Work) conversation.Tail {
	t := a.Tail
	for _, branch := range a.Branches(at) {
		if l := a.Turn.load(branch); l != nil {
			t.Load = l.Load
			break
		}
	}
	return t
}

// load returns the context size of a branch, nil if it has no entries.
func (t *Turn) load(branch int) *BranchLoad {
	for i := range t.Loads {
		if t.Loads[i].Branch == branch {
			return &t.Loads[i]
		}
	}
	return nil
}

// inBranch has a change to the tail weigh on a branch alone: its slots are those of
// all, what it adds to the context is the branch's.
func (a *Agent) inBranch(branch int, change func(*conversation.Tail)) {
	if branch == 0 {
		change(&a.Tail)
		return
	}
	trunk, tail := a.Tail.Load, a.TailAt(&graph.Work{Branch: branch})
	change(&tail)
	if l := a.load(branch); l != nil {
		l.Load = tail.Load
	}
	a.Tail, a.Tail.Load = tail, trunk
}

// load returns the context size of an open branch, nil for another.
func (a *Agent) load(branch int) *BranchLoad {
	if a.around(branch) == nil {
		return nil
	}
	if l := a.Turn.load(branch); l != nil {
		return l
	}
	a.Turn.Loads = append(a.Turn.Loads, BranchLoad{Branch: branch})
	return &a.Turn.Loads[len(a.Turn.Loads)-1]
}

// Compresses reports whether its full context is being compressed by the runtime, or will
// be after a wait.
func (a *Agent) Compresses() bool {
	return slices.ContainsFunc(a.Open, func(s Step) bool { return s.Kind == CompressStep || s.waits(RetryCompress) })
}

// atBorder reports whether messages may be taken now without getting between a node and
// what is judged of it, or into a branch (SPEC.md, decision 31).
func (a *Agent) atBorder() bool {
	w := a.AtHand()
	return w == nil || w.Kind == graph.Execute && !a.Turn.Run.Forked()
}

// branch is the one that a step of the run is in, 0 for the trunk.
func (a *Agent) branch(step uint64) int {
	if w := a.Turn.at(step); w != nil {
		return w.Branch
	}
	return 0
}
