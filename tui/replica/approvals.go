package replica

import (
	"cmp"
	"maps"
	"slices"

	"society-tui/runtime/api"
	"society-tui/runtime/approval"
	"society-tui/runtime/society"
	"society-tui/tui/sanitize"
)

// Approvals returns the calls that wait for the user's answer, the first asked
// first. Their texts are clean, but for the paths and the preview, which must be
// shown by sanitize.Visible: nothing may hide in them.
func (s *Society) Approvals() []api.Approval {
	all := slices.DeleteFunc(slices.Collect(maps.Values(s.approvals)), func(w api.Approval) bool { return w.Given })
	slices.SortFunc(all, func(a, b api.Approval) int { return cmp.Compare(a.ID, b.ID) })
	return all
}

// Approval returns a call that waits for the user's answer.
func (s *Society) Approval(id uint64) (w api.Approval, waits bool) {
	w, waits = s.approvals[id]
	return w, waits && !w.Given
}

// ApprovalEnd returns how a request ended, if the last Apply told it.
func (s *Society) ApprovalEnd(id uint64) (end api.ApprovalEnd, known bool) {
	end, known = s.ended[id]
	return end, known
}

// Mode returns the mode of the society, "" before the first Apply.
func (s *Society) Mode() approval.Mode { return s.mode }

// approve applies what is told of approvals. It comes before the rows.
func (s *Society) approve(c *api.Changes) {
	if c.All {
		clear(s.approvals)
	}
	clear(s.ended)
	for _, w := range c.Approvals {
		w.Summary = sanitize.Line(sanitize.Visible(w.Summary), doingCells)
		w.Request.Tool = sanitize.Line(w.Request.Tool, nameCells)
		w.Rule = sanitize.Line(w.Rule, doingCells)
		s.approvals[w.ID] = w
	}
	for _, e := range c.Ended {
		delete(s.approvals, e.ID)
		e.Tool, e.Summary = sanitize.Line(e.Tool, nameCells), sanitize.Line(sanitize.Visible(e.Summary), doingCells)
		e.Reason = sanitize.Line(e.Reason, doingCells)
		s.ended[e.ID] = e
	}
	s.mode = c.Mode
	if len(c.Approvals)+len(c.Ended) == 0 && !c.All {
		return
	}
	clear(s.asked)
	for id, w := range s.approvals {
		if first := s.asked[w.Agent]; !w.Given && (first == 0 || id < first) {
			s.asked[w.Agent] = id
		}
	}
}

// Wanted returns the tool and the summary of a request, in one line.
func Wanted(w *api.Approval) string {
	if w.Summary == "" {
		return w.Request.Tool
	}
	return w.Request.Tool + " " + w.Summary
}

// asking sets the question of a row whose agent asks for nothing but calls.
func (s *Society) asking(row *api.Row) {
	if w, asks := s.approvals[s.asked[row.ID]]; asks && row.Approvals > 0 && !row.Asks {
		row.Question = Wanted(&w)
	}
}

// Asked returns the summary of what a call would do, and whether it waits for the
// user's answer.
func (s *Society) Asked(id society.AgentID, call string) (summary string, waits bool) {
	for _, w := range s.approvals {
		if w.Agent == id && w.Call == call && !w.Given {
			return w.Summary, true
		}
	}
	return "", false
}

// AskedBy returns the requests of an agent that wait, the first asked first.
func (s *Society) AskedBy(id society.AgentID) []api.Approval {
	return slices.DeleteFunc(s.Approvals(), func(w api.Approval) bool { return w.Agent != id })
}
