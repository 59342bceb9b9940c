package runtime_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"society-tui/llm/chatapi"
	"society-tui/runtime/society"
)

// streamsEnv is how many streams the process is to serve, in one that is the
// server of a benchmark: of the files that a process may open one has enough for
// one end of ten thousand connections.
const streamsEnv = "SOCIETY_TEST_STREAMS"

// serveStreams begins an answer to each request and never ends it. It prints
// where it listens, "open" when so many streams are open, and when the last one
// has gone. It ends when its input does.
func serveStreams(want string) int {
	n, err := strconv.ParseInt(want, 10, 64)
	if err != nil {
		return 2
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fmt.Println(err)
		return 1
	}
	var begun, open, last atomic.Int64
	mux := http.NewServeMux()
	mux.HandleFunc("GET /log", func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprintln(w, begun.Load(), last.Load())
	})
	mux.HandleFunc("POST /v1/chat/completions", func(w http.ResponseWriter, r *http.Request) {
		last.Store(time.Now().UnixNano())
		begun.Add(1)
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "text/event-stream")
		_, _ = io.WriteString(w, `data: {"choices":[{"index":0,"delta":{"content":"I begin"}}]}`+"\n\n")
		_ = http.NewResponseController(w).Flush()
		if open.Add(1) == n {
			fmt.Println("open")
		}
		<-r.Context().Done()
		if open.Add(-1) == 0 {
			fmt.Println("gone", time.Now().UnixNano())
		}
	})
	fmt.Println("http://" + l.Addr().String())
	go func() { _ = http.Serve(l, mux) }()
	_, _ = io.Copy(io.Discard, os.Stdin)
	return 0
}

// A streamServer is a process that runs serveStreams.
type streamServer struct {
	tb    testing.TB
	url   string
	lines *bufio.Scanner
	close func()
}

func startStreams(tb testing.TB, streams int) *streamServer {
	tb.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%d", streamsEnv, streams))
	in, err := cmd.StdinPipe()
	if err != nil {
		tb.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		tb.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		tb.Fatal(err)
	}
	s := &streamServer{tb: tb, lines: bufio.NewScanner(out), close: func() {
		if err := errors.Join(in.Close(), cmd.Wait()); err != nil {
			tb.Error(err)
		}
	}}
	s.url = s.line()
	return s
}

func (s *streamServer) line() string {
	s.tb.Helper()
	if !s.lines.Scan() {
		s.tb.Fatal("the server has ended")
	}
	return s.lines.Text()
}

func (s *streamServer) awaitOpen() {
	s.tb.Helper()
	if line := s.line(); line != "open" {
		s.tb.Fatalf("the server says %q", line)
	}
}

// awaitGone returns when the server has seen the last stream go.
func (s *streamServer) awaitGone() time.Time {
	s.tb.Helper()
	nano, found := strings.CutPrefix(s.line(), "gone ")
	n, err := strconv.ParseInt(nano, 10, 64)
	if !found || err != nil {
		s.tb.Fatalf("the server says %q", s.lines.Text())
	}
	return time.Unix(0, n)
}

// log returns how many requests were begun, and when the last one was.
func (s *streamServer) log() (begun int, last time.Time) {
	s.tb.Helper()
	resp, err := http.Get(s.url + "/log")
	if err != nil {
		s.tb.Fatal(err)
	}
	defer resp.Body.Close()
	var nano int64
	if _, err := fmt.Fscan(resp.Body, &begun, &nano); err != nil {
		s.tb.Fatal(err)
	}
	http.DefaultClient.CloseIdleConnections()
	return begun, time.Unix(0, nano)
}

// cancelStreams opens so many bare streams, cancels their one context, and
// returns how long it took until the server has seen the last one go.
func cancelStreams(tb testing.TB, streams int) time.Duration {
	tb.Helper()
	server := startStreams(tb, streams)
	defer server.close()
	ctx, cancel := context.WithCancel(tb.Context())
	defer cancel()
	transport := &http.Transport{}
	defer transport.CloseIdleConnections()
	var all sync.WaitGroup
	for range streams {
		all.Go(func() { stream(ctx, transport, server.url) })
	}
	server.awaitOpen()
	begun := time.Now()
	cancel()
	gone := server.awaitGone()
	all.Wait()
	return gone.Sub(begun)
}

func stream(ctx context.Context, transport *http.Transport, url string) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url+"/v1/chat/completions", strings.NewReader("{}"))
	if err != nil {
		return
	}
	resp, err := transport.RoundTrip(req)
	if err != nil {
		return
	}
	defer resp.Body.Close()
	_, _ = io.Copy(io.Discard, resp.Body)
}

// BenchmarkStopOfTenThousandStreams measures from asking for the
// stop until the server, which is another process, has seen the last of ten
// thousand connections go. The anchor is the cancelling of one context over the
// same number of bare requests to the same server.
func BenchmarkStopOfTenThousandStreams(b *testing.B) {
	const agents = 10_000
	c := newCrowd(b, agents)
	var ours, bare, returned figure
	late := 0
	eachRound(b, func() {
		bare.add(cancelStreams(b, agents))
		server := startStreams(b, agents)
		model, err := chatapi.New(chatapi.Config{BaseURL: server.url + "/v1", Model: "silent"})
		if err != nil {
			b.Fatal(err)
		}
		t := open(b, c.onDisk(b), agents, model, server.awaitOpen)
		asked := time.Now()
		returned.add(t.do(society.Stop{Agent: society.Root}))
		stopped := time.Now()
		ours.add(server.awaitGone().Sub(asked))
		t.do(society.Seen{Agent: society.Root})
		if begun, last := server.log(); begun != agents || last.After(stopped) {
			late += max(begun-agents, 1)
		}
		t.quit()
		server.close()
	})
	report(b, map[string]*figure{"gone-ms": &ours, "bare-ms": &bare, "returned-ms": &returned})
	ratio(b, &ours, &bare)
	b.ReportMetric(float64(late), "late-requests")
}
