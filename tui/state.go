package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/society"
	"society-tui/tui/action"
	"society-tui/tui/background"
	"society-tui/tui/command"
	"society-tui/tui/inspector"
	"society-tui/tui/layout"
	"society-tui/tui/statusline"
)

// A clock is the one that animates the screen. While nobody is busy it stands.
type clock struct {
	alarm background.AlarmClock
	runs  bool
	every time.Duration
	frame int // of the spinners
}

// A pointer is what the mouse does between two of its reports.
type pointer struct {
	prefs mousePrefs

	clicked   society.AgentID // the row of the tree that was clicked last
	at        time.Time
	dragging  bool // the border between tree and conversation
	marking   bool // text in the pane from, as far as at
	from      layout.Pane
	to        tea.Mouse
	pulling   bool // it is beyond the edge of the pane
	pulled    background.AlarmClock
	grip      int         // what the tree is wider than where its border was taken
	turned    int         // notches that were not carried out yet
	over      layout.Pane // where the wheel is turned
	turning   bool        // the notches are being gathered
	wheelDone background.AlarmClock
}

// mousePrefs says where the user wants the screen to have the mouse. In GNU screen it has
// it only if they ask for it there.
type mousePrefs struct {
	off         bool // outside GNU screen
	inGNUScreen bool
	told        bool // the user was told that it is off there
}

// causes are what the person was not told of yet.
type causes struct {
	asks, failed []society.AgentID // each once
	rest         bool              // all are
}

func (c *causes) none() bool { return len(c.asks)+len(c.failed) == 0 && !c.rest }

// notifier gathers causes. Each is told once, or seen.
type notifier struct {
	causes
	last     time.Time
	resting  background.AlarmClock
	due      background.AlarmClock
	deferred bool // due is set
}

// composing is what goes on beside the text in the composer.
type composing struct {
	newTask    bool // the next message begins a task
	completion completion
	argsLoaded bool // what completes the command that is being written was read
	example    int  // the one that is marked on the first screen, from 1; 0 for none
}

// A completion is the list of candidates above the composer, as the user left it. A key
// that changes the text resets it.
type completion struct {
	shut  bool   // by esc
	moved bool   // the user has marked a row
	mark  int    // that row
	top   int    // the first row that is drawn
	of    string // the text that moved, mark and top are about

	// The text that tab goes through the candidates of, and what it has written
	// of them last.
	stem, wrote string
}

// running holds the verbs that are being carried out.
type running struct {
	verbs       map[order]bool
	terminating map[society.AgentID]bool // the agents that the user has terminated
}

// A navigation holds where the user is and was.
type navigation struct {
	profiling inspector.Want    // what is being read for the inspector
	open      society.AgentID   // whose conversation is shown and who gets what is written
	inspected society.AgentID   // the subject of the inspector when it got the focus
	history   []society.AgentID // the agents that were open before
	pins      []society.AgentID // on alt+4 and after; "" for a free place
	whenReady openWhenReady     // an agent that the user has just made
	away      bool              // the window has lost the focus: nothing counts as seen
	seen      seenMark          // what the society was told last
}

// A glance is what is unread of a conversation that the person looks at. The
// society is told of each once, whatever it answers.
type seenMark struct {
	agent  society.AgentID
	unread int
	report bool
	next   uint64
}

// exit is how the screen is left.
type exit struct {
	leaving bool
	result  Result
}

// A treeOrder knows when the tree was sorted last.
type treeOrder struct {
	sorted time.Time
	due    background.AlarmClock
}

// An openWhenReady is an agent that the user has created and that no frame has brought
// yet: it is opened then, unless the user writes to another agent by then.
type openWhenReady struct{ agent, recipient society.AgentID }

// A scope is something that takes the keys while it is open: a question, a list, a
// filter that is being typed, the pane with the focus.
type scope struct {
	open   func() bool
	press  func(tea.KeyPressMsg) tea.Cmd
	paste  func(text string) tea.Cmd // nil: it takes no text
	hints  func() []statusline.Hint
	writes func() bool          // letters are text
	scope  func() command.Scope // of its keys
}

// An order is a verb for an agent that is being carried out. The same one is not
// given twice meanwhile: a key that was pressed twice has one effect.
type order struct {
	verb  action.Verb
	agent society.AgentID
}
