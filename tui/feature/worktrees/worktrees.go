// Package worktrees lists the git worktrees of agents, shows what was changed in one, and
// drops it or writes its changes to a file.
package worktrees

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/api"
	"society-tui/tui/action"
	"society-tui/tui/agentcommand"
	"society-tui/tui/command"
	"society-tui/tui/dialog"
	"society-tui/tui/list"
	"society-tui/tui/page"
	"society-tui/tui/sanitize"
	"society-tui/tui/symbols"
)

// A Feature is the list of worktrees and what it opens.
type Feature struct {
	*page.Deps
	list *page.List
	all  []api.Worktree // as last read
}

// New returns the feature.
func New(deps *page.Deps) *Feature {
	f := &Feature{Deps: deps}
	f.list = deps.NewList(page.Choosing{Take: f.showMarked, Takes: page.TextOpenIt})
	return f
}

// Commands returns the commands of the feature.
func (f *Feature) Commands() []*command.Command {
	written := agentcommand.Env{Actions: f.Actions}.Worktrees()
	written.Run = f.run
	return []*command.Command{written}
}

// run lists the worktrees, opens the one that is named, writes its patch, or asks to drop it.
func (f *Feature) run(in command.Input) tea.Cmd {
	text, drop, file := agentcommand.WorktreeOf(in.Text)
	return f.read(func() tea.Cmd {
		if text == "" && file == "" {
			f.list.Show(f.Text(textTitle), f.Text(textNone), f.items())
			return nil
		}
		w, ok := f.Actions.WorktreeNamed(f.all, text)
		switch {
		case !ok:
			in.Refuse()
			return f.Screen.Notify(f.Actions.UnknownWorktree(text))
		case drop:
			return f.askDrop(w)
		case file != "":
			return f.Screen.Act(f.Actions.SavePatch(w.Name, file))
		}
		return f.show(w)
	})
}

func (f *Feature) read(then func() tea.Cmd) tea.Cmd {
	type found struct {
		all []api.Worktree
		err error
	}
	return page.Later(f.Screen, func(ctx context.Context) found {
		all, err := f.Society.Worktrees(ctx)
		return found{all, err}
	}, func(m found) tea.Cmd {
		if m.err != nil {
			return f.Explain(m.err)
		}
		f.all = m.all
		return then()
	})
}

func (f *Feature) items() []list.Item {
	items := make([]list.Item, len(f.all))
	for i := range f.all {
		w := &f.all[i]
		items[i] = list.Item{ID: w.Name, Name: f.Actions.WorktreeOwner(w), Note: page.Moment(f.Now(), w.Made), Text: f.Actions.AboutWorktree(w), Bad: w.Problem != ""}
	}
	return items
}

// marked returns the selected worktree.
func (f *Feature) marked() (w api.Worktree, ok bool) {
	item, ok := f.list.Picked()
	for i := range f.all {
		if ok && f.all[i].Name == item.ID {
			return f.all[i], true
		}
	}
	return w, false
}

func (f *Feature) showMarked() tea.Cmd {
	w, ok := f.marked()
	if !ok {
		return nil
	}
	return f.show(w)
}

// show shows a worktree with its diff.
func (f *Feature) show(w api.Worktree) tea.Cmd {
	type read struct {
		patch []byte
		err   error
	}
	return page.Later(f.Screen, func(ctx context.Context) read {
		if w.Commits+w.Files == 0 {
			return read{}
		}
		patch, err := f.Society.WorktreePatch(ctx, w.Name)
		return read{patch, err}
	}, func(r read) tea.Cmd {
		if r.err != nil {
			w.Problem = r.err.Error()
		}
		return f.Report(f.Text(textOne, f.Actions.WorktreeOwner(&w)), f.body(&w, string(r.patch)), f.choices(w, r.patch)...)
	})
}

// shownBytes is how much of a patch is shown here.
const shownBytes = 256 << 10

func (f *Feature) body(w *api.Worktree, patch string) []dialog.Line {
	const most = 2000
	body := []dialog.Line{
		{Text: f.Actions.AboutWorktree(w)},
		{},
		{Text: f.Text(textBranch, sanitize.Line(w.Branch, most))},
		{Text: f.Text(textFolder, sanitize.Line(w.Dir, most))},
	}
	if w.Merge != "" && w.Commits+w.Files > 0 {
		body = append(body, dialog.Line{}, dialog.Line{Text: f.Text(textMerge)}, dialog.Line{Tone: dialog.Strong, Text: sanitize.Line(w.Merge, most)})
	}
	if w.Ignored > 0 {
		body = append(body, dialog.Line{Tone: dialog.Quiet, Text: f.Text(textNoPatch)})
	}
	if patch == "" {
		return body
	}
	body = append(body, dialog.Line{})
	if len(patch) > shownBytes {
		body = append(body, dialog.Line{Tone: dialog.Warning, Text: f.Text(textCut, symbols.Bytes(shownBytes), symbols.Bytes(len(patch)))})
		patch = patch[:shownBytes]
	}
	return append(body, dialog.Diff(strings.TrimSuffix(sanitize.Visible(strings.ToValidUTF8(patch, "?")), "\n"))...)
}

func (f *Feature) choices(w api.Worktree, patch []byte) (choices []page.Choice) {
	if len(patch) > 0 {
		choices = append(choices,
			page.Choice{Label: f.Text(textCopy), Keys: []string{"c"}, Run: func() tea.Cmd { return f.Screen.Copy(w.Merge) }},
			page.Choice{Label: f.Text(textExport), Keys: []string{"x"}, Run: func() tea.Cmd { return f.askFile(w, patch) }},
		)
	}
	if !w.Live && f.Actions.LookOnly().Empty() {
		choices = append(choices, page.Choice{Label: f.Text(textDrop), Keys: []string{"d"}, Run: func() tea.Cmd { return f.askDrop(w) }})
	}
	return choices
}

// askFile exports the changes as a patch.
func (f *Feature) askFile(w api.Worktree, patch []byte) tea.Cmd {
	return f.AskFile(page.Export{
		Title: f.Text(textExportTitle, f.Actions.WorktreeOwner(&w)), Body: f.Text(textExportBody),
		Name: sanitize.Line(string(w.Agent), page.NameCells) + ".patch",
		Write: func(_ context.Context, file string, replace bool) (string, error) {
			return f.Actions.WriteFile(action.SavedFile{Path: file, Data: patch, Replace: replace})
		},
	})
}

// askDrop asks before a worktree is dropped.
func (f *Feature) askDrop(w api.Worktree) tea.Cmd {
	title, body, refused := f.Actions.DropQuestion(&w)
	if !refused.Empty() {
		return f.Screen.Notify(refused)
	}
	return f.Screen.Ask(page.Question{
		Kind: "drop", Title: title, Body: dialog.Text(body),
		Choices: []page.Choice{{Label: f.Text(page.TextCancel)}, {Label: f.Text(textDropNow), Keys: []string{"d"}, Grave: true, Run: func() tea.Cmd {
			return f.drop(w)
		}}},
	})
}

func (f *Feature) drop(w api.Worktree) tea.Cmd {
	return page.Later(f.Screen, func(ctx context.Context) error { return f.Society.DropWorktree(ctx, w.Name) }, func(err error) tea.Cmd {
		if err != nil {
			return f.Explain(err)
		}
		renew := f.read(func() tea.Cmd {
			if f.list.IsOpen() {
				f.list.Renew(f.items())
			}
			return nil
		})
		return tea.Batch(f.Screen.Notify(f.Actions.WorktreeDropped(&w)), renew)
	})
}
