package inspector

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"society-tui/runtime/conversation"
	"society-tui/runtime/i18n"
	"society-tui/runtime/society"
	"society-tui/tui/callline"
	"society-tui/tui/sanitize"
	"society-tui/tui/symbols"
)

// mostCalls is how many calls of an agent are shown.
const mostCalls = 40

// callCells is how much of a call's arguments and result is shown; the
// transcript has the whole.
const callCells = 160

// Calls are the newest calls of an agent, collected from its entries, cut to
// what is shown. Printer is for what they did.
type Calls struct {
	Printer i18n.Printer
	// Artifacts are what agents have kept in the agent's task.
	Artifacts []society.Artifact
	calls     []called // newest first
	results   map[string]result
}

type called struct {
	at         time.Time
	name, line string // line is what it is about and did
	asked      string
	result     result
	answered   bool
}

type result struct {
	outcome conversation.Outcome
	took    time.Duration
	text    string
}

// Add adds older entries than those it has. Any goroutine may call it.
func (c *Calls) Add(entries []conversation.Entry) {
	if c.results == nil {
		c.results = make(map[string]result)
	}
	for i := len(entries) - 1; i >= 0 && !c.Full(); i-- {
		switch e := &entries[i]; e.Kind {
		case conversation.Result:
			c.results[e.CallID] = result{e.Outcome, e.Took, e.Text}
		case conversation.Answer, conversation.Superseded:
			c.add(e)
		}
	}
}

func (c *Calls) add(e *conversation.Entry) {
	for i := len(e.Calls) - 1; i >= 0 && !c.Full(); i-- {
		call := &e.Calls[i]
		at := called{at: e.At, name: sanitize.Line(call.Name, questionCells), asked: sanitize.Line(call.Arguments, callCells)}
		at.result, at.answered = c.results[call.ID]
		at.line = sanitize.Line(c.lineOf(call, &at.result), questionCells)
		at.result.text = sanitize.Line(at.result.text, callCells)
		if !at.answered && (e.Kind == conversation.Superseded || call.Problem != "") {
			at.result, at.answered = result{outcome: conversation.NotRun, text: sanitize.Line(call.Problem, callCells)}, true
		}
		delete(c.results, call.ID)
		c.calls = append(c.calls, at)
	}
}

// lineOf returns what a call is about and did. An agent in it is shown by its id.
func (c *Calls) lineOf(call *conversation.Call, r *result) string {
	line := callline.Call{Name: call.Name, Arguments: call.Arguments, Agent: func(id string) string { return id }}
	if r.outcome == conversation.OK {
		line.Result = r.text
	}
	return line.In(c.Printer)
}

// Full reports whether older entries would be ignored.
func (c *Calls) Full() bool { return len(c.calls) >= mostCalls }

// called lists the calls with their results.
func (r *Model) called(c *Calls) []block {
	if len(c.calls) == 0 {
		return []block{{title: r.text(textCalls), text: r.text(textNoCalls)}}
	}
	blocks := []block{{title: r.text(textCallsNewest, len(c.calls))}}
	for i := range c.calls {
		at := &c.calls[i]
		b := block{title: at.name, quiet: at.result.text}
		if at.line != "" {
			b.title += " " + at.line
		}
		facts := []string{r.clock(at.at)}
		if at.asked != "" && at.asked != "{}" {
			b.text = "\n" + at.asked
		}
		var how string
		b.sign, b.role, how = r.outcome(at)
		if how != "" {
			facts = append(facts, how)
		}
		if at.result.took > 0 {
			facts = append(facts, symbols.Took(at.result.took))
		}
		b.text = strings.Join(facts, "  ") + b.text
		if b.quiet != "" {
			b.quiet = r.sign("→", "->") + " " + b.quiet
		}
		blocks = append(blocks, b)
	}
	return blocks
}

// kept lists the artifacts of the agent's task, its own first.
func (r *Model) kept(c *Calls) []block {
	if len(c.Artifacts) == 0 {
		return nil
	}
	list := slices.Clone(c.Artifacts)
	slices.SortStableFunc(list, func(a, b society.Artifact) int {
		if own := r.subject.Row.ID; (a.By == own) != (b.By == own) {
			if a.By == own {
				return -1
			}
			return 1
		}
		return b.At.Compare(a.At)
	})
	var lines []string
	for i := range list {
		a := &list[i]
		lines = append(lines, sanitize.Line(fmt.Sprintf("%s v%d %s %s", a.Name, a.Version, symbols.Bytes(a.Size), r.subject.names(a.By)), callCells))
	}
	return []block{{title: r.text(textArtifacts, len(list)), text: strings.Join(lines, "\n"), quiet: r.text(textArtifactsHint)}}
}

// outcome describes how a call ended, or that it has not.
func (r *Model) outcome(c *called) (sign string, role symbols.Role, how string) {
	of := func(k symbols.Kind) (string, symbols.Role) { return r.set.Symbol(k, 0), k.Role() }
	if !c.answered {
		sign, role = of(symbols.Tool)
		return sign, role, r.text(textNoResult)
	}
	switch c.result.outcome {
	case conversation.Failed:
		sign, role = of(symbols.Failed)
		return sign, role, r.text(textCallFailed)
	case conversation.Skipped:
		sign, role = of(symbols.Idle)
		return sign, role, r.text(textCallSkipped)
	case conversation.AbortedCall:
		sign, role = of(symbols.Paused)
		return sign, role, r.text(textCallAborted)
	case conversation.NotRun:
		sign, role = of(symbols.Idle)
		return sign, role, r.text(textCallNotRun)
	case conversation.Unknown:
		sign, _ = of(symbols.Asks)
		return sign, symbols.RoleWarning, r.text(textCallUnknown)
	}
	sign, role = of(symbols.Reported)
	return sign, role, ""
}

// clock formats a time to the second, with the date if it is not today.
func (r *Model) clock(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	at = at.In(r.now.Location())
	if at.Format(time.DateOnly) == r.now.Format(time.DateOnly) {
		return at.Format(time.TimeOnly)
	}
	return at.Format(time.DateTime)
}
