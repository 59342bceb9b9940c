package symbols

import (
	"strconv"
	"time"
)

// Tokens formats n in at most five cells: 950, 1.2k, 88k, 3.4M.
func Tokens(n int) string {
	units := []string{"", "k", "M", "G", "T"}
	v := float64(n)
	u := 0
	// 999.5 would round to 1000.
	for v >= 999.5 && u < len(units)-1 {
		v /= 1000
		u++
	}
	if u > 0 && v < 9.95 {
		return strconv.FormatFloat(v, 'f', 1, 64) + units[u]
	}
	return strconv.FormatFloat(v, 'f', 0, 64) + units[u]
}

// Count formats n with a comma between thousands.
func Count(n int) string {
	digits := strconv.Itoa(n)
	sign := ""
	if n < 0 {
		sign, digits = "-", digits[1:]
	}
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return sign + digits
}

// Age formats d in at most three cells below 100 days: 41s, 3m, 9h, 12d. Less
// than a second, or a negative time, is 0s.
func Age(d time.Duration) string {
	switch {
	case d < 0:
		return "0s"
	case d < time.Minute:
		return strconv.Itoa(int(d/time.Second)) + "s"
	case d < time.Hour:
		return strconv.Itoa(int(d/time.Minute)) + "m"
	case d < 24*time.Hour:
		return strconv.Itoa(int(d/time.Hour)) + "h"
	}
	return strconv.Itoa(int(d/(24*time.Hour))) + "d"
}

// Clock formats d as hours, minutes and seconds: 00:22:41.
func Clock(d time.Duration) string {
	s := max(int(d/time.Second), 0)
	two := func(n int) string {
		if n < 10 {
			return "0" + strconv.Itoa(n)
		}
		return strconv.Itoa(n)
	}
	return two(s/3600) + ":" + two(s/60%60) + ":" + two(s%60)
}

// Bytes formats n as 950 B, 2.1 MB.
func Bytes(n int) string {
	switch {
	case n < 1000:
		return strconv.Itoa(n) + " B"
	case n < 999_950: // where it rounds to 1.0 MB
		return strconv.FormatFloat(float64(n)/1e3, 'f', 1, 64) + " kB"
	case n < 999_950_000:
		return strconv.FormatFloat(float64(n)/1e6, 'f', 1, 64) + " MB"
	}
	return strconv.FormatFloat(float64(n)/1e9, 'f', 1, 64) + " GB"
}

// Took formats a duration: 0.4s, 12.0s, 3m.
func Took(d time.Duration) string {
	if d < 100*time.Second {
		return strconv.FormatFloat(d.Seconds(), 'f', 1, 64) + "s"
	}
	return Age(d)
}
