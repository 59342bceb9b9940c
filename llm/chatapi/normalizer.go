package chatapi

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"time"

	"society-tui/llm"
)

const (
	// longestAnswer bounds text, reasoning, arguments and extras together: more than any
	// message may have.
	longestAnswer = 16 << 20
	// What may follow the reason to end is at hand: usage, signatures, the rest of a text.
	usagePatience = 2 * time.Second
	// The last bytes of a body are waited for so that its connection can serve
	// again.
	lastBytesPatience = 100 * time.Millisecond
)

// A streamNormalizer turns an endpoint's stream into the protocol's: one chunk an event, one
// choice, dense indexes, the protocol's spellings, ended by [DONE]. Anything else in the
// stream, and a premature end of it, is an *llm.Error from Read.
type streamNormalizer struct {
	events  events
	source  *watched
	private redactor
	calls   slots
	halves  map[string][]byte // held back halves of surrogate pairs, by field

	out  []byte // canonical bytes; the first gone bytes were read
	gone int
	err  error // what next returns when all of out is read

	looked   bool   // the first byte was looked at
	chunks   int    // events that were chunks of an answer
	whole    bool   // one of them was a whole answer instead of a piece
	finish   string // in the protocol's words; empty until the endpoint said it
	hollow   bool   // the last choice said "" or null for it
	spoke    bool   // text, reasoning or a call came
	written  int    // bytes counted against longestAnswer
	complete bool   // the answer ended properly
}

func newStreamNormalizer(source *watched, private redactor) *streamNormalizer {
	return &streamNormalizer{events: events{lines: lines{src: source}}, source: source, private: private}
}

// next returns the next canonical chunk without its framing, and io.EOF after the last. It is
// valid until the next call.
func (m *streamNormalizer) next() ([]byte, error) {
	for m.gone == len(m.out) {
		if m.err != nil {
			return nil, m.err
		}
		m.out, m.gone = m.out[:0], 0
		m.step()
	}
	text, rest, _ := bytes.Cut(m.out[m.gone:], []byte("\n\n"))
	m.gone = len(m.out) - len(rest)
	text = bytes.TrimPrefix(text, []byte("data: "))
	if string(text) == "[DONE]" {
		return nil, io.EOF
	}
	return text, nil
}

// step takes one event, or the end.
func (m *streamNormalizer) step() {
	if !m.looked {
		m.looked = true
		if m.events.lines.peek() == '<' {
			m.source.within(errorPatience)
			m.refuse(llm.NotChat, "a web page answered: "+pageText(m.events.lines.gather(longestError)))
			m.quotes()
			return
		}
	}
	e, err := m.events.next()
	switch {
	case err != nil:
		m.end(err)
	case e.value.isObject():
		m.object(e.value, e.name)
	default:
		m.take(e)
	}
}

// take normalizes one event.
func (m *streamNormalizer) take(e event) {
	data := e.data[skipSpace(e.data, 0):]
	for len(data) > 0 && m.err == nil {
		if string(data) == "[DONE]" {
			m.done()
			return
		}
		v, rest, ok := first(data)
		switch {
		case ok && v.isObject():
			m.object(v, e.name)
		case ok && v.isArray():
			m.array(v, e.name)
		case e.name == "error":
			m.fault(data)
			return
		case isPulse(e.name):
			return
		case ok && v.isNull():
		case e.partial:
			m.end(io.ErrUnexpectedEOF)
			return
		default:
			m.unreadable()
			return
		}
		data = rest
	}
}

// isPulse reports whether an event of that name only keeps a connection open.
func isPulse(name string) bool {
	return name == "ping" || name == "keepalive" || name == "keep-alive" || name == "heartbeat"
}

func (m *streamNormalizer) array(v value, name string) {
	elements := v.members()
	for _, v, more := elements.next(); more && m.err == nil; _, v, more = elements.next() {
		if v.isObject() {
			m.object(v, name)
		}
	}
}

// done ends the stream on the side of the endpoint.
func (m *streamNormalizer) done() {
	if m.finish == "" && m.hollow && m.spoke {
		m.stop() // the endpoint has no other word for it
	}
	switch {
	case m.finish != "":
		m.finished()
	case !m.spoke:
		m.refuse(llm.Empty, "the answer is empty")
	default:
		m.cut("", "the endpoint ended the answer without saying why")
	}
}

// stop writes the reason to end that the endpoint left out.
func (m *streamNormalizer) stop() {
	m.finish = string(llm.FinishStop)
	m.out = append(m.out, `data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`+"\n\n"...)
}

// finished ends the canonical stream.
func (m *streamNormalizer) finished() {
	m.complete = true
	m.out = append(m.out, "data: [DONE]\n\n"...)
	m.err = io.EOF
}

// end handles the end of the source.
func (m *streamNormalizer) end(err error) {
	if m.finish == "" && m.whole && errors.Is(err, io.EOF) {
		m.stop() // a whole answer needs no word for its end
	}
	switch {
	case errors.Is(err, errLongLine) || errors.Is(err, errLongStream):
		m.refuse(llm.Invalid, err.Error())
	case m.finish != "":
		m.finished()
	case m.source.watch.fired():
		m.cut(llm.CodeSilent, m.source.watch.text())
	case errors.Is(err, io.EOF) && m.chunks == 0 && !m.events.alien:
		m.refuse(llm.Empty, "the answer is empty")
	case errors.Is(err, io.EOF) && m.chunks == 0:
		m.refuse(llm.NotChat, "the endpoint sent text that is no answer")
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		m.cut(llm.CodeClosed, "the answer was cut off")
	default:
		broken := networkFailure(err)
		m.err = &llm.Error{Class: llm.Overload, Code: llm.CodeClosed, Text: m.private.line("the answer was cut off: " + broken.Text), Truncated: m.spoke, Err: broken.Err}
	}
}

func (m *streamNormalizer) unreadable() { m.cut("", "the endpoint sent something unreadable") }

// cut ends the stream with an error that is worth another try. code is one of llm's, or "".
func (m *streamNormalizer) cut(code, text string) {
	m.err = &llm.Error{Class: llm.Overload, Code: code, Text: m.private.line(text), Truncated: m.spoke}
}

// fault ends the stream with the error that the endpoint reports in it.
func (m *streamNormalizer) fault(data []byte) {
	failure := m.private.classify(0, nil, data, time.Now())
	failure.Truncated = m.spoke
	m.err = failure
}

func (m *streamNormalizer) refuse(class llm.Class, text string) {
	m.err = &llm.Error{Class: class, Text: m.private.line(text), Truncated: m.spoke}
}

// quotes marks the error as holding words of the endpoint.
func (m *streamNormalizer) quotes() {
	if failure, ok := errors.AsType[*llm.Error](m.err); ok {
		failure.Quotes = true
	}
}

// count bounds the size of the answer.
func (m *streamNormalizer) count(n int) {
	m.written += n
	if m.written > longestAnswer {
		m.refuse(llm.Invalid, fmt.Sprintf("the answer is longer than %d MiB", longestAnswer>>20))
	}
}
