package tui

import (
	"context"
	"slices"
	"testing"

	"society-tui/runtime/protocol"
	"society-tui/tui/command"
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
			for _, c := range a.registry.Commands {
				if c.ID != "palette" && !slices.ContainsFunc(entries, func(e entry) bool { return e.Name() == c.Name() }) {
					t.Errorf("%v, pane %d: %s is not in the palette", lang, focus, c.Name())
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
			if !command.IsKey(k) {
				t.Errorf("%s has the key %q, which the settings would not take", b.Name, k)
			}
		}
	}
	for _, k := range []string{"", " ", "ctrl+", "ctr+p", "shift+T", "ctrl+P", "escape", "x y", "ctrl+ctrl+x"} {
		if command.IsKey(k) {
			t.Errorf("%q is taken for a key", k)
		}
	}
}
