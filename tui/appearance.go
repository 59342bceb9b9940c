package tui

import (
	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/colorprofile"

	"society-tui/themes"
	"society-tui/tui/cells"
	"society-tui/tui/terminal"
)

// askTerminal queries the terminal's traits. Nothing waits for the answers.
func (a *app) askTerminal() tea.Cmd { return tea.Raw(terminal.Questions(!a.cfg.Plain)) }

// askBackground repeats the queries after the background may have changed.
func (a *app) askBackground() tea.Cmd {
	if a.cfg.Plain || !a.appearance.traits.Ground.Known {
		return nil
	}
	return tea.RequestBackgroundColor
}

// wantedStyling returns the styling for the next frame.
func (a *app) wantedStyling() styling {
	name, reads := a.appearance.chosen.Wanted()
	if _, ok := a.appearance.chosen.Theme(name); ok || a.cfg.Plain {
		return styling{name: name, reads: reads, profile: a.appearance.profile}
	}
	return styling{themes.AutoName, reads, a.appearance.traits.Ground, a.appearance.profile}
}

// themeFor returns the theme reduced to the terminal's colours.
func (a *app) themeFor(s styling) themes.Theme {
	t := a.fullTheme(s)
	switch s.profile {
	case colorprofile.ANSI256:
		t = t.Indexed()
	case colorprofile.ANSI:
		t = t.Basic()
	}
	t.Upright = a.appearance.traits.NoItalics
	return t
}

func (a *app) fullTheme(s styling) themes.Theme {
	theme, ok := a.appearance.chosen.Theme(s.name)
	switch {
	case a.cfg.Plain:
		return themes.Plain()
	case ok:
		return theme
	case s.background.Known:
		return themes.Auto(s.background.Colour)
	case s.background.Silent, s.profile == colorprofile.ANSI:
		// With sixteen colours the background is painted, but it is not known yet
		// whether it is light or dark.
		return themes.Silent()
	}
	return themes.Auto(nil)
}

// applyAppearance restyles all widgets if the theme changed.
func (a *app) applyAppearance() {
	s := a.wantedStyling()
	if s == a.appearance.applied {
		return
	}
	a.appearance.applied = s
	if t := a.themeFor(s); t != a.appearance.theme {
		a.setTheme(t)
	}
}

// setStill turns animations off or on.
func (a *app) setStill(still bool) {
	a.set.Still = still
	a.setTheme(a.appearance.theme)
}

// dimPen is for what lies under a dialog.
func dimPen(t themes.Theme) themes.Pen {
	if t.Plain {
		return t.Pen(nil, themes.Faint)
	}
	return t.Pen(t.Subtle, 0)
}

// setTheme restyles everything that draws.
func (a *app) setTheme(t themes.Theme) {
	a.appearance.theme = t
	a.appearance.backdrop = backdrop{ground: t.Ground(), written: a.appearance.traits.GNUScreen && !t.Plain}
	a.appearance.veil = veil{pen: dimPen(t)}
	a.appearance.styles = styles{
		text:   t.Pen(t.Text, 0),
		muted:  t.Pen(t.Muted, 0),
		key:    t.Pen(t.Accent, 0),
		title:  t.Pen(t.Heading, themes.Bold),
		chosen: t.SelectionPen(),
	}
	a.appearance.frame = cells.NewFramer(t, a.set.Measure, a.set.ASCII)
	a.tree.SetTheme(t, a.set)
	a.transcript.SetTheme(t, a.set)
	a.inspector.SetTheme(t, a.set)
	a.composer.SetTheme(t, a.set)
	a.statusLine.SetTheme(t, a.set)
	a.dialogs.SetTheme(t, a.set)
	for _, p := range a.pages {
		if p.IsOpen() {
			p.SetTheme(t, a.set)
		}
	}
}
