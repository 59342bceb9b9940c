package chatapi

import (
	"context"
	"io"
	"net/http"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"society-tui/llm"
)

// A stage is an endpoint in a bubble of testing/synctest: it sends pieces, each
// after a wait, and then nothing more.
type stage struct {
	status  int // 0 for never
	pieces  []string
	wait    time.Duration
	stays   bool // does not close after the last piece
	headers time.Duration
	bodies  *atomic.Int32 // that are not closed
}

// RoundTrip implements http.RoundTripper.
func (s stage) RoundTrip(r *http.Request) (*http.Response, error) {
	headers := time.After(s.headers)
	if s.status == 0 {
		headers = nil
	}
	select {
	case <-r.Context().Done():
		return nil, r.Context().Err()
	case <-headers:
	}
	if s.bodies != nil {
		s.bodies.Add(1)
	}
	return &http.Response{StatusCode: s.status, Header: http.Header{}, Request: r, Body: &stageBody{stage: s, ctx: r.Context()}}, nil
}

type stageBody struct {
	stage

	ctx  context.Context
	rest string
}

func (b *stageBody) Read(p []byte) (int, error) {
	if b.rest == "" {
		wait := time.After(b.wait)
		if len(b.pieces) == 0 {
			if !b.stays {
				return 0, io.EOF
			}
			wait = nil
		}
		select {
		case <-b.ctx.Done():
			return 0, b.ctx.Err()
		case <-wait:
		}
		b.rest, b.pieces = b.pieces[0], b.pieces[1:]
	}
	n := copy(p, b.rest)
	b.rest = b.rest[n:]
	return n, nil
}

func (b *stageBody) Close() error {
	if b.bodies != nil {
		b.bodies.Add(-1)
	}
	return nil
}

func TestAStalledEndpointIsGivenUpAndASlowOneIsNot(t *testing.T) {
	t.Parallel()
	comments := make([]string, 20)
	for i := range comments {
		comments[i] = ": still thinking\n\n"
	}
	for name, c := range map[string]struct {
		stage stage
		idle  time.Duration
		want  outcome
		took  time.Duration
	}{
		"no headers":                {stage{}, 0, outcome{class: llm.Overload, says: "no data for 5m0s"}, 300 * time.Second},
		"no headers, own bound":     {stage{}, time.Minute, outcome{class: llm.Overload, says: "no data for 1m0s"}, time.Minute},
		"nothing after the headers": {stage{status: 200, stays: true}, 0, outcome{class: llm.Overload, says: "no data"}, 300 * time.Second},
		"nothing after a chunk":     {stage{status: 200, pieces: []string{frames(says("hi"))}, stays: true}, 0, cutHi, 300 * time.Second},
		"nothing in a line":         {stage{status: 200, pieces: []string{frames(says("hi")) + "data: {"}, stays: true}, 0, cutHi, 300 * time.Second},
		"nothing after the finish":  {stage{status: 200, pieces: []string{frames(says("hi"), stop)}, stays: true}, 0, sayHi, 2 * time.Second},
		"nothing after the finish, no bound": {
			stage{status: 200, pieces: []string{frames(says("hi"), stop)}, stays: true}, -1, sayHi, 2 * time.Second,
		},
		"not closed after [DONE]": {stage{status: 200, pieces: []string{sse(says("hi"), stop)}, stays: true}, 0, sayHi, 100 * time.Millisecond},
		"slow headers":            {stage{status: 200, headers: 299 * time.Second, pieces: []string{sse(says("hi"), stop)}}, 0, sayHi, 299 * time.Second},
		"comments for an hour and more": {
			stage{status: 200, wait: 299 * time.Second, pieces: append(comments, sse(says("hi"), stop))}, 0, sayHi, 21 * 299 * time.Second,
		},
		"ten hours without a bound": {stage{status: 200, wait: 10 * time.Hour, pieces: []string{sse(says("hi"), stop)}}, -1, sayHi, 10 * time.Hour},
		"an error that stalls":      {stage{status: 500, pieces: []string{`{"error":{"message":"overlo`}, stays: true}, 0, outcome{class: llm.Overload, says: "overlo"}, 10 * time.Second},
		"an error that drips": {
			stage{status: 500, wait: 9 * time.Second, pieces: []string{"a", "b", "c"}}, 0, outcome{class: llm.Overload, says: "a"}, 10 * time.Second,
		},
		"a web page that drips": {
			stage{status: 200, wait: 9 * time.Second, pieces: []string{"<title>a", "b", "c"}}, 0, outcome{class: llm.NotChat}, 19 * time.Second,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				c.stage.bodies = new(atomic.Int32)
				m, err := New(Config{BaseURL: "http://localhost", Model: "m", Client: &http.Client{Transport: c.stage}, IdleTimeout: c.idle})
				if err != nil {
					t.Fatal(err)
				}
				began := time.Now()
				expect(t, c.want, m.Generate(t.Context(), hello()))
				if took := time.Since(began); took != c.took {
					t.Errorf("it took %s, want %s", took, c.took)
				}
				if n := c.stage.bodies.Load(); n != 0 {
					t.Errorf("%d bodies are still open", n)
				}
			})
		})
	}
}

func TestASlowReaderIsNotTakenForAStalledEndpoint(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		slow := stage{status: 200, wait: time.Second, pieces: []string{frames(says("h")), frames(says("i")), sse(stop)}}
		m, err := New(Config{BaseURL: "http://localhost", Model: "m", Client: &http.Client{Transport: slow}})
		if err != nil {
			t.Fatal(err)
		}
		text := ""
		for c, err := range m.Generate(t.Context(), hello()) {
			if err != nil {
				t.Fatal(err)
			}
			text += c.Text
			<-time.After(time.Hour)
		}
		if text != "hi" {
			t.Errorf("got %q", text)
		}
	})
}
