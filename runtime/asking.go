package runtime

import (
	"context"
	"errors"
	"slices"
	"time"

	"society-tui/llm"
	"society-tui/llm/limits"
	"society-tui/runtime/api"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
)

// calling waits until the model may be asked for a piece of work, and then does so with ask.
// While the model cannot be asked, another takes its place where that is set.
func (r *Runtime) calling(ctx context.Context, t *modelCall, ask func() society.Command) society.Command {
	for {
		once := r.chooseModel(t)
		call, err := r.admit(ctx, t, once)
		if held, ok := errors.AsType[*limits.Held](err); ok {
			if t.waited += held.Waited; once > 0 && time.Until(held.Until) > once {
				continue // another may be asked now
			}
			return t.held(held.Until)
		}
		if errors.Is(err, limits.ErrReconsider) {
			if e, ok := r.models.For(t.own.Name, ""); ok {
				t.own = e
			}
			continue
		}
		var result society.Command
		if keyless, ok := errors.AsType[*llm.Error](err); ok {
			result = r.failedCall(ctx, t, keyless, reply{})
		} else if err != nil {
			return nil // cancelled while waiting
		} else {
			t.call = call
			result = ask()
			call.Done()
			t.waited += call.Waited()
		}
		f, failed := result.(society.Failed)
		if !failed {
			return result
		}
		if f.Waited = t.waited; ctx.Err() != nil || !r.replaces(t, f) {
			return f
		}
	}
}

// admit waits until one more call of the model may run for a piece of work. once is the
// longest single wait for its endpoint, 0 for any. The key is found before: whoever has the same
// waits behind the same brake. An *llm.Error tells why there is none.
func (r *Runtime) admit(ctx context.Context, t *modelCall, once time.Duration) (*limits.Call, error) {
	sought := llm.SeeksKey(t.model.Model)
	if err := llm.FindKey(ctx, t.model.Model); err != nil {
		return nil, err
	}
	if sought {
		r.wakeAsking()
	}
	tokens, _ := t.tail.Size()
	call, err := r.workers.limits.Begin(ctx, limits.Request{
		Model: t.model, First: t.first, Task: string(t.item.Task), Agent: string(t.item.Agent), Tokens: tokens,
		Most: max(r.cfg.Limits.LongestWait-t.item.Waited-t.waited, 0), MostOnce: once,
		Waiting: func(w limits.Wait) { r.markWait(t, &w) },
	})
	r.markWait(t, nil)
	return call, err
}

// markWait marks what a call waits for, nil for nothing.
func (r *Runtime) markWait(t *modelCall, w *limits.Wait) {
	if more := r.queued(t.item, w); more != 0 {
		r.cfg.Observer.ModelQueued(t.model.Name, more)
	}
}

// held is the failure of a call that has waited for its endpoint for as long as it may.
func (t *modelCall) held(until time.Time) society.Command {
	return society.Failed{
		Work: t.work, Class: string(llm.Rate), Text: protocol.Sentence(t.lang, protocol.EndpointBusy, t.model.Name), Retryable: true,
		RetryAfter: max(time.Until(until), 1), Waited: t.waited, Unasked: true, Model: t.model.Name,
	}
}

// mayAsk returns when a request may be sent: the endpoint may have refused another since the
// call began, or a budget may be spent.
func (r *Runtime) mayAsk(ctx context.Context, t *modelCall) error {
	err := t.call.Ask(ctx)
	r.markWait(t, nil)
	if held, ok := errors.AsType[*limits.Held](err); ok {
		return &llm.Error{Class: llm.Rate, Text: protocol.Sentence(t.lang, protocol.EndpointBusy, t.model.Name), RetryAfter: max(time.Until(held.Until), 1), Err: err}
	}
	if budget, held := r.overBudget.of(t.item.Agent); held && err == nil {
		return overBudgetError(budget)
	}
	return err
}

// asked tells the limits how a request has ended.
func (r *Runtime) asked(t *modelCall, err error, a reply) {
	if until := t.call.Ended(err, a.last.Usage); !until.IsZero() {
		r.log.Warn("endpoint refuses more requests", "model", t.model.Name, "until", until.Format(time.RFC3339))
	}
}

// waitOf describes to clients what a call waits for, nil if it is a slot.
func waitOf(w limits.Wait, model string) *api.Retry {
	switch w.For {
	case limits.Rate:
		return &api.Retry{At: w.Until, Model: model, Cause: api.WaitsForEndpoint}
	case limits.Own:
		return &api.Retry{At: w.Until, Model: model, Cause: api.WaitsForOwnLimit}
	}
	return nil
}

// askNow lets those who wait for their endpoint ask now, if a Resume wants it, and adds them
// to its reply.
func (r *Runtime) askNow(o *pendingCommand) {
	c, ok := o.cmd.(society.Resume)
	reply, _ := o.reply.(society.Resumption)
	if !ok || !c.Now {
		return
	}
	ids := []society.AgentID{c.Agent}
	if !c.Alone {
		ids = r.state.Subtree(c.Agent)
	}
	for _, id := range ids {
		a := r.state.Agent(id)
		model, ok := r.modelOf(a, a.AtHand())
		if !ok || r.workers.limits.HeldUntil(model).IsZero() {
			continue
		}
		waits := r.waitsForEndpoint(a)
		if waits {
			reply.Agents, reply.Again = append(reply.Agents, id), append(reply.Again, id)
		}
		if waits || slices.Contains(reply.Again, id) {
			r.workers.limits.AskNow(model, string(id))
		}
	}
	o.reply = reply
}

// waitsForEndpoint reports whether a call for an agent waits behind the brake of its
// endpoint.
func (r *Runtime) waitsForEndpoint(a *society.Agent) bool {
	r.watchers.mu.Lock()
	defer r.watchers.mu.Unlock()
	for _, step := range a.Open {
		if w, waits := r.watchers.waitsForSlot[piece{a.ID, step.N}]; waits && w.For == limits.Rate {
			return true
		}
	}
	return false
}

// recallBrakes closes the brakes of endpoints that had refused more requests before the
// program ended: agents still wait for them.
func (r *Runtime) recallBrakes() {
	for _, id := range r.state.Agents() {
		a := r.state.Agent(id)
		until, waits := a.RetriesFreely()
		if model, ok := r.modelOf(a, a.AtHand()); waits && ok && time.Until(until) > 0 {
			r.workers.limits.Hold(model, until)
		}
	}
}
