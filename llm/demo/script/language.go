package script

import (
	"fmt"
	"strconv"
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

// ParseLanguage returns the language that a locale's name stands for; English
// for all that are not Chinese.
func ParseLanguage(name string) Language {
	if strings.HasPrefix(strings.ToLower(name), "zh") {
		return Chinese
	}
	return English
}

// A text is something that the model says or reads, in both languages, with the
// same verbs in the same order.
type text struct{ en, zh string }

// in returns the text in a language, with its verbs filled in.
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

// begins reports whether s is the text in one of the languages, or begins as it
// does before its first verb.
func (t text) begins(s string) bool {
	en, _, _ := strings.Cut(t.en, "%")
	zh, _, _ := strings.Cut(t.zh, "%")
	return strings.HasPrefix(s, en) || strings.HasPrefix(s, zh)
}

// A plural is a text that counts something.
type plural struct{ one, other, zh string }

func (p plural) in(l Language, n int) string {
	format := p.other
	if l == Chinese {
		format = p.zh
	} else if n == 1 {
		format = p.one
	}
	return strings.ReplaceAll(format, "%d", strconv.Itoa(n))
}

// list joins names as the language does.
func (l Language) list(names []string) string {
	return strings.Join(names, text{", ", "、"}.in(l))
}

// languageOf returns the language in which something is written, and other if it
// is neither or has no letter.
func languageOf(words string, other Language) Language {
	han, letters := 0, 0
	for _, r := range words {
		if letters > 2000 {
			break
		}
		if unicode.IsLetter(r) {
			letters++
		}
		if isHan(r) {
			han++
		}
	}
	switch {
	case letters == 0:
		return other
	case han*3 >= letters:
		return Chinese
	}
	return English
}
