package protocol

import (
	"bytes"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// The types that demand fields.
func TestS002P10APayloadWithoutADemandedFieldIsRefusedAndNamesThemAll(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		fields := map[string]drawn{
			"reason": drawText(t, "reason"), "required_capability": drawText(t, "capability"),
			"text": drawText(t, "text"),
		}
		raw := drawObject(t, fields)
		before := bytes.Clone(raw)
		p, bad := ParsePayload(English, IntroductionRequest, raw, nil)
		if !bytes.Equal(raw, before) {
			t.Fatalf("the input was changed to %s, from %s", raw, before)
		}
		missing, wrong := []string{}, 0
		for _, name := range []string{"reason", "required_capability"} {
			if fields[name].missing {
				missing = append(missing, name)
			}
		}
		for _, d := range fields {
			if d.wrong {
				wrong++
			}
		}
		if len(missing)+wrong == 0 {
			if bad != nil {
				t.Fatalf("refused: %v", bad)
			}
			for _, name := range []string{"reason", "required_capability"} {
				if o, _ := readObject(p.Fields); !slices.Equal(o.get(name), compact(json.RawMessage(fields[name].raw))) {
					t.Fatalf("%s is not in %s", name, p.Fields)
				}
			}
			return
		}
		if bad == nil || bad.Code != "invalid_message_format" || bad.MessageType != IntroductionRequest ||
			!slices.Equal(bad.MissingFields, missing) || len(bad.Errors) != wrong {
			t.Fatalf("want missing %v and %d errors, got %+v", missing, wrong, bad)
		}
	})
}

func TestEachTypeDemandsWhatItIsFor(t *testing.T) {
	t.Parallel()
	live := func(id string) bool { return id == "web-3" }
	type wish struct {
		kind    MessageType
		raw     string
		missing []string
		errors  []string // beginnings
	}
	for _, w := range []wish{
		{TaskAssignment, `{"taskBrief":` + goodBrief + `}}`, nil, nil},
		{TaskAssignment, `{"text":"go"}`, []string{"taskBrief"}, nil},
		{TaskAssignment, `"go"`, []string{"taskBrief"}, []string{"payload must be an object"}},
		{
			TaskAssignment, `{"taskBrief":{"objective":"x","constraints":["y"],"inputs":3,"collaborators":[{"agentId":"gone-1"}]}}`,
			[]string{"taskBrief.outputs", "taskBrief.completion_criteria"},
			[]string{"taskBrief.inputs must be a string", `taskBrief.collaborators[0].agentId: there is no agent "gone-1"`},
		},
		{IntroductionResponse, `{"target":{"id":"web-3","role":"Web"},"usage_hint":"ask"}`, nil, nil},
		{IntroductionResponse, `{"target":{"id":"gone-1"},"usage_hint":[]}`, []string{"target.role"}, []string{"target.id: there is no agent", "usage_hint must be a string"}},
		{IntroductionResponse, `{"target":"web-3"}`, nil, []string{"target must be an object"}},
		{IntroductionResponse, `{"text":"nobody"}`, []string{"target"}, nil},
		{IntroductionRequest, `"please"`, []string{"reason", "required_capability"}, []string{"payload must be an object"}},
		{StatusReport, `"half done"`, nil, nil},
		{StatusReport, `{"progress":50}`, nil, nil},
		{StatusReport, `{}`, []string{"text"}, nil},
		{CollaborationRequest, `{"text":"help"}`, nil, nil},
		{CollaborationResponse, `{"text":null}`, []string{"text"}, nil},
		{General, `"hello"`, nil, nil},
		{General, `" "`, nil, nil},
		{General, `{"text":"hello"}`, nil, nil},
		{General, ``, []string{"payload"}, nil},
		{General, `""`, []string{"payload"}, nil},
		{General, `{"text":5}`, nil, []string{"text must be a string, not a number"}},
		{General, `[1]`, nil, []string{"payload must be a string or an object, not a list"}},
		{General, `true`, nil, []string{"payload must be a string or an object, not a boolean"}},
	} {
		p, bad := ParsePayload(English, w.kind, json.RawMessage(w.raw), live)
		if len(w.missing)+len(w.errors) == 0 {
			if bad != nil {
				t.Errorf("%s %s: refused: %v", w.kind, w.raw, bad)
			}
			continue
		}
		if bad == nil {
			t.Errorf("%s %s: accepted as %+v", w.kind, w.raw, p)
			continue
		}
		same := slices.EqualFunc(bad.Errors, w.errors, strings.HasPrefix)
		if !slices.Equal(bad.MissingFields, append([]string{}, w.missing...)) || !same {
			t.Errorf("%s %s: %+v", w.kind, w.raw, bad)
		}
	}
}

func TestIntroducedTargetIsRead(t *testing.T) {
	t.Parallel()
	p, bad := ParsePayload(English, IntroductionResponse, json.RawMessage(`{"target":{"id":"web-3","role":"Web","interface_spec":{"services":"pages"}}}`), nil)
	want := &Target{ID: "web-3", Role: "Web", InterfaceSpec: &InterfaceSpec{Services: "pages"}}
	if bad != nil || !reflect.DeepEqual(p.Target, want) {
		t.Errorf("%+v, %v", p.Target, bad)
	}
}

func TestAStringPayloadIsTheTextVerbatim(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringN(1, 200, -1).Draw(t, "text")
		p, bad := ParsePayload(English, General, encode(s), nil)
		if bad != nil || p.Body() != s {
			t.Fatalf("%q became %q (%v)", s, p.Body(), bad)
		}
	})
}

func TestRemainingFieldsKeepTheSendersOrderAndBytes(t *testing.T) {
	t.Parallel()
	p, bad := ParsePayload(English, StatusReport, json.RawMessage(`{ "z": 1.50, "text": "done <b>",
		"a": {"y":[1, 2],"x":"<&>"}, "big": 12345678901234567890, "z": 2.00 }`), nil)
	want := "done <b>\n" + `{"z":2.00,"a":{"y":[1,2],"x":"<&>"},"big":12345678901234567890}`
	if bad != nil || p.Body() != want {
		t.Errorf("got  %s (%v)\nwant %s", p.Body(), bad, want)
	}
}

// protocol.md: what spawn_agent posts when the parent wrote no message.
func TestAssignmentIsAValidTaskAssignment(t *testing.T) {
	t.Parallel()
	b, bad := ParseBrief(English, json.RawMessage(goodBrief+`}`), nil)
	if bad != nil {
		t.Fatal(bad)
	}
	for lang, want := range map[Lang]string{
		English: "Please begin. Your task brief: a <b> & c\n" + `{"taskBrief":` + goodBrief + `}}`,
		Chinese: "请开始工作。任务目标：a <b> & c\n" + `{"taskBrief":` + goodBrief + `}}`,
	} {
		p := Assignment(lang, b)
		if p.Body() != want {
			t.Errorf("%s: %s", lang, p.Body())
		}
		read, bad := ParsePayload(English, TaskAssignment, p.Fields, nil)
		if bad != nil || !reflect.DeepEqual(read.Brief, p.Brief) {
			t.Errorf("%s: read as %+v (%v)", lang, read.Brief, bad)
		}
	}
}

func TestTypesAreReadStrictly(t *testing.T) {
	t.Parallel()
	if kind, err := ParseType(""); err != nil || kind != General {
		t.Errorf("none is %q (%v)", kind, err)
	}
	asks := map[MessageType]bool{TaskAssignment: true, CollaborationRequest: true, IntroductionRequest: true, General: true}
	for _, want := range MessageTypes() {
		if kind, err := ParseType(string(want)); err != nil || kind != want {
			t.Errorf("%s is %q (%v)", want, kind, err)
		}
		if want.Asks() != asks[want] {
			t.Errorf("%s asks: %v", want, want.Asks())
		}
	}
	if len(MessageTypes()) != 7 {
		t.Errorf("there are %d types, want seven", len(MessageTypes()))
	}
	for _, wrong := range []string{"General", "task-assignment", " general"} {
		if _, err := ParseType(wrong); err == nil || !strings.Contains(err.Error(), "introduction_request") {
			t.Errorf("%q: %v", wrong, err)
		}
	}
}

// What is large or deep is answered in time that
// grows with its size; a quadratic reader would take minutes here.
func TestHugePayloadsAreReadInTheirStride(t *testing.T) {
	t.Parallel()
	var wide strings.Builder
	wide.WriteString(goodBrief)
	for i := range 100_000 {
		fmt.Fprintf(&wide, `,"f%d":%d`, i, i)
	}
	wide.WriteString("}")
	p, bad := ParsePayload(English, TaskAssignment, json.RawMessage(`{"taskBrief":`+wide.String()+`}`), nil)
	if bad != nil {
		t.Fatal(bad)
	}
	raw, err := json.Marshal(p.Brief)
	if err != nil || string(p.Fields) != `{"taskBrief":`+wide.String()+`}` {
		t.Fatalf("%d bytes of fields (%v)", len(p.Fields), err)
	}
	var stored Brief
	if err := json.Unmarshal(raw, &stored); err != nil || !bytes.Equal(stored.More, p.Brief.More) {
		t.Errorf("%d bytes read back (%v)", len(stored.More), err)
	}
	deep := `{"taskBrief":` + strings.Repeat("[", 9_990) + strings.Repeat("]", 9_990) + `}`
	if p, bad := ParsePayload(English, TaskAssignment, json.RawMessage(deep), nil); bad == nil {
		t.Errorf("a list is taken for the brief %+v", p)
	}
}

// Whatever is written where a payload or a brief belongs is answered, never a crash.
func FuzzPayload(f *testing.F) {
	for _, seed := range []string{
		`{"taskBrief":` + goodBrief + `}}`, `{"target":{"id":"a","role":"b"}}`, `{}{}`, `{"a":`, `null`, `[]`, "\xff",
		`{"text":"\ud800"}`, strings.Repeat(`{"a":`, 20000), `{"text":"x","text":"y"}`, `{"":0}`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		for _, kind := range MessageTypes() {
			p, bad := ParsePayload(English, kind, json.RawMessage(raw), nil)
			if bad != nil {
				if len(bad.MissingFields)+len(bad.Errors) == 0 || strings.ContainsAny(bad.Message, "\n\r") {
					t.Errorf("%s: %+v", kind, bad)
				}
				continue
			}
			if p.Fields != nil && !json.Valid(p.Fields) {
				t.Errorf("%s: fields %s", kind, p.Fields)
			}
		}
	})
}
