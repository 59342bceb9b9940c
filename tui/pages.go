package tui

import (
	"cmp"
	"slices"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/society"
	"society-tui/tui/command"
	"society-tui/tui/page"
	"society-tui/tui/statusline"
)

// openPage puts a page over the panes, in place of one with the same scope.
func (a *app) openPage(p page.Page) {
	for _, other := range a.pages {
		if other != p && other.Scope() == p.Scope() {
			other.Close()
		}
	}
	a.pages = slices.DeleteFunc(a.pages, func(other page.Page) bool { return other == p || !other.IsOpen() })
	a.pages = append(a.pages, p)
	slices.SortFunc(a.pages, func(p, q page.Page) int { return cmp.Compare(p.Scope(), q.Scope()) }) // lists stay below the prompt editor
	p.SetTheme(a.appearance.theme, a.set)
}

// openPages returns the open pages from the bottom up: dialogs are on top.
func (a *app) openPages() []page.Page {
	var open []page.Page
	for _, p := range append(slices.Clip(a.pages), dialogPage{a}) {
		if p.IsOpen() {
			open = append(open, p)
		}
	}
	return open
}

// subjectPage returns the topmost open page with a selection of agents, or nil.
func (a *app) subjectPage() page.Subject {
	for _, p := range slices.Backward(a.pages) {
		if p, selects := p.(page.Subject); selects && p.IsOpen() {
			return p
		}
	}
	return nil
}

// pageHasKeys reports whether the top page gets the keys. The verbs after the prefix precede a
// page whose agents they are for.
func (a *app) pageHasKeys() bool {
	top := a.topPage()
	_, selects := top.(page.Subject)
	return top != nil && !(selects && a.keyboard.armed == prefixArmed)
}

// topPage returns the page that gets the keys, or nil.
func (a *app) topPage() page.Page {
	open := a.openPages()
	if len(open) == 0 {
		return nil
	}
	return open[len(open)-1]
}

// pressOnPage gives a key to the top page. What it does not take may close the page, open
// the help, or be one of a few other commands.
func (a *app) pressOnPage(k tea.KeyPressMsg) tea.Cmd {
	p, key := a.topPage(), command.Stroke(k)
	b := a.registry.Find(key, p.Scope(), p.Writes())
	if cmd, strays := a.strayingOnPage(p, k, b != nil); strays {
		return cmd
	}
	cmd, taken := p.Press(k, b)
	switch {
	case taken:
		return cmd
	case key == "ctrl+c": // who wants a list away does not want to quit
		return a.pressOnPage(tea.KeyPressMsg{Code: tea.KeyEscape})
	case b == nil || a.openHelpOn(key, p.Writes()):
	case b.ID == "palette", b.ID == "timeline" && p.Writes():
		return a.pressBinding(b, key)
	}
	return nil
}

func (a *app) pasteOnPage(text string) tea.Cmd {
	p := a.topPage()
	if a.subjectPage() == p && !p.Writes() {
		return tea.Batch(a.leavePage(p, a.selectedOn(p)), a.pasteInPane(text))
	}
	return p.Paste(text)
}

// strayingOnPage leaves a page without a text field for the composer, with what was typed in a row
// over the board, or where a letter of that has opened the page.
func (a *app) strayingOnPage(p page.Page, key tea.KeyPressMsg, bound bool) (cmd tea.Cmd, strays bool) {
	t := &a.keyboard.stray
	goesOn := t.goesOn(key, a.now())
	if key.Text == "" || p.Writes() || a.subjectPage() != p && !goesOn {
		return nil, false
	}
	to := t.to
	if !goesOn {
		to = a.selectedOn(p)
	}
	if strays = t.grows(key, bound, a.now()); !strays {
		t.to = to
		return nil, false
	}
	return tea.Batch(a.leavePage(p, to), a.composeStray()), true
}

// selectedOn returns the agent that is selected on a page, else the open one.
func (a *app) selectedOn(p page.Page) society.AgentID {
	if s, selects := p.(page.Subject); selects && s.AtHand() != society.User {
		return s.AtHand()
	}
	return a.nav.open
}

// leavePage closes a page for a text to an agent.
func (a *app) leavePage(p page.Page, to society.AgentID) tea.Cmd {
	if p.Close(); to == "" || to == a.nav.open {
		return nil
	}
	return a.openAgent(to)
}

func (a *app) pageHints() []statusline.Hint { return a.topPage().Hints() }
