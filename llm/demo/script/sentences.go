package script

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// longestRead bounds what is read of a text, which takes a fraction of a second.
const longestRead = 128 << 10

var (
	// margin matches a line break inside a paragraph.
	margin = regexp.MustCompile(`([^\s:：])[ \t\r]*\n[ \t]*([^\s#*+•|\d-])`)
	// stop matches the end of a sentence, with closing quotes and brackets.
	stop = regexp.MustCompile(`\n|[。！？]+[”’"')」』】）]*|[.!?…]+[”’"')\]]*(?:\s|$)`)
	// shortened matches a point that ends no sentence.
	shortened = regexp.MustCompile(`(?i)(?:^|[\s("“])(?:e\.g|i\.e|dr|mr|mrs|ms|prof|st|vs|no|cf|fig|approx|inc|ltd|[a-hj-z])\.\s?$|^\d{1,3}\.\s?$`)
	// word matches a word or a run of Chinese characters.
	word = regexp.MustCompile(`\p{Han}+|(?:[^\P{L}\p{Han}]|\p{N})(?:[^\P{L}\p{Han}]|[\p{N}'’-])*`)
)

// sentences splits a text into sentences, each on one line, without those that have
// no letter or digit.
func sentences(s string) []string {
	s = margin.ReplaceAllString(strings.ToValidUTF8(s[:min(len(s), longestRead)], "\uFFFD"), "$1 $2")
	var found []string
	from := 0
	for _, at := range append(stop.FindAllStringIndex(s, -1), []int{len(s), len(s)}) {
		piece := s[from:at[1]]
		if at[1] < len(s) && s[at[0]] != '\n' && shortened.MatchString(piece[max(0, len(piece)-12):]) {
			continue
		}
		if strings.ContainsFunc(piece, isWordRune) {
			found = append(found, strings.Join(strings.Fields(piece), " "))
		}
		from = at[1]
	}
	return found
}

func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

func isHan(r rune) bool { return unicode.Is(unicode.Han, r) }

func isQuestion(sentence string) bool { return strings.ContainsAny(sentence, "?？") }

// size returns the number of words; three Chinese characters count as two.
func size(s string) int {
	n, han, inWord := 0, 0, false
	for _, r := range s {
		latin := isWordRune(r) && !isHan(r)
		if latin && !inWord {
			n++
		}
		if isHan(r) {
			han++
		}
		inWord = latin || inWord && strings.ContainsRune(`'’-.,`, r)
	}
	return n + han*2/3
}

// terms returns the longer words and the pairs of Chinese characters of a sentence,
// each once.
func terms(s string) []string {
	var found []string
	for _, w := range word.FindAllString(strings.ToLower(s), -1) {
		r := []rune(w)
		switch {
		case isHan(r[0]):
			for i := range len(r) - 1 {
				found = append(found, string(r[i:i+2]))
			}
		case len(r) > 3:
			found = append(found, w)
		}
	}
	return unique(found)
}

// gist returns the sentences with the most frequent terms, a third of all and at
// most five, in their order.
func gist(s string) []string {
	all := unique(first(4000, sentences(s)))
	weight := make(map[string]int)
	for _, one := range all {
		for _, t := range terms(one) {
			weight[t]++
		}
	}
	order, scores := make([]int, len(all)), make([]float64, len(all))
	for i, one := range all {
		sum, about := 0, terms(one)
		for _, t := range about {
			sum += weight[t]
		}
		order[i], scores[i] = i, float64(sum)/float64(6+len(about))
		if isQuestion(one) {
			scores[i] /= 5 // it seldom sums a text up
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	order = first(max(1, min(5, (len(all)+2)/3)), order)
	slices.Sort(order)
	var kept []string
	for _, i := range order {
		kept = append(kept, all[i])
	}
	return kept
}

// unique removes repeated items.
func unique(items []string) []string {
	seen := make(map[string]bool)
	return slices.DeleteFunc(items, func(s string) bool {
		was := seen[s]
		seen[s] = true
		return was
	})
}

// first returns the first n items.
func first[T any](n int, all []T) []T { return all[:min(n, len(all))] }

// clip returns s on one line, cut to most characters.
func clip(s string, most int) string {
	line := []rune(strings.Join(strings.Fields(strings.ToValidUTF8(s[:min(len(s), 8*most)], "")), " "))
	if len(line) <= most && len(s) <= 8*most {
		return string(line)
	}
	return strings.TrimSpace(string(first(most, line))) + "…"
}
