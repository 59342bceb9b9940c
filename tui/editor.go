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

// toEdit is a file with a text for the user's editor.
type toEdit struct {
	to    society.AgentID
	words []string // the editor's command, at least one word
	file  string
	then  func(text string, err error) tea.Cmd // nil for the composer
}

// edited is the user's text from the editor.
type edited struct {
	to   society.AgentID
	text string
	err  error
	then func(text string, err error) tea.Cmd
}

// openEditor opens the draft in the user's editor; the screen waits.
func (a *app) openEditor() tea.Cmd {
	words := a.editor()
	if len(words) == 0 {
		return a.warn(a.text(textNoEditor), "")
	}
	return a.inEditor(words, a.recipient(), a.composer.Text(), nil)
}

// inEditor opens a text in an editor; then receives the result, or the composer
// if it is nil.
func (a *app) inEditor(words []string, to society.AgentID, text string, then func(string, error) tea.Cmd) tea.Cmd {
	return a.inProgram(words, ".md", to, []byte(text), then)
}

// inProgram opens a file with a content in a program of the user's; ext is the end of
// its name, if it is short.
func (a *app) inProgram(words []string, ext string, to society.AgentID, content []byte, then func(string, error) tea.Cmd) tea.Cmd {
	const longest = 10
	if len(ext) > longest || strings.ContainsAny(ext, `*/\`) {
		ext = ""
	}
	return a.command(func(context.Context) tea.Msg {
		file, err := os.CreateTemp("", "society-tui-*"+ext)
		if err != nil {
			return edited{err: err, then: then}
		}
		_, err = file.Write(content)
		if err = errors.Join(err, file.Close()); err != nil {
			_ = os.Remove(file.Name())
			return edited{err: err, then: then}
		}
		return toEdit{to: to, words: words, file: file.Name(), then: then}
	})
}

// editor returns the words of the user's editor command, if set, and viewer those of
// the command to look at a file.
func (a *app) editor() []string { return a.firstSet("VISUAL", "EDITOR") }

func (a *app) viewer() []string { return a.firstSet("PAGER", "VISUAL", "EDITOR") }

func (a *app) firstSet(variables ...string) []string {
	for _, name := range variables {
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
