package cli

import (
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"society-tui/runtime/i18n"
	"society-tui/runtime/protocol"
)

func TestFormsOfCommandsAreChineseInChinese(t *testing.T) {
	t.Parallel()
	parser, err := kong.New(&commandLine{}, kong.Vars{"version": "", "themes": "", "themeFolder": "", "templates": "", "folder": "", "words": "", "codes": ""})
	if err != nil {
		t.Fatal(err)
	}
	u := usage{console: &console{printer: i18n.Printer{Lang: protocol.Chinese}}}
	english := regexp.MustCompile(`<[a-z]+>|\[flags\]`)
	for _, command := range parser.Model.Children {
		if form := u.summary(command.Summary()); english.MatchString(form) {
			t.Errorf("%s is %q in Chinese", command.Name, form)
		}
	}
}

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
			if zh := field.Tag.Get("zh"); strings.Contains(zh, ", ") {
				t.Errorf("%s.%s: %q has an English separator", of, field.Name, zh)
			}
			if _, command := field.Tag.Lookup("cmd"); command {
				check(field.Type)
			}
		}
	}
	check(reflect.TypeFor[commandLine]())
}
