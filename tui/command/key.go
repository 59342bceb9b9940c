package command

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	"golang.org/x/text/width"
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

// Narrow returns the key that an input method in full-width mode stands for: y for ｙ. Its code
// stays what was written, in case it begins a text.
func Narrow(k tea.KeyPressMsg) tea.KeyPressMsg {
	if narrow := width.Fold.String(k.Text); len(narrow) == 1 {
		k.Text = narrow
	}
	return k
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

// Presses returns the keys of a hint as if they were pressed: "ctrl+p", "F1", "esc esc". It
// returns nil for more than one key to choose from.
func Presses(hint string) (keys []tea.KeyPressMsg) {
	for _, key := range strings.Fields(hint) {
		k, ok := pressed(key)
		if !ok {
			return nil
		}
		keys = append(keys, k)
	}
	return keys
}

func pressed(key string) (k tea.KeyPressMsg, ok bool) {
	if len(key) > 1 && key[0] == 'F' {
		key = strings.ToLower(key)
	}
	if !IsKey(key) {
		return k, false
	}
	for _, modifier := range []struct {
		name string
		mod  tea.KeyMod
	}{{"ctrl+", tea.ModCtrl}, {"alt+", tea.ModAlt}, {"shift+", tea.ModShift}} {
		if rest, cut := strings.CutPrefix(key, modifier.name); cut && rest != "" {
			key, k.Mod = rest, k.Mod|modifier.mod
		}
	}
	if code, named := keyCodes[key]; named {
		k.Code = code
		return k, true
	}
	if n, isFunction := strings.CutPrefix(key, "f"); isFunction && n != "" {
		nth, err := strconv.Atoi(n)
		k.Code = tea.KeyF1 + rune(nth-1)
		return k, err == nil
	}
	k.Code, _ = utf8.DecodeRuneInString(key)
	if k.Mod == 0 {
		k.Text = key
	}
	return k, true
}

var keyCodes = map[string]rune{
	"enter": tea.KeyEnter, "tab": tea.KeyTab, "space": tea.KeySpace, "esc": tea.KeyEscape, "backspace": tea.KeyBackspace,
	"delete": tea.KeyDelete, "insert": tea.KeyInsert, "up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight,
	"home": tea.KeyHome, "end": tea.KeyEnd, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown,
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
