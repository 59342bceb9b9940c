package runtime

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"society-tui/llm"
	"society-tui/runtime/conversation"
	"society-tui/runtime/graph"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/runtime/tool/org"
	"society-tui/runtime/tool/read"
)

// warning returns the notice that the agent's context is too full, if the agent can
// compress it (S000 P10).
func (r *Runtime) warning(a *society.Agent, at *graph.Work) string {
	if !r.state.MayUseAt(a, at, org.CompressContext) {
		return ""
	}
	model, _ := r.modelOf(a, at)
	tail := a.TailAt(at)
	most, window := r.state.Limits().ContextMessages, model.Window
	byCount, byTokens := tail.Crowded(most, warnedAt(model))
	switch {
	case byCount:
		return protocol.Sentence(r.state.Lang(), protocol.ContextWarning, tail.Count, most)
	case byTokens:
		tokens, _ := tail.Size()
		return protocol.Sentence(r.state.Lang(), protocol.WindowWarning, tokens, window)
	}
	return ""
}

// contextStatus is the result of context_status. What is not known is null.
func (t *modelCall) contextStatus() string {
	tokens, counted := t.tail.Size()
	status := map[string]any{
		"messages": t.tail.Count, "maxMessages": t.most, "tokens": tokens, "estimate": !counted,
		"window": nil, "percent": nil, "warning": t.warning != "",
	}
	if t.window > 0 {
		status["window"], status["percent"] = t.window, tokens*100/t.window
	}
	b, err := json.Marshal(status)
	if err != nil { // plain numbers can always be encoded
		return "{}"
	}
	return string(b)
}

// planCompression plans a compress_context call (S000 P9). What it plans is carried out
// by the rules, if the history still begins where it began.
func (r *Runtime) planCompression(t *modelCall, w society.Act, begun time.Time) society.Command {
	fail := func(code society.Code, why *protocol.Reason) society.Command {
		return society.ToolDone{Work: w, Text: errorResult(code, why.In(t.lang)), Outcome: conversation.Failed, Took: time.Since(begun)}
	}
	args := protocol.ReadArguments(t.lang, w.Call.Arguments)
	summary := args.Filled("summary")
	keep, given := args.Whole("keepRecentCount", 0)
	if why := args.Wrong(w.Call.Name); why != nil {
		return fail(society.InvalidArguments, why)
	}
	if !given {
		keep = int64(t.keep)
	}
	entries, err := r.recall(t)
	if err != nil {
		return fail(society.StoreUnavailable, protocol.Because(protocol.HistoryUnread, err))
	}
	entries = conversation.Seen(entries, t.branches)
	cut, did := conversation.Plan(entries, int(min(keep, 1<<30)), w.Call.ID)
	return society.Compressed{
		Work: w, Cut: cut, Did: did, Summary: summary, Took: time.Since(begun),
		Guess: t.guess(cut.Rest(entries, summary)),
	}
}

// compress compresses a context that is full (SPEC.md, decision 26), or that the user wants
// to be smaller: the model sums up the oldest part that fits, or, for plain work, what is
// oldest is left out. Whether that is tried again, and what comes then, is for the rules.
func (r *Runtime) compress(ctx context.Context, t *modelCall, w society.Compress) society.Command {
	if t.missing != "" && !w.WithoutModel {
		return t.unasked()
	}
	begun := time.Now()
	entries, err := r.recall(t)
	if err != nil {
		return society.Failed{Work: t.work, Class: "store", Text: err.Error(), Unasked: true}
	}
	entries = conversation.Seen(entries, t.branches) // what others see is no matter of this one
	all, room := t.guess(entries), t.room(entries)
	cut, did := t.plan(w, entries, room)
	done := society.Compressed{Work: w, Cut: cut, Did: did}
	switch {
	case !did && !w.ByUser && t.window > 0 && t.exceeds(t.weight):
		done.Why = t.sizes(all)
		return done
	case !did:
		return done
	case w.ByUser: // who may want little
	case !worth(all, t.guess(cut.Rest(entries, ""))):
		return t.littleGained(done, all, t.guess(cut.Rest(entries, "")))
	}
	if !w.WithoutModel {
		failed := r.calling(ctx, t, func() society.Command { return r.summarize(ctx, t, entries, room, &done) })
		switch {
		case ctx.Err() != nil && done.Usage != (society.Usage{}): // cancelled, but spent
			return done
		case ctx.Err() != nil || failed == nil && done.Summary == "": // it was cancelled
			return failed
		}
		if f, ok := failed.(society.Failed); failed != nil && !(ok && w.ByUser && f.Class == string(llm.Context)) {
			return failed
		} else if failed != nil { // not even the part that fits was taken
			w.WithoutModel = true
		}
	}
	if w.WithoutModel {
		done.Summary, done.Left = t.leftOut(cut, entries), cut.Gone()
	}
	if done.Anew {
		cut.Earlier = nil
	}
	done.Guess = t.guess(cut.Rest(entries, done.Summary))
	done.Took = time.Since(begun)
	if least := all - 1; done.Guess > least || !w.ByUser && !worth(all, done.Guess) {
		return t.littleGained(done, all, done.Guess)
	}
	r.log.Info("context compressed", "agent", t.item.Agent, "entries", done.Cut.Gone(), "left", done.Left, "took", done.Took.String())
	return done
}

// plan selects what a compression takes away.
func (t *modelCall) plan(w society.Compress, entries []conversation.Entry, room int) (conversation.Cut, bool) {
	if w.Keep > 0 {
		return conversation.Plan(entries, w.Keep, "")
	}
	return conversation.PlanToFit(entries, t.keep, room*5/8, t.budgets)
}

// littleGained explains that a compression would hardly help, so that nothing is taken away.
func (t *modelCall) littleGained(done society.Compressed, before, after int) society.Command {
	done.Did = false
	before, _ = t.tail.Calibrated(before)
	after, _ = t.tail.Calibrated(after)
	done.Why = protocol.Sentence(t.lang, protocol.LittleGained, before, after)
	return done
}

// room estimates how much of the window there is for a history. Of a window that
// is not known, or that the endpoint does not keep to, it is three quarters of
// the history that was too much.
func (t *modelCall) room(entries []conversation.Entry) int {
	bare, all := t.guess(nil), t.guess(entries)
	if t.window > 0 {
		if room := t.tail.Guess(t.window - reserve(t.model)); room < all {
			return max(room-bare, 0)
		}
	}
	if t.fits {
		return all - bare
	}
	return (all - bare) * 3 / 4
}

// summarize lets the model write the summary into done. Earlier summaries stay as
// they are, in front of it, until they have grown so much that they are summed up
// along with the rest.
func (r *Runtime) summarize(ctx context.Context, t *modelCall, entries []conversation.Entry, room int, done *society.Compressed) society.Command {
	earlier := strings.Join(done.Cut.Earlier, "\n")
	again := conversation.Weigh(earlier) > room/8
	if !t.fits {
		room -= room / 8
	}
	part, left := done.Cut.Part(entries, again, room, t.budgets)
	if len(part) == 0 {
		return society.Failed{Work: t.work, Class: string(llm.Context), Text: protocol.Sentence(t.lang, protocol.NothingToCompress)}
	}
	req, _ := t.requestOf(part)
	req.Messages = append(req.Messages, llm.Message{Role: llm.User, Text: protocol.Sentence(t.lang, protocol.SummaryRequest)})
	a, err := r.ask(ctx, t, req, func(llm.Chunk) {})
	if err == nil && strings.TrimSpace(a.text) == "" {
		r.countTry(t, a.used)
		err = &llm.Error{Class: llm.Empty, Text: "no summary was written"}
	}
	if err != nil {
		return r.failedCall(ctx, t, err, reply{took: a.took})
	}
	r.logReply(t, a)
	done.Anew = again
	done.Summary, done.Left, done.Usage = strings.TrimSpace(a.text), left, a.used
	done.Model = t.model.Name
	if left > 0 {
		done.Summary += "\n\n" + protocol.Sentence(t.lang, protocol.MechanicalCut, left)
	}
	return nil
}

// leftOut replaces entries that cannot be summarised. It counts them and quotes the
// beginning of the last messages, so that the request is still known.
func (t *modelCall) leftOut(cut conversation.Cut, entries []conversation.Entry) string {
	const most, bytes = 3, 300
	var heard []string
	for _, e := range slices.Backward(entries) {
		if e.Kind == conversation.Inbound && e.Slot < cut.Upto && len(heard) < most {
			line := strings.Join(strings.Fields(e.Body), " ")
			if len(line) > bytes {
				line = fmt.Sprintf("%s … (%s %s)", strings.ToValidUTF8(line[:bytes], ""), read.Name, pathOf(&e))
			}
			heard = append(heard, fmt.Sprintf("- %s: %s", e.From, line))
		}
	}
	text := protocol.Sentence(t.lang, protocol.MechanicalCut, cut.Gone())
	if len(heard) == 0 {
		return text
	}
	slices.Reverse(heard)
	return text + "\n" + protocol.Sentence(t.lang, protocol.LastHeard) + "\n" + strings.Join(heard, "\n")
}
