package demo

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

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
	id, model string
	reply     script.Reply
	pace      time.Duration // of a word
	finish    string
	usage     usage
	wantUsage bool
}

// A piece is one chunk of a stream and how long it takes.
type piece struct {
	spoken spoken
	takes  time.Duration
}

// newSpeech prepares an answer. It is cut off where the request's limit of
// tokens is reached.
func newSpeech(pace time.Duration, in chatRequest, request llm.Request, reply script.Reply, digest string) *speech {
	s := &speech{id: "chatcmpl-" + digest[:24], model: in.Model, reply: reply, pace: max(0, pace), finish: "stop", wantUsage: in.StreamOptions.IncludeUsage}
	if s.model == "" {
		s.model = ID
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
		pieces = append(pieces, piece{spoken{ToolCalls: []wireCall{c}}, s.pace})
		for _, bytes := range cut(rest, max(argumentBytes, len(rest)/argumentPieces)) {
			pieces = append(pieces, piece{spoken{ToolCalls: []wireCall{{Index: &i, Function: function{Arguments: bytes}}}}, s.pace / 4})
		}
	}
	return pieces
}

func (s *speech) calls() []wireCall {
	var calls []wireCall
	for _, c := range s.reply.Calls {
		calls = append(calls, wireCall{ID: c.ID, Type: "function", Function: function{Name: c.Name, Arguments: c.Arguments}})
	}
	return calls
}

// whole is the answer in one.
func (s *speech) whole() completion {
	said := spoken{Role: "assistant", Content: &s.reply.Text, ReasoningContent: s.reply.Reasoning, ToolCalls: s.calls()}
	return completion{
		ID: s.id, Object: "chat.completion", Model: s.model, Usage: &s.usage,
		Choices: []choice{{Message: &said, FinishReason: &s.finish}},
	}
}

// stream writes the answer piece by piece, until it is complete, the client is gone, or
// ctx is done.
func (s *speech) stream(ctx context.Context, w http.ResponseWriter) {
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-cache")
	w.WriteHeader(http.StatusOK)
	out := http.NewResponseController(w)
	event := func(data string) bool {
		_ = out.SetWriteDeadline(time.Now().Add(stalled)) // in process there is none
		if _, err := w.Write([]byte("data: " + data + "\n\n")); err != nil {
			return false
		}
		return out.Flush() == nil && ctx.Err() == nil
	}
	chunk := func(c ...choice) string {
		return encode(completion{ID: s.id, Object: "chat.completion.chunk", Model: s.model, Choices: append([]choice{}, c...)})
	}
	empty := ""
	if !event(chunk(choice{Delta: &spoken{Role: "assistant", Content: &empty}})) {
		return
	}
	timer := time.NewTimer(0)
	defer timer.Stop()
	for _, p := range s.pieces() {
		if p.takes > 0 {
			timer.Reset(p.takes)
			select {
			case <-ctx.Done():
				return
			case <-timer.C:
			}
		}
		if !event(chunk(choice{Delta: &p.spoken})) {
			return
		}
	}
	if !event(chunk(choice{Delta: &spoken{}, FinishReason: &s.finish})) {
		return
	}
	if s.wantUsage {
		last := completion{ID: s.id, Object: "chat.completion.chunk", Model: s.model, Choices: []choice{}, Usage: &s.usage}
		if !event(encode(last)) {
			return
		}
	}
	event("[DONE]")
}

// encode writes what is made of plain texts and numbers, which cannot fail.
func encode(c completion) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(c)
	return strings.TrimSuffix(b.String(), "\n")
}

// words cuts a text into what is said at a time: a word with the space after
// it, or two Chinese characters. Joined, they are the text.
func words(text string) []string {
	var pieces []string
	start, han := 0, 0
	for i, r := range text {
		before, _ := utf8.DecodeLastRuneInString(text[:i])
		if i > start && (unicode.IsSpace(before) && !unicode.IsSpace(r) || han >= 2) {
			pieces = append(pieces, text[start:i])
			start, han = i, 0
		}
		if unicode.Is(unicode.Han, r) {
			han++
		}
	}
	if start < len(text) {
		pieces = append(pieces, text[start:])
	}
	return pieces
}

// cut cuts a text into pieces of at most so many bytes, between characters.
func cut(text string, most int) []string {
	var pieces []string
	for len(text) > most {
		n := most
		for n > 1 && !utf8.RuneStart(text[n]) {
			n--
		}
		pieces = append(pieces, text[:n])
		text = text[n:]
	}
	return append(pieces, text)
}

// tokens estimates what a text costs: a token for four letters, or for one
// Chinese character. It is an estimate even of what the estimate is of, but one
// that grows as the text does.
func tokens(text string) int {
	quarters := 0
	for _, r := range text {
		if unicode.Is(unicode.Han, r) {
			quarters += 4
		} else {
			quarters++
		}
	}
	return (quarters + 3) / 4
}

func promptTokens(request llm.Request) int {
	n := tokens(request.System)
	for _, m := range request.Messages {
		n += tokens(m.Text) + tokens(m.Reasoning) + 4
		for _, c := range m.Calls {
			n += tokens(c.Name) + tokens(c.Arguments)
		}
	}
	for _, t := range request.Tools {
		n += tokens(t.Name) + tokens(t.Description) + tokens(string(t.Parameters))
	}
	return n
}
