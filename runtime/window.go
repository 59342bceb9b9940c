package runtime

import (
	"net/http"
	"slices"
	"strings"

	"society-tui/llm"
	"society-tui/llm/registry"
	"society-tui/runtime/conversation"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
)

// windowKey returns under what the window of a model is remembered: not by its name in the
// settings, which may come to mean another.
func windowKey(e registry.Entry) society.WindowKey {
	return society.WindowKey{Endpoint: e.Endpoint, Model: e.Model.Name()}
}

// tellWindows gives the models the windows that this society has learnt from errors; which
// window counts follows from that and from what else is known of a model. Only the loop calls it.
func (r *Runtime) tellWindows() {
	for _, e := range r.models.All() {
		var said llm.Facts
		for _, w := range r.state.Windows() {
			if w.WindowKey == windowKey(e) {
				said.Window = llm.Fact[int]{Value: w.Tokens, Source: llm.FromError, At: w.At}
			}
		}
		r.models.Learn(e.Name, llm.FromError, said)
	}
}

// keyed adds to a command that names a model what its window is remembered under.
func (r *Runtime) keyed(cmd society.Command) society.Command {
	if c, ok := cmd.(society.ForgetWindow); ok {
		if e, ok := r.models.For(c.Model, ""); ok && c.Model != "" {
			c.Of = windowKey(e)
		}
		return c
	}
	return cmd
}

// reserve returns how many tokens of the window are kept for the answer. A bound on answers
// that is as large as the window would leave nothing to ask with.
func reserve(e registry.Entry) int {
	if e.MaxTokens > 0 {
		return min(e.MaxTokens, e.Window/2)
	}
	return min(8_000, e.Window/4)
}

// warnedAt returns the window that an agent is warned by. Where the reserve begins before the
// warning would be due, the agent is to hear of it before the runtime compresses.
func warnedAt(e registry.Entry) int {
	if room := e.Window - reserve(e); room*10 < e.Window*8 {
		return room
	}
	return e.Window
}

// exceeds reports whether a request of that estimate leaves no room for an answer, as far as
// the window is known.
func (t *modelCall) exceeds(guess int) bool {
	tokens, _ := t.tail.Calibrated(guess)
	return t.window > 0 && tokens > t.window-reserve(t.model)
}

// A compression is worth its call if it makes the request at least a tenth smaller: else the
// next request would need the next compression.
func worth(before, after int) bool { return (before-after)*10 >= before }

// compressible reports whether compressing can make a request with these entries smaller, and
// not only the room beside prompt and tools.
func (t *modelCall) compressible(entries []conversation.Entry) bool {
	if t.exceeds(t.weight) {
		return false
	}
	cut, more := conversation.Plan(entries, 1, "")
	return more && worth(t.guess(entries), t.guess(cut.Rest(entries, "")))
}

// composeToFit makes the request. If it is known to be too large for the window, the context
// is to be compressed first, or what cannot be compressed is shortened. Where neither helps, or
// the context was just compressed, the endpoint is the judge: a window that is set too small
// ends no turn.
func (r *Runtime) composeToFit(t *modelCall) (req llm.Request, guess int, failed society.Command) {
	unread := func(err error) society.Command {
		return society.Failed{Work: t.work, Class: "store", Text: err.Error(), Unasked: true}
	}
	req, guess, err := r.compose(t)
	if err != nil {
		return req, 0, unread(err)
	}
	if !t.exceeds(guess) {
		return req, guess, nil
	}
	if !t.afterCompression {
		entries, err := r.recall(t)
		if err != nil {
			return req, 0, unread(err)
		}
		if t.compressible(conversation.Seen(entries, t.branches)) {
			return req, guess, society.Failed{Work: t.work, Class: string(llm.Context), Text: t.sizes(guess), Unasked: true}
		}
	}
	if tokens, _ := t.tail.Calibrated(guess); tokens > t.window && r.tighten(t) {
		if req, guess, err = r.compose(t); err != nil {
			return req, 0, unread(err)
		}
	}
	return req, guess, nil
}

// sizes describes how large a request is and how large the window; "" if that is not known.
func (t *modelCall) sizes(guess int) string {
	tokens, _ := t.tail.Calibrated(guess)
	bare, _ := t.tail.Calibrated(t.weight)
	switch {
	case t.window <= 0:
		return ""
	case bare >= t.window:
		return protocol.Sentence(t.lang, protocol.PromptTooLarge, bare, t.window)
	}
	return protocol.Sentence(t.lang, protocol.WindowFull, tokens, t.window)
}

// explained adds to the endpoint's words on a full context what is known of the sizes, and
// turns an error that does not say so, but can only mean that, into one that does: endpoints
// refuse with nothing, or cut the answer before it begins. An answer that was given is kept, even
// where it took more than the window: what comes next is compressed first.
func (t *modelCall) explained(err error, guess int, a reply) error {
	e := llm.AsError(err)
	if e.Class != llm.Context && !t.meansFull(e, guess, a) {
		return err
	}
	full := *e
	if e.Class != llm.Context {
		full = llm.Error{Class: llm.Context, Status: e.Status, Code: e.Code, Err: e}
	}
	if e.Window > 0 && (t.window <= 0 || e.Window < t.window) {
		t.window = e.Window // for the sizes; the rules keep it
	}
	full.Text = strings.Join(slices.DeleteFunc([]string{full.Text, t.sizes(guess)}, func(s string) bool { return s == "" }), "; ")
	return &full
}

func (t *modelCall) meansFull(e *llm.Error, guess int, a reply) bool {
	tokens, _ := t.tail.Calibrated(guess)
	used := a.last.Usage.InputTokens + a.last.Usage.OutputTokens
	nothing := strings.TrimSpace(a.text) == "" && len(a.last.Calls) == 0
	switch {
	case t.window <= 0 || !nothing:
		return false
	case used > t.window:
		return true
	case a.last.Finish == llm.FinishLength && used > 0:
		return used*100 >= t.window*99
	case e.Class == llm.Empty:
		return tokens*20 >= t.window*19
	case e.Status == http.StatusBadRequest || e.Status == http.StatusRequestEntityTooLarge:
		silent := e.Text == "" || strings.EqualFold(e.Text, http.StatusText(e.Status))
		return silent && e.Code == "" && tokens*5 > t.window*4
	}
	return false
}
