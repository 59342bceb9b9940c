package tui

import (
	"slices"

	"society-tui/runtime/society"
	"society-tui/tui/action"
	"society-tui/tui/command"
	"society-tui/tui/layout"
	"society-tui/tui/page"
)

// recipient returns the agent that gets what the user writes: root for the
// inbox.
func (a *app) recipient() society.AgentID {
	if a.nav.open == society.User {
		return society.Root
	}
	return a.nav.open
}

// several returns the marked agents if what the user writes goes to each of them, else none.
func (a *app) several() []society.AgentID {
	if !a.composing.several {
		return nil
	}
	return a.tree.Marked()
}

// unmark unmarks all agents, which are no recipients any more, and reports whether some were
// marked.
func (a *app) unmark() bool {
	if a.composing.several {
		a.composing.several = false
		a.statusLine.ShowNotice("", "", a.now()) // the one that names them is outdated
	}
	return a.tree.Unmark()
}

// targets returns the agents that a verb applies to: those of an open page that
// selects some; in the tree the marked ones or the selected one; in the inspector its subject; elsewhere the
// recipient.
func (a *app) targets() []society.AgentID {
	if p := a.subjectPage(); p != nil {
		return p.Targets()
	}
	switch a.prefs.Focus {
	case layout.Tree:
		return a.tree.Targets()
	case layout.Inspector:
		return []society.AgentID{a.subject()}
	}
	return []society.AgentID{a.nav.open}
}

// atHand returns the agent for a command that takes one: the selected one of
// an open page or of the tree, elsewhere the open one.
func (a *app) atHand() society.AgentID {
	if p := a.subjectPage(); p != nil {
		return p.AtHand()
	}
	if a.prefs.Focus == layout.Tree {
		return a.tree.Selected()
	}
	return a.nav.open
}

// subject returns the inspector's agent: the selected one while the tree has
// the focus, or had it before the inspector; else the open one.
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

// modelOf returns the model of an agent and its health, or "" if unknown.
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

// targetName names the targets of a verb.
func (a *app) targetName() string {
	ids := a.targets()
	if len(ids) == 1 {
		return a.name(ids[0])
	}
	return a.printer.N(action.TextMarked, len(ids))
}

// writing reports whether the keys write a message.
func (a *app) writing() bool { return a.prefs.Focus == layout.Composer && a.subjectPage() == nil }

// paneScope returns the scope of the focused pane, or of an open page that
// selects agents.
func (a *app) paneScope() command.Scope {
	if p := a.subjectPage(); p != nil {
		return p.Scope()
	}
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

// top returns the scope that gets the keys.
func (a *app) top() scope {
	return a.keyboard.scopes[slices.IndexFunc(a.keyboard.scopes, func(s scope) bool { return s.open() })]
}
