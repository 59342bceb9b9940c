package tui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime"
	"society-tui/runtime/society"
	"society-tui/tui/inspector"
)

// profiled is what an agent was given, read for the inspector.
type profiled struct {
	agent   society.AgentID
	profile runtime.Profile
	err     error
}

// subject is whom the inspector shows: the selected agent while the tree has the
// keys, else the one that is open.
func (a *app) subject() society.AgentID {
	if a.wish.focus == treePane && a.tree.Selected() != society.User {
		return a.tree.Selected()
	}
	return a.receiver()
}

// tellInspector hands the inspector what it shows, if it is on the screen.
func (a *app) tellInspector() {
	if !a.layout.inspector.shown() {
		return
	}
	id := a.subject()
	row, _ := a.tree.Row(id)
	kids, below := a.tree.Below(id)
	total := a.tree.Total()
	model, health := a.modelOf(id)
	if row.Stranded {
		model += a.dot() + health
	}
	a.detail.Show(inspector.Subject{
		Row: row, Parent: a.name(row.Parent), Kids: kids, Below: below.Sum(), Use: a.tree.Use(id), Model: model,
		Quiet: total.Busy() == 0, NeedYou: a.tree.NeedYou(), Names: a.name,
	})
}

// inspect reads what the inspector is to show and has not.
func (a *app) inspect() tea.Cmd {
	a.tellInspector()
	id, wants := a.detail.Wants()
	if !wants || a.profiling == id || !a.layout.inspector.shown() {
		return nil
	}
	a.profiling = id
	return a.command(func(ctx context.Context) tea.Msg {
		p, err := a.society.Profile(ctx, id)
		return profiled{id, p, err}
	})
}

func (a *app) takeProfile(p profiled) tea.Cmd {
	if a.profiling == p.agent {
		a.profiling = ""
	}
	if p.err != nil {
		return a.sayError(p.err)
	}
	a.detail.Profile(p.profile)
	return a.inspect() // the subject may have changed meanwhile
}

func (a *app) actInInspector(does action, key string) tea.Cmd {
	switch does {
	case turnTab:
		a.detail.Turn(inspector.Tab(a.keys.nth(does, key)))
		return a.inspect()
	case up:
		a.detail.Scroll(-1)
	case down:
		a.detail.Scroll(1)
	case pageUp:
		a.detail.PageUp()
	case pageDown:
		a.detail.PageDown()
	case top:
		a.detail.Top()
	case bottom:
		a.detail.Bottom()
	}
	return nil
}

// modelOf is the model that an agent thinks with, and how its last call went:
// "" if that is not known.
func (a *app) modelOf(id society.AgentID) (model, health string) {
	row, _ := a.tree.Row(id)
	switch {
	case row.Stranded:
		return row.Model, a.words.app.NotSetUp
	case row.Model == "":
		return a.model, a.health[a.model]
	}
	return row.Model, a.health[row.Model]
}
