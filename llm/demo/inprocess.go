package demo

import (
	"context"
	"io"
	"net/http"
	"slices"
	"sync"
)

// A transport carries requests to a handler in this process.
type transport struct{ handler http.Handler }

// RoundTrip runs the handler in a goroutine, which ends when the answer is
// complete, its body is closed, or the request's context is done; closing the
// body waits for it.
func (t *transport) RoundTrip(r *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancel(r.Context())
	a := &answer{
		ctx: ctx, cancel: cancel, header: make(http.Header),
		began: make(chan struct{}), pieces: make(chan []byte), ended: make(chan struct{}),
	}
	inner := r.Clone(ctx)
	if inner.Body == nil {
		inner.Body = http.NoBody
	}
	go a.run(t.handler, inner)
	select {
	case <-a.began:
	case <-ctx.Done():
		_ = a.Close()
		return nil, ctx.Err()
	}
	return &http.Response{
		Status: http.StatusText(a.status), StatusCode: a.status, Header: a.sent,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, ContentLength: -1, Body: a, Request: r,
	}, nil
}

// An answer is what a handler writes to and a client reads from. Pieces go from
// one to the other without a store between them.
type answer struct {
	ctx    context.Context
	cancel context.CancelFunc

	header http.Header // the handler's alone
	begin  sync.Once
	status int           // set before began is closed
	sent   http.Header   // set before began is closed
	began  chan struct{} // closed when the headers are out
	pieces chan []byte
	ended  chan struct{} // closed when the handler has returned
	broken bool          // it panicked; set before ended is closed

	rest []byte // the reader's alone
}

// run calls the handler. A panic breaks the answer off.
func (a *answer) run(h http.Handler, r *http.Request) {
	defer close(a.ended)
	defer r.Body.Close()
	defer func() {
		if recover() != nil {
			a.broken = true
		}
		a.WriteHeader(http.StatusOK) // if the handler has written nothing
	}()
	h.ServeHTTP(a, r)
}

func (a *answer) Header() http.Header { return a.header }

func (a *answer) WriteHeader(status int) {
	a.begin.Do(func() {
		a.status, a.sent = status, a.header.Clone()
		close(a.began)
	})
}

func (a *answer) Write(p []byte) (int, error) {
	a.WriteHeader(http.StatusOK)
	select {
	case a.pieces <- slices.Clone(p):
		return len(p), nil
	case <-a.ctx.Done():
		return 0, a.ctx.Err()
	}
}

// Flush has nothing to do: what was written was read.
func (a *answer) Flush() {}

// Read returns what the handler writes as soon as it does.
func (a *answer) Read(p []byte) (int, error) {
	if len(a.rest) == 0 {
		select {
		case a.rest = <-a.pieces:
		case <-a.ctx.Done():
			return 0, a.ctx.Err()
		case <-a.ended:
			if err := a.ctx.Err(); err != nil {
				return 0, err
			}
			if a.broken {
				return 0, io.ErrUnexpectedEOF
			}
			return 0, io.EOF
		}
	}
	n := copy(p, a.rest)
	a.rest = a.rest[n:]
	return n, nil
}

// Close ends the handler and waits for it.
func (a *answer) Close() error {
	a.cancel()
	<-a.ended
	return nil
}
