package plain

import (
	"context"

	"society-tui/tui/dialog"
	"society-tui/tui/feature/stats"
	"society-tui/tui/symbols"
)

// stats prints the size and the usage of the society, by agent, role, model, task and day.
func (f *frontend) stats() {
	f.work(func(ctx context.Context) func() {
		figures, err := f.cfg.Society.Figures(ctx)
		size := stats.SizeOf(ctx, f.cfg.StoreSize)
		return func() {
			if err != nil {
				f.notify(f.actions.NoticeFor(err))
				return
			}
			report := stats.Report{Actions: f.actions, Set: symbols.Set{Spoken: true}, Of: f.to}
			for _, line := range report.Lines(&figures, size) {
				f.sayReport(line)
			}
		}
	})
}

// sayReport prints a line of a report: a heading, or what stands below one.
func (f *frontend) sayReport(line dialog.Line) {
	switch {
	case line.Key != "":
		f.say("  " + line.Key + f.printer.T(symbols.TextColon) + f.sentence(line.Text))
	case line.Tone == dialog.Strong:
		f.say(f.sentence(line.Text))
	case line.Text != "":
		f.say("  " + f.sentence(line.Text))
	}
}
