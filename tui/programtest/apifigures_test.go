package programtest

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"testing"
	"time"

	"society-tui/runtime/apiclient"
	"society-tui/runtime/httpserver"
	"society-tui/runtime/session"
	"society-tui/runtime/tables/tablestest"
)

// It measures how long what other programs ask takes over the socket. It takes an idle
// machine, so it runs only with SOCIETY_LONG=1.
func TestFiguresOfTheAPI(t *testing.T) {
	if os.Getenv("SOCIETY_LONG") == "" {
		t.Skip("SOCIETY_LONG=1 plays it")
	}
	const agents = 200
	for _, pace := range []time.Duration{0, 100 * time.Millisecond, 20 * time.Millisecond} {
		what := fmt.Sprintf("POST to its event, %d agents at rest", agents)
		h := newHome(t, "[model]", slow, "[limits]", fmt.Sprintf("model_calls = %d", agents))
		if pace == 0 {
			h.settled(tablestest.Settlement{Agents: agents, Said: 1})
		} else {
			what = fmt.Sprintf("the same with a piece of text for each every %v", pace)
			endpoint := httptest.NewServer(&talker{pace: pace})
			t.Cleanup(endpoint.Close) // after the program has ended
			h.env = append(h.env, "OPENAI_BASE_URL="+endpoint.URL+"/v1", "SOCIETY_MODEL=talker")
			h.crowded(agents)
		}
		running := h.serve()
		<-time.After(5 * time.Second) // until all calls have begun
		ours, anchor := sendsToEvents(t, h.client()), sendsToEvents(t, bare(t))
		if p95 := printed(t, what, ours); p95 > 5*time.Millisecond {
			t.Errorf("95 %% are within %v, want 5 ms", p95)
		}
		printed(t, "a bare server that syncs a file twice, meanwhile", anchor)
		t.Logf("median %.2f x, 95 %% %.2f x", float64(ours[50])/float64(anchor[50]), float64(ours[95])/float64(anchor[95]))
		running.signal(os.Kill)
		running.ends()
	}

	large := newHome(t, "[model]", slow)
	large.settled(tablestest.Settlement{Agents: 5000, Said: 20, Children: true})
	large.serve()
	first, all, bytes := large.listsAgents(50)
	printed(t, fmt.Sprintf("GET /api/agents with 5,000 agents (%.1f MB) to its first byte", float64(bytes)/1e6), first)
	printed(t, "the same to its end", all)
}

// bare returns a client of a server that does the least for a message and its event: it
// syncs a file as often as a commit does, and passes the event on.
func bare(t *testing.T) *apiclient.Client {
	t.Helper()
	folder := t.TempDir()
	file, err := os.Create(filepath.Join(folder, "log"))
	l, err2 := net.Listen("unix", filepath.Join(folder, "socket"))
	if err = errors.Join(err, err2); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = file.Close() })
	sent := make(chan struct{})
	mux := http.NewServeMux()
	mux.HandleFunc("GET /api/agents", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, `{"agents":[{"id":"root"},{"id":"one"}]}`)
	})
	mux.HandleFunc("GET /api/events", func(w http.ResponseWriter, r *http.Request) {
		for _, id := range []string{"root", "one"} {
			_, _ = fmt.Fprintf(w, "event: agent\ndata: {\"id\":%q}\n\n", id)
		}
		for http.NewResponseController(w).Flush() == nil {
			select {
			case <-sent:
				_, _ = io.WriteString(w, "event: agent\ndata: {\"id\":\"one\"}\n\n")
			case <-r.Context().Done():
				return
			}
		}
	})
	mux.HandleFunc("POST /api/send", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		for range 2 {
			_, err2 := file.Write(body)
			err = errors.Join(err, err2, file.Sync())
		}
		if err != nil {
			panic(err)
		}
		sent <- struct{}{}
		_, _ = io.WriteString(w, "{}")
	})
	server := &http.Server{Handler: mux}
	go func() { _ = server.Serve(l) }()
	t.Cleanup(func() { _ = server.Close() })
	c := apiclient.New(func(context.Context) (net.Conn, error) { return net.Dial("unix", l.Addr().String()) }, "")
	t.Cleanup(c.Close)
	return c
}

// sendsToEvents sends 100 messages, to each agent in turn, and returns how long it took
// until a client that reads events was told that the agent has changed.
func sendsToEvents(t *testing.T, c *apiclient.Client) (took []time.Duration) {
	t.Helper()
	var list struct{ Agents []struct{ ID string } }
	if err := c.Get(t.Context(), "/api/agents", nil, &list); err != nil {
		t.Fatal(err)
	}
	events, err := c.Events(t.Context(), url.Values{"kinds": {"message,timeline,agent"}})
	if err != nil {
		t.Fatal(err)
	}
	type change struct {
		id string
		at time.Time
	}
	changes := make(chan change, 10_000) // so that the reader is not held up
	go func() {
		for e, err := range events {
			if err != nil {
				return
			}
			var row struct{ ID string }
			if e.Kind == "agent" && json.Unmarshal(e.Data, &row) == nil {
				changes <- change{row.ID, time.Now()}
			}
		}
	}()
	for range list.Agents { // as they are at first
		<-changes
	}
	for i := range 100 {
		to := list.Agents[1+i%(len(list.Agents)-1)].ID
		for len(changes) > 0 {
			<-changes
		}
		began := time.Now()
		if err := c.Post(t.Context(), "/api/send", map[string]string{"agentId": to, "text": "More."}, new(apiclient.Sent)); err != nil {
			t.Fatal(err)
		}
		for told := false; !told; {
			select {
			case it := <-changes:
				if told = it.id == to; told {
					took = append(took, it.at.Sub(began))
				}
			case <-time.After(patience):
				t.Fatalf("nobody is told of a message to %s", to)
			}
		}
		<-time.After(20 * time.Millisecond)
	}
	return took
}

// listsAgents lists all agents so often, and returns how long the first byte and all bytes
// took, and how many there are.
func (h *home) listsAgents(times int) (first, all []time.Duration, bytes int64) {
	h.t.Helper()
	folder := h.path(dataFolder)
	token, err := httpserver.ReadToken(folder, session.Default)
	if err != nil {
		h.t.Fatal(err)
	}
	client := &http.Client{Transport: &http.Transport{DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return httpserver.Dial(ctx, folder, session.Default)
	}}}
	defer client.CloseIdleConnections()
	for range times {
		r, err := http.NewRequestWithContext(h.t.Context(), http.MethodGet, "http://localhost/api/agents", http.NoBody)
		if err != nil {
			h.t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+token)
		began := time.Now()
		reply, err := client.Do(r)
		if err != nil {
			h.t.Fatal(err)
		}
		body := bufio.NewReader(reply.Body)
		_, err = body.Peek(1)
		first = append(first, time.Since(began))
		if err == nil {
			bytes, err = io.Copy(io.Discard, body)
		}
		if all = append(all, time.Since(began)); err != nil || reply.StatusCode != http.StatusOK {
			h.t.Fatalf("GET /api/agents = %s, %v", reply.Status, err)
		}
		_ = reply.Body.Close()
	}
	return first, all, bytes
}
