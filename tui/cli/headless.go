package cli

import (
	"context"
	"errors"
	"net/http"
	"os"

	"society-tui/runtime/apiclient"
	"society-tui/runtime/i18n"
	"society-tui/tui/process"
)

// runHeadless runs the first session without a screen until body has returned or a signal
// has come, which ends the context of body. advice is for a session that is open elsewhere.
// Nobody is there to ask for approvals.
func (c *console) runHeadless(advice *i18n.Message, body func(ctx context.Context, run *sessionRun) error) error {
	first, err := c.prepare(false) // what the built-in model says would pass for the answer
	if err != nil {
		return err
	}
	defer first.close()
	first.nobody = true
	return c.runOpened(func(signals <-chan os.Signal) (*Session, error) { return first.open(signals, advice) }, body)
}

// runOpened is runHeadless for the session that open returns, nil after a signal.
func (c *console) runOpened(open func(signals <-chan os.Signal) (*Session, error), body func(ctx context.Context, run *sessionRun) error) error {
	signals, stop := process.Listen()
	defer stop()
	session, err := open(signals)
	if err != nil || session == nil {
		return err
	}
	if session.Screen.Notice != "" {
		c.say(c.err, "society-tui: %s\n", session.Screen.Notice)
	}
	outcome := make(chan error, 1) // capacity 1, so that body can end when nobody receives
	run := newSessionRun(nil, session)
	err = process.Runner{
		Screen: func(ctx context.Context, _ func(context.Context) error) error {
			outcome <- body(ctx, run)
			return nil
		},
		Society: run.runSociety, Force: run.force, Quit: run.Quit,
		Restore: func() {}, HangUp: func() {},
		Signalled: func(s os.Signal) { run.Log.Info("a signal ends the program", "signal", s.String()) },
		Waiting:   func() { c.say(c.err, "society-tui: %s\n", c.text(textFinishing)) },
	}.Run(signals)
	run.conclude(err)
	logPanic(run.Log, err)
	if dump, ok := errors.AsType[*process.Dump](err); ok {
		c.say(c.err, "%s\n", dump.Stacks)
	}
	select {
	case line := <-run.report:
		c.say(c.err, "society-tui: %s\n", line)
	default:
	}
	if sum := run.summary; sum != nil && sum.Unsaved != "" {
		err = errors.Join(err, errors.New(c.text(textLeftUnsaved, sum.Unsaved)))
	}
	select {
	case failed := <-outcome:
		return errors.Join(failed, err)
	default: // it did not end in time
		return err
	}
}

// runAlone opens the session for one client in this process. A client whose time is up waits for no
// call in flight, which the next start makes again.
func (c *console) runAlone(use func(ctx context.Context, client *apiclient.Client) error) error {
	return c.runHeadless(textAskLater.With(c.command("serve")), func(ctx context.Context, run *sessionRun) error {
		c.alone = true
		client, end := apiclient.InProcess(&http.Server{Handler: run.API})
		err := use(ctx, client)
		if errors.Is(err, exitError(exitCodes[outcomeTimeout])) {
			run.force()
		}
		return errors.Join(err, end(context.WithoutCancel(ctx)))
	})
}
