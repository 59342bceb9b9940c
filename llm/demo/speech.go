package demo

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	openai "github.com/sashabaranov/go-openai"

	"society-tui/llm"
	"society-tui/llm/demo/script"
)

const (
	// slowAnswer is how long a slow answer takes at DefaultPace.
	slowAnswer = 60 * time.Second
	// stalled is how long a client may read nothing before the connection is closed.
	stalled = 30 * time.Second
	// argumentBytes is the smallest piece of a call's arguments, argumentPieces the
	// largest number of pieces.
	argumentBytes  = 24
	argumentPieces = 200
)

// A speech is an answer that is being said.
type speech struct {
	completion completion // without choices
	reply      script.Reply
	pace       time.Duration // of a word
	finish     string
	wantUsage  bool
	usage      openai.Usage
}

// A piece is one chunk of a stream and how long it takes.
type piece struct {
	spoken spoken
	takes  time.Duration
}

// newSpeech prepares an answer. It is cut off where the request's limit of
// tokens is reached.
func newSpeech(pace time.Duration, in openai.ChatCompletionRequest, request llm.Request, reply script.Reply, digest string) *speech {
	s := &speech{
		completion: completion{ID: "chatcmpl-" + digest[:24], Model: in.Model}, reply: reply, pace: max(0, pace), finish: "stop",
		wantUsage: in.StreamOptions != nil && in.StreamOptions.IncludeUsage,
	}
	if reply.AtOnce {
		s.pace = 0
	}
	if in.Model == "" {
		s.completion.Model = ID
	}
	if len(reply.Calls) > 0 {
		s.finish = "tool_calls"
	}
	s.reply.Reasoning = s.within(request.MaxTokens, reply.Reasoning)
	s.reply.Text = s.within(request.MaxTokens, reply.Text)
	for i, c := range reply.Calls {
		if s.within(request.MaxTokens, c.Name+c.Arguments); s.finish == "length" {
			s.reply.Calls = reply.Calls[:i] // the last one was not said to its end
			break
		}
	}
	s.usage.PromptTokens = promptTokens(request)
	s.usage.TotalTokens = s.usage.PromptTokens + s.usage.CompletionTokens
	return s
}

// within counts the tokens of a text, and returns what a limit leaves of it; 0 is
// no limit.
func (s *speech) within(most int, text string) string {
	said := 0
	for _, word := range words(text) {
		cost := tokens(word)
		if s.finish == "length" || most > 0 && s.usage.CompletionTokens+cost > most {
			s.finish = "length"
			break
		}
		s.usage.CompletionTokens += cost
		said += len(word)
	}
	return text[:said]
}

// pieces cuts the answer into the pieces in which it is said.
func (s *speech) pieces() []piece {
	var pieces []piece
	for _, word := range words(s.reply.Reasoning) {
		pieces = append(pieces, piece{spoken{ReasoningContent: word}, s.pace})
	}
	text, pace := words(s.reply.Text), s.pace
	if s.reply.Slow {
		pace = max(pace, time.Duration(float64(slowAnswer)*float64(pace)/float64(DefaultPace))/time.Duration(max(1, len(text))))
	}
	for _, word := range text {
		pieces = append(pieces, piece{spoken{Content: &word}, pace})
	}
	for i, c := range s.calls() {
		rest := c.Function.Arguments
		c.Index, c.Function.Arguments = &i, ""
		pieces = append(pieces, piece{spoken{ToolCalls: []openai.ToolCall{c}}, s.pace})
		for _, bytes := range cut(rest, max(argumentBytes, len(rest)/argumentPieces)) {
			more := openai.ToolCall{Index: &i, Type: openai.ToolTypeFunction, Function: openai.FunctionCall{Arguments: bytes}}
			pieces = append(pieces, piece{spoken{ToolCalls: []openai.ToolCall{more}}, s.pace / 4})
		}
	}
	return pieces
}

func (s *speech) calls() []openai.ToolCall {
	var calls []openai.ToolCall
	for _, c := range s.reply.Calls {
		calls = append(calls, openai.ToolCall{ID: c.ID, Type: openai.ToolTypeFunction, Function: openai.FunctionCall{Name: c.Name, Arguments: c.Arguments}})
	}
	return calls
}

// whole is the answer in one.
func (s *speech) whole() completion {
	said := spoken{Role: "assistant", Content: &s.reply.Text, ReasoningContent: s.reply.Reasoning, ToolCalls: s.calls()}
	c := s.completion
	c.Object, c.Usage, c.Choices = "chat.completion", &s.usage, []choice{{Message: &said, FinishReason: &s.finish}}
	return c
}

// stream writes the answer piece by piece, until it is complete, the client is gone, or
// ctx is done.
func (s *speech) stream(ctx context.Context, w http.ResponseWriter) {
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-cache")
	w.WriteHeader(http.StatusOK)
	empty := ""
	if !s.event(ctx, w, choice{Delta: &spoken{Role: "assistant", Content: &empty}}) {
		return
	}
	for _, p := range s.pieces() {
		if !wait(ctx, p.takes) || !s.event(ctx, w, choice{Delta: &p.spoken}) {
			return
		}
	}
	if !s.event(ctx, w, choice{Delta: &spoken{}, FinishReason: &s.finish}) || s.wantUsage && !s.event(ctx, w) {
		return
	}
	write(ctx, w, "[DONE]")
}

// event writes one chunk; without choices, the usage. It returns false if that was the
// last.
func (s *speech) event(ctx context.Context, w http.ResponseWriter, choices ...choice) bool {
	c := s.completion
	c.Object, c.Choices = "chat.completion.chunk", append([]choice{}, choices...)
	if len(choices) == 0 {
		c.Usage = &s.usage
	}
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(c) // plain texts and numbers
	return write(ctx, w, strings.TrimSuffix(b.String(), "\n"))
}

func write(ctx context.Context, w http.ResponseWriter, data string) bool {
	out := http.NewResponseController(w)
	_ = out.SetWriteDeadline(time.Now().Add(stalled)) // in process there is none
	_, err := w.Write([]byte("data: " + data + "\n\n"))
	return err == nil && out.Flush() == nil && ctx.Err() == nil
}

// wait returns false if ctx ends first.
func wait(ctx context.Context, d time.Duration) bool {
	if d <= 0 {
		return true
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}
