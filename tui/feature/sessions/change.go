package sessions

import (
	"context"
	"slices"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/session"
	"society-tui/runtime/society"
	"society-tui/tui/dialog"
	"society-tui/tui/page"
	"society-tui/tui/sanitize"
	"society-tui/tui/symbols"
)

// nameKind is the kind of the dialog for a session's name.
const nameKind = "name"

// create asks for a name, and switches to a new session.
func (f *Feature) create() tea.Cmd {
	return f.askName(f.Text(textNew), f.Text(textMake), "", func(name string) tea.Cmd {
		if slices.ContainsFunc(f.sessions, func(s Row) bool { return s.Name == name }) {
			return f.Warn(f.Text(textThere, name), f.Text(textHintName))
		}
		return f.switchTo(name)
	})
}

// rename asks for a new name for the selected session.
func (f *Feature) rename() tea.Cmd {
	s, ok := f.marked()
	if !ok {
		return nil
	}
	if s.Name == f.cfg.Current {
		return f.notDone(textNotRenamed, s.Name, &session.Problem{Why: session.Open})
	}
	was := s.Name
	if session.Check(was) != nil {
		was = "" // nothing of it is valid
	}
	return f.askName(f.Text(textRenameTitle, ShownName(s.Name)), f.Text(textRename), was, func(name string) tea.Cmd {
		return f.Screen.Run(func(ctx context.Context) func() tea.Cmd {
			err := f.cfg.Store.Rename(s.Name, name)
			return func() tea.Cmd {
				if err != nil {
					return tea.Batch(f.notDone(textNotRenamed, s.Name, err), f.refresh(""))
				}
				return tea.Batch(f.Inform(f.Text(textRenamed, ShownName(s.Name), name), ""), f.refresh(name))
			}
		})
	})
}

// askName asks for a session's name until it is valid, and calls does with it.
func (f *Feature) askName(title, button, text string, does func(name string) tea.Cmd) tea.Cmd {
	var ask func(text string, body ...dialog.Line) tea.Cmd
	given := func(text string) tea.Cmd {
		if session.Check(text) != nil {
			return ask(text, dialog.Line{Tone: dialog.Warning, Text: f.Text(textNoName, text)})
		}
		return does(text)
	}
	ask = func(text string, body ...dialog.Line) tea.Cmd {
		return f.Screen.Ask(page.Question{
			Kind: nameKind, Title: title, Body: append(body, dialog.Line{Tone: dialog.Quiet, Text: f.Text(textRules)}),
			Line:    &dialog.Field{Label: f.Text(textName), Text: text, Most: session.MaxName},
			Choices: []page.Choice{{Label: f.Text(page.TextCancel)}, {Label: button, Write: given}},
		})
	}
	return ask(text)
}

// mostUncounted is how many agents can be deleted with a session without typing
// their number, as with terminations.
const mostUncounted = 10

// askDelete asks whether to delete the selected session, with its present
// contents.
func (f *Feature) askDelete() tea.Cmd {
	s, ok := f.marked()
	if !ok {
		return nil
	}
	if s.Name == f.cfg.Current {
		return f.notDone(textNotDeleted, s.Name, &session.Problem{Why: session.Open})
	}
	return f.Screen.Run(func(ctx context.Context) func() tea.Cmd {
		s.Preview, s.Err = f.cfg.Store.Look(ctx, s.Name)
		lost, err := f.cfg.Store.Uncommitted(ctx, s.Name)
		return func() tea.Cmd { return f.confirmDelete(s, lost, err != nil) }
	})
}

// confirmDelete asks whether to delete a session. Lost are the agents whose worktrees have
// something not committed; there may be others if more is set.
func (f *Feature) confirmDelete(s Row, lost []society.AgentID, more bool) tea.Cmd {
	if why := problemOf(s.Err).Why; s.Err != nil && (why == session.InUse || why == session.Gone) {
		return tea.Batch(f.notDone(textNotDeleted, s.Name, s.Err), f.refresh(""))
	}
	size, n := symbols.Bytes(int(s.Size)), s.Preview.Agents
	q := page.Question{Title: f.Text(textDeleteTitle, ShownName(s.Name))}
	switch {
	case s.Err != nil:
		q.Body = dialog.Text(f.Text(textDeleteUnknown, size, problemText(f.Printer, s.Err)))
	default:
		q.Body = dialog.Text(f.Printer.N(textDeleteSays, max(n, 1), size))
	}
	if s.Preview.Request != "" {
		q.Body = append(q.Body, dialog.Line{Tone: dialog.Quiet, Text: f.Text(textDeleteLast, shownRequest(s.Preview))})
	}
	if line := f.lost(lost, more); line != "" {
		q.Body = append(q.Body, dialog.Line{Tone: dialog.Warning, Text: line})
	}
	q.Body = append(q.Body, dialog.Line{Tone: dialog.Danger, Text: f.Text(textDeleteGrave)})
	if n > mostUncounted {
		q.Number = n
	}
	q.Choices = []page.Choice{
		{Label: f.Text(page.TextCancel)},
		{Label: f.Text(textDelete), Keys: []string{"y"}, Grave: true, Run: func() tea.Cmd { return f.deleteNow(s.Name) }},
	}
	return f.Screen.Ask(q)
}

// lost names the agents whose uncommitted work would be lost, "" if there are none.
func (f *Feature) lost(agents []society.AgentID, more bool) string {
	const most = 8
	var names []string
	for _, id := range agents[:min(len(agents), most)] {
		names = append(names, sanitize.Line(string(id), page.NameCells))
	}
	switch {
	case len(names) == 0 && more:
		return f.Text(textDeleteUnread)
	case len(names) == 0:
		return ""
	case more || len(agents) > most:
		names = append(names, "…")
	}
	return f.Printer.N(textDeleteLost, len(agents), f.Printer.List(names))
}

func (f *Feature) deleteNow(name string) tea.Cmd {
	return f.Screen.Run(func(ctx context.Context) func() tea.Cmd {
		err := f.cfg.Store.Delete(name)
		return func() tea.Cmd {
			if err != nil {
				return tea.Batch(f.notDone(textNotDeleted, name, err), f.refresh(""))
			}
			return tea.Batch(f.Inform(f.Text(textDeleted, ShownName(name)), ""), f.refresh(""))
		}
	})
}
