package chatapi

import (
	"strings"

	"society-tui/llm/lazyregexp"
)

// The sizes of windows that are believed: others are numbers of something else.
const (
	smallestWindow = 1024
	largestWindow  = 20_000_000
)

func inRange(tokens float64) int {
	if tokens < smallestWindow || tokens > largestWindow {
		return 0
	}
	return int(tokens)
}

// number matches one of a text in small letters, also with commas; that of 128k is none.
const number = `(\d[\d,]*)\b`

// windows match how endpoints name the size of a context that is full. The first that
// matches a number that can be one is believed.
var windows = []*lazyregexp.Regexp{
	lazyregexp.New(`\+ \d+ (?:>|<=) ` + number),
	lazyregexp.New(`(?:context|(?:maximum|max) (?:prompt|input|model))(?: length| window| size| limit)?(?: of| is| was)?(?: only)?:? ?\(?` + number),
	lazyregexp.New(number + `(?: tokens?)? maximum`),
	lazyregexp.New(`limit[^\d\n(]{0,40}? ` + number),
	lazyregexp.New(`(?:maximum|allowed|cannot exceed|<=|up to|at most|less than|input length should be \[\d+,)[^\d\n]{0,40}?[ (]` + number),
	lazyregexp.New(`than [^\d\n]{0,40}?[ (]` + number),
}

// learnWindow returns the size of the context that an error about a full one names, in
// tokens; 0 if it names none.
func learnWindow(text string) int {
	text = strings.ToLower(text[:min(len(text), longestText)])
	for _, w := range windows {
		for _, m := range w.FindAllStringSubmatch(text, 4) {
			if n := inRange(float64(whole(m[1]))); n > 0 {
				return n
			}
		}
	}
	return 0
}
