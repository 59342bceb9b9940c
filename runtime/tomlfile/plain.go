package tomlfile

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// mismatch matches the library's message about a value of the wrong type.
var mismatch = regexp.MustCompile(`^cannot decode TOML (\S+) into .*?(\S+)$`)

// plain turns a message of the library into one for whoever wrote the file.
func plain(text string) string {
	text = strings.TrimPrefix(text, "toml: ")
	m := mismatch.FindStringSubmatch(text)
	if m == nil {
		return Printable(remedy(text))
	}
	wanted := "a table"
	switch {
	case slices.ContainsFunc([]string{"string", "Secret", "Group", "Routing", "Merge"}, func(s string) bool { return strings.HasSuffix(m[2], s) }) &&
		!strings.HasPrefix(m[2], "[]"):
		wanted = "text in quotes"
	case m[2] == "[]string":
		wanted = `a list in brackets, as in ["fast"]`
	case strings.HasPrefix(m[2], "[]"):
		wanted = "a list"
	case m[2] == "int":
		wanted = "a whole number"
	case m[2] == "bool":
		wanted = "true or false"
	case strings.HasSuffix(m[2], ".Duration"):
		wanted = `a duration in quotes, as in "30s" or "5m"`
	}
	return Printable(fmt.Sprintf("must be %s, not %s", wanted, m[1]))
}

// remedies map the library's errors to what to write instead.
var remedies = []struct {
	says   *regexp.Regexp
	remedy string
}{
	{regexp.MustCompile(`^(unterminated (basic|literal)|(basic|literal) strings cannot have new lines)`), "the text must end in a quote on its own line"},
	{regexp.MustCompile(`^multiline .* not terminated`), "the text must end in three quotes, as it begins"},
	{regexp.MustCompile(`^expected value, not end of input|^unexpected character U\+000[AD]|^expected value but got U\+000[AD]`), "the value is missing: write name = value"},
	{regexp.MustCompile(`at start of value|^expected value but got|^expected (keyword )?"|^strings must be quoted|^expected digit|^expected number`), `write a text in quotes, as in "dark"; a number, true and false without`},
	{regexp.MustCompile(`^expected newline`), `only one value can follow the =, a text in one pair of quotes; a comment begins with #`},
	{regexp.MustCompile(`^expected '=' after key`), "the = is missing: write name = value"},
	{regexp.MustCompile(`^invalid character at start of key|^expected key`), `write name = value; a comment begins with #`},
	{regexp.MustCompile(`^expected '\]\]'`), "the name must end in two brackets, as in [[graphs]]"},
	{regexp.MustCompile(`^expected '\]'`), "the name must end in a bracket, as in [model]"},
	{regexp.MustCompile(`^array is incomplete|^expected ',' or '\]'`), `write a list in brackets with commas, as in ["a", "b"]`},
	{regexp.MustCompile(`inline table`), `write fields in braces with commas, as in { a = 1, b = 2 }`},
	{regexp.MustCompile(`^invalid escape|unicode escape|escape sequence`), `write \\ for \, or put the text in '…'`},
	{regexp.MustCompile(`^invalid UTF-8`), "save the file as UTF-8"},
	{regexp.MustCompile(`is already defined$|already exists( as a value)?$`), "this is set twice: remove one of the two"},
	{regexp.MustCompile(`array table`), "this is one table: write its name in [ ], not in [[ ]]"},
}

// remedy turns a message of the library into what to write instead, where that is known.
func remedy(text string) string {
	for _, r := range remedies {
		if r.says.MatchString(text) {
			return r.remedy
		}
	}
	return text
}
