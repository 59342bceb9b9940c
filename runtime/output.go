package runtime

import (
	"context"
	"slices"
	"sync"
	"time"
	"unicode/utf8"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
)

// outputEvery is the least time between two notifications that the output of a call has grown,
// so that a flood does not wake the watchers for each piece.
const outputEvery = 50 * time.Millisecond

// outputs hold what running calls have written. It does not go through the loop: a tool appends,
// and whoever looks at that agent reads a copy.
type outputs struct {
	mu   sync.Mutex
	of   map[society.AgentID][]*output // in the order in which they began
	wake func([]society.AgentID)       // notifies the watchers; set once, before any use
}

// An output is that of one call. Its fields are guarded by outputs.mu.
type output struct {
	who   []society.AgentID // whose it is, for wake
	epoch uint64
	head  api.Output // without what follows from kept
	kept  []byte     // the end of it, between OutputKept and twice as much
	bytes int64
	gone  bool
	told  time.Time   // when watchers were last woken
	later *time.Timer // which wakes them, nil for none
}

func newOutputs() *outputs { return &outputs{of: map[society.AgentID][]*output{}} }

// writer returns the function that appends to the output of a call that begins. The output
// replaces that of an earlier attempt at the same step. After the end of the step the function
// does nothing.
func (s *outputs) writer(ctx context.Context, w society.WorkItem, call string) func([]byte) {
	o := &output{who: []society.AgentID{w.Agent}, epoch: w.Epoch, head: api.Output{Agent: w.Agent, Call: call, Step: w.Step, Begun: time.Now()}}
	return func(piece []byte) {
		if s.add(ctx, o, piece) {
			s.wake(o.who)
		}
	}
}

// add appends a piece. It reports whether to notify the watchers now.
func (s *outputs) add(ctx context.Context, o *output, piece []byte) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(piece) == 0 || o.gone || ctx.Err() != nil {
		return false
	}
	if o.bytes == 0 {
		s.remove(o.head.Agent, func(old *output) bool { return old.head.Step == o.head.Step })
		s.of[o.head.Agent] = append(s.of[o.head.Agent], o)
	}
	now := time.Now()
	o.bytes, o.head.Last = o.bytes+int64(len(piece)), now
	if over := len(piece) - api.OutputKept; over > 0 {
		piece = piece[over:]
	}
	if len(o.kept)+len(piece) > 2*api.OutputKept {
		n := copy(o.kept, o.kept[len(o.kept)-(api.OutputKept-len(piece)):])
		o.kept = o.kept[:n]
	}
	o.kept = append(o.kept, piece...)
	if o.later != nil {
		return false
	}
	if rest := outputEvery - now.Sub(o.told); rest > 0 {
		o.later = time.AfterFunc(rest, func() { s.tellLater(o) })
		return false
	}
	o.told = now
	return true
}

// tellLater notifies the watchers of the pieces since the last notification.
func (s *outputs) tellLater(o *output) {
	s.mu.Lock()
	gone := o.gone
	o.told, o.later = time.Now(), nil
	s.mu.Unlock()
	if !gone {
		s.wake(o.who)
	}
}

// settle drops the outputs of an agent whose steps have ended; nil for one that is gone.
func (s *outputs) settle(id society.AgentID, a *society.Agent) {
	s.drop(id, func(o *output) bool {
		return a == nil || o.epoch != a.Epoch ||
			!slices.ContainsFunc(a.Open, func(step society.Step) bool { return step.N == o.head.Step })
	})
}

// end drops the output of a piece of work that was cancelled.
func (s *outputs) end(w society.WorkItem) {
	s.drop(w.Agent, func(o *output) bool { return o.epoch == w.Epoch && o.head.Step == w.Step })
}

func (s *outputs) drop(id society.AgentID, which func(*output) bool) {
	s.mu.Lock()
	had := s.remove(id, which)
	s.mu.Unlock()
	if had {
		s.wake([]society.AgentID{id})
	}
}

// remove takes outputs away, with mu held. It reports whether there were any.
func (s *outputs) remove(id society.AgentID, which func(*output) bool) bool {
	all := s.of[id]
	if len(all) == 0 {
		return false
	}
	left := slices.DeleteFunc(slices.Clone(all), func(o *output) bool {
		o.gone = which(o)
		if o.gone && o.later != nil {
			o.later.Stop()
		}
		return o.gone
	})
	if s.of[id] = left; len(left) == 0 {
		delete(s.of, id)
	}
	return len(left) < len(all)
}

// Outputs returns what calls of an agent that are being run have written so far, in the
// order in which they began. It may be called from any goroutine.
func (r *Runtime) Outputs(agent society.AgentID) []api.Output {
	s := r.outputs
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []api.Output
	for _, o := range s.of[agent] {
		all = append(all, o.copied())
	}
	return all
}

// copied returns the output as clients read it.
func (o *output) copied() api.Output {
	out := o.head
	text := o.kept
	if over := len(text) - api.OutputKept; over > 0 {
		text = text[over:]
	}
	out.Bytes, out.Start = o.bytes, o.bytes-int64(len(text))
	if out.Start > 0 { // the first character may be cut
		n := 0
		for n < utf8.UTFMax-1 && n < len(text) && !utf8.RuneStart(text[n]) {
			n++
		}
		text, out.Start = text[n:], out.Start+int64(n)
	}
	out.Text = string(text[:whole(text)])
	return out
}

// whole returns how much of a text that grows is whole characters.
func whole(text []byte) int {
	for i := 1; i < utf8.UTFMax && i <= len(text); i++ {
		if end := len(text) - i; utf8.RuneStart(text[end]) {
			if !utf8.FullRune(text[end:]) {
				return end
			}
			break
		}
	}
	return len(text)
}
