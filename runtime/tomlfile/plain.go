package tomlfile

import (
	"errors"
	"regexp"
	"slices"
	"strings"

	"society-tui/runtime/i18n"
)

// mismatch matches the library's message about a value of the wrong type.
var mismatch = regexp.MustCompile(`^cannot decode TOML (\S+) into .*?(\S+)$`)

// plain turns a message of the library into one for whoever wrote the file.
func plain(text string) error {
	text = Printable(strings.TrimPrefix(text, "toml: "))
	m := mismatch.FindStringSubmatch(text)
	if m == nil {
		return remedy(text)
	}
	wanted := textTable
	switch {
	case slices.ContainsFunc([]string{"string", "Secret", "Group", "Routing", "Merge"}, func(s string) bool { return strings.HasSuffix(m[2], s) }) &&
		!strings.HasPrefix(m[2], "[]"):
		wanted = textQuoted
	case m[2] == "[]string":
		wanted = textTexts
	case strings.HasPrefix(m[2], "[]"):
		wanted = textList
	case m[2] == "int":
		wanted = textNumber
	case strings.HasSuffix(m[2], "float64"):
		wanted = textDecimal
	case m[2] == "bool":
		wanted = textBool
	case strings.HasSuffix(m[2], ".Duration"):
		wanted = textDuration
	}
	return textMustBe.With(wanted, m[1])
}

// remedies map the library's errors to what to write instead.
var remedies = []struct {
	says   *regexp.Regexp
	remedy i18n.Text
}{
	{regexp.MustCompile(`^(?:unterminated (?:basic|literal)|(?:basic|literal) strings cannot have new lines)`), textEndQuote},
	{regexp.MustCompile(`^multiline .* not terminated`), textEndQuotes},
	{regexp.MustCompile(`^expected value, not end of input|^unexpected character U\+000[AD]|^expected value but got U\+000[AD]`), textNoValue},
	{regexp.MustCompile(`at start of value|^expected value but got|^expected (?:keyword )?"|^strings must be quoted|^expected digit|^expected number`), textWriteQuotes},
	{regexp.MustCompile(`^expected newline`), textOneValue},
	{regexp.MustCompile(`^expected '=' after key`), textNoEquals},
	{regexp.MustCompile(`^invalid character at start of key|^expected key`), textNameValue},
	{regexp.MustCompile(`^expected '\]\]'`), textEndBrackets},
	{regexp.MustCompile(`^expected '\]'`), textEndBracket},
	{regexp.MustCompile(`^array is incomplete|^expected ',' or '\]'`), textWriteList},
	{regexp.MustCompile(`inline table`), textWriteFields},
	{regexp.MustCompile(`^invalid escape|unicode escape|escape sequence`), textEscape},
	{regexp.MustCompile(`^invalid UTF-8`), textUTF8},
	{regexp.MustCompile(`is already defined$|already exists(?: as a value)?$`), textTwice},
	{regexp.MustCompile(`array table`), textOneTable},
	{regexp.MustCompile(`^(".*") is not a duration`), textNoDuration}, // of a type that reads itself
}

// remedy turns a message of the library into what to write instead, where that is known.
func remedy(text string) error {
	for _, r := range remedies {
		if m := r.says.FindStringSubmatch(text); m != nil {
			args := make([]any, len(m)-1)
			for i := range args {
				args[i] = m[i+1]
			}
			return r.remedy.With(args...)
		}
	}
	return errors.New(text)
}
