package cli

import (
	"society-tui/runtime/config"
	"society-tui/runtime/protocol"
	"society-tui/tui"
	"society-tui/tui/command"
)

// bindings returns the keys that the settings can change.
func bindings(lang protocol.Lang) config.Bindings {
	b := config.Bindings{
		IsKey: command.IsKey, Types: command.TypesText,
		Places:  []string{"tree", "conversation", "inspector", "composer", "board", "list", "prompt", "verbs"},
		Writing: []string{"composer", "prompt"}, Panes: []string{"tree", "conversation", "inspector", "composer", "board"},
	}
	for _, k := range tui.Bindings(lang) {
		b.All = append(b.All, config.Binding{Name: k.Name, Place: k.Place, Keys: k.Keys, About: k.Help, Fixed: k.Fixed})
	}
	return b
}
