package chatapi

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"society-tui/llm"
	"society-tui/llm/lazyregexp"
)

// longestWait keeps what an endpoint asks for within a time.Duration.
const longestWait = 1e9 // seconds

// waitOf returns how long the endpoint asks to wait, in its headers or in the body; 0 if it
// does not say so, or until a time that is past.
func waitOf(header http.Header, r *report, class llm.Class, now time.Time) time.Duration {
	if served, err := http.ParseTime(header.Get("Date")); err == nil {
		now = served // dates refer to the endpoint's clock
	}
	if d := retryAfter(header, now); d > 0 {
		return d
	}
	if class != llm.Rate && class != llm.Quota && class != llm.Overload {
		return 0 // what other errors say of times is about something else
	}
	if d := r.wait(now); d > 0 {
		return d
	}
	if d := waitInText(r.text); d > 0 {
		return d
	}
	if d := retryAfter(r.header, now); d > 0 {
		return d
	}
	if class == llm.Overload {
		return 0
	}
	return max(untilReset(header, now), untilReset(r.header, now))
}

// retryAfter returns what the headers say for just that: milliseconds, seconds, or a date.
func retryAfter(h http.Header, now time.Time) time.Duration {
	if d := seconds(h.Get("Retry-After-Ms"), 1000); d > 0 {
		return d
	}
	text := h.Get("Retry-After")
	if d := seconds(text, 1); d > 0 {
		return d
	}
	return until(text, now)
}

// wait returns what a member of the body says.
func (r *report) wait(now time.Time) time.Duration {
	text := r.delay.str()
	if d := seconds(text, r.unit); d > 0 {
		return d
	}
	if d := span(text); d > 0 {
		return d
	}
	return until(text, now)
}

// untilReset returns how long it is until all limits are reset of which nothing remains.
func untilReset(h http.Header, now time.Time) (longest time.Duration) {
	for name, values := range h {
		name = strings.ToLower(name)
		if !strings.Contains(name, "reset") || !strings.Contains(name, "ratelimit") && !strings.Contains(name, "rate-limit") || len(values) == 0 {
			continue
		}
		left := h.Get(strings.Replace(name, "reset", "remaining", 1))
		if n, err := strconv.ParseFloat(strings.TrimSpace(left), 64); left != "" && (err != nil || n > 0) {
			continue
		}
		longest = max(longest, reset(strings.TrimSpace(values[0]), now))
	}
	return longest
}

// Numbers from these on are times since 1970, in seconds and in milliseconds.
const (
	firstEpoch      = 1e9
	firstEpochMilli = 1e11
)

// reset reads a time in any of its spellings: since 1970, in seconds or milliseconds; a
// number of seconds; a duration; a date.
func reset(text string, now time.Time) time.Duration {
	n, err := strconv.ParseFloat(text, 64)
	switch {
	case err == nil && n >= firstEpochMilli && n < firstEpochMilli*1e4:
		return between(now, time.UnixMilli(int64(n)))
	case err == nil && n >= firstEpoch && n < firstEpochMilli:
		return between(now, time.UnixMilli(int64(n*1000)))
	case err == nil && n < firstEpoch:
		return seconds(text, 1)
	case err == nil:
		return 0
	}
	if d := span(text); d > 0 {
		return d
	}
	return until(text, now)
}

// until returns how long it is until a date.
func until(text string, now time.Time) time.Duration {
	at, err := http.ParseTime(text)
	if err != nil {
		at, err = time.Parse(time.RFC3339, text)
	}
	if err != nil {
		return 0
	}
	return between(now, at)
}

func between(now, at time.Time) time.Duration {
	return max(0, min(at.Sub(now), longestWait*time.Second))
}

// seconds reads a number of which perSecond make a second.
func seconds(text string, perSecond float64) time.Duration {
	n, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	if err != nil || !(n > 0) { // also for NaN
		return 0
	}
	return time.Duration(min(n/perSecond, longestWait) * float64(time.Second))
}

const (
	amount  = `(\d+(?:\.\d+)?) ?(milliseconds?|ms|seconds?|secs?|s|minutes?|mins?|m|hours?|hrs?|h|days?|d)`
	amounts = `((?:` + amount + `(?:,? ?(?:and )?)?)+)`
)

var (
	onePart = lazyregexp.New(amount)
	inText  = lazyregexp.New(`(?:try again|retry|please wait|retrying|available|reset)[^.\d]{0,40}?` + amounts + `(?:[^a-z]|$)`)
	allSpan = lazyregexp.New(`^` + amounts + `$`)
)

// waitInText returns how long to wait as a sentence says it: "try again in 1m0.3s".
func waitInText(text string) time.Duration {
	m := inText.FindStringSubmatch(strings.ToLower(text[:min(len(text), longestText)]))
	if m == nil {
		return 0
	}
	return span(m[1])
}

// span reads a duration like 1m0.3s, 579ms, 1d2h or 7 seconds.
func span(text string) time.Duration {
	text = strings.TrimRight(strings.ToLower(strings.TrimSpace(text)), " ,")
	if !allSpan.MatchString(text) {
		return 0
	}
	var all float64
	for _, m := range onePart.FindAllStringSubmatch(text, 8) {
		n, err := strconv.ParseFloat(m[1], 64)
		if err != nil {
			return 0
		}
		all += n * unitOf(m[2]).Seconds()
	}
	return time.Duration(min(all, longestWait) * float64(time.Second)).Round(time.Millisecond)
}

func unitOf(name string) time.Duration {
	switch {
	case strings.HasPrefix(name, "ms"), strings.HasPrefix(name, "milli"):
		return time.Millisecond
	case name[0] == 's':
		return time.Second
	case name[0] == 'm':
		return time.Minute
	case name[0] == 'h':
		return time.Hour
	}
	return 24 * time.Hour
}
