package prose

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Sentence is a stretch of a text: text[From:To], without space around it.
type Sentence struct{ From, To int }

// Sentences cuts a text into sentences. What lies between two of them is
// space. A piece without a letter or digit, a rule for example, is none.
func Sentences(text string) []Sentence {
	var found []Sentence
	for _, line := range blocks(text) {
		from := line.From
		for from < line.To {
			to := from + sentenceEnd(text[from:line.To])
			found = appendTrimmed(found, text, from, to)
			from = to
		}
	}
	return found
}

// sentences are the sentences themselves.
func sentences(text string) []string {
	var found []string
	for _, s := range Sentences(text) {
		found = append(found, text[s.From:s.To])
	}
	return found
}

func appendTrimmed(found []Sentence, text string, from, to int) []Sentence {
	piece := text[from:to]
	from += len(piece) - len(strings.TrimLeftFunc(piece, unicode.IsSpace))
	to -= len(piece) - len(strings.TrimRightFunc(piece, unicode.IsSpace))
	if from >= to || !strings.ContainsFunc(text[from:to], isWordRune) {
		return found
	}
	return append(found, Sentence{from, to})
}

// ownLine is how a line begins that is no part of a running paragraph.
var ownLine = regexp.MustCompile(`^\s*(#{1,6}\s|[-*+•]\s|\d{1,3}[.)、]|\|)`)

// blocks cuts a text where a sentence cannot go on: at blank lines, around
// headings and list items, and after a line that ends with a colon. Other line
// breaks are taken for the margin of whoever typed it.
func blocks(text string) []Sentence {
	var found []Sentence
	start, previous := 0, ""
	for at := 0; at < len(text); {
		end := len(text)
		if n := strings.IndexByte(text[at:], '\n'); n >= 0 {
			end = at + n + 1
		}
		line := strings.TrimSpace(text[at:end])
		if line == "" || ownLine.MatchString(line) || previous == "" || ownLine.MatchString(previous) ||
			strings.HasSuffix(previous, ":") || strings.HasSuffix(previous, "：") {
			found = append(found, Sentence{start, at})
			start = at
		}
		previous = line
		at = end
	}
	return append(found, Sentence{start, len(text)})
}

// sentenceEnd returns where the first sentence of s ends; s is not empty.
func sentenceEnd(s string) int {
	wordStart := 0
	for i, after := 0, 0; i < len(s); i = after {
		r, width := utf8.DecodeRuneInString(s[i:])
		after = i + width
		switch {
		case unicode.IsSpace(r):
			wordStart = after
		case strings.ContainsRune("。！？", r):
			return closers(s, after)
		case strings.ContainsRune(".!?…", r):
			end := closers(s, after)
			next, _ := utf8.DecodeRuneInString(s[end:])
			if (end == len(s) || unicode.IsSpace(next)) && !(r == '.' && isAbbreviation(s[wordStart:i], strings.TrimSpace(s[:wordStart]) == "")) {
				return end
			}
		}
	}
	return len(s)
}

// closers returns where the marks end that belong to the sentence that ends
// before at: more stops, quotes and brackets.
func closers(s string, at int) int {
	for at < len(s) {
		r, n := utf8.DecodeRuneInString(s[at:])
		if !strings.ContainsRune("。！？.!?…”’\"')」』】）]*_", r) {
			break
		}
		at += n
	}
	return at
}

var abbreviations = setOf("e.g i.e dr mr mrs ms prof st vs no cf fig approx inc ltd jan feb mar apr jun jul aug sep sept oct nov dec")

// isAbbreviation says whether a stop after word does not end the sentence:
// after an initial, a number that is first in it, "e.g".
func isAbbreviation(word string, first bool) bool {
	word = strings.ToLower(strings.TrimLeft(word, "(\"'“‘"))
	if len(word) == 1 && word[0] >= 'a' && word[0] <= 'z' && word != "i" {
		return true
	}
	if first && len(word) <= 3 && strings.Trim(word, "0123456789") == "" {
		return true
	}
	return abbreviations[word]
}

// paragraphs cuts a text at blank lines.
func paragraphs(text string) []string {
	var found []string
	var current []string
	for line := range strings.Lines(text + "\n\n") {
		if strings.TrimSpace(line) != "" {
			current = append(current, line)
			continue
		}
		if p := strings.Join(current, ""); strings.ContainsFunc(p, isWordRune) {
			found = append(found, strings.TrimSpace(p))
		}
		current = nil
	}
	return found
}

func setOf(words string) map[string]bool {
	set := make(map[string]bool)
	for _, w := range strings.Fields(words) {
		set[w] = true
	}
	return set
}
