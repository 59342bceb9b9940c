package tui

import (
	"os"
	"strings"

	"society-tui/runtime/i18n"
	"society-tui/runtime/society"
	"society-tui/tui/markdown"
	"society-tui/tui/page"
	"society-tui/tui/sanitize"
)

// dot stands between two things that are told in one row.
func (a *app) dot() string {
	if a.set.ASCII {
		return " - "
	}
	return " · "
}

// name is what an agent is called on the screen.
func (a *app) name(id society.AgentID) string { return a.replica.Name(id) }

func (a *app) agentNames(ids []society.AgentID) string { return a.actions.Names(ids) }

// text prints a text of the commands.
func (a *app) text(t i18n.Text, args ...any) string { return a.printer.T(t, args...) }

// reason is a foreign error in one line.
func (a *app) reason(err error) string { return sanitize.Line(err.Error(), page.TextCells) }

// summary says what was copied, in a few words as they are read.
func summary(text string) string {
	const most, looked = 32, 1 << 10
	text = markdown.Spoken(sanitize.Text(strings.ToValidUTF8(text[:min(len(text), looked)], "")))
	return "“" + sanitize.Line(text, most) + "”"
}

// arrows names the keys up and down.
func (a *app) arrows() string {
	if a.set.ASCII {
		return "up/down"
	}
	return "↑/↓"
}

// mark stands before what is marked, for terminals without colours.
func (a *app) mark() string {
	if a.set.ASCII {
		return ">"
	}
	return "▸"
}

// unless returns why, unless something holds.
func (a *app) unless(holds bool, why string) string {
	if holds {
		return ""
	}
	return why
}

// environ is a variable of the environment that the screen was given.
func (a *app) environ(name string) string {
	if a.cfg.Environ == nil {
		return os.Getenv(name)
	}
	for _, entry := range a.cfg.Environ {
		if value, ok := strings.CutPrefix(entry, name+"="); ok {
			return value
		}
	}
	return ""
}
