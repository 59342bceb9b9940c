package files

import (
	"bytes"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode/utf8"
)

// A literal is a text that stands in all that an expression matches; an empty one is in
// everything. Looking for it is much faster than matching.
type literal struct {
	text []byte
	fold bool // it is in lower case, and any case counts
}

// required returns the longest literal of an expression.
func required(re *regexp.Regexp) literal {
	parsed, err := syntax.Parse(re.String(), syntax.Perl)
	if err != nil { // it has been compiled
		return literal{}
	}
	return longest(parsed)
}

func longest(re *syntax.Regexp) literal {
	switch re.Op {
	case syntax.OpLiteral:
		l := literal{text: []byte(string(re.Rune)), fold: re.Flags&syntax.FoldCase != 0}
		if slices.Contains(re.Rune, utf8.RuneError) { // stands for bytes that are no text too
			return literal{}
		}
		if l.fold {
			if slices.ContainsFunc(re.Rune, func(r rune) bool { return r >= utf8.RuneSelf }) {
				return literal{}
			}
			l.text = bytes.ToLower(l.text)
		}
		return l
	case syntax.OpCapture, syntax.OpPlus:
		return longest(re.Sub[0])
	case syntax.OpRepeat:
		if re.Min > 0 {
			return longest(re.Sub[0])
		}
	case syntax.OpConcat:
		var best literal
		for _, sub := range re.Sub {
			if l := longest(sub); len(l.text) > len(best.text) {
				best = l
			}
		}
		return best
	}
	return literal{}
}

// in reports whether the literal stands in a content, or might.
func (l literal) in(content []byte) bool {
	if !l.fold || len(l.text) == 0 {
		return bytes.Contains(content, l.text)
	}
	if bytes.ContainsAny(l.text, "ks") && (bytes.Contains(content, []byte("\u212a")) || bytes.Contains(content, []byte("\u017f"))) {
		return true // letters of other alphabets that are k and s in another case
	}
	first := strings.ToUpper(string(l.text[:1])) + string(l.text[:1])
	for {
		at := bytes.IndexAny(content, first)
		if at < 0 || len(content)-at < len(l.text) {
			return false
		}
		if bytes.EqualFold(content[at:at+len(l.text)], l.text) {
			return true
		}
		content = content[at+1:]
	}
}
