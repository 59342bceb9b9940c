package page

import (
	"cmp"
	"strings"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/i18n"
	"society-tui/runtime/society"
	"society-tui/themes"
	"society-tui/tui/command"
	"society-tui/tui/composer"
	"society-tui/tui/dialog"
	"society-tui/tui/statusline"
	"society-tui/tui/symbols"
)

// A Prompt is a text longer than a message.
type Prompt struct {
	Title, Text string
	// Hint is the placeholder. The user's editor starts with it, and saving it
	// unchanged writes nothing.
	Hint string
	// Save receives the text. It calls Close of the PromptEditor once the text is
	// accepted, or Retry if it is refused.
	Save func(text string) tea.Cmd
}

// A PromptEditor is the built-in editor for prompts, for users without a
// working editor of their own. It lies over lists and panes.
type PromptEditor struct {
	deps     *Deps
	newInput func() *composer.Model
	input    *composer.Model // nil while closed
	before   string
	save     func(text string) tea.Cmd
}

// NewPromptEditor returns a closed editor. NewInput makes its text field.
func NewPromptEditor(deps *Deps, newInput func() *composer.Model) *PromptEditor {
	return &PromptEditor{deps: deps, newInput: newInput}
}

// IsOpen reports whether the editor is open.
func (e *PromptEditor) IsOpen() bool { return e.input != nil }

// Open opens a prompt, in the user's editor if there is one.
func (e *PromptEditor) Open(p Prompt) tea.Cmd {
	begun := cmp.Or(p.Text, p.Hint)
	cmd, found := e.deps.Screen.Edit(begun, func(written string, ok bool) tea.Cmd {
		switch {
		case !ok:
			e.show(p)
			return nil
		case strings.TrimSpace(written) == strings.TrimSpace(begun):
			return nil
		}
		return p.Save(written)
	})
	if !found {
		e.show(p)
	}
	return cmd
}

// Retry reopens a refused prompt.
func (e *PromptEditor) Retry(p Prompt) {
	if !e.IsOpen() {
		e.show(p)
		e.before = ""
	}
}

// Close closes the editor.
func (e *PromptEditor) Close() { e.input = nil }

func (e *PromptEditor) show(p Prompt) {
	e.input = e.newInput()
	e.input.Show(composer.Recipient{Agent: society.Root, Title: p.Title, Hint: p.Hint})
	e.input.Focus(true)
	e.input.SetText(p.Text)
	e.before, e.save = e.input.Text(), p.Save
}

// Leave closes the editor, after a question if text would be lost.
func (e *PromptEditor) Leave() tea.Cmd {
	if e.input.Text() == e.before {
		e.Close()
		return nil
	}
	d := e.deps
	return d.Screen.Ask(Question{
		Title: d.Text(discardTitle), Body: dialog.Text(d.Text(discardBody)),
		Choices: []Choice{{Label: d.Text(keepEditing)}, {Label: d.Text(discard), Key: "y", Run: func() tea.Cmd {
			e.Close()
			return nil
		}}},
	})
}

func (e *PromptEditor) Hints() []statusline.Hint {
	d := e.deps
	return []statusline.Hint{{Key: d.Printer.Key("prompt.save"), Does: d.Text(hintSave)}, {Key: "esc", Does: d.Text(hintCancel)}}
}

func (e *PromptEditor) Commands() []*command.Command {
	edit := func(id string, title i18n.Text, f func(), keys ...string) *command.Command {
		return &command.Command{ID: id, Title: title, Keys: command.Keys(command.Prompt, keys...), Run: command.Do(f)}
	}
	return command.Grouped(command.GroupRoles, []*command.Command{
		{
			ID: "save", Title: i18n.Text{EN: "Save", ZH: "保存"}, Keys: command.Keys(command.Prompt, "ctrl+s"), Blocked: func(int) string { return e.deps.Text(onlyInEditor) },
			Run: command.Run(func() tea.Cmd { return e.save(e.input.Text()) }),
		},
		edit("newline", i18n.Text{EN: "New line", ZH: "换行"}, func() { e.input.Newline() }, "enter", "shift+enter", "ctrl+j"),
		edit("up", i18n.Text{EN: "Up", ZH: "向上"}, func() { e.input.Up() }, "up"),
		edit("down", i18n.Text{EN: "Down", ZH: "向下"}, func() { e.input.Down() }, "down"),
		edit("bring_back", i18n.Text{EN: "Restore cleared text", ZH: "恢复清空的文字"}, func() { e.input.Bring() }, "ctrl+y"),
	})
}

// Update handles typing and pasting.
func (e *PromptEditor) Update(msg tea.Msg) tea.Cmd { return e.input.Update(msg) }

// SetTheme restyles the editor.
func (e *PromptEditor) SetTheme(t themes.Theme, set symbols.Set) {
	if e.IsOpen() {
		e.input.SetTheme(t, set)
	}
}

func (e *PromptEditor) Rows(w, h int) []string { return e.input.Rows(w, h) }

// Cursor returns the position of the terminal's cursor in the rows.
func (e *PromptEditor) Cursor(w, h int) (x, y int) { return e.input.Cursor(w, h) }
