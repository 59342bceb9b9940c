package files

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
)

// A span is a part of a text, from an offset to another.
type span struct{ from, to int }

// find returns where the old text of an edit stands: exactly, else with line ends made
// equal, else without the line numbers that read has put before its lines. The edit is
// returned as it was understood.
func find(content string, e replacement) ([]span, replacement) {
	if found := exactly(content, e.Old); len(found) > 0 {
		return found, e
	}
	if found := anyEnding(content, e.Old); len(found) > 0 {
		return found, e
	}
	old, numbered := withoutNumbers(e.Old)
	if !numbered || old == "" {
		return nil, e
	}
	bare := e
	bare.Old = old
	if text, numbered := withoutNumbers(e.New); numbered {
		bare.New = text
	}
	if found := exactly(content, old); len(found) > 0 {
		return found, bare
	}
	if found := anyEnding(content, old); len(found) > 0 {
		return found, bare
	}
	return nil, e
}

// exactly finds a text, one place more than placesMost at most.
func exactly(content, old string) (found []span) {
	for at := 0; len(found) <= placesMost; {
		i := strings.Index(content[at:], old)
		if i < 0 {
			return found
		}
		found = append(found, span{at + i, at + i + len(old)})
		at += i + len(old)
	}
	return found
}

// anyEnding finds a text whose lines may end in another way than those of the content.
func anyEnding(content, old string) (found []span) {
	plain := strings.ReplaceAll(old, "\r\n", "\n")
	if !strings.Contains(plain, "\n") || !strings.Contains(content, "\r\n") && plain == old {
		return nil
	}
	var dropped []int // offsets in the shortened content before which a \r was dropped
	var b strings.Builder
	for i := range len(content) {
		if content[i] == '\r' && i+1 < len(content) && content[i+1] == '\n' {
			dropped = append(dropped, b.Len())
			continue
		}
		b.WriteByte(content[i])
	}
	for _, m := range exactly(b.String(), plain) {
		found = append(found, span{original(dropped, m.from), original(dropped, m.to)})
	}
	return found
}

// original returns the offset in the content of one in the shortened content.
func original(dropped []int, at int) int {
	n, _ := slices.BinarySearch(dropped, at) // a \r directly at it belongs to what follows
	return at + n
}

var numberedLine = regexp.MustCompile(`^ *[0-9]+(\t|→|\| ?|: )`)

// withoutNumbers removes the line numbers of pasted lines. Every line that is not blank
// must have one.
func withoutNumbers(s string) (string, bool) {
	lines := strings.SplitAfter(s, "\n")
	some := false
	for i, line := range lines {
		if at := numberedLine.FindStringIndex(line); at != nil {
			lines[i], some = line[at[1]:], true
		} else if strings.TrimSpace(line) != "" {
			return s, false
		}
	}
	return strings.Join(lines, ""), some
}

// endingAt returns how lines end where a span stands: the first end in it, else the one
// of its line, else the one before.
func endingAt(content string, m span) string {
	at := strings.IndexByte(content[m.from:], '\n')
	if at < 0 {
		at = strings.LastIndexByte(content[:m.from], '\n') - m.from
	}
	if i := m.from + at; i > 0 && content[i] == '\n' && content[i-1] == '\r' {
		return "\r\n"
	}
	return "\n"
}

// withEnding returns a text with its lines ended in a way, unless it brings \r itself.
func withEnding(s, ending string) string {
	s = strings.ReplaceAll(s, "\r\n", "\n")
	if ending == "\n" || strings.Contains(s, "\r") {
		return s
	}
	return strings.ReplaceAll(s, "\n", ending)
}

const (
	nearestMost  = 3
	nearestLines = 12  // of a place that is shown
	comparedLine = 200 // bytes of a line that are compared
)

// nearest returns the places of a text that are most like what was not found in it.
func nearest(content, old string) []nearby {
	lines, wanted := splitLines(content), splitLines(old)
	places := map[string][]int{}
	for i, w := range wanted {
		if w = strings.TrimSpace(w); w != "" {
			places[w] = append(places[w], i)
		}
	}
	votes := map[int]float64{}
	for j, line := range lines {
		for _, i := range places[strings.TrimSpace(line)] {
			votes[max(j-i, 0)] += float64(min(len(strings.TrimSpace(line)), 20))
		}
	}
	if len(votes) == 0 {
		longest := slices.MaxFunc(append(wanted, ""), func(a, b string) int { return cmp.Compare(len(strings.TrimSpace(a)), len(strings.TrimSpace(b))) })
		i := max(slices.Index(wanted, longest), 0)
		grams := pairs(longest)
		for j, line := range lines {
			if alike := likeness(grams, pairs(line)); alike > 0.5 {
				votes[max(j-i, 0)] = alike
			}
		}
	}
	found := []int{}
	for at := range votes {
		found = append(found, at)
	}
	slices.SortFunc(found, func(a, b int) int { return cmp.Or(cmp.Compare(votes[b], votes[a]), cmp.Compare(a, b)) })
	var near []nearby
	for _, at := range found {
		if len(near) < nearestMost && at < len(lines) {
			end := min(at+min(max(len(wanted), 1), nearestLines), len(lines))
			near = append(near, nearby{at + 1, numbered(lines[at:end], at+1)})
		}
	}
	return near
}

// pairs counts the pairs of neighbouring bytes of a line.
func pairs(line string) map[[2]byte]int {
	line = strings.TrimSpace(line)
	line = line[:min(len(line), comparedLine)]
	m := make(map[[2]byte]int, len(line))
	for i := 1; i < len(line); i++ {
		m[[2]byte{line[i-1], line[i]}]++
	}
	return m
}

// likeness returns which share of the pairs two lines have in common, from 0 to 1.
func likeness(a, b map[[2]byte]int) float64 {
	both, all := 0, 0
	for p, n := range a {
		both += min(n, b[p])
		all += n
	}
	for _, n := range b {
		all += n
	}
	if all == 0 {
		return 0
	}
	return 2 * float64(both) / float64(all)
}
