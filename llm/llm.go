// Package llm defines what a language model is to the rest of the program: a [Model] gets
// a history and yields an answer piece by piece.
//
// Package chatapi asks models over the network, demo is the built-in model, registry
// finds the model that a role asks for, and llmtest tests what every model promises.
package llm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"time"
)

// A Model answers requests. Its methods may be called from any goroutine.
type Model interface {
	// Name is the model's name on the screen, for example "gpt-x".
	Name() string
	// Generate yields the reply piece by piece. It stops at the first error,
	// and when ctx is done it yields ctx.Err(). Every error that is not the
	// context's is an *Error; the Chunk beside it has at most the Usage that was
	// counted by then. A sequence that ended without an error has
	// yielded exactly one Chunk with Done set, as its last.
	Generate(ctx context.Context, req Request) iter.Seq2[Chunk, error]
}

// Role is the author of a Message.
type Role string

// The roles of the chat-completions protocol that this program sends. There is
// no system message in a history: Request.System is the only one.
const (
	User      Role = "user"
	Assistant Role = "assistant"
	Tool      Role = "tool"
)

// A Request is one question to a model. The caller must not change it while the
// answer is being read.
type Request struct {
	System   string
	Messages []Message
	Tools    []ToolSpec
	// MaxTokens bounds the answer; 0 leaves it to the endpoint.
	MaxTokens int
	// Effort is how much the model is to think, one of Efforts; "" leaves it to the settings
	// of the model.
	Effort string
}

// A Message is one entry of a history. The history of a Request is legal: each
// call of an assistant message is answered by exactly one tool message directly
// after it, because providers refuse anything else.
type Message struct {
	Role Role
	Text string
	// Reasoning is what the model thought before it answered, if the endpoint sent it;
	// some endpoints want it back in tool rounds.
	Reasoning string
	// Calls are the tool calls of an assistant message.
	Calls []Call
	// CallID names the call that a tool message answers.
	CallID string
	// Extra is what an endpoint sent that only it understands (for example
	// reasoning_details, extra_content), a JSON object merged into the message
	// when it is sent back. Empty for none.
	Extra json.RawMessage
	// Images follow the text of a user message, in order.
	Images []Image
}

// An Image is part of a user message.
type Image struct {
	Name string // for people and logs
	Type string // MIME: image/png, image/jpeg or image/webp
	Data []byte
	// Source is where the caller finds the Data. It is not sent.
	Source string
	// Tokens estimates what the image takes of the context.
	Tokens int
}

// A Call asks for a tool to be run.
type Call struct {
	// ID is unique within a conversation; the Model makes it so.
	ID string
	// ProviderID is the id that the endpoint gave, which it gets back.
	ProviderID string
	Name       string
	// Arguments is the text that the model wrote. It is usually a JSON object,
	// but may be anything, for example when the answer was cut short.
	Arguments string
	// Extra is as in Message, for this call alone.
	Extra json.RawMessage
}

// A ToolSpec describes a tool to a model.
type ToolSpec struct {
	Name        string
	Description string
	// Parameters is the JSON Schema of the arguments, an object schema.
	Parameters json.RawMessage
}

// A Chunk is a piece of an answer.
type Chunk struct {
	// Text and Reasoning are to be appended to what came before.
	Text      string
	Reasoning string
	// CallName announces that a call of a tool has begun; its arguments follow,
	// whole, in the last chunk.
	CallName string

	// Done marks the last chunk; the fields below are set only there.
	Done   bool
	Calls  []Call
	Finish Finish
	// Word is the endpoint's own for an end of which it is not known what it means.
	Word  string
	Usage Usage
	// Extra belongs into the assistant message that is kept (Message.Extra).
	Extra json.RawMessage
}

// Finish is why an answer ended.
type Finish string

// The reasons to end. An answer with calls is FinishStop or FinishLength: only
// with FinishStop may its calls be run. An answer that was filtered or refused
// has no calls, and may have no text either. One that ended for a reason that is not
// known has text and no calls. Of FinishLength there may be thoughts alone.
const (
	FinishStop    Finish = "stop"
	FinishLength  Finish = "length"
	FinishFilter  Finish = "content_filter"
	FinishRefusal Finish = "refusal"
	FinishUnknown Finish = "unknown"
)

// Usage counts tokens as the endpoint reported them; all zero if it did not.
type Usage struct {
	InputTokens      int
	OutputTokens     int
	CachedTokens     int // part of InputTokens, read from the endpoint's cache
	CacheWriteTokens int // part of InputTokens, written to it
	ReasoningTokens  int // part of OutputTokens
	// Cost is what the endpoint says that the answer cost, in the currency of its prices; nil
	// if it does not say.
	Cost *float64
}

// Class sorts errors by what can be done about them.
type Class string

// The classes. Rate, Overload, Network and Empty are worth another try; the rest is not,
// without a change.
const (
	Auth     Class = "auth"     // 401, 403: the key is wrong
	Quota    Class = "quota"    // nothing left to spend
	Rate     Class = "rate"     // too many requests; wait
	Overload Class = "overload" // 408, 409, 425, 5xx, truncated or stalled streams
	Network  Class = "network"  // the endpoint was not reached: its name, the dial, TLS, a proxy
	Empty    Class = "empty"    // an answer with nothing in it
	Context  Class = "context"  // the history is too long for the model
	NoModel  Class = "model"    // the endpoint does not have the model
	Protocol Class = "protocol" // the model does not chat, or takes no tools
	Filter   Class = "filter"   // a safety system refused the request
	NoImage  Class = "image"    // the model takes no images, or not this one
	Invalid  Class = "request"  // any other 4xx: the endpoint does not accept the request
	NotChat  Class = "not_chat" // a web page, a redirect: not a chat API
)

// The codes of what stands between the program and an answer. The first five are of Network
// errors: what could not be had on the way to the endpoint.
const (
	CodeHost        = "unknown_host"
	CodeUnreachable = "unreachable"
	CodeProxy       = "proxy"
	CodeTLS         = "tls"         // it speaks none
	CodeCertificate = "certificate" // it is not trusted
	CodeClosed      = "closed"      // the endpoint closed the connection
	CodeSilent      = "silent"      // it sent nothing for too long
	CodeRedirect    = "redirect"    // it sends requests elsewhere
)

// An Error is how a request failed. Text is one line, without control
// characters and without keys.
type Error struct {
	Class  Class
	Status int // of the HTTP answer; 0 if there was none
	// Code is the endpoint's name of the error, for example insufficient_quota, or one of
	// the codes above; "" for none.
	Code string
	Text string
	// Place is what one of the codes above is about: an address, a host, or where a redirect
	// leads; "" if that is not known. Proxy is the host of the proxy that the request went
	// through, "" for none.
	Place, Proxy string
	// Quotes is set where Text holds words of the endpoint, which may quote messages.
	Quotes bool
	// RetryAfter is how long the endpoint asked to wait; 0 for nothing.
	RetryAfter time.Duration
	// Truncated is set when part of an answer had arrived.
	Truncated bool
	// Final is set if the same request would fail in the same way again, whatever the class.
	Final bool
	// Window is the size of the model's context in tokens, if the endpoint named it; 0 if it
	// did not.
	Window int
	Err    error // the cause, may be nil
}

func (e *Error) Error() string {
	if e.Status != 0 {
		return fmt.Sprintf("%s (%d): %s", e.Class, e.Status, e.Text)
	}
	return fmt.Sprintf("%s: %s", e.Class, e.Text)
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Retryable reports whether the same request may succeed later without a change. What an
// endpoint shows of itself in TLS stays as it is.
func (e *Error) Retryable() bool {
	return !e.Final && e.Class.Retryable() && (e.Class != Network || e.Code != CodeTLS && e.Code != CodeCertificate)
}

// Known reports whether c is one of the classes above.
func (c Class) Known() bool {
	switch c {
	case Auth, Quota, Rate, Overload, Network, Empty, Context, NoModel, Protocol, Filter, NoImage, Invalid, NotChat:
		return true
	}
	return false
}

// Retryable reports whether the same request may succeed later without a change.
func (c Class) Retryable() bool {
	return c == Rate || c == Overload || c == Network || c == Empty
}

// AsError returns err as an *Error. What a Model should have classified but did
// not counts as Overload, so that it is tried again rather than lost.
func AsError(err error) *Error {
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	return &Error{Class: Overload, Text: err.Error(), Quotes: true, Err: err}
}
