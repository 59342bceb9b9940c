package tui

import (
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
	"society-tui/tui/action"
	"society-tui/tui/symbols"
)

const (
	// notifyEvery is the least time between notifications. Later causes are
	// combined.
	notifyEvery = 10 * time.Second
	// restFor is how long all agents must have been idle, because between two steps
	// none is busy for a moment.
	restFor = 2 * time.Second
)

func with(ids []society.AgentID, id society.AgentID) []society.AgentID {
	if slices.Contains(ids, id) {
		return ids
	}
	return append(ids, id)
}

// notifies reports whether the user should be notified now.
func (a *app) notifies() bool {
	switch a.cfg.Notify.When {
	case "off":
		return false
	case "always":
		return true
	}
	return a.nav.away
}

// collectCauses collects causes for a notification from changes.
func (a *app) collectCauses(c *api.Changes, workEnded bool) tea.Cmd {
	n := &a.notices.away
	if !a.notifies() || a.exit.leaving {
		return nil
	}
	for i := range c.Log {
		switch c.Log[i].Kind {
		case "asks", "approval":
			n.asks = with(n.asks, c.Log[i].Agent)
		case "failed", "quarantined":
			n.failed = with(n.failed, c.Log[i].Agent)
		}
	}
	var rest tea.Cmd
	switch {
	case a.replica.IsWorking():
		n.resting.Off()
	case workEnded:
		rest = a.wake(&n.resting, restFor, func() tea.Cmd {
			total := a.replica.Total()
			n.rest = a.notifies() && total.NeedYou() == 0 // else the cause was notified already
			return a.notifyAway()
		})
	}
	return tea.Batch(rest, a.notifyAway())
}

// notifyAway notifies the user of all causes, at limited intervals.
func (a *app) notifyAway() tea.Cmd {
	n := &a.notices.away
	if n.none() || n.deferred || !a.notifies() {
		return nil
	}
	if wait := notifyEvery - a.now().Sub(n.last); wait > 0 {
		n.deferred = true
		return a.wake(&n.due, wait, func() tea.Cmd {
			n.deferred = false
			return a.notifyAway()
		})
	}
	said := a.notification()
	n.causes, n.last = causes{}, a.now()
	return tea.Raw(said)
}

// clearCauses drops the causes that the user sees now.
func (a *app) clearCauses() {
	n := &a.notices.away
	if a.cfg.Notify.When == "always" {
		return
	}
	n.causes, n.deferred = causes{}, false
	n.due.Off()
	n.resting.Off()
}

// notification returns the text for all causes. It holds no foreign text,
// because the terminal gets it raw.
func (a *app) notification() string {
	const title = "society-tui"
	var said []string
	if n := len(a.notices.away.asks); n > 0 {
		said = append(said, a.printer.N(textNeedYou, n))
	}
	if n := len(a.notices.away.failed); n > 0 {
		said = append(said, a.printer.N(textFailed, n))
	}
	if a.notices.away.rest {
		total := a.replica.Total()
		said = append(said, action.Rest(&total, a.printer))
	}
	text := strings.Join(said, a.dot())
	switch a.notifyBy() {
	case "osc9":
		return ansi.Notify(title + a.text(symbols.TextColon) + text)
	case "osc777":
		return ansi.URxvtExt("notify", title, text)
	case "osc99":
		return ansi.DesktopNotification(title+a.text(symbols.TextColon)+text, "i="+title)
	}
	return "\a"
}

// notifyBy returns how to notify. A terminal that is not known to show
// notifications gets the bell; so does a multiplexer that passes none on.
func (a *app) notifyBy() string {
	if by := a.cfg.Notify.By; by != "" && by != "auto" {
		return by
	}
	program, term := a.environ("TERM_PROGRAM"), a.environ("TERM")
	switch {
	case a.environ("TMUX") != "", a.environ("STY") != "":
		return "bell"
	case a.environ("KITTY_WINDOW_ID") != "", term == "xterm-kitty":
		return "osc99"
	case program == "iTerm.app":
		return "osc9"
	case program == "ghostty", program == "WezTerm", strings.HasPrefix(term, "foot"), strings.HasPrefix(term, "rxvt"):
		return "osc777"
	}
	return "bell"
}
