package llm

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

func TestCheckSchemaTakesTheCommonSubset(t *testing.T) {
	t.Parallel()
	for _, schema := range []string{
		`{"type":"object","properties":{}}`,
		`{"type":"object","description":"all","properties":{"a":{"type":"string"}},"required":[]}`,
		`{"type":"object","properties":{"a":{"type":"string","enum":["x","y"]},"b":{"type":"integer"},"c":{"type":"number"},"d":{"type":"boolean"},` +
			`"e":{"type":"array","items":{"type":"array","items":{"type":"string"}}},` +
			`"f":{"type":"object","properties":{"g":{"type":"string","description":"deep"}},"required":["g"]}},"required":["a","f"]}`,
	} {
		if err := CheckSchema(json.RawMessage(schema)); err != nil {
			t.Errorf("%s: %v", schema, err)
		}
	}
}

func TestCheckSchemaRefusesWhatSomeEndpointRefuses(t *testing.T) {
	t.Parallel()
	for _, schema := range []string{
		``, `null`, `[]`, `"object"`, `{}`, `{"type":"object"}`, `{"type":"array","items":{"type":"string"}}`,
		`{"type":"object","properties":{}} {}`, `{"type":"object","properties":{},"required":[]}`,
		`{"type":"object","properties":{"a":{"type":"string"}}}`,
		`{"type":"object","properties":{"a":{"type":"string"}},"required":["b"]}`,
		`{"type":"object","properties":{"a":{"type":"string"}},"required":["a","a"]}`,
	} {
		if err := CheckSchema(json.RawMessage(schema)); err == nil {
			t.Errorf("%s is taken", schema)
		}
	}
	for _, field := range []string{
		`null`, `true`, `{}`, `{"description":"anything"}`, `{"type":""}`, `{"type":"any"}`, `{"type":["string","null"]}`, `{"type":"array"}`,
		`{"type":"array","items":{}}`, `{"type":"object"}`, `{"type":"object","properties":{}}`, `{"type":"object","properties":{"a":{}},"required":[]}`,
		`{"type":"string","enum":[]}`, `{"type":"string","enum":[1]}`, `{"type":"integer","enum":["1"]}`, `{"type":"string","items":{"type":"string"}}`,
		`{"type":"string","required":[]}`, `{"anyOf":[{"type":"string"}]}`, `{"$ref":"#/$defs/a"}`,
	} {
		if err := CheckSchema(inSchema(field)); err == nil || !strings.Contains(err.Error(), "parameters.f") && !strings.Contains(err.Error(), "parse") {
			t.Errorf("%s: %v", field, err)
		}
	}
	for _, keyword := range []string{
		`"anyOf":[]`, `"oneOf":[]`, `"allOf":[]`, `"not":{}`, `"if":{}`, `"$ref":"x"`, `"$defs":{}`, `"$schema":"x"`, `"additionalProperties":false`,
		`"pattern":"x"`, `"format":"date"`, `"const":"x"`, `"default":"x"`, `"minLength":1`, `"maxLength":1`, `"strict":true`, `"nullable":true`, `"title":"x"`,
	} {
		if err := CheckSchema(inSchema(`{"type":"string",` + keyword + `}`)); err == nil {
			t.Errorf("%s is taken", keyword)
		}
	}
}

// inSchema returns an object schema with one field.
func inSchema(field string) json.RawMessage {
	return json.RawMessage(fmt.Sprintf(`{"type":"object","properties":{"f":%s},"required":[]}`, field))
}
