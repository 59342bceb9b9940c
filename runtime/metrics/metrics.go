// Package metrics measures a society for Prometheus.
//
// A [Metrics] is the runtime's Observer and serves GET /metrics. No label grows with
// agents or tasks. What can be counted at any time (agents, queues, bytes of the store) is
// read when it is asked for.
package metrics

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"society-tui/llm"
	"society-tui/runtime"
	"society-tui/runtime/conversation"
)

// namespace begins the names of our metrics.
const namespace = "society"

// A Metrics measures one society. It may be used from any goroutine.
type Metrics struct {
	registry *prometheus.Registry

	messages   *prometheus.CounterVec
	calls      *prometheus.GaugeVec
	duration   *prometheus.HistogramVec
	firstToken *prometheus.HistogramVec
	tokens     *prometheus.CounterVec
	retries    *prometheus.CounterVec
	tools      *prometheus.HistogramVec
	commits    prometheus.Histogram
	requests   *prometheus.CounterVec
	streams    prometheus.Gauge
	screens    prometheus.Gauge
}

// Buckets in seconds, for calls of models and of tools, and for commits.
var (
	slow = []float64{.1, .25, .5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600}
	fast = []float64{.0001, .00025, .0005, .001, .0025, .005, .01, .025, .05, .1, .5, 1, 5}
)

// New returns a Metrics of a program with a version.
func New(version string) *Metrics {
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		return prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: namespace, Name: name, Help: help}, labels)
	}
	gauge := func(name, help string, labels ...string) *prometheus.GaugeVec {
		return prometheus.NewGaugeVec(prometheus.GaugeOpts{Namespace: namespace, Name: name, Help: help}, labels)
	}
	histogram := func(name, help string, buckets []float64, labels ...string) *prometheus.HistogramVec {
		return prometheus.NewHistogramVec(prometheus.HistogramOpts{Namespace: namespace, Name: name, Help: help, Buckets: buckets}, labels)
	}
	build := gauge("build_info", "The program's version; the value is always 1.", "version")
	build.WithLabelValues(version).Set(1)
	m := &Metrics{
		registry:   prometheus.NewRegistry(),
		messages:   counter("messages_total", "Messages by what became of them: accepted, read, told or refused.", "outcome"),
		calls:      gauge("model_calls", "Calls of models that wait for a slot or run.", "model", "state"),
		duration:   histogram("model_call_duration_seconds", "Time of a call of a model.", slow, "model", "outcome"),
		firstToken: histogram("model_first_token_seconds", "Time until the first piece of an answer.", slow, "model"),
		tokens:     counter("model_tokens_total", "Tokens that models counted.", "model", "direction"),
		retries:    counter("retries_total", "Failed calls of models that are tried again.", "model", "class"),
		tools:      histogram("tool_duration_seconds", "Time of a call of a tool.", slow, "tool", "outcome"),
		requests:   counter("http_requests_total", "Requests to the HTTP API.", "route", "method", "code"),
		commits: prometheus.NewHistogram(prometheus.HistogramOpts{
			Namespace: namespace, Name: "commit_duration_seconds", Help: "Time of a transaction, until it is on disk.", Buckets: fast,
		}),
		streams: prometheus.NewGauge(prometheus.GaugeOpts{Namespace: namespace, Name: "streams", Help: "Clients that read events."}),
		screens: prometheus.NewGauge(prometheus.GaugeOpts{Namespace: namespace, Name: "screens", Help: "Screens in other processes that are attached."}),
	}
	m.registry.MustRegister(
		build, m.messages, m.calls, m.duration, m.firstToken, m.tokens, m.retries, m.tools, m.requests, m.commits, m.streams, m.screens,
		collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
	)
	return m
}

// Handler serves GET /metrics; of is asked for what can be counted then.
func (m *Metrics) Handler(of Source) http.Handler {
	m.registry.MustRegister(&sums{of: of})
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{})
}

// ModelQueued counts calls that wait for a slot.
func (m *Metrics) ModelQueued(model string, more int) {
	m.calls.WithLabelValues(model, "queued").Add(float64(more))
}

// ModelRunning counts calls that run.
func (m *Metrics) ModelRunning(model string, more int) {
	m.calls.WithLabelValues(model, "running").Add(float64(more))
}

// ModelCalled measures a call.
func (m *Metrics) ModelCalled(model string, c runtime.ModelCall) {
	m.duration.WithLabelValues(model, c.Outcome).Observe(c.Took.Seconds())
	if c.First > 0 {
		m.firstToken.WithLabelValues(model).Observe(c.First.Seconds())
	}
	m.tokens.WithLabelValues(model, "input").Add(float64(c.Usage.Input))
	m.tokens.WithLabelValues(model, "output").Add(float64(c.Usage.Output))
}

// ModelRetried counts a failed call that is tried again.
func (m *Metrics) ModelRetried(model string, class llm.Class) {
	m.retries.WithLabelValues(model, string(class)).Inc()
}

// ToolCalled measures a call of a tool.
func (m *Metrics) ToolCalled(tool string, outcome conversation.Outcome, took time.Duration) {
	m.tools.WithLabelValues(tool, string(outcome)).Observe(took.Seconds())
}

// Committed measures a transaction.
func (m *Metrics) Committed(took time.Duration) { m.commits.Observe(took.Seconds()) }

// Messages counts messages.
func (m *Metrics) Messages(outcome string, n int) {
	m.messages.WithLabelValues(outcome).Add(float64(n))
}

// Requested counts a request to the HTTP API. Its route is a pattern, or "-".
func (m *Metrics) Requested(route, method string, code int) {
	m.requests.WithLabelValues(route, method, strconv.Itoa(code)).Inc()
}

// Streaming counts clients that begin to read events (1) or end it (-1).
func (m *Metrics) Streaming(more int) { m.streams.Add(float64(more)) }

// Attached counts screens in other processes that attach (1) or go (-1).
func (m *Metrics) Attached(more int) { m.screens.Add(float64(more)) }

// A Source counts what can be counted at any time.
type Source func(ctx context.Context) (Sums, error)

// Sums are the sums of a society.
type Sums struct {
	Agents  map[string]int // by state
	Waiting int            // messages in queues
	Bytes   int64          // of the store
	Unsaved bool           // nothing can be saved now
}

// sums collects the sums when metrics are asked for.
type sums struct{ of Source }

var (
	agentsDesc  = prometheus.NewDesc(namespace+"_agents", "Agents by state.", []string{"state"}, nil)
	mailboxDesc = prometheus.NewDesc(namespace+"_mailbox_messages", "Messages that agents have not read yet.", nil, nil)
	bytesDesc   = prometheus.NewDesc(namespace+"_store_bytes", "Size of the store's file.", nil, nil)
	unsavedDesc = prometheus.NewDesc(namespace+"_unsaved", "1 while nothing can be saved.", nil, nil)
)

// Describe sends the descriptions.
func (s *sums) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{agentsDesc, mailboxDesc, bytesDesc, unsavedDesc} {
		to <- d
	}
}

// patience is how long the society may take to count itself.
const patience = 5 * time.Second

// Collect sends the sums. Without them the other metrics are still served.
func (s *sums) Collect(to chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	n, err := s.of(ctx)
	if err != nil {
		return
	}
	send := func(d *prometheus.Desc, v float64, labels ...string) {
		to <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v, labels...)
	}
	for state, agents := range n.Agents {
		send(agentsDesc, float64(agents), state)
	}
	send(mailboxDesc, float64(n.Waiting))
	send(bytesDesc, float64(n.Bytes))
	unsaved := 0.0
	if n.Unsaved {
		unsaved = 1
	}
	send(unsavedDesc, unsaved)
}
