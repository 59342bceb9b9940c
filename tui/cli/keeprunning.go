package cli

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"society-tui/runtime/i18n"
	"society-tui/runtime/logfile"
	"society-tui/runtime/session"
	"society-tui/tui/handover"
)

// background starts a process that goes on with a session when it is told to.
func (o opener) background(ctx context.Context, name string) (*handover.Child, error) {
	output, err := os.OpenFile(filepath.Join(o.s.Logs, "serve.log"), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err == nil {
		defer output.Close()
	} else {
		output = nil // it prints only what goes wrong
	}
	child, err := handover.Start(ctx, logfile.Version(), func() (handover.Process, error) {
		return handover.Launch(o.backgroundArgs(name), output)
	})
	if err != nil {
		o.logOf(name).Warn("no process in the background", "err", err)
	}
	return child, err
}

// backgroundArgs returns the command line of a process that goes on with a session. It has
// no flag that acts once or concerns the terminal.
func (o opener) backgroundArgs(name string) []string {
	o = o.in(name)
	args := []string{"serve", "--take-over", "--data=" + o.s.Data, "--session=" + name}
	add := func(flag string, value *string) {
		if value != nil {
			args = append(args, flag+*value)
		}
	}
	if o.c.line.File != nil {
		args = append(args, "--config="+o.s.File)
	}
	if o.c.line.Demo {
		args = append(args, "--demo")
	}
	if o.s.Workspace != "" {
		args = append(args, "--workspace="+o.s.Workspace)
	}
	if o.c.line.Isolate {
		args = append(args, "--isolate")
	}
	add("--model=", o.c.line.Model)
	add("--lang=", o.c.line.Lang)
	add("--http=", o.c.line.HTTP)
	for i := range o.c.line.Allow {
		add("--allow=", &o.c.line.Allow[i])
	}
	return args
}

// placeFlags returns the flags with which another command finds a session, each behind a
// blank.
func (o opener) placeFlags(name string) string {
	var flags strings.Builder
	if o.c.line.Data != nil {
		flags.WriteString(" --data " + quoted(o.s.Data))
	}
	if o.c.line.File != nil {
		flags.WriteString(" --config " + quoted(o.s.File))
	}
	if o.c.line.Session != nil || name != o.s.Session {
		flags.WriteString(" --session " + quoted(name))
	}
	return flags.String()
}

// command returns a command of this program as the user can give it for a session, that of the
// screen for "".
func (o opener) command(name, does string) string {
	return strings.TrimRight("society-tui "+does, " ") + o.placeFlags(name)
}

// command returns a command as the user can give it for the session of the settings.
func (c *console) command(does string) string {
	return opener{c: c, s: c.found}.command(c.found.Session, does)
}

// howToReturn tells where a session goes on, and how to come back.
func (o opener) howToReturn(name string, pid int) string {
	return strings.Join([]string{
		o.c.text(textKeepsRunning, name, pid), "  " + o.c.text(textComeBack, o.command(name, "attach")), "  " + o.c.text(textEndThem, o.command(name, "quit")),
	}, "\n")
}

// howToOpenAgain tells how to open a session again that was left.
func (o opener) howToOpenAgain(name string) string {
	return o.c.text(textOpenAgain, name, o.command(name, ""))
}

var plainWord = regexp.MustCompile(`^[\p{L}\p{N}_./:@%+,-]+$`)

// quoted returns a word as a shell takes it.
func quoted(word string) string {
	if plainWord.MatchString(word) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// detach gets a process ready that goes on with the session. Until the user leaves to the
// background nothing has changed. A user whose terminal hangs up meanwhile leaves as soon as
// it is ready.
func (r *sessionRun) detach(ctx context.Context, leave func()) error {
	if r.server == nil {
		return textNoWayBack.With()
	}
	r.detachment.start(leave)
	starting, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	defer context.AfterFunc(ctx, func() {
		if !r.detachment.hasHungUp() {
			cancel()
		}
	})()
	child, err := r.frontend.Background(starting, r.Screen.Session)
	if before := r.detachment.started(child); before != nil {
		before.End()
	}
	if r.detachment.hasHungUp() && !r.outlives() {
		leave()
	}
	return err
}

// handOver lets the process that is ready open the session, whose store is closed. If that
// fails, the next session is this one.
func (r *sessionRun) handOver() error {
	if !r.detachment.isChosen() || r.stuck {
		return nil
	}
	child := r.detachment.take()
	if child == nil {
		return nil
	}
	err := child.HandOver()
	if err == nil {
		r.Log.Info("the session goes on in the background", "pid", child.PID())
		r.detachment.end(child.PID(), false)
		return nil
	}
	r.Log.Warn("the session stays in this program", "err", err)
	again, failed := r.reopen()
	if failed != nil {
		return textNeither.With(err, failed)
	}
	again.Screen.Notice = i18n.Error(r.frontend.Printer.Lang, textStays.With(err))
	if lost := r.Society.Summary().Unsaved; lost != "" {
		again.Screen.Notice += " " + r.frontend.Printer.T(textLeftUnsaved, lost) + "."
	}
	r.replaceNext(again)
	r.detachment.end(0, true)
	return nil
}

// reopen opens the session here again. While the disk fails, it tries again once a second,
// so that somebody has the session open when that works; force ends that.
func (r *sessionRun) reopen() (*Session, error) {
	for told := false; ; told = true {
		again, err := r.frontend.Open(r.Screen.Session)
		problem, ok := errors.AsType[*session.Problem](err)
		if err == nil || !ok || problem.Why != session.Failed {
			return again, err
		}
		if !told {
			r.Log.Error("the session is open nowhere; trying again", "err", err)
			r.delays <- r.frontend.Printer.T(textTriesAgain, cmp.Or(r.Society.Summary().Unsaved, err.Error()))
		}
		select {
		case <-r.forced:
			return nil, err
		case <-time.After(time.Second):
		}
	}
}

// outlives reports whether the society goes on when the terminal has hung up, and logs it.
// A session on its way to the background goes there.
func (r *sessionRun) outlives() bool {
	switch {
	case r.detachment.goesOn():
		return true
	case !r.frontend.Outlives:
		return false
	case r.server == nil:
		r.Log.Warn("the terminal is gone; the program leaves, because without the HTTP API nobody could reach it")
		return false
	}
	r.Log.Info("the terminal is gone; only the screen ends")
	return true
}
