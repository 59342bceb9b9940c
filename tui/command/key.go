package command

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
)

// Stroke returns the name of a pressed key, as keys are declared.
func Stroke(k tea.KeyPressMsg) string {
	switch s := k.String(); s {
	case " ":
		return "space"
	case "kpenter":
		return "enter"
	default:
		return s
	}
}

// IsKey reports whether a text names a key: "ctrl+p", "alt+up", "T", "space".
func IsKey(text string) bool {
	rest := text
	for _, modifier := range []string{"ctrl+", "alt+", "shift+"} {
		rest = strings.TrimPrefix(rest, modifier)
	}
	if n := utf8.RuneCountInString(rest); n == 1 {
		c, _ := utf8.DecodeRuneInString(rest)
		return unicode.IsGraphic(c) && c != ' ' && !strings.Contains(text, "shift+") && (rest == text || !unicode.IsUpper(c))
	}
	return slices.Contains(namedKeys(), rest)
}

func namedKeys() []string {
	return []string{
		"enter", "tab", "space", "esc", "backspace", "delete", "insert", "up", "down", "left", "right", "home", "end", "pgup", "pgdown",
		"f1", "f2", "f3", "f4", "f5", "f6", "f7", "f8", "f9", "f10", "f11", "f12",
	}
}

// TypesText reports whether a key types text in a text field.
func TypesText(key string) bool { return utf8.RuneCountInString(key) == 1 || key == "space" }

// Shown formats a key as it is labelled on a keyboard: F1.
func Shown(key string) string {
	if strings.HasPrefix(key, "f") && len(key) > 1 {
		return strings.ToUpper(key)
	}
	return key
}

// Label formats keys for a table: the first, and the last of many.
func Label(keys []string) string {
	if n := len(keys); n > 3 {
		return Shown(keys[0]) + " … " + Shown(keys[n-1])
	}
	shown := make([]string, len(keys))
	for i, k := range keys {
		shown[i] = Shown(k)
	}
	return strings.Join(shown, " ")
}

// HintKey formats the binding's first key for the row of hints, or all if they
// are digits.
func (b *Binding) HintKey() string {
	if last := b.Keys[len(b.Keys)-1]; b.Keys[0] == "1" && len(b.Keys) > 1 {
		return "1-" + last
	}
	return Shown(b.Keys[0])
}

// Typing returns the keys that type text, or the others.
func (b *Binding) Typing(text bool) []string {
	return slices.DeleteFunc(slices.Clone(b.Keys), func(k string) bool { return TypesText(k) != text })
}
