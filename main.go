// Society-tui is a terminal program in which a person leads a self-organising
// society of AI agents. This file reads the command line and puts the parts of the
// screen together; tui/console carries out the commands that need none.
package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"

	"society-tui/llm/demo"
	"society-tui/llm/registry"
	"society-tui/runtime"
	"society-tui/runtime/config"
	"society-tui/runtime/logfile"
	"society-tui/runtime/protocol"
	"society-tui/runtime/session"
	"society-tui/runtime/sessions"
	"society-tui/runtime/setup"
	"society-tui/runtime/society"
	"society-tui/runtime/template"
	"society-tui/themes"
	"society-tui/tui"
	"society-tui/tui/console"
	"society-tui/tui/orders"
	"society-tui/tui/process"
	"society-tui/tui/show"
	"society-tui/tui/terminal"
)

// A commandLine is what can be written behind the program's name.
type commandLine struct {
	console.Flags
	Paused   bool             `help:"Start with all agents paused."`
	Template *string          `placeholder:"NAME|FILE" help:"Plant a template below root, once in a society: ${templates}, one of your own from ${folder}, or a file."`
	Version  kong.VersionFlag `help:"Print the version."`

	Screen screenCommand `cmd:"" default:"1" help:"Open the screen; this is what happens without a command."`
	console.Commands
}

type screenCommand struct{}

func main() { os.Exit(run(os.Args[1:])) }

// run carries out the command line and returns the exit code: 0, 1 for a
// failure, 2 for a mistake in the call.
func run(args []string) (code int) {
	var line commandLine
	c := console.New(os.Stdin, os.Stdout, os.Stderr, &line.Flags)
	defer func() {
		if r := recover(); r != nil {
			c.Say(c.Err, "society-tui: a fault of the program: %v\n%s", r, debug.Stack())
			code = 1
		}
	}()
	parser := kong.Must(&line, kong.Name("society-tui"),
		kong.Description("Lead a society of AI agents from your terminal."),
		kong.Vars{
			"version": logfile.Version(), "themes": strings.Join(themes.Names(), ", "), "themeFolder": config.UserPlaces().Themes,
			"templates": strings.Join(template.Names(), ", "), "folder": config.UserPlaces().Templates,
		},
		kong.ConfigureHelp(kong.HelpOptions{NoExpandSubcommands: true, FlagsLast: true}))
	process.OutliveReader()
	command, err := parser.Parse(args)
	if err != nil {
		err = c.Misuse(args, err)
	} else {
		err = command.Run(c, &line)
	}
	usage, wrong := errors.AsType[console.UsageError](err)
	switch {
	case err == nil:
		return 0
	case unread(err):
		return 1
	case wrong:
		c.Say(c.Err, "society-tui: %v\n%s\n", err, usage.Hint)
		return 2
	default:
		c.Say(c.Err, "society-tui: %v\n", err)
		return 1
	}
}

// unread says whether err is that whoever read the output has enough of it, which is
// nothing to be told of.
func unread(err error) bool {
	write, ok := errors.AsType[*fs.PathError](err)
	return ok && write.Path == os.Stdout.Name() && errors.Is(write.Err, syscall.EPIPE)
}

// A seed is the template that the command line names, in each language; nil in it
// for none.
type seed struct {
	plant func(protocol.Lang) society.Plant
	name  string
}

func (l *commandLine) seed(c *console.Console, s config.Settings) (seed, error) {
	if l.Template == nil {
		return seed{}, nil
	}
	plant, name, err := c.Plant(s, *l.Template)
	return seed{plant, name}, err
}

// Run opens the store and the screen, and runs the society until the person or
// a signal ends it.
func (screenCommand) Run(c *console.Console, line *commandLine) error {
	// A mistake in the call or the settings is one with or without a terminal.
	s, err := c.Settings()
	if err != nil {
		return err
	}
	seed, err := line.seed(c, s)
	if err != nil {
		return err
	}
	file, err := c.Place(s)
	if err != nil {
		return err
	}
	models, notices, err := c.OpenModels(s)
	if err != nil {
		return err
	}
	defer models.Close()
	leaveTerminal, err := enter(c, s.Plain)
	if err != nil {
		return err
	}
	log, notice := openLog(s, c)
	defer func() { _ = log.Close() }()

	p := program{c, s, models, log}
	cfg := p.runtime(s.Session)
	cfg.Plant, cfg.Paused = seed.plant, line.Paused
	signals, stop := process.Listen()
	defer stop()
	var found sessions.Opened
	left, err := process.Begin(signals, func() (err error) {
		found, err = sessions.Open(cfg, file)
		return err
	})
	if err != nil {
		log.Error("not started", "err", err)
		return c.Refused(err, file, c.Words.NotOpened)
	}
	screen := terminal.New(c.In, c.Out)
	var aside []string
	if found.Moved != "" {
		aside = []string{c.MovedAside(found.Moved, s)}
		defer c.Say(screen, "society-tui: %s\n", aside[0])
	}
	if left {
		return found.Store.Close()
	}
	part := p.part(s.Session, found)
	part.Screen.Planted = seed.planted(found.Society)
	part.Screen.Notice = strings.Join(slices.Concat(s.Warnings, notices, notice, aside), " ")
	return show.Show{
		Part: *part, Open: p.enter, Plain: s.Plain,
		Signals: signals, In: c.In, Err: c.Err, Terminal: screen, LeaveTerminal: leaveTerminal,
		LogFile: log.Path, Say: c.Say, Words: c.Words,
	}.Run()
}

// A program is what all sessions have that are opened one after the other.
type program struct {
	c      *console.Console
	s      config.Settings
	models *registry.Registry

	log *logfile.Log
}

// logOf is the log of a session.
func (p program) logOf(name string) *slog.Logger {
	if name == session.Default {
		return p.log.Logger
	}
	return p.log.With("session", name)
}

func (p program) runtime(name string) runtime.Config {
	return setup.Runtime(p.s, p.models, p.logOf(name))
}

// enter opens the session that the person goes to.
func (p program) enter(name string) (*show.Part, error) {
	found, err := sessions.Sessions{Folder: p.s.Data}.Enter(p.runtime(name), name)
	if err != nil {
		p.log.Warn("session not opened", "name", name, "err", err)
		return nil, err
	}
	return p.part(name, found), nil
}

// part is an open society with its screen.
func (p program) part(name string, o sessions.Opened) *show.Part {
	screen, store := screenOf(p.s, o.Society), o.Store
	screen.Watcher, screen.Session, screen.StoreFile = o.Society.Watch(), name, session.File(p.s.Data, name)
	screen.Sessions = sessions.Sessions{Folder: p.s.Data, Open: name, Store: store}
	for _, e := range p.s.Effective() {
		if e.Key == "session" && name != p.s.Session {
			e.Value, e.From = strconv.Quote(name), "/sessions"
		}
		screen.Settings = append(screen.Settings, tui.Setting{Key: e.Key, Value: p.c.Redactor().Redact(e.Value), From: e.From})
	}
	if p.log.Run != "" {
		screen.LogFile = p.log.Path
		screen.Log = func(_ context.Context, all bool) ([]tui.LogLine, error) { return tail(p.log, all) }
	}
	screen.Backup = func(ctx context.Context, file string) (string, error) {
		written, err := sessions.Copy(ctx, store, template.Home(file)) // no shell has read it
		return written.String(), err
	}
	screen.Export = func(ctx context.Context, e orders.Export) (orders.Exported, error) {
		out := sessions.Export{
			Agent: e.Agent, Alone: !e.Below, Format: sessions.Markdown, Out: template.Home(e.File), Redact: p.c.Redactor().Redact,
			Lang: protocol.Lang(p.s.Language()),
		}
		if e.JSON {
			out.Format = sessions.JSON
		}
		written, tally, err := out.Copy(ctx, store)
		return orders.Exported{File: written.Path, Messages: tally.Steps, Unfinished: tally.Unfinished > 0}, err
	}
	return &show.Part{Society: o.Society, Store: store, Tidy: p.tidy(name, o), Screen: screen, Log: p.logOf(name)}
}

// tidy takes the bytes of terminated agents out of a session that is left.
func (p program) tidy(name string, o sessions.Opened) func(context.Context) string {
	return func(ctx context.Context) string {
		large, err := o.Tidy(ctx)
		if err != nil {
			p.logOf(name).Warn("bytes of terminated agents stay in the file until the next time", "err", err)
		}
		if large == "" {
			return ""
		}
		command := "society-tui compact"
		if name != session.Default {
			command += " --session " + name
		}
		return fmt.Sprintf(p.c.Words.NotTidied, large, command)
	}
}

// enter looks whether the terminal, or what there is instead, will do.
func enter(c *console.Console, lines bool) (leave func(), err error) {
	if lines {
		return process.EnterLines(c.In)
	}
	return process.Enter(c.In, c.Out, os.Getenv("TERM"))
}

// openLog opens the log. Without one the society runs all the same, and the notice
// says so.
func openLog(s config.Settings, c *console.Console) (log *logfile.Log, notice []string) {
	log, err := logfile.Open(logfile.Config{Dir: s.Logs, Level: logfile.Level(s.LogLevel), Run: logfile.ThisRun(), Redactor: c.Redactor()})
	if err != nil {
		log, notice = logfile.Discard(), []string{fmt.Sprintf(c.Words.NoLog, err)}
	}
	slog.SetDefault(log.Logger) // nothing of a library may write over the screen
	log.Info("program starts", "version", logfile.Version())
	return log, notice
}

// tail are the last lines of the log.
func tail(log *logfile.Log, all bool) ([]tui.LogLine, error) {
	lines, err := log.Tail(all)
	said := make([]tui.LogLine, len(lines))
	for i, l := range lines {
		said[i] = tui.LogLine(l)
	}
	return said, err
}

// screenOf is what the settings and the society say of the screen.
func screenOf(s config.Settings, running *runtime.Runtime) tui.Config {
	offline, _ := s.Offline() // OpenModels has looked at the error
	return tui.Config{
		Society: running, Lang: protocol.Lang(s.Language()), Theme: s.ChosenTheme(), Themes: themes.Shelf{Dir: s.Themes},
		Keys:   s.ChangedKeys(),
		Notify: tui.Notify{When: s.Notify, By: s.NotifyBy},
		Plain:  os.Getenv("NO_COLOR") != "", ASCII: s.ASCII, Still: s.ReducedMotion,
		Offline: offline, Examples: demo.Examples(s.Language()),
		Shelf: setup.Shelf(s), Spoken: running.Lang(), Started: running.StartReport(),
	}
}

// planted is what came of it in the society, nil for none.
func (s seed) planted(r *runtime.Runtime) *tui.Planted {
	if s.name == "" {
		return nil
	}
	result, err := r.Planted()
	return &tui.Planted{Template: s.name, Result: result, Err: err}
}
