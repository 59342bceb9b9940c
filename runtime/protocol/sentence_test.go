package protocol

import (
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
)

// keysInSource reads the Key constants from the source, so that none can be
// forgotten here.
func keysInSource(t *testing.T) []Key {
	var keys []Key
	for _, name := range []string{"sentence.go", "refusals.go"} {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		keys = append(keys, keysIn(t, file)...)
	}
	return keys
}

func keysIn(t *testing.T, file *ast.File) (keys []Key) {
	ast.Inspect(file, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok {
			return true
		}
		if of, ok := spec.Type.(*ast.Ident); ok && of.Name == "Key" {
			value, err := strconv.Unquote(spec.Values[0].(*ast.BasicLit).Value)
			if err != nil {
				t.Fatal(err)
			}
			keys = append(keys, Key(value))
		}
		return true
	})
	return keys
}

func TestEverySentenceIsThereInEveryLanguage(t *testing.T) {
	t.Parallel()
	verb := regexp.MustCompile(`%[a-z]`)
	keys := keysInSource(t)
	if len(keys) < 20 || len(keys) != len(sentences)+len(refusals) {
		t.Fatalf("%d keys, %d sentences", len(keys), len(sentences)+len(refusals))
	}
	for _, key := range keys {
		s, found := sentences[key]
		if !found {
			s = refusals[key]
		}
		if strings.TrimSpace(s.en) == "" || strings.TrimSpace(s.zh) == "" {
			t.Errorf("%s is not there in both languages: %+v", key, s)
		}
		if !slices.Equal(verb.FindAllString(s.en, -1), verb.FindAllString(s.zh, -1)) {
			t.Errorf("%s takes other arguments in the other language: %+v", key, s)
		}
		isHan := func(r rune) bool { return unicode.Is(unicode.Han, r) }
		if strings.ContainsFunc(s.en, isHan) || key != InField && !strings.ContainsFunc(s.zh, isHan) {
			t.Errorf("%s: the languages are mixed up: %+v", key, s)
		}
	}
}

func TestSentencesTakeTheirArguments(t *testing.T) {
	t.Parallel()
	if got, want := Sentence(English, RepeatedWarning, 3, 5), "made 3 times"; !strings.Contains(got, want) {
		t.Errorf("%q", got)
	}
	if got, want := Sentence(Chinese, TooManyRounds, 30), "本轮已结束：工具调用超过上限 30 轮。"; got != want {
		t.Errorf("%q", got)
	}
}

// What failed is often said in a sentence of its own.
func TestNoSentenceEndsTwice(t *testing.T) {
	t.Parallel()
	verb := regexp.MustCompile(`%[a-z]`)
	for _, key := range keysInSource(t) {
		s, found := sentences[key]
		if !found {
			s = refusals[key]
		}
		for lang, format := range map[Lang]string{English: s.en, Chinese: s.zh} {
			var args []any
			for _, v := range verb.FindAllString(format, -1) {
				switch v {
				case "%d":
					args = append(args, 3)
				default:
					args = append(args, map[Lang]string{English: "It has failed.", Chinese: "失败了。"}[lang])
				}
			}
			if said := Sentence(lang, key, args...); strings.Contains(said, "..") || strings.Contains(said, "。。") {
				t.Errorf("%s: %q", key, said)
			}
		}
	}
}

// A model that is missing is set up in the running program.
func TestAMissingModelNamesTheCommandsThatHelp(t *testing.T) {
	t.Parallel()
	for key, other := range map[Key]string{NoSuchModel: "/roles", NoCapableModel: "/roles", NoNodeModel: "/roles", NoOwnModel: "/model"} {
		args := []any{"reader", "gpt-x", "none"}
		if key == NoNodeModel {
			args = append([]any{"draft"}, args...)
		}
		for _, lang := range Langs() {
			said := Sentence(lang, key, args...)
			if !strings.Contains(said, "/models") || !strings.Contains(strings.ReplaceAll(said, "/models", ""), other) || strings.Contains(said, "start again") || strings.Contains(said, "重新启动") {
				t.Errorf("%s in %s says %q", key, lang, said)
			}
		}
	}
}
