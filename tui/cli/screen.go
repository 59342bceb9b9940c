package cli

import (
	"errors"
	"log/slog"
	"os"
	"time"

	"society-tui/runtime/config"
	"society-tui/runtime/logfile"
	"society-tui/tui/process"
	"society-tui/tui/terminal"
)

type screenCommand struct{}

// Run opens the store and the screen, and runs the society until the user or a
// signal ends it. A session that is open elsewhere is attached to.
func (screenCommand) Run(c *console) error { return c.openScreen(0) }

// openScreen waits for a session that another program is closing, at most so long.
func (c *console) openScreen(wait time.Duration) error {
	// A mistake in the call or the settings is reported without a terminal, too.
	first, err := c.prepare(true)
	if err != nil {
		return err
	}
	defer first.close()
	first.warnings = append(first.warnings, c.newSessionNote(first.s)...)
	leaveTerminal, err := c.enterTerminal(first.s.Plain)
	if err != nil {
		return err
	}
	signals, stop := process.Listen()
	defer func() { stop() }()
	advice := textNotOpened.With()
	if c.line.NoAttach {
		advice = first.attachToIt()
	}
	session, err := first.openWithin(signals, advice, wait)
	screen := Frontend{
		First: session, Open: first.enter, Background: first.background, Return: first.howToReturn, OpensAgain: first.howToOpenAgain, Outlives: first.s.OnHangup == config.Background, Plain: first.s.Plain,
		Signals: signals, In: c.in, Err: c.err, Terminal: terminal.New(c.in, c.out), LeaveTerminal: leaveTerminal,
		LogFile: first.log.Path, Say: c.say, Printer: c.printer,
	}
	if first.inUse && !c.line.NoAttach {
		stop() // nothing is open, so that a signal ends the program by itself
		client, w, wait, why := first.attachInstead(err)
		signals, stop = process.Listen()
		screen.Signals = signals
		if client != nil {
			return first.attached(w, client).run(screen)
		}
		if wait == 0 {
			return why
		}
		session, err = first.openWithin(signals, advice, wait)
		if first.inUse && why != nil {
			err = why
		}
		screen.First = session
	}
	if err != nil {
		return err
	}
	if first.moved != "" {
		defer c.say(screen.Terminal, "society-tui: %s\n", first.moved)
	}
	if session == nil {
		return nil
	}
	return screen.Run()
}

// enterTerminal checks that the terminal is good enough.
func (c *console) enterTerminal(plain bool) (leave func(), err error) {
	if plain {
		return process.EnterLines(c.in)
	}
	leave, err = process.Enter(c.in, c.out, os.Getenv("TERM"))
	switch {
	case errors.Is(err, process.ErrNoInput):
		err = textNoInput.With(textInstead)
	case errors.Is(err, process.ErrNoOutput):
		err = textNoOutput.With(textInstead)
	case errors.Is(err, process.ErrDumb):
		err = textDumb.With()
	}
	return leave, err
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
