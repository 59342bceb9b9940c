package tui

import (
	"context"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
	"society-tui/tui/command"
	"society-tui/tui/sanitize"
)

// An openWhenReady is an agent that the user has made and that no frame has brought yet:
// it is opened then, unless the user has gone elsewhere.
type openWhenReady struct{ agent, from society.AgentID }

// runSpawn makes an agent below the recipient, with the role that is named first, and
// gives it the text behind that.
func (a *app) runSpawn(in command.Input) tea.Cmd {
	words, parent := a.words.cmds, a.receiver()
	if in.Text == "" {
		in.Refuse()
		return a.warn(words.NeedsRole, words.HintRoles)
	}
	return later(a, func(ctx context.Context) rolesKnown {
		roles, err := a.society.Roles(ctx)
		return rolesKnown{roles, err, func() tea.Cmd {
			role, text, ok := roleBefore(roles, in.Text)
			if !ok {
				in.Refuse()
				name, _, _ := strings.Cut(in.Text, " ")
				return a.warn(fmt.Sprintf(words.UnknownRole, sanitize.Line(name, nameCells)), words.HintRoles)
			}
			return a.spawn(in, society.Spawn{Parent: parent, Role: role, Text: text})
		}}
	}, a.takeKnownRoles)
}

// spawn gives the order. One that is refused stays written.
func (a *app) spawn(in command.Input, order society.Spawn) tea.Cmd {
	words := a.words.cmds
	from := a.open
	return do(a, order, func(made society.Spawned, err error) tea.Cmd {
		if err != nil {
			in.Refuse()
			return a.sayError(err)
		}
		hint := ""
		if made.Message == "" {
			hint = words.HintSpawned
		}
		a.nav.whenReady = openWhenReady{made.Agent, from}
		return tea.Batch(a.tell(fmt.Sprintf(words.Spawned, made.Agent, a.name(order.Parent)), hint), a.openNewAgent())
	})
}

// openNewAgent opens an agent that was made, as soon as it is in the tree.
func (a *app) openNewAgent() tea.Cmd {
	c := a.nav.whenReady
	if _, here := a.replica.Row(c.agent); !here || c.agent == "" {
		return nil
	}
	a.nav.whenReady = openWhenReady{}
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

// loadArgs reads, once while the user writes a command, what completes it.
func (a *app) loadArgs() tea.Cmd {
	name, _, more := strings.Cut(a.pad.Line(), " ")
	c := a.registry.Slash(name)
	wanted := more && c != nil && c.Args.Load != nil
	if !wanted || a.composing.argsLoaded {
		a.composing.argsLoaded = wanted
		return nil
	}
	a.composing.argsLoaded = true
	return c.Args.Load()
}

// loadRoles reads the roles to complete a command that names one.
func (a *app) loadRoles() tea.Cmd {
	return later(a, func(ctx context.Context) rolesKnown {
		roles, err := a.society.Roles(ctx)
		return rolesKnown{roles, err, nil}
	}, a.takeKnownRoles)
}

// completeRole completes to the ids of roles, whose name may be written too.
func (a *app) completeRole(text string) []command.Candidate {
	var found []command.Candidate
	for i := range a.roles {
		r := &a.roles[i]
		id, name := string(r.ID), sanitize.Line(r.Name, nameCells)
		if strings.HasPrefix(id, text) || len(name) >= len(text) && strings.EqualFold(name[:len(text)], text) {
			found = append(found, command.Candidate{Text: id + " ", Help: name})
		}
	}
	return found
}

// runName calls the recipient by a name of the person's own, or no longer.
func (a *app) runName(in command.Input) tea.Cmd {
	words, id := a.words.cmds, a.receiver()
	if row, _ := a.replica.Row(id); in.Text == "" && row.Name == "" {
		in.Refuse()
		return a.warn(fmt.Sprintf(words.NoName, id), words.HintName)
	}
	return do(a, society.Rename{Agent: id, Name: in.Text}, func(_ society.Done, err error) tea.Cmd {
		switch {
		case err != nil:
			in.Refuse()
			return a.sayError(err)
		case in.Text == "":
			return a.tell(fmt.Sprintf(words.Unnamed, id), "")
		}
		return a.tell(fmt.Sprintf(words.Named, id, sanitize.Line(in.Text, nameCells)), "")
	})
}
