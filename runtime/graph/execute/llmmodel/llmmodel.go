// Package llmmodel lets a language model of package llm answer for the nodes of a
// graph.
package llmmodel

import (
	"context"
	"encoding/json"
	"strings"

	"society-tui/llm"
	"society-tui/runtime/graph"
	"society-tui/runtime/graph/execute"
)

// New returns a model for execute.Config that asks m.
//
// An error that asking again cannot mend, for example a wrong key, is marked with
// execute.Final; others may be retried by the node. An answer that reached its length
// limit in the middle of its calls is an error, because a call that is cut off must not
// run; so is one without anything in it, and one that was filtered or refused. What m
// wants back with its answers (thoughts, ids, signatures) it gets back, and no other
// model does.
func New(m llm.Model) execute.Model { return model{m} }

type model struct{ llm llm.Model }

// Answer asks the model once.
func (m model) Answer(ctx context.Context, q execute.Question, send func(text string)) (graph.Message, error) {
	var text, reasoning strings.Builder
	var last llm.Chunk
	for chunk, err := range m.llm.Generate(ctx, m.request(q)) {
		if err != nil {
			return graph.Message{}, failure(err)
		}
		send(chunk.Text)
		text.WriteString(chunk.Text)
		reasoning.WriteString(chunk.Reasoning)
		last = chunk
	}
	if err := unusable(&last, text.String()); err != nil {
		return graph.Message{}, failure(err)
	}
	answer := graph.Message{Role: graph.Assistant, Text: text.String()}
	answer.Extra = m.keep(memo{Reasoning: reasoning.String(), Extra: last.Extra})
	for _, c := range last.Calls {
		answer.Calls = append(answer.Calls, graph.Call{
			ID: c.ID, Name: c.Name, Arguments: c.Arguments, Extra: m.keep(memo{ProviderID: c.ProviderID, Extra: c.Extra}),
		})
	}
	return answer, nil
}

// failure marks an error that no further try can mend. The context's own is none.
func failure(err error) error {
	if llm.AsError(err).Retryable() {
		return err
	}
	return execute.Final(err)
}

// unusable returns why an answer without an error is none.
func unusable(last *llm.Chunk, text string) error {
	switch {
	case !last.Done:
		return &llm.Error{Class: llm.Overload, Text: "the answer ended early", Truncated: true}
	case last.Finish == llm.FinishLength && len(last.Calls) > 0:
		return &llm.Error{Class: llm.Overload, Text: "the answer reached its length limit within a call", Truncated: true}
	case strings.TrimSpace(text) != "" || len(last.Calls) > 0:
		return nil
	case last.Finish == llm.FinishLength:
		return &llm.Error{Class: llm.Empty, Text: "the answer reached its length limit before it said anything", Final: true}
	case last.Finish == llm.FinishFilter || last.Finish == llm.FinishRefusal:
		return &llm.Error{Class: llm.Invalid, Text: "the model gave no answer: " + string(last.Finish)}
	}
	return &llm.Error{Class: llm.Empty, Text: "the answer is empty"}
}

// request is a question as the model is asked it.
func (m model) request(q execute.Question) llm.Request {
	var req llm.Request
	for _, message := range q.Messages {
		if message.Role == graph.System { // there is at most one
			req.System = message.Text
			continue
		}
		note := m.recall(message.Extra)
		sent := llm.Message{
			Role: llm.Role(message.Role), Text: message.Text, CallID: message.CallID, Reasoning: note.Reasoning, Extra: note.Extra,
		}
		for _, c := range message.Calls {
			note := m.recall(c.Extra)
			sent.Calls = append(sent.Calls, llm.Call{
				ID: c.ID, ProviderID: note.ProviderID, Name: c.Name, Arguments: c.Arguments, Extra: note.Extra,
			})
		}
		req.Messages = append(req.Messages, sent)
	}
	for _, s := range q.Tools {
		req.Tools = append(req.Tools, llm.ToolSpec{Name: s.Name, Description: s.Purpose, Parameters: s.Schema()})
	}
	return req
}

// A memo is what a model wants back with its answers, as it is kept in the Extra of a
// message or a call.
type memo struct {
	Model      string          `json:"model"` // whose it is: another endpoint may refuse it
	Reasoning  string          `json:"reasoning,omitempty"`
	ProviderID string          `json:"provider_id,omitempty"`
	Extra      json.RawMessage `json:"extra,omitempty"`
}

// keep encodes a memo, nil for an empty one.
func (m model) keep(n memo) []byte {
	if n.Reasoning == "" && n.ProviderID == "" && len(n.Extra) == 0 {
		return nil
	}
	n.Model = m.llm.Name()
	kept, err := json.Marshal(n)
	if err != nil { // the endpoint's part is no JSON: it cannot be sent back
		return nil
	}
	return kept
}

// recall returns the memo of this model, an empty one for that of another.
func (m model) recall(kept []byte) memo {
	var n memo
	if len(kept) == 0 || json.Unmarshal(kept, &n) != nil || n.Model != m.llm.Name() {
		return memo{}
	}
	return n
}
