package plain

import (
	"context"
	"slices"
	"strings"

	"society-tui/runtime/society"
	"society-tui/tui/action"
	"society-tui/tui/attachment"
	"society-tui/tui/command"
	"society-tui/tui/sanitize"
	"society-tui/tui/symbols"
)

// noFiles takes out all files again.
const noFiles = "none"

// attach attaches a file to the next text, tells which are attached, or takes them out.
func (f *frontend) attach(in command.Input) {
	switch path := strings.TrimSpace(in.Text); path {
	case "":
		f.sayAttached()
	case noFiles:
		f.files = nil
		f.say(f.printer.T(textAttachedNone))
	default:
		f.attachFile(attachment.File(path))
	}
}

func (f *frontend) sayAttached() {
	if len(f.files) == 0 {
		f.say(f.printer.T(textAttachedNone))
		return
	}
	names := make([]string, len(f.files))
	for i, m := range f.files {
		names[i] = sanitize.Line(m.Name(), doingCells)
	}
	f.say(f.printer.T(textAttached, f.printer.List(names)))
}

// attachFile attaches a file that exists.
func (f *frontend) attachFile(m attachment.Mention) {
	r := attachment.Reader{Society: f.cfg.Society, To: f.to}
	f.work(func(ctx context.Context) func() {
		files, err := r.Read(ctx, []attachment.Mention{m}, false)
		return func() {
			if err != nil {
				why := f.notAttached(err)
				f.notify(action.Notice{Level: why.Level, Text: why.Text})
				return
			}
			f.files = append(f.files, m)
			f.say(f.printer.T(textAttachedNow, sanitize.Line(m.Name(), doingCells), symbols.Bytes(len(files[0].Data))))
		}
	})
}

// attaching reads the files that were attached and those that a text names, and then goes on
// with them. What cannot be read is not sent.
func (f *frontend) attaching(cmd society.Send, then func(society.Send)) {
	anyway := f.missed == cmd.Text
	f.missed = ""
	named := slices.Concat(f.files, attachment.Mentions(cmd.Text))
	if len(named) == 0 {
		then(cmd)
		return
	}
	r := attachment.Reader{Society: f.cfg.Society, To: cmd.To}
	f.work(func(ctx context.Context) func() {
		files, err := r.Read(ctx, named, anyway)
		return func() {
			if err != nil {
				if why, _ := attachment.Explain(f.printer, err); why != "" {
					f.missed = cmd.Text
				}
				f.newTask = f.newTask || cmd.NewTask
				f.notSent(cmd.To, cmd.Text, f.notAttached(err))
				return
			}
			f.files = nil
			cmd.Attachments = files
			then(cmd)
		}
	})
}

func (f *frontend) notAttached(err error) action.Notice {
	if why, hint := attachment.Explain(f.printer, err); why != "" {
		return action.Notice{Level: action.Warned, Text: sanitize.Line(why, doingCells), Hint: hint}
	}
	return f.actions.NoticeFor(err)
}
