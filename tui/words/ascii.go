package words

import (
	"reflect"

	"society-tui/runtime/i18n"
)

// ASCII returns w, a struct of strings, without signs that a terminal for ASCII
// could not draw. Letters of other scripts stay as they are.
func ASCII[W any](w W) W { return Each(w, i18n.ASCII) }

// Each returns w, a struct of strings, with each of them changed.
func Each[W any](w W, change func(string) string) W {
	v := reflect.ValueOf(&w).Elem()
	for i := range v.NumField() {
		if f := v.Field(i); f.Kind() == reflect.String {
			f.SetString(change(f.String()))
		}
	}
	return w
}
