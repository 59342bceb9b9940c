package tui

import (
	"slices"

	"society-tui/runtime/protocol"
	"society-tui/tui/command"
)

// commands returns all that the user can do, in the order in which the help and the
// list of written commands name it.
func (a *app) commands() []*command.Command {
	return slices.Concat(
		a.composerCommands(), a.agentCommands(), a.navigationCommands(), a.viewCommands(),
		a.treeCommands(), a.transcriptCommands(), a.inspectorCommands(), a.listCommands(), a.promptEditor.Commands(),
		a.pageCommands(), a.features.commands(), a.exitCommands(),
	)
}

// A Binding is a command in one scope as the settings name it.
type Binding struct {
	Name string // "palette", and in a scope that has keys of its own "tree.stop"
	Keys []string
	Help string
	// Place is the scope of its keys, "" for anywhere.
	Place string
	// Fixed reports whether its keys cannot be changed.
	Fixed bool
}

// Bindings returns all of them with their default keys.
func Bindings(lang protocol.Lang) []Binding {
	r := command.New(described().commands(), nil, sendsAll)
	all := make([]Binding, 0, len(r.Bindings()))
	for _, b := range r.Bindings() {
		all = append(all, Binding{Name: b.Setting(), Keys: b.Keys, Help: b.Title.In(lang), Place: b.In.Name(), Fixed: b.Fixed})
	}
	return all
}

func sendsAll(string) bool { return true }

// bindKeys makes the registry anew, after the terminal has told which keys it sends.
func (a *app) bindKeys() {
	a.registry = command.New(a.commands(), a.cfg.Keys, a.appearance.traits.Sends)
}
