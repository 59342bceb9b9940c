package demo

import (
	"context"
	"io"
	"net/http"
	"sync"
)

// A transport carries requests to a handler in this process.
type transport struct{ handler http.Handler }

// RoundTrip runs the handler in a goroutine, which ends when the answer is
// complete, its body is closed, or the request's context is done; closing the
// body waits for it.
func (t *transport) RoundTrip(r *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancel(r.Context())
	a := &answer{header: make(http.Header), began: make(chan struct{}), ended: make(chan struct{})}
	a.body, a.pipe = io.Pipe()
	inner := r.Clone(ctx)
	if inner.Body == nil {
		inner.Body = http.NoBody
	}
	stop := context.AfterFunc(ctx, func() { a.pipe.CloseWithError(ctx.Err()) })
	go a.run(t.handler, inner)
	body := &body{a.body, func() { cancel(); <-a.ended; stop() }}
	select {
	case <-a.began:
	case <-ctx.Done():
		_ = body.Close()
		return nil, ctx.Err()
	}
	return &http.Response{
		Status: http.StatusText(a.status), StatusCode: a.status, Header: a.sent,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, ContentLength: -1, Body: body, Request: r,
	}, nil
}

// A body is the client's end of an answer.
type body struct {
	io.Reader
	end func() // of the handler
}

// Close ends the handler and waits for it.
func (b *body) Close() error {
	b.end()
	return nil
}

// An answer is the http.ResponseWriter of a handler. It streams through a pipe without
// buffering.
type answer struct {
	header http.Header // the handler's alone
	begin  sync.Once
	status int           // set before began is closed
	sent   http.Header   // likewise
	began  chan struct{} // closed when the headers are out
	ended  chan struct{} // closed when the handler has returned
	body   *io.PipeReader
	pipe   *io.PipeWriter
}

// run calls the handler. A panic breaks the answer off.
func (a *answer) run(h http.Handler, r *http.Request) {
	defer close(a.ended)
	defer r.Body.Close()
	defer func() {
		a.WriteHeader(http.StatusOK) // if the handler has written nothing
		if recover() != nil {
			a.pipe.CloseWithError(io.ErrUnexpectedEOF)
		}
		a.pipe.Close()
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
	return a.pipe.Write(p)
}

// Flush has nothing to do: what was written was read.
func (a *answer) Flush() {}
