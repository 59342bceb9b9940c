package programtest

import (
	"bytes"
	"context"
	"fmt"
	"iter"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"society-tui/llm"
	"society-tui/llm/llmtest"
	"society-tui/runtime/tool/files"
	"society-tui/runtime/tool/org"
)

// A sky is an endpoint that plays all agents, and whose answers fail in every way.
type sky struct {
	url    string
	strict *llmtest.StrictServer
	calm   atomic.Bool // no answer fails
	turn   atomic.Int64

	mu    sync.Mutex
	spawn int             // agents that root has to make
	made  int             // how many of them it has made
	names map[string]bool // agents that have asked
	count map[string]int  // answers by outcome
}

// fullContext is the length of a conversation at which an agent compresses it.
const fullContext = 40

func newSky(t *testing.T) *sky {
	s := &sky{names: map[string]bool{}, count: map[string]int{}}
	s.calm.Store(true)
	s.strict = llmtest.StartStrict(t, llmtest.Strict{Answer: s.answer, Brief: true})
	server := httptest.NewServer(s)
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	s.url = server.URL + "/v1"
	return s
}

// founds lets root make so many agents.
func (s *sky) founds(agents int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.spawn = agents
}

// ServeHTTP is the strict server's, except that one of twenty answers has chunks that are no
// JSON, which no answer can say.
func (s *sky) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodPost && !s.calm.Load() && chance(5) {
		s.counts("malformed")
		w = &torn{ResponseWriter: w}
		r = r.WithContext(context.WithValue(r.Context(), torn{}, true))
	}
	s.strict.ServeHTTP(w, r)
}

// torn cuts the chunks after the first ones.
type torn struct {
	http.ResponseWriter
	chunks int
}

func (w *torn) Write(p []byte) (int, error) {
	if w.chunks++; w.chunks > 2 && bytes.HasPrefix(p, []byte("data: {")) {
		_, err := w.ResponseWriter.Write([]byte("data: " + string(p[6:len(p)/2]) + "\n\n"))
		return len(p), err
	}
	return w.ResponseWriter.Write(p)
}

func (w *torn) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// answer plays an agent, or a fault.
func (s *sky) answer(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
	who := identity(req.System)
	s.meets(who)
	kind := "whole"
	if torn := ctx.Value(torn{}) != nil; !torn {
		if !s.calm.Load() {
			kind = []string{"429", "500", "cut", "stalled", "whole"}[min(rand.IntN(100)/5, 4)]
		}
		s.counts(kind)
	}
	switch kind {
	case "429":
		return llmtest.Fail(&llm.Error{Class: llm.Rate, Status: http.StatusTooManyRequests, Text: "slow down", RetryAfter: time.Second})(ctx, req)
	case "500":
		return llmtest.Fail(&llm.Error{Class: llm.Overload, Status: http.StatusInternalServerError, Text: "out of order"})(ctx, req)
	case "stalled":
		return llmtest.HangAfter("I begin and then ")(ctx, req)
	}
	answer := paced(s.acts(who, req))
	if kind == "cut" {
		answer = cutAfter(1+rand.IntN(4), answer)
	}
	return answer(ctx, req)
}

// cutAfter closes the connection within an answer.
func cutAfter(chunks int, answer llmtest.Answer) llmtest.Answer {
	return func(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
		return func(yield func(llm.Chunk, error) bool) {
			left := chunks
			for chunk, err := range answer(ctx, req) {
				if left--; left < 0 || chunk.Done {
					panic(http.ErrAbortHandler)
				}
				if !yield(chunk, err) {
					return
				}
			}
		}
	}
}

// paced gives an answer at the pace of a model.
func paced(answer llmtest.Answer) llmtest.Answer {
	return func(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
		return func(yield func(llm.Chunk, error) bool) {
			for chunk, err := range answer(ctx, req) {
				select {
				case <-time.After(50 * time.Millisecond):
				case <-ctx.Done():
					return
				}
				if !yield(chunk, err) {
					return
				}
			}
		}
	}
}

// acts is what an agent does next.
func (s *sky) acts(who string, req llm.Request) llmtest.Answer {
	n := s.turn.Add(1)
	if calls := s.spawns(who); calls != nil {
		return llmtest.CallTools(calls...)
	}
	if len(req.Messages) > fullContext {
		return llmtest.CallTools(call(org.CompressContext, map[string]any{"summary": fmt.Sprint("words, up to ", n), "keepRecentCount": 4}))
	}
	if s.calm.Load() && len(s.known()) < s.agents() {
		return talking(who) // until all are there: a message to root would supersede its calls
	}
	const words = "some words that say what comes next, and a few more of them"
	file := fmt.Sprintf("%s-%d.txt", who, n%5)
	switch d := rand.IntN(100); {
	case d < 3:
		return llmtest.SayAndCall(words, call(files.Read, map[string]any{"path": fmt.Sprintf("not-there-%d.txt", n)}))
	case d < 5:
		return llmtest.SayAndCall(words, call(files.Write, map[string]any{"path": n, "nothing": true}))
	case d < 50:
		return llmtest.SayAndCall(words, s.word(who, n))
	case d < 66:
		return llmtest.SayAndCall(words, call(files.Write, map[string]any{"path": file, "content": fmt.Sprintln("line", n)}))
	case d < 82:
		return llmtest.SayAndCall(words, call(files.Read, map[string]any{"path": file, "limit": n}))
	case d < 95:
		return llmtest.SayAndCall(words, call(files.List, map[string]any{"depth": n}))
	}
	return llmtest.Say(fmt.Sprint(words, ", number ", n))
}

// word is a numbered message to another agent.
func (s *sky) word(who string, n int64) llm.Call {
	others := slices.DeleteFunc(s.known(), func(other string) bool { return other == who })
	to := others[rand.IntN(len(others))]
	return call(org.SendMessage, map[string]any{"to": []string{to}, "payload": map[string]any{"text": fmt.Sprintf("Word %d.", n)}})
}

// spawns are the calls that make some more of the other agents. The first of them makes
// their role.
func (s *sky) spawns(who string) []llm.Call {
	s.mu.Lock()
	defer s.mu.Unlock()
	if who != "root" || s.made == s.spawn {
		return nil
	}
	const most = 8 // calls of one answer
	from := s.made
	s.made = min(s.spawn, from+most)
	calls := spawn("worker", s.made)
	calls[0] = call(org.CreateRole, map[string]any{
		"name": "worker", "rolePrompt": "Work.", "toolGroups": []string{"organise", "talk", "context", "files"},
	})
	if from > 0 {
		from++
	}
	return calls[from:]
}

// agents is how many there are to be.
func (s *sky) agents() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.spawn + 1
}

func (s *sky) meets(who string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.names[who] = true
}

// known returns the agents that have asked so far.
func (s *sky) known() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Sorted(maps.Keys(s.names))
}

func (s *sky) counts(kind string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.count[kind]++
}

// outcomes returns the number of answers by fault, as text.
func (s *sky) outcomes() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	said := []string{fmt.Sprint(s.strict.Counts().Begun, " in all")}
	for _, kind := range slices.Sorted(maps.Keys(s.count)) {
		said = append(said, fmt.Sprint(s.count[kind], " ", kind))
	}
	return strings.Join(said, ", ")
}
