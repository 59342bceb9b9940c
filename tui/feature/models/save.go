package models

import (
	"context"
	"strings"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
	"society-tui/tui/dialog"
	"society-tui/tui/page"
	"society-tui/tui/sanitize"
	"society-tui/tui/setupstep"
)

// askDone asks for the name, and saves.
func (f *Feature) askDone(wrong error) tea.Cmd {
	w := f.flow
	body := append(f.findings(w.trial), dialog.Line{}, dialog.Line{Tone: dialog.Quiet, Text: f.Text(doneSays, f.cfg.File())})
	if wrong != nil {
		body = append(body, dialog.Line{Tone: dialog.Warning, Text: f.inWords(wrong)})
	}
	save := func(asDefault bool) func(string) tea.Cmd {
		return func(name string) tea.Cmd {
			w.draft.Name = strings.TrimSpace(name)
			return f.save(asDefault)
		}
	}
	enter := 2
	if w.Before.Before != "" || w.trial.Err != nil {
		enter = 1 // what is the default stays so
	}
	return f.Screen.Ask(page.Question{
		Kind: "model", Title: f.title(doneStep, stepDone), Body: body, Selected: enter,
		Line: &dialog.Field{Label: f.Text(nameLabel), Text: w.draft.Name, Most: setupstep.MaxName},
		Choices: []page.Choice{
			{Label: f.Text(goBack), Run: f.backToModel},
			{Label: f.Text(saveOnly), Write: save(false)},
			{Label: f.Text(saveAsDefault), Write: save(true)},
		},
	})
}

func (f *Feature) save(asDefault bool) tea.Cmd {
	w, d := f.flow, f.flow.draft
	return f.change(func(ctx context.Context) (api.ModelSaved, error) { return f.cfg.Setup.Save(ctx, d, asDefault) }, func(err error) tea.Cmd {
		if f.flow == w {
			return f.askDone(err)
		}
		return f.Explain(err)
	}, f.failedOn(w.Before.Name), func() string {
		if f.flow == w {
			f.flow = nil
		}
		if f.begun == w {
			f.begun = nil
		}
		return f.Text(setupstep.Saved(d.Name, asDefault, f.cfg.Setup.Disabled()), sanitize.Line(d.Name, page.NameCells))
	})
}

// failedOn tells which agents have failed on a model, and how they go on; "" for none.
func (f *Feature) failedOn(model string) string {
	var failed []society.AgentID
	for _, id := range f.Replica.Subtree(society.Root) {
		if row, _ := f.Replica.Row(id); row.Error != "" && row.ErrorClass != "" && model != "" && row.Model == model {
			failed = append(failed, id)
		}
	}
	if len(failed) == 0 {
		return ""
	}
	return f.Text(failedOnIt, f.Printer.List(f.namesOf(failed)), f.Actions.Written(failed))
}

// change changes the settings, and tells the outcome, with what is to be done by hand.
func (f *Feature) change(do func(context.Context) (api.ModelSaved, error), failed func(error) tea.Cmd, hint string, said func() string) tea.Cmd {
	type outcome struct {
		saved api.ModelSaved
		err   error
	}
	return page.Later(f.Screen, func(ctx context.Context) outcome {
		saved, err := do(ctx)
		return outcome{saved, err}
	}, func(m outcome) tea.Cmd {
		if m.err != nil {
			return failed(m.err)
		}
		text := said()
		if m.saved.KeyInFile != nil {
			text += f.Dot + f.Text(setupstep.KeyInFile, f.inWords(m.saved.KeyInFile))
		}
		if m.saved.KeyLeft != nil {
			text += f.Dot + f.inWords(m.saved.KeyLeft)
		}
		if m.saved.Overridden != "" {
			text += f.Dot + f.Text(setupstep.Overridden, m.saved.Overridden)
		}
		if f.list.IsOpen() {
			f.list.Renew(f.items())
		}
		if m.saved.Unwritten == nil {
			return f.Inform(text, hint)
		}
		lines := strings.Split(strings.TrimSuffix(m.saved.Lines, "\n"), "\n")
		body := []dialog.Line{{Text: text}, {Tone: dialog.Warning, Text: f.inWords(m.saved.Unwritten)}, {}, {Tone: dialog.Strong, Text: f.Text(pasteTitle)}, {Tone: dialog.Quiet, Text: m.saved.File}}
		for _, line := range lines {
			body = append(body, dialog.Line{Text: sanitize.Line(line, page.TextCells), Exact: true})
		}
		return f.Report(f.Text(thisRunOnly), body, page.Choice{Label: f.Text(copyForFile), Keys: []string{"f"}, Run: func() tea.Cmd { return f.Screen.Copy(m.saved.Lines) }})
	})
}
