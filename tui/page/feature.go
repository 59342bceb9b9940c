package page

import (
	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
	"society-tui/tui/command"
	"society-tui/tui/replica"
)

// A Feature is a part of the screen with commands, state and pages of its own.
// It may implement Opener, AgentOpener, Watcher and Worker, too.
type Feature interface {
	Commands() []*command.Command
}

// An Opener is told once that the society is on the screen.
type Opener interface {
	Opened() tea.Cmd
}

// A Watcher is told what changed, after the replica.
type Watcher interface {
	Changed(c *api.Changes, did replica.Applied)
}

// An AgentOpener is told that the user has opened the conversation of an agent,
// unless a dialog is open. Reads is set if that is to read a place in it, which nothing may
// cover.
type AgentOpener interface {
	AgentOpened(id society.AgentID, reads bool) tea.Cmd
}

// A Worker does long work in parts. Next begins the next part unless one is
// running; it is called after each message.
type Worker interface {
	Next() tea.Cmd
}
