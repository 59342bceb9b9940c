// Package llmmodel lets a language model of package llm answer for the nodes of a
// graph.
package llmmodel

import (
	"context"
	"errors"
	"fmt"

	"society-tui/llm"
	"society-tui/runtime/graph"
	"society-tui/runtime/graph/execute"
)

// New returns a model for execute.Config that asks m.
//
// An error that asking again cannot mend, for example a wrong key, is marked with
// execute.Final; others may be retried by the node. An answer that reached its length
// limit in the middle of its calls is an error, because a call that is cut off must not
// run; so is an answer that was filtered or refused.
func New(m llm.Model) execute.Model { return model{m} }

type model struct{ llm llm.Model }

// Answer implements execute.Model.
func (m model) Answer(ctx context.Context, q execute.Question, send func(string)) (graph.Message, error) {
	answer := graph.Message{Role: graph.Assistant}
	for chunk, err := range m.llm.Generate(ctx, request(q)) {
		if err != nil {
			return answer, classified(err)
		}
		if chunk.Text != "" {
			send(chunk.Text)
			answer.Text += chunk.Text
		}
		if !chunk.Done {
			continue
		}
		switch {
		case chunk.Finish == llm.FinishFilter || chunk.Finish == llm.FinishRefusal:
			return answer, execute.Final(fmt.Errorf("no answer: %s", chunk.Finish))
		case chunk.Finish == llm.FinishLength && len(chunk.Calls) > 0:
			return answer, errors.New("the answer reached its length limit before its calls were whole")
		}
		answer.Calls, answer.Extra = calls(chunk.Calls), chunk.Extra
	}
	return answer, nil
}

// classified marks an error that no retry can mend. The context's own stays as it is.
func classified(err error) error {
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) || llm.AsError(err).Class.Retryable() {
		return err
	}
	return execute.Final(err)
}

func calls(list []llm.Call) []graph.Call {
	var made []graph.Call
	for _, c := range list {
		made = append(made, graph.Call{ID: c.ID, Name: c.Name, Arguments: c.Arguments, Extra: c.Extra})
	}
	return made
}

// request writes a question as a request. Its messages are legal already.
func request(q execute.Question) llm.Request {
	var req llm.Request
	for _, m := range q.Messages {
		if m.Role == graph.System {
			req.System = m.Text
			continue
		}
		sent := llm.Message{Role: llm.Role(m.Role), Text: m.Text, CallID: m.CallID, Extra: m.Extra}
		for _, c := range m.Calls {
			sent.Calls = append(sent.Calls, llm.Call{ID: c.ID, Name: c.Name, Arguments: c.Arguments, Extra: c.Extra})
		}
		req.Messages = append(req.Messages, sent)
	}
	for _, s := range q.Tools {
		req.Tools = append(req.Tools, llm.ToolSpec{Name: s.Name, Description: s.Purpose, Parameters: s.Schema()})
	}
	return req
}
