package terminal

import (
	"math"
	"testing"
	"testing/synctest"
	"time"
)

// A wire is a line with a bandwidth and a delay of answers.
type wire struct {
	Line
	rate  float64 // bytes per second
	delay time.Duration
	mute  bool
	free  time.Time // when everything is read
	pairs int       // number of queries
}

// draw writes a frame of n bytes as the terminal does.
func (w *wire) draw(bytes int) {
	w.Drawn(bytes)
	asks := w.asks(bytes)
	if asks {
		w.pairs++
	}
	w.wrote(bytes, 0)
	w.take(0, asks)
	w.take(bytes, asks)
}

// take reads bytes and answers a query behind them.
func (w *wire) take(bytes int, asked bool) {
	if now := time.Now(); w.free.Before(now) {
		w.free = now
	}
	w.free = w.free.Add(time.Duration(float64(bytes) / w.rate * float64(time.Second)))
	if asked && !w.mute {
		time.AfterFunc(time.Until(w.free)+w.delay, w.Answered)
	}
}

// backlog returns the duration of the queued output.
func (w *wire) backlog() time.Duration { return max(time.Until(w.free), 0) }

// stream draws deferrable frames for a time, and returns the longest backlog
// and the number of frames.
func (w *wire) stream(bytes int, long time.Duration) (most time.Duration, frames int) {
	for end := time.Now().Add(long); time.Now().Before(end); time.Sleep(33 * time.Millisecond) {
		if w.Wait(false) > 0 {
			continue
		}
		w.draw(min(bytes, max(w.Draws(), 1)))
		frames++
		most = max(most, w.backlog())
	}
	return most, frames
}

func TestNothingQueuesOnASlowLine(t *testing.T) {
	t.Parallel()
	for _, rate := range []float64{1200, 4800, 9600} {
		for _, delay := range []time.Duration{0, 30 * time.Millisecond, 300 * time.Millisecond} {
			synctest.Test(t, func(t *testing.T) {
				w := &wire{rate: rate, delay: delay}
				w.draw(5000) // the first frame
				w.stream(600, 10*time.Second)
				if most, frames := w.stream(600, 20*time.Second); most > 2*piece || frames < 20 {
					t.Errorf("at %v, answered after %v: %v are on their way, in %d frames", rate, delay, most, frames)
				}
				if left := w.Draws(); math.Abs(float64(left)/(rate*piece.Seconds())-1) > 0.3 {
					t.Errorf("at %v, answered after %v: a frame may have %d bytes", rate, delay, left)
				}
				if wait := w.Wait(true); wait > 2*overdue {
					t.Errorf("at %v, answered after %v: a key waits for %v", rate, delay, wait)
				}
			})
		}
	}
}

// The delay of answers tells nothing about the bandwidth.
func TestLatencyDoesNotSlowAFastLine(t *testing.T) {
	t.Parallel()
	for _, delay := range []time.Duration{0, 20 * time.Millisecond, 80 * time.Millisecond, 300 * time.Millisecond} {
		synctest.Test(t, func(t *testing.T) {
			w := &wire{rate: 1e6, delay: delay}
			if _, frames := w.stream(3000, 10*time.Second); frames < 290 || w.Draws() != math.MaxInt {
				t.Errorf("answered after %v: %d frames in ten seconds, of %d bytes", delay, frames, w.Draws())
			}
		})
	}
}

func TestALineThatBecomesFastIsNotTakenForSlow(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := &wire{rate: 1200}
		w.draw(5000)
		w.stream(600, 10*time.Second)
		if w.Draws() > 200 {
			t.Errorf("at 1200 a frame may have %d bytes", w.Draws())
		}
		w.rate = 1e6
		if w.stream(600, 10*time.Second); w.Draws() != math.MaxInt {
			t.Errorf("a frame may have %d bytes still", w.Draws())
		}
	})
}

// An answer after a lone escape is waited for, so others must not follow at
// once.
func TestQuestionsAreRare(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := &wire{rate: 1e6}
		if w.stream(100, 10*time.Second); w.pairs > 40 || w.pairs < 30 {
			t.Errorf("asked %d times in ten seconds", w.pairs)
		}
	})
}

func TestMuteTerminalIsNotQueriedAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := &wire{rate: 1e6, mute: true}
		w.stream(100, 11*time.Second)
		if w.asks(100) {
			t.Error("asks(100) = true for a mute terminal, want false")
		}
		if answers, wait := w.ends(); answers > 0 || wait > 0 {
			t.Errorf("at the end %d answers are waited for, %v", answers, wait)
		}
		if _, frames := w.stream(100, 10*time.Second); frames < 70 || frames > 110 {
			t.Errorf("%d frames in ten seconds", frames)
		}
		if w.draw(100); w.Wait(true) > 0 {
			t.Errorf("Wait(true) = %v for a mute terminal, want 0", w.Wait(true))
		}
		w.wrote(100, 3400*time.Millisecond) // it had to wait
		if n := w.Draws(); n < 200 || n > 600 {
			t.Errorf("at 16 KiB in 3.4 s a frame may have %d bytes", n)
		}
	})
}

func TestLostAnswersAreGivenUp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := &wire{rate: 1e6}
		w.stream(100, time.Second)
		w.mute = true
		w.draw(100)
		time.Sleep(time.Second)
		w.draw(100)
		if time.Sleep(2 * overdue); w.Wait(false) == 0 {
			t.Error("Wait(false) = 0 while an answer is overdue, want more")
		}
		if time.Sleep(2 * patience); w.Wait(false) == 0 || w.Wait(true) > 0 {
			t.Errorf("Wait(false), Wait(true) = %v, %v after patience, want more, 0", w.Wait(false), w.Wait(true))
		}
		if time.Sleep(2 * lost); w.Wait(false) > 0 || w.Wait(true) > 0 {
			t.Errorf("Wait(false), Wait(true) = %v, %v after a lost answer, want 0, 0", w.Wait(false), w.Wait(true))
		}
	})
}

func TestWithoutALineEverythingIsDrawnAtOnce(t *testing.T) {
	t.Parallel()
	var l *Line
	l.Answered()
	l.Drawn(5000)
	if l.Wait(false) > 0 || l.Wait(true) > 0 || l.Draws() != math.MaxInt {
		t.Errorf("Wait(false), Wait(true), Draws() = %v, %v, %d for the nil Line, want 0, 0, no limit", l.Wait(false), l.Wait(true), l.Draws())
	}
}

// A terminal that stands still while it reads a small frame looks as if it took minutes for a
// large one.
func TestATerminalThatStandsStillOnceIsNotTakenForSlowForLong(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		w := &wire{rate: 1e6}
		w.draw(40)
		time.Sleep(askEvery)
		w.Drawn(40)
		if !w.asks(40) {
			t.Fatal("nothing is asked")
		}
		w.wrote(40, 0)
		w.take(0, true)
		w.free = time.Now().Add(2 * time.Second)
		w.take(40, true)
		w.draw(10_000)
		time.Sleep(2*time.Second + piece)
		if w.Draws() == math.MaxInt {
			t.Fatal("the line does not look slow: the test shows nothing")
		}
		if wait := w.Wait(false); wait > lost {
			t.Errorf("the next frame waits %v, want at most %v", wait, lost)
		}
		if w.stream(600, 10*time.Second); w.Draws() != math.MaxInt {
			t.Errorf("after ten seconds frames still have at most %d bytes", w.Draws())
		}
	})
}
