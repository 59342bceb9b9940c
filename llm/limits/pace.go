package limits

import (
	"math"
	"time"

	"golang.org/x/time/rate"
)

// A model is what counts for one model beside the others of its endpoint.
type model struct {
	running int
	starts  pace
	tokens  pace
}

// ready returns when a call with so many tokens may begin.
func (m *model) ready(now time.Time, tokens int) time.Time {
	starts, used := m.starts.ready(now, 1), m.tokens.ready(now, tokens)
	if used.After(starts) {
		return used
	}
	return starts
}

// A pace is a limit per minute. The zero value has none.
type pace struct {
	perMinute int
	limiter   *rate.Limiter
}

// set changes the limit; 0 is none. A tenth of it may come at once; as much less comes
// afterwards, so that no minute has more.
func (p *pace) set(perMinute int) {
	if p.perMinute == perMinute {
		return
	}
	p.perMinute, p.limiter = perMinute, nil
	if perMinute > 0 {
		burst := max(perMinute/10, 1)
		p.limiter = rate.NewLimiter(rate.Limit(float64(perMinute-burst+1)/60), burst)
	}
}

// ready returns when n may be taken. More than may come at once has to wait until nothing is
// owed, and is owed then.
func (p *pace) ready(now time.Time, n int) time.Time {
	if p.limiter == nil {
		return now
	}
	missing := float64(min(n, p.limiter.Burst())) - p.limiter.TokensAt(now)
	if missing < 1e-6 {
		return now
	}
	return now.Add(time.Duration(math.Ceil(missing / float64(p.limiter.Limit()) * float64(time.Second))))
}

// take takes n, even if that much is not there; less than nothing gives some back.
func (p *pace) take(now time.Time, n int) {
	if p.limiter == nil {
		return
	}
	for n != 0 {
		part := min(n, p.limiter.Burst())
		p.limiter.ReserveN(now, part)
		n -= part
	}
}
