package chatapi

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/bits"
)

const (
	longestEventLine = 4 << 20   // bytes of one line
	longestStream    = 256 << 20 // bytes of one answer on the wire, framing and comments included
	firstBuffer      = 16 << 10
)

var (
	errLongLine   = fmt.Errorf("the endpoint sent a line of more than %d MiB", longestEventLine>>20)
	errLongStream = fmt.Errorf("the endpoint sent more than %d MiB", longestStream>>20)
)

// lines cuts what it reads into lines that end in LF, CRLF or CR, without their
// ends. The last one may have no end.
type lines struct {
	src    io.Reader
	buf    []byte
	from   int // the first byte not given out
	looked int // bytes after from that hold no line end
	total  int
	skipLF bool // a CR ended the last line; a LF that follows belongs to it
	err    error
}

// next returns the next line, which is valid until the next call. At the end
// err is that of the source, usually io.EOF; line is then what was left, which
// may be nil.
func (l *lines) next() (line []byte, err error) {
	for {
		if l.skipLF && l.from < len(l.buf) {
			l.skipLF = false
			if l.buf[l.from] == '\n' {
				l.from++
			}
		}
		pending := l.buf[l.from:]
		if end := lineEnd(pending, l.looked); end >= 0 {
			l.skipLF = pending[end] == '\r'
			l.from += end + 1
			l.looked = 0
			return pending[:end], nil
		}
		l.looked = len(pending)
		if l.err != nil {
			l.from = len(l.buf)
			l.looked = 0
			return pending, l.err
		}
		if len(pending) >= longestEventLine {
			return nil, errLongLine
		}
		l.fill()
	}
}

func lineEnd(text []byte, from int) int {
	end := bytes.IndexByte(text[from:], '\n')
	if end < 0 {
		end = len(text) - from
	}
	if cr := bytes.IndexByte(text[from:from+end], '\r'); cr >= 0 {
		return from + cr
	}
	if from+end == len(text) {
		return -1
	}
	return from + end
}

// fill reads once, after making room.
func (l *lines) fill() {
	if l.from > 0 {
		l.buf = l.buf[:copy(l.buf, l.buf[l.from:])]
		l.from = 0
	}
	if len(l.buf) == cap(l.buf) {
		bigger := make([]byte, len(l.buf), max(firstBuffer, 2*cap(l.buf)))
		copy(bigger, l.buf)
		l.buf = bigger
	}
	n, err := l.src.Read(l.buf[len(l.buf):cap(l.buf)])
	l.buf = l.buf[:len(l.buf)+n]
	l.total += n
	l.err = err
	if l.total > longestStream && err == nil {
		l.err = errLongStream
	}
}

// peek skips spaces and byte order marks and returns the next byte without reading it; 0
// at the end.
func (l *lines) peek() byte {
	for {
		text := bytes.TrimLeft(bytes.TrimPrefix(l.buf, []byte("\xef\xbb\xbf")), " \t\r\n")
		if len(text) > 0 && (l.err != nil || !isPartOfMark(text)) {
			l.buf = text
			return text[0]
		}
		if l.err != nil {
			return 0
		}
		if len(text) == 0 {
			l.buf = text // a mark counts only at the very beginning, but nobody sends two
		}
		l.fill()
	}
}

// gather reads until there are limit bytes, or the end, and returns what there
// is without taking it.
func (l *lines) gather(limit int) []byte {
	for l.err == nil && len(l.buf) < limit {
		l.fill()
	}
	return l.buf[:min(len(l.buf), limit)]
}

func isPartOfMark(text []byte) bool {
	return string(text) == "\xef" || string(text) == "\xef\xbb"
}

// An event is one of the stream's. Its data is valid until the next one.
type event struct {
	name string // "error" also if the field itself was called that
	data []byte
	// value is the data if that is a whole JSON value, else nil.
	value value
	// partial is set if the stream ended before the data was a whole.
	partial bool
}

// events puts lines together to events. It is more lenient than the standard,
// as endpoints are: data that is a whole JSON value is an event at once, without
// the empty line after it, and bare JSON between the events is one too.
type events struct {
	lines lines
	name  string
	data  []byte
	whole value // the data, once it is a whole JSON value
	held  int   // lines in data
	bare  bool  // data began without a field
	ended bool  // an empty line ended the event, so its name is over
	alien bool  // a line was seen that is no part of a stream of events
	over  error
}

// next returns the next event. At the end err is that of the source, usually
// io.EOF.
func (e *events) next() (event, error) {
	if e.over != nil {
		return event{}, e.over
	}
	e.data, e.whole, e.held, e.bare = e.data[:0], nil, 0, false
	if e.ended {
		e.name, e.ended = "", false
	}
	for {
		line, err := e.lines.next()
		if err == nil || len(line) > 0 {
			if found := e.take(line); found {
				e.over = err
				return event{name: e.name, data: e.data, value: e.whole}, nil
			}
		}
		if len(e.data) > longestEventLine {
			err = errLongLine
		}
		if err != nil {
			e.over = err
			if e.held > 0 && !errors.Is(err, errLongLine) {
				return event{name: e.name, data: e.data, partial: true}, nil
			}
			return event{}, err
		}
	}
}

// take adds a line and reports whether an event is whole.
func (e *events) take(line []byte) bool {
	switch {
	case e.bare:
		return e.add(line)
	case len(line) == 0:
		e.ended = e.held > 0
		if !e.ended {
			e.name = ""
		}
		return e.ended
	case e.held == 0 && (line[0] == '{' || line[0] == '['):
		e.bare = true
		return e.add(line)
	}
	field, text, _ := bytes.Cut(line, []byte(":"))
	text = bytes.TrimPrefix(text, []byte(" "))
	switch string(field) {
	case "data":
		if len(text) > 0 && text[0] == ':' {
			return false // a comment that some proxy took for data
		}
		return e.add(text)
	case "error": // not in the standard
		e.name = "error"
		return e.add(text)
	case "event":
		e.name = string(text)
	case "", "id", "retry":
	default:
		e.alien = true
	}
	return false
}

// add adds a line of data and reports whether the data is a whole JSON value. Of
// data in very many lines that is not asked after each.
func (e *events) add(text []byte) bool {
	if e.held > 0 {
		e.data = append(e.data, '\n')
	}
	e.held++
	e.data = append(e.data, text...)
	if e.held > 64 && bits.OnesCount(uint(e.held)) > 1 {
		return false
	}
	v, rest, ok := first(e.data)
	if !ok || len(rest) > 0 {
		return false
	}
	e.whole = v
	return true
}
