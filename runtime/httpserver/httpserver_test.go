//go:build linux || darwin

package httpserver_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"society-tui/runtime/api"
	"society-tui/runtime/httpapi"
	"society-tui/runtime/httpserver"
)

func TestMain(m *testing.M) {
	if act := os.Getenv("HTTPSERVER_TEST_CHILD"); act != "" {
		child(act)
		return
	}
	goleak.VerifyTestMain(m)
}

const name = "society"

// patience is how long a test waits for what must come.
const patience = 10 * time.Second

// A site is a running server, in front of the routes of the API without a society, and
// of those that a test adds.
type site struct {
	*testing.T
	*httpserver.Server
	folder string
	token  string
	log    *journal
}

// A journal keeps the log.
type journal struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (j *journal) Write(p []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.Write(p)
}

func (j *journal) String() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.String()
}

// until waits for a line with a text in it.
func (s *site) until(text string) {
	s.Helper()
	for end := time.Now().Add(patience); !strings.Contains(s.log.String(), text); time.Sleep(time.Millisecond) {
		if time.Now().After(end) {
			s.Fatalf("the log does not say %q:\n%s", text, s.log)
		}
	}
}

// shortFolder returns a folder whose path leaves room for the name of a socket.
func shortFolder(t *testing.T) string {
	t.Helper()
	folder, err := os.MkdirTemp("", "s")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	return folder
}

// config returns what a site is started with.
func config(t *testing.T, log io.Writer, more map[string]http.HandlerFunc) httpserver.Config {
	t.Helper()
	l := slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	handler, err := httpapi.New(httpapi.Config{
		Society: struct{ httpapi.Society }{}, Watch: func() (api.Watcher, func()) { return nil, func() {} }, // no test asks for them
		Log: l, Version: "test", Boot: "boot", Metrics: http.NotFoundHandler(),
	})
	if err != nil {
		t.Fatal(err)
	}
	return httpserver.Config{
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if f := more[r.URL.Path]; f != nil {
				f(w, r)
				return
			}
			handler.ServeHTTP(w, r)
		}),
		Around: handler.WithRequestID,
		Folder: shortFolder(t), Session: name, Address: "127.0.0.1:0", AnyPort: true, Log: l, Limits: httpserver.DefaultLimits(),
	}
}

// open starts a server, after change, and closes it at the end of the test.
func open(t *testing.T, more map[string]http.HandlerFunc, change func(*httpserver.Config)) *site {
	t.Helper()
	s := &site{T: t, log: &journal{}}
	cfg := config(t, s.log, more)
	if change != nil {
		change(&cfg)
	}
	s.folder = cfg.Folder
	server, notices, err := httpserver.Start(cfg)
	if err != nil || len(notices) > 0 {
		t.Fatalf("Start = %v, %v", notices, err)
	}
	s.Server = server
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), patience)
		defer cancel()
		if err := server.Close(ctx); err != nil && !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Close = %v", err)
		}
	})
	if s.token, err = httpserver.ReadToken(s.folder, name); err != nil {
		t.Fatal(err)
	}
	return s
}

// dial connects to the socket or the port.
func (s *site) dial(network string) net.Conn {
	s.Helper()
	at := s.Address()
	if network == "unix" {
		at = s.Socket()
	}
	c, err := net.Dial(network, at)
	if err != nil {
		s.Fatal(err)
	}
	s.Cleanup(func() { _ = c.Close() })
	if err := c.SetDeadline(time.Now().Add(patience)); err != nil {
		s.Fatal(err)
	}
	return c
}

// A reply is what came back for a request.
type reply struct {
	*http.Response
	body string
}

// raw sends bytes on a new connection and returns the first reply.
func (s *site) raw(network, request string) reply {
	s.Helper()
	return s.exchange(s.dial(network), request)
}

// exchange sends bytes on a connection and returns the next reply.
func (s *site) exchange(c net.Conn, request string) reply {
	s.Helper()
	if request != "" { // writing nothing fails, too, when the server has closed
		if _, err := io.WriteString(c, request); err != nil {
			s.Fatalf("send %.80q: %v", request, err)
		}
	}
	return s.next(bufio.NewReader(c), request)
}

func (s *site) next(from *bufio.Reader, request string) reply {
	s.Helper()
	r, err := http.ReadResponse(from, nil)
	if err != nil {
		s.Fatalf("reply to %.80q: %v", request, err)
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	if err != nil {
		s.Fatalf("reply to %.80q: %v after %q", request, err, body)
	}
	for header := range r.Header {
		if strings.HasPrefix(header, "Access-Control-") {
			s.Errorf("reply to %.80q has %s", request, header)
		}
	}
	return reply{r, string(body)}
}

// request returns the bytes of a request with the token and more headers.
func (s *site) request(method, path string, headers ...string) string {
	lines := append([]string{method + " " + path + " HTTP/1.1", "Host: 127.0.0.1", "Authorization: Bearer " + s.token}, headers...)
	return strings.Join(lines, "\r\n") + "\r\n\r\n"
}

// post returns the bytes of a POST with a body.
func (s *site) post(path, media, body string, headers ...string) string {
	return s.request("POST", path, append(headers, "Content-Type: "+media, "Content-Length: "+itoa(len(body)))...) + body
}

// alive checks that the server answers.
func (s *site) alive(network string) {
	s.Helper()
	if r := s.raw(network, s.request("GET", "/api/health", "Connection: close")); r.StatusCode != http.StatusOK {
		s.Errorf("GET /api/health over %s = %d %s, want 200", network, r.StatusCode, r.body)
	}
}

// ended checks that the server closes a connection, whatever it still sends.
func (s *site) ended(c net.Conn) {
	s.Helper()
	if _, err := io.Copy(io.Discard, c); errors.Is(err, os.ErrDeadlineExceeded) {
		s.Error("the connection is still open")
	}
}

func TestAPIIsServedOnSocketAndPort(t *testing.T) {
	t.Parallel()
	s := open(t, nil, nil)
	if want := filepath.Join(s.folder, name+".sock"); s.Socket() != want {
		t.Errorf("Socket() = %q, want %q", s.Socket(), want)
	}
	info, err := os.Stat(s.Socket())
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the socket has mode %v, %v, want 0600", info.Mode(), err)
	}
	for _, network := range []string{"unix", "tcp"} {
		s.alive(network)
	}
	c, err := httpserver.Dial(t.Context(), s.folder, name)
	if err != nil {
		t.Fatalf("Dial = %v", err)
	}
	defer c.Close()
	if r := s.exchange(c, s.request("GET", "/api/health")); r.StatusCode != http.StatusOK || r.Header.Get("X-Request-Id") == "" {
		t.Errorf("over Dial = %d %v, want 200 with a request id", r.StatusCode, r.Header)
	}
}

// A stream that ends by itself is read to its end, a new connection is refused meanwhile,
// and nothing is left.
func TestCloseLetsStreamsEndByThemselves(t *testing.T) {
	t.Parallel()
	leave := make(chan struct{})
	s := open(t, map[string]http.HandlerFunc{"/api/events": func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "hello\n")
		_ = http.NewResponseController(w).Flush()
		<-leave
		_, _ = io.WriteString(w, "bye\n")
	}}, nil)
	c := s.dial("tcp")
	if _, err := io.WriteString(c, s.request("GET", "/api/events")); err != nil {
		t.Fatal(err)
	}
	r, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	lines := bufio.NewScanner(r.Body)
	if !lines.Scan() || lines.Text() != "hello" {
		t.Fatalf("the stream began with %q: %v", lines.Text(), lines.Err())
	}
	closed := make(chan error, 1)
	go func() { closed <- s.Close(context.Background()) }()
	for { // until the port is closed
		other, err := net.Dial("tcp", s.Address())
		if err != nil {
			break
		}
		_ = other.Close()
	}
	if _, err := os.Stat(s.Socket()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the socket is still there: %v", err)
	}
	close(leave)
	if !lines.Scan() || lines.Text() != "bye" || lines.Scan() {
		t.Errorf("the stream ended with %q: %v", lines.Text(), lines.Err())
	}
	if err := <-closed; err != nil {
		t.Errorf("Close = %v", err)
	}
}

func TestCloseCutsWhatDoesNotEndInTime(t *testing.T) {
	t.Parallel()
	begun := make(chan struct{})
	s := open(t, map[string]http.HandlerFunc{"/api/events": func(_ http.ResponseWriter, r *http.Request) {
		close(begun)
		<-r.Context().Done()
	}}, nil)
	c := s.dial("unix")
	if _, err := io.WriteString(c, s.request("GET", "/api/events")); err != nil {
		t.Fatal(err)
	}
	<-begun
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := s.Close(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("Close = %v, want it cancelled", err)
	}
	s.ended(c)
}

func TestCloseDoesNotWaitForConnectionsWithoutARequest(t *testing.T) {
	t.Parallel()
	s := open(t, nil, func(c *httpserver.Config) { c.Limits.HeaderTime = time.Minute })
	c := s.dial("tcp")
	if _, err := io.WriteString(c, "GET /api/he"); err != nil {
		t.Fatal(err)
	}
	s.alive("tcp") // so the first one has come in
	ctx, cancel := context.WithTimeout(t.Context(), 4*time.Second)
	defer cancel()
	if err := s.Close(ctx); err != nil {
		t.Errorf("Close = %v", err)
	}
	s.ended(c)
}
