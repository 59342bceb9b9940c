package plain

import (
	"context"
	"strings"
	"time"

	"society-tui/runtime/i18n"
	"society-tui/tui/action"
	"society-tui/tui/feature/sessions"
	"society-tui/tui/symbols"
)

// mostPreviewed is of how many sessions the file is read, the last used ones.
const mostPreviewed = 20

// sessions lists the sessions, and tells how another is opened.
func (f *frontend) sessions() {
	switch {
	case f.cfg.Sessions == nil && f.cfg.Attached != "":
		f.warn(i18n.Capitalized(f.printer.T(sessions.TextAttached)))
		return
	case f.cfg.Sessions == nil:
		f.warn(i18n.Capitalized(f.printer.T(action.TextNotHere)))
		return
	}
	later(f, f.readSessions, func(all []sessions.Row, err error) {
		if err != nil {
			f.notify(f.actions.NoticeFor(err))
			return
		}
		for i := range all {
			s := &all[i]
			about, text := s.Shown(f.printer, time.Now(), s.Name == f.cfg.Session)
			if !s.Looked {
				text = ""
			}
			f.say(sessions.ShownName(s.Name) + f.printer.T(symbols.TextColon) + f.sentence(strings.Join(about, f.printer.T(symbols.TextComma))))
			if text != "" {
				f.say("  " + text)
			}
		}
		f.say(f.printer.T(textSessionsOpen))
	})
}

// readSessions reads the sessions, and previews of those that were used last.
func (f *frontend) readSessions(ctx context.Context) ([]sessions.Row, error) {
	list, err := f.cfg.Sessions.List()
	all := make([]sessions.Row, len(list))
	for i, s := range list {
		all[i].Session = s
		if i < mostPreviewed && ctx.Err() == nil {
			all[i].Looked = true
			all[i].Preview, all[i].Err = f.cfg.Sessions.Look(ctx, s.Name)
		}
	}
	return all, err
}
