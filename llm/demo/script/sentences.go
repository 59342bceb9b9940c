package script

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"society-tui/llm/lazyregexp"
)

// longestRead bounds what is read of a text, which takes a fraction of a second.
const longestRead = 128 << 10

var (
	// margin matches a line break inside a paragraph.
	margin = lazyregexp.New(`([^\s:：])[ \t\r]*\n[ \t]*([^\s#*+•|\d-])`)
	// stop matches the end of a sentence, with closing quotes and brackets.
	stop = lazyregexp.New(`\n|[。！？]+[”’"')」』】）]*|[.!?…]+[”’"')\]]*(?:\s|$)`)
	// shortened matches a point that ends no sentence.
	shortened = lazyregexp.New(`(?i)(?:^|[\s("“])(?:e\.g|i\.e|dr|mr|mrs|ms|prof|st|vs|no|cf|fig|approx|inc|ltd|[a-hj-z])\.\s?$|^\d{1,3}\.\s?$`)
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
	han := 0
	apart := strings.Map(func(r rune) rune {
		if isHan(r) {
			han++
			return ' '
		}
		return r
	}, s)
	return han*2/3 + len(slices.DeleteFunc(strings.Fields(apart), func(w string) bool { return !strings.ContainsFunc(w, isWordRune) }))
}

// terms returns the longer words and the pairs of Chinese characters of a sentence,
// each once.
func terms(s string) []string {
	var found []string
	for _, w := range strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !isWordRune(r) }) {
		letters := []rune(w)
		if len(letters) > 3 && !isHan(letters[0]) {
			found = append(found, w)
		}
		for i := 1; i < len(letters) && isHan(letters[0]); i++ {
			found = append(found, string(letters[i-1:i+1]))
		}
	}
	return unique(found)
}

// gist returns the sentences with the most frequent terms, a third of all and at
// most five, in their order.
func gist(s string) []string {
	all := unique(first(4000, sentences(s)))
	weight := make(map[string]int)
	for _, sentence := range all {
		for _, t := range terms(sentence) {
			weight[t]++
		}
	}
	score := make(map[string]float64)
	for _, sentence := range all {
		about := terms(sentence)
		for _, t := range about {
			score[sentence] += float64(weight[t]) / float64(6+len(about))
		}
	}
	best := slices.Clone(all)
	slices.SortStableFunc(best, func(a, b string) int { return cmp.Compare(score[b], score[a]) })
	best = first(max(1, min(5, (len(all)+2)/3)), best)
	return slices.DeleteFunc(all, func(sentence string) bool { return !slices.Contains(best, sentence) })
}

// each returns what f returns for each of the items.
func each[T any](items []T, f func(T) string) []string {
	all := make([]string, len(items))
	for i, item := range items {
		all[i] = f(item)
	}
	return all
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
