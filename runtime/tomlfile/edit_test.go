package tomlfile_test

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"
	"pgregory.net/rapid"

	"society-tui/runtime/tomlfile"
)

// written draws a file as people write them: comments, blank lines, lists over several lines,
// tables of a list between others, and any line ends.
func written(t *rapid.T) string {
	var lines []string
	values := rapid.SampledFrom([]string{`"a"`, `'b # c'`, "12", "true", `["x", "y"]`, "[\n  \"x\", # first\n  \"y\",\n]", `"""` + "\none\ntwo\"\"\"", `{ k = "v" }`})
	keys := rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"name", "url", "size", `"odd key"`}), 0, 3, rapid.ID[string])
	between := func() {
		lines = append(lines, rapid.SliceOfN(rapid.SampledFrom([]string{"", "# a comment", "# name = \"commented out\"", "  # [model]"}), 0, 2).Draw(t, "between")...)
	}
	body := func() {
		for _, key := range keys.Draw(t, "keys") {
			between()
			after := rapid.SampledFrom([]string{"", " ", "  # said"}).Draw(t, "after")
			lines = append(lines, key+rapid.SampledFrom([]string{" = ", "=", "  =   "}).Draw(t, "equals")+values.Draw(t, "value")+after)
		}
		between()
	}
	body()
	for _, head := range rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"model", "limits", "list1", "list2", "other.inner"}), 0, 5, rapid.ID[string]).Draw(t, "tables") {
		if strings.HasPrefix(head, "list") {
			head = "[models]"
		}
		lines = append(lines, "["+head+"]"+rapid.SampledFrom([]string{"", "  # head"}).Draw(t, "behind"))
		body()
		if head == "[models]" && rapid.Bool().Draw(t, "nested") {
			lines = append(lines, "[models.headers]")
			body()
		}
	}
	text := strings.Join(lines, "\n")
	if rapid.Bool().Draw(t, "ends") {
		text += "\n"
	}
	if rapid.Bool().Draw(t, "crlf") {
		text = strings.ReplaceAll(text, "\n", "\r\n")
	}
	return text
}

// read returns what a text says.
func read(t *rapid.T, text string) map[string]any {
	m := map[string]any{}
	if err := toml.Unmarshal([]byte(text), &m); err != nil {
		t.Fatalf("no TOML: %v\n%s", err, text)
	}
	return m
}

// models returns the tables of the list.
func models(m map[string]any) []any {
	list, _ := m["models"].([]any)
	return list
}

// isWithin reports whether the lines of a text are among those of another, in their order.
func isWithin(less, more string) bool {
	rest := strings.Split(more, "\n")
	for line := range strings.SplitSeq(strings.TrimSuffix(less, "\n"), "\n") {
		at := slices.Index(rest, line)
		if at < 0 && strings.TrimSpace(line) != "" {
			at = slices.IndexFunc(rest, func(s string) bool { return strings.TrimRight(s, "\r") == strings.TrimRight(line, "\r") }) // the last had no end
		}
		if at < 0 {
			return strings.TrimSpace(line) == ""
		}
		rest = rest[at+1:]
	}
	return true
}

// Property: a change changes what it names, and nothing else: neither another setting, nor a
// comment, the order, or a line end.
func TestAChangeChangesOnlyWhatItNames(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := written(t)
		before := read(t, text)
		want := maps.Clone(before)
		d := tomlfile.NewDocument([]byte(text))
		key := rapid.SampledFrom([]string{"name", "url", "fresh"}).Draw(t, "key")
		list := models(before)
		at, table := 0, ""
		if len(list) > 0 {
			at = rapid.IntRange(0, len(list)-1).Draw(t, "at")
			table = fmt.Sprintf("models[%d]", at)
		}
		var err error
		switch act := rapid.SampledFrom([]string{"set", "set in model", "set in list", "unset", "add", "remove"}).Draw(t, "act"); {
		case act == "set":
			err, want[key] = d.Set("", key, `"new"`), "new"
		case act == "set in model":
			inner, _ := before["model"].(map[string]any)
			inner = maps.Clone(inner)
			if inner == nil {
				inner = map[string]any{}
			}
			inner[key] = "new"
			err, want["model"] = d.Set("model", key, `"new"`), inner
		case act == "set in list" && table != "":
			inner := maps.Clone(list[at].(map[string]any))
			inner[key] = "new"
			err = d.Set(table, key, `"new"`)
			after := slices.Clone(list)
			after[at], want["models"] = inner, after
		case act == "unset":
			err = d.Unset("", key)
			delete(want, key)
		case act == "add":
			err = d.Add("models", tomlfile.Pair{Key: "name", Value: `"new"`}, tomlfile.Pair{Key: "list", Value: tomlfile.Literal([]string{"a"})})
			want["models"] = append(slices.Clone(list), map[string]any{"name": "new", "list": []any{"a"}})
		case act == "remove" && table != "":
			err = d.Remove(table)
			want["models"] = slices.Delete(slices.Clone(list), at, at+1)
			if len(list) == 1 {
				delete(want, "models")
			}
		}
		if err != nil {
			t.Fatal(err)
		}
		after := string(d.Text())
		if got := read(t, after); !reflect.DeepEqual(got, want) {
			t.Fatalf("before:\n%s\nafter:\n%s\ngot  %v\nwant %v", text, after, got, want)
		}
		if strings.Contains(text, "\r\n") && strings.Contains(strings.ReplaceAll(after, "\r\n", ""), "\n") {
			t.Fatalf("a line end is another: %q\n%q", text, after)
		}
		if comments(text) != comments(after) && !isWithin(after, text) {
			t.Fatalf("a comment is lost: %q\n%q", text, after)
		}
	})
}

// comments returns the lines that are comments alone.
func comments(text string) string {
	var all []string
	for line := range strings.SplitSeq(text, "\n") {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "#") {
			all = append(all, line)
		}
	}
	return strings.Join(all, "\n")
}

func TestAChangeKeepsTheRestOfItsLine(t *testing.T) {
	t.Parallel()
	text := "# mine\n\nlang = 'en'\t# said\n\n[model]   # the model\nname  =  \"a\" # the name\n# after\n\n# about models\n[[models]]\nname = \"m\"\n# inside\nbase_url = \"u\"\n# behind\n"
	d := tomlfile.NewDocument([]byte(text))
	for _, err := range []error{
		d.Set("model", "name", `"b"`), d.Set("", "theme", `"dark"`), d.Set("model", "max", "3"), d.Set("models[0]", "base_url", `"v"`), d.Set("limits", "agents", "2"),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	want := "# mine\n\nlang = 'en'\t# said\ntheme = \"dark\"\n\n[model]   # the model\nname  =  \"b\" # the name\nmax = 3\n# after\n\n# about models\n[[models]]\nname = \"m\"\n# inside\nbase_url = \"v\"\n# behind\n\n[limits]\nagents = 2\n"
	if got := string(d.Text()); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if err := d.Remove("models[0]"); err != nil {
		t.Fatal(err)
	}
	want = strings.Replace(want, "[[models]]\nname = \"m\"\n# inside\nbase_url = \"v\"\n", "", 1)
	if got := string(d.Text()); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestWhatStandsInOneLineIsNotChanged(t *testing.T) {
	t.Parallel()
	for text, change := range map[string]func(*tomlfile.Document) error{
		`model = { name = "a" }`:      func(d *tomlfile.Document) error { return d.Set("model", "name", `"b"`) },
		`model = { name = "a" } `:     func(d *tomlfile.Document) error { return d.Set("model", "other", `"b"`) },
		`models = [{ name = "a" }]`:   func(d *tomlfile.Document) error { return d.Remove("models[0]") },
		`models = [{ name = "a" }]  `: func(d *tomlfile.Document) error { return d.Add("models") },
		`no TOML`:                     func(d *tomlfile.Document) error { return d.Set("", "a", "1") },
	} {
		d := tomlfile.NewDocument([]byte(text))
		if err := change(d); !errors.Is(err, tomlfile.ErrNoEdit) || string(d.Text()) != text {
			t.Errorf("%s: %v, %s", text, err, d.Text())
		}
	}
}

func TestALiteralIsReadBack(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String().Draw(t, "text")
		m := map[string]string{}
		if err := toml.Unmarshal([]byte("a = "+tomlfile.Literal(text)), &m); err != nil || m["a"] != strings.ToValidUTF8(text, "\ufffd") {
			t.Fatalf("%q: %v, %q", text, err, m["a"])
		}
	})
}
