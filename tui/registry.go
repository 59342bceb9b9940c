package tui

import (
	"slices"

	tea "charm.land/bubbletea/v2"

	"society-tui/tui/command"
)

// commands returns all commands, in the order of the help and of the written
// commands.
func (a *app) commands() []*command.Command {
	all := slices.Concat(
		a.composerCommands(), a.agentCommands(), a.navigationCommands(), a.viewCommands(),
		a.treeCommands(), a.transcriptCommands(), a.inspectorCommands(), a.deps.ListCommands(), a.deps.PromptCommands(),
		a.pageCommands(),
	)
	for _, f := range a.features {
		all = append(all, f.Commands()...)
	}
	return append(all, a.exitCommands()...)
}

// bindKeys rebuilds the registry after the terminal has told which keys it
// sends.
func (a *app) bindKeys() {
	a.registry = command.New(a.commands(), a.cfg.Keys, a.appearance.traits.Sends)
	if a.cfg.Look {
		why := a.actions.LookOnly()
		a.registry.Look(why.Text, func() tea.Cmd { return a.notify(why) })
	}
}
