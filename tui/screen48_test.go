package tui

import (
	"context"
	"slices"
	"testing"

	"society-tui/runtime/protocol"
	"society-tui/tui/words"
)

// Every action has an entry in the palette, wherever the
// keys are.
func TestScreen48EveryActionAndEveryCommandIsInThePalette(t *testing.T) {
	t.Parallel()
	for _, lang := range []protocol.Lang{protocol.English, protocol.Chinese} {
		a := newApp(context.Background(), Config{Lang: lang})
		for _, focus := range []pane{treePane, chatPane, inspectorPane, composerPane} {
			a.wish.focus = focus
			entries := a.entries()
			for _, b := range a.keys.bindings {
				if b.does != openPalette && !slices.ContainsFunc(entries, func(e entry) bool { return e.does == b.does }) {
					t.Errorf("%v, pane %d: %q is not in the palette", lang, focus, b.help)
				}
			}
			for i := range a.slashes {
				if !slices.ContainsFunc(entries, func(e entry) bool { return e.slash == &a.slashes[i] }) {
					t.Errorf("%v, pane %d: %s is not in the palette", lang, focus, a.slashes[i].name)
				}
			}
			for _, e := range entries {
				if a.nameOf(&e) == "" || a.waysTo(&e) == "" {
					t.Errorf("%v, pane %d: an entry has no name or no key: %+v", lang, focus, e)
				}
			}
		}
	}
}

// A rebinding changes what the key does, the hints, the help, the palette and the
// sentences that name keys.
func TestScreen48TheNamesOfBindingsAreAllDifferentAndTheirKeysAreKeys(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, b := range Bindings(protocol.English) {
		if b.Name == "" || b.Help == "" || seen[b.Name] {
			t.Errorf("%+v has no name of its own, or says nothing", b)
		}
		seen[b.Name] = true
		for _, k := range b.Keys {
			if !IsKey(k) {
				t.Errorf("%s has the key %q, which the settings would not take", b.Name, k)
			}
		}
	}
	for _, k := range []string{"", " ", "ctrl+", "ctr+p", "shift+T", "ctrl+P", "escape", "x y", "ctrl+ctrl+x"} {
		if IsKey(k) {
			t.Errorf("%q is taken for a key", k)
		}
	}
}

// Other words are for something that there is.
func TestEverySynonymIsForAnActionOrACommand(t *testing.T) {
	t.Parallel()
	a := newApp(context.Background(), Config{Lang: protocol.English})
	for name := range words.ForSynonyms(protocol.Chinese) {
		if !slices.ContainsFunc(a.slashes, func(s slash) bool { return s.name == name }) && !slices.ContainsFunc(a.keys.bindings, func(b binding) bool { return b.does.name() == name }) {
			t.Errorf("%q is neither an action nor a command", name)
		}
	}
}
