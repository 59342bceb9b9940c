package cli

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"time"

	"society-tui/runtime"
	"society-tui/runtime/i18n"
	"society-tui/runtime/sessions"
	"society-tui/runtime/worktree"
	"society-tui/tui/process"
)

// A firstSession is the session that the program opens at its start.
type firstSession struct {
	opener

	file     string
	template firstTemplate
	warnings []string
	notices  []string // of the log
	inUse    bool     // another process has the session open
	// moved tells where a damaged store was moved, "" if there was none.
	moved string
	// nobody is set if there is nobody to ask for approvals.
	nobody bool
}

// prepare checks the call and the settings and makes the models; offline is that of modelsOf. An error is a usageError.
func (c *console) prepare(offline bool) (*firstSession, error) {
	s, err := c.settings()
	if err != nil {
		return nil, err
	}
	f := &firstSession{opener: opener{c: c, s: s}}
	if f.template, err = c.firstTemplate(s); err != nil {
		return nil, err
	}
	if s.Isolate != "" {
		if err := worktree.Check(context.Background(), s.Workspace); err != nil {
			return nil, usageError{textNoIsolation.With(err), c.seeHelp()}
		}
	}
	if f.file, err = c.storeFile(s); err != nil {
		return nil, err
	}
	f.models, f.warnings, err = c.openModels(s, offline)
	f.setup = f.newModelSetup()
	return f, err
}

// open opens the log and the session. The session is nil if a signal came meanwhile.
// advice is for a session that is open elsewhere.
func (f *firstSession) open(signals <-chan os.Signal, advice *i18n.Message) (*Session, error) {
	if f.log == nil {
		f.log, f.notices = f.c.openLog(f.s)
	}
	cfg, measured := f.config(f.s.Session)
	cfg.FirstTeam, cfg.Paused = f.template.plant, f.c.line.Paused
	cfg.Approvals.Nobody = f.nobody
	var found sessions.Opened
	left, err := process.Begin(signals, func(context.Context) (err error) {
		found, err = sessions.Open(cfg, f.file)
		return err
	})
	if _, f.inUse = errors.AsType[*sessions.InUse](err); err != nil {
		f.log.Error("not started", "err", err)
		if _, wrong := errors.AsType[*runtime.RuleError](err); wrong { // found by an open society, which knows the tools
			return nil, f.c.wrongSettings(err)
		}
		return nil, f.c.refused(err, f.file, f.c.inWords(advice))
	}
	if found.Moved != "" {
		f.moved = f.c.movedAside(found.Moved, f.s)
		if f.nobody {
			f.moved = f.c.movedAsideAndGoesOn(found.Moved, f.s)
		}
		f.notices = append(f.notices, f.moved)
	}
	if left {
		return nil, found.Store.Close()
	}
	f.keepWorkspace(f.s.Session)
	session := f.session(f.s.Session, found, measured)
	session.Screen.FirstTeam = f.template.report(found.Society)
	session.Screen.Examples = append(slices.Clone(f.template.examples), session.Screen.Examples...)
	session.Screen.Notice = strings.Join(slices.Concat(f.warnings, f.notices, f.folderNotes(f.s.Session)), " ")
	return session, nil
}

// attachToIt is the advice for a session that is open elsewhere.
func (f *firstSession) attachToIt() *i18n.Message {
	return textAttachToIt.With(f.command(f.s.Session, "attach"))
}

// openWithin is open, again and again for a while, for a session that another program is
// closing.
func (f *firstSession) openWithin(signals <-chan os.Signal, advice *i18n.Message, wait time.Duration) (*Session, error) {
	const between = 100 * time.Millisecond
	for until := time.Now().Add(wait); ; {
		session, err := f.open(signals, advice)
		if !f.inUse || time.Now().After(until) {
			return session, err
		}
		select {
		case <-signals:
			return nil, nil
		case <-time.After(between):
		}
	}
}

// takeOver opens the session that another program has just closed. Unlike open it moves
// nothing aside. The session is nil if a signal came meanwhile.
func (f *firstSession) takeOver(signals <-chan os.Signal) (session *Session, err error) {
	if f.log == nil {
		f.log, _ = f.c.openLog(f.s)
	}
	left, err := process.Begin(signals, func(context.Context) (err error) {
		session, err = f.enter(f.s.Session)
		return err
	})
	if err != nil {
		return nil, err
	}
	if left {
		return nil, session.Store.Close()
	}
	return session, nil
}

// close closes the log and the models.
func (f *firstSession) close() {
	if f.log != nil {
		_ = f.log.Close()
	}
	f.models.Close()
}
