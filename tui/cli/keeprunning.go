package cli

import (
	"context"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"society-tui/runtime/i18n"
	"society-tui/runtime/logfile"
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

// howToReturn tells where a session goes on, and how to come back.
func (o opener) howToReturn(name string, pid int64) string {
	return o.c.text(textKeepsRunning, name, pid, o.placeFlags(name))
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
// background nothing has changed.
func (r *sessionRun) detach(ctx context.Context) error {
	if r.server == nil {
		return textNoWayBack.With()
	}
	child, err := r.frontend.Background(ctx, r.Screen.Session)
	if err != nil {
		return err
	}
	if before := r.replaceChild(child); before != nil {
		before.End()
	}
	return nil
}

// replaceChild returns the process that is ready, and replaces it.
func (r *sessionRun) replaceChild(instead *handover.Child) *handover.Child {
	r.mu.Lock()
	defer r.mu.Unlock()
	was := r.child
	r.child = instead
	return was
}

// handOver lets the process that is ready open the session, whose store is closed. If that
// fails, the next session is this one.
func (r *sessionRun) handOver() error {
	if !r.toBackground.Load() || r.stuck {
		return nil
	}
	child := r.replaceChild(nil)
	if child == nil {
		return nil
	}
	err := child.HandOver()
	if err == nil {
		r.Log.Info("the session goes on in the background", "pid", child.PID())
		r.heir.Store(int64(child.PID()))
		return nil
	}
	r.Log.Warn("the session stays in this program", "err", err)
	again, failed := r.frontend.Open(r.Screen.Session)
	if failed != nil {
		return textNeither.With(err, failed)
	}
	again.Screen.Notice = i18n.Error(r.frontend.Printer.Lang, textStays.With(err))
	r.replaceNext(again)
	r.reopened.Store(true)
	return nil
}

// outlives reports whether the society goes on when the terminal has hung up, and logs it.
func (r *sessionRun) outlives() bool {
	switch {
	case r.toBackground.Load():
		return true // the session is on its way there, or comes back
	case !r.frontend.Outlives:
		return false
	case r.server == nil:
		r.Log.Warn("the terminal is gone; the program leaves, because without the HTTP API nobody could reach it")
		return false
	}
	r.Log.Info("the terminal is gone; the session goes on without a screen")
	return true
}
