package protocol

import (
	"fmt"
	"strings"
)

// Lang is the language that the runtime speaks with agents and the person.
type Lang string

// The languages.
const (
	English Lang = "en"
	Chinese Lang = "zh-CN"
)

// Langs are all languages there are, the default first.
func Langs() []Lang { return []Lang{English, Chinese} }

// ParseLang reads a language tag or the name of a locale: "en", "zh-CN",
// "zh_CN.UTF-8". Every Chinese one is Chinese; "C" and "POSIX", the locales of a
// machine without settings, are English. Any other is an error that names what
// there is.
func ParseLang(s string) (Lang, error) {
	tag, _, _ := strings.Cut(strings.TrimSpace(s), ".")
	tag, _, _ = strings.Cut(tag, "@")
	language, _, _ := strings.Cut(strings.ReplaceAll(strings.ToLower(tag), "_", "-"), "-")
	switch language {
	case "en", "c", "posix":
		return English, nil
	case "zh":
		return Chinese, nil
	}
	return "", fmt.Errorf("language %q: there are en and zh-CN", s)
}
