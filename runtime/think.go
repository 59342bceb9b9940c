package runtime

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"society-tui/llm"
	"society-tui/runtime/conversation"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/runtime/tables"
	"society-tui/runtime/tool"
	"society-tui/runtime/tool/org"
	"society-tui/storage"
)

// shownMost is how much of one long text a model is sent (spec/decisions.md 39).
const (
	longText  = 64 << 10
	shownMost = 32 << 10
)

// A thought is what a worker needs of the state: values, copied by the loop.
type thought struct {
	work   society.Work
	lang   protocol.Lang
	tail   conversation.Tail
	prompt protocol.Prompt // without the brief, which is in the store
	specs  []tool.Spec
	most   int // entries in context before the agent is told
	keep   int // compress_context's default
	window int
}

// thought copies from the state what the work needs. Only the loop calls it.
func (r *Runtime) thought(w society.Work) thought {
	s := r.state
	a := s.Agent(w.Agent)
	t := thought{
		work: w, lang: s.Lang(), tail: a.Tail, specs: r.offered(a),
		most: s.Limits().ContextMessages, keep: s.Limits().KeepRecent, window: r.cfg.Window,
		prompt: r.promptOf(a),
	}
	return t
}

// offered are the tools that the agent's role was given.
func (r *Runtime) offered(a *society.Agent) []tool.Spec {
	return slices.DeleteFunc(slices.Clone(r.specs), func(s tool.Spec) bool { return !r.state.MayUse(a.ID, s.Name) })
}

// promptOf gathers what an agent's system prompt is made of, but for the brief.
func (r *Runtime) promptOf(a *society.Agent) protocol.Prompt {
	p := protocol.Prompt{ID: string(a.ID), Role: r.state.RoleName(a.ID), Addition: r.cfg.Addition}
	if role := r.state.Role(a.Role); role != nil {
		p.RolePrompt = role.Prompt
	}
	for _, id := range slices.Sorted(maps.Keys(a.Contacts)) {
		p.Contacts = append(p.Contacts, a.Contacts[id])
	}
	for _, spec := range r.offered(a) {
		p.Tools = append(p.Tools, spec.Name)
	}
	if !r.state.MayUse(a.ID, org.CompressContext) {
		return p // it could do nothing about a full context
	}
	if most := r.state.Limits().ContextMessages; a.Tail.Count > most {
		p.Warning = protocol.Sentence(r.state.Lang(), protocol.ContextWarning, a.Tail.Count, most)
	} else if w := r.cfg.Window; w > 0 && a.Tail.Tokens > w*8/10 {
		p.Warning = protocol.Sentence(r.state.Lang(), protocol.WindowWarning, a.Tail.Tokens, w)
	}
	return p
}

// think asks the model, once. A failure comes back as one: whether it is tried
// again is for the rules.
func (r *Runtime) think(ctx context.Context, t thought) society.Command {
	back, err := r.slots.take(ctx, func() { r.queued(t.work.Agent, true) })
	r.queued(t.work.Agent, false)
	if err != nil {
		return nil // cancelled while waiting
	}
	defer back()
	req, err := r.request(t)
	if err != nil {
		return society.Failed{Work: t.work, Class: "store", Text: err.Error()}
	}
	begun := time.Now()
	f := r.drafts.begin(t.work)
	var text, reasoning strings.Builder
	var last llm.Chunk
	for chunk, err := range r.cfg.Model.Generate(ctx, req) {
		if err != nil {
			return r.failedThought(ctx, t, err, text.Len()+reasoning.Len(), time.Since(begun))
		}
		text.WriteString(chunk.Text)
		reasoning.WriteString(chunk.Reasoning)
		r.drafts.add(f, chunk)
		last = chunk
	}
	took := time.Since(begun)
	if !last.Done {
		return r.failedThought(ctx, t, &llm.Error{Class: llm.Overload, Text: "the answer ended early", Truncated: true}, text.Len(), took)
	}
	if strings.TrimSpace(text.String()) == "" && len(last.Calls) == 0 && last.Finish == llm.FinishLength {
		return r.failedThought(ctx, t, &llm.Error{Class: llm.Empty, Text: "the answer reached its length limit before it said anything"}, 0, took)
	}
	r.log.Info("model call", "agent", t.work.Agent, "outcome", "ok", "took", took.String(), "attempt", t.work.Attempt,
		"input", last.Usage.InputTokens, "output", last.Usage.OutputTokens, "calls", len(last.Calls), "finish", last.Finish)
	return society.Answered{
		Work: t.work, Text: text.String(), Thought: reasoning.String(), Calls: t.calls(last.Calls),
		Cut: last.Finish == llm.FinishLength, Extra: last.Extra, Took: took, Cause: cause(last.Finish),
		Usage: society.Usage{Input: last.Usage.InputTokens, Output: last.Usage.OutputTokens},
	}
}

func cause(f llm.Finish) string {
	if f == llm.FinishStop {
		return ""
	}
	return string(f)
}

func (r *Runtime) failedThought(ctx context.Context, t thought, err error, partial int, took time.Duration) society.Command {
	if ctx.Err() != nil {
		r.log.Info("model call", "agent", t.work.Agent, "outcome", "cancelled", "took", took.String(), "discarded", partial)
		return nil // a cancellation is no failure (spec/decisions.md 5)
	}
	e := llm.AsError(err)
	r.log.Warn("model call", "agent", t.work.Agent, "outcome", e.Class, "status", e.Status, "took", took.String(),
		"attempt", t.work.Attempt, "error", e.Text)
	return society.Failed{
		Work: t.work, Class: string(e.Class), Text: e.Text, Retryable: e.Class.Retryable(),
		RetryAfter: e.RetryAfter, Partial: partial,
	}
}

// request builds what the model is sent: the system prompt and the legal history
// (spec/decisions.md 27).
func (r *Runtime) request(t thought) (llm.Request, error) {
	var entries []conversation.Entry
	req := llm.Request{}
	err := r.cfg.Store.View(func(tx storage.Tx) (err error) {
		if req.System, err = system(tx, t.lang, &t.prompt); err != nil {
			return err
		}
		entries, err = tables.Entries(tx, t.work.Agent, t.tail.First, t.tail.Next)
		return err
	})
	if err != nil {
		return llm.Request{}, fmt.Errorf("read the conversation of %s: %w", t.work.Agent, err)
	}
	for _, e := range conversation.Legal(entries) {
		if e.Kind == conversation.Summary {
			e.Text = protocol.Sentence(t.lang, protocol.SummaryLabel) + "\n" + e.Text
		}
		req.Messages = append(req.Messages, t.message(e))
	}
	for _, spec := range t.specs {
		req.Tools = append(req.Tools, llm.ToolSpec{Name: spec.Name, Description: spec.Purpose, Parameters: spec.Parameters})
	}
	return req, nil
}

// system reads the brief into a prompt and writes it out: the one place where a
// system prompt is made, for the model and for the person who looks at it.
func system(tx storage.Tx, lang protocol.Lang, p *protocol.Prompt) (string, error) {
	brief, err := tables.Brief(tx, society.AgentID(p.ID))
	p.Brief = brief
	return protocol.SystemPrompt(lang, *p), err
}

// message is one entry as the model is sent it.
func (t thought) message(e conversation.Entry) llm.Message {
	text := t.shorten(e.Text)
	switch e.Kind {
	case conversation.Answer:
		m := llm.Message{Role: llm.Assistant, Text: text, Reasoning: e.Reasoning, Extra: e.Extra}
		for _, c := range e.Calls {
			m.Calls = append(m.Calls, llm.Call{
				ID: c.ID, ProviderID: c.ProviderID, Name: c.Name, Arguments: c.Arguments, Extra: c.Extra,
			})
		}
		return m
	case conversation.Result:
		return llm.Message{Role: llm.Tool, Text: text, CallID: e.CallID}
	default:
		return llm.Message{Role: llm.User, Text: text}
	}
}

// shorten cuts a very long text; the store keeps all of it.
func (t thought) shorten(text string) string {
	if len(text) <= longText {
		return text
	}
	n := shownMost
	for n > 0 && text[n]&0xC0 == 0x80 { // between runes
		n--
	}
	return text[:n] + "\n" + protocol.Sentence(t.lang, protocol.Shortened, n, len(text))
}

// calls checks the calls of an answer against the tools that were offered. One
// that must not be run carries the words with which it is answered.
func (t thought) calls(calls []llm.Call) []conversation.Call {
	list := make([]conversation.Call, 0, len(calls))
	for _, c := range calls {
		list = append(list, conversation.Call{
			ID: c.ID, ProviderID: c.ProviderID, Name: c.Name, Arguments: c.Arguments, Extra: c.Extra,
			Problem: t.problem(c),
		})
	}
	return list
}

func (t thought) problem(c llm.Call) string {
	i := slices.IndexFunc(t.specs, func(s tool.Spec) bool { return s.Name == c.Name })
	if i < 0 {
		var names []string
		for _, s := range t.specs {
			names = append(names, s.Name)
		}
		return errorResult(protocol.Sentence(t.lang, protocol.UnknownTool, c.Name, strings.Join(names, ", ")))
	}
	if err := tool.Validate(t.specs[i], json.RawMessage(c.Arguments)); err != nil {
		return errorResult(protocol.Sentence(t.lang, protocol.BadArguments, c.Name, err.Error()))
	}
	return ""
}

func errorResult(message string) string {
	b, err := json.Marshal(map[string]string{"error": string(society.InvalidArguments), "message": message})
	if err != nil {
		return `{"error":"invalid_arguments"}`
	}
	return string(b)
}
