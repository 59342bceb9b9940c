package llm

import (
	"context"
	"fmt"
	"unicode/utf8"
)

// WireBytes is the most of a request, and of an answer, that a Wire gives back.
const WireBytes = 64 << 10

// wireMargin is how much more of an answer is kept than returned, and wireEnd how much is
// left out at the end of a cut one, so that no part of a key that the cut has broken is
// shown.
const (
	wireMargin = 8 << 10
	wireEnd    = 4 << 10
)

// A Wire keeps what one call sent to its endpoint and what came back, for a log. The Model
// that is asked under a context with a Wire fills it. It is for one goroutine at a time.
type Wire struct {
	request string
	answer  []byte
	size    int // of the whole answer
	redact  func(string) string
}

type wireKey struct{}

// WithWire returns a context under which a Model fills w.
func WithWire(ctx context.Context, w *Wire) context.Context {
	return context.WithValue(ctx, wireKey{}, w)
}

// WireOf returns the Wire of a context, nil if it has none.
func WireOf(ctx context.Context) *Wire {
	w, _ := ctx.Value(wireKey{}).(*Wire)
	return w
}

// Sent starts to keep an exchange, in place of the one before. redact removes keys from a
// text.
func (w *Wire) Sent(request []byte, redact func(string) string) {
	*w = Wire{request: string(request), redact: redact}
}

// Write keeps a piece of the answer. It never fails.
func (w *Wire) Write(p []byte) (int, error) {
	w.size += len(p)
	w.answer = append(w.answer, p[:min(len(p), WireBytes+wireMargin-len(w.answer))]...)
	return len(p), nil
}

// Request returns what was sent, without keys.
func (w *Wire) Request() string {
	if w.redact == nil {
		return ""
	}
	return cutWire(w.redact(w.request), len(w.request), false)
}

// Answer returns what came back, without keys.
func (w *Wire) Answer() string {
	if w.redact == nil {
		return ""
	}
	text, cut := w.redact(string(w.answer)), w.size >= WireBytes
	if cut {
		text = text[:max(len(text)-wireEnd, 0)]
	}
	return cutWire(text, w.size, cut)
}

// cutWire cuts a part of an exchange, and marks one that is cut.
func cutWire(text string, size int, cut bool) string {
	if !cut && len(text) <= WireBytes {
		return text
	}
	said := fmt.Sprintf("… (cut, %d bytes in all)", size)
	end := min(len(text), WireBytes-len(said))
	for end > 0 && end < len(text) && !utf8.RuneStart(text[end]) {
		end--
	}
	return text[:end] + said
}
