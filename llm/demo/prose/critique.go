package prose

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// What Critique finds.
const (
	LongSentence Kind = "long_sentence" // how many words, and which
	Doubled      Kind = "doubled"       // a word twice in a row
	Repeated     Kind = "repeated"      // a term that comes often
	Passive      Kind = "passive"       // "was made"
	Filler       Kind = "filler"        // words that could go
	SameStart    Kind = "same_start"    // sentences that begin alike
	Shouting     Kind = "shouting"      // exclamation marks
	NoHeading    Kind = "no_heading"    // how many words without one
	NoFault      Kind = "no_fault"      // none of these
)

const (
	longWords  = 22 // words in an English sentence that are too many
	longHan    = 45 // characters in a Chinese one
	longText   = 150
	mostOfKind = 4
)

var (
	passives = regexp.MustCompile(`(?i)\b(?:is|are|was|were|be|been|being)\s+(?:[a-z]+ly\s+)?(?:[a-z]{2,}ed|made|done|given|taken|seen|known|shown|found|written|held|kept|built|sent|told|chosen|left|lost|paid)\b|被[^\s\p{P}]{1,12}`)
	fillers  = regexp.MustCompile(`(?i)\b(?:very|really|quite|just|basically|actually|simply|somewhat|rather|in order to|kind of|sort of|of course|obviously|literally|totally)\b|非常|其实|基本上|事实上|众所周知|某种程度上|真的|比较地|相当|进行`)
)

func critique(text string) []Finding {
	var found []Finding
	all := sentences(text)
	found = appendLong(found, all)
	for _, w := range doubled(text) {
		found = append(found, Finding{Doubled, w})
	}
	for _, t := range rank(terms(text)) {
		if t.n < 3 || countOf(found, Repeated) == mostOfKind {
			break
		}
		found = append(found, Finding{Repeated, quote(t.String())})
	}
	for kind, pattern := range orderedPatterns {
		for _, t := range firstOf(rank(matches(pattern, text)), mostOfKind) {
			found = append(found, Finding{[]Kind{Passive, Filler}[kind], t.String()})
		}
	}
	for _, t := range firstOf(rank(openings(all)), 2) {
		if t.n >= 3 {
			found = append(found, Finding{SameStart, quote(t.String())})
		}
	}
	if n := strings.Count(text, "!") + strings.Count(text, "！"); n >= 2 {
		found = append(found, Finding{Shouting, strconv.Itoa(n)})
	}
	if n := length(text); n > longText && !hasHeading(text) {
		found = append(found, Finding{NoHeading, strconv.Itoa(n)})
	}
	if len(found) == 0 {
		return []Finding{{NoFault, ""}}
	}
	return found
}

// orderedPatterns are the patterns of Passive and Filler, in this order.
var orderedPatterns = []*regexp.Regexp{passives, fillers}

func appendLong(found []Finding, all []string) []Finding {
	for _, s := range all {
		w, h := sizes(s)
		if w*longHan+h*longWords > longWords*longHan && countOf(found, LongSentence) < mostOfKind {
			found = append(found, Finding{LongSentence, fmt.Sprintf("%d · %s", w+h, quote(s))})
		}
	}
	return found
}

func countOf(found []Finding, kind Kind) int {
	n := 0
	for _, f := range found {
		if f.Kind == kind {
			n++
		}
	}
	return n
}

func firstOf(list []tally, most int) []tally { return list[:min(most, len(list))] }

// doubled returns words that stand twice in a row.
func doubled(text string) []string {
	var found []string
	before := ""
	for _, w := range strings.Fields(text) {
		w = strings.ToLower(w)
		if bare := strings.TrimRightFunc(w, unicode.IsPunct); bare == before && len(found) < mostOfKind &&
			bare != "" && utf8.RuneCountInString(bare) < 30 && strings.ContainsFunc(bare, unicode.IsLetter) {
			found = append(found, bare+" "+bare)
		}
		before = w
	}
	return found
}

// openings returns the first word of each sentence, or its first two characters.
func openings(all []string) []string {
	var found []string
	for _, s := range all {
		list := tokens(quote(s))
		if len(list) == 0 {
			continue
		}
		word := list[0].text
		if r := []rune(word); list[0].han && len(r) > 2 {
			word = string(r[:2])
		}
		found = append(found, word)
	}
	return found
}

func hasHeading(text string) bool {
	for _, p := range paragraphs(text) {
		first, _, _ := strings.Cut(p, "\n")
		if isHeading(strings.TrimSpace(first)) {
			return true
		}
	}
	return false
}
