// Package console carries out the commands that need no screen, and says to whoever
// called them what came of it. Main adds the one that has a screen.
package console

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"society-tui/runtime/config"
	"society-tui/runtime/logfile"
	"society-tui/runtime/protocol"
	"society-tui/themes"
	"society-tui/tui/words"
)

// Flags are those that every command has, the screen too.
type Flags struct {
	Data    *string `placeholder:"DIR" help:"Keep the society in this folder."`
	Session *string `placeholder:"NAME" help:"The session to open: each is a society of its own, in a file of its own (default society)."`
	File    *string `name:"config" placeholder:"FILE" help:"Read the settings from this file."`
	Demo    bool    `help:"Use the built-in offline model, whatever else is set."`
	Model   *string `placeholder:"NAME" help:"The model to use: one of the [[models]] in the settings, or as its endpoint knows it."`
	Theme   *string `placeholder:"NAME" help:"Colours: auto, ${themes}, or one of your own from ${themeFolder}."`
	Lang    *string `placeholder:"LANG" help:"Language: auto, en or zh-CN."`
	ASCII   bool    `name:"ascii" help:"Draw with ASCII characters only."`
	Plain   bool    `help:"Lead it in lines, without a screen: for screen readers, and where nothing can be drawn."`
}

// Commands are those that are carried out here; the Run of each takes the Console.
type Commands struct {
	Check     checkCommand     `cmd:"" help:"Verify what is stored: exit code 0 if it is sound, 1 if not, with what is wrong."`
	Backup    backupCommand    `cmd:"" help:"Write a checked copy of what is stored to a new file."`
	Export    exportCommand    `cmd:"" help:"Write the society out: as JSON, which can be read in again, or as Markdown, to read."`
	Import    importCommand    `cmd:"" help:"Read in an export, a backup, or what is left of a damaged file, where no society has begun yet."`
	Compact   compactCommand   `cmd:"" help:"Give back the space of what was deleted."`
	Settings  settingsCommands `cmd:"" name:"config" help:"Print the settings in force and where each came from; 'config init' writes a commented file."`
	Models    modelsCommand    `cmd:"" help:"List the models that are set up, and ask each whether it answers: exit code 1 if the default does not."`
	Templates templatesCommand `cmd:"" help:"List the templates that can be planted, or print one, to begin your own with."`
	DemoModel demoModelCommand `cmd:"" name:"demo-model" help:"Serve the offline model to other programs, until a signal."`
	Version   versionCommand   `cmd:"" name:"version" help:"Print the version."`
	Reset     resetCommand     `cmd:"" help:"Repair a terminal that was left in a bad mode."`
}

// A UsageError is a mistake in how the program was called or set up: exit code 2.
type UsageError struct {
	error
	Hint string // what tells how it is done
}

// Unwrap returns the mistake.
func (e UsageError) Unwrap() error { return e.error }

// A Console is the person who called the program, seen from a command. It is for
// one goroutine.
type Console struct {
	// In and Out are standard input and output, Err is standard error.
	In, Out, Err *os.File
	Flags        *Flags
	// Words are English until Settings has found out what the person speaks.
	Words words.Console

	redactor *logfile.Redactor
}

// New returns the console of the program's own files.
func New(in, out, err *os.File, flags *Flags) *Console {
	return &Console{
		In: in, Out: out, Err: err, Flags: flags,
		Words: words.ForConsole(protocol.English), redactor: logfile.NewRedactor(),
	}
}

// Redactor takes out the keys that the settings hold, as far as they are read.
func (c *Console) Redactor() *logfile.Redactor { return c.redactor }

// Say writes to the person. It is the door at which keys, and bytes that a
// terminal would obey, are held back.
func (c *Console) Say(w io.Writer, format string, args ...any) {
	text := strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && !strconv.IsPrint(r) {
			return '\ufffd'
		}
		return r
	}, c.redactor.Redact(fmt.Sprintf(format, args...)))
	_, _ = io.WriteString(w, text) // there is nobody left to tell
}

// Settings reads the settings, with the flags over them. An error is a UsageError.
func (c *Console) Settings() (config.Settings, error) {
	var flags []config.Flag
	for _, f := range []struct {
		name, key string
		value     *string
	}{
		{"--data", "data", c.Flags.Data},
		{"--config", "file", c.Flags.File},
		{"--session", "session", c.Flags.Session},
		{"--model", "model.name", c.Flags.Model},
		{"--theme", "theme", c.Flags.Theme},
		{"--lang", "lang", c.Flags.Lang},
		{"--demo", "model.offline", given(c.Flags.Demo)},
		{"--ascii", "ascii", given(c.Flags.ASCII)},
		{"--plain", "plain", given(c.Flags.Plain)},
	} {
		if f.value != nil {
			flags = append(flags, config.Flag{Name: f.name, Key: f.key, Value: *f.value})
		}
	}
	s, err := config.Load(config.Sources{
		Places: config.UserPlaces(), Flags: flags, Getenv: os.Getenv,
		Keys:   bindings(),
		Themes: func(dir string) []string { return themes.Shelf{Dir: dir}.Names() },
	})
	c.redactor = logfile.NewRedactor(s.Keys()...)
	c.Words = words.ForConsole(protocol.Lang(s.Language())) // of a mistake too, as far as they were read
	if err == nil {
		return s, nil
	}
	first, ok := errors.AsType[*config.Problem](err)
	if ok && strings.HasPrefix(first.From, "flag ") {
		return s, UsageError{err, c.Words.SeeHelp}
	}
	return s, UsageError{err, c.Words.SeeSettings}
}

// given is the value of a flag that has none of its own.
func given(flag bool) *string {
	if !flag {
		return nil
	}
	return new("true")
}
