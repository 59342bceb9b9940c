package words

import (
	"reflect"
	"strings"
)

// letters are what our own words hold beside letters, as a terminal without
// Unicode can draw it.
var letters = strings.NewReplacer(
	"…", "...", "·", "-", "•", "*", "›", ">", "—", "-", "–", "-",
	"←", "<-", "→", "->", "↑", "up", "↓", "down", "✓", "+", "✗", "!", "▸", ">", "▾", "v",
)

// ASCII returns w, a struct of strings, without signs that a terminal for ASCII
// could not draw. Letters of other scripts stay as they are.
func ASCII[W any](w W) W {
	v := reflect.ValueOf(&w).Elem()
	for i := range v.NumField() {
		if f := v.Field(i); f.Kind() == reflect.String {
			f.SetString(letters.Replace(f.String()))
		}
	}
	return w
}
