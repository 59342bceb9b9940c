package llmtest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"sync"
	"testing"
	"time"

	"society-tui/llm"
)

// Strict configures a StrictServer.
type Strict struct {
	// Answer is the model behind the server. An *llm.Error as the first chunk becomes an
	// HTTP error (Status, or 500), with Retry-After if it has one; a later one becomes an
	// error frame. Required.
	Answer Answer
	// Key, if not empty, is demanded as a bearer token.
	Key string
	// Refuses names fields of the request's body that are answered with a 400
	// that names them, for example "max_tokens".
	Refuses []string
	// CallID, if not nil, must match the id of each call in a history.
	CallID *regexp.Regexp
	// Brief keeps neither Request nor Header nor Body of what broke no rule: a test of an
	// hour has no room for them.
	Brief bool
}

// A Served request is one that a StrictServer was asked.
type Served struct {
	// Request is the decoded body; empty if it broke the rules.
	Request llm.Request
	Header  http.Header
	Body    []byte
	Began   time.Time
	// Ended is when the server was done with it, zero until then.
	Ended time.Time
	// Status is the HTTP status of the answer; 0 if nothing was sent.
	Status int
	// Violation is which rule the request broke; empty for none.
	Violation string
	// Gone is set if the client closed the connection before the end.
	Gone bool
}

// Counts holds the present load of a StrictServer.
type Counts struct {
	Begun       int // requests so far
	Running     int // requests that are not over
	Connections int // open connections, idle ones too
}

// A StrictServer is a chat-completions endpoint on loopback that refuses
// whatever any provider is known to refuse, and keeps a record of each request.
// Its methods may be called from any goroutine.
type StrictServer struct {
	// URL is the base to give to a client; it ends in /v1.
	URL string

	behaviour Strict
	http      *httptest.Server

	mu      sync.Mutex
	served  []Served
	counts  Counts
	calls   int
	changed chan struct{} // closed and replaced when counts change
}

// StartStrict starts a StrictServer, which is closed with all its connections
// when the test is over.
func StartStrict(t testing.TB, behaviour Strict) *StrictServer {
	t.Helper()
	s := &StrictServer{behaviour: behaviour, changed: make(chan struct{})}
	s.http = httptest.NewUnstartedServer(s)
	s.http.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.http.Config.ConnState = s.connection
	s.http.Start()
	t.Cleanup(func() {
		s.http.CloseClientConnections()
		s.http.Close()
	})
	s.URL = s.http.URL + "/v1"
	return s
}

// Requests returns what was asked so far, in the order in which it began.
func (s *StrictServer) Requests() []Served {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.served)
}

// Violations returns the rules that were broken so far, one entry a request.
func (s *StrictServer) Violations() []string {
	var all []string
	for _, r := range s.Requests() {
		if r.Violation != "" {
			all = append(all, r.Violation)
		}
	}
	return all
}

// Counts returns what is going on now.
func (s *StrictServer) Counts() Counts {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.counts
}

// Await returns when the counts are as wanted, or with ctx's error.
func (s *StrictServer) Await(ctx context.Context, wanted func(Counts) bool) error {
	for {
		s.mu.Lock()
		counts, changed := s.counts, s.changed
		s.mu.Unlock()
		if wanted(counts) {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return fmt.Errorf("await at the strict server, now %+v: %w", counts, ctx.Err())
		}
	}
}

// ServeHTTP answers one request. It has no list of models: who asks for one is told so, and
// not recorded.
func (s *StrictServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodGet {
		http.NotFound(w, r)
		return
	}
	nth := s.begin(r)
	reply := &reply{w: w, flush: http.NewResponseController(w).Flush}
	defer func() {
		s.change(func() {
			served := &s.served[nth]
			served.Ended, served.Status = time.Now(), reply.status
			served.Gone = r.Context().Err() != nil
			if s.behaviour.Brief && served.Violation == "" {
				served.Request, served.Header, served.Body = llm.Request{}, nil, nil
			}
			s.counts.Running--
		})
	}()

	body, err := io.ReadAll(io.LimitReader(r.Body, 64<<20))
	if err != nil {
		return
	}
	s.change(func() { s.served[nth].Body = body })
	req, usage, refusal := s.read(r, body)
	if refusal != nil {
		s.change(func() { s.served[nth].Violation = refusal.Text })
		reply.fail(refusal)
		return
	}
	s.change(func() { s.served[nth].Request = req })
	s.play(r.Context(), reply, req, usage)
}

// read is the request in our words, whether it asks for the usage, and why it
// is refused, if it is.
func (s *StrictServer) read(r *http.Request, body []byte) (llm.Request, bool, *llm.Error) {
	refuse := func(status int, class llm.Class, format string, args ...any) (llm.Request, bool, *llm.Error) {
		return llm.Request{}, false, &llm.Error{Class: class, Status: status, Text: fmt.Sprintf(format, args...)}
	}
	if r.URL.Path != "/v1/chat/completions" {
		return refuse(http.StatusNotFound, llm.Invalid, "there is nothing at %s", r.URL.Path)
	}
	if r.Method != http.MethodPost || r.Header.Get("Content-Type") != "application/json" {
		return refuse(http.StatusBadRequest, llm.Invalid, "%s of %q instead of POST of JSON", r.Method, r.Header.Get("Content-Type"))
	}
	if s.behaviour.Key != "" && r.Header.Get("Authorization") != "Bearer "+s.behaviour.Key {
		return refuse(http.StatusUnauthorized, llm.Auth, "the key is wrong")
	}
	if name := refusedField(body, s.behaviour.Refuses); name != "" {
		return refuse(http.StatusBadRequest, llm.Invalid, "Unsupported parameter: '%s'", name)
	}
	req, usage, err := parseRequest(body, s.behaviour.CallID)
	if err == nil {
		err = llm.CheckHistory(req)
	}
	if err != nil {
		return refuse(http.StatusBadRequest, llm.Invalid, "%s", err)
	}
	return req, usage, nil
}

// play sends what the script says.
func (s *StrictServer) play(ctx context.Context, reply *reply, req llm.Request, usage bool) {
	for chunk, err := range s.behaviour.Answer(ctx, req) {
		if ctx.Err() != nil {
			return
		}
		if err != nil {
			reply.fail(asError(err))
			return
		}
		if chunk.Done {
			chunk.Calls = s.number(chunk.Calls)
		}
		if reply.send(chunk, usage) != nil || chunk.Done {
			return
		}
	}
}

// number gives an id to each call without one.
func (s *StrictServer) number(calls []llm.Call) []llm.Call {
	s.mu.Lock()
	defer s.mu.Unlock()
	calls = slices.Clone(calls)
	for i := range calls {
		if calls[i].ID == "" {
			s.calls++
			calls[i].ID = fmt.Sprintf("call%05d", s.calls) // nine alphanumerics please everybody
		}
	}
	return calls
}

func (s *StrictServer) begin(r *http.Request) (nth int) {
	s.change(func() {
		nth = len(s.served)
		s.served = append(s.served, Served{Header: r.Header.Clone(), Began: time.Now()})
		s.counts.Begun++
		s.counts.Running++
	})
	return nth
}

func (s *StrictServer) connection(_ net.Conn, state http.ConnState) {
	switch state {
	case http.StateNew:
		s.change(func() { s.counts.Connections++ })
	case http.StateClosed, http.StateHijacked:
		s.change(func() { s.counts.Connections-- })
	}
}

// change runs f under the lock and wakes who awaits.
func (s *StrictServer) change(f func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f()
	close(s.changed)
	s.changed = make(chan struct{})
}

func asError(err error) *llm.Error {
	if e, ok := errors.AsType[*llm.Error](err); ok {
		return e
	}
	return &llm.Error{Class: llm.Overload, Status: http.StatusInternalServerError, Text: err.Error(), Err: err}
}
