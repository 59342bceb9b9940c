package mcp

import (
	"bufio"
	"bytes"
	"io"
	"sync"
)

// A tail keeps the last bytes that were written to it.
type tail struct {
	most int

	mu   sync.Mutex
	kept []byte // at most twice most, so that not every write moves it
}

func newTail(most int) *tail { return &tail{most: most} }

// Write implements io.Writer. It never fails.
func (t *tail) Write(b []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept = append(t.kept, b[max(0, len(b)-t.most):]...)
	if len(t.kept) > 2*t.most {
		t.kept = append([]byte(nil), t.kept[len(t.kept)-t.most:]...)
	}
	return len(b), nil
}

// String returns what is kept.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(t.kept[max(0, len(t.kept)-t.most):])
}

// lastLine returns the last line that is not empty, to be shown.
func (t *tail) lastLine() string {
	text := bytes.TrimSpace([]byte(t.String()))
	return line(string(text[bytes.LastIndexByte(text, '\n')+1:]), 300)
}

// messages reads the messages that a server writes, a line each. Other lines go where its
// standard error goes: many servers greet on the wrong stream, and would be lost for it.
type messages struct {
	in     *bufio.Reader
	closer io.Closer
	beside io.Writer
	within bool // a message
}

func newMessages(in io.ReadCloser, beside io.Writer) *messages {
	return &messages{in: bufio.NewReaderSize(in, 64<<10), closer: in, beside: beside}
}

// Close implements io.Closer.
func (m *messages) Close() error { return m.closer.Close() }

// Read implements io.Reader.
func (m *messages) Read(p []byte) (int, error) {
	for !m.within {
		first, err := m.in.Peek(1)
		if err != nil {
			return 0, err
		}
		switch first[0] {
		case '{', '[':
			m.within = true
		case ' ', '\t', '\r', '\n':
			_, _ = m.in.Discard(1) // which is there
		default:
			if err := m.skipLine(); err != nil {
				return 0, err
			}
		}
	}
	if _, err := m.in.Peek(1); err != nil {
		return 0, err
	}
	part, _ := m.in.Peek(min(m.in.Buffered(), len(p)))
	if end := bytes.IndexByte(part, '\n'); end >= 0 {
		part, m.within = part[:end+1], false
	}
	n := copy(p, part)
	_, _ = m.in.Discard(n) // which is there
	return n, nil
}

func (m *messages) skipLine() error {
	for {
		part, err := m.in.ReadSlice('\n')
		_, _ = m.beside.Write(part) // never fails
		if err != bufio.ErrBufferFull {
			return err
		}
	}
}
