package page

import (
	"context"
	"slices"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
	"society-tui/tui/action"
)

// RolesRead is the result of ReadRoles.
type RolesRead struct {
	Roles []api.Role
	Err   error
}

// ReadRoles reads the roles.
func (d *Deps) ReadRoles(then func(RolesRead) tea.Cmd) tea.Cmd {
	return Later(d.Screen, func(ctx context.Context) RolesRead {
		roles, err := d.Society.Roles(ctx)
		return RolesRead{roles, err}
	}, then)
}

// WithRole calls then with the role of the recipient.
func (d *Deps) WithRole(then func(api.Role) tea.Cmd) tea.Cmd {
	to := d.Screen.Recipient()
	row, present := d.Replica.Row(to)
	if !present {
		return d.Warn(d.Text(TextGone, d.Replica.Name(to)), "")
	}
	return d.ReadRoles(func(m RolesRead) tea.Cmd {
		if m.Err != nil {
			return d.Explain(m.Err)
		}
		if at := slices.IndexFunc(m.Roles, func(r api.Role) bool { return r.ID == row.RoleID }); at >= 0 {
			return then(m.Roles[at])
		}
		return nil
	})
}

// NotYou explains that a command for agents does not apply to the user.
func (d *Deps) NotYou(int) string {
	if d.Screen.AtHand() == society.User {
		return d.Text(action.TextNotYou)
	}
	return ""
}
