// Package i18n holds texts in English and Chinese.
//
// A text is declared where it is used, with both languages in one literal, so that
// a missing translation is seen and an unused text does not compile or is reported
// by the linter:
//
//	var sent = i18n.Text{EN: "Sent to %s", ZH: "已发送给 %s"}
//	printer.T(sent, name)
//
//	var waiting = i18n.Plural{One: "%d message waits", Other: "%d messages wait", ZH: "%d 条消息待读"}
//	printer.N(waiting, n)
//
// A name in braces stands for the key that a command has now: "{palette} lists all
// commands" is printed as "ctrl+p lists all commands".
package i18n

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"society-tui/runtime/protocol"
)

// A Text is a text in each language. Its verbs are those of package fmt, the same
// in both.
type Text struct{ EN, ZH string }

// IsZero reports whether there is no text.
func (t Text) IsZero() bool { return t == Text{} }

// In returns the text in a language, in English if the language is not known.
func (t Text) In(lang protocol.Lang) string {
	if lang == protocol.Chinese {
		return t.ZH
	}
	return t.EN
}

// A Plural is a text about a number of things, which is its first argument.
type Plural struct{ One, Other, ZH string }

// In returns the form for n things in a language, in English if the language is not
// known. Chinese has one form.
func (t Plural) In(lang protocol.Lang, n int) string {
	switch {
	case lang == protocol.Chinese:
		return t.ZH
	case n == 1:
		return t.One
	}
	return t.Other
}

// A Printer prints texts in one language. The zero Printer prints English.
type Printer struct {
	Lang  protocol.Lang
	ASCII bool // without characters that a terminal limited to ASCII could not draw
	// Spoken is for a screen reader: without signs that it would read out.
	Spoken bool
	// Key returns the key of a command. Without it names in braces are printed as
	// they are.
	Key func(command string) string
}

// T prints a text. Texts and errors among its arguments are printed in its language.
func (p Printer) T(t Text, args ...any) string { return p.print(t.In(p.Lang), args) }

// N prints the form of a plural that n calls for. The first argument of its verbs is n.
func (p Printer) N(t Plural, n int, args ...any) string {
	return p.print(t.In(p.Lang, n), append([]any{n}, args...))
}

func (p Printer) print(s string, args []any) string {
	if p.Key != nil && strings.Contains(s, "{") {
		s = inBraces.ReplaceAllStringFunc(s, func(name string) string { return p.Key(name[1 : len(name)-1]) })
	}
	if p.Spoken {
		if p.Lang == protocol.Chinese {
			s = strings.ReplaceAll(s, " · ", "，")
		}
		s = unspoken.Replace(s)
	}
	if p.ASCII {
		s = ASCII(s)
	}
	if len(args) == 0 {
		return s
	}
	return fmt.Sprintf(s, inLanguage(p.Lang, args)...)
}

var inBraces = regexp.MustCompile(`\{[a-z_.]+\}`)

// Capitalized returns a text as it begins a sentence.
func Capitalized(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:]
}

// List joins the items of an enumeration.
func (p Printer) List(items []string) string { return List(items).In(p.Lang) }

// A List is the items of an enumeration, as an argument of a text.
type List []string

// In returns the items in a language.
func (l List) In(lang protocol.Lang) string {
	if lang == protocol.Chinese {
		return strings.Join(l, "、")
	}
	return strings.Join(l, ", ")
}

var unspoken = strings.NewReplacer(" · ", ", ", "…", "", "→", ">", "▸", "", "•", "-")

// ASCII returns a text without the signs of our own texts that a terminal limited
// to ASCII could not draw. Letters of other scripts stay as they are.
func ASCII(s string) string { return signs.Replace(s) }

var signs = strings.NewReplacer(
	"…", "...", "·", "-", "•", "*", "›", ">", "—", "-", "–", "-",
	"−", "-", "“", `"`, "”", `"`, "←", "<-", "→", "->", "↑", "up", "↓", "down", "✓", "+", "✗", "!", "▸", ">", "▾", "v",
)
