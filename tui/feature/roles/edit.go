package roles

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/api"
	"society-tui/runtime/i18n"
	"society-tui/runtime/society"
	"society-tui/tui/dialog"
	"society-tui/tui/page"
	"society-tui/tui/sanitize"
)

// edit opens the prompt of a role for editing. Its agents use the new one from
// their next request on.
func (f *Feature) edit(r api.Role) tea.Cmd {
	p := page.Prompt{Title: f.Text(editTitle, Name(&r)), Text: r.Prompt}
	p.Save = func(text string) tea.Cmd {
		text = strings.TrimSpace(text)
		if text == "" {
			return f.refuse(p, text, needsPrompt)
		}
		return f.ReadRoles(func(m page.RolesRead) tea.Cmd {
			if m.Err != nil {
				return f.refused(p, text, m.Err)
			}
			at := slices.IndexFunc(m.Roles, func(now api.Role) bool { return now.ID == r.ID })
			if at >= 0 && m.Roles[at].Prompt != r.Prompt && m.Roles[at].Prompt != text {
				r.Prompt = m.Roles[at].Prompt
				return f.askOverwrite(p, &r, text)
			}
			return f.save(p, &r, text)
		})
	}
	return f.editor.Edit(p)
}

// save stores an edited prompt.
func (f *Feature) save(p page.Prompt, r *api.Role, text string) tea.Cmd {
	return page.Do(f.Deps, society.EditRole{Role: r.ID, Prompt: text}, func(change society.RoleChange, err error) tea.Cmd {
		if err != nil {
			return f.refused(p, text, err)
		}
		f.editor.Close()
		return tea.Batch(f.Inform(f.edited(Name(r), change), ""), f.refresh(r.ID), f.cfg.Changed())
	})
}

// askOverwrite asks whether to save a prompt that another screen has changed since it was
// opened here. The text stays in the editor.
func (f *Feature) askOverwrite(p page.Prompt, r *api.Role, text string) tea.Cmd {
	p.Text, p.Hint = text, ""
	f.editor.Retry(p)
	return f.Screen.Ask(page.Question{
		Title: f.Text(overwriteTitle, Name(r)), Wide: true,
		Body: []dialog.Line{{Tone: dialog.Warning, Text: f.Text(overwriteBody)}, {}, {Text: sanitize.Text(r.Prompt)}},
		Choices: []page.Choice{
			{Label: f.Text(page.TextKeepEditing)},
			{Label: f.Text(overwrite), Keys: []string{"y"}, Run: func() tea.Cmd { return f.save(p, r, text) }},
		},
	})
}

// edited reports how many agents use the edited role.
func (f *Feature) edited(name string, change society.RoleChange) string {
	switch {
	case !change.Changed:
		return f.Text(unchanged, name)
	case change.Agents == 0:
		return f.Text(savedForNone, name)
	}
	return f.Printer.N(saved, change.Agents, name)
}

// create opens a new role for editing: its name, and its prompt below.
func (f *Feature) create() tea.Cmd {
	p := page.Prompt{Title: f.Text(createTitle), Hint: f.Text(exampleName) + "\n\n" + f.Text(examplePrompt)}
	p.Save = func(text string) tea.Cmd {
		name, prompt, _ := strings.Cut(strings.TrimSpace(text), "\n")
		name, prompt = strings.TrimSpace(name), strings.TrimSpace(prompt)
		switch {
		case name == "":
			return f.refuse(p, text, needsName)
		case prompt == "":
			return f.refuse(p, text, needsPrompt)
		}
		return page.Do(f.Deps, society.MakeRole{Name: name, Prompt: prompt}, func(change society.RoleChange, err error) tea.Cmd {
			if err != nil {
				return f.refused(p, text, err)
			}
			f.editor.Close()
			return tea.Batch(f.Inform(f.Text(created, sanitize.Line(name, page.NameCells)), f.Text(hintCreated)), f.refresh(change.Role))
		})
	}
	return f.editor.Edit(p)
}

// refuse keeps an invalid text in the editor, and warns why.
func (f *Feature) refuse(p page.Prompt, text string, why i18n.Text) tea.Cmd {
	p.Text, p.Hint = text, ""
	f.editor.Retry(p)
	return f.Warn(f.Text(why), "")
}

// refused keeps a text in the editor that the society refused.
func (f *Feature) refused(p page.Prompt, text string, err error) tea.Cmd {
	p.Text, p.Hint = text, ""
	f.editor.Retry(p)
	return f.Explain(err)
}
