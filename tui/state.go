package tui

import (
	"time"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/society"
	"society-tui/tui/action"
	"society-tui/tui/background"
	"society-tui/tui/inspector"
	"society-tui/tui/layout"
	"society-tui/tui/statusline"
)

// A clock animates the screen. It stops while no agent is busy.
type clock struct {
	alarm background.AlarmClock
	runs  bool
	every time.Duration
	frame int                   // of the spinners
	calm  background.AlarmClock // ends the time after a key in which the tree keeps its place
}

// notch is how many lines a notch of the wheel scrolls.
const notch = 3

// A pointer is the state of the mouse.
type pointer struct {
	prefs mousePrefs

	dragging  bool // the border between tree and conversation
	marking   bool // selecting text in pane from, up to a cell
	from      layout.Pane
	to        tea.Mouse
	opens     society.AgentID // when the button is released, unless text was selected
	pulling   bool            // the pointer is beyond the pane's edge
	pulled    background.AlarmClock
	grip      int         // distance of the pointer from the border
	turned    int         // collected notches
	over      layout.Pane // the pane under the wheel
	turning   bool        // notches are being collected
	wheelDone background.AlarmClock
}

// mousePrefs is where the user wants the screen to have the mouse. In GNU
// screen it is off by default.
type mousePrefs struct {
	off         bool // outside GNU screen
	inGNUScreen bool
	told        bool // the user was told that it is off there
}

// causes are the causes for a notification.
type causes struct {
	asks, failed []society.AgentID // each once
	rest         bool              // all are
}

func (c *causes) none() bool { return len(c.asks)+len(c.failed) == 0 && !c.rest }

// A notifier collects causes. Each is notified or seen once.
type notifier struct {
	causes
	last     time.Time
	resting  background.AlarmClock
	due      background.AlarmClock
	deferred bool // due is set
}

// composing is the state of the composer besides its text.
type composing struct {
	newTask    bool            // the next message begins a task
	helpTold   bool            // a ? that was typed has been answered
	several    bool            // the marked agents are the recipients
	answered   society.AgentID // the agent that this screen has sent to last
	completion completion
	argsLoaded bool // completions of the written command were loaded
	files      foundFiles
	attached   attachedFiles
	cleared    bool      // the notice says that the text was cleared
	example    int       // selected example on the first screen, from 1; 0 for none
	digitAt    time.Time // when the number of a quick reply was typed
}

// A completion is the state of the list of candidates. A key that changes the
// text resets it.
type completion struct {
	shut  bool   // by esc
	moved bool   // the user has selected a row
	mark  int    // that row
	top   int    // the first visible row
	of    string // the text that moved, mark and top refer to

	// The text that tab completes, and the last completion written for it.
	stem, wrote string
	// spaced is the draft that ends in the blank behind a completed word: one that is typed then
	// is that blank.
	spaced string
}

// running holds the commands in progress.
type running struct {
	verbs       map[order]bool
	terminating map[society.AgentID]bool // agents that the user is terminating
	unanswered  int                      // commands without a reply
	slow        background.AlarmClock    // tells that there are such
}

// A navigation is where the user is and was.
type navigation struct {
	profiling inspector.Want    // what is being read for the inspector
	open      society.AgentID   // the open conversation, and the recipient
	inspected society.AgentID   // the inspector's subject when it got the focus
	history   []society.AgentID // agents opened before
	pins      []society.AgentID // alt+4 and following; "" for a free one
	whenReady openWhenReady     // an agent that the user has just created
	visit     visit
	// beforeSearch was in focus when a search began, and beforeInspector when the
	// inspector got the focus.
	beforeSearch    layout.Pane
	beforeInspector layout.Pane
	away            bool     // the window has lost the focus: nothing is marked as seen
	seen            seenMark // the last report to the society
}

// A visit is a conversation that is searched because a list of places opened
// it. It ends when the user searches for something else.
type visit struct {
	to   society.AgentID // "" for no visit
	back func() tea.Cmd  // returns to the list
}

// A seenMark is the unread part of a visible conversation. The society is told
// of each once, whatever it answers.
type seenMark struct {
	agent  society.AgentID
	unread int
	report bool
	next   uint64
}

// exit is how the screen is left.
type exit struct {
	leaving   bool
	begun     time.Time // when leaving began
	unasked   time.Time // a ctrl+c until then was meant for a question that was not asked
	detaching bool      // a process in the background gets ready
	delay     string    // why leaving takes long
	result    Result
}

// A treeOrder records when the tree was sorted last.
type treeOrder struct {
	sorted time.Time
	due    background.AlarmClock
}

// An openWhenReady is a created agent without a row. It is opened when its row
// arrives, unless the user has chosen another recipient.
type openWhenReady struct{ agent, recipient society.AgentID }

// A scope takes the keys while it is open: a page, a filter line, or the focused
// pane.
type scope struct {
	open   func() bool
	press  func(tea.KeyPressMsg) tea.Cmd
	paste  func(text string) tea.Cmd // nil: it takes no text
	hints  func() []statusline.Hint
	writes func() bool // letters are text
}

// An order is a verb for an agent in progress. The same one is ignored
// meanwhile, so that a double press has one effect.
type order struct {
	verb  action.Verb
	agent society.AgentID
}
