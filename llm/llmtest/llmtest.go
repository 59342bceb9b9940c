// Package llmtest is for tests of models and of what uses them: a model that answers from a
// script ([Script], [Func]), a chat-completions server that is as strict as the strictest
// provider ([StartStrict]), and the suite that every llm.Model has to pass ([Run],
// [RunScripted]).
package llmtest

import (
	"context"
	"iter"
	"strings"
	"time"
	"unicode/utf8"

	"society-tui/llm"
)

// An Answer is a model's answer to one request. It has to keep the promises of
// llm.Model.Generate, except for two that Scripted and StrictServer keep for it: a call
// without an id gets one, and when ctx is done it is cut off.
type Answer func(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error]

// Say answers with text, one chunk a word, and a usage of one token for every
// four bytes.
func Say(text string) Answer {
	return func(_ context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
		return func(yield func(llm.Chunk, error) bool) {
			for word := range words(text) {
				if !yield(llm.Chunk{Text: word}, nil) {
					return
				}
			}
			yield(last(req, len(text), nil), nil)
		}
	}
}

// CallTools answers with calls and no text. A call without arguments has "{}".
func CallTools(calls ...llm.Call) Answer { return SayAndCall("", calls...) }

// SayAndCall answers with text and then calls.
func SayAndCall(text string, calls ...llm.Call) Answer {
	return func(_ context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
		return func(yield func(llm.Chunk, error) bool) {
			for word := range words(text) {
				if !yield(llm.Chunk{Text: word}, nil) {
					return
				}
			}
			written := len(text)
			made := make([]llm.Call, len(calls))
			for i, call := range calls {
				if call.Arguments == "" {
					call.Arguments = "{}"
				}
				made[i] = call
				written += len(call.Name) + len(call.Arguments)
				if !yield(llm.Chunk{CallName: call.Name}, nil) {
					return
				}
			}
			yield(last(req, written, made), nil)
		}
	}
}

// CutShort answers as answer does, but ends with the finish reason for too few tokens.
func CutShort(answer Answer) Answer {
	return func(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
		return func(yield func(llm.Chunk, error) bool) {
			for chunk, err := range answer(ctx, req) {
				if chunk.Done {
					chunk.Finish = llm.FinishLength
				}
				if !yield(chunk, err) {
					return
				}
			}
		}
	}
}

// Chunks answers with exactly these chunks, whatever they are.
func Chunks(chunks ...llm.Chunk) Answer {
	return func(context.Context, llm.Request) iter.Seq2[llm.Chunk, error] {
		return func(yield func(llm.Chunk, error) bool) {
			for _, chunk := range chunks {
				if !yield(chunk, nil) {
					return
				}
			}
		}
	}
}

// Fail answers with an error and nothing else.
func Fail(err *llm.Error) Answer { return FailAfter("", err) }

// FailAfter says text, one chunk a word, and then fails.
func FailAfter(text string, err *llm.Error) Answer {
	return func(context.Context, llm.Request) iter.Seq2[llm.Chunk, error] {
		return func(yield func(llm.Chunk, error) bool) {
			for word := range words(text) {
				if !yield(llm.Chunk{Text: word}, nil) {
					return
				}
			}
			yield(llm.Chunk{}, err)
		}
	}
}

// Window answers as answer does what fits into so many tokens, by the count of
// the usage that it reports, and refuses the rest as full says.
func Window(tokens int, full *llm.Error, answer Answer) Answer {
	return func(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
		if size(req)/4+1 > tokens {
			return Fail(full)(ctx, req)
		}
		return answer(ctx, req)
	}
}

// Hang says nothing until ctx is done.
func Hang() Answer { return HangAfter("") }

// HangAfter says text, one chunk a word, and then nothing until ctx is done.
func HangAfter(text string) Answer {
	return func(ctx context.Context, _ llm.Request) iter.Seq2[llm.Chunk, error] {
		return func(yield func(llm.Chunk, error) bool) {
			for word := range words(text) {
				if !yield(llm.Chunk{Text: word}, nil) {
					return
				}
			}
			<-ctx.Done()
			yield(llm.Chunk{}, ctx.Err())
		}
	}
}

// When answers as answer does, but not before gate is closed or has a value.
func When(gate <-chan struct{}, answer Answer) Answer {
	return later(func(ctx context.Context) { waitFor(ctx, gate) }, answer)
}

// After answers as answer does once d has passed. In a bubble of
// testing/synctest that takes no time.
func After(d time.Duration, answer Answer) Answer {
	return later(func(ctx context.Context) {
		timer := time.NewTimer(d)
		defer timer.Stop()
		waitFor(ctx, timer.C)
	}, answer)
}

func waitFor[T any](ctx context.Context, c <-chan T) {
	select {
	case <-ctx.Done():
	case <-c:
	}
}

// later answers as answer does after wait has returned. If ctx is done by then
// it answers with that alone.
func later(wait func(context.Context), answer Answer) Answer {
	return func(ctx context.Context, req llm.Request) iter.Seq2[llm.Chunk, error] {
		return func(yield func(llm.Chunk, error) bool) {
			wait(ctx)
			if err := ctx.Err(); err != nil {
				yield(llm.Chunk{}, err)
				return
			}
			answer(ctx, req)(yield)
		}
	}
}

// last is the chunk that ends a sound answer of so many bytes.
func last(req llm.Request, written int, calls []llm.Call) llm.Chunk {
	return llm.Chunk{
		Done:   true,
		Calls:  calls,
		Finish: llm.FinishStop,
		Usage:  llm.Usage{InputTokens: size(req)/4 + 1, OutputTokens: written/4 + 1},
	}
}

// size returns the bytes of text in a request.
func size(req llm.Request) int {
	n := len(req.System)
	for _, m := range req.Messages {
		n += len(m.Text)
		for _, c := range m.Calls {
			n += len(c.Name) + len(c.Arguments)
		}
	}
	return n
}

// words cuts text after each space; joined, the pieces are the text.
func words(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for text != "" {
			n := strings.IndexAny(text, " \n") + 1
			if n == 0 {
				n = len(text)
			}
			for n < len(text) && !utf8.RuneStart(text[n]) {
				n++
			}
			if !yield(text[:n]) {
				return
			}
			text = text[n:]
		}
	}
}
