package plain

import (
	"context"
	"slices"
	"strings"

	"society-tui/runtime/api"
	"society-tui/tui/action"
	"society-tui/tui/command"
	"society-tui/tui/sanitize"
)

// mostChanges is how many changes a list has; of more the newest.
const mostChanges = 50

// fileChanges lists which agent changed which file, or prints the diffs of a call.
func (f *frontend) fileChanges(in command.Input) {
	f.work(func(ctx context.Context) func() {
		all, err := f.cfg.Society.FileChanges(ctx, api.FileChangesQuery{})
		return func() {
			of, why := f.env().FilesOf(in, all)
			all = action.FileGroup(all).Of(of.Agent)
			switch {
			case err != nil:
				f.notify(f.actions.NoticeFor(err))
			case !why.Empty():
				f.notify(why)
			case of.N > 0:
				f.printCall(all, of.N)
			case of.File != nil:
				f.printChanges(of.File)
			case len(all) == 0:
				f.say(f.printer.T(textNoChanges))
			default:
				for i := range all[max(len(all)-mostChanges, 0):] {
					f.say(f.actions.FileChangeLine(&all[max(len(all)-mostChanges, 0)+i]) + f.printer.T(textEnd))
				}
			}
		}
	})
}

// printCall prints the diffs of the call of a change.
func (f *frontend) printCall(all []api.FileChange, n uint64) {
	groups := action.FileGroups(all, action.ByCall)
	at := slices.IndexFunc(groups, func(g action.FileGroup) bool {
		return slices.ContainsFunc(g, func(c api.FileChange) bool { return c.N == n })
	})
	if at < 0 {
		f.warn(f.printer.T(textNoChange, n))
		return
	}
	f.printChanges(groups[at])
}

// printChanges prints diffs.
func (f *frontend) printChanges(g action.FileGroup) {
	f.work(func(ctx context.Context) func() {
		var read []api.FileChange
		var err error
		for i := range g {
			var c api.FileChange
			if c, err = f.cfg.Society.FileChange(ctx, g[i].N); err != nil {
				break
			}
			read = append(read, c)
		}
		return func() {
			for i := range read {
				f.say(f.actions.FileChangeLine(&read[i]) + f.printer.T(textEnd))
				if read[i].Diff != "" {
					f.say(sanitize.Visible(strings.TrimRight(read[i].Diff, "\n")))
				}
			}
			f.notify(f.actions.NoticeFor(err))
		}
	})
}

// undo lists what an undo would do, and asks.
func (f *frontend) undo(in command.Input) {
	f.work(func(ctx context.Context) func() {
		all, err := f.cfg.Society.FileChanges(ctx, api.FileChangesQuery{})
		return func() {
			of, why := f.env().UndoOf(in, all)
			var g action.FileGroup
			if why.Empty() {
				g, why = f.actions.UndoChosen(all, of)
			}
			switch {
			case err != nil:
				f.notify(f.actions.NoticeFor(err))
			case !why.Empty():
				f.notify(why)
			default:
				f.askUndo(g.Numbers())
			}
		}
	})
}

func (f *frontend) askUndo(numbers []uint64) {
	f.work(func(ctx context.Context) func() {
		listed, err := f.actions.ListUndo(ctx, numbers)
		return func() {
			if err != nil {
				f.notify(f.actions.NoticeFor(err))
				return
			}
			title, lines, restored := f.actions.UndoQuestion(listed)
			f.say(title)
			for _, line := range lines {
				f.say("  " + line + f.printer.T(textEnd))
			}
			if restored == 0 {
				return
			}
			f.say(f.printer.T(textYesOrNo))
			f.asks = &question{answer: func(line string) {
				if !among(yes, line) {
					f.declined(line)
					return
				}
				f.takeBack(numbers)
			}}
		}
	})
}

func (f *frontend) takeBack(numbers []uint64) {
	f.work(func(ctx context.Context) func() {
		result, err := f.actions.Undo(ctx, numbers)
		return func() {
			if err != nil {
				f.notify(f.actions.NoticeFor(err))
				return
			}
			f.notify(f.actions.Undone(result))
		}
	})
}
