//go:build linux || darwin

package httpserver_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"society-tui/runtime/httpserver"
	"society-tui/runtime/propertytest"
)

// What a client of HTTP/2 sends first: the preface and no settings.
const preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + "\x00\x00\x00\x04\x00\x00\x00\x00\x00"

// frame2 returns a frame of HTTP/2.
func frame2(kind, flags byte, stream uint32, payload string) string {
	header := append([]byte{0, byte(len(payload) >> 8), byte(len(payload)), kind, flags}, 0, 0, 0, 0)
	binary.BigEndian.PutUint32(header[5:], stream)
	return string(header) + payload
}

// open2 returns the frame of a whole GET request with the token.
func (s *site) open2(stream uint32, path string) string {
	block := "\x82\x86" // :method GET, :scheme http
	literal := func(name byte, value string) { block += string([]byte{name, byte(len(value))}) + value }
	literal(0x04, path)
	literal(0x01, "localhost")
	block += "\x0f\x08" // authorization, not indexed
	value := "Bearer " + s.token
	block += string([]byte{byte(len(value))}) + value
	const endOfStream, endOfHeaders = 1, 4
	return frame2(1, endOfStream|endOfHeaders, stream, block)
}

// reset2 returns the frame that cancels a request.
func reset2(stream uint32) string { return frame2(3, 0, stream, "\x00\x00\x00\x08") }

// http2 returns a client that uses one connection to the socket.
func (s *site) http2() *http.Client {
	s.Helper()
	protocols := new(http.Protocols)
	protocols.SetUnencryptedHTTP2(true)
	transport := &http.Transport{
		Protocols: protocols, DisableCompression: true,
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "unix", s.Socket())
		},
	}
	s.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

// ask sends a request over HTTP/2 and returns the reply. Its body may still come.
func (s *site) ask(c *http.Client, method, path string, body io.Reader) (*http.Response, error) {
	s.Helper()
	ctx, cancel := context.WithTimeout(s.Context(), patience)
	s.Cleanup(cancel)
	r, err := http.NewRequestWithContext(ctx, method, "http://localhost"+path, body)
	if err != nil {
		s.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer "+s.token)
	return c.Do(r)
}

// gets sends a request over HTTP/2 and returns the status and the whole body.
func (s *site) gets(c *http.Client, method, path string, body io.Reader) (status int, text string) {
	s.Helper()
	r, err := s.ask(c, method, path, body)
	if err != nil {
		s.Fatalf("%s %s over HTTP/2: %v", method, path, err)
	}
	defer r.Body.Close()
	got, err := io.ReadAll(r.Body)
	if err != nil {
		s.Fatalf("%s %s over HTTP/2: %v", method, path, err)
	}
	if r.ProtoMajor != 2 {
		s.Errorf("%s %s was answered with %s", method, path, r.Proto)
	}
	return r.StatusCode, string(got)
}

// holding answers with a byte, then waits until the client has gone or let is closed.
func holding(begun chan<- struct{}, let <-chan struct{}) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.WriteString(w, ".")
		_ = http.NewResponseController(w).Flush()
		select {
		case begun <- struct{}{}:
		default:
		}
		select {
		case <-r.Context().Done():
		case <-let:
			_, _ = io.WriteString(w, "!")
		}
	}
}

// A client that opens streams without end, reset or not, loses its connection, and no
// other does.
func TestAFloodOfStreamsEndsItsConnection(t *testing.T) {
	t.Parallel()
	begun, let := make(chan struct{}, 1), make(chan struct{})
	s := open(t, map[string]http.HandlerFunc{"/api/held": holding(begun, let), "/api/other": holding(nil, let)}, func(c *httpserver.Config) {
		c.Limits.Requests = 100_000 // so that requests reach the handler
	})
	other := s.http2()
	held, err := s.ask(other, "GET", "/api/held", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer held.Body.Close()
	<-begun
	few := open(t, nil, nil)
	for _, flood := range []struct {
		name string
		site *site
		path string
		also func(stream uint32) string
	}{
		{"open streams", s, "/api/other", func(uint32) string { return "" }},
		{"streams reset while their handlers run", s, "/api/other", reset2},
		{"streams reset beyond the rate", few, "/api/health", reset2},
		{"streams beyond the rate", few, "/api/health", func(uint32) string { return "" }},
	} {
		c := flood.site.dial("unix")
		sent := make(chan struct{})
		go func() {
			defer close(sent)
			_, _ = io.WriteString(c, preface)
			for i := range uint32(10_000) {
				if _, err := io.WriteString(c, flood.site.open2(2*i+1, flood.path)+flood.also(2*i+1)); err != nil {
					return
				}
			}
		}()
		if back, err := io.ReadAll(c); errors.Is(err, os.ErrDeadlineExceeded) || len(back) > 8<<20 {
			t.Errorf("%s: %d bytes, %v, want the connection closed", flood.name, len(back), err)
		}
		_ = c.Close()
		<-sent
	}
	close(let)
	if text, err := io.ReadAll(held.Body); err != nil || string(text) != ".!" {
		t.Errorf("a stream on another connection = %q, %v", text, err)
	}
	s.alive("unix")
	few.alive("tcp")
	if n := strings.Count(few.log.String(), "\n"); n > 1000 { // of s, each request that was let in has one
		t.Errorf("the log has %d lines", n)
	}
}

// Over HTTP/2, a request beyond a limit is refused alone.
func TestARefusalLeavesOtherStreamsAlone(t *testing.T) {
	t.Parallel()
	begun, let := make(chan struct{}, 1), make(chan struct{})
	s := open(t, map[string]http.HandlerFunc{"/api/held": holding(begun, let), "/api/events": holding(nil, let)}, func(c *httpserver.Config) {
		c.Limits.Requests, c.Limits.Streams = 5, 1
	})
	c := s.http2()
	var open []*http.Response
	for _, path := range []string{"/api/held", "/api/events"} {
		r, err := s.ask(c, "GET", path, nil)
		if err != nil || r.StatusCode != http.StatusOK {
			t.Fatalf("%s = %+v, %v", path, r, err)
		}
		defer r.Body.Close()
		open = append(open, r)
	}
	if status, body := s.gets(c, "POST", "/api/other", bytes.NewReader(make([]byte, 1<<20+1))); status != http.StatusRequestEntityTooLarge {
		t.Errorf("a body beyond the limit = %d %s", status, body)
	}
	if status, body := s.gets(c, "GET", "/api/events", nil); status != http.StatusTooManyRequests || !strings.Contains(body, "1 streams already") {
		t.Errorf("a stream beyond the limit = %d %s", status, body)
	}
	for i := 0; ; i++ {
		status, body := s.gets(c, "GET", "/api/health", nil)
		if status == http.StatusTooManyRequests {
			break
		}
		if status != http.StatusOK || i > 1000 {
			t.Fatalf("request %d = %d %s", i, status, body)
		}
	}
	close(let)
	for _, r := range open {
		if text, err := io.ReadAll(r.Body); err != nil || string(text) != ".!" {
			t.Errorf("a stream on the same connection = %q, %v", text, err)
		}
	}
}

func TestTooManyRefusalsEndTheirConnection(t *testing.T) {
	t.Parallel()
	begun, let := make(chan struct{}, 1), make(chan struct{})
	s := open(t, map[string]http.HandlerFunc{"/api/held": holding(begun, let)}, func(c *httpserver.Config) { c.Limits.Requests = 5 })
	c := s.http2()
	held, err := s.ask(c, "GET", "/api/held", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer held.Body.Close()
	<-begun
	cut := make(chan error, 1)
	go func() {
		_, err := io.Copy(io.Discard, held.Body)
		cut <- err
	}()
	for {
		select {
		case err := <-cut:
			if err == nil || errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("the reply in flight ended with %v, want its connection closed", err)
			}
			return
		default:
		}
		if r, err := s.ask(c, "GET", "/api/health", nil); err == nil {
			_ = r.Body.Close()
		}
	}
}

func TestBodiesOverHTTP2HaveLimits(t *testing.T) {
	t.Parallel()
	failed := make(chan error, 1)
	patience := 2 * time.Second
	if propertytest.Raced {
		patience *= 5 // large bodies take longer
	}
	s := open(t, map[string]http.HandlerFunc{"/api/submit": swallow, "/api/other": swallow, "/api/slow": func(_ http.ResponseWriter, r *http.Request) {
		_, err := io.Copy(io.Discard, r.Body)
		failed <- err
	}}, func(c *httpserver.Config) { c.Limits.BodyTime = patience })
	c := s.http2()
	for _, body := range []struct {
		path string
		size int64
		want int
	}{
		{"/api/submit", 17 << 20, 200},
		{"/api/submit", 64<<20 + 1, 413},
		{"/api/other", 1 << 20, 200},
		{"/api/other", 1 << 40, 413},
	} {
		text := io.LimitReader(&repeat{text: strings.Repeat(" ", 64<<10)}, body.size) // without a length
		if status, got := s.gets(c, "POST", body.path, text); status != body.want || status == 200 && got != itoa(int(body.size)) {
			t.Errorf("%d bytes to %s = %d %s, want %d", body.size, body.path, status, got, body.want)
		}
	}
	slow, end := io.Pipe()
	defer slow.Close()
	go trickleInto(end)
	r, err := s.ask(c, "POST", "/api/slow", slow)
	if err == nil {
		_ = r.Body.Close()
	}
	if err := <-failed; err == nil {
		t.Error("a body that comes byte by byte was read whole")
	}
	if status, _ := s.gets(c, "GET", "/api/health", nil); status != http.StatusOK {
		t.Errorf("afterwards a request = %d", status)
	}
}

// trickleInto writes a byte now and then until the reader has gone.
func trickleInto(w *io.PipeWriter) {
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for range tick.C {
		if _, err := w.Write([]byte("x")); err != nil {
			return
		}
	}
}

// A reply that its client does not read is cut off, while the client reads others.
func TestAStreamThatIsNotReadIsCutOff(t *testing.T) {
	t.Parallel()
	ended := make(chan error, 1)
	s := open(t, map[string]http.HandlerFunc{"/api/events": func(w http.ResponseWriter, _ *http.Request) {
		text := make([]byte, 128<<10)
		for {
			if _, err := w.Write(text); err != nil {
				ended <- err
				return
			}
		}
	}, "/api/quiet": func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, ".")
		_ = http.NewResponseController(w).Flush()
		time.Sleep(400 * time.Millisecond) // longer than a client may take to read
		_, _ = io.WriteString(w, "!")
	}}, func(c *httpserver.Config) { c.Limits.WriteTime = 200 * time.Millisecond })
	c := s.http2()
	unread, err := s.ask(c, "GET", "/api/events", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer unread.Body.Close()
	if err := <-ended; err == nil {
		t.Error("a reply that nobody reads was written")
	}
	if _, text := s.gets(c, "GET", "/api/quiet", nil); text != ".!" {
		t.Errorf("a quiet reply = %q", text)
	}
}

func TestHTTP2NeedsTheTokenToo(t *testing.T) {
	t.Parallel()
	s := open(t, nil, nil)
	c := s.http2()
	right := s.token
	s.token = "wrong"
	if status, body := s.gets(c, "GET", "/api/health", nil); status != http.StatusUnauthorized || !strings.Contains(body, `"unauthorized"`) {
		t.Errorf("a wrong token = %d %s", status, body)
	}
	s.token = right
	if status, body := s.gets(c, "GET", "/api/health", nil); status != http.StatusOK {
		t.Errorf("afterwards the right one = %d %s", status, body)
	}
}

// Close waits for requests over HTTP/2, and not for connections without one.
func TestCloseEndsHTTP2InOrder(t *testing.T) {
	t.Parallel()
	begun, let := make(chan struct{}, 1), make(chan struct{})
	s := open(t, map[string]http.HandlerFunc{"/api/held": holding(begun, let)}, nil)
	idle, busy := s.http2(), s.http2()
	if status, _ := s.gets(idle, "GET", "/api/health", nil); status != http.StatusOK {
		t.Fatal(status)
	}
	held, err := s.ask(busy, "GET", "/api/held", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer held.Body.Close()
	<-begun
	closed := make(chan error, 1)
	go func() { closed <- s.Close(t.Context()) }()
	for end := time.Now().Add(patience); ; time.Sleep(time.Millisecond) { // until it closes
		c, err := net.Dial("unix", s.Socket())
		if err != nil {
			break
		}
		_ = c.Close()
		if time.Now().After(end) {
			t.Fatal("it goes on listening")
		}
	}
	select {
	case err := <-closed:
		t.Errorf("Close = %v before the request had ended", err)
	default:
	}
	close(let)
	if text, err := io.ReadAll(held.Body); err != nil || string(text) != ".!" {
		t.Errorf("a reply in flight = %q, %v", text, err)
	}
	if err := <-closed; err != nil {
		t.Errorf("Close = %v", err)
	}
	if _, err := s.ask(idle, "GET", "/api/health", nil); !errors.As(err, new(*net.OpError)) {
		t.Errorf("a request after Close = %v", err)
	}
}
