package tool

import (
	"encoding/json"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"society-tui/llm"
	"society-tui/runtime/protocol"
)

// anySchema draws a schema, and a value that fits it.
func anySchema(t *rapid.T, depth int) (Schema, any) {
	said := rapid.String().Draw(t, "description")
	most := 6
	if depth == 0 {
		most = 4
	}
	switch rapid.IntRange(0, most).Draw(t, "kind") {
	case 0:
		return Text(said), rapid.String().Draw(t, "text")
	case 1:
		return Whole(said), rapid.Int32().Draw(t, "number")
	case 2:
		values := rapid.SliceOfNDistinct(rapid.StringN(1, 9, -1), 1, 4, rapid.ID[string]).Draw(t, "values")
		return OneOf(said, values...), rapid.SampledFrom(values).Draw(t, "value")
	case 3:
		return Number(said), rapid.Float64Range(-1e9, 1e9).Draw(t, "number")
	case 4:
		texts := rapid.Bool().Draw(t, "texts")
		return Free(said, texts), rapid.SampledFrom([]any{"text", "[1]", `"\"7\""`, 7.5, true, []any{1.0}, map[string]any{"a": nil}}).Draw(t, "free")
	case 5:
		item, value := anySchema(t, depth-1)
		return List(said, item), []any{value, value}
	}
	fields, value := anyFields(t, depth-1, 1)
	return Object(said, fields[0], fields[1:]...), value
}

func anyFields(t *rapid.T, depth, least int) ([]Property, map[string]any) {
	var fields []Property
	value := map[string]any{}
	for _, name := range rapid.SliceOfNDistinct(rapid.StringN(1, 9, -1), least, 3, rapid.ID[string]).Draw(t, "names") {
		schema, fits := anySchema(t, depth)
		required := rapid.Bool().Draw(t, "required")
		fields = append(fields, Property{name: name, required: required, schema: schema})
		switch {
		case required || rapid.Bool().Draw(t, "there"):
			value[name] = fits
		case rapid.Bool().Draw(t, "null"):
			value[name] = nil
		}
	}
	return fields, value
}

// Whatever is described, every endpoint takes the description, and arguments that
// fit are accepted.
func TestEverySchemaIsTakenAndFitsWhatItDescribes(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		fields, value := anyFields(t, 3, 0)
		s := Spec{Name: "act", Parameters: fields}
		if err := llm.CheckSchema(s.Schema()); err != nil {
			t.Fatalf("%s: %v", s.Schema(), err)
		}
		raw, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		if why := s.Check(raw); why != nil {
			t.Fatalf("%s does not fit %s: %v", raw, s.Schema(), why)
		}
		if once, twice := s.Mend(raw), s.Mend(s.Mend(raw)); string(once) != string(twice) {
			t.Fatalf("mended once %s is %s, twice %s", raw, once, twice)
		}
	})
}

func TestSchemasAreWrittenInTheOrderOfTheirFields(t *testing.T) {
	t.Parallel()
	s := Spec{Parameters: []Property{
		May("z", OneOf("which", "b", "a")), May("a", Object("", Must("n", Whole("")), May("l", Texts("some")))), May("none", Schema{}),
	}}
	want := `{"type":"object","properties":{"z":{"type":"string","description":"which","enum":["b","a"]},` +
		`"a":{"type":"object","properties":{"n":{"type":"integer"},"l":{"type":"array","description":"some","items":{"type":"string"}}},"required":["n"]},` +
		`"none":{"type":"string"}},"required":[]}`
	if got := string(s.Schema()); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got := string(Spec{}.Schema()); got != `{"type":"object","properties":{}}` {
		t.Errorf("without arguments it is %s", got)
	}
}

// All that is wrong with the arguments of a call is said at once, in each language.
func TestCheckSaysAllThatIsWrong(t *testing.T) {
	t.Parallel()
	s := Spec{Name: "act", Parameters: []Property{
		Must("path", Text("")), Must("line", Whole("")), May("mode", OneOf("", "read", "write")),
		May("list", List("", Object("", Must("name", Text(""))))), May("object", Object("", May("deep", Texts("")))),
	}}
	for raw, want := range map[string][2]string{
		`{"path":"","line":1e3,"mode":null,"more":1}`: {},
		`[]`:      {"they must be a JSON object, not a list", "必须是 JSON 对象，不能是列表"},
		`{"path"`: {"they must be a JSON object, not invalid JSON", "必须是 JSON 对象，不能是无效的 JSON"},
		`{}`:      {"missing: path; missing: line", "缺少：path；缺少：line"},
		`{"path":7,"line":0.5,"mode":"no","list":[{},"x",{"name":null}],"object":{"deep":["a",null,{}]}}`: {
			`path must be a string, not a number; line must be a whole number, not a number; mode must be one of read, write, not "no"; ` +
				`missing: list[0].name; list[1] must be an object, not a string; missing: list[2].name; ` +
				`object.deep[1] must be a string, not null; object.deep[2] must be a string, not an object`,
			`path 必须是字符串，不能是数字；line 必须是整数，不能是数字；mode 必须是以下之一：read, write，不能是 "no"；` +
				`缺少：list[0].name；list[1] 必须是对象，不能是字符串；缺少：list[2].name；` +
				`object.deep[1] 必须是字符串，不能是空值 null；object.deep[2] 必须是字符串，不能是对象`,
		},
		`{"path":"p","line":"x","list":7,"object":[]}`: {
			"line must be a whole number, not a string; list must be a list, not a number; object must be an object, not a list",
			"line 必须是整数，不能是字符串；list 必须是列表，不能是数字；object 必须是对象，不能是列表",
		},
	} {
		why := s.Check(json.RawMessage(raw))
		if want[0] == "" {
			if why != nil {
				t.Errorf("%s: %v", raw, why)
			}
			continue
		}
		for lang, want := range map[protocol.Lang]string{
			protocol.English: fmt.Sprintf("the arguments of act do not fit: %s. Mend them and call again.", want[0]),
			protocol.Chinese: fmt.Sprintf("act 的参数不符合要求：%s。请修正后重新调用。", want[1]),
		} {
			if got := why.In(lang); got != want {
				t.Errorf("%s:\ngot  %s\nwant %s", raw, got, want)
			}
		}
	}
}
