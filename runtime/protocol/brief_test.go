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

// A drawn is a field as an agent might write it, and its expected reading.
type drawn struct {
	raw     string // "" for not there
	missing bool
	wrong   bool
}

func drawText(t *rapid.T, name string) drawn {
	switch rapid.IntRange(0, 6).Draw(t, name) {
	case 0:
		return drawn{missing: true}
	case 1:
		return drawn{raw: "null", missing: true}
	case 2:
		return drawn{raw: `""`, missing: true}
	case 3:
		return drawn{raw: rapid.SampledFrom([]string{"7", "true", "[]", `{"a":1}`, `["x"]`}).Draw(t, "wrong"), wrong: true}
	case 4:
		return drawn{raw: rapid.SampledFrom([]string{`" "`, `"\n"`, `"　"`}).Draw(t, "blank")}
	}
	return drawn{raw: string(encode(rapid.StringN(1, 40, -1).Draw(t, "text")))}
}

func drawTexts(t *rapid.T, name string) drawn {
	switch rapid.IntRange(0, 4).Draw(t, name) {
	case 0:
		return drawn{raw: rapid.SampledFrom([]string{"", "null", `""`}).Draw(t, "none"), missing: true}
	case 1:
		return drawn{raw: rapid.SampledFrom([]string{`"one"`, "{}", "3", "[1]", `["a",null]`, `[["a"]]`}).Draw(t, "wrong"), wrong: true}
	case 2:
		return drawn{raw: "[]"}
	}
	return drawn{raw: string(encode(rapid.SliceOf(rapid.String()).Draw(t, "texts")))}
}

// drawObject writes the fields in any order with any white space.
func drawObject(t *rapid.T, fields map[string]drawn) json.RawMessage {
	var parts []string
	for name, d := range fields {
		if d.raw != "" {
			parts = append(parts, fmt.Sprintf("%q%s:%s", name, rapid.SampledFrom([]string{"", " ", "\n"}).Draw(t, "space"), d.raw))
		}
	}
	slices.Sort(parts)
	return json.RawMessage("{" + strings.Join(rapid.Permutation(parts).Draw(t, "order"), ",\t") + "}")
}

var requiredFields = []string{"objective", "constraints", "inputs", "outputs", "completion_criteria"}

func TestS002P1ABriefWithoutARequiredFieldIsRefusedAndNamesThemAll(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		fields := map[string]drawn{
			"objective": drawText(t, "objective"), "constraints": drawTexts(t, "constraints"),
			"inputs": drawText(t, "inputs"), "outputs": drawText(t, "outputs"),
			"completion_criteria": drawText(t, "completion_criteria"),
			"references":          drawTexts(t, "references"), "priority": drawText(t, "priority"),
		}
		raw := drawObject(t, fields)
		before := bytes.Clone(raw)
		b, bad := ParseBrief(English, raw, nil)
		if !bytes.Equal(raw, before) {
			t.Fatalf("S002 P1: the input was changed")
		}
		missing, wrong := []string{}, []string{}
		for _, name := range requiredFields {
			if fields[name].missing {
				missing = append(missing, name)
			}
		}
		for name, d := range fields {
			if d.wrong {
				wrong = append(wrong, name)
			}
		}
		if len(missing)+len(wrong) == 0 {
			checkAccepted(t, b, bad, raw)
			return
		}
		if bad == nil || bad.Code != "invalid_task_brief" || !slices.Equal(bad.MissingFields, missing) {
			t.Fatalf("want missing %v, got %+v", missing, bad)
		}
		for _, name := range wrong {
			if !slices.ContainsFunc(bad.Errors, func(e string) bool { return strings.HasPrefix(e, name) }) {
				t.Fatalf("nothing is said of %s: %v", name, bad.Errors)
			}
		}
		for _, name := range append(missing, wrong...) {
			if !strings.Contains(bad.Message, name) {
				t.Fatalf("the message does not name %s: %s", name, bad.Message)
			}
		}
		if !reflect.DeepEqual(b, Brief{}) {
			t.Fatalf("a refused brief is not to be used: %+v", b)
		}
	})
}

// checkAccepted reads the input with another reader and compares.
func checkAccepted(t *rapid.T, b Brief, bad *BriefError, raw json.RawMessage) {
	if bad != nil {
		t.Fatalf("refused: %v\n%s", bad, raw)
	}
	var want map[string]any
	if err := json.Unmarshal(raw, &want); err != nil {
		t.Fatal(err)
	}
	for name, got := range map[string]any{
		"objective": b.Objective, "inputs": b.Inputs, "outputs": b.Outputs,
		"completion_criteria": b.CompletionCriteria, "priority": b.Priority,
	} {
		if s, _ := want[name].(string); s != got {
			t.Fatalf("%s is %q, written was %q", name, got, s)
		}
	}
	for name, got := range map[string][]string{"constraints": b.Constraints, "references": b.References} {
		list, _ := want[name].([]any)
		if len(list) != len(got) {
			t.Fatalf("%s is %q, written was %q", name, got, list)
		}
		for i := range list {
			if list[i] != got[i] {
				t.Fatalf("%s is %q, written was %q", name, got, list)
			}
		}
	}
}

func TestBriefThatIsNoObjectMissesEverything(t *testing.T) {
	t.Parallel()
	for raw, wantError := range map[string]bool{
		"": false, "null": false, `""`: false, "{}": false,
		`"{}"`: false, `"{\"objective\""`: true, "[]": true, "7": true, "true": true, `{"objective"`: true,
		`{"objective":"x"} {}`: true,
	} {
		_, bad := ParseBrief(English, json.RawMessage(raw), nil)
		if bad == nil || !slices.Equal(bad.MissingFields, requiredFields) || (len(bad.Errors) > 0) != wantError {
			t.Errorf("%s: %+v", raw, bad)
		}
	}
}

const goodBrief = `{"objective":"a <b> & c","constraints":["x"],"inputs":"i","outputs":"o","completion_criteria":"c"`

func TestCollaboratorsAreReadAndMustBeLive(t *testing.T) {
	t.Parallel()
	live := func(id string) bool { return id == "ui-1" }
	b, bad := ParseBrief(English, json.RawMessage(goodBrief+`,"collaborators":[{"agentId":"ui-1","role":"UI","description":"design",
		"interface_spec":{"services":"s","input_format":"i","output_format":"o","examples":["e"]}}]}`), live)
	want := []Collaborator{{AgentID: "ui-1", Role: "UI", Description: "design", InterfaceSpec: &InterfaceSpec{
		Services: "s", InputFormat: "i", OutputFormat: "o", Examples: []string{"e"},
	}}}
	if bad != nil || !reflect.DeepEqual(b.Collaborators, want) {
		t.Errorf("%+v, %v", b.Collaborators, bad)
	}
	_, bad = ParseBrief(English, json.RawMessage(goodBrief+`,"collaborators":[{"agentId":"gone-2"},{"role":"x"},"ui-1",
		{"agentId":"ui-1","interfaceSpec":"s"},{"agentId":"ui-1","interfaceSpec":{"examples":"e"}}]}`), live)
	if bad == nil {
		t.Fatal("accepted")
	}
	if want := []string{"collaborators[1].agentId"}; !slices.Equal(bad.MissingFields, want) {
		t.Errorf("missing %v, want %v", bad.MissingFields, want)
	}
	wantErrors := []string{
		`collaborators[0].agentId: there is no agent "gone-2"; get_org lists those there are`,
		"collaborators[2] must be an object, not a string",
		"collaborators[3].interfaceSpec must be an object, not a string",
		"collaborators[4].interfaceSpec.examples must be a list of strings, not a string",
	}
	if !slices.Equal(bad.Errors, wantErrors) {
		t.Errorf("errors %q", bad.Errors)
	}
}

func TestBriefErrorIsTheToolsResult(t *testing.T) {
	t.Parallel()
	_, bad := ParseBrief(English, json.RawMessage(`{"objective":"x","constraints":"none","inputs":"i","outputs":"o","completion_criteria":"c"}`), nil)
	raw, err := json.Marshal(bad)
	want := `{"error":"invalid_task_brief","missing_fields":[],"errors":["constraints must be a list of strings, not a string"],` +
		`"message":"taskBrief is not complete: constraints must be a list of strings, not a string. Mend this and call again."}`
	if err != nil || string(raw) != want {
		t.Errorf("got  %s\nwant %s", raw, want)
	}
}

func TestWhatElseTheParentWroteStaysInTheBrief(t *testing.T) {
	t.Parallel()
	b, bad := ParseBrief(English, json.RawMessage(goodBrief+`, "zeit": 3, "deadline":"tomorrow", "Objective":"other case"}`), nil)
	if bad != nil {
		t.Fatal(bad)
	}
	if b.Objective != "a <b> & c" || string(b.More) != `{"zeit":3,"deadline":"tomorrow","Objective":"other case"}` {
		t.Errorf("objective %q, more %s", b.Objective, b.More)
	}
	raw := encode(b)
	if want := goodBrief + `,"zeit":3,"deadline":"tomorrow","Objective":"other case"}`; string(raw) != want {
		t.Errorf("written as %s", raw)
	}
	var stored Brief
	escaped, err := json.Marshal(b)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(escaped, &stored); err != nil || !reflect.DeepEqual(stored, b) {
		t.Errorf("read back as %+v (%v)", stored, err)
	}
}

func TestBriefsSurviveTheStore(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		b := anyBrief(t)
		raw, err := json.Marshal(b)
		if err != nil {
			t.Fatal(err)
		}
		var stored Brief
		if err := json.Unmarshal(raw, &stored); err != nil {
			t.Fatal(err)
		}
		again, bad := ParseBrief(English, encode(b), nil)
		if bad != nil {
			t.Fatalf("a brief of ours is refused: %v", bad)
		}
		for _, read := range []Brief{stored, again} {
			if written, err := json.Marshal(read); err != nil || !bytes.Equal(raw, written) {
				t.Fatalf("written %s\nthen    %s (%v)", raw, written, err)
			}
		}
	})
}

// anyBrief draws a brief that holds something in every required field.
func anyBrief(t *rapid.T) Brief {
	text := rapid.StringN(1, 60, -1)
	b := Brief{
		Objective: text.Draw(t, "objective"), Inputs: text.Draw(t, "inputs"), Outputs: text.Draw(t, "outputs"),
		CompletionCriteria: text.Draw(t, "criteria"), Constraints: rapid.SliceOf(text).Draw(t, "constraints"),
	}
	if rapid.Bool().Draw(t, "optional ones") {
		b.References = rapid.SliceOfN(text, 1, 3).Draw(t, "references")
		b.Priority = text.Draw(t, "priority")
		b.More = encode(map[string]string{"deadline": text.Draw(t, "deadline")})
		b.Collaborators = []Collaborator{{
			AgentID: rapid.StringMatching(`[a-z]{1,24}-[1-9]`).Draw(t, "id"), Role: text.Draw(t, "role"),
			Description: text.Draw(t, "description"), InterfaceSpec: &InterfaceSpec{Services: text.Draw(t, "services")},
		}}
	}
	return b
}
