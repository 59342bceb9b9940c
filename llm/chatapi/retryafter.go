package chatapi

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// longestWait keeps what an endpoint asks for within a time.Duration.
const longestWait = 1e9 // seconds

// retryAfter returns how long the endpoint asks to wait: in milliseconds, in seconds, or
// until a date. Anything else, and a past date, is 0.
func retryAfter(h http.Header, now time.Time) time.Duration {
	if d := seconds(h.Get("Retry-After-Ms"), 1000); d > 0 {
		return d
	}
	text := h.Get("Retry-After")
	if d := seconds(text, 1); d > 0 {
		return d
	}
	if at, err := http.ParseTime(text); err == nil {
		if served, err := http.ParseTime(h.Get("Date")); err == nil {
			now = served // the date refers to the endpoint's clock
		}
		return max(0, min(at.Sub(now), longestWait*time.Second))
	}
	return 0
}

// seconds reads a number of which perSecond make a second.
func seconds(text string, perSecond float64) time.Duration {
	n, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil || !(n > 0) { // also for NaN
		return 0
	}
	return time.Duration(min(n/perSecond, longestWait) * float64(time.Second))
}
