package plain

import (
	"context"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
	"society-tui/tui/action"
	"society-tui/tui/command"
	"society-tui/tui/sanitize"
)

// rewind explains what going back would do, and asks.
func (f *frontend) rewind(in command.Input) {
	f.work(func(ctx context.Context) func() {
		p, found, err := f.actions.ReadRewind(ctx, in.Agent, "")
		return func() {
			switch {
			case err != nil:
				f.notify(f.actions.NoticeFor(err))
			case !found:
				f.notify(f.actions.NothingToRewind(in.Agent))
			default:
				f.askRewind(p)
			}
		}
	})
}

func (f *frontend) askRewind(p action.RewindPoint) {
	title, lines := f.actions.RewindQuestion(p)
	f.say(title)
	for _, line := range lines {
		f.say("  " + line + f.printer.T(textEnd))
	}
	f.say(f.printer.T(textYesOrNo))
	f.asks = &question{answer: func(line string) {
		if !among(yes, line) {
			f.declined(line)
			return
		}
		f.rewindTo(p)
	}}
}

// rewindTo rewinds, and prints the text to be written anew. Changes of files are undone by the
// command for that.
func (f *frontend) rewindTo(p action.RewindPoint) {
	f.work(func(ctx context.Context) func() {
		r, err := api.Do(ctx, f.cfg.Society, society.Request[society.Rewound](society.Rewind{Agent: p.Agent, Message: p.Message}))
		return func() {
			if err != nil {
				f.notify(f.actions.NoticeFor(err))
				return
			}
			f.notify(f.actions.Rewound(p.Agent, r, r.Text))
			f.say(sanitize.Visible(r.Text))
		}
	})
}
