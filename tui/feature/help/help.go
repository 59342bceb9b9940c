// Package help explains the screen: a first page for beginners, then all keys,
// commands, symbols and the mouse. Typing searches all of it.
package help

import (
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
		{Slash: "/keys", Hidden: true, Group: command.GroupProgram, Title: allKeys, Run: command.Run(func() tea.Cmd { return f.show(f.Text(allKeys), f.allKeys(), "") })},
	}
}

// run opens the first page, or searches the help for the argument.
func (f *Feature) run(in command.Input) tea.Cmd {
	return f.show(f.Text(title), f.first(), in.Text)
}

// show opens a page. Typing there searches all pages. The keys of the help close
// its first page.
func (f *Feature) show(heading string, body []dialog.Line, search string) tea.Cmd {
	choices := []page.Choice{{Label: f.Text(page.TextClose)}}
	if heading == f.Text(title) {
		choices[0].Keys = slices.Clone(f.cfg.Registry().Binding("help").Keys)
	}
	for _, part := range f.parts() {
		label := f.Text(part.title)
		choices = append(choices, page.Choice{Label: label, Run: func() tea.Cmd { return f.show(label, part.body(), "") }})
	}
	return f.Screen.Ask(page.Question{
		Kind: kind, Title: heading, Body: body, Wide: true, Report: true, Choices: choices,
		Search: &dialog.Search{Text: search, Nothing: f.Text(noMatch), In: f.all()},
	})
}

// A part is what one button leads to.
type part struct {
	title i18n.Text
	body  func() []dialog.Line
}

func (f *Feature) parts() []part {
	return []part{{keysHere, f.keysHere}, {allKeys, f.allKeys}, {commands, f.commands}, {signs, f.signs}, {mouse, f.mouse}}
}

// all returns everything that a search covers.
func (f *Feature) all() []dialog.Line {
	var all []dialog.Line
	for _, p := range f.parts()[1:] { // keysHere repeats some of all keys
		all = append(all, p.body()...)
	}
	return all
}

// first returns the first page.
func (f *Feature) first() []dialog.Line {
	body := []dialog.Line{{Text: f.Text(intro)}, {}}
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
	if writes {
		body = section(body, f.Text(here, f.Text(slashes)), f.written(0))
		return section(body, f.Text(in.Title()), f.keys(in, false))
	}
	if in != command.Global {
		body = section(body, f.Text(here, f.Text(in.Title())), f.keysIf(in, false, f.cfg.Works))
	}
	body = section(body, f.Text(command.Global.Title()), f.keys(command.Global, false))
	if in != command.Composer {
		body = section(body, f.Text(command.OutsideComposer), f.keys(command.Global, true))
	}
	return section(body, f.Text(command.Verbs.Title()), f.keys(command.Verbs, false))
}

// allKeys lists the keys of each scope.
func (f *Feature) allKeys() []dialog.Line {
	var body []dialog.Line
	for _, in := range command.Scopes() {
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
	return body
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
