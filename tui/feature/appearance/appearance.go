// Package appearance lists the themes, previews the selected one, and saves the
// user's choice.
package appearance

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/i18n"
	"society-tui/themes"
	"society-tui/tui/command"
	"society-tui/tui/list"
	"society-tui/tui/page"
	"society-tui/tui/sanitize"
	"society-tui/tui/symbols"
)

// A Config has the themes.
type Config struct {
	Source themes.Source
	Theme  string         // set at start; if "", the saved one or auto
	Plain  bool           // without colours
	Save   func() tea.Cmd // schedules saving the user's choice
	// Keep writes the choice into the settings if it is for all sessions, or these decide at the
	// next start; kept is false if it does not.
	Keep func(name string, forAll bool) (cmd tea.Cmd, kept bool)
}

// A Feature holds the themes and the user's choice.
type Feature struct {
	*page.Deps
	cfg     Config
	list    *page.List
	entries []themes.Entry // as last read
	reads   int            // number of reads
	chosen  string
	saved   string // the user's choice, now or in an earlier run
	forAll  bool   // what is chosen from the list is for all sessions
}

// New returns the feature. It reads the themes at once, because the first frame
// needs one.
func New(deps *page.Deps, cfg Config) *Feature {
	f := &Feature{Deps: deps, cfg: cfg, entries: cfg.Source.List(), chosen: cfg.Theme}
	f.list = deps.NewList(page.Choosing{Take: f.chooseMarked, Takes: page.HintChoose, Cancels: true, Looks: true})
	return f
}

func (f *Feature) Commands() []*command.Command {
	return []*command.Command{{
		Slash: "/theme", Group: command.GroupView, Title: i18n.Text{EN: "Theme", ZH: "主题"}, Run: f.run,
		Also: i18n.Text{EN: "colour color dark light appearance style", ZH: "外观 深色 浅色 颜色"},
		Args: []command.Arg{command.Rarely(command.Name(f.names, nil))},
	}}
}

// Wanted returns the name of the theme to draw in: the selected one in the
// list, else the chosen one; and the number of reads, because each may have
// changed the theme.
func (f *Feature) Wanted() (name string, reads int) {
	if item, ok := f.list.Picked(); ok && !item.Bad {
		return item.ID, f.reads
	}
	return f.Chosen(), f.reads
}

// Chosen returns the name of the chosen theme.
func (f *Feature) Chosen() string { return cmp.Or(f.chosen, themes.AutoName) }

// Theme returns a theme by name; ok is false for auto, and for an unusable one.
func (f *Feature) Theme(name string) (theme themes.Theme, ok bool) {
	if e := f.named(name); e != nil && e.Err == nil {
		return e.Theme, true
	}
	return themes.Theme{}, false
}

// Saved returns the user's choice, from now or an earlier run.
func (f *Feature) Saved() string { return f.saved }

// Restore applies the user's saved choice unless a theme was set at start, and
// warns if the theme is not in use.
func (f *Feature) Restore(saved string) tea.Cmd {
	f.saved = saved
	if f.cfg.Theme != "" || saved == "" {
		return nil
	}
	f.chosen = saved
	return f.explain()
}

// Opened warns if the theme that was set at start is not in use.
func (f *Feature) Opened() tea.Cmd {
	if f.cfg.Theme == "" {
		return nil
	}
	return f.explain()
}

// explain warns if the chosen theme is not in use, with the reason.
func (f *Feature) explain() tea.Cmd {
	name := sanitize.Line(f.chosen, page.NameCells)
	switch e := f.named(f.chosen); {
	case f.Chosen() == themes.AutoName, e != nil && e.Err == nil:
		return nil
	case e == nil:
		return f.Warn(f.Text(unknown, name), f.Text(hintList))
	default:
		return f.Warn(f.Text(refused, name)+f.Text(symbols.TextColon)+f.mistakes(e)[0], f.Text(hintList))
	}
}

func (f *Feature) named(name string) *themes.Entry {
	at := slices.IndexFunc(f.entries, func(e themes.Entry) bool { return e.Name == name })
	if at < 0 {
		return nil
	}
	return &f.entries[at]
}

// names returns the arguments that complete the command.
func (f *Feature) names() []string {
	names := []string{themes.AutoName}
	for i := range f.entries {
		if e := &f.entries[i]; e.Err == nil && e.Name != themes.AutoName {
			names = append(names, e.Name)
		}
	}
	return names
}

func (f *Feature) run(in command.Input) tea.Cmd {
	if in.Text == "" {
		return f.open(false)
	}
	f.forAll = false
	return f.read(func() tea.Cmd {
		cmd, ok := f.choose(in.Text)
		if !ok {
			in.Refuse()
		}
		return cmd
	})
}

// Open lists the themes, of which one is chosen for all sessions.
func (f *Feature) Open() tea.Cmd { return f.open(true) }

// open lists the themes. The selected one is previewed; leaving the list
// restores the old one.
func (f *Feature) open(forAll bool) tea.Cmd {
	f.forAll = forAll
	return f.read(f.show)
}

// read rereads the user's own themes.
func (f *Feature) read(then func() tea.Cmd) tea.Cmd {
	return page.Later(f.Screen, func(context.Context) []themes.Entry { return f.cfg.Source.List() }, func(entries []themes.Entry) tea.Cmd {
		f.entries = entries
		f.reads++
		return then()
	})
}

func (f *Feature) show() tea.Cmd {
	items := []list.Item{{ID: themes.AutoName, Name: themes.AutoName, Note: f.Text(suits)}}
	for i := range f.entries {
		items = append(items, f.item(&f.entries[i]))
	}
	f.list.Show(f.Text(title), "", items)
	f.list.Slim()
	f.list.Pick(f.Chosen())
	if f.cfg.Plain {
		return f.Inform(f.Text(noColour), "")
	}
	return nil
}

func (f *Feature) item(e *themes.Entry) list.Item {
	item := list.Item{ID: e.Name, Name: sanitize.Line(e.Name, page.NameCells), Note: f.Text(light)}
	if e.Dark() {
		item.Note = f.Text(dark)
	}
	if e.From != "" {
		item.Note = f.Text(own) + f.Dot + item.Note
	}
	if e.Err != nil {
		item.Note, item.Text, item.Bad = f.Text(page.TextMistakes), f.mistakes(e)[0], true
		return item
	}
	if all := e.Weak(); len(all) > 0 {
		p := all[0]
		item.Text = f.Text(weak, fmt.Sprintf("%s/%s %.1f:1", p.Writing, p.Ground, p.Contrast))
	}
	return item
}

// choose selects and saves a theme by name, or warns that there is none.
func (f *Feature) choose(name string) (cmd tea.Cmd, ok bool) {
	shown := sanitize.Line(name, page.NameCells)
	switch e := f.named(name); {
	case name == themes.AutoName:
	case e == nil:
		return f.Warn(f.Text(unknown, shown), f.Text(hintList)), false
	case e.Err != nil:
		return f.ReportMistakes(f.Text(refused, shown), f.mistakes(e), f.Text(hintMend)), false
	}
	f.chosen, f.saved = name, name
	hint := ""
	write, kept := f.cfg.Keep(name, f.forAll)
	if kept {
		f.cfg.Theme = name
	}
	switch {
	case f.cfg.Plain:
		hint = f.Text(noColour)
	case f.cfg.Theme != "" && f.cfg.Theme != name:
		hint = f.Text(onlyNow, sanitize.Line(f.cfg.Theme, page.NameCells))
	case f.cfg.Theme == "":
		hint = f.Text(onlyHere)
	}
	return tea.Batch(f.Inform(f.Text(is, shown), hint), f.cfg.Save(), write), true
}

func (f *Feature) chooseMarked() tea.Cmd {
	item, ok := f.list.Picked()
	if !ok {
		return nil
	}
	cmd, ok := f.choose(item.ID)
	if ok {
		f.list.Close()
	}
	return cmd
}
