// Package settings lists the settings with their sources, and changes them.
package settings

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/approval"
	"society-tui/runtime/i18n"
	"society-tui/runtime/protocol"
	"society-tui/tui/agentcommand"
	"society-tui/tui/command"
	"society-tui/tui/list"
	"society-tui/tui/page"
	"society-tui/tui/sanitize"
)

// The settings that have a list of their own, or none in the file.
const (
	theme    = "theme"
	model    = "model.name"
	offline  = "model.offline"
	mouse    = "mouse"
	mode     = "mode" // what agents may do
	file     = "file"
	taskCost = "limits.task_cost"
	dayCost  = "limits.day_cost"
	ofModel  = "model." // begins the keys of the model in the table of its own
)

// first are the settings at the top of the list.
var first = []string{theme, "lang", mouse, "notify", "notify_by", model}

// A Setting is a setting in force.
type Setting struct {
	Key, Value, From string
	About            i18n.Text
	OneOf            []string // what it may be; nil for any text
	Text             string   // the value as the user writes it
	Fixed            bool     // Config.Change cannot change it
	Remote           bool     // it is that of the program that runs the society, and is changed there
	Lines            bool     // the text may have several lines
	InFile           bool     // the settings file sets it, and nothing overrides it
}

// A Changed is the outcome of a change of the settings file.
type Changed struct {
	Settings []Setting
	Same     bool // it was that already, so nothing was written
	// Overridden is the flag or the variable that decides at the next start instead, or "".
	Overridden string
	// Unwritten tells why the file was left as it is; Lines are to be put into it.
	Unwritten error
	Lines     string
}

// A Theme changes the theme of the screen.
type Theme interface {
	Chosen() string
	Open() tea.Cmd
}

// A Config has the settings, and what they change.
type Config struct {
	Settings []Setting
	// Read reads the settings anew; it may be nil.
	Read func(ctx context.Context) ([]Setting, error)
	// Change writes a setting into the settings file. An error tells what the setting may be.
	// It is nil if there is no file to write.
	Change func(ctx context.Context, key, text string) (Changed, error)
	// Now makes changed settings take effect at once, by key. The others wait for the next start.
	Now map[string]func(text string)

	Theme    Theme
	Models   func() tea.Cmd
	HasMouse func() bool
	SetMouse func(on bool) tea.Cmd
}

type Feature struct {
	*page.Deps
	cfg     Config
	list    *page.List
	choices *page.List // what one may be
	chosen  Setting    // whose choices are open
}

// New returns the feature.
func New(deps *page.Deps, cfg Config) *Feature {
	f := &Feature{Deps: deps, cfg: cfg}
	f.list = deps.NewList(page.Choosing{Take: f.takeMarked, Takes: takes, By: page.InOrder})
	f.choices = deps.NewList(page.Choosing{Take: f.takeChoice, Takes: page.HintChoose, Cancels: true, Back: f.back})
	return f
}

func (f *Feature) Commands() []*command.Command {
	settings := agentcommand.Settings()
	name := command.Rarely(command.Name(f.keys, f.nameOf))
	name.AtOnce = true
	settings.Args, settings.Run = []command.Arg{name}, f.run
	return []*command.Command{settings}
}

// keys returns the keys of all settings, in the order of the list.
func (f *Feature) keys() []string {
	var keys []string
	for _, s := range f.all() {
		keys = append(keys, sanitize.Line(s.Key, page.NameCells))
	}
	return keys
}

// Openers returns commands that open the list at one setting: one for each with a title that can
// be changed here and has no command of its own, as models have.
func (f *Feature) Openers() []*command.Command {
	opens := agentcommand.Settings()
	var all []*command.Command
	for _, s := range f.all() {
		name, has := titles[s.Key]
		if !has || s.Fixed || s.Remote || slices.Contains(elsewhere, s.Key) || strings.HasPrefix(s.Key, ofModel) {
			continue
		}
		all = append(all, &command.Command{
			Slash: opens.Slash + " " + s.Key, Group: opens.Group, Also: synonyms[s.Key],
			Title: i18n.Text{EN: fmt.Sprintf(oneSetting.EN, name.EN), ZH: fmt.Sprintf(oneSetting.ZH, name.ZH)},
		})
	}
	return all
}

// run opens the list, at the setting that is named by its key or title. A value behind that is
// offered.
func (f *Feature) run(in command.Input) tea.Cmd {
	if in.Text == "" {
		return f.openAnew()
	}
	for name := in.Text; name != ""; name = name[:max(0, strings.LastIndexByte(name, ' '))] {
		s, ok := f.called(name)
		if !ok {
			continue
		}
		cmd := f.openAnew()
		f.list.Pick(s.Key)
		if value := strings.TrimSpace(in.Text[len(name):]); value != "" {
			return tea.Batch(cmd, f.offer(s, value))
		}
		return cmd
	}
	in.Refuse()
	return f.Warn(f.Text(noSuch, sanitize.Line(in.Text, page.NameCells)), "")
}

// called returns the setting that is called so.
func (f *Feature) called(name string) (Setting, bool) {
	for _, s := range f.all() {
		if title := titles[s.Key]; s.Key == name || title.ZH == name || strings.EqualFold(title.EN, name) {
			return s, true
		}
	}
	return Setting{}, false
}

// offer opens the field or the choices of a setting with a value that was written behind its name,
// for enter to take.
func (f *Feature) offer(s Setting, value string) tea.Cmd {
	switch {
	case s.Fixed || s.Remote || s.Lines || f.cfg.Change == nil:
		return nil
	case len(s.OneOf) > 0:
		cmd := f.choose(s)
		f.choices.Pick(value)
		return cmd
	}
	return f.ask(s, value, nil)
}

// File returns the path of the settings file, which may not exist; "" if it is
// unknown.
func (f *Feature) File() string {
	if s, ok := f.setting(file); ok {
		return sanitize.Line(s.Value, 2*page.TextCells)
	}
	return ""
}

func (f *Feature) setting(key string) (Setting, bool) {
	at := slices.IndexFunc(f.cfg.Settings, func(s Setting) bool { return s.Key == key })
	if at < 0 {
		return Setting{}, false
	}
	return f.cfg.Settings[at], true
}

// openAnew opens the list and brings it up to date: the settings file may have been changed
// since, by the model set-up or by another program.
func (f *Feature) openAnew() tea.Cmd {
	f.open()
	if f.cfg.Read == nil {
		return nil
	}
	type settings struct {
		all []Setting
		err error
	}
	return page.Later(f.Screen, func(ctx context.Context) settings {
		all, err := f.cfg.Read(ctx)
		return settings{all, err}
	}, func(now settings) tea.Cmd {
		if now.err != nil {
			return f.Warn(f.inWords(now.err), "")
		}
		f.cfg.Settings = now.all
		if f.list.IsOpen() {
			f.list.Renew(f.items())
		}
		return nil
	})
}

func (f *Feature) open() { f.list.Show(f.Text(title), f.Text(none), f.items()) }

// Ordered returns the first settings, then those that can be changed here, then the rest.
func Ordered(all []Setting) []Setting {
	rank := func(s Setting) int {
		switch at := slices.Index(first, s.Key); {
		case at >= 0:
			return at
		case s.Fixed || s.Remote:
			return len(first) + 1
		}
		return len(first)
	}
	return slices.SortedStableFunc(slices.Values(all), func(a, b Setting) int { return rank(a) - rank(b) })
}

// all returns the settings in order, with that of the mouse.
func (f *Feature) all() []Setting {
	all := slices.Clone(f.cfg.Settings)
	if f.cfg.SetMouse != nil {
		all = append(all, f.mouse())
	}
	return Ordered(all)
}

func (f *Feature) items() []list.Item {
	all := f.all()
	items := make([]list.Item, len(all))
	for i, s := range all {
		items[i] = f.item(s)
	}
	return items
}

// mouse is the row of the mouse, which the session keeps.
func (f *Feature) mouse() Setting {
	on := "off"
	if f.cfg.HasMouse() {
		on = "on"
	}
	return Setting{Key: mouse, Value: on, From: f.Text(ofSession), About: aboutMouse}
}

// Shown returns the name with the value, and where that comes from, both clean.
func (s *Setting) Shown() (value, from string) {
	return sanitize.Line(s.Key, page.NameCells) + " = " + sanitize.Line(s.Value, page.TextCells), sanitize.Line(s.From, page.TextCells)
}

func (f *Feature) item(s Setting) list.Item {
	name, from := s.Shown()
	item := list.Item{
		ID: s.Key, Name: name, Note: from,
		Text: f.Text(s.About), Also: s.About.EN + " " + s.About.ZH,
	}
	if title, has := titles[s.Key]; has {
		item.Name = f.Text(title) + "  " + name
		item.Also += " " + title.EN + " " + title.ZH
	}
	if also, has := synonyms[s.Key]; has {
		item.Also += " " + also.EN + " " + also.ZH
	}
	switch {
	case s.Key == theme:
		now := f.cfg.Theme.Chosen()
		item.Text = f.Text(themeNow, sanitize.Line(now, page.NameCells))
		if s.Value != strconv.Quote(now) {
			item.Text += f.Dot + f.Text(ofSession)
		}
	case s.Key == model && f.isOffline():
		item.Text = f.Text(notInUse) + f.Dot + item.Text
	case s.Key == mode && approval.Mode(s.Text).Known():
		item.Text = f.Actions.ModeName(approval.Mode(s.Text)) + f.Dot + item.Text
	}
	if s.Key != theme && !s.Fixed && f.cfg.Change != nil && !f.isImmediate(s.Key) {
		item.Note = f.Text(atRestart) + f.Dot + item.Note
	}
	return item
}

// isOffline reports whether the built-in model answers, whatever else is set.
func (f *Feature) isOffline() bool {
	s, ok := f.setting(offline)
	return ok && s.Value == "true"
}

// isImmediate reports whether a setting takes effect when it is changed.
func (f *Feature) isImmediate(key string) bool {
	return key == theme || key == mouse || f.cfg.Now[key] != nil
}

// takeMarked changes the selected setting, or explains where that is done.
func (f *Feature) takeMarked() tea.Cmd {
	item, ok := f.list.Picked()
	if !ok {
		return nil
	}
	s, _ := f.setting(item.ID)
	switch {
	case item.ID == theme:
		return f.cfg.Theme.Open()
	case item.ID == mouse:
		cmd := f.cfg.SetMouse(!f.cfg.HasMouse())
		f.list.Renew(f.items())
		return cmd
	case strings.HasPrefix(item.ID, ofModel) && s.Fixed:
		f.list.Close()
		return f.cfg.Models()
	case s.Fixed || s.Remote || f.cfg.Change == nil:
		return f.Screen.Notify(s.ReadAtStart(f.Printer))
	case s.Lines:
		return f.edit(s)
	case len(s.OneOf) > 0:
		return f.choose(s)
	}
	return f.ask(s, s.Text, nil)
}

// choose lists what a setting may be.
func (f *Feature) choose(s Setting) tea.Cmd {
	f.chosen = s
	items := make([]list.Item, len(s.OneOf))
	for i, word := range s.OneOf {
		items[i] = list.Item{ID: word, Name: word, Text: protocol.Lang(word).OwnName()}
		if word == "" {
			items[i].Name = f.Text(unset)
		}
		if m := approval.Mode(word); s.Key == mode && m.Known() {
			items[i].Name, items[i].Text = f.Actions.ModeName(m), f.Actions.ModeMeaning(m)
		}
		if word == s.Text {
			items[i].Note = f.Text(page.TextCurrent)
		}
	}
	f.choices.Show(f.nameOf(s.Key)+f.Dot+f.Text(s.About), "", items)
	f.choices.Pick(s.Text)
	return nil
}

func (f *Feature) takeChoice() tea.Cmd {
	item, ok := f.choices.Picked()
	if !ok {
		return nil
	}
	return tea.Batch(f.back(), f.change(f.chosen, item.ID))
}

// back returns to the list of settings.
func (f *Feature) back() tea.Cmd {
	f.choices.Close()
	f.open()
	f.list.Pick(f.chosen.Key)
	return nil
}

// edit opens a setting of several lines in the user's editor.
func (f *Feature) edit(s Setting) tea.Cmd {
	cmd, found := f.Screen.Edit(s.Text, func(written string, ok bool) tea.Cmd {
		if !ok || written == s.Text {
			return nil
		}
		return f.change(s, strings.TrimRight(written, "\n"))
	})
	if !found {
		return f.Warn(f.Text(noEditor), "")
	}
	return cmd
}
