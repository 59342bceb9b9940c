// Package handover gives the session that this program has open to another process of the
// program, which goes on with it without a terminal.
//
// The child gets ready while nothing has changed yet ([Start]). When the parent has closed
// its store, it tells the child to open it ([Child.HandOver]). A child that fails or is
// too slow is killed, and has ended when HandOver returns: only then the parent may open
// the store again. Until it is told to open, a child ends with its parent ([Parent.Await]);
// from then on it goes on alone. So at most one of the two has the store open at any time,
// whenever one of them dies; the lock of the store guards that, too.
package handover

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"time"
)

// readyTime is how long a child may take until it is ready, and openTime until it has
// opened the session.
const (
	readyTime = 10 * time.Second
	openTime  = 5 * time.Second
)

// maxMessages is the number of bytes that a child may say.
const maxMessages = 64 << 10

// A state is what one process tells the other.
type state string

const (
	ready  state = "ready"  // of the child: all is read but the store
	open   state = "open"   // of the parent: open the store. Of the child: it is open
	failed state = "failed" // of the child, which ends
)

// A message is a line of JSON in one of the pipes between both.
type message struct {
	State   state  `json:"state"`
	Version string `json:"version,omitempty"` // of a child that is ready
	Why     string `json:"why,omitempty"`     // of one that failed
}

// A Process is a child that runs. Read and Write are its pipes.
type Process interface {
	io.ReadWriteCloser
	// PID returns its id.
	PID() int
	// Kill ends it whatever it does, and may be called after its end.
	Kill()
	// Ended is closed when it has ended, and has left all files and locks.
	Ended() <-chan struct{}
}

// A Child is a process that is ready to open the session. One goroutine uses it.
type Child struct {
	process Process
	heard   chan message  // closed when it says no more
	silent  chan struct{} // closed when nobody listens any more
}

// Start launches a child and waits until it is ready. It must have the given version,
// because another one may have another format. After an error the child has ended.
func Start(ctx context.Context, version string, launch func() (Process, error)) (*Child, error) {
	process, err := launch()
	if err != nil {
		return nil, textNotLaunched.With(err)
	}
	c := &Child{process: process, heard: make(chan message), silent: make(chan struct{})}
	go c.listen()
	m, err := c.hear(ctx, ready, readyTime)
	if err == nil && m.Version != version {
		err = textReplaced.With(m.Version, version)
	}
	if err != nil {
		c.End()
		return nil, err
	}
	return c, nil
}

// PID returns the id of the child's process.
func (c *Child) PID() int { return c.process.PID() }

// HandOver tells the child to open the session, whose store the caller has closed, and
// returns when the child has it open. After an error the child has ended.
func (c *Child) HandOver() error {
	err := json.NewEncoder(c.process).Encode(message{State: open})
	if err != nil {
		err = textDied.With() // it reads no more
	} else {
		_, err = c.hear(context.Background(), open, openTime)
	}
	if err != nil {
		c.End()
		return err
	}
	c.release()
	return nil
}

// End kills the child and waits for its end.
func (c *Child) End() {
	c.process.Kill()
	<-c.process.Ended()
	c.release()
}

// release ends listen.
func (c *Child) release() {
	close(c.silent)
	_ = c.process.Close() // nothing is on its way
	for range c.heard {   // until listen has ended
	}
}

// listen passes on what the child says.
func (c *Child) listen() {
	defer close(c.heard)
	said := json.NewDecoder(io.LimitReader(c.process, maxMessages))
	for {
		var m message
		if said.Decode(&m) != nil {
			return
		}
		select {
		case c.heard <- m:
		case <-c.silent:
			return
		}
	}
}

// hear waits for a message of the child.
func (c *Child) hear(ctx context.Context, want state, within time.Duration) (message, error) {
	late := time.NewTimer(within)
	defer late.Stop()
	select {
	case m, more := <-c.heard:
		switch {
		case !more:
			return m, textDied.With()
		case m.State == failed:
			return m, textFailed.With(m.Why)
		case m.State != want:
			return m, textStrange.With(string(m.State))
		}
		return m, nil
	case <-late.C:
		return message{}, textSlow.With(int(within / time.Second))
	case <-ctx.Done():
		return message{}, ctx.Err()
	}
}

// ErrAbandoned is returned to a child whose parent has ended or needs it no more.
var ErrAbandoned = errors.New("the program that started this one has gone on without it")

// A Parent is the process that hands its session over, as its child sees it.
type Parent struct{ Pipes io.ReadWriteCloser }

// Await tells the parent that this process is ready, and returns when the parent has closed
// the session. The error is ErrAbandoned.
func (p *Parent) Await(version string) error {
	if err := p.tell(message{State: ready, Version: version}); err != nil {
		return ErrAbandoned
	}
	var m message
	if err := json.NewDecoder(io.LimitReader(p.Pipes, maxMessages)).Decode(&m); err != nil || m.State != open {
		return ErrAbandoned
	}
	return nil
}

// Opened tells the parent that this process has the session open. If the parent has died
// meanwhile, this process goes on all the same.
func (p *Parent) Opened() {
	_ = p.tell(message{State: open})
	_ = p.Pipes.Close()
}

// Failed tells the parent why this process ends without the session.
func (p *Parent) Failed(why string) {
	_ = p.tell(message{State: failed, Why: why})
	_ = p.Pipes.Close()
}

func (p *Parent) tell(m message) error { return json.NewEncoder(p.Pipes).Encode(m) }
