package runtime

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"time"

	"society-tui/llm"
	"society-tui/llm/limits"
	"society-tui/llm/registry"
	"society-tui/runtime/conversation"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
)

// trialWait is how long a trial waits behind the brake of its endpoint.
const trialWait = 10 * time.Second

// Trial returns a model that is being set up so that it is asked as those of the society are,
// with what is known of it there: it waits for its turn at its endpoint, it is not asked while a
// budget of all agents is spent, and what it uses counts, for no agent. An error is that of the
// model; before it was asked a *limits.Held, limits.ErrNoTurn, a *society.Refusal, or that the
// society has ended. It may be used on any goroutine while the society runs.
func (r *Runtime) Trial(e registry.Entry) registry.Entry {
	known, ok := r.models.For(e.Name, "")
	if ok && known.Endpoint == e.Endpoint && known.Model.Name() == e.Model.Name() {
		e.Facts = known.Facts.Or(e.Facts)
	}
	asked := e
	asked.Model = trial{r, e}
	return asked
}

type trial struct {
	r *Runtime
	e registry.Entry
}

// Name returns the name of the model as the endpoint knows it.
func (t trial) Name() string { return t.e.Model.Name() }

// Generate asks the model when it may be asked.
func (t trial) Generate(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
	return func(yield func(llm.Chunk, error) bool) {
		asked := weightOf(&req)
		call, err := t.begin(ctx, asked)
		if err != nil {
			yield(llm.Chunk{}, err)
			return
		}
		defer call.Done()
		var a reply
		var text, reasoning strings.Builder
		begun := time.Now()
		defer func() {
			a.text, a.reasoning = text.String(), reasoning.String()
			call.Ended(err, a.last.Usage)
			of := &modelCall{model: t.e, asked: asked}
			if used := of.used(ctx, &a, err, t.r.cfg.Currency); used != (society.Usage{}) {
				t.r.post(society.CountTry{Model: t.e.Name, Usage: used})
			}
		}()
		var chunk llm.Chunk
		for chunk, err = range t.e.Model.Generate(ctx, req) {
			if err == nil {
				call.Began()
				text.WriteString(chunk.Text)
				reasoning.WriteString(chunk.Reasoning)
				if a.first == 0 {
					a.first = max(time.Since(begun), 1)
				}
				a.last = chunk
			} else {
				a.last.Usage = chunk.Usage
			}
			if !yield(chunk, err) || err != nil {
				return
			}
		}
	}
}

// begin waits until the model may be asked.
func (t trial) begin(ctx context.Context, tokens int) (*limits.Call, error) {
	if err := t.checkBudgets(ctx); err != nil {
		return nil, err
	}
	request := limits.Request{Model: t.e, First: true, Tokens: tokens, Most: trialWait}
	call, err := t.r.workers.limits.Begin(ctx, request)
	for errors.Is(err, limits.ErrReconsider) { // others have changed
		call, err = t.r.workers.limits.Begin(ctx, request)
	}
	switch {
	case err == nil:
		if err = call.Ask(ctx); err == nil {
			return call, nil
		}
		call.Done()
	case ctx.Err() != nil:
		err = fmt.Errorf("%w: %w", limits.ErrNoTurn, err)
	}
	return nil, err
}

// checkBudgets returns why no model is asked: a budget that bounds all agents is spent.
func (t trial) checkBudgets(ctx context.Context) error {
	var spent error
	err := t.r.inLoop(ctx, func(s *society.State) {
		if by, is := s.SpentOfAll(time.Now()); is {
			spent = &society.Refusal{Code: society.LimitReached, Why: protocol.Because(protocol.BudgetSpent, by.BudgetScope)}
		}
	})
	return errors.Join(err, spent)
}

// weightOf estimates the tokens of a request.
func weightOf(req *llm.Request) int {
	weight := conversation.Weigh(req.System)
	for i := range req.Messages {
		weight += weigh(&req.Messages[i])
	}
	for _, tool := range req.Tools {
		weight += conversation.Weigh(tool.Name+tool.Description) + conversation.Estimate(string(tool.Parameters))
	}
	return weight
}
