package plain

import (
	"context"

	"society-tui/tui/symbols"
)

// ended lists the terminated agents in order of creation.
func (f *frontend) ended() {
	f.work(func(ctx context.Context) func() {
		all, err := f.cfg.Society.Ended(ctx)
		return func() {
			if err != nil {
				f.notify(f.actions.NoticeFor(err))
				return
			}
			if len(all) == 0 {
				f.say(f.printer.T(textNoneEnded))
			}
			names := f.actions.EndedNames(all)
			for i := range all {
				t := &all[i]
				f.say(t.TerminatedAt.Local().Format("2006-01-02 15:04") + " " + names[i] + f.printer.T(symbols.TextColon) + f.actions.AboutEnded(t) + f.printer.T(textEnd))
			}
		}
	})
}
