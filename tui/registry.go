package tui

import (
	"slices"

	"society-tui/runtime/protocol"
	"society-tui/tui/command"
)

// commands returns all commands, in the order of the help and of the written
// commands.
func (a *app) commands() []*command.Command {
	return slices.Concat(
		a.composerCommands(), a.agentCommands(), a.navigationCommands(), a.viewCommands(),
		a.treeCommands(), a.transcriptCommands(), a.inspectorCommands(), a.listCommands(), a.promptEditor.Commands(),
		a.pageCommands(), a.features.commands(), a.exitCommands(),
	)
}

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
	r := command.New(described().commands(), nil, sendsAll)
	all := make([]Binding, 0, len(r.Bindings()))
	for _, b := range r.Bindings() {
		all = append(all, Binding{Name: b.Setting(), Keys: b.Keys, Help: b.Title.In(lang), Place: b.In.Name(), Fixed: b.Fixed})
	}
	return all
}

func sendsAll(string) bool { return true }

// bindKeys rebuilds the registry after the terminal has told which keys it
// sends.
func (a *app) bindKeys() {
	a.registry = command.New(a.commands(), a.cfg.Keys, a.appearance.traits.Sends)
}
