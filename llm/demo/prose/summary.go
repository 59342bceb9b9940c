package prose

import (
	"fmt"
	"slices"
	"strings"
)

// What Summary finds.
const (
	Gist     Kind = "gist"     // a sentence that carries the text
	Keywords Kind = "keywords" // the terms that come most often, if any comes twice
	Kept     Kind = "kept"     // how many sentences of how many
)

// mostSentences is how many sentences are weighed; what comes later in a very
// long text is not read.
const mostSentences = 4000

// summarise keeps the sentences whose terms are the most frequent of the text,
// a third of them and at most five, in their order.
func summarise(text string) []Finding {
	all := sentences(text)
	read := all[:min(len(all), mostSentences)]
	weight := make(map[string]int)
	ranked := rank(terms(text))
	for _, t := range ranked {
		weight[t.term] = t.n
	}
	order := make([]int, len(read))
	scores := make([]float64, len(read))
	for i, s := range read {
		order[i], scores[i] = i, score(s, i, weight)
	}
	slices.SortStableFunc(order, func(a, b int) int {
		switch {
		case scores[a] > scores[b]:
			return -1
		case scores[a] < scores[b]:
			return 1
		}
		return a - b
	})
	keep := order[:min(len(order), max(1, min(5, (len(read)+2)/3)))]
	slices.Sort(keep)
	var found []Finding
	for _, i := range keep {
		found = append(found, Finding{Gist, quote(read[i])})
	}
	if often := frequent(ranked); len(often) > 0 {
		found = append(found, Finding{Keywords, top(often, 5)})
	}
	return append(found, Finding{Kept, fmt.Sprintf("%d / %d", len(keep), len(all))})
}

// score is how much a sentence carries: the weight of its terms, against its
// length, so that the longest does not always win. What opens a text says what
// it is about; a question seldom does.
func score(sentence string, place int, weight map[string]int) float64 {
	sum := 0
	for _, t := range rank(terms(sentence)) {
		sum += weight[t.term]
	}
	value := float64(sum) / float64(6+length(sentence))
	if place == 0 {
		value *= 1.3
	}
	if strings.HasSuffix(sentence, "?") || strings.HasSuffix(sentence, "？") {
		value *= 0.2
	}
	return value
}
