package runtime

import (
	"slices"

	"society-tui/llm"
	"society-tui/runtime/conversation"
	"society-tui/runtime/protocol"
)

// compose makes what the model is sent, and an estimate of the tokens that it takes: the
// system prompt, the tools, and the legal history (SPEC.md, decision 27). Of all of them
// only what is new since the last time has to be made.
func (r *Runtime) compose(t *modelCall) (req llm.Request, guess int, err error) {
	entries, err := r.recall(t)
	if err != nil {
		return req, 0, err
	}
	messages, weight := t.said.of(t, entries)
	if r.cfg.Check {
		t.checkHistory(entries, messages, weight)
	}
	req, guess = t.request(messages, weight)
	return req, guess, nil
}

// request puts a history of this weight into a request, and estimates that.
func (t *modelCall) request(messages []llm.Message, weight int) (req llm.Request, guess int) {
	req = llm.Request{System: t.system, Tools: t.toolSet.specs, Messages: messages, Effort: t.effort}
	// Some endpoints take no history that ends with an answer, as one does in which
	// another node has spoken.
	if n := len(messages); n > 0 && t.step != "" && messages[n-1].Role == llm.Assistant {
		begins := llm.Message{Role: llm.User, Text: protocol.Sentence(t.lang, protocol.StepBegins, t.step)}
		req.Messages, weight = append(messages, begins), weight+weigh(&begins)
	}
	t.asked = t.weight + weight + t.weighImages(req.Messages)
	return req, t.asked
}

// requestOf makes the request that these entries lead to, all of it anew.
func (t *modelCall) requestOf(entries []conversation.Entry) (req llm.Request, guess int) {
	return t.request(t.extend(nil, 0, conversation.Seen(entries, t.branches)))
}

// extend makes the messages of entries that follow those of others, and adds what
// they weigh.
func (t *modelCall) extend(messages []llm.Message, weight int, entries []conversation.Entry) ([]llm.Message, int) {
	legal := conversation.Legal(entries)
	messages = slices.Grow(messages, len(legal))
	var read []llm.Image // by the calls of the answer
	for i := range legal {
		m := t.message(&legal[i])
		messages, weight = append(messages, m), weight+weigh(&m)
		if legal[i].HasImage() {
			read = append(read, imagesOf(&legal[i])...)
		}
		if len(read) > 0 && (i+1 == len(legal) || legal[i+1].Kind != conversation.Result) {
			m := t.imagesRead(read)
			messages, weight, read = append(messages, m), weight+weigh(&m), nil
		}
	}
	return messages, weight
}

// weigh estimates what a message takes of a model's context.
func weigh(m *llm.Message) int {
	weight := conversation.Weigh(m.Text)
	for i := range m.Calls {
		weight += conversation.Estimate(m.Calls[i].Name) + conversation.Weigh(m.Calls[i].Arguments)
	}
	return weight
}

// guess estimates how many tokens a request with a history of these entries takes.
func (t *modelCall) guess(entries []conversation.Entry) int {
	_, guess := t.requestOf(entries)
	return guess
}
