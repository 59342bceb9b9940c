package tomlfile_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"
	"pgregory.net/rapid"

	"society-tui/runtime/tomlfile"
)

type sheet struct {
	Name  string   `toml:"name"`
	Count int      `toml:"count"`
	Tags  []string `toml:"tags"`
	Box   box      `toml:"box"`
	Items []item   `toml:"items"`
}

type box struct {
	Open bool `toml:"open"`
}

type item struct {
	Key   string `toml:"key"`
	Size  odd    `toml:"size"`
	Inner []item `toml:"inner"`
}

// An odd value refuses whatever is even in length, as text that it reads itself.
type odd struct{ text string }

func (o *odd) UnmarshalText(text []byte) error {
	if len(text)%2 == 0 {
		return errors.New("it is even")
	}
	o.text = string(text)
	return nil
}

func fresh() *sheet { return &sheet{Count: 7} }

func TestEveryMistakeIsFoundWhereItStands(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text  string
		want  []string
		whole bool
	}{
		"nothing": {"", nil, true},
		"many": {"name = 1 # no\ncount = \"x\"\nother = 2\n[[items]]\nkey = [\n  1,\n  2,\n]\n[[items]]\nsize = 44\nkye = 1\n[[items.inner]]\nsize = \"ab\"\n", []string{
			"1:8 name name must be text in quotes, not integer", "2:9 count count must be a whole number, not string",
			"5:7 items.key items[0].key must be text in quotes, not array", "10:1 items.size items[1].size it is even",
			"13:8 items.inner.size items[1].inner[0].size it is even", "3:1 other  unknown", "11:1 items.kye items[1] unknown",
		}, true},
		"twice":    {"name = \"a\"\nname = \"b\"\n", []string{"2:1 name name "}, true},
		"no TOML":  {"name = 1\n[[items]\ncount = 2\n", []string{"2:"}, false},
		"no table": {"[name]\ncount = 2\nbox = 1\n", []string{"1:"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			value, mistakes, whole := tomlfile.Decode([]byte(c.text), fresh)
			var got []string
			for _, m := range mistakes {
				if m.Unknown {
					m.Why = errors.New("unknown")
				}
				got = append(got, fmt.Sprintf("%d:%d %s %s %s", m.Line, m.Column, strings.Join(m.Key, "."), m.Path, m.Why))
			}
			if whole != c.whole || len(got) != len(c.want) {
				t.Fatalf("whole %v, %q", whole, got)
			}
			for i := range got {
				if !strings.HasPrefix(got[i], c.want[i]) {
					t.Errorf("%q, want %q", got[i], c.want[i])
				}
			}
			if whole && value.Count != 7 {
				t.Errorf("what has a mistake is not as it was made: %+v", value)
			}
		})
	}
}

// What is left of a text without its mistakes is what it says without those lines.
func TestAMistakeLeavesOtherFieldsRead(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		good, bad := []string{}, []string{}
		add := func(line, wrong string) {
			if rapid.Bool().Draw(t, "wrong") {
				bad = append(bad, wrong)
				return
			}
			good, bad = append(good, line), append(bad, line)
		}
		add(`name = "n"`, `name = [1, 2]`)
		add(`count = 3`, `count = "3"`)
		add(`tags = ["a"]`, `tags = [{a = 1}]`)
		for range rapid.IntRange(0, 3).Draw(t, "items") {
			good, bad = append(good, "[[items]]"), append(bad, "[[items]]")
			add(`key = "k"`, `key = true`)
			add(`size = "abc"`, `size = "ab"`)
		}
		want := fresh()
		if err := toml.Unmarshal([]byte(strings.Join(good, "\n")), want); err != nil {
			t.Fatal(err)
		}
		got, mistakes, whole := tomlfile.Decode([]byte(strings.Join(bad, "\n")), fresh)
		if !whole || len(mistakes) != len(bad)-len(good) || !reflect.DeepEqual(got, want) {
			t.Fatalf("whole %v, %d mistakes, %+v, want %+v", whole, len(mistakes), got, want)
		}
		for _, m := range mistakes {
			if m.Line < 1 || m.Line > len(bad) || !strings.HasPrefix(strings.TrimSpace(bad[m.Line-1]), m.Key[len(m.Key)-1]) {
				t.Fatalf("%+v stands elsewhere", m)
			}
		}
	})
}

func TestPlacesAreThoseOfEveryPart(t *testing.T) {
	t.Parallel()
	places := tomlfile.Places([]byte("a = 1\n[b]\nc = {d = \"x\", e = [1, 2]}\n[[l]]\n[[l.m]]\nk = 1\n[[l.m]]\n[[l]]\n[l.n]\nk = 2\n"))
	for path, line := range map[string]int{
		"a": 1, "b": 2, "b.c": 3, "b.c.d": 3, "b.c.e": 3, "b.c.e[1]": 3, "l[0]": 4, "l[0].m[0]": 5, "l[0].m[0].k": 6, "l[0].m[1]": 7, "l[1]": 8, "l[1].n": 9, "l[1].n.k": 10,
	} {
		if got := places[path]; got.Line != line {
			t.Errorf("%s is on line %d, want %d", path, got.Line, line)
		}
	}
	if places["b.c.d"].Value != "x" || tomlfile.Nearest(places, "l[0].m[0].gone[3].x").Line != 5 || tomlfile.Nearest(places, "none").Line != 0 {
		t.Errorf("%+v", places)
	}
}

func TestOnlyAFileOfModestSizeIsRead(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	if text, _, err := tomlfile.Read(write("ok", "\ufeffa = 1")); err != nil || string(text) != "a = 1" {
		t.Errorf("%q, %v", text, err)
	}
	if _, _, err := tomlfile.Read(write("big", strings.Repeat("#", tomlfile.MaxFile+1))); !errors.Is(err, tomlfile.ErrTooLarge) {
		t.Errorf("a large one: %v", err)
	}
	if _, _, err := tomlfile.Read(dir); !errors.Is(err, tomlfile.ErrNoFile) {
		t.Errorf("a folder: %v", err)
	}
}

// Errors of the library become advice on what to write instead.
func TestSyntaxErrorsSuggestWhatToWrite(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"name = dark":                "1: write a text in quotes",
		"name = \"dark\ncount = 1":   "1: the text must end in a quote",
		"name = 'dark":               "1: the text must end in a quote",
		"name = \"\"\"dark":          "1: the text must end in three quotes",
		"count = 1\nname =\n":        "2: the value is missing",
		"name \"dark\"":              "1: the = is missing",
		"name = \"dark\" \"light\"":  "1: only one value",
		"\n[items] count = 1":        "2: a [table] stands on a line of its own",
		"\n[items":                   "2: the name must end in a bracket",
		"[[items]":                   "1: the name must end in two brackets",
		"name = [\"a\"":              "1: write a list in brackets",
		"name = { a = 1":             "1: write fields in braces",
		"name = \"C:\\dark\"":        `1: write \\ for \`,
		"= 3":                        "1: write name = value",
		"name = \"a\"\nname = \"b\"": "2: this is set twice",
		"name = \"\xff\"":            "1: save the file as UTF-8",
	} {
		_, mistakes, _ := tomlfile.Decode([]byte(text), fresh)
		if len(mistakes) == 0 || !strings.HasPrefix(fmt.Sprintf("%d: %s", mistakes[0].Line, mistakes[0].Why), want) {
			t.Errorf("%q: told is %+v, want %q", text, mistakes, want)
		}
	}
}
