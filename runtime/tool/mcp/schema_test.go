package mcp

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"society-tui/llm"
	"society-tui/runtime/tool"
)

// reduced returns the schema of a tool as a model is sent it.
func reduced(t *testing.T, schema string) (tool.Spec, string) {
	t.Helper()
	var s any
	if err := json.Unmarshal([]byte(schema), &s); err != nil {
		t.Fatal(err)
	}
	properties, err := parameters(s)
	if err != nil {
		t.Fatalf("parameters(%s) = %v", schema, err)
	}
	spec := tool.Spec{Name: "act", Parameters: properties}
	if err := llm.CheckSchema(spec.Schema()); err != nil {
		t.Errorf("%s becomes %s: %v", schema, spec.Schema(), err)
	}
	return spec, string(spec.Schema())
}

func TestSchemasAreReducedToWhatEndpointsTake(t *testing.T) {
	t.Parallel()
	for field, want := range map[string]string{
		`{"type":"string","format":"date","minLength":1,"default":"x","description":"When."}`: `{"type":"string","description":"When. (format date; minLength 1; default x)"}`,
		`{"type":["string","null"],"title":"Name"}`:                                           `{"type":"string","description":"Name"}`,
		`{"anyOf":[{"type":"integer","minimum":0},{"type":"null"}],"description":"Count."}`:   `{"type":"integer","description":"Count. (minimum 0)"}`,
		`{"enum":["a","b",null]}`:                           `{"type":"string","enum":["a","b"]}`,
		`{"oneOf":[{"const":"a"},{"const":"b"}]}`:           `{"type":"string","enum":["a","b"]}`,
		`{"type":"integer","enum":[1,2]}`:                   `{"type":"integer","description":"(one of [1 2])"}`,
		`{"type":["integer","number"]}`:                     `{"type":"number"}`,
		`{"type":"array"}`:                                  `{"type":"array","items":{"type":"string"}}`,
		`{"type":"array","items":{"$ref":"#/$defs/point"}}`: `{"type":"array","items":{"type":"object","description":"A point.","properties":{"x":{"type":"number"},"y":{"type":"number"}},"required":["x"]}}`,
		`{"$ref":"#/$defs/tree","description":"All."}`:      `{"type":"object","description":"All.","properties":{"left":{"type":"string","description":"A subtree."},"name":{"type":"string"}},"required":[]}`,
		`{"allOf":[{"$ref":"#/$defs/point"},{"properties":{"z":{"type":"number"}},"required":["z"]}]}`: `{"type":"object","description":"A point.","properties":{"x":{"type":"number"},"z":{"type":"number"},"y":{"type":"number"}},"required":["x","z"]}`,
		`{"type":"object","additionalProperties":{"type":"string"}}`:                                   `{"type":"string","description":"(JSON: object)"}`,
		`{"anyOf":[{"type":"string"},{"type":"array","items":{"type":"string"}}]}`:                     `{"type":"string","description":"(JSON: array | string)"}`,
		`true`:                                  `{"type":"string"}`,
		`{"$ref":"https://example.com/schema"}`: `{"type":"string","description":"(JSON)"}`,
		`{"anyOf":[{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},"required":["a","b"]},{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}]}`: `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},"required":["a"]}`,
	} {
		_, got := reduced(t, `{"type":"object","properties":{"f":`+field+`},"required":["f","unknown"],"additionalProperties":false,"$schema":"http://json-schema.org/draft-07/schema#",
			"$defs":{"point":{"type":"object","description":"A point.","properties":{"x":{"type":"number"},"y":{"type":"number"}},"required":["x"]},
			"tree":{"type":"object","properties":{"name":{"type":"string"},"left":{"$ref":"#/$defs/tree","description":"A subtree."}}}}}`)
		if want = `{"type":"object","properties":{"f":` + want + `},"required":["f"]}`; got != want {
			t.Errorf("%s becomes\n%s, want\n%s", field, got, want)
		}
	}
	if _, got := reduced(t, `{}`); got != `{"type":"object","properties":{}}` {
		t.Errorf("no schema becomes %s", got)
	}
}

func TestArgumentsReachTheServerInTheKindThatItsSchemaWants(t *testing.T) {
	t.Parallel()
	spec, _ := reduced(t, `{"type":"object","properties":{"count":{"type":"integer"},"map":{"type":"object"},"any":{},"either":{"anyOf":[{"type":"string"},{"type":"array"}]},"n":{"type":"number"}},"required":["count"]}`)
	r := &remote{spec: spec}
	for args, want := range map[string]string{
		`{"count":"3","map":"{\"a\":1}","n":"2.5"}`:       `{"count":3,"map":{"a":1},"n":2.5}`,
		`{"count":3,"map":{"a":1},"any":null,"extra":1}`:  `{"count":3,"extra":1,"map":{"a":1}}`,
		`{"count":3,"any":"[1]","either":"7"}`:            `{"any":[1],"count":3,"either":"7"}`,
		`{"count":3,"either":"[\"a\"]","any":"not json"}`: `{"any":"not json","count":3,"either":["a"]}`,
	} {
		if why := spec.Check(json.RawMessage(args)); why != nil {
			t.Errorf("Check(%s) = %v", args, why)
		}
		if got := string(r.arguments(json.RawMessage(args))); got != want {
			t.Errorf("arguments(%s) = %s, want %s", args, got, want)
		}
	}
	if why := spec.Check(json.RawMessage(`{"count":"many","n":"x"}`)); why == nil {
		t.Error("what is no number is taken for one")
	}
}

func TestASchemaThatGrowsWithoutEndIsLeftOut(t *testing.T) {
	t.Parallel()
	defs := []string{`"d0":{"type":"string"}`}
	for i := range 40 { // each holds the one before ten times
		var fields []string
		for j := range 10 {
			fields = append(fields, fmt.Sprintf(`"f%d":{"$ref":"#/$defs/d%d"}`, j, i))
		}
		defs = append(defs, fmt.Sprintf(`"d%d":{"type":"object","properties":{%s}}`, i+1, strings.Join(fields, ",")))
	}
	var s any
	if err := json.Unmarshal([]byte(`{"type":"object","properties":{"a":{"$ref":"#/$defs/d40"}},"$defs":{`+strings.Join(defs, ",")+`}}`), &s); err != nil {
		t.Fatal(err)
	}
	if _, err := parameters(s); err != llm.ErrTooLarge {
		t.Errorf("parameters = %v", err)
	}
}

// anyForeign draws a schema as strangers write them.
func anyForeign(t *rapid.T, depth int) any {
	if depth == 0 || rapid.IntRange(0, 9).Draw(t, "odd") == 0 {
		return rapid.SampledFrom([]any{true, nil, 7.0, "string", []any{}, map[string]any{}, map[string]any{"type": "string"}, map[string]any{"$ref": "#/properties/a"}, map[string]any{"$ref": "#"}}).Draw(t, "leaf")
	}
	s := map[string]any{}
	for _, key := range rapid.SliceOfN(rapid.SampledFrom([]string{
		"type", "properties", "required", "items", "enum", "const", "anyOf", "oneOf", "allOf", "$ref", "description", "default", "minimum", "additionalProperties", "not",
	}), 0, 5).Draw(t, "keys") {
		several := func() any {
			var all []any
			for range rapid.IntRange(0, 3).Draw(t, "several") {
				all = append(all, anyForeign(t, depth-1))
			}
			return all
		}
		switch key {
		case "type":
			s[key] = rapid.SampledFrom([]any{"object", "array", "string", "integer", "number", "boolean", "null", "any", []any{"string", "null"}, []any{"object", "array"}, 3.0}).Draw(t, "type")
		case "properties":
			fields := map[string]any{}
			for _, name := range rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c d", "", "e\x1b", "长"}), 0, 3).Draw(t, "names") {
				fields[name] = anyForeign(t, depth-1)
			}
			s[key] = fields
		case "required":
			s[key] = rapid.SampledFrom([]any{[]any{"a", "a", "z"}, []any{}, true, []any{1.0}}).Draw(t, "required")
		case "enum":
			s[key] = rapid.SampledFrom([]any{[]any{"x", "y", "x"}, []any{}, []any{1.0, "a"}, []any{nil}}).Draw(t, "enum")
		case "anyOf", "oneOf", "allOf":
			s[key] = several()
		case "$ref":
			s[key] = rapid.SampledFrom([]any{"#/properties/a", "#", "#/$defs/x", "#/anyOf/0", "other.json", 1.0}).Draw(t, "ref")
		case "description":
			s[key] = rapid.String().Draw(t, "description")
		default:
			s[key] = anyForeign(t, depth-1)
		}
	}
	return s
}

// Whatever a server says of its arguments, either it is left out or every endpoint takes it.
func TestEveryForeignSchemaIsTakenOrLeftOut(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := anyForeign(t, 4)
		properties, err := parameters(s)
		if err != nil {
			return
		}
		spec := tool.Spec{Name: "act", Parameters: properties}
		if err := llm.CheckSchema(spec.Schema()); err != nil {
			t.Fatalf("%v becomes %s: %v", s, spec.Schema(), err)
		}
		again, _ := parameters(s)
		if got, want := string(tool.Spec{Parameters: again}.Schema()), string(spec.Schema()); got != want {
			t.Fatalf("the second time it becomes %s, the first time %s", got, want)
		}
	})
}

func TestNamesOfToolsAreFitAndStayApart(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		a, b := rapid.String().Draw(t, "a"), rapid.String().Draw(t, "b")
		first, second := toolName("server-of-32-letters-and-digits0", a), toolName("server-of-32-letters-and-digits0", b)
		if first != "" && (len(first) > longestName || strings.Trim(first, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") != "") {
			t.Fatalf("%q is named %q", a, first)
		}
		if a != b && first != "" && first == second {
			t.Fatalf("%q and %q are both %q", a, b, first)
		}
	})
}

func TestCleanLeavesNothingThatIsNotSeen(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"a\x1b[31mb\x00\r\nc\td": "a[31mb\nc\td", "\u202eabc\u2066\u200b": "abc", "x\U000E0041\uFE0F\uE000y": "xy", " 长 ": "长", "\xff": "",
	} {
		if got := clean(text, 100); got != want {
			t.Errorf("clean(%q) = %q, want %q", text, got, want)
		}
	}
	if got := clean(strings.Repeat("长", 100), 10); got != "长长 …" {
		t.Errorf("cut to %q", got)
	}
}
