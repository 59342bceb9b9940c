package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/i18n"
	"society-tui/runtime/society"
	"society-tui/tui/command"
	"society-tui/tui/composer"
	"society-tui/tui/dialog"
	"society-tui/tui/page"
	"society-tui/tui/statusline"
)

// A sheet is where the person writes a longer text than a message, without an
// editor of their own.
type sheet struct {
	pad  *composer.Model
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
	pad := composer.New(a.appearance.theme, a.printer, a.set)
	pad.Show(composer.Recipient{Agent: society.Root, Title: title, Hint: hint})
	pad.Focus(true)
	pad.SetText(text)
	a.sheet = &sheet{pad: pad, was: pad.Text(), save: save}
}

// promptCommands are those of the sheet.
func (a *app) promptCommands() []*command.Command {
	in := func(id string, title i18n.Text, f func(), keys ...string) *command.Command {
		return &command.Command{ID: id, Title: title, Keys: command.Keys(command.Prompt, keys...), Run: command.Do(f)}
	}
	return command.Grouped(command.GroupRoles, []*command.Command{
		{
			ID: "save", Title: i18n.Text{EN: "Save", ZH: "保存"}, Keys: command.Keys(command.Prompt, "ctrl+s"), Blocked: func(int) string { return a.words.palette.OnlySheet },
			Run: command.Run(func() tea.Cmd { return a.sheet.save(a.sheet.pad.Text()) }),
		},
		in("newline", i18n.Text{EN: "New line", ZH: "换行"}, func() { a.sheet.pad.Newline() }, "enter", "shift+enter", "ctrl+j"),
		in("up", i18n.Text{EN: "Up", ZH: "向上"}, func() { a.sheet.pad.Up() }, "up"),
		in("down", i18n.Text{EN: "Down", ZH: "向下"}, func() { a.sheet.pad.Down() }, "down"),
		in("bring_back", i18n.Text{EN: "Restore cleared text", ZH: "恢复清空的文字"}, func() { a.sheet.pad.Bring() }, "ctrl+y"),
	})
}

// pressInSheet takes a key while a text is written there.
func (a *app) pressInSheet(k tea.KeyPressMsg) tea.Cmd {
	key := command.Stroke(k)
	switch {
	case key == "esc", key == "alt+esc", key == "ctrl+c":
		return a.leaveSheet()
	case a.openHelpOn(key, true):
		return nil
	}
	if b := a.registry.Find(key, command.Prompt, true); b != nil && b.In == command.Prompt {
		return runBinding(b, key)
	}
	return a.sheet.pad.Update(k)
}

func (a *app) pasteInSheet(text string) tea.Cmd {
	return a.sheet.pad.Update(tea.PasteMsg{Content: text})
}

func (a *app) sheetHints() []statusline.Hint {
	return []statusline.Hint{{Key: a.registry.Key("prompt.save"), Does: a.words.keys.HintSave}, {Key: "esc", Does: a.words.keys.HintCancel}}
}

// leaveSheet takes the sheet away; not what was written on it without a question.
func (a *app) leaveSheet() tea.Cmd {
	if a.sheet.pad.Text() == a.sheet.was {
		a.sheet = nil
		return nil
	}
	w := a.words.roles
	return a.ask(page.Question{
		Title: w.ThrowAsk, Body: dialog.Text(w.ThrowSay),
		Choices: []page.Choice{{Label: w.Keep}, {Label: w.Throw, Key: "y", Run: func() tea.Cmd {
			a.sheet = nil
			return nil
		}}},
	})
}
