package inspector

import (
	"fmt"
	"strings"

	"society-tui/runtime/api"
	"society-tui/runtime/i18n"
	"society-tui/runtime/society"
	"society-tui/tui/symbols"
)

// names returns the name of an agent, also before the first Show.
func (s *Subject) names(id society.AgentID) string {
	if s.Names == nil {
		return string(id)
	}
	return s.Names(id)
}

// Happened describes a line of the timeline, with its symbol.
func (r *Model) Happened(e *api.TimelineEvent) (symbol, said string) {
	symbol, _, said = r.event(e)
	return symbol, said
}

// event describes a line of the timeline. An unknown kind is shown as it is.
func (r *Model) event(e *api.TimelineEvent) (symbol string, role symbols.Role, said string) {
	kind := symbols.Idle
	switch e.Kind {
	case "spawned":
		return r.sign("+", "n"), symbols.RoleSuccess, r.text(textSpawned)
	case "told you":
		return r.set.Symbol(symbols.Reported, 0), symbols.RoleAccent, r.text(textTold)
	case "artifact":
		return r.set.Symbol(symbols.Reported, 0), symbols.RoleInfo, r.text(textKept, artifactOf(e.Text))
	case "fallback":
		kind, said = symbols.Retry, join(r.text(textFallback), e.Text)
	case "compressed":
		return r.set.Symbol(symbols.Idle, 0), symbols.RoleInfo, r.text(textCompressed)
	case "rewound":
		n, _, _ := strings.Cut(e.Text, " ")
		return r.set.Symbol(symbols.Idle, 0), symbols.RoleInfo, r.text(textRewound, n)
	case "forked":
		return r.sign("+", "n"), symbols.RoleSuccess, r.text(textForked, strings.TrimPrefix(e.Text, "from "))
	case "dropped":
		said = r.text(textLaterDropped) + r.text(symbols.TextAside, e.Text)
	case "undelivered":
		kind, said = symbols.Failed, join(r.text(textUndelivered), Undelivered(r.printer, e.Text))
	case "asks":
		kind, said = symbols.Asks, r.text(symbols.TextAsks)
	case "approval":
		kind, said = symbols.Asks, symbols.AsksTo(r.printer, e.Text)
	case "allowed":
		kind, said = symbols.Reported, join(r.text(textAllowed), e.Text)
	case "denied":
		kind, said = symbols.Failed, join(r.text(textDenied), e.Text)
	case "withdrawn":
		said = join(r.text(textWithdrawn), e.Text)
	case "retry":
		kind, said = symbols.Retry, join(r.text(textRetrying), RetryOf(r.printer, e.Text))
	case "failed", "quarantined":
		kind, said = symbols.Failed, join(r.text(symbols.TextFailed), e.Text)
	case "paused":
		kind, said = symbols.Paused, join(r.text(textPaused), symbols.Reason(society.Pause(e.Text), r.printer))
	case "resumed":
		if said = r.text(textResumed); society.Pause(e.Text) == society.OverBudget {
			said = r.text(textAllowedAgain)
		}
	case "budget":
		said = r.text(textBudgetSet, r.budgetOf(e.Text))
	case "budget_near":
		kind, said = symbols.Retry, r.text(textBudgetNear, r.budgetOf(e.Text))
	case "budget_spent":
		kind, said = symbols.Asks, r.text(textBudgetSpent, r.budgetOf(e.Text))
	case "stopped":
		kind, said = symbols.Stopped, r.text(symbols.TextStopped)+r.several(e.Text)
	case "draining":
		kind, said = symbols.Draining, r.text(textDrained)
	case "drained":
		kind, said = symbols.Draining, r.text(textDrained)
		if ended, cutOff, ok := DrainOf(e); ok {
			said = r.text(textDrainEnded, ended, cutOff)
		}
	case "interrupted":
		kind, said = symbols.Paused, r.text(symbols.TextInterrupted)
	case "terminated":
		kind, said = symbols.Terminating, r.text(textTerminated)
	default:
		said = join(e.Kind, e.Text)
	}
	return r.set.Symbol(kind, 0), kind.Role(), said
}

// budgetOf names the budget that a line is about, and how much of it is spent: "task, 95%".
func (r *Model) budgetOf(text string) string {
	of, share := text, ""
	if at := strings.LastIndexByte(text, ' '); strings.HasSuffix(text, "%") && at > 0 {
		of, share = text[:at], r.text(symbols.TextComma)+text[at+1:]
	}
	switch scope, _, _ := strings.Cut(of, " "); scope {
	case "task":
		of = r.text(textOfTask)
	case "day":
		of = r.text(textOfDay)
	default:
		of = r.subject.names(society.AgentID(of))
	}
	return of + share
}

// RetryOf writes which try comes when, and why: "2 in 2m10s: 429".
func RetryOf(p i18n.Printer, text string) string {
	before, cause, _ := strings.Cut(text, ": ")
	n, in, ok := strings.Cut(before, "in ")
	if !ok {
		return text
	}
	if n = strings.TrimSpace(n); n == "" {
		return p.T(textRetryIn, in, cause)
	}
	return p.T(textNthRetry, n, in, cause)
}

// Undelivered writes why a delayed message was refused, from the code of the refusal.
func Undelivered(p i18n.Printer, code string) string {
	if why, known := undelivered[society.Code(code)]; known {
		return p.T(why)
	}
	return code
}

// artifactOf writes the id and the version of an artifact in short: "a1 v2".
func artifactOf(text string) string { return strings.Replace(text, ", version ", " v", 1) }

// several returns how many agents a line is about, if more than one.
func (r *Model) several(text string) string {
	n := 0
	if _, err := fmt.Sscanf(text, "%d agents", &n); err != nil || n < 2 {
		return ""
	}
	return r.text(symbols.TextAside, symbols.Count(n))
}

// DrainOf reads the result of a drain: how many agents it ended, and how many
// messages were cut off by its limit.
func DrainOf(e *api.TimelineEvent) (ended, cutOff int, ok bool) {
	_, err := fmt.Sscanf(e.Text, "ended %d, cut off %d", &ended, &cutOff)
	return ended, cutOff, e.Kind == "drained" && err == nil
}

func join(what, more string) string {
	if more == "" {
		return what
	}
	return what + " " + more
}
