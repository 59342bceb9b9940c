package protocol

import (
	"bytes"
	"encoding/json"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"society-tui/runtime/propertytest"
)

// written is a payload or a brief as an agent writes it.
type written = map[string]any

// sample is a valid payload of a type with every field that it may have; say
// gives the texts.
func sample(kind MessageType, say func(name string) string) written {
	form := func() written {
		return written{
			"services": say("services"), "input_format": say("input"), "output_format": say("output"),
			"examples": []any{say("example"), say("another example")},
		}
	}
	payload := written{"text": say("text")}
	switch kind {
	case TaskAssignment:
		payload["taskBrief"] = written{
			"objective": say("objective"), "constraints": []any{say("constraint"), say("another constraint")},
			"inputs": say("inputs"), "outputs": say("outputs"), "completion_criteria": say("criteria"),
			"collaborators": []any{
				written{"agentId": "ui-1", "role": say("role"), "description": say("description"), "interfaceSpec": form()},
				written{"agentId": "qa-2"},
			},
			"references": []any{say("reference")}, "priority": say("priority"), "deadline": say("deadline"),
		}
	case IntroductionRequest:
		payload["reason"], payload["required_capability"], payload["urgency"] = say("reason"), say("capability"), 1.0
	case IntroductionResponse:
		payload["target"] = written{"id": "qa-2", "role": say("role"), "interfaceSpec": form()}
		payload["usage_hint"] = say("hint")
	case StatusReport, CollaborationRequest, CollaborationResponse, General:
		payload["data"] = written{"deep": []any{say("deep")}}
	}
	return payload
}

// A weakness is a field that can be wrong, and how.
type weakness struct {
	path     string
	required bool
	names    bool // an agent
	wrong    []any
	// with are the fields that are missing too when this one is of a wrong type.
	with []string
}

var (
	noText   = []any{7.0, true, []any{}, written{"a": "b"}, []any{"x"}}
	noItem   = append([]any{nil}, noText...)
	noList   = []any{"one", 3.0, false, written{}}
	noObject = []any{"some text", 3.0, true, []any{"a"}}
)

// formOf are the weaknesses of an interface specification.
func formOf(path string) []weakness {
	return []weakness{
		{path: path, wrong: noObject},
		{path: path + ".services", wrong: noText},
		{path: path + ".input_format", wrong: noText},
		{path: path + ".output_format", wrong: noText},
		{path: path + ".examples", wrong: noList},
		{path: path + ".examples[1]", wrong: noItem},
	}
}

func briefWeaknesses(prefix string) []weakness {
	list := []weakness{
		{path: prefix + "constraints", required: true, wrong: noList},
		{path: prefix + "constraints[1]", wrong: noItem},
		{path: prefix + "collaborators", wrong: noList},
		{path: prefix + "collaborators[0]", wrong: append([]any{nil}, noObject...)},
		{path: prefix + "collaborators[0].agentId", required: true, names: true, wrong: noText},
		{path: prefix + "collaborators[1].agentId", required: true, names: true, wrong: noText},
		{path: prefix + "collaborators[0].role", wrong: noText},
		{path: prefix + "collaborators[0].description", wrong: noText},
		{path: prefix + "references", wrong: noList},
		{path: prefix + "references[0]", wrong: noItem},
		{path: prefix + "priority", wrong: noText},
	}
	for _, name := range []string{"objective", "inputs", "outputs", "completion_criteria"} {
		list = append(list, weakness{path: prefix + name, required: true, wrong: noText})
	}
	return append(list, formOf(prefix+"collaborators[0].interfaceSpec")...)
}

func weaknesses(kind MessageType) []weakness {
	list := []weakness{{path: "text", wrong: noText}}
	switch kind {
	case TaskAssignment:
		all := []string{"taskBrief.objective", "taskBrief.constraints", "taskBrief.inputs", "taskBrief.outputs", "taskBrief.completion_criteria"}
		list = append(list, weakness{path: "taskBrief", required: true, wrong: noObject, with: all})
		list = append(list, briefWeaknesses("taskBrief.")...)
	case IntroductionRequest:
		list = append(list, weakness{path: "reason", required: true, wrong: noText}, weakness{path: "required_capability", required: true, wrong: noText})
	case IntroductionResponse:
		list = append(list, weakness{path: "target", required: true, wrong: noObject}, weakness{path: "usage_hint", wrong: noText},
			weakness{path: "target.id", required: true, names: true, wrong: noText}, weakness{path: "target.role", required: true, wrong: noText})
		list = append(list, formOf("target.interfaceSpec")...)
	case StatusReport, CollaborationRequest, CollaborationResponse, General:
	}
	return list
}

// damage makes some fields wrong, none within another, and returns the paths that
// an error has to name: what is missing, and what else is wrong.
func damage(t *rapid.T, payload written, weak []weakness) (missing, wrong []string) {
	var hurt []string
	for _, i := range rapid.SliceOfNDistinct(rapid.IntRange(0, len(weak)-1), 1, min(len(weak), 5), rapid.ID[int]).Draw(t, "fields") {
		f := weak[i]
		if slices.ContainsFunc(hurt, func(p string) bool { return strings.HasPrefix(p, f.path) || strings.HasPrefix(f.path, p) }) {
			continue
		}
		hurt = append(hurt, f.path)
		switch how := rapid.IntRange(0, 5).Draw(t, f.path); {
		case f.required && how == 0:
			put(payload, f.path, nil, true)
			missing = append(missing, f.path)
		case f.required && how <= 2:
			put(payload, f.path, []any{nil, ""}[how-1], false)
			missing = append(missing, f.path)
		case f.names && how == 3:
			put(payload, f.path, "nobody-1", false)
			wrong = append(wrong, f.path)
		default:
			put(payload, f.path, rapid.SampledFrom(f.wrong).Draw(t, "instead"), false)
			wrong, missing = append(wrong, f.path), append(missing, f.with...)
		}
	}
	slices.Sort(missing)
	slices.Sort(wrong)
	return missing, wrong
}

var pathPart = regexp.MustCompile(`[^.\[\]]+`)

// put sets the field of a path, or takes it away.
func put(root any, path string, value any, away bool) {
	parts := pathPart.FindAllString(path, -1)
	last := len(parts) - 1
	in := find(root, parts[:last])
	switch in := in.(type) {
	case written:
		if in[parts[last]] = value; away {
			delete(in, parts[last])
		}
	case []any:
		i, _ := strconv.Atoi(parts[last])
		in[i] = value
	}
}

func find(in any, parts []string) any {
	for _, part := range parts {
		switch at := in.(type) {
		case written:
			in = at[part]
		case []any:
			i, _ := strconv.Atoi(part)
			in = at[i]
		}
	}
	return in
}

// pathsOf reads which fields errors speak of: the word that each begins with.
func pathsOf(errors []string) (paths []string) {
	for _, e := range errors {
		path, _, _ := strings.Cut(e, " ")
		paths = append(paths, strings.TrimSuffix(path, ":"))
	}
	slices.Sort(paths)
	return paths
}

// checkNamed checks that an error names exactly what is wrong, each in one line.
func checkNamed(t *rapid.T, gotMissing, gotErrors []string, message string, missing, wrong []string) {
	got := slices.Sorted(slices.Values(gotMissing))
	if !slices.Equal(got, missing) || !slices.Equal(pathsOf(gotErrors), wrong) {
		t.Fatalf("missing %q and wrong %q, but named are %q and %q", missing, wrong, gotMissing, gotErrors)
	}
	for _, path := range append(missing, wrong...) {
		if !strings.Contains(message, path) || strings.ContainsAny(message, "\r\n") {
			t.Fatalf("%s is not in the sentence: %q", path, message)
		}
	}
}

// mend puts back what the paths name, as a model would that wrote it again.
func mend(bad, good written, paths []string) {
	slices.SortFunc(paths, func(a, b string) int { return len(a) - len(b) }) // what holds others first
	for _, path := range paths {
		put(bad, path, find(copied(good), pathPart.FindAllString(path, -1)), false)
	}
}

func copied(w written) (c written) {
	if err := json.Unmarshal(encode(w), &c); err != nil {
		panic(err) // of our own making
	}
	return c
}

func living(id string) bool { return id == "ui-1" || id == "qa-2" }

// Fields of a valid payload are removed or replaced: the error names exactly those, and
// with them restored the call is right. Neither the input nor the refused payload can be
// used by mistake.
func TestS002P10WhateverIsWrongWithAPayloadIsNamedAndCanBeMended(t *testing.T) {
	t.Parallel()
	met := propertytest.Met[MessageType]{}
	met.Check(t, propertytest.Once(MessageTypes()...), func(t *rapid.T) {
		kind := rapid.SampledFrom(MessageTypes()).Draw(t, "type")
		good := sample(kind, func(name string) string { return name + rapid.StringN(0, 8, -1).Draw(t, name) })
		want, refusal := ParsePayload(English, kind, encode(good), living)
		if refusal != nil {
			t.Fatalf("%s %s: %v", kind, encode(good), refusal)
		}
		bad := copied(good)
		missing, wrong := damage(t, bad, weaknesses(kind))
		raw := encode(bad)
		before := bytes.Clone(raw)
		got, refusal := ParsePayload(English, kind, raw, living)
		if refusal == nil || refusal.Code != "invalid_message_format" || refusal.MessageType != kind || !reflect.DeepEqual(got, Payload{}) {
			t.Fatalf("%s %s: %+v", kind, raw, refusal)
		}
		if !bytes.Equal(raw, before) {
			t.Fatalf("the input was changed to %s, from %s", raw, before)
		}
		met[kind]++
		checkNamed(t, refusal.MissingFields, refusal.Errors, refusal.Message, missing, wrong)
		mend(bad, good, append(slices.Clone(refusal.MissingFields), pathsOf(refusal.Errors)...))
		if again, refusal := ParsePayload(English, kind, encode(bad), living); refusal != nil || !reflect.DeepEqual(again, want) {
			t.Fatalf("mended as it was told, it is %s: %v", encode(bad), refusal)
		}
	})
}

// The same of a brief by itself, as spawn_agent takes it.
func TestS002P1WhateverIsWrongWithABriefIsNamedAndCanBeMended(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		say := func(name string) string { return name + rapid.StringN(0, 8, -1).Draw(t, name) }
		good := sample(TaskAssignment, say)["taskBrief"].(written) //nolint:forcetypeassert // sample's
		want, refusal := ParseBrief(English, encode(good), living)
		if refusal != nil {
			t.Fatalf("%s: %v", encode(good), refusal)
		}
		bad := copied(good)
		missing, wrong := damage(t, bad, briefWeaknesses(""))
		_, refusal = ParseBrief(English, encode(bad), living)
		if refusal == nil || refusal.Code != "invalid_task_brief" {
			t.Fatalf("%s: %+v", encode(bad), refusal)
		}
		checkNamed(t, refusal.MissingFields, refusal.Errors, refusal.Message, missing, wrong)
		mend(bad, good, append(slices.Clone(refusal.MissingFields), pathsOf(refusal.Errors)...))
		if again, refusal := ParseBrief(English, encode(bad), living); refusal != nil || !reflect.DeepEqual(again, want) {
			t.Fatalf("mended as it was told, it is %s: %v", encode(bad), refusal)
		}
	})
}
