// Package palette lists all commands: suggestions first, then groups, and last,
// with a reason, those without effect now. The user finds a command by typing,
// and runs it.
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
	"society-tui/tui/symbols"
)

// A Config has the commands, and how the screen runs one.
type Config struct {
	Registry func() *command.Registry
	Settings func() []*command.Command        // what opens the settings at one of them; it may be nil
	Pane     func() command.Scope             // the scope of the pane with the focus
	Target   func() string                    // the name of the agent that commands apply to
	Focus    func(pane command.Scope) tea.Cmd // focuses a pane, at the agent in focus
	Write    func(text string) tea.Cmd        // writes an incomplete command into the composer
	Run      func(written string) tea.Cmd     // runs a written command
	Do       func(*command.Command, command.Input) tea.Cmd
	// Used are the names of commands that were run from here, the last one first. The owner
	// keeps them.
	Used *[]string
}

type Feature struct {
	*page.Deps
	cfg   Config
	list  *page.List
	items []item // as listed
}

// New returns the feature.
func New(deps *page.Deps, cfg Config) *Feature {
	f := &Feature{Deps: deps, cfg: cfg}
	f.list = deps.NewList(page.Choosing{Take: f.runMarked, Takes: takes, By: page.BestFirst})
	return f
}

func (f *Feature) Commands() []*command.Command {
	return []*command.Command{{
		ID: "palette", Group: command.GroupProgram, Title: title, Also: i18n.Text{EN: "commands search actions", ZH: "搜索 操作 全部命令"}, Keys: command.Keys(command.Global, "ctrl+p"), Run: command.Run(f.toggle),
	}}
}

// toggle opens or closes the palette.
func (f *Feature) toggle() tea.Cmd {
	if f.list.IsOpen() {
		f.list.Close()
		return nil
	}
	f.list.Show(f.Text(title)+f.Dot+f.cfg.Target(), "", f.Items())
	return nil
}

// Items returns the rows for the current state.
func (f *Feature) Items() []list.Item {
	f.items = f.all()
	items := make([]list.Item, len(f.items))
	for i := range f.items {
		p := &f.items[i]
		items[i] = list.Item{ID: strconv.Itoa(i), Name: f.name(p), Note: f.ways(p), Also: f.Also(p.Command), Off: p.why != "" || f.listOf(p) != nil, Why: p.why}
		items[i].Sought = p.sought
		if i == 0 || p.section != f.items[i-1].section {
			items[i].Head = f.Text(p.section)
		}
	}
	return items
}

// An item is a row: a command with its nearest binding, or one of its keys if
// they differ.
type item struct {
	*command.Command
	binding *command.Binding // nil for a command without keys
	nth     int              // index of its key if the keys differ, else -1
	why     string           // why it has no effect now, or ""
	section i18n.Text
	rank    int // of its section
	sought  bool
}

// all returns the items in order. Enter takes the first one before anything is
// typed, so it must be harmless.
func (f *Feature) all() []item {
	var all []item
	seen := map[string]bool{"palette": true} // it is open already
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
	all = append(all, f.settings()...)
	slices.SortStableFunc(all, func(a, b item) int { return cmp.Compare(a.rank, b.rank) })
	return all
}

// place sets the section of an item.
func (f *Feature) place(p *item) {
	p.why = f.blockedReason(p)
	const last, latest = 100, -mostUsed
	used := slices.Index(*f.cfg.Used, p.Name())
	switch {
	case p.why != "":
		p.section, p.rank = never, last
	case f.listOf(p) != nil:
		p.section, p.rank = inLists, last-1
	case p.ID == "help":
		p.section, p.rank = now, latest-2
	case p.Blocked != nil && f.inReach(p.binding) && p.Group <= command.GroupTasks && p.nth <= 0: // it often has no effect, so suggest it when it has
		p.section, p.rank = now, latest-1
	case used >= 0 && used < mostUsed && p.nth <= 0:
		p.section, p.rank = lastUsed, latest+used
	default:
		p.section, p.rank = p.Group.Title(), rankOf(p.Group)
	}
}

// rankOf returns the rank of a group. That before it is free.
func rankOf(g command.Group) int { return 2 * int(g) }

// settings returns the items of settings, too many to be listed unsought. They are before the
// program's commands, so that a search finds a setting before the command that lists all.
func (f *Feature) settings() []item {
	if f.cfg.Settings == nil {
		return nil
	}
	var items []item
	for _, c := range f.cfg.Settings() {
		items = append(items, item{Command: c, nth: -1, rank: rankOf(command.GroupProgram) - 1, sought: true})
	}
	return items
}

// mostUsed is how many of the commands that were used last are listed first.
const mostUsed = 5

// note puts a command at the head of those used last.
func (f *Feature) note(name string) {
	used := slices.DeleteFunc(slices.Clone(*f.cfg.Used), func(other string) bool { return other == name })
	used = slices.Insert(used, 0, name)
	*f.cfg.Used = used[:min(len(used), mostUsed)]
}

// each returns one item for a command, or one for each key if they differ and
// are described.
func (f *Feature) each(b *command.Binding) []item {
	if b.Each == nil {
		return []item{{Command: b.Command, binding: b, nth: -1}}
	}
	var each []item
	for nth := range b.Keys {
		p := item{Command: b.Command, binding: b, nth: nth}
		if nth == 0 || f.blockedReason(&p) == "" {
			each = append(each, p)
		}
	}
	return each
}

// nearest returns the nearest binding of a command: in the focused pane,
// global, after the prefix, or else in any pane.
func (f *Feature) nearest(id string) *command.Binding {
	bindings := f.cfg.Registry().Bindings()
	for _, in := range []command.Scope{f.cfg.Pane(), command.Global, command.Verbs, command.Tree, command.Conversation, command.Inspector, command.Composer, command.Board, command.List, command.Prompt} {
		if at := slices.IndexFunc(bindings, func(b command.Binding) bool { return b.ID == id && b.In == in }); at >= 0 {
			return &bindings[at]
		}
	}
	return nil
}

// inReach reports whether a binding works without changing the focus.
func (f *Feature) inReach(b *command.Binding) bool {
	return b != nil && (b.In == f.cfg.Pane() || b.In == command.Global || b.In == command.Verbs)
}

// blockedReason explains why an item has no effect now, or returns "". One that works in a list can
// open that.
func (f *Feature) blockedReason(p *item) string {
	if list := f.listOf(p); list != nil {
		p = &item{Command: list.Command, nth: -1}
	}
	if p.Blocked == nil {
		return ""
	}
	return p.Blocked(max(p.nth, 0))
}

// name describes the effect of an item.
func (f *Feature) name(p *item) string {
	if p.nth >= 0 {
		return p.Each(p.nth)
	}
	return f.Text(p.Title)
}

// ways lists the keys and the written form of an item.
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
		near := registry.Find(b.Keys[0], f.cfg.Pane(), false)
		switch in := b.In; {
		case in == command.Global, in == command.Prompt, near != nil && near.Command == b.Command:
		case in == command.Verbs:
			keys = registry.Key("verbs_follow") + " " + keys
		case in == command.List:
			keys = command.Shown(registry.Key(cmp.Or(openers[p.ID], "roles"))) + " " + keys
		case in == command.Board:
			keys = command.Shown(registry.Key("board")) + " " + keys
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

// openers are the commands that open the list where a command of lists works.
var openers = map[string]string{
	"rename_session": "sessions", "delete_session": "sessions",
	"open_outside": "artifacts", "export_artifact": "artifacts",
	"add_rule": "tools", "remove_rule": "tools",
	"start_or_stop_server": "servers", "restart_server": "servers",
	"undo_changes": "file_changes", "group_changes": "file_changes",
}

// listOf returns what opens the list where an item works, or nil if it works here.
func (f *Feature) listOf(p *item) *command.Binding {
	if opens := openers[p.ID]; opens != "" && p.binding != nil && p.binding.In == command.List {
		return f.cfg.Registry().Binding(opens)
	}
	return nil
}

// runMarked runs the selected item, or warns why it has no effect now.
func (f *Feature) runMarked() tea.Cmd {
	marked, ok := f.list.Picked()
	at, err := strconv.Atoi(marked.ID)
	if !ok || err != nil || at >= len(f.items) {
		return nil
	}
	p := f.items[at]
	if why := f.blockedReason(&p); why != "" { // as of now, not of when it was listed
		return f.Warn(f.name(&p)+f.Text(symbols.TextColon)+why, "")
	}
	f.list.Close()
	f.note(p.Name())
	in := command.Input{Nth: max(p.nth, 0)}
	switch list := f.listOf(&p); {
	case list != nil:
		return f.cfg.Do(list.Command, command.Input{})
	case p.binding == nil && p.NeedsArgs:
		return f.cfg.Write(p.Slash + " ")
	case p.binding == nil:
		return f.cfg.Run(p.Slash)
	case p.AnyPane || f.inReach(p.binding):
		return f.cfg.Do(p.Command, in)
	}
	return tea.Batch(f.cfg.Focus(p.binding.In), f.cfg.Do(p.Command, in))
}
