package symbols

import (
	"fmt"
	"strings"
	"time"

	"society-tui/runtime/api"
	"society-tui/runtime/graph"
	"society-tui/runtime/i18n"
	"society-tui/runtime/society"
	"society-tui/tui/callline"
	"society-tui/tui/sanitize"
)

// aboutCells limits what is said of a call.
const aboutCells = 300

// Word describes the state of row's agent with its detail: the tool, the agent
// it waits for, or the error. Names returns an agent's name; texts of the row
// must be clean.
func Word(row *api.Row, p i18n.Printer, names func(society.AgentID) string) string {
	switch Of(row) {
	case Thinking:
		if row.Compressing {
			return p.T(textCompressing)
		}
		return walking(&row.Walk, p)
	case Tool:
		return tool(row, p)
	case Slot:
		if row.Retry != nil {
			return Again(row.Retry, p)
		}
		return p.T(textWaitsSlot)
	case Retry:
		if row.Walk.Doing == graph.Wait {
			return row.Walk.Node + p.T(TextColon) + Again(row.Retry, p)
		}
		return Again(row.Retry, p)
	case Pausing:
		return p.T(textPausing)
	case Waits:
		return p.T(textWaitsFor, list(row.WaitsOn, p, names))
	case Paused:
		return p.T(TextPaused, Reason(row.Paused, p))
	case Asks:
		if row.Budget != nil {
			return p.T(textAsksBudget, BudgetWord(row.Budget.BudgetScope))
		}
		if !row.Asks && row.Question != "" {
			return AsksTo(p, row.Question)
		}
		return p.T(TextAsks)
	case Stopping:
		return p.T(textStopping)
	case Stopped:
		return p.T(TextStopped)
	case Draining:
		return p.T(textDraining, row.Waiting)
	case Terminating:
		return p.T(textTerminating)
	case Failed:
		if next := NextStep(row, p); next != "" {
			return next
		}
		return row.Error
	case Reported:
		return p.T(textReported)
	}
	return p.T(textIdle)
}

// BudgetWord is what a budget is called in a written /budget.
func BudgetWord(of society.BudgetScope) string {
	switch {
	case of.Agent != "":
		return sanitize.Line(string(of.Agent), aboutCells)
	case of.Task != "":
		return "task"
	}
	return "day"
}

// walking describes the state in the graph of the agent's role, if there is
// one.
func walking(at *api.Walk, p i18n.Printer) string {
	switch at.Doing {
	case graph.Execute:
		node := at.Node
		if at.Beside > 0 {
			node += fmt.Sprintf(" +%d", at.Beside)
		}
		return fmt.Sprintf("%s (%d/%d)", node, at.Iterations, at.Most)
	case graph.Judge, graph.Choose:
		return p.T(textJudging, at.Node)
	case graph.Join:
		return p.T(textJoining, at.Node)
	}
	return p.T(textThinking)
}

func tool(row *api.Row, p i18n.Printer) string {
	if row.Tool == "" {
		return p.T(textWorking)
	}
	return row.Tool
}

// Again describes when and why a model is asked, of a call that waits for that.
func Again(r *api.Retry, p i18n.Printer) string {
	if r.Model != "" {
		return WaitsUntil(r, p)
	}
	n := p.T(TextRetry, r.Attempt, r.Most)
	if r.Cause == "" {
		return n
	}
	return r.Cause + " " + n
}

// WaitsUntil describes a wait that costs no try.
func WaitsUntil(r *api.Retry, p i18n.Printer) string {
	why := p.T(textRateLimit)
	if r.Cause == api.WaitsForOwnLimit {
		why = p.T(textOwnLimit)
	}
	return p.T(textWaitsUntil, ModelName(p, r.Model), r.At.Local().Format("15:04:05"), why)
}

// Activity is Word with what the running tool works on, as the call's line in the
// conversation says it.
func Activity(row *api.Row, p i18n.Printer, names func(society.AgentID) string) string {
	word := Word(row, p, names)
	if Of(row) != Tool || row.Tool == "" {
		return word
	}
	call := callline.Call{Name: row.Tool, Arguments: row.Arguments, Agent: func(id string) string { return names(society.AgentID(id)) }}
	if about := sanitize.Line(call.In(p), aboutCells); about != "" {
		word += " " + about
	}
	return word
}

func list(ids []society.AgentID, p i18n.Printer, names func(society.AgentID) string) string {
	said := make([]string, len(ids))
	for i, id := range ids {
		said[i] = names(id)
	}
	return p.List(said)
}

// Reason explains a pause.
func Reason(why society.Pause, p i18n.Printer) string {
	switch why {
	case society.Interrupted:
		return p.T(TextInterrupted)
	case society.AskedToPause:
		return p.T(textAsked)
	case society.Quarantined:
		return p.T(textQuarantined)
	case society.MessageGuard:
		return p.T(textGuard)
	case society.OverBudget:
		return p.T(textOverBudget)
	}
	return string(why)
}

// atRest reports whether neither row's agent nor its subtree works, nor its context is compressed.
func atRest(row *api.Row) bool {
	return !row.State.Active() && !row.Compressing && row.State != society.Stopping && !row.Draining && len(row.WaitsOn) == 0
}

// Time formats how long the agent has been in its state, or until the next
// retry, in at most five cells. For an idle one it is the time of day, and with
// clock for all, so that nothing changes by time alone.
func Time(row *api.Row, now time.Time, clock bool) string {
	switch {
	case row.Since.IsZero():
		return ""
	case row.State == society.WaitingLLM && row.Retry != nil:
		return Age(row.Retry.At.Sub(now).Round(time.Second))
	case clock || atRest(row):
		return row.Since.In(now.Location()).Format("15:04")
	}
	return Age(now.Sub(row.Since))
}

// AsksTo names the call of a tool that needs the user's yes; call is its name and what it is about.
func AsksTo(p i18n.Printer, call string) string {
	if command, ok := strings.CutPrefix(call, "bash "); ok {
		return p.T(textAsksRun, command)
	}
	if call == "bash" {
		return p.T(textAsksCommand)
	}
	return p.T(textAsksTo, call)
}
