package chatapi

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"society-tui/llm"
	"society-tui/llm/llmtest"
)

func TestARedirectIsNotFollowed(t *testing.T) {
	t.Parallel()
	var asked atomic.Int32
	thief := serve(t, func(http.ResponseWriter, *http.Request) { asked.Add(1) })
	for _, status := range []int{301, 302, 303, 307, 308} {
		server := serve(t, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, thief.URL+"/v1", status) })
		for _, client := range []*http.Client{nil, {Transport: newTransport(reach{})}} {
			m := open(t, Config{BaseURL: server.URL, Key: canary, Client: client})
			_, failure := listen(t, m.Generate(t.Context(), hello()))
			if failure == nil || failure.Class != llm.NotChat || failure.Status != status || !strings.Contains(failure.Text, "redirects to http://127.0.0.1") {
				t.Errorf("%d: got %v", status, failure)
			}
			if client != nil {
				client.CloseIdleConnections()
			}
		}
	}
	if n := asked.Load(); n != 0 {
		t.Errorf("the other host was asked %d times", n)
	}
}

func TestRetryAfterIsReadInItsSpellings(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		header, ms, date string
		want             time.Duration
	}{
		{"", "", "", 0},
		{"0", "", "", 0},
		{"-1", "", "", 0},
		{"7", "", "", 7 * time.Second},
		{" 7 ", "", "", 7 * time.Second},
		{"1.5", "", "", 1500 * time.Millisecond},
		{"1000000000", "", "", 1e9 * time.Second},
		{"1e99", "", "", 1e9 * time.Second},
		{"NaN", "", "", 0},
		{"soon", "", "", 0},
		{"9", "250", "", 250 * time.Millisecond},
		{"9", "x", "", 9 * time.Second},
		{"Sat, 21 Nov 2026 12:00:30 GMT", "", "", 30 * time.Second},
		{"Sat, 21 Nov 2026 12:00:30 GMT", "", "Sat, 21 Nov 2026 11:59:30 GMT", time.Minute},
		{"Sat, 21 Nov 2026 11:00:00 GMT", "", "", 0},
		{"Sat, 21 Nov 9999 11:00:00 GMT", "", "", 1e9 * time.Second},
	} {
		h := http.Header{"Retry-After": {c.header}, "Retry-After-Ms": {c.ms}, "Date": {c.date}}
		if got := waitOf(h, &report{}, llm.Rate, now); got != c.want {
			t.Errorf("%+v: got %s", c, got)
		}
	}
}

func TestRetryAfterComesWithTheError(t *testing.T) {
	t.Parallel()
	server := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "7")
		w.WriteHeader(http.StatusTooManyRequests)
	})
	m := open(t, Config{BaseURL: server.URL})
	_, failure := listen(t, m.Generate(t.Context(), hello()))
	if failure == nil || failure.Class != llm.Rate || failure.RetryAfter != 7*time.Second {
		t.Errorf("got %+v", failure)
	}
}

func TestAnUnreachableEndpointIsWorthAnotherTry(t *testing.T) {
	t.Parallel()
	m := open(t, Config{BaseURL: "http://127.0.0.1:1"}) // where nobody listens
	_, failure := listen(t, m.Generate(t.Context(), hello()))
	if failure == nil || failure.Class != llm.Network || failure.Err == nil || !failure.Retryable() {
		t.Errorf("got %+v", failure)
	}
	plain := serve(t, func(http.ResponseWriter, *http.Request) {})
	m = open(t, Config{BaseURL: "https" + strings.TrimPrefix(plain.URL, "http")})
	_, failure = listen(t, m.Generate(t.Context(), hello()))
	if failure == nil || failure.Class != llm.Network || !strings.Contains(failure.Text, "TLS") || failure.Retryable() {
		t.Errorf("TLS to a server without: got %+v", failure)
	}
}

func TestNewRefusesWhatCannotWork(t *testing.T) {
	t.Parallel()
	for _, c := range []Config{{BaseURL: "https://x.example"}, {Model: "m"}, {BaseURL: "https://x.example", Model: " "}, {BaseURL: "https://x.example", Model: "m", MaxTokens: -1}} {
		if _, err := New(c); err == nil {
			t.Errorf("%+v is accepted", c)
		}
	}
}

func TestArgumentsOfAnyKindAreCarriedAndSentBack(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat(`{"a":`, 20000) + "1" + strings.Repeat("}", 20000)
	long := `{"a":"` + strings.Repeat("x", 5<<20) + `"}`
	given := []string{`null`, `[]`, `{"a":`, `{}{}`, `{"a":1,"a":2}`, deep, long, "\x00\x1b[2J", `"`, `\`}
	for range 500 {
		given = append(given, `{}`)
	}
	var events []string
	for i, args := range given {
		events = append(events, calls(fmt.Sprintf(`{"index":%d,"id":"c%d","function":{"name":"f"}}`, i, i)))
		for len(args) > 0 {
			n := min(len(args), 1<<20)
			text, err := json.Marshal(args[:n])
			if err != nil {
				t.Fatal(err)
			}
			events = append(events, calls(fmt.Sprintf(`{"index":%d,"function":{"arguments":%s}}`, i, text)))
			args = args[n:]
		}
	}
	rec := record(t, func(nth int, _ string) (int, string) {
		if nth > 0 {
			return http.StatusOK, ""
		}
		return http.StatusOK, sse(append(events, called)...)
	})
	m := open(t, Config{BaseURL: rec.URL})
	req := hello()
	for c, err := range m.Generate(t.Context(), req) {
		if err != nil {
			t.Fatal(err)
		}
		if !c.Done {
			continue
		}
		if len(c.Calls) != len(given) {
			t.Fatalf("%d calls of %d", len(c.Calls), len(given))
		}
		req.Messages = append(req.Messages, llm.Message{Role: llm.Assistant, Calls: c.Calls})
		for i, call := range c.Calls {
			if want := given[i]; call.Arguments != want && want != "null" {
				t.Errorf("call %d has %.40q, want %.40q", i, call.Arguments, want)
			}
			req.Messages = append(req.Messages, llm.Message{Role: llm.Tool, CallID: call.ID, Text: "no"})
		}
	}
	expect(t, sayHi, m.Generate(t.Context(), req))
}

func TestHTTP2IsSpokenAndItsStreamsAreClosed(t *testing.T) {
	t.Parallel()
	gone := make(chan struct{})
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ProtoMajor != 2 {
			t.Errorf("the request came by %s", r.Proto)
		}
		defer close(gone)
		_, _ = io.WriteString(w, frames(says("hi")))
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	}))
	server.EnableHTTP2 = true
	server.StartTLS()
	t.Cleanup(server.Close)
	m := open(t, Config{BaseURL: server.URL, Key: canary, Client: server.Client()})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var last error
	for _, err := range m.Generate(ctx, hello()) {
		cancel()
		last = err
	}
	if last != context.Canceled {
		t.Errorf("error %v", last)
	}
	<-gone
}

func TestAnUntrustedCertificateIsNotTriedAgain(t *testing.T) {
	t.Parallel()
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	server.Config.ErrorLog = log.New(io.Discard, "", 0)
	server.StartTLS()
	t.Cleanup(server.Close)
	m := open(t, Config{BaseURL: server.URL, Key: canary})
	_, failure := listen(t, m.Generate(t.Context(), hello()))
	if failure == nil || failure.Class != llm.Network || failure.Code != llm.CodeCertificate || failure.Retryable() {
		t.Errorf("got %+v", failure)
	}
}

func TestManyLearnAtOnce(t *testing.T) {
	t.Parallel()
	server := llmtest.StartStrict(t, llmtest.Strict{Answer: llmtest.Say("hi"), Refuses: []string{"max_tokens", "stream_options"}})
	m := open(t, Config{BaseURL: server.URL, MaxTokens: 9})
	var all sync.WaitGroup
	for range 16 {
		all.Go(func() { expectText(t, "hi", m.Generate(t.Context(), hello())) })
	}
	all.Wait()
	before := server.Counts().Begun
	expectText(t, "hi", m.Generate(t.Context(), hello()))
	if after := server.Counts().Begun; after != before+1 {
		t.Errorf("%d requests for an answer after all was learned", after-before)
	}
}
