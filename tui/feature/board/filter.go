package board

import (
	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/society"
	"society-tui/tui/page"
	"society-tui/tui/replica"
	"society-tui/tui/sanitize"
)

// A filter limits the board to matching agents.
type filter struct {
	replica.Filter
	text   string
	typing bool
	before society.AgentID // selected before the filter
}

// setFilter limits the board to agents that match a text. Without a filter the agent of
// before is selected again.
func (f *Feature) setFilter(text string) {
	if !f.filter.IsActive() {
		f.filter.before = f.AtHand()
	}
	f.filter.text, f.stale = text, true
	f.filter.Parse(text)
	f.selectBefore()
}

// clearFilter shows all agents again, and reports whether there was a filter.
func (f *Feature) clearFilter() bool {
	was := f.filter.IsActive() || f.filter.typing
	f.filter.Show, f.filter.typing = replica.All, false
	if was {
		f.setFilter("")
	}
	return was
}

// cycleShow switches from all agents to those with problems, to running ones, and back.
func (f *Feature) cycleShow() {
	if !f.filter.IsActive() {
		f.filter.before = f.AtHand()
	}
	f.filter.Show, f.stale = f.filter.Show.Next(), true
	f.selectBefore()
}

// selectBefore selects the agent that was selected before the filter, if it is shown.
func (f *Feature) selectBefore() {
	f.arrange()
	if at := f.find(f.filter.before); at >= 0 {
		f.moveTo(at)
	}
	f.free = false
	f.cfg.Moved()
}

// typeFilter handles a key while the filter is typed, and reports whether it did.
func (f *Feature) typeFilter(key, text string) bool {
	switch key {
	case "enter", "tab", "down":
		f.filter.typing = false
	case "esc", "alt+esc", "ctrl+c":
		f.clearFilter()
	case "backspace", "ctrl+h":
		runes := []rune(f.filter.text)
		f.setFilter(string(runes[:max(len(runes)-1, 0)]))
	case "ctrl+u":
		f.setFilter("")
	default:
		if text == "" {
			return false
		}
		f.setFilter(f.filter.text + text)
	}
	return true
}

// Paste adds to the filter while that is typed.
func (f *Feature) Paste(text string) tea.Cmd {
	if f.filter.typing {
		f.setFilter(f.filter.text + sanitize.Line(text, page.TextCells))
	}
	return nil
}
