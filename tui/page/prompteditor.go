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
	"society-tui/tui/layout"
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
	deps   *Deps
	input  *composer.Model // nil while closed
	before string
	save   func(text string) tea.Cmd
}

// NewPromptEditor returns a closed editor.
func (d *Deps) NewPromptEditor() *PromptEditor { return &PromptEditor{deps: d} }

// IsOpen reports whether the editor is open.
func (e *PromptEditor) IsOpen() bool { return e.input != nil }

// Edit opens a prompt, in the user's editor if there is one.
func (e *PromptEditor) Edit(p Prompt) tea.Cmd {
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
	e.input = composer.New(themes.Theme{}, e.deps.Printer, e.deps.Set())
	e.input.Show(composer.Recipient{Agent: society.Root, Title: p.Title, Hint: p.Hint})
	e.input.Focus(true)
	e.input.SetText(p.Text)
	e.before, e.save = e.input.Text(), p.Save
	e.deps.Screen.Open(e)
}

// Unsaved reports whether the editor has text that would be lost.
func (e *PromptEditor) Unsaved() bool { return e.IsOpen() && e.input.Text() != e.before }

// leave closes the editor, after a question if text would be lost.
func (e *PromptEditor) leave() tea.Cmd {
	if !e.Unsaved() {
		e.Close()
		return nil
	}
	d := e.deps
	return d.Screen.Ask(Question{
		Title: d.Text(discardTitle), Body: dialog.Text(d.Text(discardBody)),
		Choices: []Choice{{Label: d.Text(TextKeepEditing)}, {Label: d.Text(discard), Keys: []string{"y"}, Run: func() tea.Cmd {
			e.Close()
			return nil
		}}},
	})
}

func (e *PromptEditor) Hints() []statusline.Hint {
	d := e.deps
	return []statusline.Hint{{Key: d.Printer.Key("prompt.save"), Does: d.Text(hintSave)}, {Key: "esc", Does: d.Text(HintCancel)}}
}

// edits are the commands of the editor besides saving.
var edits = []struct {
	id    string
	title i18n.Text
	keys  []string
	does  func(*composer.Model)
}{
	{"newline", command.TitleNewline, []string{"enter", "shift+enter", "ctrl+j"}, (*composer.Model).Newline},
	{"up", command.TitleUp, []string{"up"}, (*composer.Model).Up},
	{"down", command.TitleDown, []string{"down"}, (*composer.Model).Down},
	{"bring_back", command.TitleRestore, []string{"ctrl+y"}, func(r *composer.Model) { r.Bring() }},
}

// PromptCommands are the commands of the prompt editor. Press runs them.
func (d *Deps) PromptCommands() []*command.Command {
	nothing := command.Do(func() {})
	all := []*command.Command{{
		ID: "save", Title: i18n.Text{EN: "Save", ZH: "保存"}, Also: i18n.Text{EN: "keep store write", ZH: "储存 写入 存盘"}, Keys: command.Keys(command.Prompt, "ctrl+s"), Run: nothing,
		Blocked: func(int) string { return d.Text(onlyInEditor) },
	}}
	for _, e := range edits {
		all = append(all, &command.Command{ID: e.id, Title: e.title, Keys: command.Keys(command.Prompt, e.keys...), Run: nothing})
	}
	return command.Grouped(command.GroupRoles, all)
}

// Scope is where the keys of the editor hold.
func (*PromptEditor) Scope() command.Scope { return command.Prompt }

// Writes reports that letters are text.
func (*PromptEditor) Writes() bool { return true }

// Press handles a key: a command of the editor, else text.
func (e *PromptEditor) Press(k tea.KeyPressMsg, b *command.Binding) (cmd tea.Cmd, taken bool) {
	switch key := command.Stroke(k); {
	case key == "esc", key == "alt+esc", key == "ctrl+c":
		return e.leave(), true
	case b != nil && b.ID == "help":
		return nil, false
	case b == nil || b.In != command.Prompt:
		return e.input.Update(k), true
	case b.ID == "save":
		return e.save(e.input.Text()), true
	}
	for _, edit := range edits {
		if edit.id == b.ID {
			edit.does(e.input)
		}
	}
	return nil, true
}

// Paste inserts a text.
func (e *PromptEditor) Paste(text string) tea.Cmd {
	return e.input.Update(tea.PasteMsg{Content: text})
}

// Click and Wheel have no effect.
func (*PromptEditor) Click(int, int) tea.Cmd { return nil }

func (*PromptEditor) Wheel(int) {}

// SetTheme restyles the editor.
func (e *PromptEditor) SetTheme(t themes.Theme, set symbols.Set) { e.input.SetTheme(t, set) }

// View draws the editor in the middle of the screen.
func (e *PromptEditor) View(screen *layout.Layout) (layout.Part, *tea.Position) {
	at := promptEditorAt(screen)
	x, y := e.input.Cursor(at.W, at.H)
	return layout.Part{At: at, Rows: e.input.Rows(at.W, at.H)}, &tea.Position{X: at.X + x, Y: at.Y + y}
}

// promptEditorAt returns the place of the editor: all between header and notice.
func promptEditorAt(screen *layout.Layout) layout.Rect {
	end := screen.Hints.Y - screen.Message.H
	return layout.Rect{Y: screen.Header.H, W: screen.W, H: end - screen.Header.H}
}
