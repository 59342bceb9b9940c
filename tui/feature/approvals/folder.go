package approvals

import (
	tea "charm.land/bubbletea/v2"

	"society-tui/tui/action"
	"society-tui/tui/dialog"
	"society-tui/tui/page"
)

// Opened asks what agents may do in a new folder. Until it is answered they ask before each
// change. No letter answers: it may be the first of a text.
func (f *Feature) Opened() tea.Cmd {
	if f.folder.Dir == "" {
		return nil
	}
	title, body := f.Actions.FolderQuestion(f.folder)
	q := page.Question{Kind: "folder", Title: title, Body: append(dialog.Text(body), dialog.Line{}), Unasked: true, Listed: true}
	for _, m := range action.FolderModes() {
		label, meaning := f.Actions.FolderAnswer(m)
		q.Body = append(q.Body, dialog.Line{Tone: dialog.Strong, Text: label}, dialog.Line{Text: meaning})
		q.Choices = append(q.Choices, page.Choice{Label: label, Run: func() tea.Cmd {
			return f.Screen.Act(f.Actions.AllowInFolder(f.folder, m))
		}})
	}
	return f.Screen.Ask(q)
}
