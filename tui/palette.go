package tui

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/api"
	"society-tui/tui/command"
	"society-tui/tui/composer"
	"society-tui/tui/list"
	"society-tui/tui/page"
)

// paletteList is the kind of the list of all that can be done.
const paletteList = "palette"

// An entry is one row of the palette: a command, with the binding that is nearest to
// hand, or one of the things that its keys do.
type entry struct {
	*command.Command
	binding *command.Binding // nil for a command that has no key
	nth     int              // of its keys, where each does one thing; else -1
}

// openPalette lists all that can be done for the agent at hand.
func (a *app) openPalette() tea.Cmd {
	entries := a.entries()
	items := make([]list.Item, len(entries))
	for i := range entries {
		e := &entries[i]
		why := e.blocked()
		items[i] = list.Item{ID: strconv.Itoa(i), Name: a.nameOf(e), Note: a.waysTo(e), Also: a.also(e.Command), Off: why != "", Why: why}
	}
	a.choices = entries
	a.openList(page.List{Kind: paletteList, Take: a.performPicked, Takes: a.words.keys.HintDo, Searched: true}, a.words.palette.Title+a.dot()+a.targetName(), a.words.palette.Nothing, items)
	return nil
}

// entries are all that the palette lists: the help, what is written alone, the verbs,
// then what else keys do, in the order of the registry. The first is what enter takes
// where nothing was typed, so it must be harmless.
func (a *app) entries() []entry {
	var all []entry
	seen := map[string]bool{"palette": true} // it is open
	add := func(bindings ...command.Binding) {
		for i := range bindings {
			if id := bindings[i].ID; !seen[id] {
				seen[id] = true
				all = append(all, a.entriesOf(a.nearest(id))...)
			}
		}
	}
	add(*a.registry.Binding("help"))
	for _, c := range a.registry.Written() {
		if len(c.Keys) == 0 {
			all = append(all, entry{c, nil, -1})
		}
	}
	add(a.registry.In(command.Verbs)...)
	add(a.registry.Bindings()...)
	return all
}

// entriesOf is one entry for a command; several for one whose keys do one thing each,
// as far as there are such things.
func (a *app) entriesOf(b *command.Binding) []entry {
	if b.Each == nil {
		return []entry{{b.Command, b, -1}}
	}
	var each []entry
	for nth := range b.Keys {
		e := entry{b.Command, b, nth}
		if nth == 0 || e.blocked() == "" {
			each = append(each, e)
		}
	}
	return each
}

// nearest is the binding of a command that is nearest to hand: of the pane with the
// focus, of anywhere, behind the prefix, else of the first pane.
func (a *app) nearest(id string) *command.Binding {
	bindings := a.registry.Bindings()
	for _, in := range []command.Scope{a.paneScope(), command.Global, command.Verbs, command.Tree, command.Conversation, command.Inspector, command.Composer, command.List, command.Prompt} {
		if at := slices.IndexFunc(bindings, func(b command.Binding) bool { return b.ID == id && b.In == in }); at >= 0 {
			return &bindings[at]
		}
	}
	return nil
}

// blocked explains why an entry would have no effect now, or returns "".
func (e *entry) blocked() string {
	if e.Blocked == nil {
		return ""
	}
	return e.Blocked(max(e.nth, 0))
}

// nameOf says what an entry does.
func (a *app) nameOf(e *entry) string {
	if e.nth >= 0 {
		return e.Each(e.nth)
	}
	return a.text(e.Title)
}

// waysTo are the keys and the command that do what an entry does.
func (a *app) waysTo(e *entry) string {
	var ways []string
	if b := e.binding; b != nil {
		keys := command.Label(b.Keys)
		if e.nth >= 0 {
			keys = b.Keys[e.nth]
		}
		keys = a.drawableKey(keys)
		switch b.In {
		case a.paneScope(), command.Global, command.Prompt:
		case command.Verbs:
			keys = a.registry.Key("verbs_follow") + " " + keys
		case command.List:
			keys = a.registry.Key(opener(e.ID)) + " " + keys
		default:
			keys = a.paneName(b.In) + " " + keys
		}
		ways = append(ways, keys)
	}
	if e.Slash != "" {
		ways = append(ways, e.Slash)
	}
	return strings.Join(ways, "  ")
}

// opener is the command that opens the list in which a command of lists works.
func opener(id string) string {
	switch id {
	case "rename_session", "delete_session":
		return "sessions"
	default:
		return "roles"
	}
}

// performPicked does what is marked, or says why it cannot be done now.
func (a *app) performPicked() tea.Cmd {
	item, ok := a.picks.Picked()
	at, err := strconv.Atoi(item.ID)
	if !ok || err != nil || at >= len(a.choices) {
		return nil
	}
	e := a.choices[at]
	if why := e.blocked(); why != "" { // as it is now, not as it was listed
		return a.warn(a.nameOf(&e)+": "+why, "")
	}
	a.picks.Close()
	return a.perform(&e)
}

// perform does what an entry says, where it can be done. A command that says nothing
// without more words is written, to be completed.
func (a *app) perform(e *entry) tea.Cmd {
	in := command.Input{Nth: max(e.nth, 0)}
	switch {
	case e.binding == nil && e.NeedsArgs:
		return a.writeCommand(e.Slash + " ")
	case e.binding == nil:
		return a.runWritten(composer.Submitted{To: a.receiver(), Text: e.Slash})
	case e.AnyPane || e.binding.In == a.paneScope() || e.binding.In == command.Global || e.binding.In == command.Verbs:
		return e.Run(in)
	}
	return tea.Batch(a.goTo(e.binding.In), e.Run(in))
}

// goTo gives the keys to the pane of a scope, at the agent at hand.
func (a *app) goTo(in command.Scope) tea.Cmd {
	switch in {
	case command.Tree:
		a.wish.hideTree = false
		a.tree.Select(a.open)
		return a.focus(treePane)
	case command.Conversation:
		return a.focus(chatPane)
	case command.Inspector:
		return a.focus(inspectorPane)
	}
	return a.focus(composerPane)
}

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
