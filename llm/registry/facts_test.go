package registry_test

import (
	"slices"
	"sync"
	"testing"
	"time"

	"society-tui/llm"
	"society-tui/llm/llmtest"
	"society-tui/llm/registry"
)

func window(tokens int, from llm.Source) llm.Facts {
	return llm.Facts{Window: llm.Fact[int]{Value: tokens, Source: from, At: time.Unix(1, 0)}}
}

func images(takes bool, from llm.Source) llm.Facts {
	return llm.Facts{Images: llm.Fact[bool]{Value: takes, Source: from}}
}

func TestSettingBeatsEndpointBeatsCatalogueAndASmallerErrorBeatsAll(t *testing.T) {
	t.Parallel()
	type said map[llm.Source]int
	for name, c := range map[string]struct {
		said   said
		window int
		from   llm.Source
	}{
		"nobody knows":                     {said{}, 0, ""},
		"the catalogue alone":              {said{llm.FromCatalogue: 100}, 100, llm.FromCatalogue},
		"what runs beats what is possible": {said{llm.FromCatalogue: 100, llm.FromEndpoint: 40}, 40, llm.FromEndpoint},
		"the endpoint may be larger":       {said{llm.FromCatalogue: 100, llm.FromEndpoint: 200}, 200, llm.FromEndpoint},
		"the user knows better":            {said{llm.FromSetting: 500, llm.FromEndpoint: 200, llm.FromCatalogue: 100}, 500, llm.FromSetting},
		"an error is the truth":            {said{llm.FromSetting: 1_000_000, llm.FromError: 200_000, llm.FromCatalogue: 100}, 200_000, llm.FromError},
		"an error knows no larger window":  {said{llm.FromEndpoint: 40, llm.FromError: 50}, 40, llm.FromEndpoint},
		"an error alone":                   {said{llm.FromError: 50}, 50, llm.FromError},
	} {
		e := registry.Entry{Name: "a", Model: llmtest.Func("a", llmtest.Say("")), Window: c.said[llm.FromSetting]}
		r, err := registry.New(e)
		if err != nil {
			t.Fatal(err)
		}
		for _, from := range []llm.Source{llm.FromError, llm.FromCatalogue, llm.FromEndpoint} { // in no order of worth
			if tokens := c.said[from]; tokens > 0 && !r.Learn("a", from, window(tokens, from)) && from != llm.FromError && c.from == from {
				t.Errorf("%s: nothing has changed with %s", name, from)
			}
		}
		got := r.All()[0]
		if got.Window != c.window || got.Facts.Window.Source != c.from {
			t.Errorf("%s: the window is %d from %q, want %d from %q", name, got.Window, got.Facts.Window.Source, c.window, c.from)
		}
		r.Learn("a", llm.FromError, llm.Facts{})
		if after := r.All()[0].Facts.Window; after.Source == llm.FromError {
			t.Errorf("%s: what was forgotten is still there: %+v", name, after)
		}
	}
}

// The catalogue may be wrong of a model that takes images: a refusal then teaches better.
func TestWhatIsKnownOfImagesDecides(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		setting string
		said    llm.Facts
		want    string
	}{
		{"", images(false, llm.FromCatalogue), registry.TakesNoImages},
		{"", images(true, llm.FromCatalogue), ""},
		{"", images(true, llm.FromEndpoint), registry.TakesImages},
		{"", images(false, llm.FromEndpoint), registry.TakesNoImages},
		{registry.TakesImages, images(false, llm.FromEndpoint), registry.TakesImages},
		{registry.TakesNoImages, images(true, llm.FromEndpoint), registry.TakesNoImages},
	} {
		r, err := registry.Only(registry.Entry{Name: "a", Model: llmtest.Func("a", llmtest.Say("")), Images: c.setting})
		if err != nil {
			t.Fatal(err)
		}
		r.Learn("a", c.said.Images.Source, c.said)
		if e, _ := r.For("whatever", ""); e.Images != c.want {
			t.Errorf("set to %q, then %+v: %q, want %q", c.setting, c.said.Images, e.Images, c.want)
		}
	}
}

func TestFactsAreLearntWhileModelsAreAsked(t *testing.T) {
	t.Parallel()
	r, err := registry.New(
		registry.Entry{Name: "a", Model: llmtest.Func("a", llmtest.Say(""))},
		registry.Entry{Name: "b", Model: llmtest.Func("gpt-5", llmtest.Say(""))},
	)
	if err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	for i := range 50 {
		all.Go(func() { r.Learn("a", llm.FromEndpoint, window(i+1, llm.FromEndpoint)) })
		all.Go(func() { r.Learn("b", llm.FromCatalogue, window(7, llm.FromCatalogue)) })
		all.Go(func() { r.For("a", "") })
	}
	all.Wait()
	if list := r.All(); list[0].Window < 1 || list[1].Window != 7 {
		t.Errorf("learnt %d and %d", list[0].Window, list[1].Window)
	}
	if r.Learn("gone", llm.FromEndpoint, window(1, llm.FromEndpoint)) || r.Learn("b", llm.FromCatalogue, window(7, llm.FromCatalogue)) {
		t.Error("what changes nothing is said to")
	}
}

func TestNearNamesAreThoseOfTheEndpoint(t *testing.T) {
	t.Parallel()
	r, err := registry.New(registry.Entry{Name: "mine", Model: llmtest.Func("gpt5.6", llmtest.Say(""))})
	if err != nil {
		t.Fatal(err)
	}
	r.Offer("mine", []string{"llama", "gpt-5.6-sol", "gpt-5.6", "gpt-5.6-mini", "gpt-5", "gpt5.6"})
	e, _ := r.For("mine", "")
	if near := e.Near(); !slices.Equal(near, []string{"gpt-5.6", "gpt-5", "gpt-5.6-sol"}) {
		t.Errorf("near are %q", near)
	}
}

func TestWhatWasFoundOutHoldsForAModelThatStays(t *testing.T) {
	t.Parallel()
	a := registry.Entry{Name: "a", Model: llmtest.Func("x", llmtest.Say("")), Endpoint: "http://one"}
	r, err := registry.New(a)
	if err != nil {
		t.Fatal(err)
	}
	r.Learn("a", llm.FromEndpoint, window(40, llm.FromEndpoint))
	r.Offer("a", []string{"x", "y"})
	for _, c := range []struct {
		endpoint, model string
		window          int
		offers          int
	}{{"http://one", "x", 40, 2}, {"http://two", "x", 0, 0}, {"http://one", "y", 0, 0}} {
		before, err := registry.New(a)
		if err != nil {
			t.Fatal(err)
		}
		if err := before.Replace(r); err != nil {
			t.Fatal(err)
		}
		after, err := registry.New(registry.Entry{Name: "a", Model: llmtest.Func(c.model, llmtest.Say("")), Endpoint: c.endpoint})
		if err != nil {
			t.Fatal(err)
		}
		if err := before.Replace(after); err != nil {
			t.Fatal(err)
		}
		if e := before.All()[0]; e.Window != c.window || len(e.Offers) != c.offers {
			t.Errorf("%s at %s: window %d, offers %q", c.model, c.endpoint, e.Window, e.Offers)
		}
	}
}
