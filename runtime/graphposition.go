package runtime

import (
	"society-tui/llm/limits"
	"society-tui/runtime/api"
	"society-tui/runtime/graph"
	"society-tui/runtime/society"
)

// walk returns the agent's position in the graph of its role. Only the loop calls it.
func (r *Runtime) walk(a *society.Agent) api.Walk {
	g := r.state.Graph(a)
	if g == nil {
		return api.Walk{}
	}
	w := api.Walk{Graph: g.Version(), Most: g.MaxIterations()}
	if a.Turn == nil || a.Turn.Run == nil {
		return w
	}
	run := a.Turn.Run
	w.Iterations, w.Ended = run.Iterations, len(run.Path)
	if next := run.Next(); len(next) > 0 {
		w.Node, w.Doing, w.Beside = g.Title(next[0].Node), next[0].Kind, len(next)-1
	}
	return w
}

// retryOf returns the pending retry of a model call or a node. Only the loop calls it.
func (r *Runtime) retryOf(a *society.Agent) *api.Retry {
	w := a.Turn.Retry
	if w == nil {
		return nil
	}
	if w.Free {
		model, _ := r.modelOf(a, a.AtHand())
		return waitOf(limits.Wait{For: limits.Rate, Until: w.At}, r.insteadOf(a, model).Name)
	}
	retry := &api.Retry{Attempt: w.Attempt, Most: r.state.Limits().Retries, At: w.At, Cause: w.Cause}
	node, ok := r.state.Node(a, a.AtHand())
	if !ok || a.Turn.Run == nil {
		return retry
	}
	if first, _ := a.Turn.Run.First(); first.Kind == graph.Wait {
		retry.Most = node.Retries
		for _, t := range a.Turn.Run.Branches {
			if t.ID == first.Branch {
				retry.Attempt = t.Failures
			}
		}
	}
	return retry
}

// runOf is a copy of the run of an agent's turn, else of the last one that has
// ended; nil if there is neither. Only the loop calls it.
func (r *Runtime) runOf(a *society.Agent) *graph.Run {
	switch {
	case r.state.Graph(a) == nil:
		return nil
	case a.Turn != nil && a.Turn.Run != nil:
		return a.Turn.Run.Clone()
	case a.Ran != nil && a.Ran.Graph == r.state.Graph(a).Fingerprint():
		return a.Ran.Clone()
	}
	return nil
}
