package action

import (
	"context"
	"strings"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
	"society-tui/tui/sanitize"
)

// WorktreeNamed finds the worktree of an agent, or that of a name.
func (b *Builder) WorktreeNamed(list []api.Worktree, text string) (found api.Worktree, ok bool) {
	text = strings.TrimPrefix(text, "@")
	for i := range list {
		switch w := &list[i]; {
		case w.Name == text:
			return *w, true
		case string(w.Agent) == text && text != "":
			found, ok = *w, true
		}
	}
	return found, ok
}

// UnknownWorktree reports that there is no worktree of that agent or name.
func (b *Builder) UnknownWorktree(text string) Notice {
	return Notice{Warned, b.text(textNoWorktree, sanitize.Line(text, nameCells)), b.text(textHintWorktrees)}
}

// WorktreeOwner names the agent of a worktree.
func (b *Builder) WorktreeOwner(w *api.Worktree) string {
	if w.Agent == "" {
		return sanitize.Line(w.Name, nameCells)
	}
	return b.Society.Name(w.Agent)
}

// AboutWorktree says in one line what was changed in a worktree.
func (b *Builder) AboutWorktree(w *api.Worktree) string {
	if w.Problem != "" {
		return b.text(textTreeProblem, sanitize.Line(w.Problem, 300))
	}
	var parts []string
	if w.Live {
		parts = append(parts, b.text(textTreeInUse))
	}
	if w.Commits > 0 {
		parts = append(parts, b.Printer.N(textTreeCommits, w.Commits))
	}
	if w.Files > 0 {
		parts = append(parts, b.Printer.N(textTreeFiles, w.Files))
	}
	if w.Ignored > 0 {
		parts = append(parts, b.Printer.N(textTreeIgnored, w.Ignored))
	}
	if w.Commits+w.Files+w.Ignored == 0 {
		parts = append(parts, b.text(textTreeUnchanged))
	}
	return strings.Join(parts, b.Dot)
}

// DropQuestion asks whether to drop a worktree. It is refused while an agent works there.
func (b *Builder) DropQuestion(w *api.Worktree) (title, body string, refused Notice) {
	refused = b.LookOnly()
	if w.Live && refused.Empty() {
		refused = b.NoticeFor(api.ErrWorktreeInUse)
	}
	return b.text(textDropTitle, b.WorktreeOwner(w)), b.text(textDropBody, b.AboutWorktree(w)), refused
}

// WorktreeDropped reports that a worktree was dropped.
func (b *Builder) WorktreeDropped(w *api.Worktree) Notice {
	return Notice{Text: b.text(textDropped, b.WorktreeOwner(w))}
}

// SavePatch makes the action that writes what was changed in a worktree to a new file.
func (b *Builder) SavePatch(worktree, file string) Action {
	if b.WriteFile == nil {
		return Action{Refused: Notice{Warned, b.text(TextUnavailable), ""}}
	}
	var path string
	return Action{
		Agents: []society.AgentID{society.Root},
		Do: func(ctx context.Context, id society.AgentID) func() Outcome {
			patch, err := b.Client.WorktreePatch(ctx, worktree)
			written := ""
			if err == nil {
				written, err = b.WriteFile(SavedFile{Path: file, Data: patch})
			}
			return func() Outcome {
				path = written
				return Outcome{id, err}
			}
		},
		Summarize: func([]Outcome) Notice { return b.FileWritten(path) },
		Explain:   func(o Outcome) Notice { return b.FileNotWritten(file, o.Err) },
	}
}
