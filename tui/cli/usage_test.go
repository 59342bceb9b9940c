package cli

import (
	"reflect"
	"testing"
)

func TestEveryCommandAndFlagHasHelpInBothLanguages(t *testing.T) {
	t.Parallel()
	var check func(of reflect.Type)
	check = func(of reflect.Type) {
		for i := range of.NumField() {
			field := of.Field(i)
			if field.Anonymous {
				check(field.Type)
				continue
			}
			if field.Tag.Get("help") == "" || field.Tag.Get("zh") == "" {
				t.Errorf("%s.%s: help is %q, zh is %q", of, field.Name, field.Tag.Get("help"), field.Tag.Get("zh"))
			}
			if _, command := field.Tag.Lookup("cmd"); command {
				check(field.Type)
			}
		}
	}
	check(reflect.TypeFor[commandLine]())
}
