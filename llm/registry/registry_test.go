package registry_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"society-tui/llm"
	"society-tui/llm/llmtest"
	"society-tui/llm/registry"
)

func entry(name string, capabilities ...string) registry.Entry {
	return registry.Entry{Name: name, Model: llmtest.Script("m"), Capabilities: capabilities}
}

func TestAModelIsFoundByItsNameElseByWhatItIsGoodFor(t *testing.T) {
	t.Parallel()
	r, err := registry.New(entry("big", "reasoning"), entry("small", "fast", "cheap"), entry("other", "fast", "reasoning"))
	if err != nil {
		t.Fatal(err)
	}
	for asked, want := range map[[2]string]string{
		{"", ""}: "big", {"small", ""}: "small", {"", "reasoning"}: "big", {"", "fast"}: "small",
		{"other", "cheap"}: "other", {"gone", ""}: "", {"", "long-context"}: "", {"fast", ""}: "",
	} {
		if e, ok := r.For(asked[0], asked[1]); e.Name != want || ok != (want != "") {
			t.Errorf("%q leads to %q, %t; want %q", asked, e.Name, ok, want)
		}
	}
	only, err := registry.Only(entry("offline"))
	if err != nil {
		t.Fatal(err)
	}
	if e, ok := only.For("gone", "fast"); !ok || e.Name != "offline" {
		t.Errorf("only one was to be asked, and %q is", e.Name)
	}
}

func TestModelsThatCannotBeToldApartAreRefused(t *testing.T) {
	t.Parallel()
	for want, entries := range map[string][]registry.Entry{
		"there is no model":     nil,
		`two models are called`: {entry("a"), entry("b"), entry("a")},
		"lacks its name":        {entry("")},
		`"a" lacks`:             {{Name: "a"}},
	} {
		if _, err := registry.New(entries...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want …%s…", err, want)
		}
	}
}

// Property: whatever is asked for, what comes has that name or that capability,
// and if anything has it something comes.
func TestWhatIsFoundIsWhatWasAskedFor(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"a", "b", "c", "d"}), 1, 4, rapid.ID[string]).Draw(t, "names")
		var entries []registry.Entry
		for _, name := range names {
			can := rapid.SliceOfDistinct(rapid.SampledFrom([]string{"fast", "cheap"}), rapid.ID[string]).Draw(t, "can")
			entries = append(entries, entry(name, can...))
		}
		r, err := registry.New(entries...)
		if err != nil {
			t.Fatal(err)
		}
		name := rapid.SampledFrom([]string{"", "a", "b", "e"}).Draw(t, "name")
		capability := rapid.SampledFrom([]string{"", "fast", "reasoning"}).Draw(t, "capability")
		e, ok := r.For(name, capability)
		there := slices.ContainsFunc(entries, func(e registry.Entry) bool {
			return e.Name == name || name == "" && (capability == "" || slices.Contains(e.Capabilities, capability))
		})
		switch {
		case ok != there:
			t.Fatalf("%q, %q: found %t, there %t", name, capability, ok, there)
		case ok && name != "" && e.Name != name,
			ok && name == "" && capability != "" && !slices.Contains(e.Capabilities, capability),
			ok && name == "" && capability == "" && e.Name != names[0]:
			t.Fatalf("%q, %q lead to %q", name, capability, e.Name)
		}
	})
}

func TestAProbeSaysHowLongAnAnswerTakesOrWhyThereIsNone(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		if took, err := registry.Probe(ctx, llmtest.Script("m", llmtest.After(3*time.Second, llmtest.Say("ok")))); took != 3*time.Second || err != nil {
			t.Errorf("%v, %v", took, err)
		}
		refused := &llm.Error{Class: llm.Auth, Status: 401, Text: "no such key"}
		if _, err := registry.Probe(ctx, llmtest.Script("m", llmtest.Fail(refused))); !errors.Is(err, refused) {
			t.Errorf("%v", err)
		}
		if _, err := registry.Probe(ctx, llmtest.Script("m", llmtest.Chunks(llm.Chunk{Reasoning: "hm"}, llm.Chunk{Done: true, Finish: llm.FinishLength}))); err != nil {
			t.Errorf("a model that had room only for its thoughts has answered: %v", err)
		}
		if took, err := registry.Probe(ctx, llmtest.Script("m", llmtest.Hang())); !errors.Is(err, context.DeadlineExceeded) || took > 10*time.Second {
			t.Errorf("%v, %v", took, err)
		}
	})
}
