package runtime

import (
	"slices"
	"sync"
	"time"

	"society-tui/llm"
	"society-tui/llm/registry"
	"society-tui/runtime/conversation"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
)

const (
	// longWait is the wait for an endpoint above which another model is asked.
	longWait = time.Minute
	// restAfterOverload and restUnknown are how long a model is not asked that others
	// replace: after its last try, and where nothing says when that makes sense again.
	restAfterOverload = time.Minute
	restUnknown       = 10 * time.Minute
)

// resting are the models that others replace for a while. Its methods may be called from any
// goroutine.
type resting struct {
	mu     sync.Mutex
	models map[string]rest
}

// A rest is why a model is not asked, and until when.
type rest struct {
	until time.Time
	class llm.Class
}

func (r *resting) of(model string) (rest, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	one, ok := r.models[model]
	return one, ok && time.Now().Before(one.until)
}

func (r *resting) begin(model string, class llm.Class, d time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.models == nil {
		r.models = map[string]rest{}
	}
	r.models[model] = rest{time.Now().Add(d), class}
}

func (r *resting) forget() {
	r.mu.Lock()
	defer r.mu.Unlock()
	clear(r.models)
}

// restOf returns why a model cannot be asked for long; ok is false if it can.
func (r *Runtime) restOf(e registry.Entry) (one rest, ok bool) {
	if one, ok = r.resting.of(e.Name); ok {
		return one, true
	}
	until := r.workers.limits.HeldUntil(e)
	return rest{until, llm.Rate}, time.Until(until) > longWait
}

// chooseModel sets which model is asked: the agent's own, or the first of its fallbacks that
// fits while that cannot be asked. once is how long its endpoint is waited for at most
// because another could be asked instead, else 0.
func (r *Runtime) chooseModel(t *modelCall) (once time.Duration) {
	t.use(t.own)
	if len(t.own.Fallback) == 0 {
		return 0
	}
	other, found := r.fallbackOf(t)
	if !found {
		return 0
	}
	why, rests := r.restOf(t.own)
	if !rests {
		return longWait
	}
	t.use(other)
	text := protocol.Sentence(t.lang, protocol.FellBack, other.Name, t.own.Name, protocol.Sentence(t.lang, reasonOf(why.class)), why.until.Local().Format("2006-01-02 15:04:05"))
	r.post(society.FellBack{Of: t.item, Model: other.Name, Text: text})
	return 0
}

// reasonOf says why a model cannot be asked.
func reasonOf(class llm.Class) protocol.Key {
	switch class {
	case llm.Quota:
		return protocol.QuotaSpent
	case llm.Rate:
		return protocol.RateReached
	case llm.NoModel:
		return protocol.ModelUnknown
	}
	return protocol.StillOverloaded
}

// use sets the model that is asked.
func (t *modelCall) use(e registry.Entry) {
	if t.model.Name == e.Name {
		return
	}
	t.model, t.window, t.budgets = e, e.Window, conversation.BudgetsFor(e.Window)
}

// fallbackOf returns the first fallback of an agent's model that can be asked and that the
// work fits.
func (r *Runtime) fallbackOf(t *modelCall) (registry.Entry, bool) {
	for _, name := range t.own.Fallback {
		e, ok := r.models.For(name, "")
		if !ok || e.Name != name || name == t.own.Name { // there may be one model for all names
			continue
		}
		if _, rests := r.restOf(e); !rests && r.fits(t, e) {
			return e, true
		}
	}
	return registry.Entry{}, false
}

// fits reports whether what the work sends fits a model: its window with room for an answer,
// and its images.
func (r *Runtime) fits(t *modelCall, e registry.Entry) bool {
	tokens, _ := t.tail.Size()
	if _, prompt := t.prompt.made(); e.Window > 0 && max(tokens, prompt+t.toolSet.weight)+reserve(e) > e.Window {
		return false
	}
	if none, _ := r.sight.refuses(windowKey(e), ""); e.Images != registry.TakesNoImages && !none {
		return true
	}
	entries, err := r.recall(t)
	return err == nil && !slices.ContainsFunc(conversation.Seen(entries, t.branches), func(one conversation.Entry) bool {
		return len(imagesOf(&one)) > 0
	})
}

// replaces reports whether another model is to be asked after a failure; the one that has
// failed is then not asked for a while.
func (r *Runtime) replaces(t *modelCall, f society.Failed) bool {
	if len(t.own.Fallback) == 0 {
		return false
	}
	class, d := llm.Class(f.Class), f.RetryAfter
	switch class {
	case llm.Quota, llm.NoModel:
		if d <= 0 {
			d = restUnknown
		}
	case llm.Rate:
		if d <= longWait {
			return false
		}
	case llm.Overload:
		if d = max(d, restAfterOverload); t.item.Attempt < r.cfg.Limits.Retries {
			return false
		}
	case llm.Protocol, llm.NoImage: // a fallback that does not fit after all
		if d = restUnknown; t.model.Name == t.own.Name {
			return false
		}
	default:
		return false
	}
	r.resting.begin(t.model.Name, class, d)
	r.hand(&pendingCommand{done: make(chan struct{}), look: func(*society.State) { r.wentBy(f.Model, clipped(f.Text)) }})
	_, found := r.fallbackOf(t)
	return found
}

// insteadOf returns the model that answers an agent: its own, or what takes its place.
func (r *Runtime) insteadOf(a *society.Agent, own registry.Entry) registry.Entry {
	if a.Turn == nil || a.Turn.Instead == "" {
		return own
	}
	if e, ok := r.models.For(a.Turn.Instead, ""); ok {
		return e
	}
	return own
}
