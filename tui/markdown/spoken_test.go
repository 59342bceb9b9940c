package markdown_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"society-tui/tui/markdown"
	"society-tui/tui/sanitize"
)

func TestSpokenTextHasNoSignsOfMarkdown(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"## Result\n\nIt is **done**, with `code`.":      "Result\n\nIt is done, with code.",
		"| a | b |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |": "a: 1\nb: 2\n\na: 3\nb: 4",
		"- one\n  - two\n1. three":                       "- one\n  - two\n1. three",
		"> quoted":                                       " quoted",
		"one\n\n---\n\ntwo":                              "one\n\n\n\ntwo",
	} {
		if got := markdown.Spoken(in); got != want {
			t.Errorf("%q is said as %q, want %q", in, got, want)
		}
	}
}

// Spoken text keeps every letter and digit, and adds no control character.
func TestSpokenTextKeepsEveryLetter(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := sanitize.Text(strings.Join(rapid.SliceOf(rapid.SampledFrom([]string{
			"word", "**bold**", "`code`", "# head", "\n", "\n\n", "- item", "> quote", "| a | b |", "| --- | --- |", "第七章", " ", "```\n", "12",
		})).Draw(t, "text"), ""))
		letters := func(s string) string {
			return strings.Map(func(r rune) rune {
				if strings.ContainsRune("wordbolcdeheaitmqu第七章12", r) {
					return r
				}
				return -1
			}, s)
		}
		said := markdown.Spoken(text)
		if strings.ContainsFunc(said, func(r rune) bool { return r < ' ' && r != '\n' }) {
			t.Fatalf("%q is said as %q", text, said)
		}
		if !strings.Contains(text, "|") && !strings.Contains(text, "```") && letters(said) != letters(text) {
			t.Fatalf("%q is said as %q", text, said)
		}
	})
}

// A broken line can be joined again.
func TestBrokenRowsKeepTheirGaps(t *testing.T) {
	t.Parallel()
	look := &markdown.Look{}
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "word", "第七章。", "averyveryverylongword", "（x）", "one,"}), 1, 12).Draw(t, "words")
		gap := rapid.SampledFrom([]string{"", " ", "   ", "\n"})
		text := ""
		for i, w := range words {
			if i > 0 {
				text += gap.Draw(t, "gap")
			}
			text += w
		}
		var again strings.Builder
		for i, row := range markdown.Plain(text, rapid.IntRange(2, 30).Draw(t, "width"), look) {
			switch {
			case row.Soft:
				again.WriteString(row.Gap)
			case i > 0:
				again.WriteByte('\n')
			}
			again.WriteString(row.Text)
		}
		if again.String() != text {
			t.Fatalf("%q is put together as %q", text, again.String())
		}
	})
}
