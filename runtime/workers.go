package runtime

// idleWorkersMost is how many idle worker goroutines are kept for reuse: a new one would
// have to grow its stack again.
const idleWorkersMost = 8

// A worker is a goroutine that does one piece of work after the other.
type worker struct {
	next chan func() // capacity 1: it is empty while the worker rests
}

// startWorker lets a worker that rests do f, or a new one.
func (r *Runtime) startWorker(f func()) {
	select {
	case w := <-r.workers.idle:
		w.next <- f
	default:
		w := &worker{next: make(chan func(), 1)}
		r.goTracked(func() { r.workOn(w, f) })
	}
}

// workOn does f and what comes then, until there are enough who rest or the loop has
// ended.
func (r *Runtime) workOn(w *worker, f func()) {
	for {
		f()
		select {
		case r.workers.idle <- w:
		default:
			return
		}
		select {
		case f = <-w.next:
		case <-r.shutdown.done:
			return
		}
	}
}
