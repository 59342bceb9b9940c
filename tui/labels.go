package tui

import (
	"errors"
	"os"
	"strings"

	"society-tui/runtime/api"
	"society-tui/runtime/i18n"
	"society-tui/runtime/session"
	"society-tui/runtime/society"
	"society-tui/tui/action"
	"society-tui/tui/markdown"
	"society-tui/tui/page"
	"society-tui/tui/sanitize"
)

// dot separates remarks in one row.
func (a *app) dot() string {
	if a.set.ASCII {
		return " - "
	}
	return " · "
}

// name returns an agent's name on the screen.
func (a *app) name(id society.AgentID) string { return a.replica.Name(id) }

// sessionName returns the name of the open session, "" for the default one.
func (a *app) sessionName() string {
	if a.cfg.Session == session.Default {
		return ""
	}
	return a.cfg.Session
}

func (a *app) agentNames(ids []society.AgentID) string { return a.actions.Names(ids) }

// text prints a text.
func (a *app) text(t i18n.Text, args ...any) string { return a.printer.T(t, args...) }

// reason returns a foreign error as one clean line.
func (a *app) reason(err error) string {
	if errors.Is(err, api.ErrDisconnected) {
		return a.text(action.TextNotConnected)
	}
	return sanitize.Line(err.Error(), page.TextCells)
}

// summary returns the beginning of a copied text.
func summary(text string) string {
	const most, looked = 32, 1 << 10
	text = markdown.Spoken(sanitize.Text(strings.ToValidUTF8(text[:min(len(text), looked)], "")))
	return "“" + sanitize.Line(text, most) + "”"
}

// mark is the sign of a selected row, for terminals without colours.
func (a *app) mark() string {
	if a.set.ASCII {
		return ">"
	}
	return "▸"
}

// unless returns why, or "" if the condition holds.
func (a *app) unless(holds bool, why string) string {
	if holds {
		return ""
	}
	return why
}

// environ returns a variable of the screen's environment.
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
