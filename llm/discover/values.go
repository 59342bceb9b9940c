package discover

import (
	"bytes"
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode"

	"society-tui/llm"
)

// A number is one in JSON, bare or as a text; 0 is unknown, and so is what is no number.
type number float64

// UnmarshalJSON implements json.Unmarshaler. It never fails.
func (n *number) UnmarshalJSON(b []byte) error {
	v, err := strconv.ParseFloat(string(bytes.Trim(b, `"`)), 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		v = 0
	}
	*n = number(v)
	return nil
}

// A text is a string in JSON without what a screen would not print; what is no string is "".
type text string

// longestText bounds a name in bytes.
const longestText = 200

// UnmarshalJSON implements json.Unmarshaler. It never fails.
func (t *text) UnmarshalJSON(b []byte) error {
	var s string
	if json.Unmarshal(b, &s) != nil || len(s) > longestText || strings.ContainsFunc(s, func(r rune) bool { return !unicode.IsPrint(r) }) {
		s = ""
	}
	*t = text(strings.TrimSpace(s))
	return nil
}

// A loose value is one that may have another type; then it is not there.
type loose[T any] struct {
	value T
	there bool
}

// UnmarshalJSON implements json.Unmarshaler. It never fails.
func (l *loose[T]) UnmarshalJSON(b []byte) error {
	*l = loose[T]{}
	if string(b) == "null" {
		return nil
	}
	if json.Unmarshal(b, &l.value) == nil {
		l.there = true
	} else {
		*l = loose[T]{}
	}
	return nil
}

func fact[T any](now time.Time, value T) llm.Fact[T] {
	return llm.Fact[T]{Value: value, Source: llm.FromEndpoint, At: now}
}

// mostWindow is more than any window.
const mostWindow = 100_000_000

// window returns a size as a fact, unless it is unknown or absurd.
func window(now time.Time, tokens float64) llm.Fact[int] {
	if tokens < 1 || tokens > mostWindow {
		return llm.Fact[int]{}
	}
	return fact(now, int(tokens))
}

// price returns the price of a million tokens from those of one. A negative one is not fixed,
// as of a model that stands for several.
func price(now time.Time, input, output, read, write number) llm.Fact[llm.Price] {
	if input < 0 || output < 0 {
		return llm.Fact[llm.Price]{}
	}
	p := llm.Price{Input: million(input), Output: million(output)}
	if read > 0 {
		v := million(read)
		p.CacheRead = &v
	}
	if write > 0 {
		v := million(write)
		p.CacheWrite = &v
	}
	return fact(now, p)
}

// million returns the price of a million tokens without the dust of binary fractions.
func million(one number) float64 { return math.Round(float64(one)*1e12) / 1e6 }
