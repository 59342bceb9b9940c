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
	Data     *string          `placeholder:"DIR" help:"Keep the society in this folder."`
	Session  *string          `placeholder:"NAME" help:"The session to open: each is a society of its own, in a file of its own (default society)."`
	File     *string          `name:"config" placeholder:"FILE" help:"Read the settings from this file."`
	Demo     bool             `help:"Use the built-in offline model, whatever else is set."`
	Model    *string          `placeholder:"NAME" help:"The model to use: one of the [[models]] in the settings, or as its endpoint knows it."`
	Theme    *string          `placeholder:"NAME" help:"Colours: auto, ${themes}, or one of your own from ${themeFolder}."`
	Lang     *string          `placeholder:"LANG" help:"Language: auto, en or zh-CN."`
	ASCII    bool             `name:"ascii" help:"Draw with ASCII characters only."`
	Plain    bool             `help:"Lead it in lines, without a screen: for screen readers, and where nothing can be drawn."`
	Paused   bool             `help:"Start with all agents paused."`
	Template *string          `placeholder:"NAME|FILE" help:"Plant a template below root, once in a society: ${templates}, one of your own from ${folder}, or a file."`
	Version  kong.VersionFlag `help:"Print the version."`

	Screen    screenCommand    `cmd:"" default:"1" help:"Open the screen; this is what happens without a command."`
	Check     checkCommand     `cmd:"" help:"Verify what is stored: exit code 0 if it is sound, 1 if not, with what is wrong."`
	Backup    backupCommand    `cmd:"" help:"Write a checked copy of what is stored to a new file."`
	Export    exportCommand    `cmd:"" help:"Write the society out: as JSON, which can be read in again, or as Markdown, to read."`
	Import    importCommand    `cmd:"" help:"Read in an export, a backup, or what is left of a damaged file, where no society has begun yet."`
	Compact   compactCommand   `cmd:"" help:"Give back the space of what was deleted."`
	Settings  settingsCommands `cmd:"" name:"config" help:"Print the settings in force and where each came from; 'config init' writes a commented file."`
	Models    modelsCommand    `cmd:"" help:"List the models that are set up, and ask each whether it answers: exit code 1 if the default does not."`
	Templates templatesCommand `cmd:"" help:"List the templates that can be planted, or print one, to begin your own with."`
	DemoModel demoModelCommand `cmd:"" name:"demo-model" help:"Serve the offline model to other programs, until a signal."`
	VersionOf versionCommand   `cmd:"" name:"version" help:"Print the version."`
	Reset     resetCommand     `cmd:"" help:"Repair a terminal that was left in a bad mode."`
	Reference helpCommand      `cmd:"" name:"help" help:"Print a topic of the reference, or list them."`
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
		kong.Description("Lead a society of AI agents from your terminal."),
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
