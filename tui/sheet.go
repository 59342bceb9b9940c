package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/society"
	"society-tui/tui/composer"
	"society-tui/tui/dialog"
	"society-tui/tui/words"
)

// A sheet is where the person writes a longer text than a message, without an
// editor of their own.
type sheet struct {
	pad  *composer.Room
	was  string
	save func(text string) tea.Cmd
}

// sheetAt is where a sheet lies on a screen.
func sheetAt(w, h int) rect {
	const most, edge = 110, 2
	at := rect{w: min(most, w-2*edge), h: h - 2*edge}
	if at.w < 60 {
		at.w = w
	}
	if at.h < 10 {
		at.h = h - 1 // the keys are still named
	}
	at.x, at.y = (w-at.w)/2, max((h-1-at.h)/2, 0)
	return at
}

// writeText lets the person write a text: in their editor, or on a sheet if there
// is none that works. A sheet that is empty shows hint; an editor gets it to begin
// with, and leaving it as it was writes nothing. What save does not accept can be
// mended: see mend.
func (a *app) writeText(title, text, hint string, save func(string) tea.Cmd) tea.Cmd {
	a.disarmEscape()
	command := a.editor()
	if len(command) == 0 {
		a.openSheet(title, text, hint, save)
		return nil
	}
	given := text
	if given == "" {
		given = hint
	}
	return a.inEditor(command, "", given, func(written string, err error) tea.Cmd {
		switch {
		case err != nil:
			a.openSheet(title, text, hint, save)
			return a.editorFailed(err)
		case strings.TrimSpace(written) == strings.TrimSpace(given):
			return nil
		}
		return save(written)
	})
}

// mend keeps a text that was not accepted in front of the person: the sheet that
// it is on stays, and one from an editor gets a sheet.
func (a *app) mend(title, text string, save func(string) tea.Cmd) {
	if a.sheet == nil {
		a.openSheet(title, text, "", save)
		a.sheet.was = ""
	}
}

func (a *app) openSheet(title, text, hint string, save func(string) tea.Cmd) {
	pad := composer.New(a.theme, drawable(words.ForComposer(a.cfg.Lang), a.set.ASCII, a.rename), a.set)
	pad.Show(composer.Recipient{Agent: society.Root, Title: title, Hint: hint})
	pad.Focus(true)
	pad.SetText(text)
	a.sheet = &sheet{pad: pad, was: pad.Text(), save: save}
}

// pressInSheet takes a key while a text is written there.
func (a *app) pressInSheet(k tea.KeyPressMsg) tea.Cmd {
	s, key := a.sheet, stroke(k)
	switch {
	case key == "esc", key == "alt+esc", key == "ctrl+c":
		return a.leaveSheet()
	case a.keys.helps(key, true):
		a.openHelp()
		return nil
	}
	switch a.keys.find(key, inSheet, true) {
	case save:
		return s.save(s.pad.Text())
	case newline:
		s.pad.Newline()
	case up:
		s.pad.Up()
	case down:
		s.pad.Down()
	case bring:
		s.pad.Bring()
	default:
		return s.pad.Update(k)
	}
	return nil
}

// leaveSheet takes the sheet away; not what was written on it without a question.
func (a *app) leaveSheet() tea.Cmd {
	if a.sheet.pad.Text() == a.sheet.was {
		a.sheet = nil
		return nil
	}
	w := a.words.roles
	return a.ask(question{
		title: w.ThrowAsk, body: dialog.Text(w.ThrowSay),
		choices: []choice{{label: w.Keep}, {label: w.Throw, key: "y", does: func() tea.Cmd {
			a.sheet = nil
			return nil
		}}},
	})
}
