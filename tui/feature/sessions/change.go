package sessions

import (
	"context"
	"fmt"
	"slices"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/session"
	"society-tui/tui/dialog"
	"society-tui/tui/page"
	"society-tui/tui/symbols"
)

// nameKind is the kind of the dialog that asks for the name of a session.
const nameKind = "name"

// create asks for a name, and goes to a new session that is called so.
func (f *Feature) create() tea.Cmd {
	w := f.words
	return f.askName(w.New, w.Make, "", func(name string) tea.Cmd {
		if slices.ContainsFunc(f.list, func(s row) bool { return s.Name == name }) {
			return f.Warn(fmt.Sprintf(w.There, name), w.HintName)
		}
		return f.switchTo(name)
	})
}

// rename asks what the session that is marked is to be called.
func (f *Feature) rename() tea.Cmd {
	s, ok := f.marked()
	if !ok {
		return nil
	}
	w := f.words
	if s.Name == f.current {
		return f.notDone(w.NotRenamed, s.Name, &session.Problem{Why: session.Open})
	}
	was := s.Name
	if session.Check(was) != nil {
		was = "" // nothing of it could stay
	}
	return f.askName(fmt.Sprintf(w.RenameTitle, shownName(s.Name)), w.Rename, was, func(name string) tea.Cmd {
		return f.Screen.Run(func(ctx context.Context) func() tea.Cmd {
			err := f.store.Rename(s.Name, name)
			return func() tea.Cmd {
				if err != nil {
					return tea.Batch(f.notDone(w.NotRenamed, s.Name, err), f.refresh(""))
				}
				return tea.Batch(f.Tell(fmt.Sprintf(w.Renamed, shownName(s.Name), name), ""), f.refresh(name))
			}
		})
	})
}

// askName asks for the name of a session until it is one, and does something with it.
func (f *Feature) askName(title, button, text string, does func(name string) tea.Cmd) tea.Cmd {
	w := f.words
	var given func(string) tea.Cmd
	open := func(text string, body ...dialog.Line) {
		f.Screen.OpenDialog(dialog.Dialog{
			Kind: nameKind, Title: title, Body: append(body, dialog.Line{Tone: dialog.Quiet, Text: w.Rules}),
			Line:    &dialog.Field{Label: w.Name, Text: text, Most: session.MaxName},
			Buttons: []dialog.Button{{Choice: f.App.Cancel, Label: f.App.Cancel}, {Choice: button, Label: button}},
			Payload: &page.Answers{Writes: map[string]func(string) tea.Cmd{button: func(text string) tea.Cmd { return given(text) }}},
		})
	}
	given = func(text string) tea.Cmd {
		if session.Check(text) != nil {
			open(text, dialog.Line{Tone: dialog.Warning, Text: fmt.Sprintf(w.NoName, text)})
			return nil
		}
		return does(text)
	}
	open(text)
	return nil
}

// mostUncounted is how many agents are deleted with a session without their number
// being typed, as with those that are terminated.
const mostUncounted = 10

// askDelete asks whether the session that is marked is to be deleted, with what
// would be lost as it is now.
func (f *Feature) askDelete() tea.Cmd {
	s, ok := f.marked()
	if !ok {
		return nil
	}
	if s.Name == f.current {
		return f.notDone(f.words.NotDeleted, s.Name, &session.Problem{Why: session.Open})
	}
	return f.Screen.Run(func(ctx context.Context) func() tea.Cmd {
		s.preview, s.err = f.store.Look(ctx, s.Name)
		return func() tea.Cmd { return f.confirmDelete(s) }
	})
}

func (f *Feature) confirmDelete(s row) tea.Cmd {
	w := f.words
	if why := problemOf(s.err).Why; s.err != nil && (why == session.InUse || why == session.Gone) {
		return tea.Batch(f.notDone(w.NotDeleted, s.Name, s.err), f.refresh(""))
	}
	size, n := symbols.Bytes(int(s.Size)), s.preview.Agents
	q := page.Question{Title: fmt.Sprintf(w.DeleteTitle, shownName(s.Name))}
	switch {
	case s.err != nil:
		q.Body = dialog.Text(fmt.Sprintf(w.DeleteUnknown, size, f.problemText(s.err)))
	case n > 1:
		q.Body = dialog.Text(fmt.Sprintf(w.DeleteSays, size, n))
	default:
		q.Body = dialog.Text(fmt.Sprintf(w.DeleteOne, size))
	}
	if s.preview.Request != "" {
		q.Body = append(q.Body, dialog.Line{Tone: dialog.Quiet, Text: fmt.Sprintf(w.DeleteLast, shownRequest(s.preview))})
	}
	q.Body = append(q.Body, dialog.Line{Tone: dialog.Danger, Text: w.DeleteGrave})
	if n > mostUncounted {
		q.Number = n
	}
	q.Choices = []page.Choice{
		{Label: f.App.Cancel},
		{Label: w.Delete, Key: "y", Grave: true, Run: func() tea.Cmd { return f.deleteNow(s.Name) }},
	}
	return f.Screen.Ask(q)
}

func (f *Feature) deleteNow(name string) tea.Cmd {
	w := f.words
	return f.Screen.Run(func(ctx context.Context) func() tea.Cmd {
		err := f.store.Delete(name)
		return func() tea.Cmd {
			if err != nil {
				return tea.Batch(f.notDone(w.NotDeleted, name, err), f.refresh(""))
			}
			return tea.Batch(f.Tell(fmt.Sprintf(w.Deleted, shownName(name)), ""), f.refresh(""))
		}
	})
}
