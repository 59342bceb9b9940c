// Package page connects the features with the screen: what a feature may ask of
// the screen, and the lists and questions that it opens over the panes.
//
// A feature is a struct with its own state and commands. It opens a List or
// asks a Question, and handles the user's choice. Only the event loop calls it.
package page

import (
	"context"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/api"
	"society-tui/runtime/i18n"
	"society-tui/runtime/society"
	"society-tui/themes"
	"society-tui/tui/action"
	"society-tui/tui/command"
	"society-tui/tui/layout"
	"society-tui/tui/replica"
	"society-tui/tui/statusline"
	"society-tui/tui/symbols"
)

// A Page lies over the panes and gets the keys while it is open.
type Page interface {
	IsOpen() bool
	Close()
	Scope() command.Scope // of its keys
	Writes() bool         // letters are text
	Hints() []statusline.Hint
	// Press handles a key, and reports whether it did. B is the key's command in
	// the page's scope or anywhere, or nil.
	Press(k tea.KeyPressMsg, b *command.Binding) (cmd tea.Cmd, taken bool)
	Paste(text string) tea.Cmd
	Click(x, y int) tea.Cmd // in cells of the screen
	Wheel(notches int)
	// View draws the page for a screen, with the cursor of its text field or nil.
	View(screen *layout.Layout) (layout.Part, *tea.Position)
	SetTheme(t themes.Theme, set symbols.Set)
}

// A Subject is a page with a selection of agents. While it is open, commands for agents are for
// those, and what opens the verbs holds on it.
type Subject interface {
	Page
	Targets() []society.AgentID
	AtHand() society.AgentID
}

// A Screen is what a feature may ask for. Requests take effect before the next
// key, so that fast typing never reaches what had the focus before.
type Screen interface {
	// Open puts a page over the panes, in place of one with the same scope.
	Open(p Page)
	Ask(q Question) tea.Cmd
	// Renew updates the questions that are open, as each change of the society does.
	Renew()
	// Act runs an action, after a question if something would be lost.
	Act(o action.Action) tea.Cmd
	// Notify shows a notice. An empty one only ends a notice of progress.
	Notify(n action.Notice) tea.Cmd
	// OpenAgent opens the conversation of an agent at a time.
	OpenAgent(id society.AgentID, at time.Time) tea.Cmd
	// Targets returns the agents that a command applies to, AtHand the one for a
	// command that takes one, and Recipient the agent that gets what the user
	// writes.
	Targets() []society.AgentID
	AtHand() society.AgentID
	Recipient() society.AgentID
	Copy(text string) tea.Cmd
	// Edit opens a text in the user's editor, and then calls done with the result,
	// or with false after a notice if that failed. found is false if there is no
	// editor.
	Edit(text string, done func(written string, ok bool) tea.Cmd) (cmd tea.Cmd, found bool)
	// View shows a file of that name and content in the user's pager or editor.
	// Found is false if there is none.
	View(name string, content []byte) (cmd tea.Cmd, found bool)
	Leave(how Leaving) tea.Cmd
	// Run runs work outside the event loop, and then its result inside. It is the
	// only way out of the loop: work may block, and must return soon after ctx is
	// done.
	Run(work func(ctx context.Context) (then func() tea.Cmd)) tea.Cmd
}

// A Leaving is how and where the user leaves to.
type Leaving struct {
	Pause bool   // pause all agents first
	To    string // the session to switch to, or ""
	// Background leaves the agents to a process without a screen that is ready.
	Background bool
	// End ends the society of an attached screen, too.
	End bool
}

// Deps are the dependencies of a feature.
type Deps struct {
	Screen  Screen
	Society api.Society
	Replica *replica.Society
	Actions *action.Builder
	Set     func() symbols.Set // for the terminal's current width measure
	Printer i18n.Printer
	Dot     string // separates remarks in one row
	Now     func() time.Time
}

// Longest names and single-line texts in cells; they are cut where they enter
// the screen.
const (
	NameCells = 64
	TextCells = 300
)

// Inform shows a notice about success.
func (d *Deps) Inform(text, hint string) tea.Cmd {
	return d.Screen.Notify(action.Notice{Text: text, Hint: hint})
}

// Warn shows a notice about a failure.
func (d *Deps) Warn(text, hint string) tea.Cmd {
	return d.Screen.Notify(action.Notice{Level: action.Warned, Text: text, Hint: hint})
}

// Explain shows a notice about an error.
func (d *Deps) Explain(err error) tea.Cmd { return d.Screen.Notify(d.Actions.NoticeFor(err)) }

// Arrows returns the keys up and down.
func Arrows(p i18n.Printer) string {
	if p.ASCII {
		return "up/down"
	}
	return "↑/↓"
}

func (d *Deps) Text(t i18n.Text, args ...any) string { return d.Printer.T(t, args...) }

// Also returns further words for a command. Those of both languages apply in each: who does not read
// the language of the screen looks for the command that changes it.
func (d *Deps) Also(c *command.Command) string {
	return strings.Join([]string{c.Also.EN, c.Also.ZH, c.Title.EN, c.Title.ZH}, " ")
}

// Later runs work outside the event loop, and handles its result inside.
func Later[T any](s Screen, work func(ctx context.Context) T, then func(T) tea.Cmd) tea.Cmd {
	return s.Run(func(ctx context.Context) func() tea.Cmd {
		result := work(ctx)
		return func() tea.Cmd { return then(result) }
	})
}

// Do sends a command to the society, and handles the reply in the event loop.
func Do[R society.Reply](d *Deps, cmd society.Request[R], then func(reply R, err error) tea.Cmd) tea.Cmd {
	return d.Screen.Run(func(ctx context.Context) func() tea.Cmd {
		reply, err := api.Do(ctx, d.Society, cmd)
		return func() tea.Cmd { return then(reply, err) }
	})
}

// Moment formats a time, with the date if it is not today.
func Moment(now, at time.Time) string {
	const clock = "15:04:05"
	at, now = at.Local(), now.Local()
	if at.YearDay() != now.YearDay() || at.Year() != now.Year() {
		return at.Format("01-02 " + clock)
	}
	return at.Format(clock)
}
