package programtest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"society-tui/runtime/apiclient"
	"society-tui/runtime/httpserver"
	"society-tui/runtime/session"
)

// A running is the program without a terminal, until it ends.
type running struct {
	t        *testing.T
	cmd      *exec.Cmd
	out, err lockedBuffer
	waited   chan struct{} // closed when it has ended
}

// A lockedBuffer is written to while it is read.
type lockedBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// begin starts the program with a standard input, nothing if nil.
func (h *home) begin(in io.Reader, args ...string) *running {
	h.t.Helper()
	r := &running{t: h.t, cmd: h.command(args...), waited: make(chan struct{})}
	r.cmd.Stdin = in
	r.start()
	return r
}

func (r *running) start() {
	r.t.Helper()
	r.cmd.Stdout, r.cmd.Stderr = &r.out, &r.err
	if err := r.cmd.Start(); err != nil {
		r.t.Fatal(err)
	}
	go func() {
		defer close(r.waited)
		_ = r.cmd.Wait() // ends checks its exit code
	}()
	r.t.Cleanup(func() {
		_ = r.cmd.Process.Kill()
		<-r.waited
	})
}

// serve starts the program for other programs.
func (h *home) serve(args ...string) *running {
	h.t.Helper()
	r := h.begin(nil, append([]string{"serve"}, args...)...)
	eventually(h.t, "serve is open", func() bool { return strings.Contains(r.out.String(), "is open") })
	return r
}

func (r *running) signal(sig os.Signal) {
	r.t.Helper()
	if err := r.cmd.Process.Signal(sig); err != nil {
		r.t.Fatal(err)
	}
}

// ends waits for the end of the program.
func (r *running) ends() said {
	r.t.Helper()
	select {
	case <-r.waited:
	case <-time.After(patience):
		r.t.Fatalf("it does not end; it says %q, %q", r.out.String(), r.err.String())
	}
	return said{r.out.String(), r.err.String(), r.cmd.ProcessState.ExitCode()}
}

// eventually waits until something holds.
func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for until := time.Now().Add(patience); !ok(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(until) {
			t.Fatalf("not in %v: %s", patience, what)
		}
	}
}

// feed runs the program with a text on its standard input.
func (h *home) feed(in string, args ...string) said {
	h.t.Helper()
	return h.begin(strings.NewReader(in), args...).ends()
}

const dataFolder = "data/society-tui"

// client returns a client of the program that has the session open.
func (h *home) client() *apiclient.Client {
	h.t.Helper()
	c, err := clientOf(h.path(dataFolder))
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(c.Close)
	return c
}

// clientOf returns a client of the program that has the session of a folder open.
func clientOf(folder string) (*apiclient.Client, error) {
	token, err := httpserver.ReadToken(folder, session.Default)
	dial := func(ctx context.Context) (net.Conn, error) { return httpserver.Dial(ctx, folder, session.Default) }
	return apiclient.New(dial, token), err
}

// A heldModel is an endpoint whose answers wait until they are let go.
type heldModel struct {
	url   string
	asked chan struct{} // receives for each call
	let   chan struct{} // closed: answers
}

func newHeldModel(t *testing.T, answer string) *heldModel {
	t.Helper()
	m := &heldModel{asked: make(chan struct{}, 100), let: make(chan struct{})}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasSuffix(r.URL.Path, "/chat/completions") { // its models are asked for at the start
			http.NotFound(w, r)
			return
		}
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "text/event-stream")
		w.WriteHeader(http.StatusOK)
		_ = http.NewResponseController(w).Flush()
		m.asked <- struct{}{}
		select {
		case <-m.let:
		case <-r.Context().Done():
			return
		}
		text, _ := json.Marshal(answer)
		_, _ = fmt.Fprintf(w, `data: {"choices":[{"index":0,"delta":{"content":%s}}]}`+"\n\n", text)
		_, _ = fmt.Fprint(w, `data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`+"\n\ndata: [DONE]\n\n")
	}))
	t.Cleanup(server.Close)
	m.url = server.URL + "/v1"
	return m
}

// settings are those that use the model.
func (m *heldModel) settings() []string {
	return []string{"[model]", `name = "held"`, `base_url = "` + m.url + `"`}
}

// isAsked waits for the next call.
func (m *heldModel) isAsked(t *testing.T) {
	t.Helper()
	select {
	case <-m.asked:
	case <-time.After(patience):
		t.Fatal("the model is not asked")
	}
}

// freePort returns an address that nobody listens on.
func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}
