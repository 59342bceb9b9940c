package tui

import (
	"cmp"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"society-tui/themes"
	"society-tui/tui/list"
	"society-tui/tui/page"
	"society-tui/tui/sanitize"
)

// settingList is the kind of the list of settings.
const settingList = "settings"

// themeSetting is the setting that the screen changes while it runs.
const themeSetting = "theme"

// fileSetting is the place of the settings file.
const fileSetting = "file"

// settingsFile is that place, which may hold nothing yet; "" if it is not known.
func (a *app) settingsFile() string {
	for _, s := range a.cfg.Settings {
		if s.Key == fileSetting {
			return sanitize.Line(s.Value, 2*doingCells)
		}
	}
	return ""
}

// openSettings lists the settings in force, and where each came from.
func (a *app) openSettings() tea.Cmd {
	w := a.words.cmds
	items := make([]list.Item, len(a.cfg.Settings))
	for i, s := range a.cfg.Settings {
		key := sanitize.Line(s.Key, nameCells)
		items[i] = list.Item{ID: key, Name: key + " = " + sanitize.Line(s.Value, doingCells), Note: sanitize.Line(s.From, doingCells)}
		if s.Key == themeSetting {
			now := cmp.Or(a.chosen, themes.AutoName)
			items[i].Text = fmt.Sprintf(w.ThemeNow, sanitize.Line(now, nameCells))
		}
	}
	a.openList(page.List{Kind: settingList, Take: a.takeSetting, Takes: a.words.keys.HintChoose, InOrder: true}, w.Settings, a.words.palette.NothingYet, items)
	return nil
}

// takeSetting changes the marked setting, where the screen can: that is the theme, whose
// list keeps what is chosen there with the society. Else it says where it is changed.
func (a *app) takeSetting() tea.Cmd {
	item, ok := a.picks.Picked()
	switch {
	case !ok:
		return nil
	case item.ID == themeSetting:
		return a.readThemes(a.openThemes)
	}
	return a.warn(fmt.Sprintf(a.words.cmds.InTheFile, item.ID), a.words.cmds.HintConfig)
}
