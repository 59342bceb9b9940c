package tui

import (
	tea "charm.land/bubbletea/v2"

	"society-tui/tui/layout"
)

// resize lays out the screen for a new size.
func (a *app) resize(m tea.WindowSizeMsg) tea.Cmd {
	a.layout.W, a.layout.H = m.Width, m.Height
	a.clearFrame(m.Width, m.Height)
	a.tree.Resized()
	a.arrange()
	return a.inspect()
}

// fitComposer adapts the composer's height to its text.
func (a *app) fitComposer() {
	lines := a.composer.Lines(a.layout.Composer.W, a.layout.Composer.H)
	if lines != a.prefs.Lines && a.layout.Composer.Shown() {
		a.prefs.Lines = lines
		a.arrange()
	}
}

// arrange sizes the widgets for the screen and the user's preferences.
func (a *app) arrange() {
	a.layout = layout.Arrange(a.layout.W, a.layout.H, a.prefs)
	a.tree.Focus(a.prefs.Focus == layout.Tree)
	a.transcript.Focus(a.prefs.Focus == layout.Transcript)
	a.inspector.Focus(a.prefs.Focus == layout.Inspector)
	a.composer.Focus(a.prefs.Focus == layout.Composer)
}

// focus focuses a pane.
func (a *app) focus(p layout.Pane) tea.Cmd {
	if p == layout.Inspector && a.prefs.Focus != p {
		a.nav.inspected, a.nav.beforeInspector, a.prefs.Inspector = a.subject(), a.prefs.Focus, true
	}
	a.prefs.Focus = p
	a.arrange()
	return a.inspect()
}

// toggleInspector opens and focuses the inspector. In it, it closes it and focuses
// what had the focus before.
func (a *app) toggleInspector() tea.Cmd {
	if a.prefs.Focus != layout.Inspector {
		return a.focus(layout.Inspector)
	}
	a.prefs.Inspector = false
	return a.focus(a.nav.beforeInspector)
}

// cycleFocus focuses the next pane that is, or can be, shown.
func (a *app) cycleFocus(by int) tea.Cmd { return a.focus(a.paneAt(by)) }

// paneAt returns the pane that is by panes from the focused one in the order of tab.
func (a *app) paneAt(by int) layout.Pane {
	p := a.prefs.Focus
	for range layout.PaneCount {
		p = layout.Pane((int(p) + by + layout.PaneCount) % layout.PaneCount)
		if p != layout.Tree && p != layout.Inspector ||
			p == layout.Tree && !a.prefs.HideTree ||
			p == layout.Inspector && a.layout.Inspector.Shown() {
			break
		}
	}
	if a.layout.W < layout.NormalWidth && p == layout.Transcript && a.prefs.Focus == layout.Composer {
		// The conversation is visible already, above the composer.
		p = layout.Pane((int(p) + by + layout.PaneCount) % layout.PaneCount)
	}
	return p
}

func (a *app) toggleTree() tea.Cmd {
	a.prefs.HideTree = !a.prefs.HideTree
	if a.prefs.HideTree && a.prefs.Focus == layout.Tree {
		a.prefs.Focus = layout.Composer
	}
	a.arrange()
	if a.environ("TMUX") != "" && a.registry.Binding("tree_on_off").Nth(tmuxPrefix) >= 0 {
		return a.inform(a.text(textTmuxKeeps, tmuxPrefix), a.text(textHintRebindTree))
	}
	return nil
}

// tmuxPrefix is the key that tmux keeps to itself, unless its user has chosen another.
const tmuxPrefix = "ctrl+b"

// moveDivider widens the tree by by columns.
func (a *app) moveDivider(by int) {
	if !a.layout.Tree.Shown() {
		return
	}
	a.prefs.Divider = max(a.layout.Tree.W+by, 1)
	a.arrange()
	a.prefs.Divider = a.layout.Tree.W // within its limits
}
