package httpapi_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"sync"
	"time"
)

// An event is one that a client has received whole.
type event struct {
	kind, id string
	data     json.RawMessage
}

// A reader is a client of GET /api/events, with the connection between: it receives what is
// written until it is cut.
type reader struct {
	header http.Header
	code   int
	cancel context.CancelFunc
	ended  chan struct{} // closed when the server has ended the stream
	wait   func(*reader) // before each Write; nil does not wait
	cut    int           // bytes that are received at most, -1 for all

	mu       sync.Mutex
	rest     []byte // of an event that is not whole
	last     string // id
	events   []event
	comments []time.Time
	deadline time.Time
}

var errCut = errors.New("the connection was cut")

// read begins to read events behind an id, "" for now. The connection is cut after so many
// bytes, unless cut is negative.
func (s *site) read(query, last string, cut int) *reader {
	return s.readSlowly(query, last, cut, nil)
}

func (s *site) readSlowly(query, last string, cut int, wait func(*reader)) *reader {
	s.Helper()
	ctx, cancel := context.WithCancel(s.Context())
	c := &reader{header: http.Header{}, cancel: cancel, ended: make(chan struct{}), cut: cut, last: last, wait: wait}
	r := s.request(http.MethodGet, "/api/events?"+query, "").WithContext(ctx)
	if last != "" {
		r.Header.Set("Last-Event-ID", last)
	}
	go func() {
		defer close(c.ended)
		s.handler.ServeHTTP(c, r)
	}()
	return c
}

// end cuts the connection and waits until the server has seen it.
func (c *reader) end() {
	c.cancel()
	<-c.ended
}

func (c *reader) Header() http.Header  { return c.header }
func (c *reader) WriteHeader(code int) { c.code = code }
func (c *reader) Flush()               {}

func (c *reader) SetWriteDeadline(at time.Time) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.deadline = at
	return nil
}

func (c *reader) Write(p []byte) (int, error) {
	if c.wait != nil {
		c.wait(c)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if time.Now().After(c.deadline) {
		return 0, errCut
	}
	n := len(p)
	if c.cut >= 0 {
		n = min(n, c.cut)
		c.cut -= n
	}
	c.take(p[:n])
	if n < len(p) {
		c.cancel()
		return n, errCut
	}
	return n, nil
}

// take reads lines as an EventSource does.
func (c *reader) take(p []byte) {
	c.rest = append(c.rest, p...)
	for {
		block, rest, whole := bytes.Cut(c.rest, []byte("\n\n"))
		if !whole {
			return
		}
		c.rest = rest
		e := event{id: c.last}
		var data []string
		for line := range strings.SplitSeq(string(block), "\n") {
			name, value, _ := strings.Cut(line, ":")
			value = strings.TrimPrefix(value, " ")
			switch name {
			case "":
				c.comments = append(c.comments, time.Now())
			case "event":
				e.kind = value
			case "id":
				e.id, c.last = value, value
			case "data":
				data = append(data, value)
			default:
				panic("line " + line)
			}
		}
		if e.data = json.RawMessage(strings.Join(data, "\n")); len(data) > 0 {
			c.events = append(c.events, e)
		}
	}
}

// take returns the events that have come since the last call.
func (c *reader) taken() []event {
	c.mu.Lock()
	defer c.mu.Unlock()
	events := c.events
	c.events = nil
	return events
}

// lastID returns the id to go on from.
func (c *reader) lastID() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.last
}

// decoded decodes the data of an event.
func decoded[T any](t tester, e event) (v T) {
	t.Helper()
	if err := json.Unmarshal(e.data, &v); err != nil {
		t.Fatalf("event %s has the data %q: %v", e.kind, e.data, err)
	}
	return v
}
