package runtime

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"society-tui/llm"
	"society-tui/llm/registry"
	"society-tui/runtime/conversation"
	"society-tui/runtime/graph"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/runtime/tables"
	"society-tui/runtime/tool"
	"society-tui/runtime/tool/org"
	"society-tui/storage"
)

// A thought is what a worker needs of the state: values, copied by the loop.
type thought struct {
	work   society.Work
	lang   protocol.Lang
	tail   conversation.Tail
	began  uint64          // first slot of the turn
	prompt protocol.Prompt // without the brief, which is in the store
	system string          // the whole of it, once it was recalled
	specs  []tool.Spec
	most   int // entries in context before the agent is told
	keep   int // compress_context's default
	window int
	model  registry.Entry
	// missing says why there is no model to ask; "" if there is.
	missing string
	graph   *graph.Graph // nil for the plain one
	// branches are those of the graph that the agent is in; what is said in others
	// it does not see.
	branches []int
	memory   *recollection // of its conversation
}

// thought copies from the state what the work needs. Only the loop calls it.
func (r *Runtime) thought(w society.Work) thought {
	s := r.state
	a := s.Agent(w.Agent)
	t := thought{
		work: w, lang: s.Lang(), tail: a.TailAt(w.Run), specs: r.offered(a, w.Run),
		most: s.Limits().ContextMessages, keep: s.Limits().KeepRecent,
		prompt: r.promptOf(a, w.Run), branches: a.Branches(w.Run), graph: s.Graph(a), memory: r.memory.of(a.ID),
	}
	if a.Turn != nil {
		t.began = a.Turn.From
	}
	var ok bool
	if t.model, ok = r.modelOf(a, w.Run); !ok {
		t.missing = r.missingModel(a, w.Run)
	}
	t.window = t.model.Window
	return t
}

// noModel is the class of a call that could not be made because the agent's role
// asks for a model that is not set up. It is not tried again by itself.
const noModel = "model"

func (t thought) unasked() society.Command {
	return society.Failed{Work: t.work, Class: noModel, Text: t.missing}
}

// offered are the tools that the agent's role was given, and that the node of its
// graph that it is at does not leave out.
func (r *Runtime) offered(a *society.Agent, at *graph.Work) []tool.Spec {
	return slices.DeleteFunc(slices.Clone(r.specs), func(s tool.Spec) bool { return !r.state.MayUseAt(a, at, s.Name) })
}

// promptOf gathers what an agent's system prompt is made of, but for the brief.
func (r *Runtime) promptOf(a *society.Agent, at *graph.Work) protocol.Prompt {
	p := protocol.Prompt{ID: string(a.ID), Role: r.state.RoleName(a.ID), Addition: r.cfg.Addition, Tools: []string{}}
	if role := r.state.Role(a.Role); role != nil {
		p.RolePrompt = role.Prompt
	}
	if node, ok := r.state.Node(a, at); ok {
		p.Step, p.StepPrompt = cmp.Or(node.Title, node.Key), node.Prompt
	}
	p.Contacts = a.Contacts.All()
	for _, spec := range r.offered(a, at) {
		p.Tools = append(p.Tools, spec.Name)
	}
	if r.state.MayUseAt(a, at, org.CompressContext) { // else it could do nothing about it
		p.Warning = r.warning(a, at)
	}
	return p
}

// think asks the model, once. A failure comes back as one: whether it is tried
// again is for the rules.
func (r *Runtime) think(ctx context.Context, t thought) society.Command {
	return r.remembering(ctx, t, r.answer)
}

func (r *Runtime) answer(ctx context.Context, t thought, entries []conversation.Entry) society.Command {
	req := t.request(entries)
	guess := guessOf(req)
	if text, over := t.overflows(guess); over {
		return society.Failed{Work: t.work, Class: string(llm.Context), Text: text}
	}
	f := r.drafts.begin(ctx, t.work)
	reply, err := r.ask(ctx, t, req, func(c llm.Chunk) { r.drafts.add(f, c) })
	if err != nil {
		return r.failedThought(ctx, t, t.fullAfterAll(err, guess), reply)
	}
	r.logReply(t, reply)
	return society.Answered{
		Work: t.work, Text: reply.text, Thought: reply.reasoning, Calls: t.calls(reply.last.Calls),
		Cut: reply.last.Finish == llm.FinishLength, Extra: reply.last.Extra, Took: reply.took, Cause: cause(reply.last.Finish),
		Usage: reply.usage(), Guess: guess, Model: t.model.Name,
	}
}

// remembering waits until one more call of the model may run, and lets it be asked
// with what the agent remembers.
func (r *Runtime) remembering(
	ctx context.Context, t thought, ask func(context.Context, thought, []conversation.Entry) society.Command,
) society.Command {
	if t.missing != "" {
		return t.unasked()
	}
	back, err := r.slot(ctx, t)
	if err != nil {
		return nil // cancelled while waiting
	}
	defer back()
	entries, err := r.recall(&t)
	if err != nil {
		return society.Failed{Work: t.work, Class: "store", Text: err.Error()}
	}
	return ask(ctx, t, entries)
}

// slot waits until one more call of its model may run for a piece of work.
func (r *Runtime) slot(ctx context.Context, t thought) (back func(), err error) {
	back, err = r.slots.take(ctx, t.model, func() { r.queued(t.work, true) })
	r.queued(t.work, false)
	return back, err
}

// A reply is what a model has answered, as far as it has come.
type reply struct {
	text, reasoning string
	last            llm.Chunk
	took            time.Duration
}

func (a reply) usage() society.Usage {
	return society.Usage{Input: a.last.Usage.InputTokens, Output: a.last.Usage.OutputTokens}
}

// ask asks the thought's model once and hands each piece of its answer to hear. What is not
// a whole answer is an error.
func (r *Runtime) ask(ctx context.Context, t thought, req llm.Request, hear func(llm.Chunk)) (a reply, err error) {
	begun := time.Now()
	var text, reasoning strings.Builder
	defer func() { a.text, a.reasoning, a.took = text.String(), reasoning.String(), time.Since(begun) }()
	for chunk, err := range t.model.Model.Generate(ctx, req) {
		if err != nil {
			return a, err
		}
		text.WriteString(chunk.Text)
		reasoning.WriteString(chunk.Reasoning)
		hear(chunk)
		a.last = chunk
	}
	switch {
	case !a.last.Done:
		return a, &llm.Error{Class: llm.Overload, Text: "the answer ended early", Truncated: true}
	case strings.TrimSpace(text.String()) == "" && len(a.last.Calls) == 0 && a.last.Finish == llm.FinishLength:
		return a, &llm.Error{Class: llm.Empty, Text: "the answer reached its length limit before it said anything"}
	}
	return a, nil
}

func (r *Runtime) logReply(t thought, a reply) {
	r.log.Info("model call", "agent", t.work.Agent, "model", t.model.Name, "outcome", "ok", "for", t.work.Kind, "took", a.took.String(), "attempt", t.work.Attempt,
		"input", a.last.Usage.InputTokens, "output", a.last.Usage.OutputTokens, "calls", len(a.last.Calls), "finish", a.last.Finish)
}

func cause(f llm.Finish) string {
	if f == llm.FinishStop {
		return ""
	}
	return string(f)
}

func (r *Runtime) failedThought(ctx context.Context, t thought, err error, a reply) society.Command {
	partial := len(a.text) + len(a.reasoning)
	if ctx.Err() != nil {
		r.log.Info("model call", "agent", t.work.Agent, "model", t.model.Name, "outcome", "cancelled", "for", t.work.Kind, "took", a.took.String(), "discarded", partial)
		return nil // a cancellation is no failure (spec/decisions.md 5)
	}
	e := llm.AsError(err)
	r.log.Warn("model call", "agent", t.work.Agent, "model", t.model.Name, "outcome", e.Class, "for", t.work.Kind, "status", e.Status, "took", a.took.String(),
		"attempt", t.work.Attempt, "error", e.Text)
	return society.Failed{
		Work: t.work, Class: string(e.Class), Text: e.Text, Retryable: e.Class.Retryable(),
		RetryAfter: e.RetryAfter, Partial: partial,
	}
}

// request builds what the model is sent: the system prompt and the legal history
// (spec/decisions.md 27). What it holds was recalled before.
func (t thought) request(entries []conversation.Entry) llm.Request {
	req := llm.Request{System: t.system}
	legal := conversation.Legal(conversation.Seen(entries, t.branches))
	req.Messages = make([]llm.Message, 0, len(legal)+1) // a question may follow
	for i := range legal {
		req.Messages = append(req.Messages, t.message(&legal[i]))
	}
	// Some endpoints take no history that ends with an answer, as one does in which
	// another node has spoken.
	if n := len(legal); n > 0 && t.prompt.Step != "" && legal[n-1].Kind == conversation.Answer {
		req.Messages = append(req.Messages, llm.Message{Role: llm.User, Text: protocol.Sentence(t.lang, protocol.StepBegins, t.prompt.Step)})
	}
	req.Tools = slices.Grow(req.Tools, len(t.specs))
	for _, spec := range t.specs {
		req.Tools = append(req.Tools, llm.ToolSpec{Name: spec.Name, Description: spec.Purpose, Parameters: spec.Parameters})
	}
	return req
}

// system reads the brief into a prompt and writes it out: the one place where a
// system prompt is made, for the model and for the person who looks at it.
func system(tx storage.Tx, lang protocol.Lang, p *protocol.Prompt) (string, error) {
	brief, err := tables.Brief(tx, society.AgentID(p.ID))
	p.Brief = brief
	return protocol.SystemPrompt(lang, *p), err
}

// message is one entry as the model is sent it.
func (t thought) message(e *conversation.Entry) llm.Message {
	switch e.Kind {
	case conversation.Answer:
		m := llm.Message{Role: llm.Assistant, Text: t.shorten(e.Text), Reasoning: e.Reasoning, Extra: e.Extra}
		for _, c := range e.Calls {
			m.Calls = append(m.Calls, llm.Call{
				ID: c.ID, ProviderID: c.ProviderID, Name: c.Name, Arguments: t.arguments(c.Arguments), Extra: c.Extra,
			})
		}
		if e.Model != "" && e.Model != t.model.Name { // what only the other's endpoint understands, this one may refuse
			m.Extra = nil
			for i := range m.Calls {
				m.Calls[i].Extra = nil
			}
		}
		return m
	case conversation.Result:
		return llm.Message{Role: llm.Tool, Text: t.shorten(e.Text), CallID: e.CallID}
	case conversation.Summary:
		return llm.Message{Role: llm.User, Text: protocol.Sentence(t.lang, protocol.SummaryLabel) + "\n" + t.summary(e.Text)}
	default:
		return llm.Message{Role: llm.User, Text: t.shorten(e.Text)}
	}
}

// shorten cuts a very long text; the store keeps all of it.
func (t thought) shorten(text string) string {
	n := conversation.Shown(text)
	if n == len(text) {
		return text
	}
	return text[:n] + "\n" + protocol.Sentence(t.lang, protocol.Shortened, n, len(text))
}

// summary cuts a summary that would take more than about a quarter of the window:
// it must not itself be what fills the context.
func (t thought) summary(text string) string {
	from := conversation.ShownEnd(text, t.window/4*3) // three bytes a token
	if from == 0 {
		return text
	}
	return protocol.Sentence(t.lang, protocol.ShortenedFront, len(text)-from, len(text)) + "\n" + text[from:]
}

// arguments are those of a call, which stay a JSON object when they are cut.
func (t thought) arguments(arguments string) string {
	if conversation.Shown(arguments) == len(arguments) {
		return arguments
	}
	short, err := json.Marshal(map[string]string{"shortened": t.shorten(arguments)})
	if err != nil { // a map of strings can always be encoded
		return "{}"
	}
	return string(short)
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
