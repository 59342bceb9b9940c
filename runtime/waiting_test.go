package runtime

import (
	"testing"

	"society-tui/runtime/society"
)

// S001 P1: what the cancelled leave free must be taken by nobody who is being
// stopped too. Only a crowd and two processors show it from outside.
func TestS001P1WhoWaitsForAModelCallIsCancelledBeforeWhoHasOne(t *testing.T) {
	t.Parallel()
	r := &Runtime{waitsForSlot: map[society.AgentID]struct{}{"waits-1": {}, "waits-2": {}, "waits-3": {}}}
	var jobs []*job
	for _, id := range []society.AgentID{"calls-1", "waits-1", "waits-2", "calls-2", "calls-3", "waits-3"} {
		jobs = append(jobs, &job{work: society.Work{Agent: id}})
	}
	r.waitingFirst(jobs)
	seen := map[society.AgentID]bool{}
	for i, j := range jobs {
		seen[j.work.Agent] = true
		if _, waits := r.waitsForSlot[j.work.Agent]; waits != (i < 3) {
			t.Errorf("%s is cancelled as number %d of %d", j.work.Agent, i+1, len(jobs))
		}
	}
	if len(seen) != len(jobs) {
		t.Errorf("of %d jobs %d are left", len(jobs), len(seen))
	}
}
