package prose

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// What Outline finds, in the order of the text: points, each followed by what
// belongs under it.
const (
	Point    Kind = "point"
	Subpoint Kind = "subpoint"
)

const (
	mostPoints    = 12
	mostSubpoints = 4 // under one point
)

// outline makes a point of each paragraph, or of each sentence where there is
// only one paragraph. A heading is the point of what follows it.
func outline(text string) []Finding {
	parts := paragraphs(text)
	if len(parts) == 1 {
		return outlineOf(sentences(text), clauses)
	}
	var found []Finding
	points, headed := 0, false
	for _, p := range parts {
		lines := sentences(p)
		if len(lines) == 0 {
			continue
		}
		under := lines
		if !headed || isHeading(lines[0]) {
			if points++; points > mostPoints {
				break
			}
			found = append(found, Finding{Point, lead(lines[0])})
			under = lines[1:]
		}
		headed = isHeading(lines[0]) && len(lines) == 1
		for _, s := range under[:min(len(under), mostSubpoints)] {
			found = append(found, Finding{Subpoint, lead(s)})
		}
	}
	return found
}

func outlineOf(points []string, below func(string) []string) []Finding {
	var found []Finding
	for _, p := range points[:min(len(points), mostPoints)] {
		found = append(found, Finding{Point, lead(p)})
		for _, s := range below(p) {
			found = append(found, Finding{Subpoint, lead(s)})
		}
	}
	return found
}

// isHeading says whether a line stands above what follows it.
func isHeading(line string) bool {
	if strings.HasPrefix(line, "#") {
		return true
	}
	last, _ := utf8.DecodeLastRuneInString(line)
	return length(line) <= 9 && !strings.ContainsRune(".!?…。！？,，;；", last)
}

// lead returns what a sentence begins with, without the marks of a list or a
// heading: its first clause, if that says something alone.
func lead(sentence string) string {
	sentence = strings.TrimSpace(ownLine.ReplaceAllString(sentence, ""))
	cut := splitClauses(sentence)
	if len(cut) > 1 && length(cut[0]) >= 4 {
		sentence = cut[0]
	}
	return quote(strings.TrimRightFunc(sentence, func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune(".。,，;；:：", r)
	}))
}

// clauses returns what follows the first clause of a sentence, as far as it is
// long enough to be a point.
func clauses(sentence string) []string {
	cut := splitClauses(sentence)
	if len(cut) < 2 || length(cut[0]) < 4 {
		return nil
	}
	var found []string
	for _, c := range cut[1:] {
		if length(c) >= 3 && len(found) < mostSubpoints {
			found = append(found, c)
		}
	}
	return found
}

// splitClauses cuts a sentence at commas, semicolons and dashes. A comma inside
// a number is none.
func splitClauses(sentence string) []string {
	var found []string
	from := 0
	for i, r := range sentence {
		next, _ := utf8.DecodeRuneInString(sentence[i+utf8.RuneLen(r):])
		switch {
		case strings.ContainsRune("，；;—", r), r == ',' && unicode.IsSpace(next):
		default:
			continue
		}
		if c := strings.TrimSpace(sentence[from:i]); strings.ContainsFunc(c, isWordRune) {
			found = append(found, c)
		}
		from = i + utf8.RuneLen(r)
	}
	if c := strings.TrimSpace(sentence[from:]); strings.ContainsFunc(c, isWordRune) {
		found = append(found, c)
	}
	return found
}
