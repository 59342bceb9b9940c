package cli

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"strings"

	"society-tui/runtime/config"
	"society-tui/runtime/httpserver"
	"society-tui/runtime/i18n"
	"society-tui/runtime/logfile"
	"society-tui/runtime/session"
	"society-tui/tui/handover"
	"society-tui/tui/process"
)

type (
	serveCommand struct {
		TakeOver bool `hidden:"" help:"Take over from the program that has started this one." zh:"接替启动本程序的程序。"`
	}
	tokenCommand struct {
		New bool `help:"Replace it: programs with the old one are refused from then on." zh:"更换令牌：此后使用旧令牌的程序将被拒绝。"`
	}
)

// Run runs the society until a signal or a request to quit.
func (s serveCommand) Run(c *console) error {
	if s.TakeOver {
		return c.takeOver()
	}
	first, err := c.prepare(true)
	if err != nil {
		return err
	}
	defer first.close()
	first.outliveTerminal()
	if _, err := os.Lstat(first.file); errors.Is(err, fs.ErrNotExist) && c.line.HTTP != nil && httpserver.PortIsBusy(first.s.HTTP) {
		return textPortTaken.With(*c.line.HTTP) // before a session is made
	}
	open := func(signals <-chan os.Signal) (*Session, error) { return first.open(signals, first.attachToIt()) }
	return c.runOpened(open, func(ctx context.Context, run *sessionRun) error {
		run.portNeeded = c.line.HTTP != nil && *c.line.HTTP != httpserver.Off
		return c.serve(ctx, run, textServes, func() {})
	})
}

// serve lets other programs in until ctx is done. It says so and calls opened when they can
// come.
func (c *console) serve(ctx context.Context, run *sessionRun, said i18n.Text, opened func()) error {
	for _, notice := range run.listen() {
		if run.server == nil {
			return notice
		}
		if run.portNeeded && run.server.Address() == "" && isPortBusy(notice) {
			return textPortTaken.With(*c.line.HTTP)
		}
		c.say(c.err, "society-tui: %s\n", c.inWords(notice))
	}
	at := run.server.Socket()
	if address := run.server.Address(); address != "" {
		at = strings.TrimPrefix(at+", http://"+address, ", ")
	}
	c.say(c.out, "%s\n", c.text(said, run.Screen.Session, at, c.command("quit")))
	opened()
	<-ctx.Done()
	return nil
}

// outliveTerminal makes the program ignore that its terminal has hung up, if the settings
// say so: nothing of the session depends on it.
func (f *firstSession) outliveTerminal() {
	if f.s.OnHangup != config.Background {
		return
	}
	process.IgnoreHangUp()
	f.log, f.notices = f.c.openLog(f.s)
	f.log.Info("SIGHUP is ignored, as on_hangup says")
}

// takeOver runs the society of the program that has started this one, when that has closed
// it. A signal before that ends this program by itself.
func (c *console) takeOver() (err error) {
	parent, err := handover.Inherited()
	if err != nil {
		return usageError{err, c.seeHelp()}
	}
	defer func() {
		if err != nil {
			parent.Failed(c.redactor.Redact(c.inWords(err)))
		}
	}()
	first, err := c.prepare(true)
	if err != nil {
		return err
	}
	defer first.close()
	if err := parent.Await(logfile.Version()); err != nil {
		return err
	}
	first.outliveTerminal()
	return c.runOpened(first.takeOver, func(ctx context.Context, run *sessionRun) error {
		return c.serve(ctx, run, textServesOn, parent.Opened)
	})
}

// Run prints the token, or replaces it.
func (t tokenCommand) Run(c *console) error {
	s, err := c.settings()
	if err != nil {
		return err
	}
	if t.New {
		if _, err := httpserver.NewToken(s.Data, s.Session); err != nil {
			return err
		}
		c.say(c.out, "%s\n", c.text(textNewToken, session.Token(s.Data, s.Session)))
		return nil
	}
	token, err := httpserver.ReadToken(s.Data, s.Session)
	if errors.Is(err, fs.ErrNotExist) {
		return cmp.Or(c.dataIsThere(s), error(textNoTokenYet.With(s.Session, c.command("token --new"))))
	} else if said := because(err); !said.IsZero() {
		return said.With(pathOf(err, s.Data))
	} else if err != nil {
		return err
	}
	_, err = c.out.WriteString(token + "\n")
	return err
}
