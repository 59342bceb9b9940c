package demo

import (
	"unicode"
	"unicode/utf8"

	"society-tui/llm"
)

// words cuts a text into what is said at a time: a word with the space after
// it, or two Chinese characters. Joined, they are the text.
func words(text string) []string {
	var pieces []string
	start, han := 0, 0
	for i, r := range text {
		before, _ := utf8.DecodeLastRuneInString(text[:i])
		if i > start && (unicode.IsSpace(before) && !unicode.IsSpace(r) || han >= 2) {
			pieces = append(pieces, text[start:i])
			start, han = i, 0
		}
		if unicode.Is(unicode.Han, r) {
			han++
		}
	}
	if start < len(text) {
		pieces = append(pieces, text[start:])
	}
	return pieces
}

// cut cuts a text into pieces of at most so many bytes, between characters.
func cut(text string, most int) []string {
	var pieces []string
	for len(text) > most {
		n := most
		for n > 1 && !utf8.RuneStart(text[n]) {
			n--
		}
		pieces = append(pieces, text[:n])
		text = text[n:]
	}
	return append(pieces, text)
}

// tokens estimates what a text costs: a token for four letters, or for one
// Chinese character.
func tokens(text string) int {
	quarters := 0
	for _, r := range text {
		if unicode.Is(unicode.Han, r) {
			quarters += 3
		}
		quarters++
	}
	return (quarters + 3) / 4
}

func promptTokens(request llm.Request) int {
	n := tokens(request.System)
	for _, m := range request.Messages {
		n += tokens(m.Text) + tokens(m.Reasoning) + 4
		for _, c := range m.Calls {
			n += tokens(c.Name) + tokens(c.Arguments)
		}
	}
	for _, t := range request.Tools {
		n += tokens(t.Name) + tokens(t.Description) + tokens(string(t.Parameters))
	}
	return n
}
