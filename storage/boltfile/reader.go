package boltfile

import "os"

// window is how much is read ahead, after streak consecutive pages.
const (
	window = 64 << 10
	streak = 3
)

// A reader reads pages of a file, and ahead where they are asked for in their
// order: to ask the system for each would take longer than to look at it. It never
// maps the file.
type reader struct {
	file  *os.File
	ahead []byte // what was read ahead
	at    int64  // where that begins
	next  int64  // where the last page ended
	runs  int    // pages that were asked for in their order
}

// page reads a page that begins at an offset.
func (r *reader) page(b []byte, at int64) error {
	if r.runs++; at < r.next || at-r.next >= window {
		r.runs = 0
	}
	r.next = at + int64(len(b))
	if r.held(b, at) {
		return nil
	}
	if r.runs >= streak {
		r.fill(at)
		if r.held(b, at) {
			return nil
		}
	}
	return readFull(r.file, b, at)
}

func (r *reader) held(b []byte, at int64) bool {
	from := at - r.at
	if from < 0 || from+int64(len(b)) > int64(len(r.ahead)) {
		return false
	}
	copy(b, r.ahead[from:])
	return true
}

// fill reads ahead as much as there is. An error is left to whoever asks for a page
// that is not held then: it may lie behind all that are in use.
func (r *reader) fill(at int64) {
	if r.ahead == nil {
		r.ahead = make([]byte, window)
	}
	n, _ := r.file.ReadAt(r.ahead[:window], at)
	r.ahead, r.at = r.ahead[:n], at
}
