package org

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"society-tui/runtime/protocol"
	"society-tui/runtime/tool"

	"github.com/google/jsonschema-go/jsonschema"
)

var names = []string{
	CreateRole, FindRole, ListRoles, SpawnAgent, TerminateAgent,
	SendMessage, ListContacts, GetOrg, CompressContext, ContextStatus,
}

func TestTheTenToolsAreDescribedInEveryLanguage(t *testing.T) {
	t.Parallel()
	form := regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)
	for _, lang := range protocol.Langs() {
		var got []string
		for _, s := range Specs(lang, Offer{}) {
			got = append(got, s.Name)
			if !form.MatchString(s.Name) {
				t.Errorf("%s is no name for a tool", s.Name)
			}
			for _, text := range append(descriptions(t, s.Parameters), s.Purpose) {
				han := strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Han, r) })
				if text == "" || han != (lang == protocol.Chinese) {
					t.Errorf("%s, %s: %q", lang, s.Name, text)
				}
			}
		}
		if !slices.Equal(got, names) {
			t.Errorf("%s: %v", lang, got)
		}
	}
}

// Where there is a choice of models create_role offers it, in each language, and
// nowhere else is it spoken of.
func TestCreateRoleOffersTheModelsThatThereAre(t *testing.T) {
	t.Parallel()
	big, small := Model{Name: "big"}, Model{Name: "small", Capabilities: []string{"fast", "cheap"}}
	for _, lang := range protocol.Langs() {
		for _, c := range []struct {
			models []Model
			want   []string // of the arguments
		}{
			{nil, nil},
			{[]Model{small}, nil},
			{[]Model{big, {Name: "other"}}, []string{"model"}},
			{[]Model{big, small}, []string{"model", "capability"}},
		} {
			specs := Specs(lang, Offer{Models: c.models})
			var got struct {
				Properties map[string]struct{ Description string }
			}
			if err := json.Unmarshal(specs[0].Parameters, &got); err != nil {
				t.Fatal(err)
			}
			var offered []string
			for _, name := range []string{"model", "capability"} {
				if _, ok := got.Properties[name]; ok {
					offered = append(offered, name)
				}
			}
			if !slices.Equal(offered, c.want) {
				t.Errorf("%s, %v: offered are %v", lang, c.models, offered)
			}
			for _, m := range c.models {
				if offered != nil && !strings.Contains(got.Properties["model"].Description, m.Name) {
					t.Errorf("%s: %s is not named in %q", lang, m.Name, got.Properties["model"].Description)
				}
			}
			if len(offered) == 2 && !strings.Contains(got.Properties["capability"].Description, "fast, cheap") {
				t.Errorf("%s: %q", lang, got.Properties["capability"].Description)
			}
			if !slices.EqualFunc(specs[1:], Specs(lang, Offer{})[1:], func(a, b tool.Spec) bool { return string(a.Parameters) == string(b.Parameters) }) {
				t.Errorf("%s: another tool has changed", lang)
			}
		}
	}
}

// A role is given tools by their groups, so each tool must be in one.
func TestEveryToolIsInAGroup(t *testing.T) {
	t.Parallel()
	found := map[tool.Group]bool{}
	for _, s := range Specs(protocol.English, Offer{}) {
		g, ok := GroupOf(s.Name)
		if !ok || s.Group != g || s.In() != g || !slices.Contains(Groups(), g) {
			t.Errorf("%s is in %q, %t", s.Name, s.Group, ok)
		}
		found[g] = true
	}
	if len(found) != len(Groups()) {
		t.Errorf("%v of %v have a tool", found, Groups())
	}
	if (tool.Spec{Name: "clock"}).In() != "clock" {
		t.Error("a tool without a group is in none")
	}
}

// descriptions returns the description of every argument at every depth.
func descriptions(t *testing.T, parameters json.RawMessage) []string {
	var s jsonschema.Schema
	if err := json.Unmarshal(parameters, &s); err != nil {
		t.Fatal(err)
	}
	var found []string
	var walk func(properties map[string]*jsonschema.Schema)
	walk = func(properties map[string]*jsonschema.Schema) {
		for _, p := range properties {
			found = append(found, p.Description)
			walk(p.Properties)
			if p.Items != nil {
				walk(p.Items.Properties)
			}
		}
	}
	walk(s.Properties)
	return found
}

func TestSchemasDifferOnlyInTheirWords(t *testing.T) {
	t.Parallel()
	english, chinese := Specs(protocol.English, Offer{}), Specs(protocol.Chinese, Offer{})
	word := regexp.MustCompile(`"description":"(\\.|[^"\\])*"`)
	for i := range english {
		a, b := word.ReplaceAllString(string(english[i].Parameters), ""), word.ReplaceAllString(string(chinese[i].Parameters), "")
		if a != b || english[i].Risk != chinese[i].Risk {
			t.Errorf("%s:\n%s\n%s", english[i].Name, a, b)
		}
	}
}

func TestToolsThatOnlyLookAreMarkedSo(t *testing.T) {
	t.Parallel()
	want := map[string]tool.Risk{
		FindRole: tool.Reads, ListRoles: tool.Reads, ListContacts: tool.Reads, GetOrg: tool.Reads, ContextStatus: tool.Reads,
		CreateRole: tool.Writes, SpawnAgent: tool.Writes, SendMessage: tool.Writes, CompressContext: tool.Writes,
		TerminateAgent: tool.Commits,
	}
	for _, s := range Specs(protocol.English, Offer{}) {
		if s.Risk != want[s.Name] {
			t.Errorf("%s: %s", s.Name, s.Risk)
		}
	}
}

const brief = `{"objective":"o","constraints":[],"inputs":"i","outputs":"o","completion_criteria":"c"}`

// spec/decisions.md 16 and 17: what is wrong with a brief or a payload is not
// the schema's to say; all else is. RELIABILITY.md, hostile case 38.
func TestSchemasRefuseWhatIsWrongAndNothingElse(t *testing.T) {
	t.Parallel()
	right := map[string][]string{
		CreateRole:      {`{"name":"Web","rolePrompt":"You …"}`, `{"name":"Web","rolePrompt":"p","interfaceSpec":{"services":"s","examples":["e"]}}`, `{"name":"Web","rolePrompt":"p","toolGroups":["talk"]}`},
		FindRole:        {`{"query":"we"}`, `{"query":""}`},
		ListRoles:       {`{}`},
		SpawnAgent:      {`{"roleId":"r","taskBrief":` + brief + `}`, `{"roleId":"r"}`, `{"roleId":"r","taskBrief":"no"}`, `{"roleId":"r","taskBrief":{"constraints":3,"collaborators":"x"}}`, `{"roleId":"r","taskBrief":null,"initialMessage":"go"}`, `{"roleId":"r","initialMessage":{"text":"go"}}`},
		TerminateAgent:  {`{"agentId":"web-1"}`, `{"agentId":"web-1","reason":"done"}`},
		SendMessage:     {`{"to":"a-1","payload":"hi"}`, `{"to":["a-1","b-2"],"message_type":"nonsense","payload":3}`, `{"to":"user","payload":{"text":"?"},"quickReplies":["yes","no"]}`},
		ListContacts:    {`{}`},
		GetOrg:          {`{}`},
		CompressContext: {`{"summary":"s"}`, `{"summary":"s","keepRecentCount":0}`, `{"summary":"s","keepRecentCount":1000000000}`},
		ContextStatus:   {`{}`},
	}
	wrong := map[string][]string{
		CreateRole:      {`{}`, `{"name":"","rolePrompt":"p"}`, `{"name":"Web"}`, `{"name":1,"rolePrompt":"p"}`, `{"name":"W","rolePrompt":"p","interfaceSpec":"s"}`, `{"name":"W","rolePrompt":"p","toolGroups":"talk"}`},
		FindRole:        {`{}`, `{"query":null}`},
		SpawnAgent:      {`{}`, `{"roleId":""}`},
		TerminateAgent:  {`{}`, `{"agentId":["web-1"]}`},
		SendMessage:     {`{"payload":"hi"}`, `{"to":"","payload":"hi"}`, `{"to":[],"payload":"hi"}`, `{"to":[1],"payload":"hi"}`, `{"to":"user","quickReplies":"yes"}`},
		CompressContext: {`{}`, `{"summary":""}`, `{"summary":"s","keepRecentCount":-1}`, `{"summary":"s","keepRecentCount":2.5}`, `{"summary":"s","keepRecentCount":"10"}`},
		ListRoles:       {`[]`, `null`},
	}
	for _, s := range Specs(protocol.English, Offer{}) {
		var schema jsonschema.Schema
		if err := json.Unmarshal(s.Parameters, &schema); err != nil {
			t.Fatal(err)
		}
		resolved, err := schema.Resolve(&jsonschema.ResolveOptions{ValidateDefaults: true})
		if err != nil {
			t.Fatalf("%s: %v", s.Name, err)
		}
		if schema.Type != "object" || len(right[s.Name]) == 0 {
			t.Errorf("%s: a %q, %d examples", s.Name, schema.Type, len(right[s.Name]))
		}
		for _, arguments := range right[s.Name] {
			if err := validate(t, resolved, arguments); err != nil {
				t.Errorf("%s refuses %s: %v", s.Name, arguments, err)
			}
		}
		for _, arguments := range wrong[s.Name] {
			if err := validate(t, resolved, arguments); err == nil {
				t.Errorf("%s accepts %s", s.Name, arguments)
			}
		}
	}
}

func validate(t *testing.T, schema *jsonschema.Resolved, arguments string) error {
	var value any
	if err := json.Unmarshal([]byte(arguments), &value); err != nil {
		t.Fatal(err)
	}
	return schema.Validate(value)
}

// Some endpoints refuse an object schema that does not list its properties.
func TestEverySchemaListsItsProperties(t *testing.T) {
	t.Parallel()
	for _, s := range Specs(protocol.English, Offer{}) {
		var schema map[string]json.RawMessage
		if err := json.Unmarshal(s.Parameters, &schema); err != nil || schema["properties"] == nil {
			t.Errorf("%s: %s (%v)", s.Name, s.Parameters, err)
		}
	}
}

// A model is told of every message type and of every field that protocol reads.
func TestEveryTypeAndEveryFieldOfABriefIsDescribed(t *testing.T) {
	t.Parallel()
	for _, s := range Specs(protocol.English, Offer{}) {
		var schema jsonschema.Schema
		if err := json.Unmarshal(s.Parameters, &schema); err != nil {
			t.Fatal(err)
		}
		if s.Name == SendMessage {
			for _, kind := range protocol.MessageTypes() {
				for _, argument := range []string{"message_type", "payload"} {
					if !strings.Contains(schema.Properties[argument].Description, string(kind)) {
						t.Errorf("%s says nothing of %s", argument, kind)
					}
				}
			}
		}
		if s.Name != SpawnAgent {
			continue
		}
		want := []string{"objective", "constraints", "inputs", "outputs", "completion_criteria", "collaborators", "references", "priority"}
		for _, name := range want {
			if schema.Properties["taskBrief"].Properties[name] == nil {
				t.Errorf("%s is not described", name)
			}
		}
	}
}
