package apiclient

import (
	"context"
	"net"
	"net/http"
	"sync"
)

// InProcess returns a client of a handler in this process, with a server that serves only
// it. The server ends with Close and with the function, which waits for its requests.
func InProcess(server *http.Server) (c *Client, end func(context.Context) error) {
	l := &pipeListener{conns: make(chan net.Conn), closed: make(chan struct{})}
	var served sync.WaitGroup
	served.Go(func() { _ = server.Serve(l) }) // until it is shut down
	c = New(l.dial, "")
	return c, func(ctx context.Context) error {
		c.Close()
		err := server.Shutdown(ctx)
		served.Wait()
		return err
	}
}

// A pipeListener accepts connections of its own process.
type pipeListener struct {
	conns  chan net.Conn
	once   sync.Once
	closed chan struct{}
}

func (l *pipeListener) dial(ctx context.Context) (net.Conn, error) {
	client, server := net.Pipe()
	select {
	case l.conns <- server:
		return client, nil
	case <-l.closed:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Accept returns the next connection.
func (l *pipeListener) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

// Close ends Accept.
func (l *pipeListener) Close() error {
	l.once.Do(func() { close(l.closed) })
	return nil
}

// Addr returns the address of a pipe, which has none.
func (l *pipeListener) Addr() net.Addr { return pipeAddr{} }

type pipeAddr struct{}

func (pipeAddr) Network() string { return "pipe" }
func (pipeAddr) String() string  { return "pipe" }
