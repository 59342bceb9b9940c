package tui

import (
	"context"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
	"society-tui/tui/sanitize"
)

// A coming is an agent that the person has made and that no frame has told of yet: it
// is opened then, unless they have gone elsewhere.
type coming struct{ agent, from society.AgentID }

// slashSpawn makes an agent below the recipient, with the role that is named first, and
// gives it the text behind that.
func (a *app) slashSpawn(w written) (tea.Cmd, bool) {
	words, parent := a.words.cmds, a.receiver()
	if w.rest == "" {
		return a.warn(words.NeedsRole, words.HintRoles), false
	}
	return a.command(func(ctx context.Context) tea.Msg {
		roles, err := a.society.Roles(ctx)
		return rolesKnown{roles, err, func() tea.Cmd {
			role, text, ok := roleBefore(roles, w.rest)
			if !ok {
				a.refuse(w.Submitted)
				name, _, _ := strings.Cut(w.rest, " ")
				return a.warn(fmt.Sprintf(words.UnknownRole, sanitize.Line(name, nameCells)), words.HintRoles)
			}
			return a.spawn(w, society.Spawn{Parent: parent, Role: role, Text: text})
		}}
	}), true
}

// spawn gives the order. One that is refused stays written.
func (a *app) spawn(w written, order society.Spawn) tea.Cmd {
	words := a.words.cmds
	from := a.open
	return do(a, order, func(made society.Spawned, err error) tea.Cmd {
		if err != nil {
			a.refuse(w.Submitted)
			return a.sayError(err)
		}
		hint := ""
		if made.Message == "" {
			hint = words.HintSpawned
		}
		a.coming = coming{made.Agent, from}
		return tea.Batch(a.tell(fmt.Sprintf(words.Spawned, made.Agent, a.name(order.Parent)), hint), a.openComing())
	})
}

// openComing opens an agent that was made, as soon as it is in the tree.
func (a *app) openComing() tea.Cmd {
	c := a.coming
	if _, here := a.replica.Row(c.agent); !here || c.agent == "" {
		return nil
	}
	a.coming = coming{}
	if a.open != c.from {
		return nil
	}
	return a.talkTo(c.agent)
}

// roleBefore finds the role that a text begins with, by its id or its name, which may
// hold blanks: the longest there is. Of several of one name it is the newest.
func roleBefore(roles []api.Role, text string) (role society.RoleID, rest string, ok bool) {
	longest := 0
	for i := range roles {
		for _, called := range []string{string(roles[i].ID), roles[i].Name} {
			n := len(called)
			if n == 0 || n < longest || len(text) < n || !strings.EqualFold(text[:n], called) || len(text) > n && text[n] != ' ' && text[n] != '\n' {
				continue
			}
			longest, role, rest, ok = n, roles[i].ID, strings.TrimSpace(text[n:]), true
		}
	}
	return role, rest, ok
}

// rolesKnown are the roles, read for something else than their list; then may be nil.
type rolesKnown struct {
	roles []api.Role
	err   error
	then  func() tea.Cmd
}

func (a *app) takeKnownRoles(m rolesKnown) tea.Cmd {
	if m.err == nil {
		a.roles = m.roles
	}
	switch {
	case m.then == nil:
		return nil // the list that completes stays as it is
	case m.err != nil:
		return a.sayError(m.err)
	}
	return m.then()
}

// rolesToName reads the roles once while the person writes a command that names one,
// for the list that completes it.
func (a *app) rolesToName() tea.Cmd {
	name, _, more := strings.Cut(a.pad.Line(), " ")
	wanted := more && slices.ContainsFunc(a.slashes, func(s slash) bool { return s.name == name && s.takes == "role" })
	if !wanted || a.completing {
		a.completing = wanted
		return nil
	}
	a.completing = true
	return a.command(func(ctx context.Context) tea.Msg {
		roles, err := a.society.Roles(ctx)
		return rolesKnown{roles, err, nil}
	})
}

// rolesNamed are the roles whose id or name begins so, to complete a command.
func (a *app) rolesNamed(command, begin string) []candidate {
	var found []candidate
	for i := range a.roles {
		r := &a.roles[i]
		id, name := string(r.ID), sanitize.Line(r.Name, nameCells)
		if strings.HasPrefix(id, begin) || len(name) >= len(begin) && strings.EqualFold(name[:len(begin)], begin) {
			found = append(found, candidate{command + " " + id + " ", name, false})
		}
	}
	return found
}

// slashName calls the recipient by a name of the person's own, or no longer.
func (a *app) slashName(w written) (tea.Cmd, bool) {
	words, id := a.words.cmds, a.receiver()
	if row, _ := a.replica.Row(id); w.rest == "" && row.Name == "" {
		return a.warn(fmt.Sprintf(words.NoName, id), words.HintName), false
	}
	return do(a, society.Rename{Agent: id, Name: w.rest}, func(_ society.Done, err error) tea.Cmd {
		switch {
		case err != nil:
			a.refuse(w.Submitted)
			return a.sayError(err)
		case w.rest == "":
			return a.tell(fmt.Sprintf(words.Unnamed, id), "")
		}
		return a.tell(fmt.Sprintf(words.Named, id, sanitize.Line(w.rest, nameCells)), "")
	}), true
}
