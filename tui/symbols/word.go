package symbols

import (
	"fmt"
	"strings"
	"time"

	"society-tui/runtime/api"
	"society-tui/runtime/graph"
	"society-tui/runtime/society"
	"society-tui/tui/words"
)

// Word says in words what row's agent does, with the detail that belongs to it:
// the tool, whom it waits for, why it failed. Names gives the name to show for
// an agent; text out of the row is taken as clean.
func Word(row *api.Row, w words.Symbols, names func(society.AgentID) string) string {
	switch Of(row) {
	case Thinking:
		if row.Compressing {
			return w.Compressing
		}
		return walking(&row.Walk, w)
	case Tool:
		return tool(row, w)
	case Slot:
		return w.WaitsSlot
	case Retry:
		if row.Walk.Doing == graph.Wait {
			return row.Walk.Node + ": " + retry(row.Retry, w)
		}
		return retry(row.Retry, w)
	case Pausing:
		return w.Pausing
	case Waits:
		return fmt.Sprintf(w.WaitsFor, list(row.WaitsOn, names))
	case Paused:
		return fmt.Sprintf(w.Paused, Reason(row.Paused, w))
	case Asks:
		return w.Asks
	case Stopping:
		return w.Stopping
	case Stopped:
		return w.Stopped
	case Draining:
		return fmt.Sprintf(w.Draining, row.Waiting)
	case Terminating:
		return w.Terminating
	case Failed:
		return row.Error
	case Reported:
		return w.Reported
	}
	return w.Idle
}

// walking says what is done where in the graph of the agent's role, if it has one.
func walking(at *api.Walk, w words.Symbols) string {
	switch at.Doing {
	case graph.Execute:
		node := at.Node
		if at.Beside > 0 {
			node += fmt.Sprintf(" +%d", at.Beside)
		}
		return fmt.Sprintf("%s (%d/%d)", node, at.Iterations, at.Most)
	case graph.Judge, graph.Choose:
		return fmt.Sprintf(w.Judging, at.Node)
	case graph.Join:
		return fmt.Sprintf(w.Joining, at.Node)
	}
	return w.Thinking
}

func tool(row *api.Row, w words.Symbols) string {
	if row.Tool == "" {
		return w.Working
	}
	return row.Tool
}

func retry(r *api.Retry, w words.Symbols) string {
	n := fmt.Sprintf(w.Retry, r.Attempt, r.Most)
	if r.Cause == "" {
		return n
	}
	return r.Cause + " " + n
}

func list(ids []society.AgentID, names func(society.AgentID) string) string {
	said := make([]string, len(ids))
	for i, id := range ids {
		said[i] = names(id)
	}
	return strings.Join(said, ", ")
}

// Reason says why an agent is paused.
func Reason(p society.Pause, w words.Symbols) string {
	switch p {
	case society.Interrupted:
		return w.Interrupted
	case society.AskedToPause:
		return w.Asked
	case society.Quarantined:
		return w.Quarantined
	case society.MessageGuard:
		return w.Guard
	}
	return string(p)
}

// AtRest reports whether nothing goes on with row's agent, nor below it on its behalf.
func AtRest(row *api.Row) bool {
	return !row.State.Active() && row.State != society.Stopping && !row.Draining && len(row.WaitsOn) == 0
}

// Time writes since when row's agent does what it does, in at most five cells:
// how long that is, or until the next attempt of a retry. Of one at rest it is the
// time of day, whatever the others do, and with clock of all, so that nothing changes
// by time alone.
func Time(row *api.Row, now time.Time, clock bool) string {
	switch {
	case row.Since.IsZero():
		return ""
	case row.State == society.WaitingLLM && row.Retry != nil:
		return Age(row.Retry.At.Sub(now).Round(time.Second))
	case clock || AtRest(row):
		return row.Since.In(now.Location()).Format("15:04")
	}
	return Age(now.Sub(row.Since))
}
