package tui

import (
	"society-tui/runtime/protocol"
	"society-tui/tui/command"
	"society-tui/tui/page"
)

// A Binding is a command in one scope, by its name in the settings.
type Binding struct {
	Name string // "palette", or "tree.stop" for a scope with keys of its own
	Keys []string
	Help string
	// Place is the scope of its keys, "" for global ones.
	Place string
	// Fixed reports whether its keys cannot be changed.
	Fixed bool
}

// Bindings returns all bindings with their default keys.
func Bindings(lang protocol.Lang) []Binding {
	r := command.New(described((*app).newFeatures).commands(), nil, sendsAll)
	all := make([]Binding, 0, len(r.Bindings()))
	for _, b := range r.Bindings() {
		all = append(all, Binding{Name: b.Setting(), Keys: b.Keys, Help: b.Title.In(lang), Place: b.In.Name(), Fixed: b.Fixed})
	}
	return all
}

// described returns an app whose commands are only inspected.
func described(features featureList) *app {
	a := &app{deps: &page.Deps{}}
	a.features = features(a, a.deps)
	return a
}

func sendsAll(string) bool { return true }
