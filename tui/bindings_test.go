package tui

import (
	"context"
	"slices"
	"testing"

	"society-tui/runtime/protocol"
	"society-tui/tui/command"
	"society-tui/tui/feature/palette"
	"society-tui/tui/layout"
	"society-tui/tui/list"
)

// Every command is in the palette, wherever the focus is.
func TestEveryCommandIsInThePalette(t *testing.T) {
	t.Parallel()
	for _, lang := range []protocol.Lang{protocol.English, protocol.Chinese} {
		a := newApp(context.Background(), Config{Lang: lang}, (*app).newFeatures)
		for _, focus := range []layout.Pane{layout.Tree, layout.Transcript, layout.Inspector, layout.Composer} {
			a.prefs.Focus = focus
			items := featureOf[*palette.Feature](a).Items()
			for _, c := range a.registry.Commands {
				if c.ID != "palette" && !c.Hidden && !slices.ContainsFunc(items, func(i list.Item) bool { return stands(a, c, i) }) {
					t.Errorf("%v, pane %d: %s is not in the palette", lang, focus, c.Name())
				}
			}
			for _, i := range items {
				if i.Name == "" || i.Note == "" {
					t.Errorf("%v, pane %d: an item has no name or no key: %+v", lang, focus, i)
				}
			}
		}
	}
}

// stands reports whether an item of the palette is for a command, or for one
// with the same ID.
func stands(a *app, of *command.Command, item list.Item) bool {
	return slices.ContainsFunc(a.registry.Commands, func(c *command.Command) bool {
		return (c == of || c.ID != "" && c.ID == of.ID) && (item.Name == a.text(c.Title) || c.Each != nil && item.Name == c.Each(0))
	})
}

// Names of bindings are unique, and their keys are valid.
func TestBindingNamesAreUniqueAndKeysValid(t *testing.T) {
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
