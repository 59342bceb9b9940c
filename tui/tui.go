// Package tui is the screen: it shows the society that a person leads, live, and
// carries their commands to it. It is told what changed, asks nothing from the
// event loop, and waits for nothing there.
package tui

import (
	"context"
	"errors"
	"io"

	"society-tui/runtime/api"
	"society-tui/runtime/protocol"
	"society-tui/runtime/template"
	"society-tui/themes"
	"society-tui/tui/action"
	"society-tui/tui/feature/logs"
	"society-tui/tui/feature/sessions"
	"society-tui/tui/feature/settings"
	"society-tui/tui/feature/templates"
	"society-tui/tui/page"
	"society-tui/tui/terminal"
)

// A Config says what the screen shows and where. Society and Watcher are
// required.
type Config struct {
	Society api.Society
	Watcher api.Watcher

	Lang protocol.Lang // of the screen; English if empty
	// Theme is a theme's name, or "auto" for one that suits the terminal. Empty
	// is what the person chose last, else auto.
	Theme string
	// Themes is where themes are found.
	Themes themes.Source
	Plain  bool // no colours, only bold and reverse: NO_COLOR
	ASCII  bool // no symbols beyond ASCII
	Still  bool // no spinners: reduced motion

	// Keys are those of bindings that have others than usual, by their names. Each
	// names at least one, and no place has one twice.
	Keys map[string][]string

	// Notify says when and how the person is told that they are needed.
	Notify Notify

	// Session is the name of the one that is shown, Sessions where all of them are;
	// nil if nothing is known of others.
	Session  string
	Sessions sessions.Store
	// Enter opens another session, of that name or a new one, while this one goes on;
	// a Leave that goes there must follow. nil if there is none to go to.
	Enter func(ctx context.Context, name string) error

	// Offline says that the model is the one that is built in.
	Offline bool
	// Examples are requests to choose from as the first one.
	Examples []string
	// Notice is what is to be said when the screen opens: that a damaged store
	// was moved aside, for example. Empty for nothing.
	Notice string

	// Templates is where templates are found, Spoken the language of the agents, and
	// FirstTeam the outcome of a template of the command line; nil for none.
	Templates template.Source
	Spoken    protocol.Lang
	FirstTeam *FirstTeam
	// Started counts the agents that there were when it was opened.
	Started api.StartReport

	// Backup copies all that is saved to a new file, and says what it wrote; an error
	// that wraps fs.ErrExist means that there is one of that name. nil for none.
	Backup func(ctx context.Context, file string) (string, error)

	// Export writes what was said to a new file, and what it wrote. An error that wraps
	// fs.ErrExist means that there is one of that name. nil for none.
	Export func(ctx context.Context, what action.Export) (action.Exported, error)

	// Settings are those in force, with where each came from and without keys.
	Settings []Setting

	// LogFile is where the log is, and Log reads its last lines, oldest first; nil where
	// there is none.
	LogFile string
	Log     func(ctx context.Context, all bool) ([]logs.Line, error)

	// StoreFile is where the society is kept, for how large that is; "" for nowhere.
	StoreFile string

	// Leave ends the society in order. The screen stays, and says what it waits for,
	// until Leave returns. Without it the screen closes at once and the Result tells
	// what was chosen.
	Leave func(ctx context.Context, how Leaving) error

	// Suspension is how the program is stopped and goes on; nil if it cannot be.
	Suspension terminal.Suspension

	// Input, Output and Environ are the terminal; nil is the program's own.
	Input   io.Reader
	Output  io.Writer
	Environ []string
}

// A Setting is one that is in force.
type Setting = settings.Setting

// A FirstTeam is the outcome of a template that was added before the screen opened.
type FirstTeam = templates.Outcome

// A Leaving is what the user leaves for.
type Leaving = page.Leaving

// A Result is how the person left.
type Result struct {
	Leaving
	Force bool // they did not want to wait for Leave
}

// ErrGone is returned by Run when what reads the keys finds that the terminal is there no
// more.
var ErrGone = errors.New("the terminal is gone")

// A Notify says when and how the person is told that they are needed.
type Notify struct {
	// When is "away", while the window has not the focus, which terminals have to
	// tell; "always", or "off". Empty is "away".
	When string
	// By is "bell", "osc9", "osc777", "osc99", or "auto" for what the terminal is
	// known to have. Empty is "auto".
	By string
}
