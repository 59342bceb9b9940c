package cli

import (
	"errors"
	"log/slog"
	"os"

	"society-tui/runtime/config"
	"society-tui/runtime/logfile"
	"society-tui/tui/process"
	"society-tui/tui/terminal"
)

type screenCommand struct{}

// Run opens the store and the screen, and runs the society until the user or a
// signal ends it.
func (screenCommand) Run(c *console) error {
	// A mistake in the call or the settings is reported without a terminal, too.
	first, err := c.prepare()
	if err != nil {
		return err
	}
	defer first.close()
	leaveTerminal, err := c.enterTerminal(first.s.Plain)
	if err != nil {
		return err
	}
	signals, stop := process.Listen()
	defer stop()
	session, err := first.open(signals, textNotOpened)
	if err != nil {
		return err
	}
	screen := terminal.New(c.in, c.out)
	if first.moved != "" {
		defer c.say(screen, "society-tui: %s\n", first.moved)
	}
	if session == nil {
		return nil
	}
	return Frontend{
		First: session, Open: first.enter, Background: first.background, Return: first.howToReturn, Outlives: first.s.OnHangup == config.Background, Plain: first.s.Plain,
		Signals: signals, In: c.in, Err: c.err, Terminal: screen, LeaveTerminal: leaveTerminal,
		LogFile: first.log.Path, Say: c.say, Printer: c.printer,
	}.Run()
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
