package tui

import (
	"slices"
	"strings"

	"society-tui/tui/page"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/society"
	"society-tui/tui/layout"
)

// mostHistory is how far back alt+left can go.
const mostHistory = 50

// firstPin is the digit of the first pinned agent, mostPins how many there are.
const (
	firstPin = 4
	mostPins = 6
)

// resize lays everything out anew.
func (a *app) resize(m tea.WindowSizeMsg) tea.Cmd {
	a.layout.W, a.layout.H = m.Width, m.Height
	// Until a frame of this size may be drawn: the one before is of another.
	a.drawn.Content, a.drawn.Cursor = strings.Join(a.pacer.rows.blank(m.Width, m.Height), "\n"), nil
	a.arrange()
	return a.inspect()
}

// fitComposer lets the composer be as high as its text needs.
func (a *app) fitComposer() {
	lines := a.composer.Lines(a.layout.Composer.W, a.layout.Composer.H)
	if lines != a.prefs.Lines && a.layout.Composer.Shown() {
		a.prefs.Lines = lines
		a.arrange()
	}
}

// arrange puts the rooms where size and wishes want them.
func (a *app) arrange() {
	a.layout = layout.Arrange(a.layout.W, a.layout.H, a.prefs)
	a.tree.Open(!a.layout.Framed)
	a.transcript.Open(!a.layout.Framed)
	a.inspector.Open(!a.layout.Framed)
	a.composer.Open(!a.layout.Framed)
	a.tree.Focus(a.prefs.Focus == layout.Tree)
	a.transcript.Focus(a.prefs.Focus == layout.Transcript)
	a.inspector.Focus(a.prefs.Focus == layout.Inspector)
	a.composer.Focus(a.prefs.Focus == layout.Composer)
}

// focus gives the keys to a pane.
func (a *app) focus(p layout.Pane) tea.Cmd {
	if p == layout.Inspector && a.prefs.Focus != p {
		a.nav.inspected = a.subject()
	}
	a.prefs.Focus = p
	a.arrange()
	return a.inspect()
}

// cycleFocus gives the keys to the next pane that has a place, or would get one.
func (a *app) cycleFocus(by int) tea.Cmd {
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
		// The conversation is on the screen already, above the composer.
		p = layout.Pane((int(p) + by + layout.PaneCount) % layout.PaneCount)
	}
	return a.focus(p)
}

func (a *app) toggleTree() {
	a.prefs.HideTree = !a.prefs.HideTree
	if a.prefs.HideTree && a.prefs.Focus == layout.Tree {
		a.prefs.Focus = layout.Composer
	}
	a.arrange()
}

// moveDivider makes the tree wider by so many columns.
func (a *app) moveDivider(by int) {
	if !a.layout.Tree.Shown() {
		return
	}
	a.prefs.Divider = max(a.layout.Tree.W+by, 1)
	a.arrange()
	a.prefs.Divider = a.layout.Tree.W // no farther than it can go
}

// onWindowFocus says whether the window has the focus: without it fewer frames are drawn,
// and nothing counts as seen.
func (a *app) onWindowFocus(on bool) tea.Cmd {
	a.pump.Unfocused.Store(!on)
	a.nav.away = !on
	if on {
		a.clearCauses()
	}
	return a.seen()
}

// openAgent opens an agent and gives the keys to the composer.
func (a *app) openAgent(id society.AgentID) tea.Cmd {
	if _, here := a.replica.Row(id); !here && id != society.User {
		return a.warn(a.text(page.TextGone, id), "")
	}
	if id != a.nav.open {
		a.nav.history = append(a.nav.history[max(len(a.nav.history)-mostHistory, 0):], a.nav.open)
	}
	a.tree.Select(id)
	a.prefs.Focus = layout.Composer
	a.arrange()
	return a.showAgentConversation(id)
}

// openNeedsYou goes to the next agent that asks or failed.
func (a *app) openNeedsYou(next bool) tea.Cmd {
	found := false
	if next {
		found = a.tree.NextNeedsYou()
	} else {
		found = a.tree.PrevNeedsYou()
	}
	if !found {
		return a.inform(a.text(textNobodyAsks), "")
	}
	id, before := a.tree.Selected(), a.nav.open
	cmd := a.openAgent(id)
	if id == before {
		return tea.Batch(cmd, a.inform(a.text(textAsksHere, a.name(id)), ""))
	}
	return cmd
}

func (a *app) openParent() tea.Cmd {
	row, ok := a.replica.Row(a.nav.open)
	if !ok || row.Parent == society.User {
		return a.inform(a.text(textNoParent), "")
	}
	return a.openAgent(row.Parent)
}

// openPrevious goes back to who was open before and is still here.
func (a *app) openPrevious() tea.Cmd {
	for len(a.nav.history) > 0 {
		id := a.nav.history[len(a.nav.history)-1]
		a.nav.history = a.nav.history[:len(a.nav.history)-1]
		if _, here := a.replica.Row(id); here || id == society.User {
			a.tree.Select(id)
			return a.showAgentConversation(id)
		}
	}
	return a.inform(a.text(textNowhereBack), "")
}

// pin puts an agent on one of alt+4 to alt+9, or takes it off.
func (a *app) pin(id society.AgentID) tea.Cmd {
	if at := slices.Index(a.nav.pins, id); at >= 0 {
		a.nav.pins[at] = ""
		return a.inform(a.text(textUnpinned, a.name(id)), "")
	}
	at := slices.Index(a.nav.pins, "")
	if at < 0 {
		if len(a.nav.pins) == mostPins {
			return a.warn(a.text(textAllPinsTaken), "")
		}
		a.nav.pins = append(a.nav.pins, "")
		at = len(a.nav.pins) - 1
	}
	a.nav.pins[at] = id
	return a.inform(a.text(textPinned, a.name(id), at+firstPin), "")
}

func (a *app) openPinned(at int) tea.Cmd {
	if at < 0 || at >= len(a.nav.pins) || a.nav.pins[at] == "" {
		return a.inform(a.text(textNoPin, at+firstPin), "")
	}
	return a.openAgent(a.nav.pins[at])
}

// copy puts text into the clipboard of the terminal.
func (a *app) copy(text string) tea.Cmd {
	return a.copyAs(text, a.text(textCopied, summary(text)))
}

// copyAs is copy with what is said of it.
func (a *app) copyAs(text, said string) tea.Cmd {
	if text == "" {
		return a.inform(a.text(textNothingToCopy), "")
	}
	return tea.Batch(tea.SetClipboard(text), a.inform(said, a.text(textHintCopied)))
}

// openNewAgent opens an agent that was created, as soon as it is in the tree.
func (a *app) openNewAgent() tea.Cmd {
	c := a.nav.whenReady
	if _, present := a.replica.Row(c.agent); !present || c.agent == "" {
		return nil
	}
	a.nav.whenReady = openWhenReady{}
	if a.recipient() != c.recipient {
		return nil
	}
	return a.openAgent(c.agent)
}

// showAgentConversation opens an agent's conversation: what is known of it at once, what is stored
// as soon as it is read.
func (a *app) showAgentConversation(id society.AgentID) tea.Cmd {
	if id != a.nav.open {
		a.disarmEscape()
		a.keyboard.target = targetGuard{}
	}
	a.nav.open, a.nav.inspected = id, id
	a.composer.Show(a.composerRecipient())
	a.transcript.Show(id, a.transcriptTitle())
	a.updateTranscript()
	a.updateDraft()
	return tea.Batch(a.loadDraft(a.recipient()), a.inspect())
}
