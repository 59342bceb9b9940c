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
// body waits for it. The handler recovers from its own panics.
func (t *transport) RoundTrip(r *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancel(r.Context())
	a := &answer{header: make(http.Header), began: make(chan struct{})}
	reader, writer := io.Pipe()
	a.Writer = writer
	stop := context.AfterFunc(ctx, func() { writer.CloseWithError(ctx.Err()) })
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		t.handler.ServeHTTP(a, r.WithContext(ctx))
		a.WriteHeader(http.StatusOK) // if the handler has written nothing
		_ = writer.Close()
	}()
	body := &body{reader, func() { cancel(); <-ended; stop() }}
	select {
	case <-a.began:
	case <-ctx.Done():
		_ = body.Close()
		return nil, ctx.Err()
	}
	return &http.Response{
		Status: http.StatusText(a.status), StatusCode: a.status, Header: a.header,
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
	io.Writer
	header http.Header // the handler's alone until began is closed, then the client's
	status int         // set before began is closed
	begin  sync.Once
	began  chan struct{} // closed when the headers are out
}

func (a *answer) Header() http.Header { return a.header }

func (a *answer) WriteHeader(status int) {
	a.begin.Do(func() {
		a.status = status
		close(a.began)
	})
}

// Flush has nothing to do: what was written was read.
func (a *answer) Flush() {}
