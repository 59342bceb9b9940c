package tui

import (
	"slices"

	"society-tui/runtime/society"
	"society-tui/tui/action"
	"society-tui/tui/command"
	"society-tui/tui/layout"
	"society-tui/tui/page"
)

// recipient is who gets what is written: root instead of the person.
func (a *app) recipient() society.AgentID {
	if a.nav.open == society.User {
		return society.Root
	}
	return a.nav.open
}

// targets are the agents a verb is for: in the tree all marked ones, or the
// selected one; in the inspector whom it shows; elsewhere the recipient of what is
// written.
func (a *app) targets() []society.AgentID {
	switch a.prefs.Focus {
	case layout.Tree:
		return a.tree.Targets()
	case layout.Inspector:
		return []society.AgentID{a.subject()}
	}
	return []society.AgentID{a.nav.open}
}

// atHand is the agent that a command is for which is for one: the selected one in the
// tree, elsewhere the one whose conversation is open.
func (a *app) atHand() society.AgentID {
	if a.prefs.Focus == layout.Tree {
		return a.tree.Selected()
	}
	return a.nav.open
}

// subject is whom the inspector shows: the selected agent while the tree has the
// keys, that same one when one has gone from the tree to the inspector, else the one
// that is open.
func (a *app) subject() society.AgentID {
	switch {
	case a.prefs.Focus == layout.Tree && a.tree.Selected() != society.User:
		return a.tree.Selected()
	case a.prefs.Focus == layout.Inspector:
		if _, here := a.replica.Row(a.nav.inspected); here {
			return a.nav.inspected
		}
	}
	return a.recipient()
}

// modelOf is the model that an agent thinks with, and how its last call went:
// "" if that is not known.
func (a *app) modelOf(id society.AgentID) (model, health string) {
	row, _ := a.replica.Row(id)
	switch {
	case row.Stranded:
		return row.Model, a.text(page.TextNotSetUp)
	case row.Model == "":
		return a.replica.Model(), a.replica.Health(a.replica.Model())
	}
	return row.Model, a.replica.Health(row.Model)
}

// targetName names whom a verb is for.
func (a *app) targetName() string {
	ids := a.targets()
	if len(ids) == 1 {
		return a.name(ids[0])
	}
	return a.printer.N(action.TextMarked, len(ids))
}

// writing reports whether the keys write a message.
func (a *app) writing() bool { return a.prefs.Focus == layout.Composer }

// paneScope is the scope of the pane with the focus.
func (a *app) paneScope() command.Scope {
	switch a.prefs.Focus {
	case layout.Tree:
		return command.Tree
	case layout.Transcript:
		return command.Conversation
	case layout.Inspector:
		return command.Inspector
	}
	return command.Composer
}

// top returns the scope that has the keys.
func (a *app) top() scope {
	return a.keyboard.scopes[slices.IndexFunc(a.keyboard.scopes, func(s scope) bool { return s.open() })]
}
