package page

import (
	tea "charm.land/bubbletea/v2"

	"society-tui/tui/statusline"
)

// A List says what the keys of a list do beside moving in it.
type List struct {
	Kind string // by which its owner knows it

	Take  func() tea.Cmd // enter
	Takes string         // what that does, in the row of hints
	// Keys are what other commands of lists do here, by their IDs.
	Keys map[string]func() tea.Cmd
	// More are the hints between that of enter and that of esc; nil: how to move.
	More    func() []statusline.Hint
	Back    func() tea.Cmd // esc; nil: the list closes
	Cancels bool           // esc takes something back

	Searched  bool // by typing, the best match first
	InOrder   bool // or as they stand
	NewsAtEnd bool // and of kinds, which can be shown alone; the newest stands last
}

// IsSearched reports whether the list is searched by typing.
func (l *List) IsSearched() bool { return l.Searched || l.InOrder || l.NewsAtEnd }
