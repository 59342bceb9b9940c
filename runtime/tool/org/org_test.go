package org

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"society-tui/llm"
	"society-tui/runtime/protocol"
	"society-tui/runtime/tool"
)

var names = []string{
	CreateRole, FindRole, ListRoles, SpawnAgent, TerminateAgent,
	SendMessage, ListContacts, GetOrg, CompressContext, ContextStatus,
}

func TestTheTenToolsAreDescribedInEveryLanguage(t *testing.T) {
	t.Parallel()
	form := regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_-]{0,63}$`)
	for _, lang := range protocol.Langs() {
		var got []string
		for _, s := range Specs(lang, Offer{}) {
			got = append(got, s.Name)
			if !form.MatchString(s.Name) {
				t.Errorf("%s is no name for a tool", s.Name)
			}
			for _, text := range append(descriptions(t, s), s.Purpose) {
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
			if err := json.Unmarshal(specs[0].Schema(), &got); err != nil {
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
			if !slices.EqualFunc(specs[1:], Specs(lang, Offer{})[1:], func(a, b tool.Spec) bool { return string(a.Schema()) == string(b.Schema()) }) {
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
	if got := (tool.Spec{Name: "clock"}).In(); got != "clock" {
		t.Errorf("a tool without a group is in %q, want clock", got)
	}
}

// A schema is one as a model reads it.
type schema struct {
	Type, Description string
	Properties        map[string]*schema
	Required, Enum    []string
	Items             *schema
}

func read(t *testing.T, s tool.Spec) *schema {
	t.Helper()
	var read schema
	if err := json.Unmarshal(s.Schema(), &read); err != nil {
		t.Fatal(err)
	}
	return &read
}

// each calls f for every field at every depth.
func (s *schema) each(path string, f func(path string, field *schema)) {
	for name, p := range s.Properties {
		f(path+name, p)
		p.each(path+name+".", f)
		if p.Items != nil {
			p.Items.each(path+name+"[].", f)
		}
	}
}

func descriptions(t *testing.T, s tool.Spec) (found []string) {
	t.Helper()
	read(t, s).each("", func(_ string, field *schema) { found = append(found, field.Description) })
	return found
}

func TestSchemasDifferOnlyInTheirWords(t *testing.T) {
	t.Parallel()
	english, chinese := Specs(protocol.English, Offer{}), Specs(protocol.Chinese, Offer{})
	word := regexp.MustCompile(`"description":"(\\.|[^"\\])*"`)
	for i := range english {
		a, b := word.ReplaceAllString(string(english[i].Schema()), ""), word.ReplaceAllString(string(chinese[i].Schema()), "")
		if a != b || english[i].Risk() != chinese[i].Risk() {
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
		if s.Risk() != want[s.Name] {
			t.Errorf("%s: %s", s.Name, s.Risk())
		}
	}
}

// offers are what create_role can offer.
func offers() []Offer {
	models := []Model{{Name: "big"}, {Name: "small", Capabilities: []string{"fast"}}}
	graphs := []Graph{{"check", "Writes, then checks."}, {Name: "plain"}}
	return []Offer{{}, {Models: models[:1]}, {Models: models}, {Graphs: graphs}, {Models: models, Graphs: graphs}}
}

// Endpoints refuse a request for one field without a type, or with a keyword that
// they do not know.
func TestEverySchemaIsTakenByEveryEndpoint(t *testing.T) {
	t.Parallel()
	for _, lang := range protocol.Langs() {
		for _, offer := range offers() {
			for _, s := range Specs(lang, offer) {
				if err := llm.CheckSchema(s.Schema()); err != nil {
					t.Errorf("%s, %+v: %s: %v", lang, offer, s.Name, err)
				}
			}
		}
	}
}

// What is required is what a call cannot do without.
func TestSchemasListRequiredFields(t *testing.T) {
	t.Parallel()
	brief := []string{"objective", "constraints", "inputs", "outputs", "completion_criteria"}
	want := map[string][]string{
		CreateRole: {"name", "rolePrompt"}, FindRole: {"query"}, SpawnAgent: {"roleId", "taskBrief"},
		TerminateAgent: {"agentId"}, SendMessage: {"to", "payload"}, CompressContext: {"summary"},
		SpawnAgent + ".taskBrief": brief, SendMessage + ".payload.taskBrief": brief, SendMessage + ".payload.target": {"id", "role"},
		SpawnAgent + ".taskBrief.collaborators[]": {"agentId"}, SendMessage + ".payload.taskBrief.collaborators[]": {"agentId"},
	}
	got := map[string][]string{}
	note := func(path string, s *schema) {
		if len(s.Required) > 0 {
			got[path] = s.Required
		}
	}
	for _, s := range Specs(protocol.English, offers()[4]) {
		root := read(t, s)
		note(s.Name, root)
		root.each(s.Name+".", func(path string, field *schema) {
			note(path, field)
			if field.Items != nil {
				note(path+"[]", field.Items)
			}
		})
	}
	if !maps.EqualFunc(got, want, slices.Equal) {
		t.Errorf("required are %v, want %v", got, want)
	}
}

// Each field is of the type that protocol reads, wherever it stands.
func TestFieldsAreOfTheTypeThatIsRead(t *testing.T) {
	t.Parallel()
	want := map[string]string{
		"to": "array", "message_type": "string", "payload": "object", "taskBrief": "object", "initialMessage": "string",
		"constraints": "array", "references": "array", "examples": "array", "quickReplies": "array", "toolGroups": "array", "collaborators": "array",
		"interfaceSpec": "object", "target": "object", "delayMs": "integer", "keepRecentCount": "integer",
	}
	met := map[string]bool{}
	for _, s := range Specs(protocol.English, offers()[4]) {
		read(t, s).each("", func(path string, field *schema) {
			name := path[strings.LastIndex(path, ".")+1:]
			kind := want[name]
			if met[name] = kind != ""; kind == "" {
				kind = "string"
			}
			if field.Type != kind || kind == "array" && field.Items.Type != "string" && name != "collaborators" {
				t.Errorf("%s: %s is of type %s, want %s", s.Name, path, field.Type, kind)
			}
		})
	}
	for name := range want {
		if !met[name] {
			t.Errorf("there is no field %s", name)
		}
	}
}

// The schema describes every message type and every field that protocol reads.
func TestEveryTypeAndEveryFieldIsDescribed(t *testing.T) {
	t.Parallel()
	types := []string{}
	for _, kind := range protocol.MessageTypes() {
		types = append(types, string(kind))
	}
	specs := map[string]*schema{}
	for _, s := range Specs(protocol.English, Offer{}) {
		specs[s.Name] = read(t, s)
	}
	send := specs[SendMessage].Properties
	if got := send["message_type"].Enum; !slices.Equal(got, types) {
		t.Errorf("message_type is one of %v, want %v", got, types)
	}
	said := send["payload"].Description
	send["payload"].each("", func(_ string, field *schema) { said += field.Description })
	for _, kind := range types {
		if !strings.Contains(said, kind) {
			t.Errorf("payload says nothing of %s", kind)
		}
	}
	form := []string{"services", "input_format", "output_format", "examples"}
	brief := []string{"objective", "constraints", "inputs", "outputs", "completion_criteria", "collaborators", "references", "priority"}
	for _, c := range []struct {
		what string
		of   *schema
		want []string
	}{
		{"payload", send["payload"], []string{"text", "taskBrief", "reason", "required_capability", "target", "usage_hint"}},
		{"target", send["payload"].Properties["target"], []string{"id", "role", "interfaceSpec"}},
		{"its interfaceSpec", send["payload"].Properties["target"].Properties["interfaceSpec"], form},
		{"the brief of a message", send["payload"].Properties["taskBrief"], brief},
		{"taskBrief", specs[SpawnAgent].Properties["taskBrief"], brief},
		{"a collaborator", specs[SpawnAgent].Properties["taskBrief"].Properties["collaborators"].Items, []string{"agentId", "role", "description", "interfaceSpec"}},
		{"the interfaceSpec of a role", specs[CreateRole].Properties["interfaceSpec"], form},
	} {
		if got := slices.Sorted(maps.Keys(c.of.Properties)); !slices.Equal(got, slices.Sorted(slices.Values(c.want))) {
			t.Errorf("%s has the fields %v, want %v", c.what, got, c.want)
		}
	}
}

// Models write fields in the order in which they read them: text comes first.
func TestTheTextComesFirstInAPayload(t *testing.T) {
	t.Parallel()
	for _, s := range Specs(protocol.English, Offer{}) {
		if _, payload, ok := strings.Cut(string(s.Schema()), `"payload":{`); ok {
			if _, fields, _ := strings.Cut(payload, `"properties":{`); !strings.HasPrefix(fields, `"text":`) {
				t.Errorf("payload begins with %.40s", fields)
			}
		}
	}
}
