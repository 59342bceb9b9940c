package replica

import (
	"strconv"
	"strings"
	"time"
)

// A Show selects agents by state.
type Show uint8

// The values are stored with a view.
const (
	All Show = iota
	Problems
	Running
	shows
)

// Next returns the next value, and after the last the first.
func (s Show) Next() Show { return (s + 1) % shows }

// IsValid reports whether the value exists.
func (s Show) IsValid() bool { return s < shows }

// A Filter selects agents. The zero value selects all.
type Filter struct {
	Show  Show
	terms []term
}

// A term is one word of a filter.
type term struct {
	not  bool
	test func(a *Agent, now time.Time) bool
}

// Parse reads the words of a filter, all of which must match: text, !text,
// s:state, role:name, >5m and <5m (time in the present state). Text is also the
// word of the state, in either language. Every text is valid; unknown syntax is
// searched as text.
func (f *Filter) Parse(text string) {
	f.terms = nil
	for _, word := range strings.Fields(strings.ToLower(text)) {
		t := term{}
		if rest, ok := strings.CutPrefix(word, "!"); ok {
			t.not, word = true, rest
		}
		if word == "" {
			continue // the beginning of !text
		}
		t.test = meaning(word)
		f.terms = append(f.terms, t)
	}
}

// IsActive reports whether the filter may exclude an agent.
func (f *Filter) IsActive() bool { return f.Show != All || len(f.terms) > 0 }

// Matches reports whether the filter selects an agent.
func (f *Filter) Matches(a *Agent, now time.Time) bool {
	switch {
	case f.Show == Problems && !a.Kind.Problem():
		return false
	case f.Show == Running && !a.Kind.Busy():
		return false
	}
	for _, t := range f.terms {
		if t.test(a, now) == t.not {
			return false
		}
	}
	return true
}

func meaning(word string) func(*Agent, time.Time) bool {
	if state, ok := strings.CutPrefix(word, "s:"); ok {
		return func(a *Agent, _ time.Time) bool {
			word := a.Kind.Word()
			return strings.HasPrefix(a.Kind.Name(), state) || strings.HasPrefix(word.EN, state) || strings.HasPrefix(word.ZH, state)
		}
	}
	if role, ok := strings.CutPrefix(word, "role:"); ok {
		return func(a *Agent, _ time.Time) bool { return strings.Contains(strings.ToLower(a.Row.Role), role) }
	}
	if d, ok := span(strings.TrimPrefix(word, ">")); ok && word[0] == '>' {
		return func(a *Agent, now time.Time) bool { return a.age(now) > d }
	}
	if d, ok := span(strings.TrimPrefix(word, "<")); ok && word[0] == '<' {
		return func(a *Agent, now time.Time) bool { return a.age(now) < d }
	}
	return func(a *Agent, _ time.Time) bool { return strings.Contains(a.text(), word) }
}

// span parses 30s, 5m, 2h, 1d.
func span(s string) (time.Duration, bool) {
	if s == "" {
		return 0, false
	}
	unit, ok := map[byte]time.Duration{'s': time.Second, 'm': time.Minute, 'h': time.Hour, 'd': 24 * time.Hour}[s[len(s)-1]]
	if !ok {
		return 0, false
	}
	n, err := strconv.ParseUint(s[:len(s)-1], 10, 16)
	return time.Duration(n) * unit, err == nil
}
