package terminal

import (
	"math"
	"sync"
	"time"
)

// question asks a terminal for its state. Every terminal answers it when it has read all
// that stands before it.
const (
	question = "\x1b[5n"
	Answer   = "\x1b[0n"
)

const (
	// askEvery is the least time between two questions. An answer in the wake of a lone
	// escape is waited for, and must not be followed by the next one soon.
	askEvery = 250 * time.Millisecond
	askSlow  = 100 * time.Millisecond // on a slow line, where little is written anyway

	// overdue is how long after it was expected an answer means that the line has become
	// slow, patience for how long a key waits for it then, and lost after how long nobody
	// does any more: a paste may have swallowed it. The first frame may take long.
	overdue   = 100 * time.Millisecond
	patience  = time.Second
	lost      = 3 * time.Second
	lostFirst = 10 * time.Second

	// prompt is how much of what was written may be on its way when a key is to be shown.
	prompt = 150 * time.Millisecond
	// piece is how long a piece of a frame may take, and whole the bytes that a line takes
	// in that time for which a frame is not cut into pieces.
	piece = 100 * time.Millisecond
	whole = 8 << 10

	// blocked is how long a write takes that found no room, and room what has been read
	// until it finds some: nearly all that lies in the buffer of a pseudo-terminal.
	blocked = 50 * time.Millisecond
	room    = 12 << 10
	// doubted is the least time between two frames that can wait where the terminal has
	// not answered: a buffer may fill that nobody tells of.
	doubted = 100 * time.Millisecond
)

// A Line measures how fast a terminal reads, so that what is drawn adapts to it: between the
// program and the terminal lie buffers in which frames would queue for seconds. Where the
// terminal answers questions, two of them around a frame tell how long the frame took; where
// it does not, only a write that found no room tells something. It may be used by any
// goroutine. The nil Line is as fast as one likes.
type Line struct {
	mu       sync.Mutex
	perByte  float64   // seconds, 0 while it is not known to be slow
	bytes    float64   // of the last measures, the older the less
	seconds  float64   // that they took
	free     time.Time // when it is expected to have taken all
	reserved int       // bytes that are drawn and not written yet
	last     time.Time // when something was written

	awaited int           // answers: 2 of those around a frame, then 1
	asked   time.Time     // when these questions were
	heard   time.Time     // when the first of them was answered
	delay   time.Duration // of that answer, before which nothing was to be read
	around  int           // bytes between the two
	since   int           // bytes behind them
	answers bool          // it has answered once
	mute    bool          // it has not, for long
}

// asks reports whether questions are to be asked around so many bytes that are written now,
// and expects the answers: they may come before the write returns.
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

// wrote notes what was written, and how long that took.
func (l *Line) wrote(n int, took time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.answers && took >= blocked {
		const slower = 1.5 // it was not taken for slow enough before
		l.perByte = max(took.Seconds()/room, slower*l.perByte)
	}
	l.add(n - l.reserved)
	l.reserved, l.last = 0, time.Now()
}

// add expects so many bytes more to be taken.
func (l *Line) add(n int) {
	if now := time.Now(); l.free.Before(now) {
		l.free = now
	}
	l.free = l.free.Add(time.Duration(max(float64(n), 0) * l.perByte * float64(time.Second)))
}

// Answered notes that the terminal has answered a question.
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

// measure takes over how long bytes took.
func (l *Line) measure(n int, took time.Duration) {
	const older = 0.7
	l.bytes, l.seconds = older*l.bytes+float64(n), older*l.seconds+took.Seconds()
	l.perByte = 0
	if l.bytes > 0 && l.seconds/l.bytes > piece.Seconds()/whole {
		l.perByte = l.seconds / l.bytes
	}
}

// forget gives up questions that nobody answers.
func (l *Line) forget() {
	patient := lost
	if l.bytes == 0 {
		patient = lostFirst
	}
	if l.awaited > 0 && time.Since(l.asked) > patient {
		l.awaited, l.mute = 0, !l.answers
	}
}

// ends returns how many answers are to come when the screen is left and one more question
// is asked, and how long to wait for them. 0 is not to ask. It expects them no more.
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

// Wait returns how long it is until the next frame should be drawn: one that shows what the
// user did, or one that can wait until the line is free. 0 is at once.
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

// Drawn notes that a frame of so many bytes is about to be written.
func (l *Line) Drawn(n int) {
	if l == nil {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.reserved += n
	l.add(n)
}
