package plain

import (
	"context"
	"strings"

	"society-tui/runtime/api"
	"society-tui/tui/agentcommand"
	"society-tui/tui/command"
	"society-tui/tui/sanitize"
	"society-tui/tui/symbols"
)

// worktrees lists the git worktrees of agents, prints what was changed in one, writes that
// to a file, or drops one after a question.
func (f *frontend) worktrees(in command.Input) {
	text, drop, file := agentcommand.WorktreeOf(in.Text)
	f.work(func(ctx context.Context) func() {
		all, err := f.cfg.Society.Worktrees(ctx)
		return func() {
			w, ok := f.actions.WorktreeNamed(all, text)
			switch {
			case err != nil:
				f.notify(f.actions.NoticeFor(err))
			case text == "" && file == "":
				f.listWorktrees(all)
			case !ok:
				f.notify(f.actions.UnknownWorktree(text))
			case drop:
				f.askDrop(w)
			case file != "":
				f.act(f.actions.SavePatch(w.Name, file))
			default:
				f.printWorktree(w)
			}
		}
	})
}

func (f *frontend) listWorktrees(all []api.Worktree) {
	if len(all) == 0 {
		f.say(f.printer.T(textNoWorktrees))
	}
	for i := range all {
		f.sayWorktree(&all[i])
	}
}

func (f *frontend) sayWorktree(w *api.Worktree) {
	f.say(f.actions.WorktreeOwner(w) + f.printer.T(symbols.TextColon) + f.actions.AboutWorktree(w) + f.printer.T(textEnd))
}

// printWorktree prints what was changed in a worktree, and how to merge it.
func (f *frontend) printWorktree(w api.Worktree) {
	f.work(func(ctx context.Context) func() {
		var patch []byte
		var err error
		if w.Commits+w.Files > 0 {
			patch, err = f.cfg.Society.WorktreePatch(ctx, w.Name)
		}
		return func() {
			const most = 2000
			f.sayWorktree(&w)
			f.say(f.printer.T(textTreeFolder, sanitize.Line(w.Dir, most)))
			if w.Merge != "" && w.Commits+w.Files > 0 {
				f.say(f.printer.T(textTreeMerge, sanitize.Line(w.Merge, most)))
			}
			if len(patch) > 0 {
				f.say(sanitize.Visible(strings.TrimRight(strings.ToValidUTF8(string(patch), "?"), "\n")))
			}
			f.notify(f.actions.NoticeFor(err))
		}
	})
}

// askDrop asks before a worktree is dropped.
func (f *frontend) askDrop(w api.Worktree) {
	title, body, refused := f.actions.DropQuestion(&w)
	if !refused.Empty() {
		f.notify(refused)
		return
	}
	f.say(title)
	f.say(body)
	f.say(f.printer.T(textYesOrNo))
	f.asks = &question{answer: func(line string) {
		if !among(yes, line) {
			f.declined(line)
			return
		}
		f.work(func(ctx context.Context) func() {
			err := f.cfg.Society.DropWorktree(ctx, w.Name)
			return func() {
				if err != nil {
					f.notify(f.actions.NoticeFor(err))
					return
				}
				f.notify(f.actions.WorktreeDropped(&w))
			}
		})
	}}
}
