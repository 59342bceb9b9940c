package roles

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/api"
	"society-tui/runtime/i18n"
	"society-tui/tui/dialog"
	"society-tui/tui/page"
	"society-tui/tui/sanitize"
)

// view shows a role in full. Its texts are cleaned here.
func (f *Feature) view(r api.Role) tea.Cmd {
	about := append([]string{string(r.ID), agentsOf(f.Printer, &r), makerOf(f.Actions, &r), f.toolsOf(&r)}, choicesOf(f.Printer, &r)...)
	if !r.EditedAt.IsZero() {
		about = append(about, f.Text(editedAt, r.EditedAt.Local().Format("2006-01-02 15:04")))
	}
	body := []dialog.Line{{Tone: dialog.Quiet, Text: strings.Join(about, f.Dot)}, {}}
	body = append(body, dialog.Text(strings.Split(sanitize.Text(r.Prompt), "\n")...)...)
	body = append(body, f.interfaceOf(&r)...)

	choice := func(label i18n.Text, key string, does func(api.Role) tea.Cmd) page.Choice {
		return page.Choice{Label: f.Text(label), Keys: []string{key}, Run: func() tea.Cmd { return does(r) }}
	}
	return f.Report(f.Text(viewTitle, Name(&r)), body, choice(editButton, "e", f.edit), choice(modelButton, "m", f.openModels), choice(graphButton, "w", f.openGraphs))
}

// interfaceOf describes how to write to the agents of a role.
func (f *Feature) interfaceOf(r *api.Role) []dialog.Line {
	i := r.Interface
	if i == nil {
		return nil
	}
	body := []dialog.Line{{}, {Tone: dialog.Strong, Text: f.Text(interfaceTitle)}}
	for _, part := range []struct {
		label i18n.Text
		text  string
	}{
		{services, i.Services}, {inputFormat, i.InputFormat}, {outputFormat, i.OutputFormat}, {examples, strings.Join(i.Examples, "\n")},
	} {
		if part.text != "" {
			body = append(body, dialog.Text(strings.Split(f.Text(part.label)+sanitize.Text(part.text), "\n")...)...)
		}
	}
	return body
}

func (f *Feature) toolsOf(r *api.Role) string {
	groups := r.Groups()
	names := make([]string, len(groups))
	for i, g := range groups {
		names[i] = string(g)
	}
	return f.Text(tools, f.Printer.List(names))
}
