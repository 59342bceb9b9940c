package prose

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// What Comparison finds. The first group has two values with a bar between
// them, one for each side.
const (
	Sides          Kind = "sides" // what they are called
	SideWords      Kind = "side_words"
	SideSentences  Kind = "side_sentences"
	SideAverage    Kind = "side_average"
	SideFigures    Kind = "side_figures"
	SideHedges     Kind = "side_hedges" // words like "maybe"
	InBoth         Kind = "in_both"     // terms
	OnlyFirst      Kind = "only_first"
	OnlySecond     Kind = "only_second"
	Resemblance    Kind = "resemblance" // the share of terms in both, in percent
	NothingToMatch Kind = "nothing_to_match"
)

// A side is one of two texts that are compared.
type side struct{ name, text string }

func compare(text string) []Finding {
	a, b, ok := sides(text)
	if !ok {
		return []Finding{{NothingToMatch, ""}}
	}
	both := func(k Kind, of func(string) string) Finding {
		return Finding{k, of(a.text) + " | " + of(b.text)}
	}
	found := []Finding{
		{Sides, bare(a.name) + " | " + bare(b.name)},
		both(SideWords, func(s string) string { return strconv.Itoa(length(s)) }),
		both(SideSentences, func(s string) string { return strconv.Itoa(len(sentences(s))) }),
		both(SideAverage, func(s string) string {
			return strconv.FormatFloat(float64(length(s))/float64(max(1, len(sentences(s)))), 'f', 1, 64)
		}),
		both(SideFigures, func(s string) string { return orDash(strings.Join(figures(s, 4), ", ")) }),
		both(SideHedges, func(s string) string { return orDash(top(rank(matches(hedges, s)), 4)) }),
	}
	return append(found, shared(a.text, b.text)...)
}

// shared says what two texts have in common and what each has alone.
func shared(a, b string) []Finding {
	inA, inB := rank(terms(a)), rank(terms(b))
	of := func(list []tally) map[string]bool {
		set := make(map[string]bool, len(list))
		for _, t := range list {
			set[t.term] = true
		}
		return set
	}
	setA, setB := of(inA), of(inB)
	pick := func(list []tally, in map[string]bool, want bool) []string {
		var picked []string
		for _, t := range list {
			if in[t.term] == want {
				picked = append(picked, t.term)
			}
		}
		return picked
	}
	common := pick(inA, setB, true)
	found := []Finding{{InBoth, few(common)}, {OnlyFirst, few(pick(inA, setB, false))}, {OnlySecond, few(pick(inB, setA, false))}}
	if all := len(setA) + len(setB) - len(common); all > 0 {
		found = append(found, Finding{Resemblance, fmt.Sprintf("%d %%", (100*len(common)+all/2)/all)})
	}
	return found
}

func few(list []string) string { return orDash(quote(strings.Join(list[:min(6, len(list))], ", "))) }

func orDash(s string) string {
	if s == "" {
		return "–"
	}
	return s
}

// bare makes a name of s that fits into a cell of a table.
func bare(s string) string {
	s = quote(strings.ReplaceAll(s, "|", "/"))
	return strings.TrimRight(s, ":：")
}

// labelled finds what a side is introduced with: "Plan A:", "Version 1:",
// "方案一：", at the beginning of a line or a sentence.
var labelled = regexp.MustCompile(`(?m)(?:^|[.!?。！？]\s*)[#*\-\s]*((?:\p{L}[\p{L}\p{N}'’-]*[ \t]?){0,3}?\p{L}?[\p{L}\p{N}'’-]*)\*{0,2}[:：]`)

// divider is a line, or a word on a line of its own, between two sides.
var divider = regexp.MustCompile(`(?im)^\s*(?:-{3,}|={3,}|\*{3,}|vs\.?|versus|对比)\s*$`)

// against divides two sides on one line.
var against = regexp.MustCompile(`(?i)\s+(?:vs\.?|versus|compared (?:with|to))\s+|(?:对比|相比于|相比)`)

// sides finds the two texts to compare: two labelled ones, two with a divider
// between them, the first two paragraphs, or the halves.
func sides(text string) (a, b side, ok bool) {
	if l := labelled.FindAllStringSubmatchIndex(text, 3); len(l) >= 2 {
		end := len(text)
		if len(l) > 2 {
			end = l[2][2]
		}
		a = side{text[l[0][2]:l[0][3]], text[l[0][1]:l[1][2]]}
		b = side{text[l[1][2]:l[1][3]], text[l[1][1]:end]}
		if a.name != "" && b.name != "" && length(a.text) > 0 && length(b.text) > 0 {
			return a, b, true
		}
	}
	for _, by := range []*regexp.Regexp{divider, against} {
		if cut := by.Split(text, 2); len(cut) == 2 && length(cut[0]) > 0 && length(cut[1]) > 0 {
			return side{"A", cut[0]}, side{"B", cut[1]}, true
		}
	}
	if p := paragraphs(text); len(p) >= 2 {
		return side{"1", p[0]}, side{"2", p[1]}, true
	}
	s := sentences(text)
	if len(s) < 2 {
		return a, b, false
	}
	half := (len(s) + 1) / 2
	return side{"1", strings.Join(s[:half], "\n")}, side{"2", strings.Join(s[half:], "\n")}, true
}

// matches returns what a pattern finds in text, lower case.
func matches(pattern *regexp.Regexp, text string) []string {
	found := pattern.FindAllString(text, mostMatches)
	for i := range found {
		found[i] = strings.ToLower(strings.Join(strings.Fields(found[i]), " "))
	}
	return slices.DeleteFunc(found, func(s string) bool { return s == "" })
}

// mostMatches bounds what is looked for in a very long text.
const mostMatches = 2000
