package terminal

import (
	"context"
	"io"
	"os"
	"sync"
	"time"

	uv "github.com/charmbracelet/ultraviolet"
)

// An Input is the file that the keys are read from, for one reader. The reader can be
// ended while the user types: what it has not read stays for the next one.
type Input struct {
	*os.File
	mu    sync.Mutex
	ended bool
	last  time.Time // when it was read last
}

// NewInput returns the input that is read from in.
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

// reads notes that the input is being read, and reports whether it may be.
func (i *Input) reads() bool {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.last = time.Now()
	return !i.ended
}

// quiet is how long after it was read an event of the input may come: the library keeps a
// lone escape back, in case that more follows.
const quiet = 2 * uv.DefaultEscTimeout

// End lets nothing more be read, and returns when the reader has handed over what it has
// read, or ctx is done. The program must take events until then: the library's reader
// hands an event to nobody else, and waits for ever with one that the program does not
// take (ultraviolet's sendEvents heeds no context).
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
