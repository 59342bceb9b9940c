package registry

import (
	"maps"
	"reflect"
	"slices"

	"society-tui/llm"
	"society-tui/llm/catalog"
)

// begin takes what the settings say as the first facts.
func (e *Entry) begin() {
	if e.findings != nil {
		return // from another registry
	}
	said := e.Facts
	if e.Window > 0 {
		said.Window = llm.Fact[int]{Value: e.Window, Source: llm.FromSetting}
	}
	if e.Images != "" {
		said.Images = llm.Fact[bool]{Value: e.Images == TakesImages, Source: llm.FromSetting}
	}
	e.find(llm.FromSetting, said)
}

// find puts what a source says in the place of what it said before.
func (e *Entry) find(from llm.Source, said llm.Facts) {
	findings := maps.Clone(e.findings)
	if findings == nil {
		findings = llm.Findings{}
	}
	findings[from] = said
	e.findings, e.Facts = findings, findings.Facts()
	e.Window, e.Images = e.Facts.Window.Value, ""
	switch images := e.Facts.Images; {
	case images.IsKnown() && !images.Value:
		e.Images = TakesNoImages
	case images.IsKnown() && images.Source != llm.FromCatalogue: // which is not that sure
		e.Images = TakesImages
	}
}

// Learn records all that a source says of a model now, and reports whether what is known of the
// model has changed. A source that has become silent is forgotten.
func (r *Registry) Learn(name string, from llm.Source, said llm.Facts) bool {
	return r.change(name, func(e *Entry) { e.find(from, said) })
}

// Offer records which models the endpoint of a model has.
func (r *Registry) Offer(name string, ids []string) bool {
	return r.change(name, func(e *Entry) { e.Offers = slices.Clone(ids) })
}

// change changes the entry of a name, and reports whether anything has changed.
func (r *Registry) change(name string, f func(*Entry)) bool {
	for {
		before := r.set.Load()
		i := slices.IndexFunc(before.entries, func(e Entry) bool { return e.Name == name })
		if i < 0 {
			return false
		}
		entries := slices.Clone(before.entries)
		f(&entries[i])
		was, is := before.entries[i], entries[i]
		if !r.set.CompareAndSwap(before, &set{entries: entries, only: before.only}) {
			continue
		}
		return !reflect.DeepEqual(was.Facts, is.Facts) || !slices.Equal(was.Offers, is.Offers)
	}
}

// Near returns the three models of the endpoint whose names are most like the one that is asked
// for, the nearest first: what was probably meant if the endpoint does not have it.
func (e *Entry) Near() []string {
	asked := e.Model.Name()
	return catalog.Near(asked, slices.DeleteFunc(slices.Clone(e.Offers), func(id string) bool { return id == asked }))
}

// knowing returns the set with what was found out of models that were in the set before.
func (s *set) knowing(before *set) *set {
	entries := slices.Clone(s.entries)
	for i := range entries {
		e := &entries[i]
		at := slices.IndexFunc(before.entries, func(b Entry) bool {
			return b.Name == e.Name && b.Endpoint == e.Endpoint && b.Model.Name() == e.Model.Name()
		})
		if at < 0 {
			continue
		}
		for from, said := range before.entries[at].findings {
			if _, known := e.findings[from]; !known { // as the setting is
				e.find(from, said)
			}
		}
		if len(e.Offers) == 0 {
			e.Offers = before.entries[at].Offers
		}
	}
	return &set{entries: entries, only: s.only}
}
