package protocol

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"
)

// All that is wrong with the arguments of a call is said at once, each field in the
// language of who called.
func TestEverythingWrongWithArgumentsIsSaidAtOnce(t *testing.T) {
	t.Parallel()
	for lang, want := range map[Lang]string{
		English: `the arguments of act do not fit: missing: to, name; model must be a string, not a number; groups[1] must be a string, not null; ` +
			`interfaceSpec.examples must be a list of strings, not a string; delay must be a whole number from 0 to 10, not 11; ` +
			`keep must be a whole number that is at least 0, not 0.5. Mend them and call again.`,
		Chinese: `act 的参数不符合要求：缺少：to, name；model 必须是字符串，不能是数字；groups[1] 必须是字符串，不能是空值 null；` +
			`interfaceSpec.examples 必须是字符串列表，不能是字符串；delay 必须是 0 到 10 的整数，不能是 11；` +
			`keep 必须是不小于 0 的整数，不能是 0.5。请修正后重新调用。`,
	} {
		a := ReadArguments(lang, `{"name":"","model":7,"groups":["a",null],"interfaceSpec":{"examples":"x"},"delay":11,"keep":0.5}`)
		a.Recipients("to")
		a.Required("name")
		a.Text("model")
		a.Texts("groups")
		a.InterfaceSpec()
		a.Whole("delay", 10)
		a.Whole("keep", 0)
		if got := a.Wrong("act").In(lang); got != want {
			t.Errorf("%s: got  %s\nwant %s", lang, got, want)
		}
	}
}

func TestArgumentsThatAreNoObjectAreRefused(t *testing.T) {
	t.Parallel()
	for raw, kind := range map[string]string{
		"": "nothing", "null": "null", "[]": "a list", "7": "a number", `{"a":`: "invalid JSON", `"go"`: "a string",
	} {
		want := "the arguments of act do not fit: they must be a JSON object, not " + kind + ". Mend them and call again."
		if got := ReadArguments(English, raw).Wrong("act").In(English); got != want {
			t.Errorf("%s: got  %s\nwant %s", raw, got, want)
		}
	}
}

// What is null or empty counts as left out; a string that holds JSON is read where
// something else is needed, and a single id where there may be several.
func TestArgumentsAreReadLeniently(t *testing.T) {
	t.Parallel()
	a := ReadArguments(English, `{"none":null,"empty":"","one":"a-1","list":["a-1","b-2"],"quoted":"[\"a-1\"]",
		"number":"1e3","interfaceSpec":"{\"services\":\"s\"}","unknown":{}}`)
	for _, c := range []struct{ name, got, want any }{
		{"none", a.Text("none"), ""},
		{"empty", a.Texts("empty"), []string(nil)},
		{"one", a.Recipients("one"), []string{"a-1"}},
		{"list", a.Recipients("list"), []string{"a-1", "b-2"}},
		{"quoted ids", a.Recipients("quoted"), []string{"a-1"}},
		{"quoted texts", a.Texts("quoted"), []string{"a-1"}},
		{"a quoted object", a.InterfaceSpec(), &InterfaceSpec{Services: "s"}},
	} {
		if !reflect.DeepEqual(c.got, c.want) {
			t.Errorf("%s is read as %v, want %v", c.name, c.got, c.want)
		}
	}
	if n, ok := a.Whole("number", 0); n != 1000 || !ok {
		t.Errorf("a quoted number is read as %d, %t", n, ok)
	}
	if n, ok := a.Whole("none", 0); ok {
		t.Errorf("null is taken for the number %d", n)
	}
	if whole := ReadArguments(English, `"{\"one\":\"a-1\"}"`); whole.Text("one") != "a-1" || whole.Wrong("act") != nil {
		t.Errorf("arguments that are quoted as a whole: %v", whole.Wrong("act"))
	}
	if why := a.Wrong("act"); why != nil {
		t.Error(why)
	}
}

func TestRecipientsAreIDs(t *testing.T) {
	t.Parallel()
	for _, raw := range []string{`[]`, `[""]`, `[null]`, `[1]`, `["a-1",{}]`, `{}`, `7`, `true`, `"{}"`} {
		a := ReadArguments(English, `{"to":`+raw+`}`)
		if a.Recipients("to"); !strings.Contains(a.Wrong("act").In(English), "to must be the id of an agent, or a list of ids") {
			t.Errorf("%s: %v", raw, a.Wrong("act"))
		}
	}
}

// What a model wrote as JSON within a string is read as if it had not been quoted,
// wherever a string cannot be meant.
func TestQuotedBriefsAndPayloadsAreReadAsIfTheyWereNot(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		kind := rapid.SampledFrom([]MessageType{TaskAssignment, IntroductionRequest, IntroductionResponse}).Draw(t, "type")
		good := sample(kind, func(name string) string { return name + rapid.StringN(0, 8, -1).Draw(t, name) })
		quoted := copied(good)
		for _, path := range rapid.SliceOfDistinct(rapid.SampledFrom([]string{
			"taskBrief.constraints", "taskBrief.collaborators[0]", "taskBrief.collaborators", "taskBrief", "target",
		}), rapid.ID[string]).Draw(t, "quoted") {
			if value := find(quoted, pathPart.FindAllString(path, -1)); value != nil {
				put(quoted, path, string(encode(value)), false)
			}
		}
		var raw json.RawMessage = encode(quoted)
		if rapid.Bool().Draw(t, "the payload too") {
			raw = encode(string(raw))
		}
		want, refusal := ParsePayload(English, kind, encode(good), living)
		if refusal != nil {
			t.Fatal(refusal)
		}
		got, refusal := ParsePayload(English, kind, raw, living)
		if refusal != nil || !reflect.DeepEqual(got.Brief, want.Brief) || !reflect.DeepEqual(got.Target, want.Target) || got.Text != want.Text {
			t.Fatalf("%s is read as %+v (%v), want %+v", raw, got, refusal, want)
		}
		if got.Target != nil && string(got.Completed("x", nil).Fields) != string(want.Completed("x", nil).Fields) {
			t.Fatalf("%s is completed to %s", raw, got.Completed("x", nil).Fields)
		}
	})
}

// Everything that is wrong with a payload is said in the language of who wrote it.
func TestWhatIsWrongWithAPayloadIsSaidInBothLanguages(t *testing.T) {
	t.Parallel()
	isHan := func(r rune) bool { return unicode.Is(unicode.Han, r) }
	rapid.Check(t, func(t *rapid.T) {
		kind := rapid.SampledFrom(MessageTypes()).Draw(t, "type")
		bad := sample(kind, func(name string) string { return name })
		damage(t, bad, weaknesses(kind))
		_, english := ParsePayload(English, kind, encode(bad), living)
		_, chinese := ParsePayload(Chinese, kind, encode(bad), living)
		if english == nil || chinese == nil || !slices.Equal(english.MissingFields, chinese.MissingFields) || len(english.Errors) != len(chinese.Errors) {
			t.Fatalf("%s: %v, %v", encode(bad), english, chinese)
		}
		for _, said := range append(english.Errors, english.Message) {
			if strings.ContainsFunc(said, isHan) {
				t.Fatalf("in English: %s", said)
			}
		}
		for _, said := range append(chinese.Errors, chinese.Message) {
			if !strings.ContainsFunc(said, isHan) {
				t.Fatalf("in Chinese: %s", said)
			}
		}
	})
}

// A reason within a reason is said in the language of the whole.
func TestReasonsAreSaidInOneLanguage(t *testing.T) {
	t.Parallel()
	why := Because(GraphUnfit, "g", Reasons{Because(NodeUnfit, "a", Because(UnsetModel, "m", Names{})), Because(NodeLacksTool, "b", "t")})
	for lang, want := range map[Lang]string{
		English: `the graph "g" cannot be given to a role: its node "a": the model "m" is not set up (there is none); set it up, or leave model out; its node "b": there is no tool "t"; leave it out`,
		Chinese: `图 "g" 不能用于角色：其节点 "a"：模型 "m" 未设置（现有：无）；请设置该模型，或不填 model；其节点 "b"：没有工具 "t"；请去掉它`,
	} {
		if got := why.In(lang); got != want {
			t.Errorf("%s: got  %s\nwant %s", lang, got, want)
		}
	}
	if got := why.Error(); got != why.In(English) {
		t.Errorf("as an error it is %s", got)
	}
}
