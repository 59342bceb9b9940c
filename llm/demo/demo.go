// Package demo is the offline model: it speaks the chat-completions protocol, in
// process or to other programs on this machine, needs no network, and leads a real
// society for any request. Package script decides its answers, from the request
// alone.
package demo

import (
	"fmt"
	"net/http"
	"time"

	"society-tui/llm"
	"society-tui/llm/chatapi"
	"society-tui/llm/demo/script"
)

// Name is the model's name on the screen.
const Name = "offline demo model"

// ID is the model's name in the protocol. A request may name any other.
const ID = "offline-demo"

// DefaultPace is how long a word takes, for a user who reads along.
const DefaultPace = 33 * time.Millisecond

// Config configures the model.
type Config struct {
	// Pace is how long a word or two Chinese characters take; 0 is as fast as possible. A
	// negative one is an error.
	Pace time.Duration
	// Window limits the tokens of a request, 0 for no limit. A larger request is refused,
	// so that a user can see how a full context is handled.
	Window int
	// Key is demanded of each request; "" for none.
	Key string
}

func (c Config) check() error {
	if c.Pace < 0 {
		return fmt.Errorf("the pace is %v", c.Pace)
	}
	return nil
}

// New returns the model, spoken to without a port. Each answer has one
// goroutine, which ends when the answer is read, left or cancelled.
func New(config Config) (llm.Model, error) {
	if err := config.check(); err != nil {
		return nil, err
	}
	m, err := chatapi.New(chatapi.Config{
		BaseURL: "http://127.0.0.1/v1", // never dialled
		Model:   ID,
		Client:  &http.Client{Transport: &transport{handler: Handler(config)}},
		// The handler never stalls, and a pace may be as slow as one likes.
		IdleTimeout: -1,
	})
	if err != nil {
		return nil, fmt.Errorf("ask the offline model: %w", err)
	}
	return named{m}, nil
}

// named is the model under the name that people see.
type named struct{ *chatapi.Model }

func (named) Name() string { return Name }

// Examples returns three requests to try, in the language of a locale such as "en"
// or "zh-CN". Each leads to agents that write to each other.
func Examples(lang string) []string { return script.Examples(script.ParseLanguage(lang)) }
