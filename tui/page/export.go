package page

import (
	"context"
	"errors"
	"io/fs"
	"strings"

	tea "charm.land/bubbletea/v2"

	"society-tui/tui/action"
	"society-tui/tui/dialog"
	"society-tui/tui/sanitize"
)

// An Export is a file that the user may want to have written.
type Export struct {
	Title, Body string
	Name        string // of the file, unless the user writes another
	// Write writes the file and returns its path. An error that wraps fs.ErrExist means that
	// the file exists, and replace is not set. It runs outside the event loop.
	Write func(ctx context.Context, file string, replace bool) (path string, err error)
}

// AskFile asks to which file something is exported, and writes it. A file that exists is
// replaced after a second question only.
func (d *Deps) AskFile(e Export) tea.Cmd {
	const longest = 1000
	if d.Actions.WriteFile == nil {
		return d.Warn(d.Text(action.TextUnavailable), "")
	}
	return d.Screen.Ask(Question{
		Kind: "file", Title: e.Title, Body: dialog.Text(e.Body),
		Line: &dialog.Field{Label: d.Text(textFile), Text: e.Name, Most: longest},
		Choices: []Choice{{Label: d.Text(TextCancel)}, {Label: d.Text(textExportNow), Write: func(file string) tea.Cmd {
			return d.export(e, strings.TrimSpace(file), false)
		}}},
	})
}

func (d *Deps) export(e Export, file string, replace bool) tea.Cmd {
	if file == "" {
		return d.Warn(d.Text(textNoFile), "")
	}
	type written struct {
		path string
		err  error
	}
	return Later(d.Screen, func(ctx context.Context) written {
		path, err := e.Write(ctx, file, replace)
		return written{path, err}
	}, func(w written) tea.Cmd {
		switch {
		case errors.Is(w.err, fs.ErrExist) && !replace:
			return d.Screen.Ask(Question{
				Kind: "file", Title: d.Text(textReplaceTitle), Body: dialog.Text(d.Text(textReplaceBody, sanitize.Line(file, TextCells))),
				Choices: []Choice{{Label: d.Text(textKeepIt)}, {Label: d.Text(textReplace), Keys: []string{"r"}, Grave: true, Run: func() tea.Cmd {
					return d.export(e, file, true)
				}}},
			})
		case w.err != nil:
			return d.Screen.Notify(d.Actions.FileNotWritten(file, w.err))
		}
		return d.Screen.Notify(d.Actions.FileWritten(w.path))
	})
}
