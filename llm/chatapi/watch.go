package chatapi

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync/atomic"
	"time"
)

// errStalled is the cause of a context that was cancelled because nothing came.
var errStalled = errors.New("the endpoint stopped sending")

// A watch cancels a request when the endpoint sends nothing for too long. It is
// used by one goroutine at a time. It counts only while it is started, so that
// a slow reader is not taken for a slow endpoint.
type watch struct {
	patience time.Duration // 0 for no bound
	cancel   context.CancelCauseFunc
	timer    *time.Timer
	hit      atomic.Bool // set by the timer
}

func newWatch(patience time.Duration, cancel context.CancelCauseFunc) *watch {
	return &watch{patience: patience, cancel: cancel}
}

// limit makes the watch less patient.
func (w *watch) limit(patience time.Duration) {
	if w.patience == 0 || patience < w.patience {
		w.patience = patience
	}
}

func (w *watch) start() {
	switch {
	case w.patience == 0:
	case w.timer == nil:
		w.timer = time.AfterFunc(w.patience, w.fire)
	default:
		w.timer.Reset(w.patience)
	}
}

func (w *watch) stop() {
	if w.timer != nil {
		w.timer.Stop()
	}
}

func (w *watch) fire() {
	w.hit.Store(true)
	w.cancel(errStalled)
}

// fired reports whether the endpoint sent nothing for too long.
func (w *watch) fired() bool { return w.hit.Load() }

func (w *watch) text() string {
	return fmt.Sprintf("%s: no data for %s", errStalled, w.patience)
}

// watched is a reader whose every Read has a timeout.
type watched struct {
	io.Reader
	watch *watch
	once  bool // the watch is on all that is read from now on together
	begun bool
}

// within bounds how long all further reading may take.
func (r *watched) within(patience time.Duration) {
	r.watch.limit(patience)
	r.once, r.begun = true, false
}

func (r *watched) Read(p []byte) (int, error) {
	if !r.begun {
		r.watch.start()
	}
	r.begun = r.once
	n, err := r.Reader.Read(p)
	if !r.once {
		r.watch.stop()
	}
	return n, err
}
