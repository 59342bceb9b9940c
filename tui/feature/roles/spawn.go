package roles

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
	"society-tui/tui/command"
	"society-tui/tui/page"
	"society-tui/tui/replica"
	"society-tui/tui/sanitize"
)

// spawn creates an agent below the recipient; the arguments are its role and
// its task.
func (f *Feature) spawn(in command.Input) tea.Cmd {
	parent := f.Screen.Recipient()
	if in.Text == "" {
		in.Refuse()
		return f.Warn(f.Text(needsRole), f.Text(hintRoles))
	}
	return f.ReadRoles(func(m page.RolesRead) tea.Cmd {
		if m.Err != nil {
			return f.Explain(m.Err)
		}
		f.roles = m.Roles
		role, text, ok := roleBefore(m.Roles, in.Text)
		if !ok {
			in.Refuse()
			name, _, _ := strings.Cut(in.Text, " ")
			return f.Warn(f.Text(unknownRole, sanitize.Line(name, page.NameCells)), f.Text(hintRoles))
		}
		return f.spawnNow(in, name(role), society.Spawn{Parent: parent, Role: role.ID, Text: text})
	})
}

// spawnNow sends the command. A refused one returns to the composer.
func (f *Feature) spawnNow(in command.Input, role string, cmd society.Spawn) tea.Cmd {
	from := f.Screen.Recipient()
	return page.Do(f.Deps, cmd, func(made society.Spawned, err error) tea.Cmd {
		if err != nil {
			in.Refuse()
			return f.Explain(err)
		}
		hint := ""
		if made.Message == "" {
			hint = f.Text(hintSpawned)
		}
		child := replica.Agent{Row: api.Row{ID: made.Agent, Role: role}} // its row comes later than the reply
		return tea.Batch(f.Inform(f.Text(spawned, child.Name(), f.Replica.Name(cmd.Parent)), hint), f.cfg.OpenNew(made.Agent, from))
	})
}

// roleBefore finds the role that a text begins with, by id or by name, which
// may contain blanks: the longest match, and of equal names the newest.
func roleBefore(roles []api.Role, text string) (role *api.Role, rest string, ok bool) {
	longest := 0
	for i := range roles {
		for _, called := range []string{string(roles[i].ID), roles[i].Name} {
			n := len(called)
			if n == 0 || n < longest || len(text) < n || !strings.EqualFold(text[:n], called) || len(text) > n && text[n] != ' ' && text[n] != '\n' {
				continue
			}
			longest, role, rest, ok = n, &roles[i], strings.TrimSpace(text[n:]), true
		}
	}
	return role, rest, ok
}

// load reads the roles for completion. If that fails, the completion stays as
// it is.
func (f *Feature) load() tea.Cmd {
	return f.ReadRoles(func(m page.RolesRead) tea.Cmd {
		if m.Err == nil {
			f.roles = m.Roles
		}
		return nil
	})
}

// complete completes ids of roles, also by their names.
func (f *Feature) complete(text string) []command.Candidate {
	var found []command.Candidate
	for i := range f.roles {
		id, name := string(f.roles[i].ID), name(&f.roles[i])
		if strings.HasPrefix(id, text) || len(name) >= len(text) && strings.EqualFold(name[:len(text)], text) {
			found = append(found, command.Candidate{Text: id + " ", Help: name})
		}
	}
	return found
}
