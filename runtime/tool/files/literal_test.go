package files

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Whatever an expression matches holds its literal, else grep would not find it.
func TestWhatMatchesHoldsTheRequiredLiteral(t *testing.T) {
	t.Parallel()
	part := rapid.SampledFrom([]string{
		"a", "K", "s", "ks", "é", "(?i)", "(?i:", "(", ")", "|", "*", "+", "?", "{0,1}", "{2}", ".", "[ab]", "[^a]", "\\b", "^", "$", "\\n", "\\x{fffd}", "\n",
	})
	text := rapid.SampledFrom([]string{"a", "A", "k", "K", "s", "S", "é", "É", "\u212a", "\u017f", "\n", " ", "\xff", "\ufffd", "b"})
	matched, filtered := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		re, err := regexp.Compile("(?m)" + strings.Join(rapid.SliceOfN(part, 1, 6).Draw(t, "expression"), ""))
		if err != nil {
			t.Skip(err)
		}
		content := []byte(strings.Join(rapid.SliceOfN(text, 0, 8).Draw(t, "content"), ""))
		must := required(re)
		switch in, matches := must.in(content), re.Match(content); {
		case matches && !in:
			t.Fatalf("%q matches %q, which is without %q (%t)", re, content, must.text, must.fold)
		case matches:
			matched++
		case !in:
			filtered++
		}
	})
	if matched == 0 || filtered == 0 {
		t.Errorf("%d matched, %d were left out", matched, filtered)
	}
}

func TestTheRequiredLiteralIsTheLongest(t *testing.T) {
	t.Parallel()
	for pattern, want := range map[string]string{
		"func .*Reader": `"Reader" false`, "(?i)zebra.*quux": `"zebra" true`, "(abc|abd)x": `"ab" false`, "a|b": `"" false`,
		"(?:long)?er": `"er" false`, "(?:long)+e": `"long" false`, "x{0}ab": `"ab" false`, ".*": `"" false`,
	} {
		if l := required(regexp.MustCompile("(?m)" + pattern)); fmt.Sprintf("%q %t", l.text, l.fold) != want {
			t.Errorf("the literal of %s is %q %t, want %s", pattern, l.text, l.fold, want)
		}
	}
}
