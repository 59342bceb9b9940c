package tui

import (
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime"
	"society-tui/runtime/society"
	"society-tui/tui/sanitize"
)

// What foreign text in a row may be as long as.
const (
	nameCells  = 64
	doingCells = 300
	replyCells = 80
)

// take brings a frame into view state and lets the pump go on.
func (a *app) take(f frame) tea.Cmd {
	defer close(f.shown)
	c := f.changes
	for i := range c.Rows {
		a.clean(&c.Rows[i])
	}
	a.tree.Apply(c)
	a.takeTalk(&c)
	cmds := []tea.Cmd{a.takeStanding(&c)}
	for _, id := range c.Gone {
		cmds = append(cmds, a.gone(id))
	}
	if _, here := a.tree.Row(a.open); !here && c.All && a.open != society.User {
		a.open = society.Root
		cmds = append(cmds, a.show(a.open))
	}
	if !a.known && c.All {
		a.known = true
		cmds = append(cmds, a.opened())
	}
	if _, grew := c.Rewritten[a.subject()]; grew {
		a.detail.Outdated() // it may know others now
	}
	cmds = append(cmds, a.takeLog(&c), a.inspect())
	return tea.Batch(cmds...)
}

// clean makes the foreign text of a row safe to draw. This is its only door.
func (a *app) clean(row *runtime.Row) {
	row.Name = sanitize.Line(row.Name, nameCells)
	row.Role = sanitize.Line(row.Role, nameCells)
	row.Doing = sanitize.Line(row.Doing, doingCells)
	row.Tool = sanitize.Line(row.Tool, nameCells)
	row.Error = sanitize.Line(row.Error, doingCells)
	for i, reply := range row.Replies {
		row.Replies[i] = sanitize.Line(reply, replyCells)
	}
	if row.Retry != nil {
		retry := *row.Retry
		retry.Cause = sanitize.Line(retry.Cause, doingCells)
		row.Retry = &retry
	}
}

// takeStanding takes over what is told of the society as a whole.
func (a *app) takeStanding(c *runtime.Changes) tea.Cmd {
	n := a.words.notices
	before := a.unsaved
	a.unsaved, a.model, a.health = c.Unsaved, c.Model, c.Health
	a.inbox, a.usage = c.Inbox, c.Usage
	switch {
	case c.Unsaved != "" && before == "":
		return a.warn(fmt.Sprintf(n.Unsaved, sanitize.Line(c.Unsaved, nameCells)), n.HintDisk)
	case c.Unsaved == "" && before != "":
		return tea.Batch(a.tell(n.SavedAgain, ""), a.keepSoon())
	}
	return nil
}

// opened says, once the society is on the screen, what main wanted to be said.
func (a *app) opened() tea.Cmd {
	if a.cfg.Notice == "" {
		return nil
	}
	return a.warn(sanitize.Line(a.cfg.Notice, doingCells), "")
}

// takeLog tells of what happened to agents that are not being looked at.
func (a *app) takeLog(c *runtime.Changes) tea.Cmd {
	n := a.words.notices
	var cmd tea.Cmd
	for i := range c.Log {
		e := &c.Log[i]
		e.Text = sanitize.Line(e.Text, doingCells)
		if e.Agent == a.open {
			continue
		}
		switch e.Kind {
		case "failed", "quarantined":
			cmd = tea.Batch(cmd, a.warn(fmt.Sprintf(n.AgentFailed, a.name(e.Agent), a.failure(e)), n.HintRetry))
		case "asks":
			cmd = tea.Batch(cmd, a.tell(fmt.Sprintf(n.AgentAsks, a.name(e.Agent)), n.HintGo))
		}
	}
	a.detail.Log(c.Log)
	return cmd
}

// failure is why an agent failed: the words of the event, else those of its row.
func (a *app) failure(e *runtime.Event) string {
	row, _ := a.tree.Row(e.Agent)
	switch {
	case e.Text != "":
		return e.Text
	case row.Error != "":
		return row.Error
	}
	return e.Kind
}

// gone forgets an agent. When it was open, the nearest one above it opens, and
// what was being written to it stays.
func (a *app) gone(id society.AgentID) tea.Cmd {
	if at := slices.Index(a.pins, id); at >= 0 {
		a.pins[at] = ""
	}
	a.chat.Forget(id)
	if id != a.open {
		a.pad.Forget(id)
		return nil
	}
	text := a.pad.Text()
	a.open = society.Root
	cmd := a.show(a.open)
	if text != "" {
		a.pad.Restore(a.open, text)
	}
	return tea.Batch(cmd, a.warn(fmt.Sprintf(a.words.notices.AlreadyGone, id), a.kept(text)))
}

// kept is the hint that a text was not lost.
func (a *app) kept(text string) string {
	if text == "" {
		return ""
	}
	return a.words.notices.HintText
}
