//go:build linux || darwin

package httpserver_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"net"
	"net/http"
	"runtime"
	"strings"
	"testing"
	"time"

	"society-tui/runtime/httpserver"
)

func TestDefaultLimits(t *testing.T) {
	t.Parallel()
	if got, want := httpserver.DefaultLimits(), (httpserver.Limits{
		Headers: 16 << 10, Connections: 128, Streams: 16, Requests: 100,
		HeaderTime: 5 * time.Second, BodyTime: 10 * time.Second, IdleTime: 60 * time.Second,
		WriteTime: 30 * time.Second, LookTime: 5 * time.Second,
	}); got != want {
		t.Errorf("DefaultLimits() = %+v, want %+v", got, want)
	}
}

// gzipBomb returns some kilobytes that unpack to megabytes.
func gzipBomb(t *testing.T) string {
	t.Helper()
	var packed bytes.Buffer
	w := gzip.NewWriter(&packed)
	_, err := w.Write(make([]byte, 4<<20))
	if err = errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	return packed.String()
}

// swallow reads the body and answers how long it was.
func swallow(w http.ResponseWriter, r *http.Request) {
	n, err := io.Copy(io.Discard, r.Body)
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		w.WriteHeader(http.StatusRequestEntityTooLarge)
		return
	}
	_, _ = io.WriteString(w, itoa(int(n)))
}

// repeat reads a text for ever.
type repeat struct {
	text string
	at   int
}

func (r *repeat) Read(p []byte) (n int, err error) {
	for n < len(p) {
		copied := copy(p[n:], r.text[r.at:])
		n, r.at = n+copied, (r.at+copied)%len(r.text)
	}
	return n, nil
}

// upload sends a request with a body and returns the reply, which may come before the
// body has been sent.
func (s *site) upload(header string, body io.Reader) reply {
	s.Helper()
	c := s.dial("unix")
	sent := make(chan struct{})
	go func() {
		defer close(sent)
		_, _ = io.Copy(c, io.MultiReader(strings.NewReader(header), body)) // ends when the server closes
	}()
	r := s.exchange(c, "")
	_ = c.Close()
	<-sent
	return r
}

func TestBodiesHaveALimit(t *testing.T) {
	t.Parallel()
	s := open(t, map[string]http.HandlerFunc{"/api/submit": swallow, "/api/send": swallow, "/api/other": swallow}, nil)
	for _, c := range []struct {
		path string
		size int
		want int
	}{
		{"/api/other", 1 << 20, 200},
		{"/api/other", 1<<20 + 1, 413},
		{"/api/submit", 17 << 20, 200},
		{"/api/submit", 64<<20 + 1, 413},
		{"/api/send", 64 << 20, 200},
		{"/api/submit/", 1<<20 + 1, 413},
		{"/api/other", 1 << 40, 413},
	} {
		header := s.request("POST", c.path, "Content-Length: "+itoa(c.size))
		if r := s.upload(header, io.LimitReader(&repeat{text: strings.Repeat(" ", 64<<10)}, int64(c.size))); r.StatusCode != c.want {
			t.Errorf("%d bytes to %s = %d %s, want %d", c.size, c.path, r.StatusCode, r.body, c.want)
		}
	}
	for path, media := range map[string]string{"/api/submit": "", "/api/other": "", "/api/agents": "application/json"} {
		header := s.request("POST", path, "Transfer-Encoding: chunked", "Content-Type: "+media)
		if r := s.upload(header, &repeat{text: "400\r\n" + strings.Repeat(" ", 1<<10) + "\r\n"}); r.StatusCode != http.StatusRequestEntityTooLarge {
			t.Errorf("chunks for ever to %s = %d %s, want 413", path, r.StatusCode, r.body)
		}
	}
	s.alive("unix")
}

// trickle sends a byte every few milliseconds until the connection is cut.
func trickle(c net.Conn) {
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for range tick.C {
		if _, err := c.Write([]byte("x")); err != nil {
			return
		}
	}
}

// cutOff sends a beginning, then a byte now and then if slowly, until the server ends the
// connection.
func (s *site) cutOff(begin string, slowly bool) {
	s.Helper()
	c := s.dial("tcp")
	if _, err := io.WriteString(c, begin); err != nil {
		s.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if slowly {
			trickle(c)
		}
	}()
	s.ended(c)
	<-ended
}

func TestSlowHeadersAndIdleConnectionsAreCutOff(t *testing.T) {
	t.Parallel()
	s := open(t, nil, func(c *httpserver.Config) {
		c.Limits.HeaderTime, c.Limits.IdleTime = 100*time.Millisecond, 100*time.Millisecond
	})
	s.cutOff("", false)
	s.cutOff("GE", true)
	s.cutOff("GET /api/health HTTP/1.1\r\nHost: localhost\r\nX: ", true)
	s.cutOff(s.request("GET", "/api/health"), false)
}

func TestSlowBodiesAreCutOff(t *testing.T) {
	t.Parallel()
	failed := make(chan error, 1)
	s := open(t, map[string]http.HandlerFunc{"/api/other": func(_ http.ResponseWriter, r *http.Request) {
		_, err := io.Copy(io.Discard, r.Body)
		failed <- err
	}}, func(c *httpserver.Config) { c.Limits.BodyTime = 500 * time.Millisecond })
	for _, begin := range []string{
		s.request("POST", "/api/other", "Content-Length: 100000"),
		s.request("POST", "/api/other", "Transfer-Encoding: chunked") + "10000\r\n",
	} {
		s.cutOff(begin, true)
		if err := <-failed; err == nil {
			t.Errorf("%.20q was read whole", begin)
		}
	}
	s.cutOff("POST /api/other HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n", true) // without the token
	s.alive("tcp")
}

func TestHeadersHaveALimit(t *testing.T) {
	t.Parallel()
	s := open(t, nil, nil)
	for size, want := range map[int]int{15 << 10: 200, 17 << 10: 431, 1 << 20: 431} {
		if r := s.upload(strings.TrimSuffix(s.request("GET", "/api/health"), "\r\n")+"X: ", strings.NewReader(strings.Repeat("x", size)+"\r\n\r\n")); r.StatusCode != want {
			t.Errorf("a header of %d bytes = %d %s, want %d", size, r.StatusCode, r.body, want)
		}
	}
}

func TestConnectionsBeyondTheLimitAreRefused(t *testing.T) {
	t.Parallel()
	s := open(t, nil, func(c *httpserver.Config) { c.Limits.HeaderTime = time.Minute })
	held := make([]net.Conn, httpserver.DefaultLimits().Connections)
	for i := range held {
		held[i] = s.dial("tcp")
	}
	for i := range 1000 - len(held) {
		c := s.dial("tcp")
		if i%2 == 0 { // as clients that write first do
			_, _ = io.WriteString(c, s.request("GET", "/api/health"))
		}
		r, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil || r.StatusCode != http.StatusTooManyRequests || r.Header.Get("Retry-After") == "" {
			t.Fatalf("connection %d: %+v, %v, want 429", len(held)+i+1, r, err)
		}
		_ = r.Body.Close()
		s.ended(c)
		_ = c.Close()
	}
	s.alive("unix")
	for _, c := range held {
		_ = c.Close()
	}
	for end := time.Now().Add(patience); ; { // until the server has noticed
		if r := s.raw("tcp", s.request("GET", "/api/health", "Connection: close")); r.StatusCode == http.StatusOK {
			break
		}
		if time.Now().After(end) {
			t.Fatal("connections that were closed still count")
		}
	}
}

func TestRequestsBeyondTheRateAreRefused(t *testing.T) {
	t.Parallel()
	s := open(t, nil, func(c *httpserver.Config) { c.Limits.Requests = 1 })
	c := s.dial("tcp")
	if _, err := io.WriteString(c, strings.Repeat(s.request("GET", "/api/health"), 2)); err != nil {
		t.Fatal(err)
	}
	in := bufio.NewReader(c)
	if r := s.next(in, "the first"); r.StatusCode != http.StatusOK {
		t.Errorf("the first request = %d %s, want 200", r.StatusCode, r.body)
	}
	if r := s.next(in, "the second"); r.StatusCode != http.StatusTooManyRequests || r.Header.Get("Retry-After") != "1" || !r.Close || !strings.Contains(r.body, `"too_many_requests"`) {
		t.Errorf("the second request = %d %v %s, want 429 and closed", r.StatusCode, r.Header, r.body)
	}
	s.ended(c)
	s.alive("unix")
}

func TestAFloodOfPipelinedRequestsEndsItsConnection(t *testing.T) {
	t.Parallel()
	s := open(t, nil, nil)
	c := s.dial("tcp")
	sent := make(chan struct{})
	go func() {
		defer close(sent)
		_, _ = io.WriteString(c, strings.Repeat(s.request("GET", "/api/health"), 10_000))
	}()
	most := httpserver.DefaultLimits().Requests
	back, _ := io.ReadAll(c) // what is on the way when the connection ends may be lost
	<-sent
	if served := bytes.Count(back, []byte("HTTP/1.1 200")); served > 10*most {
		t.Errorf("%d requests were served, want about %d", served, most)
	}
	s.until("a request was refused")
	s.alive("unix")
	if n := strings.Count(s.log.String(), "\n"); n > 10*most {
		t.Errorf("the log has %d lines", n)
	}
}

// The port speaks no HTTP/2: the connection ends before a stream could begin.
func TestThePortCutsHTTP2Off(t *testing.T) {
	t.Parallel()
	s := open(t, nil, nil)
	c := s.dial("tcp")
	sent := make(chan struct{})
	go func() {
		defer close(sent)
		_, _ = io.WriteString(c, preface+strings.Repeat(s.open2(1, "/api/health")+reset2(1), 10_000))
	}()
	if r := s.exchange(c, ""); r.StatusCode != http.StatusBadRequest || r.ProtoMajor != 1 || !r.Close {
		t.Errorf("HTTP/2 = %s %d, want 400 of HTTP/1 and closed", r.Proto, r.StatusCode)
	}
	s.ended(c)
	<-sent
	s.alive("tcp")
	for _, network := range []string{"unix", "tcp"} {
		if r := s.raw(network, s.request("GET", "/api/health", "Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: AAMAAABkAAQAAP__")); r.StatusCode != http.StatusOK {
			t.Errorf("an upgrade to h2c = %d, want it ignored", r.StatusCode)
		}
	}
}

func TestStreamsBeyondTheLimitAreRefused(t *testing.T) {
	t.Parallel()
	begun, ended := make(chan struct{}), make(chan struct{})
	s := open(t, map[string]http.HandlerFunc{"/api/events": func(_ http.ResponseWriter, r *http.Request) {
		begun <- struct{}{}
		<-r.Context().Done()
		ended <- struct{}{}
	}}, nil)
	var streams []net.Conn
	begin := func(network string) {
		c := s.dial(network)
		if _, err := io.WriteString(c, s.request("GET", "/api/events")); err != nil {
			t.Fatal(err)
		}
		<-begun
		streams = append(streams, c)
	}
	for i := range httpserver.DefaultLimits().Streams {
		begin([]string{"unix", "tcp"}[i%2])
	}
	for _, network := range []string{"unix", "tcp"} {
		if r := s.raw(network, s.request("GET", "/api/events?kinds=text")); r.StatusCode != http.StatusTooManyRequests || r.Header.Get("Retry-After") == "" {
			t.Errorf("one more over %s = %d %v, want 429", network, r.StatusCode, r.Header)
		}
		s.alive(network)
	}
	// A client that sends no more is gone, although it could still read.
	if err := streams[0].(*net.UnixConn).CloseWrite(); err != nil { //nolint:forcetypeassert // the first one was opened on the socket
		t.Fatal(err)
	}
	<-ended
	s.ended(streams[0])
	begin("tcp")
	for _, c := range streams[1:] {
		_ = c.Close()
		<-ended
	}
}

// memory returns what the program holds.
func memory() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapInuse + m.StackInuse
}

// A hundred clients that read nothing of what they asked for are cut off, and cost little
// until then.
func TestReadersThatNeverReadAreCutOff(t *testing.T) {
	const readers = 100
	text := make([]byte, 128<<10)
	ended := make(chan struct{}, readers)
	endless := func(w http.ResponseWriter, _ *http.Request) {
		for err := error(nil); err == nil; {
			_, err = w.Write(text)
		}
		ended <- struct{}{}
	}
	s := open(t, map[string]http.HandlerFunc{"/api/events": endless, "/api/export": endless}, func(c *httpserver.Config) {
		c.Limits.Streams, c.Limits.WriteTime = readers, 300*time.Millisecond
	})
	before, most := memory(), uint64(0)
	var all []net.Conn
	for i := range readers {
		c := s.dial([]string{"unix", "tcp"}[i%2])
		if _, err := io.WriteString(c, s.request("GET", []string{"/api/events", "/api/export"}[i/2%2])); err != nil {
			t.Fatal(err)
		}
		all = append(all, c)
	}
	deadline := time.After(patience)
	for left := readers; left > 0; {
		select {
		case <-ended:
			left--
		case <-time.After(20 * time.Millisecond):
			most = max(most, memory())
		case <-deadline:
			t.Fatalf("%d replies that nobody reads are still being written", left)
		}
	}
	if grown := int64(most) - int64(before); grown > 20<<20 {
		t.Errorf("%d dead readers cost %d bytes, want at most 20 MiB", readers, grown)
	} else {
		t.Logf("%d dead readers cost %d KiB", readers, grown>>10)
	}
	for _, c := range all {
		s.ended(c)
	}
	s.alive("unix")
}
