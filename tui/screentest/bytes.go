package screentest

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// named are the keys with a sequence of their own.
var named = map[string]string{
	"enter": "\r", "tab": "\t", "esc": "\x1b", "backspace": "\x7f", "space": " ",
	"up": "\x1b[A", "down": "\x1b[B", "right": "\x1b[C", "left": "\x1b[D",
	"home": "\x1b[H", "end": "\x1b[F", "pgup": "\x1b[5~", "pgdown": "\x1b[6~", "delete": "\x1b[3~",
	"f1": "\x1bOP", "f2": "\x1bOQ", "shift+tab": "\x1b[Z",
	"alt+up": "\x1b[1;3A", "alt+down": "\x1b[1;3B", "alt+right": "\x1b[1;3C", "alt+left": "\x1b[1;3D",
	"shift+enter": "\x1b[13;2u", "alt+enter": "\x1b\r", "alt+esc": "\x1b\x1b",
	// terminals that only have modifyOtherKeys
	"shift+enter/xterm":   "\x1b[27;2;13~",
	"shift+enter/konsole": "\x1bOM",
}

// Bytes returns the bytes that a terminal sends for a key.
func Bytes(key string) (string, error) {
	if b, ok := named[key]; ok {
		return b, nil
	}
	if letter, ok := strings.CutPrefix(key, "ctrl+"); ok && len(letter) == 1 {
		return string(letter[0] & 0x1f), nil
	}
	if rest, ok := strings.CutPrefix(key, "alt+"); ok && utf8.RuneCountInString(rest) == 1 {
		return "\x1b" + rest, nil
	}
	if utf8.RuneCountInString(key) == 1 {
		return key, nil
	}
	return "", fmt.Errorf("there is no key %q", key)
}
