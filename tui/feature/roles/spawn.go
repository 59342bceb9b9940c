package roles

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/api"
	"society-tui/runtime/i18n"
	"society-tui/runtime/society"
	"society-tui/tui/action"
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
		return f.Screen.Notify(NoRole(f.Printer, ""))
	}
	return f.ReadRoles(func(m page.RolesRead) tea.Cmd {
		if m.Err != nil {
			return f.Explain(m.Err)
		}
		f.roles = m.Roles
		role, text, ok := Before(m.Roles, in.Text)
		if !ok {
			in.Refuse()
			return f.Screen.Notify(NoRole(f.Printer, in.Text))
		}
		return f.spawnNow(in, Name(role), society.Spawn{Parent: parent, Role: role.ID, Text: text})
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
		return tea.Batch(f.Screen.Notify(Spawned(f.Actions, made, role, cmd.Parent)), f.cfg.OpenNew(made.Agent, from))
	})
}

// NoRole tells that no role is called as the text of /spawn begins, or that it names none.
func NoRole(p i18n.Printer, text string) action.Notice {
	told := action.Notice{Level: action.Warned, Text: p.T(needsRole), Hint: p.T(hintRoles)}
	if name, _, _ := strings.Cut(text, " "); name != "" {
		told.Text = p.T(unknownRole, sanitize.Line(name, page.NameCells))
	}
	if p.Spoken { // where none can be made
		told.Hint = p.T(hintRolesOnly)
	}
	return told
}

// Spawned tells that an agent of a role was created.
func Spawned(b *action.Builder, made society.Spawned, role string, parent society.AgentID) action.Notice {
	child := replica.Agent{Row: api.Row{ID: made.Agent, Role: role, Sole: made.Sole}} // its row comes later than the reply
	told := action.Notice{Text: b.Printer.T(spawned, child.Name(), b.Society.Name(parent))}
	if made.Message == "" {
		told.Hint = b.Printer.T(hintSpawned)
	}
	return told
}

// Before finds the role that a text begins with, by id or by name, which
// may contain blanks: the longest match, and of equal names the newest.
func Before(roles []api.Role, text string) (role *api.Role, rest string, ok bool) {
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
		id, name := string(f.roles[i].ID), Name(&f.roles[i])
		if strings.HasPrefix(id, text) || len(name) >= len(text) && strings.EqualFold(name[:len(text)], text) {
			found = append(found, command.Candidate{Text: id + " ", Help: name})
		}
	}
	return found
}
