package models

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/api"
	"society-tui/tui/dialog"
	"society-tui/tui/page"
	"society-tui/tui/sanitize"
	"society-tui/tui/setupstep"
	"society-tui/tui/symbols"
)

// try has the model answer.
func (f *Feature) try() tea.Cmd {
	d := f.flow.draft
	serial, cmd := f.asks(f.title(5, stepTest), f.Text(setupstep.AsksModel, sanitize.Line(d.Model, page.NameCells)), f.backToModel)
	return tea.Batch(cmd, page.Later(f.Screen, func(ctx context.Context) api.ModelTrial { return f.cfg.Setup.Try(ctx, d) }, func(t api.ModelTrial) tea.Cmd {
		if !f.answered(serial) {
			return nil
		}
		f.flow.trial = &t
		if t.Err != nil {
			return f.showFailed()
		}
		return f.askDone(nil)
	}))
}

// findings are the lines of what a trial showed.
func (f *Feature) findings(t *api.ModelTrial) []dialog.Line {
	var lines []dialog.Line
	tone := map[api.Finding]dialog.Tone{api.Works: dialog.Good, api.Fails: dialog.Danger, api.NotFound: dialog.Quiet}
	for _, part := range setupstep.Parts(t) {
		lines = append(lines, dialog.Line{Key: f.Text(part.Name), Text: f.Text(part.InWords()), Tone: tone[part.Is]})
	}
	size := f.Text(setupstep.Unknown)
	if w := max(t.Window, f.flow.draft.Window); w > 0 {
		size = symbols.Tokens(w)
	}
	return append(lines, dialog.Line{Key: f.Text(partWindow), Text: size})
}

// showFailed tells why the model did not answer, and what can be done next.
func (f *Feature) showFailed() tea.Cmd {
	t := f.flow.trial
	body := append([]dialog.Line{{Tone: dialog.Warning, Text: f.inWords(t.Err)}}, dialog.Line{Tone: dialog.Plain, Text: f.Text(setupstep.Next(t.Class))})
	if len(t.Near) > 0 {
		near := make([]string, len(t.Near))
		for i, name := range t.Near {
			near[i] = sanitize.Line(name, page.NameCells)
		}
		body = append(body, dialog.Line{Text: f.Text(setupstep.Near, f.Printer.List(near))})
	}
	body = append(append(body, dialog.Line{}), f.findings(t)...)
	return f.Screen.Ask(page.Question{
		Kind: "model", Title: f.title(5, stepTest), Body: body,
		Choices: []page.Choice{
			{Label: f.Text(goBack), Run: f.backToModel},
			{Label: f.Text(changeKey), Keys: []string{"k"}, Run: f.backToKey},
			{Label: f.Text(changeAddress), Keys: []string{"a"}, Run: func() tea.Cmd { return f.askAddress(nil) }},
			{Label: f.Text(changeModel), Keys: []string{"m"}, Run: f.backToModel},
			{Label: f.Text(askAgain), Keys: []string{"t"}, Run: f.try},
			{Label: f.Text(anyway), Keys: []string{"s"}, Run: func() tea.Cmd { return f.askDone(nil) }},
		},
	})
}
