package tui

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"society-tui/tui/command"
)

// inSentences puts the keys that there are into sentences that name the usual ones:
// those behind ctrl, alt or shift, and those of the verbs. See spell for letters.
func inSentences(usual, bound *command.Registry) *strings.Replacer {
	var verbs, others []string
	for i, b := range usual.Bindings() {
		now := bound.Bindings()[i].Keys
		for k, key := range b.Keys {
			if b.In == command.Verbs {
				verbs = append(verbs, usual.Key("verbs_follow")+" "+key, bound.Key("verbs_follow")+" "+now[min(k, len(now)-1)])
			} else if (b.In == command.Global || b.In == command.Composer) && !command.TypesText(key) && strings.Contains(key, "+") {
				others = append(others, key, now[min(k, len(now)-1)])
			}
		}
	}
	return strings.NewReplacer(append(verbs, others...)...)
}

// spell puts a key into a sentence that names the usual one as a word of its own: a
// letter, which elsewhere is only text.
func spell(sentence *string, usual, bound string) {
	for _, was := range []string{usual, strings.ToUpper(usual)} { // F1
		if from := wordAt(*sentence, was); from >= 0 {
			*sentence = (*sentence)[:from] + bound + (*sentence)[from+len(was):]
			return
		}
	}
}

// wordAt is where a key stands in a sentence as a word of its own, not as a part of
// another key, -1 if it does not.
func wordAt(sentence, key string) int {
	inside := func(r rune) bool { return r == '+' || unicode.IsLetter(r) || unicode.IsDigit(r) }
	for from := 0; ; {
		at := strings.Index(sentence[from:], key)
		if at < 0 {
			return -1
		}
		at += from
		from = at + len(key)
		before, _ := utf8.DecodeLastRuneInString(sentence[:at])
		after, _ := utf8.DecodeRuneInString(sentence[from:])
		if !inside(before) && !inside(after) {
			return at
		}
	}
}
