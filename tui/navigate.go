package tui

import (
	"cmp"
	"slices"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/society"
	"society-tui/tui/action"
	"society-tui/tui/layout"
	"society-tui/tui/page"
)

// mostHistory is how many agents alt+left remembers.
const mostHistory = 50

// mostPins is how many agents can be pinned.
const mostPins = 6

// onWindowFocus records whether the window has the focus: without it fewer
// frames are drawn, and nothing is marked as seen.
func (a *app) onWindowFocus(on bool) tea.Cmd {
	a.pump.Unfocused.Store(!on)
	a.nav.away = !on
	if on {
		a.clearCauses()
	}
	return a.seen()
}

// openAgent opens an agent and focuses the composer.
func (a *app) openAgent(id society.AgentID) tea.Cmd { return a.openAgentTo(id, false) }

// openAgentTo is openAgent; reads is set if the user wants to read a place there.
func (a *app) openAgentTo(id society.AgentID, reads bool) tea.Cmd {
	if _, here := a.replica.Row(id); !here && id != society.User {
		return a.warn(a.text(page.TextGone, a.name(id)), "")
	}
	if id != a.nav.open {
		a.nav.history = append(a.nav.history[max(len(a.nav.history)-mostHistory, 0):], a.nav.open)
	}
	a.composing.several = false
	a.tree.Select(id)
	a.prefs.Focus = layout.Composer
	a.arrange()
	cmd := a.showAgentConversation(id)
	for _, f := range a.features {
		if f, opens := f.(page.AgentOpener); opens && !a.dialogs.Shown() {
			cmd = tea.Batch(cmd, f.AgentOpened(id, reads))
		}
	}
	return cmd
}

// openNeedsYou opens the next agent that asks or failed.
func (a *app) openNeedsYou(next bool) tea.Cmd {
	found := false
	if next {
		found = a.tree.NextNeedsYou()
	} else {
		found = a.tree.PrevNeedsYou()
	}
	if !found {
		return a.inform(a.text(action.TextNobodyAsks), "")
	}
	id, before := a.tree.Selected(), a.nav.open
	cmd := a.openAgent(id)
	if id == before {
		return tea.Batch(cmd, a.inform(a.text(action.TextAsksHere, a.name(id)), ""))
	}
	return cmd
}

func (a *app) openParent() tea.Cmd {
	id, ok := a.parent()
	if !ok {
		return a.inform(a.text(textNoParent), "")
	}
	return a.openAgent(id)
}

// parent returns the agent above the open one. From the inbox that is root, to which the user
// writes there.
func (a *app) parent() (id society.AgentID, ok bool) {
	if a.nav.open == society.User {
		return society.Root, true
	}
	row, here := a.replica.Row(a.nav.open)
	return row.Parent, here && row.Parent != society.User
}

// openPrevious opens the previous agent that is still present.
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

// pin pins an agent to one of alt+4 to alt+9, or unpins it.
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
	return a.inform(a.text(textPinned, a.name(id), a.pinKey(at)), "")
}

// pinKey returns the key that opens the nth pinned agent, or its number if it has none.
func (a *app) pinKey(nth int) string {
	return cmp.Or(a.registry.Binding("pinned").NthKey(nth), strconv.Itoa(nth+1))
}

func (a *app) openPinned(at int) tea.Cmd {
	if at < 0 || at >= len(a.nav.pins) || a.nav.pins[at] == "" {
		return a.inform(a.text(textNoPin, a.pinKey(at)), "")
	}
	return a.openAgent(a.nav.pins[at])
}

// openSoon opens a created agent as soon as its row arrives, if the recipient is
// still the same.
func (a *app) openSoon(id, recipient society.AgentID) tea.Cmd {
	a.nav.whenReady = openWhenReady{id, recipient}
	return a.openNewAgent()
}

// openNewAgent opens a created agent once its row has arrived.
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

// showAgentConversation opens an agent's conversation: what is in memory at
// once, the rest when it is read.
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
