package metrics_test

import (
	"context"
	"errors"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil/promlint"

	"society-tui/llm"
	"society-tui/llm/llmtest"
	"society-tui/runtime"
	"society-tui/runtime/metrics"
	"society-tui/runtime/society"
	"society-tui/storage/memdb"
)

// scrape returns what GET /metrics shows, which promtool finds nothing in.
func scrape(t *testing.T, m *metrics.Metrics, of metrics.Source) string {
	t.Helper()
	w := httptest.NewRecorder()
	m.Handler(of).ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), "GET", "/metrics", nil))
	if w.Code != 200 {
		t.Fatalf("GET /metrics = %d %s", w.Code, w.Body)
	}
	if problems, err := promlint.New(strings.NewReader(w.Body.String())).Lint(); err != nil || len(problems) > 0 {
		t.Errorf("promlint finds %v, %v", problems, err)
	}
	return w.Body.String()
}

// has checks that all lines are shown.
func has(t *testing.T, shown string, lines ...string) {
	t.Helper()
	for _, line := range lines {
		if !strings.Contains(shown, "\n"+line+"\n") {
			t.Errorf("GET /metrics does not show %q:\n%s", line, shown)
		}
	}
}

func TestWorkOfASocietyIsMeasured(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := metrics.New("1.2.3")
		model := llmtest.Script("scripted",
			llmtest.Fail(&llm.Error{Class: llm.Overload, Text: "busy"}),
			llmtest.CallTools(llm.Call{ID: "1", Name: "context_status", Arguments: "{}"}), llmtest.Say("done"))
		r, err := runtime.Open(runtime.Config{Store: memdb.New(), Model: model, Check: true, Observer: m})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- r.Run(ctx) }()
		for _, to := range []society.AgentID{society.Root, "none"} {
			if _, err := r.Do(ctx, society.Send{To: to, Text: "go"}); (err != nil) != (to == "none") {
				t.Errorf("Do(Send to %s) = %v", to, err)
			}
		}
		time.Sleep(time.Minute)
		has(t, scrape(t, m, func(context.Context) (metrics.Sums, error) {
			return metrics.Sums{Agents: map[string]int{"idle": 1}, Waiting: 2, Bytes: 3, Unsaved: true}, nil
		}),
			`society_messages_total{outcome="accepted"} 1`, `society_messages_total{outcome="read"} 1`,
			`society_messages_total{outcome="told"} 1`, `society_messages_total{outcome="refused"} 1`,
			`society_model_call_duration_seconds_count{model="scripted",outcome="ok"} 2`,
			`society_model_call_duration_seconds_count{model="scripted",outcome="overload"} 1`,
			`society_model_first_token_seconds_count{model="scripted"} 2`,
			`society_retries_total{class="overload",model="scripted"} 1`,
			`society_model_calls{model="scripted",state="running"} 0`,
			`society_build_info{version="1.2.3"} 1`,
			`society_agents{state="idle"} 1`, `society_mailbox_messages 2`, `society_store_bytes 3`, `society_unsaved 1`,
		)
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}

// A society that does not answer keeps nothing else from being shown.
func TestTheRestIsShownWithoutSums(t *testing.T) {
	t.Parallel()
	m := metrics.New("1")
	m.Requested("GET /api/health", "GET", 200)
	m.Streaming(1)
	m.Attached(2)
	shown := scrape(t, m, func(context.Context) (metrics.Sums, error) { return metrics.Sums{}, errors.New("stuck") })
	has(t, shown, `society_http_requests_total{code="200",method="GET",route="GET /api/health"} 1`, `society_streams 1`, `society_screens 2`)
	if strings.Contains(shown, "society_agents") {
		t.Errorf("agents are shown without sums:\n%s", shown)
	}
}
