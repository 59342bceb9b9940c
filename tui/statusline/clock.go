package statusline

import "time"

// longestTick is the most that one tick counts, because nobody works while the
// machine sleeps.
const longestTick = time.Minute

// A stopwatch runs while an agent is busy.
type stopwatch struct {
	sum  time.Duration
	last time.Time // the last tick while busy
}

func (s *stopwatch) tick(now time.Time, busy bool) {
	if !busy {
		s.last = time.Time{}
		return
	}
	if d := now.Sub(s.last); !s.last.IsZero() && d > 0 && d < longestTick {
		s.sum += d
	}
	s.last = now
}

// window is the period for measuring the rate.
const window = 5 * time.Second

// A meter measures how fast a number grows.
type meter struct{ seen []reading }

type reading struct {
	at    time.Time
	total int
}

// tick records the number. Readings older than the window are dropped, except
// the newest of them.
func (m *meter) tick(now time.Time, total int) {
	if n := len(m.seen); n > 0 && total < m.seen[n-1].total {
		m.seen = m.seen[:0] // another society
	}
	for len(m.seen) > 1 && now.Sub(m.seen[1].at) >= window {
		m.seen = append(m.seen[:0], m.seen[1:]...)
	}
	// Ticks come with every frame, but ten readings a second are enough.
	if n := len(m.seen); n > 1 && now.Sub(m.seen[n-2].at) < 100*time.Millisecond {
		m.seen[n-1] = reading{now, total}
		return
	}
	m.seen = append(m.seen, reading{now, total})
}

// rate returns the growth per second.
func (m *meter) rate() int {
	if len(m.seen) < 2 {
		return 0
	}
	first, last := m.seen[0], m.seen[len(m.seen)-1]
	return int(float64(last.total-first.total) / window.Seconds())
}
