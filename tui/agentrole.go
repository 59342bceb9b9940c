package tui

import (
	"context"
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/api"
)

// roleFound is the role of the agent at hand, read for what is to be done with it.
type roleFound struct {
	roles []api.Role
	err   error
	role  func(api.Role) bool
	then  func(api.Role) tea.Cmd
}

// withRole does something with the role of the agent at hand.
func (a *app) withRole(then func(api.Role) tea.Cmd) tea.Cmd {
	row, here := a.replica.Row(a.receiver())
	if !here {
		return a.warn(fmt.Sprintf(a.words.notices.AlreadyGone, a.name(a.receiver())), "")
	}
	return later(a, func(ctx context.Context) roleFound {
		roles, err := a.society.Roles(ctx)
		return roleFound{roles, err, func(r api.Role) bool { return r.ID == row.RoleID }, then}
	}, a.takeRole)
}

func (a *app) takeRole(m roleFound) tea.Cmd {
	if m.err != nil {
		return a.sayError(m.err)
	}
	a.roles = m.roles
	if at := slices.IndexFunc(m.roles, m.role); at >= 0 {
		return m.then(m.roles[at])
	}
	return nil
}
