// Package tui is the screen: it shows the user's society live, and sends it
// commands. [Run] shows it until the user leaves.
//
// The app is the only tea.Model. It routes messages, keys and changes, lays out the
// panes, and owns where the user is; widgets draw, features open lists and dialogs, and
// package replica holds what is known of the society. Update and View never wait: what
// may wait runs in package background, and changes arrive through package pump.
//
// All that the user can do is a [society-tui/tui/command.Command], from which bindings,
// hints, help, palette, completion and the tables of the documentation come. README.md
// beside this file follows one key from the terminal to the store.
package tui

import (
	"context"
	"errors"
	"io"
	"os"

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

// A Config is the configuration of the screen. Society and Watcher are
// required.
type Config struct {
	Society api.Society
	Watcher api.Watcher

	Lang protocol.Lang // of the screen; English if empty
	// Theme is the name of a theme, or "auto" for one that suits the terminal.
	// Empty is the saved one, else auto.
	Theme string
	// Themes is the source of themes.
	Themes themes.Source
	Plain  bool // no colours, only bold and reverse: NO_COLOR
	ASCII  bool // no symbols beyond ASCII
	Still  bool // no spinners: reduced motion

	// Keys overrides the keys of bindings by name. Each has at least one, and no
	// scope has one twice.
	Keys map[string][]string

	// Notify decides about notifications.
	Notify Notify

	// Session is the name of the open session, Sessions the store of all; nil if
	// unavailable.
	Session  string
	Sessions sessions.Store
	// Enter opens another or a new session while this one runs; a Leave for it must
	// follow. It is nil if there is no other.
	Enter func(ctx context.Context, name string) error

	// Command returns a command of the shell for this session, the screen for ""; nil if that is
	// not known.
	Command func(does string) string
	// Attached names where the society runs if that is another process, which goes on when
	// the screen is left; "" for this one.
	Attached string

	// ModelSetup sets models up; nil if that is not possible from here: a screen that is attached
	// over a port sends no keys.
	ModelSetup api.ModelSetup
	// Examples are suggestions for a first request.
	Examples []string
	// HTTP tells at which port other programs reach the society, or why at none; "" if no
	// port is wanted.
	HTTP string
	// Notice is shown when the screen opens, such as that a damaged store was moved
	// aside.
	Notice string

	// Templates is the source of templates, Spoken the language of the agents, and
	// FirstTeam the outcome of a template of the command line, or nil.
	Templates template.Source
	Spoken    protocol.Lang
	FirstTeam *FirstTeam
	// NewFolder is the workspace if the user is to be asked what agents may do there.
	NewFolder action.NewFolder
	// Workspace is where agents work on files.
	Workspace action.Workspace
	// Started counts the agents that continue after the start.
	Started api.StartReport

	// Backup copies the store to a new file, and returns its path; an error that
	// wraps fs.ErrExist means that the file exists. It may be nil.
	Backup func(ctx context.Context, file string) (string, error)

	// Export writes conversations to a new file. An error that wraps fs.ErrExist
	// means that the file exists. It may be nil.
	Export func(ctx context.Context, what action.Export) (action.Exported, error)

	// Save writes a file for the user, and returns its path. It may be nil.
	Save func(action.SavedFile) (string, error)

	// Settings are the settings in force with their sources, without keys of
	// models.
	Settings []Setting
	// ReadSettings reads the settings anew, as the program or others have changed them; it may
	// be nil.
	ReadSettings func(ctx context.Context) ([]Setting, error)
	// ChangeSetting writes a setting into the settings file; it is nil if there is none here.
	ChangeSetting func(ctx context.Context, key, text string) (settings.Changed, error)

	// LogFile is the path of the log; Log reads its last lines, oldest first, and
	// is nil if there is no log.
	LogFile string
	Log     func(ctx context.Context, all bool) ([]logs.Line, error)

	// StoreFile is the path of the store on the machine of the society, "" for none, and
	// StoreSize returns how many bytes it has; it may be nil.
	StoreFile string
	StoreSize func(ctx context.Context) (int64, error)

	// Detach gets a process ready that goes on with the society without a screen; a Leave
	// with Background must follow. After an error nothing has changed. It is nil if this
	// program does not run the society.
	Detach func(ctx context.Context) error
	// Delays receives why leaving to the background takes long. It may be nil.
	Delays <-chan string

	// Look lets the screen only look: commands that change the society are refused, and
	// nothing is kept.
	Look bool
	// Machine names the client's machine, for which what is open, folded and scrolled is
	// kept; "" for the society's own.
	Machine string

	// Leave shuts the society down. The screen stays and shows progress until it
	// returns. If nil, the screen closes at once and the Result tells the choice.
	Leave func(ctx context.Context, how Leaving) error

	// Suspension stops the program; nil if that is not possible.
	Suspension terminal.Suspension

	// Input, Output and Environ are the terminal; nil is the program's own.
	Input   io.Reader
	Output  io.Writer
	Environ []string
}

// environ returns the environment of the terminal.
func (c *Config) environ() []string {
	if c.Environ != nil {
		return c.Environ
	}
	return os.Environ()
}

// A Setting is a setting in force.
type Setting = settings.Setting

// A FirstTeam is the outcome of a template that was added before the screen
// opened.
type FirstTeam = templates.Outcome

// A Leaving is how and where the user leaves to.
type Leaving = page.Leaving

// A Result is how the user left.
type Result struct {
	Leaving
	Force bool // without waiting for Leave
	Asks  bool // the input has ended, and an agent waits for an answer
	// Refused is set if a line of a script names a command or an agent that there is not.
	Refused bool
}

// ErrGone is returned by Run when the terminal has disappeared.
var ErrGone = errors.New("the terminal is gone")

// A Notify is when and how to notify the user.
type Notify struct {
	// When is "away", while the window has no focus, if the terminal reports that;
	// "always", or "off". Empty is "away".
	When string
	// By is "bell", "osc9", "osc777", "osc99", or "auto" for what the terminal is
	// known to support. Empty is "auto".
	By string
}
