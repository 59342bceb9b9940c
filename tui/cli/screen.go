package cli

import (
	"log/slog"
	"os"
	"slices"
	"strings"

	"society-tui/runtime/config"
	"society-tui/runtime/logfile"
	"society-tui/runtime/sessions"
	"society-tui/tui/process"
	"society-tui/tui/terminal"
)

type screenCommand struct{}

// Run opens the store and the screen, and runs the society until the user or a
// signal ends it.
func (screenCommand) Run(c *console) error {
	// A mistake in the call or the settings is reported without a terminal, too.
	s, err := c.settings()
	if err != nil {
		return err
	}
	first, err := c.firstTemplate(s)
	if err != nil {
		return err
	}
	file, err := c.storeFile(s)
	if err != nil {
		return err
	}
	models, notices, err := c.openModels(s)
	if err != nil {
		return err
	}
	defer models.Close()
	leaveTerminal, err := c.enterTerminal(s.Plain)
	if err != nil {
		return err
	}
	log, notice := c.openLog(s)
	defer func() { _ = log.Close() }()

	o := opener{c, s, models, log}
	cfg := o.config(s.Session)
	cfg.FirstTeam, cfg.Paused = first.plant, c.line.Paused
	signals, stop := process.Listen()
	defer stop()
	var found sessions.Opened
	left, err := process.Begin(signals, func() (err error) {
		found, err = sessions.Open(cfg, file)
		return err
	})
	if err != nil {
		log.Error("not started", "err", err)
		return c.refused(err, file, c.text(textNotOpened))
	}
	screen := terminal.New(c.in, c.out)
	var aside []string
	if found.Moved != "" {
		aside = []string{c.movedAside(found.Moved, s)}
		defer c.say(screen, "society-tui: %s\n", aside[0])
	}
	if left {
		return found.Store.Close()
	}
	session := o.session(s.Session, found)
	session.Screen.FirstTeam = first.report(found.Society)
	session.Screen.Notice = strings.Join(slices.Concat(s.Warnings, notices, notice, aside), " ")
	return Frontend{
		First: session, Open: o.enter, Plain: s.Plain,
		Signals: signals, In: c.in, Err: c.err, Terminal: screen, LeaveTerminal: leaveTerminal,
		LogFile: log.Path, Say: c.say, Printer: c.printer,
	}.Run()
}

// enterTerminal checks that the terminal is good enough.
func (c *console) enterTerminal(plain bool) (leave func(), err error) {
	if plain {
		return process.EnterLines(c.in)
	}
	return process.Enter(c.in, c.out, os.Getenv("TERM"))
}

// openLog opens the log. Without one the society still runs, and a notice says
// so.
func (c *console) openLog(s config.Settings) (log *logfile.Log, notice []string) {
	log, err := logfile.Open(logfile.Config{Dir: s.Logs, Level: logfile.Level(s.LogLevel), Run: logfile.ThisRun(), Redactor: c.redactor})
	if err != nil {
		log, notice = logfile.Discard(), []string{c.text(textNoLog, err)}
	}
	slog.SetDefault(log.Logger) // no library may write over the screen
	log.Info("program starts", "version", logfile.Version())
	return log, notice
}
