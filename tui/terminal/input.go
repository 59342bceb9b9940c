package terminal

import (
	"context"
	"io"
	"os"
	"sync"
	"time"

	uv "github.com/charmbracelet/ultraviolet"
)

// An Input is the file that keys are read from, by one reader at a time. The
// reader can be ended while the user types: unread input stays for the next
// one.
type Input struct {
	*os.File
	mu    sync.Mutex
	ended bool
	last  time.Time // time of the last read
}

func NewInput(in *os.File) *Input { return &Input{File: in} }

// Read reads keys. It returns io.EOF after End.
func (i *Input) Read(p []byte) (int, error) {
	if !i.reads() {
		return 0, io.EOF
	}
	n, err := i.File.Read(p)
	i.reads()
	return n, err
}

// reads records a read, and reports whether reading is allowed.
func (i *Input) reads() bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.last = time.Now()
	return !i.ended
}

// quiet is how long after a read an event may follow: the library holds back a
// lone escape, in case more follows.
const quiet = 2 * uv.DefaultEscTimeout

// End stops reading, and returns when the reader has delivered its events, or
// ctx is done. The program must receive events until then, because the
// library's sendEvents blocks forever otherwise.
func (i *Input) End(ctx context.Context) {
	i.mu.Lock()
	i.ended = true
	last := i.last
	i.mu.Unlock()
	select {
	case <-time.After(quiet - time.Since(last)):
	case <-ctx.Done():
	}
}
