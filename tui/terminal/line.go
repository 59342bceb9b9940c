package terminal

import (
	"math"
	"sync"
	"time"
)

// question queries the terminal's state. Every terminal answers after reading
// all that precedes it.
const (
	question = "\x1b[5n"
	Answer   = "\x1b[0n"
)

const (
	// askEvery is the least time between two queries. An answer after a lone escape
	// is waited for, so the next one must not follow soon.
	askEvery = 250 * time.Millisecond
	askSlow  = 100 * time.Millisecond // on a slow line, where little is written anyway

	// overdue is the delay from which the line counts as slow, patience how long a
	// key waits for an answer then, and lost when an answer is given up: a paste
	// may have swallowed it. The first frame may take long.
	overdue   = 100 * time.Millisecond
	patience  = time.Second
	lost      = 3 * time.Second
	lostFirst = 10 * time.Second

	// prompt is how much time of output may be queued when a key's effect is to be
	// drawn.
	prompt = 150 * time.Millisecond
	// piece is how long a piece of a frame may take, and whole how many bytes a
	// line must take in that time for frames not to be cut.
	piece = 100 * time.Millisecond
	whole = 8 << 10

	// blocked is the duration of a write that had to wait, and room how much was
	// read until it could continue: nearly the whole buffer of a pseudo-terminal.
	blocked = 50 * time.Millisecond
	room    = 12 << 10
	// doubted is the least time between two deferrable frames if the terminal does
	// not answer, because a buffer may fill unseen.
	doubted = 100 * time.Millisecond
)

// A Line measures how fast a terminal reads, to adapt drawing to it: otherwise
// frames would queue for seconds in the buffers between program and terminal.
// If the terminal answers, queries around a frame measure its duration; if not,
// only blocking writes tell. It may be used by any goroutine. The nil Line is
// infinitely fast.
type Line struct {
	mu       sync.Mutex
	perByte  float64   // seconds per byte, 0 unless known to be slow
	bytes    float64   // recent bytes, weighted
	seconds  float64   // their duration
	free     time.Time // when the terminal should have read everything
	reserved int       // drawn, not yet written
	last     time.Time // time of the last write

	awaited int           // outstanding answers: 2 around a frame, then 1
	asked   time.Time     // time of these queries
	heard   time.Time     // time of the first answer
	delay   time.Duration // delay of that answer, with nothing to read before it
	around  int           // bytes between the two
	since   int           // bytes after them
	answers bool          // it has answered once
	mute    bool          // it has not answered for long
}

// asks reports whether to query around a write of n bytes, and prepares for the
// answers, which may arrive before the write returns.
func (l *Line) asks(n int) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.forget()
	every := askEvery
	if l.perByte > 0 {
		every = askSlow
	}
	if l.mute || l.awaited > 0 || time.Since(l.asked) < every {
		l.since += n
		return false
	}
	l.awaited, l.asked, l.around, l.since = 2, time.Now(), n, 0
	return true
}

// wrote records a write and its duration.
func (l *Line) wrote(n int, took time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.answers && took >= blocked {
		const slower = 1.5 // slow compared with the estimate
		l.perByte = max(took.Seconds()/room, slower*l.perByte)
	}
	l.add(n - l.reserved)
	l.reserved, l.last = 0, time.Now()
}

// add adds n bytes to the expected queue. The queue is looked at again after some seconds at
// the latest: a terminal that stood still once, while its machine was busy, looks slow, and
// only the next frame can show that it is not.
func (l *Line) add(n int) {
	now := time.Now()
	if l.free.Before(now) {
		l.free = now
	}
	l.free = l.free.Add(time.Duration(max(float64(n), 0) * l.perByte * float64(time.Second)))
	if latest := now.Add(lost); l.free.After(latest) {
		l.free = latest
	}
}

// Answered records an answer of the terminal.
func (l *Line) Answered() {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	switch l.awaited {
	case 0:
		return
	case 2:
		l.answers, l.heard, l.delay = true, now, now.Sub(l.asked)
	case 1:
		l.measure(l.around, now.Sub(l.heard))
		l.free = now
		l.add(l.since + l.reserved)
	}
	l.awaited--
}

// measure adds a measurement.
func (l *Line) measure(n int, took time.Duration) {
	const older = 0.7
	l.bytes, l.seconds = older*l.bytes+float64(n), older*l.seconds+took.Seconds()
	l.perByte = 0
	if l.bytes > 0 && l.seconds/l.bytes > piece.Seconds()/whole {
		l.perByte = l.seconds / l.bytes
	}
}

// forget gives up outstanding queries.
func (l *Line) forget() {
	patient := lost
	if l.bytes == 0 {
		patient = lostFirst
	}
	if l.awaited > 0 && time.Since(l.asked) > patient {
		l.awaited, l.mute = 0, !l.answers
	}
}

// ends returns how many answers will arrive when the screen is left after one
// more query, and how long to wait for them; 0 answers means not to query. It
// stops expecting them.
func (l *Line) ends() (answers int, wait time.Duration) {
	const known, unknown = 500 * time.Millisecond, 100 * time.Millisecond
	l.mu.Lock()
	defer l.mu.Unlock()
	awaited := l.awaited
	l.awaited, l.free, l.reserved = 0, time.Time{}, 0
	switch {
	case l.answers:
		return awaited + 1, known
	case awaited > 0:
		return awaited + 1, unknown
	}
	return 0, 0
}

// Wait returns the time until the next frame should be drawn: urgent ones show
// the user's input, others wait until the line is free.
func (l *Line) Wait(urgent bool) time.Duration {
	if l == nil {
		return 0
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.forget()
	now := time.Now()
	wait, late := max(l.free.Sub(now), 0), l.delay+overdue
	if urgent {
		wait, late = wait-prompt, late+prompt
	} else if !l.answers {
		wait = max(wait, doubted-now.Sub(l.last))
	}
	if behind := now.Sub(l.asked) - late; l.answers && l.awaited > 0 && behind > 0 && !(urgent && behind > patience) {
		wait = max(wait, overdue)
	}
	return max(wait, 0)
}

// Draws returns how many bytes the next frame may have.
func (l *Line) Draws() int {
	if l == nil {
		return math.MaxInt
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.perByte == 0 {
		return math.MaxInt
	}
	return int(piece.Seconds() / l.perByte)
}

// Drawn records that a frame of n bytes is about to be written.
func (l *Line) Drawn(n int) {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.reserved += n
	l.add(n)
}
