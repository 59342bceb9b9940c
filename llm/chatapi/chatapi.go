// Package chatapi asks models behind any endpoint that speaks the chat-completions protocol,
// or nearly does. [New] makes a model from its address, name and key.
//
// Requests and their types are go-openai's. Beneath it an HTTP doer of our own normalizes
// what endpoints really send before go-openai reads it (doer.go, normalizer.go): streams
// without [DONE], indexes that are missing or repeated, calls in the old spelling, errors
// inside a stream, whole answers instead of one. What an endpoint refuses or demands is
// learned from its errors (quirks.go).
//
// The package logs nothing, starts no goroutine but a timer for silence, and uses no
// network until a model is asked.
package chatapi

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	openai "github.com/sashabaranov/go-openai"

	"society-tui/llm"
)

// DefaultIdleTimeout limits how long an endpoint may send nothing. Models that think in
// silence on slow machines need more than a minute.
const DefaultIdleTimeout = 300 * time.Second

// Config is which model to ask, and how.
type Config struct {
	// BaseURL is the root of the endpoint's API, for example https://api.example.com/v1.
	// See FixBaseURL for what is accepted. Required.
	BaseURL string
	// Key is sent as a bearer token; empty for endpoints that want none.
	Key Key
	// Model is the name by which the endpoint knows the model. Required.
	Model string
	// Client does the requests. It is copied, and the copy follows no redirect.
	// The default has its own connections, which Close closes.
	Client *http.Client
	// IdleTimeout bounds how long the endpoint may send nothing, before its
	// headers and within the answer. 0 is DefaultIdleTimeout, less than 0 is no
	// bound.
	IdleTimeout time.Duration
	// MaxTokens bounds the answers to requests that do not say it themselves; 0
	// leaves it to the endpoint.
	MaxTokens int
	// Reasoning selects which of the model's thoughts are sent back to it.
	Reasoning ReasoningPolicy
	// Memory knows what the endpoint has refused; nil for what only this model learns.
	Memory *Memory
	Options
	// resolver finds the addresses of the endpoint; nil for the system's.
	resolver *net.Resolver
}

// A ReasoningPolicy selects the messages of a history in which the reasoning is sent back.
// Endpoints differ, and change.
type ReasoningPolicy int

// The policies. Whichever is chosen, an endpoint that refuses or demands it
// with a 400 is obeyed from then on.
const (
	ReasoningInToolRounds ReasoningPolicy = iota // with messages that have calls
	ReasoningAlways
	ReasoningNever
)

// Model is a model behind an endpoint. It implements llm.Model.
type Model struct {
	config  Config
	base    *url.URL
	client  http.Client
	idle    time.Duration // 0 for no bound
	private redactor
	origin  string
	own     *http.Transport // nil if the client was given
	learned *learned
}

// New checks config and returns the model it describes. The errors never hold
// the key.
func New(config Config) (*Model, error) {
	if strings.TrimSpace(config.Model) == "" {
		return nil, errors.New("the model has no name")
	}
	if config.MaxTokens < 0 {
		return nil, fmt.Errorf("max tokens is %d", config.MaxTokens)
	}
	key, err := cleanKey(config.Key)
	if err != nil {
		return nil, err
	}
	config.Key = key
	base, err := parseBaseURL(config.BaseURL)
	if err != nil {
		return nil, err
	}
	if err := config.check(); err != nil {
		return nil, err
	}
	dial, err := config.reach(base)
	if err != nil {
		return nil, err
	}
	m := &Model{config: config, base: base, private: newRedactor(key, config.spelled()...), origin: originOf(base.String(), config.Model)}
	m.learned = config.Memory.of(base.String() + " " + config.Model)
	switch {
	case config.IdleTimeout == 0:
		m.idle = DefaultIdleTimeout
	case config.IdleTimeout > 0:
		m.idle = config.IdleTimeout
	}
	if config.Client != nil {
		m.client = *config.Client
	} else {
		m.own = newTransport(dial)
		m.client.Transport = m.own
	}
	// A redirect would take the history, if not the key, to somebody else.
	m.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return m, nil
}

// Name returns the name of the model as the endpoint knows it.
func (m *Model) Name() string { return m.config.Model }

// BaseURL returns the address of the endpoint, as FixBaseURL has it.
func (m *Model) BaseURL() string { return m.base.String() }

// Close closes idle connections of the model's own. It may still be asked afterwards.
func (m *Model) Close() error {
	if m.own != nil {
		m.own.CloseIdleConnections()
	}
	return nil
}

// Generate asks the endpoint. A request that the endpoint refuses because of a
// field it does not know is sent again without that field, at once; other
// errors are the caller's to retry. Each call of the answer has an id that no
// other call anywhere has. Leaving the loop closes the connection.
func (m *Model) Generate(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
	return func(yield func(llm.Chunk, error) bool) {
		if err := ctx.Err(); err != nil {
			yield(llm.Chunk{}, err)
			return
		}
		work, cancel := context.WithCancelCause(ctx)
		defer cancel(nil)
		answer, from, err := m.open(work, cancel, req)
		if err != nil {
			yield(llm.Chunk{}, m.failure(ctx, err))
			return
		}
		defer answer.Close()
		for chunk, err := range m.private.chunks(read(answer.streamNormalizer, from)) {
			if err != nil || ctx.Err() != nil {
				yield(llm.Chunk{Usage: chunk.Usage}, m.failure(ctx, err))
				return
			}
			if !yield(chunk, nil) {
				return
			}
		}
	}
}

// open sends the request, adapted to what the endpoint has refused so far, and again
// without what it refuses now.
func (m *Model) open(ctx context.Context, cancel context.CancelCauseFunc, req llm.Request) (*normalizedBody, origin, error) {
	for {
		quirks := m.learned.quirks()
		sent := m.build(req, quirks)
		exchange := &exchange{
			client: &m.client, base: m.base, private: m.private, options: &m.config, learned: m.learned,
			sent: &sent, idle: newWatch(m.idle, cancel), wire: llm.WireOf(ctx),
		}
		settings := openai.DefaultConfig(string(m.config.Key))
		settings.BaseURL = m.base.String()
		settings.HTTPClient = exchange
		_, err := openai.NewClientWithConfig(settings).CreateChatCompletionStream(ctx, sent.body)
		if err == nil {
			return exchange.answer, origin{m.origin, sent.tools}, nil
		}
		exchange.idle.stop()
		if ctx.Err() != nil || !m.learned.from(err, quirks, &sent) {
			return nil, origin{}, err
		}
	}
}

// failure returns err as the caller is to see it: the context's error if it is done,
// else an *llm.Error.
func (m *Model) failure(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if e, ok := errors.AsType[*refusal](err); ok {
		return e.failure
	}
	if e, ok := errors.AsType[*llm.Error](err); ok {
		return e
	}
	return m.unsendable(err)
}

// unsendable explains why go-openai did not send a request.
func (m *Model) unsendable(err error) *llm.Error {
	if errors.Is(err, openai.ErrReasoningToolsRequireResponses) || errors.Is(err, openai.ErrReasoningEffortUnsupported) {
		const text = "this model takes tools only through another protocol (the Responses API), unless reasoning_effort is none and it allows that"
		return &llm.Error{Class: llm.Protocol, Text: text, Err: err}
	}
	return &llm.Error{Class: llm.Invalid, Text: m.private.line(err.Error()), Err: err}
}
