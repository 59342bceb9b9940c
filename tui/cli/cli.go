// Package cli is the command line: it parses the arguments, runs the commands
// that need no screen, and opens the one that does.
//
// [Run] is the entry point. For the screen it makes models, limits, graphs,
// templates, the log and the store of a society from the settings. A [Frontend]
// then shows one open [Session] after the other, on the screen or in plain
// mode, and reports how the last one ended.
//
// Exit codes: 0, 1 for a failure, 2 for a mistake in the call or the settings.
package cli

import (
	"errors"
	"io/fs"
	"os"
	"runtime/debug"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"

	"society-tui/runtime/config"
	"society-tui/runtime/logfile"
	"society-tui/runtime/template"
	"society-tui/themes"
	"society-tui/tui/process"
)

// A commandLine is the syntax of the arguments.
type commandLine struct {
	Data     *string          `placeholder:"DIR" help:"Keep the sessions in this folder."`
	Session  *string          `placeholder:"NAME" help:"Open this session (default society). Each is a society of its own, in its own file."`
	File     *string          `name:"config" placeholder:"FILE" help:"Read the settings from this file."`
	Demo     bool             `help:"Use the built-in offline model, whatever else is set."`
	Model    *string          `placeholder:"NAME" help:"Use this model: one of the [[models]] in the settings, or its name at the endpoint."`
	Theme    *string          `placeholder:"NAME" help:"Use these colours: auto, ${themes}, or your own from ${themeFolder}."`
	Lang     *string          `placeholder:"LANG" help:"Use this language: auto, en or zh-CN."`
	ASCII    bool             `name:"ascii" help:"Draw with ASCII characters only."`
	Plain    bool             `help:"Plain lines instead of a screen, for screen readers and simple terminals."`
	Paused   bool             `help:"Start with all agents paused."`
	Template *string          `placeholder:"NAME|FILE" help:"Add the team of this template under root, once per session: ${templates}, your own from ${folder}, or a file."`
	Version  kong.VersionFlag `help:"Print the version."`

	Screen    screenCommand    `cmd:"" default:"1" help:"Open the screen. This is the default."`
	Check     checkCommand     `cmd:"" help:"Check the stored data for damage. Exit code 0 if it is sound, 1 if not."`
	Backup    backupCommand    `cmd:"" help:"Write a checked copy of the session to a new file."`
	Export    exportCommand    `cmd:"" help:"Export the session as JSON, which can be imported again, or as Markdown, for reading."`
	Import    importCommand    `cmd:"" help:"Import an export, a backup, or what is left of a damaged file into an empty session."`
	Compact   compactCommand   `cmd:"" help:"Free the disk space of deleted data."`
	Settings  settingsCommands `cmd:"" name:"config" help:"Print the settings in effect and where each comes from; 'config init' writes a commented file."`
	Models    modelsCommand    `cmd:"" help:"List the models and test whether each answers. Exit code 1 if the default does not."`
	Templates templatesCommand `cmd:"" help:"List the team templates, or print one to start your own from."`
	DemoModel demoModelCommand `cmd:"" name:"demo-model" help:"Serve the offline model to other programs until ctrl+c."`
	VersionOf versionCommand   `cmd:"" name:"version" help:"Print the version."`
	Reset     resetCommand     `cmd:"" help:"Repair a terminal that a crash left unusable."`
	Reference helpCommand      `cmd:"" name:"help" help:"Print a help topic, or list all topics."`
}

// A usageError is a mistake in the call or the settings: exit code 2.
type usageError struct {
	error
	hint string // how to do it right
}

// Unwrap returns the cause.
func (e usageError) Unwrap() error { return e.error }

// Run runs a command line for the user at in, out and errOut, and returns the
// exit code.
func Run(args []string, in, out, errOut *os.File) (code int) {
	var line commandLine
	c := newConsole(in, out, errOut, &line)
	defer func() {
		if r := recover(); r != nil {
			c.say(errOut, "society-tui: a fault of the program: %v\n%s", r, debug.Stack())
			code = 1
		}
	}()
	places := config.UserPlaces()
	parser := kong.Must(&line, kong.Name("society-tui"),
		kong.Description("Run a team of AI agents in your terminal. Tell root what you need: it creates the team, and you can watch, message, pause or stop any agent."),
		kong.Vars{
			"version": logfile.Version(), "themes": strings.Join(themes.Names(), ", "), "themeFolder": places.Themes,
			"templates": strings.Join(template.Names(), ", "), "folder": places.Templates,
		},
		kong.ConfigureHelp(kong.HelpOptions{NoExpandSubcommands: true, FlagsLast: true}))
	process.OutliveReader()
	command, err := parser.Parse(args)
	if err != nil {
		err = c.misuse(args, err)
	} else {
		err = command.Run(c)
	}
	usage, wrong := errors.AsType[usageError](err)
	switch {
	case err == nil:
		return 0
	case readerLeft(err, out):
		return 1
	case wrong:
		c.say(errOut, "society-tui: %v\n%s\n", err, usage.hint)
		return 2
	default:
		c.say(errOut, "society-tui: %v\n", err)
		return 1
	}
}

// readerLeft reports whether err means that the reader of the output has closed
// it, which is no error to report.
func readerLeft(err error, out *os.File) bool {
	write, ok := errors.AsType[*fs.PathError](err)
	return ok && write.Path == out.Name() && errors.Is(write.Err, syscall.EPIPE)
}
