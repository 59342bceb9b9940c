package tui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
)

// meant is the command that a text names which was typed behind the / of a filter or a
// search, "" if it names none.
func (a *app) meant(text string) string {
	text = "/" + strings.TrimPrefix(strings.TrimSpace(text), "/")
	name, _, _ := strings.Cut(text, " ")
	if !slices.ContainsFunc(a.slashes, func(s slash) bool { return s.name == name }) {
		return ""
	}
	return text
}

// meantInTree is the command that was meant by the filter that is typed: agents that
// match come before that.
func (a *app) meantInTree() string {
	if text, matches := a.tree.Filtered(); !matches {
		return a.meant(text)
	}
	return ""
}

// writeCommand writes a command where it is carried out. What stood there can be brought
// back.
func (a *app) writeCommand(text string) tea.Cmd {
	said, _ := a.clearText()
	a.popup = popup{}
	a.pad.SetText(text)
	return tea.Batch(said, a.focus(composerPane))
}
