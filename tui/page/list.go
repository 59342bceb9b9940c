package page

import (
	tea "charm.land/bubbletea/v2"

	"society-tui/tui/statusline"
)

// A List defines what the keys of a list do, besides moving.
type List struct {
	Kind string // identifies it to its owner

	Take  func() tea.Cmd // on enter
	Takes string         // hint for enter
	// Keys are the actions of other commands of lists here, by ID.
	Keys map[string]func() tea.Cmd
	// More are the hints between those of enter and esc; if nil, those for moving.
	More    func() []statusline.Hint
	Back    func() tea.Cmd // on esc; nil closes
	Cancels bool           // esc undoes something

	Searched  bool // by typing, best match first
	InOrder   bool // by typing, in order
	NewsAtEnd bool // in order and by tags; the newest is last
}

// IsSearched reports whether typing searches the list.
func (l *List) IsSearched() bool { return l.Searched || l.InOrder || l.NewsAtEnd }
