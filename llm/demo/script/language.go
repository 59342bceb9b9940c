package script

import (
	"fmt"
	"strings"
	"unicode"
)

// A Language is one that the model writes.
type Language string

// The languages.
const (
	English Language = "en"
	Chinese Language = "zh-CN"
)

// Languages returns both.
func Languages() []Language { return []Language{English, Chinese} }

// ParseLanguage returns the language of a locale; English unless it is Chinese.
func ParseLanguage(name string) Language {
	if strings.HasPrefix(strings.ToLower(name), "zh") {
		return Chinese
	}
	return English
}

// A text is a text in both languages, with the same verbs.
type text struct{ en, zh string }

// in returns the text in a language, formatted with args.
func (t text) in(l Language, args ...any) string {
	format := t.en
	if l == Chinese {
		format = t.zh
	}
	if len(args) == 0 {
		return format
	}
	return fmt.Sprintf(format, args...)
}

// begins reports whether s begins with the text, up to its first verb, in one of the
// languages.
func (t text) begins(s string) bool {
	en, _, _ := strings.Cut(t.en, "%")
	zh, _, _ := strings.Cut(t.zh, "%")
	return strings.HasPrefix(s, en) || strings.HasPrefix(s, zh)
}

// is reports whether s is the text in one of the languages.
func (t text) is(s string) bool { return strings.EqualFold(s, t.en) || s == t.zh }

// list joins names as the language does.
func (l Language) list(names []string) string {
	return strings.Join(names, text{", ", "、"}.in(l))
}

// fewestWords are English, not a name or a term such as SWOT, which each language uses.
const fewestWords = 3

// languageOf returns the language of words, or other if they have no letters or are a few
// that both languages use.
func languageOf(words string, other Language) Language {
	han, letters := 0, 0
	for _, r := range words[:min(len(words), 4<<10)] {
		if isHan(r) {
			han++
		}
		if unicode.IsLetter(r) {
			letters++
		}
	}
	switch {
	case letters == 0, han == 0 && len(strings.Fields(words)) < fewestWords:
		return other
	case han*3 >= letters:
		return Chinese
	}
	return English
}
