package prose

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// isHan says whether r is written without spaces around its words, so that each
// one counts.
func isHan(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana)
}

func isWordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// A token is a word, or a run of Chinese characters.
type token struct {
	text string
	han  bool
}

// tokens cuts a text into words and runs of Chinese characters. An apostrophe,
// a hyphen, and a point or comma between digits are inside a word.
func tokens(text string) []token {
	var found []token
	start, han := -1, false
	flush := func(end int) {
		if start >= 0 {
			found = append(found, token{text[start:end], han})
		}
		start = -1
	}
	var before rune
	for i, width := 0, 0; i < len(text); i += width {
		var r rune
		r, width = utf8.DecodeRuneInString(text[i:])
		switch {
		case isHan(r):
			if start < 0 || !han {
				flush(i)
				start, han = i, true
			}
		case isWordRune(r) || unicode.IsMark(r) && start >= 0:
			if start < 0 || han {
				flush(i)
				start, han = i, false
			}
		case start >= 0 && !han && joins(before, r, text[i+width:]):
		default:
			flush(i)
		}
		before = r
	}
	flush(len(text))
	return found
}

// joins says whether r, after before and followed by rest, is inside a word.
func joins(before, r rune, rest string) bool {
	next, _ := utf8.DecodeRuneInString(rest)
	if isHan(next) {
		return false
	}
	switch r {
	case '\'', '’', '-':
		return isWordRune(before) && isWordRune(next)
	case '.', ',':
		return unicode.IsDigit(before) && unicode.IsDigit(next)
	}
	return false
}

// sizes counts the words of a text, and its Chinese characters.
func sizes(text string) (wordCount, hanCount int) {
	for _, t := range tokens(text) {
		if t.han {
			hanCount += utf8.RuneCountInString(t.text)
		} else {
			wordCount++
		}
	}
	return wordCount, hanCount
}

// length is how long a reader takes a text to be: words and Chinese characters.
func length(text string) int {
	w, h := sizes(text)
	return w + h
}

var stopWords = setOf(`a about after all also am an and any are as at be because been before being but by can cannot could
 did do does doing don't each either else ever every few for from get gets got had has have having he her here hers him his how however
 i i'd i'll i'm i've if in into is isn't it it's its itself just let like made make makes many may me might more most much must my
 no nor not now of off on once one only or other our ours out over own per please same shall she should since so some such
 than that that's the their theirs them then there these they this those through to too under until up upon us use used very
 was we we'd we'll we've were what when where which while who whom whose why will with within without would you you'd your yours`)

// stopHan are characters that mostly join or measure others and carry little
// alone. They divide a run of Chinese into what is likely to be words.
const stopHan = "的了是在和与及或也都就而但被把这那有我你他她它们不没很之其为以于从到对等吗呢吧啊着过会能可要让给还又再只并已将得" +
	"一二两三四五六七八九十百千万亿个些每各位家道份条张件次座种名元年月日周号天什么怎样如果因所由此该上下里中前后时候说去来做用想带起先按照"

// terms returns what a text is about, in order: its words, lower case, without
// those that every text has. Of Chinese it returns what lies between joining
// characters; where that is too long for a word, its pairs.
func terms(text string) []string {
	var found []string
	for _, t := range tokens(text) {
		if t.han {
			for piece := range strings.FieldsFuncSeq(t.text, func(r rune) bool { return strings.ContainsRune(stopHan, r) }) {
				found = appendHan(found, []rune(piece))
			}
			continue
		}
		word := strings.ToLower(strings.ReplaceAll(t.text, "’", "'"))
		word = strings.TrimSuffix(word, "'s")
		if utf8.RuneCountInString(word) >= 3 && !stopWords[word] && strings.ContainsFunc(word, unicode.IsLetter) {
			found = append(found, word)
		}
	}
	return found
}

// longestHan is how many characters a Chinese word has at most.
const longestHan = 4

func appendHan(found []string, piece []rune) []string {
	if len(piece) < 2 {
		return found
	}
	if len(piece) <= longestHan {
		return append(found, string(piece))
	}
	for i := range len(piece) - 1 {
		found = append(found, string(piece[i:i+2]))
	}
	return found
}

// A tally is how often a term occurs.
type tally struct {
	term string
	n    int
}

// String writes the term, and how often it comes if that is more than once.
func (t tally) String() string {
	if t.n == 1 {
		return t.term
	}
	return fmt.Sprintf("%s (%d)", t.term, t.n)
}

// rank counts terms: the most frequent first, equals in order of appearance.
func rank(list []string) []tally {
	place := make(map[string]int)
	var ranked []tally
	for _, term := range list {
		i, seen := place[term]
		if !seen {
			i = len(ranked)
			place[term] = i
			ranked = append(ranked, tally{term: term})
		}
		ranked[i].n++
	}
	slices.SortStableFunc(ranked, func(a, b tally) int { return b.n - a.n })
	return ranked
}

// frequent are the terms of a ranking that come more than once.
func frequent(ranked []tally) []tally {
	n := slices.IndexFunc(ranked, func(t tally) bool { return t.n < 2 })
	if n < 0 {
		return ranked
	}
	return ranked[:n]
}

// top writes the first of a ranking on one line.
func top(ranked []tally, most int) string {
	var parts []string
	for _, t := range ranked[:min(most, len(ranked))] {
		parts = append(parts, quote(t.String()))
	}
	return strings.Join(parts, ", ")
}
