package plain

import (
	"strings"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
	"society-tui/tui/command"
	"society-tui/tui/feature/roles"
	"society-tui/tui/symbols"
)

// withRoles reads the roles, and then calls then with them.
func (f *frontend) withRoles(then func([]api.Role)) {
	later(f, f.cfg.Society.Roles, func(all []api.Role, err error) {
		if err != nil {
			f.notify(f.actions.NoticeFor(err))
			return
		}
		then(all)
	})
}

// roles lists the roles, with the first line of their prompts.
func (f *frontend) roles() {
	f.withRoles(func(all []api.Role) {
		for i := range all {
			r := &all[i]
			about := append([]string{string(r.ID)}, roles.About(f.actions, r)...)
			f.say(roles.Name(r) + f.printer.T(symbols.TextColon) + f.sentence(strings.Join(about, f.printer.T(symbols.TextComma))))
			if said := roles.Purpose(r); said != "" {
				f.say("  " + said)
			}
		}
		f.say(f.printer.T(textRolesUse))
	})
}

// spawn creates an agent below the recipient.
func (f *frontend) spawn(in command.Input) {
	if in.Text == "" {
		f.notify(roles.NoRole(f.printer, ""))
		return
	}
	parent := f.to
	f.withRoles(func(all []api.Role) {
		role, text, ok := roles.Before(all, in.Text)
		if !ok {
			f.notify(roles.NoRole(f.printer, in.Text))
			return
		}
		do(f, society.Spawn{Parent: parent, Role: role.ID, Text: text}, func(made society.Spawned, err error) {
			if err != nil {
				f.notify(f.actions.NoticeFor(err))
				return
			}
			f.notify(roles.Spawned(f.actions, made, roles.Name(role), parent))
			f.awaitEffect(f.arePresent(made.Agent))
		})
	})
}
