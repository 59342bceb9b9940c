package llmtest

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"sync"
	"time"

	"society-tui/llm"
)

// A Recorded request is one that a Scripted model was asked.
type Recorded struct {
	// Request is the request. Its slices are the caller's own.
	Request llm.Request
	Began   time.Time
	// Ended is when the answer ended, zero until then.
	Ended time.Time
	// Err is the error at the end of the answer; nil if it was complete, and if the
	// caller left before the end (Left is set then).
	Err  error
	Left bool
}

// Scripted is a model without a network: it answers as it was told and keeps a
// record of what it was asked. Like a strict provider it refuses a history that
// llm.CheckHistory finds fault with. It starts no goroutine and waits for nothing
// but what its answers wait for, so it may be used under testing/synctest.
type Scripted struct {
	name   string
	answer func(nth int) Answer

	mu       sync.Mutex
	requests []Recorded
	running  int
	calls    int
}

// Func returns a model that answers every request with answer, which may be run
// by several goroutines at a time.
func Func(name string, answer Answer) *Scripted {
	return &Scripted{name: name, answer: func(int) Answer { return answer }}
}

// Script returns a model that gives the answers in order, one a request. A
// request after the last answer is refused as llm.Invalid.
func Script(name string, answers ...Answer) *Scripted {
	over := Fail(&llm.Error{Class: llm.Invalid, Status: 400, Text: "the script is over"})
	return &Scripted{name: name, answer: func(nth int) Answer {
		if nth < len(answers) {
			return answers[nth]
		}
		return over
	}}
}

// Name returns the name that the model was made with.
func (s *Scripted) Name() string { return s.name }

// Requests returns what was asked so far, in the order in which it began.
func (s *Scripted) Requests() []Recorded {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// Running returns how many answers are under way.
func (s *Scripted) Running() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.running
}

// Generate answers req as the script says.
func (s *Scripted) Generate(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
	return func(yield func(llm.Chunk, error) bool) {
		nth := s.begin(req)
		var failure error
		left := true // also after a panic of the answer or of the caller's loop
		defer func() { s.end(nth, failure, left) }()

		for chunk, err := range s.play(ctx, nth, req) {
			if ctx.Err() != nil {
				chunk, err = llm.Chunk{}, ctx.Err()
			}
			if err != nil {
				failure, left = err, false
				yield(llm.Chunk{Usage: chunk.Usage}, err)
				return
			}
			if chunk.Done {
				chunk.Calls = s.number(req, chunk.Calls)
				left = false
				yield(chunk, nil)
				return
			}
			if !yield(chunk, nil) {
				return
			}
		}
		failure, left = fmt.Errorf("answer %d of %s has no last chunk", nth, s.name), false
		yield(llm.Chunk{}, &llm.Error{Class: llm.Overload, Text: failure.Error(), Truncated: true})
	}
}

// play is the answer to the nth request, or why it is refused.
func (s *Scripted) play(ctx context.Context, nth int, req llm.Request) iter.Seq2[llm.Chunk, error] {
	if err := ctx.Err(); err != nil {
		return func(yield func(llm.Chunk, error) bool) { yield(llm.Chunk{}, err) }
	}
	if err := llm.CheckHistory(req); err != nil {
		return Fail(&llm.Error{Class: llm.Invalid, Status: 400, Text: err.Error(), Err: err})(ctx, req)
	}
	return s.answer(nth)(ctx, req)
}

func (s *Scripted) begin(req llm.Request) (nth int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	req.Messages = slices.Clone(req.Messages)
	req.Tools = slices.Clone(req.Tools)
	s.requests = append(s.requests, Recorded{Request: req, Began: time.Now()})
	s.running++
	return len(s.requests) - 1
}

func (s *Scripted) end(nth int, err error, left bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := &s.requests[nth]
	r.Ended, r.Err, r.Left = time.Now(), err, left
	s.running--
}

// number gives an id that the history does not have to each call without one.
func (s *Scripted) number(req llm.Request, calls []llm.Call) []llm.Call {
	if len(calls) == 0 {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	calls = slices.Clone(calls)
	for i := range calls {
		for calls[i].ID == "" || hasCall(req, calls[:i], calls[i].ID) {
			s.calls++
			calls[i].ID = fmt.Sprintf("call-%d", s.calls)
		}
	}
	return calls
}

func hasCall(req llm.Request, calls []llm.Call, id string) bool {
	is := func(c llm.Call) bool { return c.ID == id }
	return slices.ContainsFunc(calls, is) || slices.ContainsFunc(req.Messages, func(m llm.Message) bool {
		return slices.ContainsFunc(m.Calls, is)
	})
}
