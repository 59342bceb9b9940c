package tui

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"strings"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/society"
	"society-tui/tui/page"
	"society-tui/tui/sanitize"
	"society-tui/tui/terminal"
)

// toEdit is a file with what is written so far, for the person's editor.
type toEdit struct {
	to    society.AgentID
	words []string // of the editor's command, at least one
	file  string
	then  func(text string, err error) tea.Cmd // nil: into the composer
}

// edited is what the person wrote in it.
type edited struct {
	to   society.AgentID
	text string
	err  error
	then func(text string, err error) tea.Cmd
}

// openEditor lets the person write in their own editor; the screen waits.
func (a *app) openEditor() tea.Cmd {
	words := a.editor()
	if len(words) == 0 {
		return a.warn(a.text(textNoEditor), "")
	}
	return a.inEditor(words, a.recipient(), a.composer.Text(), nil)
}

// inEditor lets the person write a text in the editor of that command; then takes
// what has become of it, unless it is for the composer.
func (a *app) inEditor(words []string, to society.AgentID, text string, then func(string, error) tea.Cmd) tea.Cmd {
	return a.command(func(context.Context) tea.Msg {
		file, err := os.CreateTemp("", "society-tui-*.md")
		if err != nil {
			return edited{err: err, then: then}
		}
		_, err = file.WriteString(text)
		if err = errors.Join(err, file.Close()); err != nil {
			_ = os.Remove(file.Name())
			return edited{err: err, then: then}
		}
		return toEdit{to: to, words: words, file: file.Name(), then: then}
	})
}

// editor is the command of the person's editor, in words; none if none is set.
func (a *app) editor() []string {
	for _, name := range []string{"VISUAL", "EDITOR"} {
		if words := strings.Fields(a.environ(name)); len(words) > 0 {
			return words
		}
	}
	return nil
}

// edit gives the terminal to the editor until it ends.
func (a *app) edit(e toEdit) tea.Cmd {
	cmd := exec.Command(e.words[0], append(e.words[1:], e.file)...)
	return tea.Exec(&terminal.Guest{Cmd: cmd, Host: a.cfg.Suspension}, func(err error) tea.Msg {
		defer func() { _ = os.Remove(e.file) }()
		if err != nil {
			return edited{err: err, then: e.then}
		}
		text, err := os.ReadFile(e.file)
		return edited{to: e.to, text: strings.TrimRight(string(text), "\n"), err: err, then: e.then}
	})
}

func (a *app) onEdited(e edited) tea.Cmd {
	if e.then != nil {
		return e.then(e.text, e.err)
	}
	if e.err != nil {
		return a.editorFailed(e.err)
	}
	if e.to == a.recipient() {
		a.composer.SetText(e.text)
	} else {
		a.composer.Restore(e.to, e.text)
	}
	return nil
}

func (a *app) editorFailed(err error) tea.Cmd {
	return a.warn(a.text(textEditorFailed, sanitize.Line(err.Error(), page.TextCells)), "")
}
