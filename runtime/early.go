package runtime

import (
	"slices"
	"time"

	"society-tui/runtime/society"
	"society-tui/runtime/tool"
)

// Some of what a command leads to needs nothing on disk: a call that only reads runs again
// after a crash, and cancelled work ends in any case. Both begin before the commit, and
// what comes of them at once is in the same commit. Several writers share their commits
// anyway, so only a command that is alone is treated so.

// early begins the call that a command leads to, if it only reads. It returns what the loop
// has ordered itself and, within gatherFor, the result of that call and the end of what the
// command has cancelled.
func (r *Runtime) early(command *pendingCommand) []*pendingCommand {
	came := r.taken()
	if command.err != nil || !r.started || r.shutdown.leaving {
		return came
	}
	awaited := 0
	if r.beginRead(command.cmd) {
		awaited++
	}
	if _, ended := cutBy(command.events); len(ended) > 0 && !slices.ContainsFunc(came, isAwaited) {
		awaited++
	}
	if awaited == 0 {
		return came
	}
	timer := time.NewTimer(gatherFor)
	defer timer.Stop()
	for awaited > 0 && len(came) < batchMost {
		select {
		case o := <-r.orders:
			came = append(came, o)
			if isAwaited(o) {
				awaited--
			}
		case <-timer.C:
			return came
		}
	}
	return came
}

// isAwaited reports whether an order is the result of work or the end of what was
// cancelled.
func isAwaited(o *pendingCommand) bool { return o.join != 0 || society.WorkOf(o.cmd) != nil }

// beginRead begins the first call of an answer if that only reads and is all that its agent
// owes, and reports whether it has. The call misses nothing that is not committed yet: nothing
// else has come of the answer.
func (r *Runtime) beginRead(cmd society.Command) bool {
	answer, ok := cmd.(society.Answered)
	if !ok || len(answer.Calls) == 0 {
		return false
	}
	id := answer.Work.Agent
	owed := r.state.OwedBy(id)
	if len(owed) != 1 {
		return false
	}
	act, ok := owed[0].(society.Act)
	if !ok || act.Call.ID != answer.Calls[0].ID || r.toolbox.classes[act.Call.Name] != tool.ClassRead || ofContext(act.Call.Name) {
		return false
	}
	r.reconcileOne(id)
	return true
}
