package replica

import (
	"slices"
	"testing"

	"society-tui/runtime/api"
	"society-tui/runtime/approval"
	"society-tui/runtime/society"
)

func ids(list []api.Approval) (ids []uint64) {
	for _, w := range list {
		ids = append(ids, w.ID)
	}
	return ids
}

func TestRequestsWaitUntilTheyEndOrAreGiven(t *testing.T) {
	t.Parallel()
	s := New("inbox")
	one := func(id uint64, agent society.AgentID) api.Approval {
		return api.Approval{ID: id, Agent: agent, Request: approval.Request{Tool: "edit"}, Summary: "a\x1b[31m.go\n+1"}
	}
	row := func(id society.AgentID, n int) api.Row {
		return api.Row{ID: id, Parent: society.Root, State: society.Processing, Approvals: n}
	}
	s.Apply(&api.Changes{All: true, Mode: approval.Edits, Rows: []api.Row{row("b", 1), row("a", 2)}, Approvals: []api.Approval{one(3, "b"), one(2, "a"), one(1, "a")}})
	if got := ids(s.Approvals()); !slices.Equal(got, []uint64{1, 2, 3}) || s.Mode() != approval.Edits {
		t.Errorf("wait %v in mode %q, want 1 2 3 in edits", got, s.Mode())
	}
	if got, want := s.Agent("a").Row.Question, `edit a\x1b[31m.go +1`; got != want || !s.Agent("a").Kind.NeedsYou() {
		t.Errorf("a asks %q, want %q, and needs you", got, want)
	}
	given := one(1, "a")
	given.Given = true
	s.Apply(&api.Changes{Approvals: []api.Approval{given}, Ended: []api.ApprovalEnd{{ID: 3, Agent: "b", Outcome: society.Denied}}, Rows: []api.Row{row("b", 0)}})
	if got := ids(s.Approvals()); !slices.Equal(got, []uint64{2}) {
		t.Errorf("wait %v after a yes and a no, want 2", got)
	}
	if _, waits := s.Approval(1); waits {
		t.Error("a request waits that was given")
	}
	if end, known := s.ApprovalEnd(3); !known || end.Outcome != society.Denied || s.Agent("b").Kind.NeedsYou() {
		t.Errorf("3 ended as %+v, %t, want denied, and b needs nobody", end, known)
	}
	if s.Apply(&api.Changes{}); len(s.AskedBy("a")) != 1 {
		t.Error("a request is gone after changes that do not name it")
	}
	if s.Apply(&api.Changes{All: true}); len(s.Approvals()) != 0 {
		t.Error("a request is left after all changes without it")
	}
}
