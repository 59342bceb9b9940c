package prose

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// What Count finds.
const (
	Words      Kind = "words"      // words of letters and digits
	Han        Kind = "han"        // Chinese characters, if there are any
	Letters    Kind = "letters"    // characters without space
	Characters Kind = "characters" // characters in all
	SentenceN  Kind = "sentences"
	Lines      Kind = "lines"      // without empty ones
	Paragraphs Kind = "paragraphs" // divided by empty lines
	Average    Kind = "average"    // words in a sentence
	Longest    Kind = "longest"    // words in the longest sentence
	Frequent   Kind = "frequent"   // the terms that come most often, if any comes twice
)

func count(text string) []Finding {
	all := sentences(text)
	wordCount, hanCount := sizes(text)
	var letters, lines, longest int
	for _, r := range text {
		if !unicode.IsSpace(r) {
			letters++
		}
	}
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) != "" {
			lines++
		}
	}
	for _, s := range all {
		longest = max(longest, length(s))
	}
	var found []Finding
	number := func(k Kind, n int) { found = append(found, Finding{k, strconv.Itoa(n)}) }
	if wordCount > 0 || hanCount == 0 {
		number(Words, wordCount)
	}
	if hanCount > 0 {
		number(Han, hanCount)
	}
	number(Characters, utf8.RuneCountInString(text))
	number(Letters, letters)
	number(SentenceN, len(all))
	number(Lines, lines)
	number(Paragraphs, len(paragraphs(text)))
	average := float64(wordCount+hanCount) / float64(len(all))
	found = append(found, Finding{Average, strconv.FormatFloat(average, 'f', 1, 64)})
	number(Longest, longest)
	if often := frequent(rank(terms(text))); len(often) > 0 {
		found = append(found, Finding{Frequent, top(often, 5)})
	}
	return found
}
