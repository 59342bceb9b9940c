// Package palette lists all commands: what fits now, then by group, and last, with the
// reason, what has no effect now. The user finds a command by typing, and runs it.
package palette

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/i18n"
	"society-tui/tui/command"
	"society-tui/tui/list"
	"society-tui/tui/page"
)

// kind is that of the list.
const kind = "palette"

// A Config says what commands there are, and how the screen runs one.
type Config struct {
	Registry func() *command.Registry
	Pane     func() command.Scope             // the scope of the pane with the focus
	Target   func() string                    // whom commands are for, by name
	Focus    func(pane command.Scope) tea.Cmd // gives the keys to a pane, at the agent at hand
	Write    func(text string) tea.Cmd        // writes a command into the composer, to be completed
	Run      func(written string) tea.Cmd     // runs a written command
}

// A Feature is the palette.
type Feature struct {
	*page.Deps
	cfg   Config
	items []item // as they are listed
}

// New returns the feature.
func New(deps *page.Deps, cfg Config) *Feature { return &Feature{Deps: deps, cfg: cfg} }

// Commands returns the command that opens the palette.
func (f *Feature) Commands() []*command.Command {
	return []*command.Command{{
		ID: "palette", Group: command.GroupProgram, Title: title, Keys: command.Keys(command.Global, "ctrl+p"), Run: command.Run(f.toggle),
	}}
}

// toggle opens the palette, or closes it.
func (f *Feature) toggle() tea.Cmd {
	if f.Screen.List().Kind() == kind {
		f.Screen.List().Close()
		return nil
	}
	f.Screen.OpenList(page.List{Kind: kind, Take: f.runMarked, Takes: f.Text(takes), Searched: true}, f.Text(title)+f.Dot+f.cfg.Target(), f.Text(noMatch), f.Items())
	return nil
}

// Items returns the rows of the palette as things are now.
func (f *Feature) Items() []list.Item {
	f.items = f.all()
	items := make([]list.Item, len(f.items))
	for i := range f.items {
		p := &f.items[i]
		items[i] = list.Item{ID: strconv.Itoa(i), Name: f.name(p), Note: f.ways(p), Also: f.Also(p.Command), Off: p.why != "", Why: p.why}
		if i == 0 || p.section != f.items[i-1].section {
			items[i].Head = f.Text(p.section)
		}
	}
	return items
}

// An item is a row of the palette: a command, with the binding that is nearest to hand,
// or one of the things that its keys do.
type item struct {
	*command.Command
	binding *command.Binding // nil for a command that has no key
	nth     int              // of its keys, where each does one thing; else -1
	why     string           // it has no effect now, "" if it has
	section i18n.Text
	rank    int // of the section
}

// all returns the items in their order. The first is what enter takes where nothing was
// typed, so it must be harmless.
func (f *Feature) all() []item {
	var all []item
	seen := map[string]bool{"palette": true} // it is open
	for _, c := range f.cfg.Registry().Commands {
		switch {
		case len(c.Keys) > 0 && !seen[c.ID]:
			seen[c.ID] = true
			all = append(all, f.each(f.nearest(c.ID))...)
		case len(c.Keys) == 0 && !c.Hidden:
			all = append(all, item{Command: c, nth: -1})
		}
	}
	for i := range all {
		f.place(&all[i])
	}
	slices.SortStableFunc(all, func(a, b item) int { return cmp.Compare(a.rank, b.rank) })
	return all
}

// place decides in which section an item stands.
func (f *Feature) place(p *item) {
	p.why = p.blockedReason()
	const last = 100
	switch {
	case p.why != "":
		p.section, p.rank = never, last
	case p.ID == "help":
		p.section, p.rank = now, -2
	case p.Blocked != nil && f.inReach(p.binding) && p.Group <= command.GroupTasks && p.nth <= 0: // it often has no effect
		p.section, p.rank = now, -1
	default:
		p.section, p.rank = p.Group.Title(), int(p.Group)
	}
}

// each is one item for a command; several for one whose keys do one thing each, as far as
// there are such things.
func (f *Feature) each(b *command.Binding) []item {
	if b.Each == nil {
		return []item{{Command: b.Command, binding: b, nth: -1}}
	}
	var each []item
	for nth := range b.Keys {
		p := item{Command: b.Command, binding: b, nth: nth}
		if nth == 0 || p.blockedReason() == "" {
			each = append(each, p)
		}
	}
	return each
}

// nearest is the binding of a command that is nearest to hand: of the pane with the
// focus, of anywhere, behind the prefix, else of the first pane.
func (f *Feature) nearest(id string) *command.Binding {
	bindings := f.cfg.Registry().Bindings()
	for _, in := range []command.Scope{f.cfg.Pane(), command.Global, command.Verbs, command.Tree, command.Conversation, command.Inspector, command.Composer, command.List, command.Prompt} {
		if at := slices.IndexFunc(bindings, func(b command.Binding) bool { return b.ID == id && b.In == in }); at >= 0 {
			return &bindings[at]
		}
	}
	return nil
}

// inReach reports whether a binding works without going to another pane first.
func (f *Feature) inReach(b *command.Binding) bool {
	return b != nil && (b.In == f.cfg.Pane() || b.In == command.Global || b.In == command.Verbs)
}

// blockedReason explains why an item has no effect now, or returns "".
func (p *item) blockedReason() string {
	if p.Blocked == nil {
		return ""
	}
	return p.Blocked(max(p.nth, 0))
}

// name says what an item does.
func (f *Feature) name(p *item) string {
	if p.nth >= 0 {
		return p.Each(p.nth)
	}
	return f.Text(p.Title)
}

// ways are the keys and the written form that do what an item does.
func (f *Feature) ways(p *item) string {
	var ways []string
	if b := p.binding; b != nil {
		keys := command.Label(b.Keys)
		if f.Printer.ASCII {
			keys = i18n.ASCII(keys)
		}
		if p.nth >= 0 {
			keys = command.Shown(b.Keys[p.nth])
		}
		registry := f.cfg.Registry()
		switch b.In {
		case f.cfg.Pane(), command.Global, command.Prompt:
		case command.Verbs:
			keys = registry.Key("verbs_follow") + " " + keys
		case command.List:
			keys = registry.Key(opener(p.ID)) + " " + keys
		default:
			keys = f.Text(b.In.Title()) + " " + keys
		}
		ways = append(ways, keys)
	}
	if p.Slash != "" {
		ways = append(ways, p.Slash)
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

// runMarked runs what is marked, or says why it has no effect now.
func (f *Feature) runMarked() tea.Cmd {
	marked, ok := f.Screen.List().Picked()
	at, err := strconv.Atoi(marked.ID)
	if !ok || err != nil || at >= len(f.items) {
		return nil
	}
	p := f.items[at]
	if why := p.blockedReason(); why != "" { // as it is now, not as it was listed
		return f.Warn(f.name(&p)+": "+why, "")
	}
	f.Screen.List().Close()
	in := command.Input{Nth: max(p.nth, 0)}
	switch {
	case p.binding == nil && p.NeedsArgs:
		return f.cfg.Write(p.Slash + " ")
	case p.binding == nil:
		return f.cfg.Run(p.Slash)
	case p.AnyPane || f.inReach(p.binding):
		return p.Run(in)
	}
	return tea.Batch(f.cfg.Focus(p.binding.In), p.Run(in))
}
