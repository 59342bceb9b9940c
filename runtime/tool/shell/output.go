package shell

import (
	"strings"
	"sync"

	"society-tui/runtime/protocol"
)

// outputMost bounds what is kept of what a command writes, in bytes: with what the result says
// besides it is no more than the result of a call may be.
const outputMost = 16<<20 - 64<<10

// An output is what a command writes: its beginning and its end. It takes no more memory than
// a few times its bound, however much is written. Its methods may be called on any goroutine.
type output struct {
	most  int                // bytes of the beginning, and of the end
	watch func(piece []byte) // nil for nobody

	mu      sync.Mutex
	head    []byte
	tail    []byte // at most twice most
	written int64
	read    int64 // how much was taken by next
}

func newOutput(most int, watch func([]byte)) *output { return &output{most: most / 2, watch: watch} }

// Write never fails.
func (o *output) Write(piece []byte) (int, error) {
	o.add(piece)
	if o.watch != nil {
		o.watch(piece)
	}
	return len(piece), nil
}

func (o *output) add(piece []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.written += int64(len(piece))
	if room := o.most - len(o.head); room > 0 {
		n := min(room, len(piece))
		o.head = append(o.head, piece[:n]...)
		piece = piece[n:]
	}
	if len(piece) >= o.most {
		o.tail = append(o.tail[:0], piece[len(piece)-o.most:]...)
		return
	}
	if len(o.tail)+len(piece) > 2*o.most {
		o.tail = append(o.tail[:0], o.tail[len(o.tail)-o.most+len(piece):]...)
	}
	o.tail = append(o.tail, piece...)
}

// end returns the end of what was written and is not in the beginning. The caller holds mu.
func (o *output) end() []byte { return o.tail[max(0, len(o.tail)-o.most):] }

// text returns what was written as UTF-8 text, with a line in place of the middle that is no
// longer known.
func (o *output) text(lang protocol.Lang) string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return join(o.head, o.end(), o.written-int64(len(o.head)+len(o.end())), lang)
}

// next returns what was written since it was called before, likewise.
func (o *output) next(lang protocol.Lang) string {
	o.mu.Lock()
	defer o.mu.Unlock()
	end := o.end()
	from := o.read
	o.read = o.written
	var head []byte
	if from < int64(len(o.head)) {
		head, from = o.head[from:], int64(len(o.head))
	}
	ends := o.written - int64(len(end)) // where the end begins
	dropped := max(0, ends-from)
	return join(head, end[max(0, from-ends):], dropped, lang)
}

func join(head, end []byte, dropped int64, lang protocol.Lang) string {
	if dropped == 0 {
		return mended(string(head) + string(end))
	}
	return mended(string(head)) + "\n" + textDropped.With(dropped).In(lang) + "\n" + mended(string(end))
}

// mended makes bytes text that a model and the store can take.
func mended(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }

// unread reports whether something was written since next was called.
func (o *output) unread() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.written > o.read
}
