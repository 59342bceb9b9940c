// Package settings lists the settings with their sources.
package settings

import (
	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/i18n"
	"society-tui/tui/command"
	"society-tui/tui/list"
	"society-tui/tui/page"
	"society-tui/tui/sanitize"
)

// The settings that the screen treats specially: theme can be changed here,
// file is where the others are changed.
const (
	theme = "theme"
	file  = "file"
)

// A Setting is a setting in force.
type Setting struct{ Key, Value, From string }

// A Theme changes the theme of the screen.
type Theme interface {
	Chosen() string
	Open() tea.Cmd
}

type Feature struct {
	*page.Deps
	settings []Setting
	theme    Theme
	list     *page.List
}

// New returns the feature.
func New(deps *page.Deps, settings []Setting, theme Theme) *Feature {
	f := &Feature{Deps: deps, settings: settings, theme: theme}
	f.list = deps.NewList(page.Choosing{Take: f.takeMarked, Takes: page.HintChoose, By: page.InOrder})
	return f
}

func (f *Feature) Commands() []*command.Command {
	return []*command.Command{{
		Slash: "/settings", Group: command.GroupProgram, Title: i18n.Text{EN: "Settings", ZH: "设置"}, Run: command.Do(f.open),
		Also: i18n.Text{EN: "language locale sound bell notifications notify options preferences configuration", ZH: "语言 声音 铃声 通知 选项 偏好 配置"},
	}}
}

// File returns the path of the settings file, which may not exist; "" if it is
// unknown.
func (f *Feature) File() string {
	for _, s := range f.settings {
		if s.Key == file {
			return sanitize.Line(s.Value, 2*page.TextCells)
		}
	}
	return ""
}

func (f *Feature) open() {
	items := make([]list.Item, len(f.settings))
	for i, s := range f.settings {
		key := sanitize.Line(s.Key, page.NameCells)
		items[i] = list.Item{ID: key, Name: key + " = " + sanitize.Line(s.Value, page.TextCells), Note: sanitize.Line(s.From, page.TextCells)}
		if s.Key == theme {
			items[i].Text = f.Text(themeNow, sanitize.Line(f.theme.Chosen(), page.NameCells))
		}
	}
	f.list.Show(f.Text(title), f.Text(none), items)
}

// takeMarked lets the user change the theme, or explains where another setting
// is changed.
func (f *Feature) takeMarked() tea.Cmd {
	item, ok := f.list.Picked()
	switch {
	case !ok:
		return nil
	case item.ID == theme:
		return f.theme.Open()
	}
	return f.Warn(f.Text(inFile, item.ID), f.Text(howTo))
}
