package models

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/api"
	"society-tui/tui/dialog"
	"society-tui/tui/page"
	"society-tui/tui/sanitize"
	"society-tui/tui/setupstep"
)

// test has a model of the settings answer, and changes nothing.
func (f *Feature) test(d api.ModelDraft) tea.Cmd {
	f.start(flow{Keys: f.keys(d), draft: d, first: testStep, testing: true})
	return f.try()
}

// endTest returns to the model in the list of models, which is still open.
func (f *Feature) endTest() tea.Cmd {
	f.flow = nil
	item, ok := f.list.Picked()
	if !ok {
		return nil
	}
	return f.manage(item)
}

// try has the model answer.
func (f *Feature) try() tea.Cmd {
	w := f.flow
	d := w.draft
	title, back, report := f.title(testStep, stepTest), f.backToModel, f.showTried
	if w.testing {
		title, back, report = f.Text(testTitle, sanitize.Line(d.Name, page.NameCells)), f.endTest, f.reportTest
	}
	return asks(f, title, f.Text(setupstep.AsksModel, sanitize.Line(d.Model, page.NameCells)), back, func(ctx context.Context) api.ModelTrial {
		return f.cfg.Setup.Try(ctx, d)
	}, func(t api.ModelTrial) tea.Cmd {
		w.trial = &t
		return report()
	})
}

// showTried goes on after a trial.
func (f *Feature) showTried() tea.Cmd {
	if f.flow.trial.Err != nil {
		return f.showFailed()
	}
	return f.askDone(nil)
}

// reportTest shows how a test went. From a failure one can go on to change what was wrong.
func (f *Feature) reportTest() tea.Cmd {
	w := f.flow
	q := page.Question{
		Kind: "model", Report: true, Title: f.Text(testTitle, sanitize.Line(w.draft.Name, page.NameCells)), Body: f.outcome(w.trial),
		Choices: []page.Choice{{Label: f.Text(page.TextClose), Keys: []string{"q"}, Run: f.endTest}},
	}
	if w.trial.Err == nil {
		return f.Screen.Ask(q)
	}
	edit := func(step func() tea.Cmd) func() tea.Cmd {
		return func() tea.Cmd {
			f.list.Close()
			w.testing = false
			return step()
		}
	}
	q.Choices = append(
		q.Choices,
		f.remedy(setupstep.OtherKey, edit(f.askKeyPlace)),
		f.remedy(setupstep.OtherAddress, edit(func() tea.Cmd { return f.askAddress(nil) })),
		f.remedy(setupstep.OtherModel, edit(f.findModels)),
		f.remedy(setupstep.AskAgain, f.try),
	)
	return f.Screen.Ask(q)
}

// outcome are the lines of a trial: why it failed, and what it showed.
func (f *Feature) outcome(t *api.ModelTrial) []dialog.Line {
	if t.Err == nil {
		return f.findings(t)
	}
	lines := []dialog.Line{{Tone: dialog.Warning, Text: f.inWords(t.Err)}, {Text: f.Text(setupstep.Next(t.Class))}}
	if len(t.Near) > 0 {
		near := make([]string, len(t.Near))
		for i, name := range t.Near {
			near[i] = sanitize.Line(name, page.NameCells)
		}
		lines = append(lines, dialog.Line{Text: f.Text(setupstep.Near, f.Printer.List(near))})
	}
	return append(append(lines, dialog.Line{}), f.findings(t)...)
}

// findings are the lines of what a trial showed.
func (f *Feature) findings(t *api.ModelTrial) []dialog.Line {
	var lines []dialog.Line
	tone := map[api.Finding]dialog.Tone{api.Works: dialog.Good, api.Fails: dialog.Danger, api.NotFound: dialog.Quiet}
	for _, part := range setupstep.Parts(t) {
		lines = append(lines, dialog.Line{Key: f.Text(part.Name), Text: f.Text(part.InWords()), Tone: tone[part.Is]})
	}
	lines = append(lines, dialog.Line{Key: f.Text(setupstep.Context), Text: setupstep.Size(f.Printer, f.flow.draft, f.flow.listed.Models, t)})
	if t.Err == nil && t.Tools != api.Works {
		lines = append(lines, dialog.Line{Tone: dialog.Warning, Text: f.Text(setupstep.NoTools)})
	}
	return lines
}

// showFailed tells why the model did not answer, and what can be done next.
func (f *Feature) showFailed() tea.Cmd {
	t := f.flow.trial
	return f.askRemedy(t.Class, page.Question{
		Kind: "model", Title: f.title(testStep, stepTest), Body: f.outcome(t),
		Choices: []page.Choice{
			{Label: f.Text(goBack), Run: f.backToModel},
			f.remedy(setupstep.OtherKey, f.otherKey),
			f.remedy(setupstep.OtherAddress, f.otherAddress(f.showFailed)),
			f.remedy(setupstep.OtherModel, f.backToModel),
			f.remedy(setupstep.AskAgain, f.try),
			{Label: f.Text(anyway), Keys: []string{"s"}, Run: func() tea.Cmd { return f.askDone(nil) }},
		},
	})
}
