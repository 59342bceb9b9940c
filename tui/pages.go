package tui

import (
	"cmp"
	"slices"

	tea "charm.land/bubbletea/v2"

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
	// A letter of a text may have opened the page.
	if !p.Writes() && (a.subjectPage() == p || a.keyboard.stray.goesOn(k, a.now())) {
		if cmd, strays := a.straying(k, b != nil); strays {
			p.Close()
			return cmd
		}
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
		p.Close()
		return a.pasteInPane(text)
	}
	return p.Paste(text)
}

func (a *app) pageHints() []statusline.Hint { return a.topPage().Hints() }
