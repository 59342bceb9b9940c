// Package help explains the screen in tabs: one for beginners, then the keys by place,
// commands, symbols and the mouse. Typing searches all of it.
package help

import (
	"cmp"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/i18n"
	"society-tui/tui/agentcommand"
	"society-tui/tui/command"
	"society-tui/tui/dialog"
	"society-tui/tui/page"
)

const kind = "help"

// A Config has what the help needs of the screen.
type Config struct {
	Registry func() *command.Registry
	// Here returns the scope with the focus, and whether a command is being
	// written.
	Here func() (in command.Scope, writesCommand bool)
	// Open returns the title of what is open over the panes, and its keys if it is a dialog,
	// which takes no others.
	Open func() (title string, keys []dialog.Line)
	// Works reports whether a command has an effect in the scope with the focus.
	Works func(*command.Binding) bool
}

type Feature struct {
	*page.Deps
	cfg Config
}

func New(deps *page.Deps, cfg Config) *Feature { return &Feature{Deps: deps, cfg: cfg} }

func (f *Feature) Commands() []*command.Command {
	help := agentcommand.Help()
	help.Keys, help.Run = command.Keys(command.Global, "f1", "?"), f.run
	return []*command.Command{
		help,
		{Slash: "/keys", Hidden: true, Group: command.GroupProgram, Title: allKeys, Run: command.Run(func() tea.Cmd { return f.show(firstOfKeys, "") })},
	}
}

// run opens the first tab, or searches the help for the argument. A letter is pressed where
// letters are keys: it opens the tab that lists those.
func (f *Feature) run(in command.Input) tea.Cmd {
	if command.TypesText(in.Key) {
		return f.show(ofKeysHere, "")
	}
	return f.show(0, in.Text)
}

// show opens the help with a tab. Typing there searches all tabs. The keys of the help close
// it.
func (f *Feature) show(tab int, search string) tea.Cmd {
	parts := f.parts()
	tabs := make([]dialog.Tab, len(parts))
	for i, p := range parts {
		tabs[i] = dialog.Tab{Label: f.Text(p.title), Body: p.body()}
	}
	return f.Screen.Ask(page.Question{
		Kind: kind, Title: f.Text(title), Wide: true, Report: true, Tabs: tabs, Tab: tab,
		Choices: []page.Choice{{Label: f.Text(page.TextClose), Keys: slices.Clone(f.cfg.Registry().Binding("help").Keys)}},
		Search:  &dialog.Search{Text: search, Nothing: f.Text(page.TextNoMatches), In: f.all()},
	})
}

// A part is what one tab shows.
type part struct {
	title i18n.Text
	body  func() []dialog.Line
}

const (
	ofKeysHere  = 1 // the tab with the keys that work now
	firstOfKeys = 2 // the first tab with the keys of a place
)

func (f *Feature) parts() []part {
	parts := []part{{start, f.first}, {keysHere, f.keysHere}}
	for _, p := range places {
		parts = append(parts, part{p.title, func() []dialog.Line { return f.keysOf(p.scopes) }})
	}
	return append(parts, part{commands, f.commands}, part{signs, f.signs}, part{mouse, f.mouse})
}

// all returns everything that a search covers: each key once.
func (f *Feature) all() []dialog.Line {
	all := f.keysOf(command.Scopes())
	for _, body := range []func() []dialog.Line{f.commands, f.signs, f.mouse} {
		all = append(all, body()...)
	}
	return all
}

// first returns the tab for beginners.
func (f *Feature) first() []dialog.Line {
	body := []dialog.Line{{Text: f.Text(what)}, {Text: f.Text(intro)}}
	for _, k := range firstKeys {
		body = append(body, dialog.Line{Key: f.Text(k.key), Text: f.Text(k.does)})
	}
	return body
}

// section appends lines under a heading.
func section(body []dialog.Line, heading string, lines []dialog.Line) []dialog.Line {
	if len(lines) == 0 {
		return body
	}
	if len(body) > 0 {
		body = append(body, dialog.Line{})
	}
	return append(append(body, dialog.Line{Tone: dialog.Strong, Text: heading}), lines...)
}

// keysHere lists the keys that work now, those of the focused scope first.
func (f *Feature) keysHere() []dialog.Line {
	in, writes := f.cfg.Here()
	var body []dialog.Line
	open, own := f.cfg.Open()
	if len(own) > 0 {
		return section(body, f.Text(here, open), own)
	}
	if writes {
		body = section(body, f.Text(here, f.Text(slashes)), f.written(0))
		return section(body, f.Text(in.Title()), f.keys(in, false))
	}
	if in != command.Global {
		body = section(body, f.Text(here, cmp.Or(open, f.Text(in.Title()))), f.keysIf(in, false, f.cfg.Works))
	}
	body = section(body, f.Text(command.Global.Title()), f.keys(command.Global, false))
	if in != command.Composer {
		body = section(body, f.Text(command.OutsideComposer), f.keys(command.Global, true))
	}
	return section(body, f.Text(command.Verbs.Title()), f.keys(command.Verbs, false))
}

// keysOf lists the keys of scopes.
func (f *Feature) keysOf(scopes []command.Scope) []dialog.Line {
	var body []dialog.Line
	for _, in := range scopes {
		body = section(body, f.Text(in.Title()), f.keys(in, false))
		if in == command.Global {
			body = section(body, f.Text(command.OutsideComposer), f.keys(in, true))
		}
	}
	return body
}

// keys lists the keys of a scope. Global letters are listed apart, because they
// are text in a text field.
func (f *Feature) keys(in command.Scope, letters bool) []dialog.Line {
	return f.keysIf(in, letters, func(*command.Binding) bool { return true })
}

// keysIf lists the keys of the commands that are wanted.
func (f *Feature) keysIf(in command.Scope, letters bool, wanted func(*command.Binding) bool) []dialog.Line {
	var lines []dialog.Line
	for _, b := range f.cfg.Registry().In(in) {
		if !wanted(&b) {
			continue
		}
		keys := b.Keys
		if in == command.Global {
			keys = b.Typing(letters)
		}
		if len(keys) > 0 {
			lines = append(lines, dialog.Line{Key: f.drawable(command.Label(keys)), Text: f.Text(b.Title), Also: strings.Join(keys, " ") + " " + f.Also(b.Command)})
		}
	}
	return lines
}

// commands lists the written commands by group.
func (f *Feature) commands() []dialog.Line {
	var body []dialog.Line
	for _, g := range command.Groups() {
		body = section(body, f.Text(slashesOf, f.Text(g.Title())), f.written(g))
	}
	return section(body, f.Text(shareTitle), []dialog.Line{{Key: "--workspace .", Text: f.Text(share), Also: "workspace folder directory 工作区 目录"}})
}

// written lists the written commands of a group, of group 0 all.
func (f *Feature) written(group command.Group) []dialog.Line {
	var lines []dialog.Line
	for _, c := range f.cfg.Registry().Written() {
		if group == 0 || c.Group == group {
			lines = append(lines, dialog.Line{Key: c.Usage(f.Printer.Lang), Text: f.Text(c.Title), Also: f.Also(c)})
		}
	}
	return lines
}

func (f *Feature) signs() []dialog.Line { return section(nil, f.Text(signs), f.Symbols()) }

func (f *Feature) mouse() []dialog.Line {
	var lines []dialog.Line
	for _, g := range gestures {
		lines = append(lines, dialog.Line{Key: f.Text(g.what), Text: f.Text(g.does), Also: "mouse"})
	}
	return section(nil, f.Text(mouse), lines)
}

// drawable replaces keys that the terminal cannot draw.
func (f *Feature) drawable(keys string) string {
	if f.Printer.ASCII {
		return i18n.ASCII(keys)
	}
	return keys
}
