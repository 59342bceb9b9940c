package graph

import (
	"strconv"
	"strings"
	"unicode"
)

// ParseVerdict reads a model's answer to a condition: its first word, in either
// language, and what follows as the reason. What begins otherwise is Neither.
func ParseVerdict(answer string) (v Verdict, why string) {
	word, rest := firstWord(answer)
	switch strings.ToLower(word) {
	case "yes", "true", "是", "是的", "对":
		return Yes, rest
	case "no", "false", "否", "不", "不是":
		return No, rest
	}
	return Neither, strings.TrimSpace(answer)
}

// ParseChoice reads a model's answer to a Choose among n: a number from 1 to n,
// or 0 for none, and the reason.
func ParseChoice(answer string, n int) (v Verdict, choice int, why string) {
	word, rest := firstWord(answer)
	i, err := strconv.Atoi(word)
	switch {
	case err != nil || i < 0 || i > n:
		return Neither, 0, strings.TrimSpace(answer)
	case i == 0:
		return No, 0, rest
	}
	return Yes, i, rest
}

// firstWord splits off the first word, without the signs around it.
func firstWord(s string) (word, rest string) {
	sign := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	s = strings.TrimLeftFunc(s, sign)
	end := strings.IndexFunc(s, sign)
	if end < 0 {
		return s, ""
	}
	return s[:end], strings.TrimSpace(strings.TrimLeftFunc(s[end:], sign))
}
