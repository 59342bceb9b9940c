package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"sync"
	"sync/atomic"
	"time"
)

// A modelServer is an endpoint for chat completions. It answers each stream with
// numbered words at the pace of a model, so that what is lost, doubled or out of order
// can be seen afterwards.
type modelServer struct {
	*httptest.Server
	pace time.Duration // interval of the words of a stream
	most int           // words in an answer, which ends with a call, so that the agent comes back

	mu   sync.Mutex
	sent map[string]int // words of each stream

	open, words atomic.Int64 // requests in flight, words sent
	over        atomic.Bool  // all answers end
}

func newModelServer(pace time.Duration) *modelServer {
	s := &modelServer{pace: pace, most: max(int(10*time.Second/pace), 1), sent: map[string]int{}}
	s.Server = httptest.NewServer(s)
	return s
}

// streamName matches the name of a stream in the message that began it.
var streamName = regexp.MustCompile(`stream-\d+`)

func nameOf(stream int) string { return fmt.Sprintf("stream-%d", stream) }

// wordOf is the n-th word of a stream.
func wordOf(stream string, n int) string { return fmt.Sprintf("%s/%d", stream, n) }

func (s *modelServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.open.Add(1)
	defer s.open.Add(-1)
	request, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	stream := string(streamName.Find(request))
	n := s.speak(r, w, stream)
	if r.Context().Err() != nil {
		return
	}
	s.end(w, n)
}

// speak sends words until the answer is long enough, and returns the last one's number.
func (s *modelServer) speak(r *http.Request, w http.ResponseWriter, stream string) (n int) {
	tick := time.NewTicker(s.pace)
	defer tick.Stop()
	for range s.most {
		select {
		case <-tick.C:
		case <-r.Context().Done():
			return n
		}
		if s.over.Load() {
			return n
		}
		n = s.next(stream)
		delta(w, fmt.Sprintf(`{"content":"%s "}`, wordOf(stream, n)), "null")
	}
	return n
}

// next counts a word of a stream.
func (s *modelServer) next(stream string) int {
	s.words.Add(1)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sent[stream]++
	return s.sent[stream]
}

// begun returns how many streams have had a word.
func (s *modelServer) begun() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.sent)
}

// end ends an answer: with a call, whose result brings the agent back, or for good.
func (s *modelServer) end(w http.ResponseWriter, n int) {
	if s.over.Load() {
		delta(w, `{"content":"The end."}`, `"stop"`)
	} else {
		// An agent that calls the same again and again is stopped, so each call is another.
		delta(w, fmt.Sprintf(`{"tool_calls":[{"index":0,"id":"call_%d","type":"function","function":{"name":"find_role","arguments":"{\"query\":\"%d\"}"}}]}`, n, n), `"tool_calls"`)
	}
	_, _ = io.WriteString(w, "data: [DONE]\n\n")
}

// delta sends a piece of an answer.
func delta(w http.ResponseWriter, piece, finish string) {
	_, _ = fmt.Fprintf(w, `data: {"choices":[{"index":0,"delta":%s,"finish_reason":%s}]}`+"\n\n", piece, finish)
	_ = http.NewResponseController(w).Flush() // a client that is gone ends the request's context
}

// finish ends all answers, and waits until nobody asks any more.
func (s *modelServer) finish() error {
	s.over.Store(true)
	quiet := 0
	for range 600 {
		<-time.After(100 * time.Millisecond)
		if quiet++; s.open.Load() > 0 {
			quiet = 0
		}
		if quiet == 20 {
			return nil
		}
	}
	return fmt.Errorf("%d requests are in flight a minute after the last word", s.open.Load())
}
