package runtime

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"

	"society-tui/llm"
	"society-tui/llm/limits"
	"society-tui/llm/registry"
	"society-tui/runtime/conversation"
	"society-tui/runtime/graph"
	"society-tui/runtime/logfile"
	"society-tui/runtime/modelerror"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/runtime/tool"
	"society-tui/runtime/tool/artifacts"
	"society-tui/runtime/tool/org"
	"society-tui/runtime/tool/read"
)

// A modelCall is the state that a worker needs, copied by the loop.
type modelCall struct {
	work society.Work
	item society.WorkItem // of work
	// afterCompression is set when the context was just compressed.
	afterCompression bool
	lang             protocol.Lang
	tail             conversation.Tail
	began            uint64 // first slot of the turn
	prompt           *systemPrompt
	toolSet          *toolSet
	step             string // title of the node of the graph that begins, "" for none
	most             int    // entries in the context before the agent is warned
	keep             int    // compress_context's default
	window           int
	worktree         string               // of its agent
	tools            map[string]tool.Tool // that there were when the work began
	fits             bool                 // its context is not known to be too large
	readsMore        bool                 // its agent reads more than the runtime's own texts
	// budgets follow from the window.
	budgets conversation.Budgets
	model   registry.Entry
	effort  string // how much it is to think, "" as the settings say
	// warning is about a full context, "" for none.
	warning string
	// own is the agent's model; model is another while that cannot be asked.
	own registry.Entry
	// first is set if the user talks to the agent.
	first bool
	// call is the call of the model that has begun, and waited how long it has waited for the
	// endpoint before.
	call   *limits.Call
	waited time.Duration
	// missing explains why there is no model to ask; "" if there is one.
	missing string
	graph   *graph.Graph // nil for the plain one
	// branches are the graph branches that the agent is in; it does not see entries of
	// others.
	branches []int
	cached   *cachedConversation // of its conversation

	said   *history
	system string // the whole of it, once it was recalled
	asked  int    // estimate of the request that is made last, in tokens
	weight int    // of system and offer
}

// toolCall copies from the state what a tool call needs: of a tool that knows nothing of
// the agent's context, the work itself is enough. Only the loop calls it.
func (r *Runtime) toolCall(w society.Act) *modelCall {
	if !ofContext(w.Call.Name) {
		a := r.state.Agent(w.Agent)
		return &modelCall{work: w, item: w.Item(), lang: r.state.Lang(), worktree: a.Worktree, readsMore: r.readsMore(a), tools: r.toolbox.tools}
	}
	t := r.modelCall(w, false)
	a := r.state.Agent(w.Agent)
	t.readsMore, t.worktree, t.tools = r.readsMore(a), a.Worktree, r.toolbox.tools
	if _, prompt := t.prompt.made(); t.window > 0 { // what does not fit beside prompt and tools would be cut
		t.budgets = t.budgets.Within(t.window - prompt - t.toolSet.weight)
	}
	return t
}

// modelCall copies from the state what the work needs. Only the loop calls it.
func (r *Runtime) modelCall(w society.Work, afterCompression bool) *modelCall {
	s := r.state
	t := &modelCall{work: w, item: w.Item(), lang: s.Lang(), afterCompression: afterCompression}
	at := t.item.Run
	a := s.Agent(t.item.Agent)
	var ok bool
	if t.model, ok = r.modelOf(a, at); !ok {
		t.missing = r.missingModel(a, at)
	}
	t.own, t.first = t.model, slices.Contains(a.Owes, society.User)
	t.window = t.model.Window
	t.effort = s.Effort(a)
	t.budgets = conversation.BudgetsFor(t.window)
	t.cached = r.cache.of(a.ID)
	t.prompt = r.systemPromptOf(a, at, t.cached)
	t.toolSet, t.step = t.prompt.at.toolSet, t.prompt.at.step
	t.tail, t.branches, t.graph, t.warning = a.TailAt(at), a.Branches(at), s.Graph(a), r.warning(a, at)
	t.most, t.keep = s.Limits().ContextMessages, s.Limits().KeepRecent
	if a.Turn != nil {
		t.began = a.Turn.From
	}
	return t
}

// ofContext reports whether a tool needs to know the context of who calls it.
func ofContext(name string) bool {
	return name == org.CompressContext || name == org.ContextStatus || name == read.Name || name == artifacts.Get
}

// noModel is the class of a call that could not be made because the agent's role
// asks for a model that is not set up. It is not tried again by itself.
const noModel = "model"

func (t *modelCall) unasked() society.Command {
	return society.Failed{Work: t.work, Class: noModel, Text: t.missing, Unasked: true}
}

// think asks the model, once. A failure comes back as one: whether it is tried
// again is for the rules.
func (r *Runtime) think(ctx context.Context, t *modelCall, w society.Think) society.Command {
	return r.admitted(ctx, t, func() society.Command { return r.answer(ctx, t, w) })
}

func (r *Runtime) answer(ctx context.Context, t *modelCall, w society.Think) society.Command {
	req, guess, failed := r.composeToFit(t)
	if failed != nil {
		return failed
	}
	r.tellLeft(t)
	f := r.drafts.begin(ctx, t.item)
	reply, err := r.ask(ctx, t, req, func(c llm.Chunk) { r.drafts.add(f, c) })
	if err != nil {
		return r.failedCall(ctx, t, t.explained(err, guess, reply), reply)
	}
	r.logReply(t, reply)
	return society.Answered{
		Work: w, Text: reply.text, Thought: reply.reasoning, Calls: t.calls(reply.last.Calls),
		Cut: reply.last.Finish == llm.FinishLength, Extra: reply.last.Extra, Took: reply.took, Cause: cause(reply.last),
		Usage: reply.used, Guess: guess, Model: t.model.Name,
	}
}

// admitted waits until the model may be asked, and then asks it.
func (r *Runtime) admitted(ctx context.Context, t *modelCall, ask func() society.Command) society.Command {
	if t.missing != "" {
		return t.unasked()
	}
	return r.calling(ctx, t, func() society.Command {
		result := ask()
		if f, ok := result.(society.Failed); ok && f.Class == string(llm.Context) && r.tighten(t) {
			result = ask()
		}
		return result
	})
}

// tighten has less sent of each text where the context is full and compressing it
// does not help: the window may be smaller than is known, or what must be sent
// beside the texts large. It reports whether that makes a difference.
func (r *Runtime) tighten(t *modelCall) bool {
	least := conversation.LeastBudgets()
	entries, err := r.recall(t)
	if err != nil || t.budgets == least {
		return false
	}
	entries = conversation.Seen(entries, t.branches)
	if !t.afterCompression && t.compressible(entries) {
		return false
	}
	told := t.prompt.within(t.lang, least)
	_, weight, err := told.system(r.cfg.Store, t.lang)
	_, before := t.prompt.made()
	longer := func(e conversation.Entry) bool { _, cut := least.Cut(&e); return cut }
	if err != nil || weight == before && !slices.ContainsFunc(entries, longer) {
		return false
	}
	t.budgets, t.prompt = least, told
	return true
}

// A reply is a model's answer, as far as it has arrived.
type reply struct {
	text, reasoning string
	last            llm.Chunk
	used            society.Usage
	took            time.Duration
	first           time.Duration // until its first piece, 0 if none came
}

// askOnce asks the thought's model once and hands each piece of its answer to hear. What is
// not a whole answer is an error.
func (r *Runtime) askOnce(ctx context.Context, t *modelCall, req llm.Request, hear func(llm.Chunk)) (a reply, err error) {
	if r.log.Enabled(ctx, logfile.LevelWire) {
		wire := &llm.Wire{}
		outer := ctx
		ctx = llm.WithWire(ctx, wire)
		defer func() { r.logWire(outer, t, wire, err) }()
	}
	if err := r.mayAsk(ctx, t); err != nil {
		return a, err
	}
	begun := time.Now()
	var text, reasoning strings.Builder
	r.cfg.Observer.ModelRunning(t.model.Name, 1)
	before, held := adapted(t.model.Model), false
	ctx = llm.WithOtherKey(ctx, func(refused error) error {
		t.call.Ended(refused, llm.Usage{})
		err := r.mayAsk(ctx, t)
		held = err != nil
		return err
	})
	defer func() {
		if now := adapted(t.model.Model); !slices.Equal(now, before) {
			r.log.Warn("requests are adapted to what the endpoint refuses", "model", t.model.Name, "adapted", now)
			r.tellRefused(t, before, now)
		}
		a.text, a.reasoning, a.took = text.String(), reasoning.String(), time.Since(begun)
		if !held { // else the endpoint has said nothing
			r.asked(t, err, a)
		}
		if a.used = t.used(ctx, &a, err, r.cfg.Currency); err != nil {
			r.countTry(t, a.used)
		}
		r.cfg.Observer.ModelRunning(t.model.Name, -1)
		r.cfg.Observer.ModelCalled(t.model.Name, ModelCall{Outcome: outcomeOf(ctx, err), Took: a.took, First: a.first, Usage: a.used})
	}()
	for chunk, err := range t.model.Model.Generate(ctx, req) {
		if err != nil {
			a.last.Usage = chunk.Usage
			return a, err
		}
		t.call.Began()
		text.WriteString(chunk.Text)
		reasoning.WriteString(chunk.Reasoning)
		hear(chunk)
		if a.first == 0 {
			a.first = max(time.Since(begun), 1)
		}
		a.last = chunk
	}
	switch {
	case !a.last.Done:
		return a, &llm.Error{Class: llm.Overload, Text: "the answer ended early", Truncated: true}
	case strings.TrimSpace(text.String()) == "" && len(a.last.Calls) == 0 && a.last.Finish == llm.FinishLength:
		thought := reasoning.Len() > 0 || a.last.Usage.ReasoningTokens > 0 // which some endpoints count and do not show
		return a, &llm.Error{Class: llm.Empty, Text: thoughtOnly(thought), Final: thought}
	}
	return a, nil
}

// adapted returns how requests to a model differ from what was asked for.
func adapted(m llm.Model) []string {
	if a, ok := m.(llm.Adapter); ok {
		return a.Adapted()
	}
	return nil
}

// tellRefused tells the user of tools that the endpoint has just refused, and of an effort beside
// tools.
func (r *Runtime) tellRefused(t *modelCall, before, now []string) {
	for _, what := range now {
		tool, refused := strings.CutPrefix(what, llm.AdaptedNoTool+":")
		switch {
		case slices.Contains(before, what):
		case refused:
			r.remark(t, protocol.ToolRefused, t.model.Name, tool)
		case what == llm.AdaptedToolsNoEffort:
			r.remark(t, protocol.EffortRefused, t.model.Name)
		}
	}
}

// thoughtOnly describes an answer that has used up its limit before it said anything.
func thoughtOnly(thought bool) string {
	if !thought {
		return "the answer reached its length limit before it said anything"
	}
	return "the model used up the limit of its answer by thinking: allow more max_tokens, or less effort (/effort)"
}

// cause returns why an answer ended, "" for the usual reason.
func cause(last llm.Chunk) string {
	switch last.Finish {
	case llm.FinishStop:
		return ""
	case llm.FinishUnknown:
		return string(last.Finish) + ": " + last.Word
	}
	return string(last.Finish)
}

func (r *Runtime) failedCall(ctx context.Context, t *modelCall, err error, a reply) society.Command {
	partial := len(a.text) + len(a.reasoning)
	if errors.Is(err, limits.ErrClosed) {
		return nil // the program leaves
	}
	if ctx.Err() != nil {
		r.log.Info("model call", "agent", t.item.Agent, "model", t.model.Name, "outcome", "cancelled", "for", t.work.Kind(), "took", a.took.String(), "discarded", partial)
		return nil // a cancellation is no failure (SPEC.md, decision 5)
	}
	if budget, over := errors.AsType[overBudgetError](err); over {
		why := protocol.Because(protocol.BudgetSpent, society.BudgetScope(budget))
		return society.Failed{Work: t.work, Class: string(society.OverBudget), Text: why.In(t.lang), Unasked: true}
	}
	e := llm.AsError(err)
	r.logFailure(t, e, a)
	if e.Retryable() && t.item.Attempt < r.cfg.Limits.Retries {
		r.cfg.Observer.ModelRetried(t.model.Name, e.Class)
	}
	text := modelerror.Text(e).In(t.lang)
	if e.Class == llm.NoModel {
		text = r.withNearest(t, text)
	}
	said := ""
	if e.Class == llm.Empty && e.Code == string(llm.FinishUnknown) {
		said = a.text
	}
	return society.Failed{
		Work: t.work, Model: t.model.Name, Class: string(e.Class), Code: e.Code, Text: text, Retryable: e.Retryable(), Said: said,
		RetryAfter: e.RetryAfter, Partial: partial, Window: society.LearntWindow{WindowKey: windowKey(t.model), Tokens: e.Window},
	}
}

// withNearest adds to the error of a model that the endpoint does not have which of those that
// it has were probably meant, if they are known by now.
func (r *Runtime) withNearest(t *modelCall, text string) string {
	now, ok := r.models.For(t.model.Name, "")
	if !ok {
		return text
	}
	near := now.Near()
	if len(near) == 0 {
		return text
	}
	return protocol.Sentence(t.lang, protocol.NearestModels, text, strings.Join(near, ", "))
}

// calls checks the calls of an answer against the tools that were offered. One
// that must not be run carries the words with which it is answered.
func (t *modelCall) calls(calls []llm.Call) []conversation.Call {
	list := make([]conversation.Call, 0, len(calls))
	for _, c := range calls {
		list = append(list, conversation.Call{
			ID: c.ID, ProviderID: c.ProviderID, Name: c.Name, Arguments: c.Arguments, Extra: c.Extra,
			Problem: t.problem(c),
		})
	}
	return list
}

func (t *modelCall) problem(c llm.Call) string {
	if !slices.Contains(t.toolSet.names, c.Name) {
		return errorResult(society.InvalidArguments, protocol.Sentence(t.lang, protocol.UnknownTool, c.Name, strings.Join(t.toolSet.names, ", ")))
	}
	if why := t.toolSet.check(t.lang, c); why != nil {
		return errorResult(society.InvalidArguments, why.In(t.lang))
	}
	return ""
}

func errorResult(code society.Code, message string) string {
	b, err := json.Marshal(map[string]string{"error": string(code), "message": message})
	if err != nil { // a map of strings can always be encoded
		return "{}"
	}
	return string(b)
}
