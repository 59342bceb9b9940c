// Package page is what lies between the features and the screen: what a feature may
// ask of the screen, and the lists and questions that it opens over the panes.
//
// A feature is a struct with its own state. It has its commands, opens a List or asks
// a Question, and handles what the user chooses there. Only the event loop calls it.
package page

import (
	"context"
	"time"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/api"
	"society-tui/runtime/i18n"
	"society-tui/runtime/protocol"
	"society-tui/runtime/society"
	"society-tui/tui/action"
	"society-tui/tui/command"
	"society-tui/tui/dialog"
	"society-tui/tui/list"
	"society-tui/tui/replica"
	"society-tui/tui/statusline"
	"society-tui/tui/symbols"
)

// A Screen is what a feature may ask for. It takes effect before the next key, so
// that fast typing never reaches what had the focus before.
type Screen interface {
	// OpenList opens a list in place of the one that is open. One of the same kind
	// keeps its place.
	OpenList(l List, title, empty string, items []list.Item)
	// List returns the list that is open; its kind is "" while none is.
	List() *list.Model
	Ask(q Question) tea.Cmd
	OpenDialog(d dialog.Dialog)
	Notify(n action.Notice) tea.Cmd
	// NotifyError says what went wrong, in words.
	NotifyError(err error) tea.Cmd
	// NotifyGoing says what is under way. What comes of it takes its place.
	NotifyGoing(text string) tea.Cmd
	// OpenAgent opens the conversation of an agent, OpenAgentAt at what it said then.
	OpenAgent(id society.AgentID) tea.Cmd
	OpenAgentAt(id society.AgentID, at time.Time) tea.Cmd
	// Targets returns the agents that a command is for now, AtHand the one that a
	// command is for which is for one, and Recipient who gets what is written.
	Targets() []society.AgentID
	AtHand() society.AgentID
	Recipient() society.AgentID
	Copy(text string) tea.Cmd
	// Edit opens a text in the user's own editor, and then calls done with what was
	// written; with false, and a notice, if that failed. It returns false where there is
	// no such editor.
	Edit(text string, done func(written string, ok bool) tea.Cmd) (cmd tea.Cmd, found bool)
	PromptEditor() *PromptEditor
	// Save keeps over a restart, soon, what the user did.
	Save() tea.Cmd
	Leave(how Leaving) tea.Cmd
	// IsLeaving reports whether the screen is being left.
	IsLeaving() bool
	// LeavingBody says who is at work when the society is to be left, and what
	// becomes of all.
	LeavingBody(saved string) []dialog.Line
	// Run does work outside the event loop, and then what work returned in it. It is
	// the only way out of the loop: work may wait, and must return soon after ctx is
	// done.
	Run(work func(ctx context.Context) (then func() tea.Cmd)) tea.Cmd
	// InList does what a command of lists does in the one that is open; otherwise what
	// it does elsewhere.
	InList(id string, otherwise func() tea.Cmd) tea.Cmd
	// OpenNewAgent opens an agent that was just created, as soon as the society tells of
	// it, unless the recipient is not the one any more that it was.
	OpenNewAgent(id, recipient society.AgentID) tea.Cmd
	// RefreshInspector reads anew what the inspector shows.
	RefreshInspector() tea.Cmd
	// Hint names the key that a command of lists has.
	Hint(id, does string) statusline.Hint
}

// A Leaving is what the user leaves for.
type Leaving struct {
	Pause bool   // all agents are to be paused first
	To    string // the session that is gone to, "" for none
}

// Deps are what features are made of.
type Deps struct {
	Screen  Screen
	Society api.Society
	Replica *replica.Society
	Actions *action.Builder
	Set     func() symbols.Set // as the terminal measures now
	Printer i18n.Printer
	Dot     string // between two things that are told in one row
	Now     func() time.Time
}

// Names and other texts of one row are cut to so many cells where they enter the
// screen.
const (
	NameCells = 64
	TextCells = 300
)

// Tell shows a notice of what was done, Warn one of what was not.
func (d *Deps) Tell(text, hint string) tea.Cmd {
	return d.Screen.Notify(action.Notice{Text: text, Hint: hint})
}

// Warn shows a notice of what was not done.
func (d *Deps) Warn(text, hint string) tea.Cmd {
	return d.Screen.Notify(action.Notice{Level: action.Warned, Text: text, Hint: hint})
}

// Text prints a text.
func (d *Deps) Text(t i18n.Text, args ...any) string { return d.Printer.T(t, args...) }

// Also returns other words for a command; those in English hold in Chinese too.
func (d *Deps) Also(c *command.Command) string {
	if d.Printer.Lang == protocol.Chinese {
		return c.Also.EN + " " + c.Also.ZH
	}
	return c.Also.EN
}

// Later does work outside the event loop, and handles its result in it.
func Later[T any](s Screen, work func(ctx context.Context) T, then func(T) tea.Cmd) tea.Cmd {
	return s.Run(func(ctx context.Context) func() tea.Cmd {
		result := work(ctx)
		return func() tea.Cmd { return then(result) }
	})
}

// Do asks the society to carry out a command, and handles the reply in the event loop.
func Do[R society.Reply](d *Deps, cmd society.Request[R], then func(reply R, err error) tea.Cmd) tea.Cmd {
	return d.Screen.Run(func(ctx context.Context) func() tea.Cmd {
		reply, err := api.Do(ctx, d.Society, cmd)
		return func() tea.Cmd { return then(reply, err) }
	})
}

// Moment writes when something was: the time of day, with the day if it was another.
func Moment(now, at time.Time) string {
	const clock = "15:04:05"
	at, now = at.Local(), now.Local()
	if at.YearDay() != now.YearDay() || at.Year() != now.Year() {
		return at.Format("01-02 " + clock)
	}
	return at.Format(clock)
}
