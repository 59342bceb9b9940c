package words_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"society-tui/runtime/protocol"
	"society-tui/tui/words"
)

// tables are all tables of words, in both languages. TestEveryTableIsTested
// finds one that is missing here.
func tables() map[string][2]any {
	both := func(en, zh any) [2]any { return [2]any{en, zh} }
	en, zh := protocol.English, protocol.Chinese
	return map[string][2]any{
		"ForApp":      both(words.ForApp(en), words.ForApp(zh)),
		"ForPalette":  both(words.ForPalette(en), words.ForPalette(zh)),
		"ForCommands": both(words.ForCommands(en), words.ForCommands(zh)),
		"ForKeys":     both(words.ForKeys(en), words.ForKeys(zh)),
		"ForNotices":  both(words.ForNotices(en), words.ForNotices(zh)),
	}
}

var verb = regexp.MustCompile(`%[^ ]`)

// each calls f for every string of two values of one type, with where it stands.
func each(t *testing.T, path string, en, zh reflect.Value, f func(path, en, zh string)) {
	t.Helper()
	switch en.Kind() {
	case reflect.String:
		f(path, en.String(), zh.String())
	case reflect.Struct:
		for i := range en.NumField() {
			each(t, path+"."+en.Type().Field(i).Name, en.Field(i), zh.Field(i), f)
		}
	case reflect.Slice, reflect.Array:
		if en.Len() == 0 || en.Len() != zh.Len() {
			t.Errorf("%s has %d and %d words", path, en.Len(), zh.Len())
			return
		}
		for i := range en.Len() {
			each(t, fmt.Sprintf("%s[%d]", path, i), en.Index(i), zh.Index(i), f)
		}
	case reflect.Map:
		if en.Len() == 0 || en.Len() != zh.Len() {
			t.Errorf("%s has %d and %d words", path, en.Len(), zh.Len())
		}
		for _, key := range en.MapKeys() {
			if !zh.MapIndex(key).IsValid() {
				t.Errorf("%s has no %v in Chinese", path, key)
				continue
			}
			each(t, fmt.Sprintf("%s[%v]", path, key), en.MapIndex(key), zh.MapIndex(key), f)
		}
	default:
		t.Errorf("%s is a %v, no word", path, en.Kind())
	}
}

func TestEveryWordIsThereInBothLanguagesWithTheSameVerbs(t *testing.T) {
	t.Parallel()
	for name, table := range tables() {
		each(t, name, reflect.ValueOf(table[0]), reflect.ValueOf(table[1]), func(path, en, zh string) {
			if en == "" || zh == "" {
				t.Errorf("%s is %q and %q", path, en, zh)
			}
			if a, b := verb.FindAllString(en, -1), verb.FindAllString(zh, -1); !slices.Equal(a, b) {
				t.Errorf("%s has the verbs %v and %v", path, a, b)
			}
			if strings.ContainsAny(en+zh, "\n\t") {
				t.Errorf("%s is more than a line", path)
			}
		})
	}
}

func TestEveryTableIsTested(t *testing.T) {
	t.Parallel()
	known := tables()
	names, err := filepath.Glob("*.go")
	if err != nil || len(names) == 0 {
		t.Fatalf("%v, %v", names, err)
	}
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range file.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok || !strings.HasPrefix(f.Name.Name, "For") || f.Recv != nil {
				continue
			}
			if _, tested := known[f.Name.Name]; !tested {
				t.Errorf("%s is in no test", f.Name.Name)
			}
		}
	}
}

func TestASCIILeavesNoSignsBesideLetters(t *testing.T) {
	t.Parallel()
	for name, table := range map[string]any{
		"App": words.ASCII(words.ForApp(protocol.English)),

		"Keys": words.ASCII(words.ForKeys(protocol.English)), "Notices": words.ASCII(words.ForNotices(protocol.English)),
	} {
		v := reflect.ValueOf(table)
		for i := range v.NumField() {
			for _, r := range v.Field(i).String() {
				if r > '~' {
					t.Errorf("%s.%s holds %q", name, v.Type().Field(i).Name, r)
				}
			}
		}
	}
}
