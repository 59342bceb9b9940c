package runtime

import (
	"context"
	"log/slog"
	"time"

	"society-tui/llm"
	"society-tui/runtime/logfile"
	"society-tui/runtime/society"
)

// note adds an event to the timeline and the log.
func (r *Runtime) note(e society.Event) {
	for _, line := range linesOf([]society.Event{e}) {
		r.totals.timeline.add(line)
		r.log.Info(line.Kind, append([]any{"agent", line.Agent}, line.Attrs...)...)
	}
	if e, ok := e.(society.Logs); ok {
		for _, line := range e.Logged(r.state) {
			level := slog.LevelInfo
			if line.Warn {
				level = slog.LevelWarn
			}
			r.log.Log(context.Background(), level, line.Text, line.Attrs...)
		}
	}
}

func (r *Runtime) logReply(t *modelCall, a reply) {
	r.log.Info("model call", "agent", t.item.Agent, "model", t.model.Name, "outcome", "ok", "for", t.work.Kind(), "took", a.took.String(), "attempt", t.item.Attempt,
		"input", a.last.Usage.InputTokens, "output", a.last.Usage.OutputTokens, "calls", len(a.last.Calls), "finish", a.last.Finish)
}

// logFailure logs a failed model call. The endpoint's text may quote the conversation and
// is left out.
func (r *Runtime) logFailure(t *modelCall, e *llm.Error, a reply) {
	said := []any{
		"agent", t.item.Agent, "model", t.model.Name, "outcome", e.Class, "for", t.work.Kind(),
		"status", e.Status, "code", e.Code, "took", a.took.String(), "attempt", t.item.Attempt,
	}
	if !e.Quotes {
		said = append(said, "error", e.Text)
	}
	r.log.Warn("model call", said...)
}

// logWire writes down what a failed call sent and was sent back. One that was cancelled
// has not failed.
func (r *Runtime) logWire(ctx context.Context, t *modelCall, wire *llm.Wire, err error) {
	if err == nil || ctx.Err() != nil {
		return
	}
	r.log.Log(ctx, logfile.LevelWire, "model call on the wire",
		"agent", t.item.Agent, "model", t.model.Name, "request", wire.Request(), "answer", wire.Answer())
}

// warnOfIdle logs, once for each rest, agents that have done nothing for longer
// than the setting allows.
func (r *Runtime) warnOfIdle(now time.Time) {
	if r.cfg.IdleWarning <= 0 {
		return
	}
	for _, id := range r.state.Agents() {
		a := r.state.Agent(id)
		if a.Status != society.Idle || r.totals.warned[id].Equal(a.Since) {
			continue
		}
		if rest := now.Sub(a.Since); rest >= r.cfg.IdleWarning {
			r.totals.warned[id] = a.Since
			r.log.Warn("agent is idle for long", "agent", id, "for", rest.Round(time.Second).String(), "why", r.state.RestsBecause(id))
		}
	}
}
