package models

import (
	"context"
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/api"
	"society-tui/runtime/i18n"
	"society-tui/tui/dialog"
	"society-tui/tui/list"
	"society-tui/tui/page"
	"society-tui/tui/sanitize"
	"society-tui/tui/setupstep"
	"society-tui/tui/symbols"
)

// Longest texts of the steps, in characters.
const (
	mostAddress = 300
	mostKey     = 8 << 10
)

// A flow is a model that is being set up, step by step. Esc goes back one step, and nothing is
// written before the last one.
type flow struct {
	providers []api.ModelProvider
	provider  api.ModelProvider // that was chosen; zero for another address
	draft     api.ModelDraft
	public    bool // its address is not in the own network
	placed    bool // the place of its key was chosen
	notes     []string
	listed    api.ModelList
	trial     *api.ModelTrial // nil until it is over
	// asking is set while the endpoint is asked; a question that shows it closes afterwards.
	asking bool
	serial int // of the last request: an answer to an earlier one is too late
}

// other is the id of the row for another address, or another name.
const other = ""

// begin opens the first step.
func (f *Feature) begin() tea.Cmd {
	if f.cfg.Setup == nil {
		return f.showSetUp()
	}
	f.flow = &flow{serial: f.nextSerial()}
	f.providers.Show(f.title(1, stepProvider), "", f.providerItems())
	serial := f.flow.serial
	return page.Later(f.Screen, f.cfg.Setup.Providers, func(found []api.ModelProvider) tea.Cmd {
		if f.flow == nil || f.flow.serial != serial {
			return nil
		}
		f.flow.providers = found
		if f.providers.IsOpen() {
			marked, _ := f.providers.Picked()
			f.providers.Renew(f.providerItems())
			f.providers.Pick(marked.ID)
		}
		return nil
	})
}

func (f *Feature) nextSerial() int {
	f.serial++
	return f.serial
}

// title returns the title of a step.
func (f *Feature) title(n int, of i18n.Text) string { return f.Text(stepTitle, n, f.Text(of)) }

func (f *Feature) providerItems() []list.Item {
	items := []list.Item{{ID: other, Name: f.Text(otherAddress), Text: f.Text(otherAddressSays)}}
	for i, p := range f.flow.providers {
		note := sanitize.Line(p.Address, page.NameCells)
		if p.Local {
			note += f.Dot + f.Text(onThisMachine)
		}
		var text []string
		if p.Models > 0 {
			text = append(text, f.Printer.N(countModels, p.Models))
		}
		if p.KeySet {
			text = append(text, f.Text(variableIsSet, p.KeyEnv))
		}
		items = append(items, list.Item{ID: fmt.Sprint(i + 1), Name: sanitize.Line(p.Name, page.NameCells), Note: note, Text: strings.Join(text, f.Dot)})
	}
	return items
}

// takeProvider goes on with the selected provider.
func (f *Feature) takeProvider() tea.Cmd {
	item, ok := f.providers.Picked()
	if f.flow == nil {
		return nil
	}
	if !ok { // what was typed is no provider, but may be an address
		f.flow.provider, f.flow.draft.URL = api.ModelProvider{}, f.providers.Asked()
		f.providers.Close()
		return f.askAddress(nil)
	}
	f.flow.provider = api.ModelProvider{}
	for i, p := range f.flow.providers {
		if item.ID == fmt.Sprint(i+1) {
			f.flow.provider = p
		}
	}
	f.flow.draft.URL = f.flow.provider.Address
	f.providers.Close()
	return f.askAddress(nil)
}

// field asks for a text. Esc goes back, enter goes on.
func (f *Feature) field(title string, body []dialog.Line, line dialog.Field, back func() tea.Cmd, next func(string) tea.Cmd) tea.Cmd {
	return f.Screen.Ask(page.Question{
		Kind: "model", Title: title, Body: body, Line: &line,
		Choices: []page.Choice{{Label: f.Text(goBack), Run: back}, {Label: f.Text(goOn), Write: func(text string) tea.Cmd { return next(strings.TrimSpace(text)) }}},
	})
}

// withMistake returns a body with what was wrong with the last answer.
func (f *Feature) withMistake(body string, wrong error) []dialog.Line {
	lines := []dialog.Line{{Tone: dialog.Quiet, Text: body}}
	if wrong != nil {
		lines = append(lines, dialog.Line{}, dialog.Line{Tone: dialog.Warning, Text: f.inWords(wrong)})
	}
	return lines
}

// inWords returns an error in the user's language, in one line.
func (f *Feature) inWords(err error) string {
	return sanitize.Line(i18n.Error(f.Printer.Lang, err), page.TextCells)
}

func (f *Feature) askAddress(wrong error) tea.Cmd {
	return f.field(f.title(2, stepAddress), f.withMistake(f.Text(setupstep.Address), wrong),
		dialog.Field{Label: f.Text(addressLabel), Text: f.flow.draft.URL, Most: mostAddress},
		f.backToProviders, f.onAddress)
}

// backToProviders returns to the first step, or leaves a model that is being changed.
func (f *Feature) backToProviders() tea.Cmd {
	if f.flow.draft.Before != "" {
		f.flow = nil
		return f.open()
	}
	f.providers.Show(f.title(1, stepProvider), "", f.providerItems())
	return nil
}

func (f *Feature) onAddress(text string) tea.Cmd {
	at, err := f.cfg.Setup.Address(text)
	if err != nil {
		f.flow.draft.URL = text
		return f.askAddress(err)
	}
	w := f.flow
	setupstep.Move(&w.draft, at)
	w.public, w.notes = at.Public, nil
	for _, note := range at.Mended {
		w.notes = append(w.notes, f.inWords(note))
	}
	if at.Plain {
		return f.askPlain()
	}
	return f.askKeyPlace()
}

// askPlain asks whether what can be read on the way may be sent.
func (f *Feature) askPlain() tea.Cmd {
	body := dialog.Text(f.flow.notes...)
	says := setupstep.PlainSays
	if f.flow.public {
		says = setupstep.PublicSays
	}
	allow := func(key bool) func() tea.Cmd {
		return func() tea.Cmd {
			f.flow.draft.PlainHTTP = key || f.flow.public
			if key {
				return f.askKeyPlace()
			}
			f.flow.draft.Key, f.flow.draft.Entered = api.NoKey, ""
			return f.findModels()
		}
	}
	return f.Screen.Ask(page.Question{
		Kind: "model", Title: f.title(2, stepAddress), Body: append(body, dialog.Line{Tone: dialog.Warning, Text: f.Text(says, f.flow.draft.URL)}),
		Choices: []page.Choice{
			{Label: f.Text(goBack), Run: func() tea.Cmd { return f.askAddress(nil) }},
			{Label: f.Text(withoutKey), Keys: []string{"o"}, Run: allow(false)},
			{Label: f.Text(withKey), Keys: []string{"k"}, Grave: true, Run: allow(true)},
		},
	})
}

// askKeyPlace lists where the key can be.
func (f *Feature) askKeyPlace() tea.Cmd {
	w := f.flow
	var items []list.Item
	for _, p := range setupstep.Places(f.flow.providers, w.draft, w.provider) {
		items = append(items, list.Item{ID: string(p.Is) + "\n" + p.Variable, Name: p.Label(f.Printer), Text: f.Text(p.About())})
	}
	if len(w.notes) > 0 && len(items) > 0 {
		items[0].Head = w.notes[0]
	}
	f.places.Show(f.title(3, stepKey), "", items)
	if w.placed {
		f.places.Pick(string(w.draft.Key) + "\n")
	}
	return nil
}

// takePlace goes on with the selected place of the key.
func (f *Feature) takePlace() tea.Cmd {
	item, ok := f.places.Picked()
	if !ok || f.flow == nil {
		return nil
	}
	place, variable, _ := strings.Cut(item.ID, "\n")
	d := &f.flow.draft
	if api.KeyPlace(place) != d.Key {
		d.Entered = ""
	}
	d.Key, f.flow.placed = api.KeyPlace(place), true
	f.places.Close()
	switch {
	case variable != "":
		d.Entered = api.Entered(variable)
		return f.findModels()
	case !setupstep.IsEntered(d.Key):
		return f.findModels()
	}
	return f.askKey(nil)
}

func (f *Feature) askKey(wrong error) tea.Cmd {
	d := &f.flow.draft
	says, label := setupstep.Asks(d.Key)
	line := dialog.Field{Label: f.Text(label), Text: string(d.Entered), Most: mostKey, Secret: d.Key == api.KeyInKeyring || d.Key == api.KeyInFile}
	if d.Key == api.KeyInEnv && line.Text == "" {
		line.Text = f.flow.provider.KeyEnv
	}
	return f.field(f.title(3, stepKey), f.withMistake(f.Text(says), wrong), line, f.askKeyPlace, func(text string) tea.Cmd {
		d.Entered = api.Entered(text)
		if text == "" {
			return f.askKey(nil)
		}
		return f.findModels()
	})
}

// asks shows a question while the endpoint is asked, which esc gives up.
func (f *Feature) asks(title string, says string, back func() tea.Cmd) (serial int, cmd tea.Cmd) {
	w := f.flow
	w.asking, w.serial = true, f.nextSerial()
	serial = w.serial
	q := page.Question{Kind: "model-asks", Title: title, Body: dialog.Text(says), Choices: []page.Choice{{Label: f.Text(goBack), Run: func() tea.Cmd {
		w.asking = false
		w.serial = f.nextSerial()
		return back()
	}}}}
	q.Again = func() (page.Question, bool) { return q, f.flow == w && w.asking && w.serial == serial }
	return serial, f.Screen.Ask(q)
}

// answered reports whether an answer is to the last request, and closes its question.
func (f *Feature) answered(serial int) bool {
	if f.flow == nil || f.flow.serial != serial {
		return false
	}
	f.flow.asking = false
	f.Screen.Renew()
	return true
}

// backToKey returns to the step of the key, or to the one before if there is none.
func (f *Feature) backToKey() tea.Cmd {
	if setupstep.IsEntered(f.flow.draft.Key) {
		return f.askKey(nil)
	}
	return f.askKeyPlace()
}

// findModels asks the endpoint for its models.
func (f *Feature) findModels() tea.Cmd {
	type found struct {
		list api.ModelList
		err  error
	}
	d := f.flow.draft
	serial, cmd := f.asks(f.title(4, stepModel), f.Text(setupstep.AsksList, sanitize.Line(d.URL, page.TextCells)), f.backToKey)
	return tea.Batch(cmd, page.Later(f.Screen, func(ctx context.Context) found {
		all, err := f.cfg.Setup.List(ctx, d)
		return found{all, err}
	}, func(m found) tea.Cmd {
		if !f.answered(serial) {
			return nil
		}
		f.flow.listed = m.list
		switch {
		case m.err != nil:
			return f.showUnlisted(m.err)
		case len(m.list.Models) == 0:
			return f.typeModel(f.Text(setupstep.NoList))
		}
		return f.pickModel()
	}))
}

// showUnlisted tells why there is no list, and what can be done.
func (f *Feature) showUnlisted(why error) tea.Cmd {
	return f.Screen.Ask(page.Question{
		Kind: "model", Title: f.title(4, stepModel),
		Body: []dialog.Line{{Tone: dialog.Warning, Text: f.inWords(why)}, {Text: f.Text(setupstep.Next(f.flow.listed.Class))}, {}, {Tone: dialog.Quiet, Text: f.Text(unlistedSays)}},
		Choices: []page.Choice{
			{Label: f.Text(goBack), Run: f.backToKey},
			{Label: f.Text(changeKey), Keys: []string{"k"}, Run: f.backToKey},
			{Label: f.Text(changeAddress), Keys: []string{"a"}, Run: func() tea.Cmd { return f.askAddress(nil) }},
			{Label: f.Text(askAgain), Keys: []string{"t"}, Run: f.findModels},
			{Label: f.Text(typeName), Keys: []string{"m"}, Run: func() tea.Cmd { return f.typeModel("") }},
		},
	})
}

func (f *Feature) pickModel() tea.Cmd {
	items := []list.Item{}
	for _, m := range f.flow.listed.Models {
		items = append(items, list.Item{ID: m.ID, Name: sanitize.Line(m.ID, page.NameCells), Note: f.aboutListed(m)})
	}
	items = append(items, list.Item{ID: other, Name: f.Text(typeName), Text: f.Text(typeNameSays)})
	f.listed.Show(f.title(4, stepModel), "", items)
	if f.flow.draft.Model != "" {
		f.listed.Pick(f.flow.draft.Model)
	}
	return nil
}

// aboutListed tells the window and the price of a model, where they are known.
func (f *Feature) aboutListed(m api.ListedModel) string {
	var note []string
	if m.Window > 0 {
		note = append(note, f.Text(window, symbols.Tokens(m.Window)))
	}
	if m.Input != nil && m.Output != nil {
		about := ""
		if m.Old {
			about = "~"
		}
		note = append(note, f.Text(pricesAre, about, *m.Input, *m.Output))
	}
	return strings.Join(note, f.Dot)
}

func (f *Feature) takeListed() tea.Cmd {
	item, ok := f.listed.Picked()
	if !ok || f.flow == nil {
		return nil
	}
	f.listed.Close()
	if item.ID == other {
		return f.typeModel("")
	}
	return f.onModel(item.ID)
}

// typeModel asks for the name of a model that is in no list.
func (f *Feature) typeModel(says string) tea.Cmd {
	back := f.backToKey
	if len(f.flow.listed.Models) > 0 {
		back = f.pickModel
	}
	return f.field(f.title(4, stepModel), dialog.Text(says, f.Text(setupstep.TypeModel)),
		dialog.Field{Label: f.Text(modelLabel), Text: f.flow.draft.Model, Most: mostAddress}, back, func(text string) tea.Cmd {
			if text == "" {
				return f.typeModel(says)
			}
			return f.onModel(text)
		})
}

// onModel tries the model.
func (f *Feature) onModel(name string) tea.Cmd {
	setupstep.Choose(&f.flow.draft, name, f.flow.listed.Models)
	return f.try()
}

// backToModel returns to the choice of the model.
func (f *Feature) backToModel() tea.Cmd {
	if len(f.flow.listed.Models) > 0 {
		return f.pickModel()
	}
	return f.typeModel("")
}

// askDone asks for the name, and saves.
func (f *Feature) askDone(wrong error) tea.Cmd {
	w := f.flow
	body := f.findings(w.trial)
	if w.trial.Err == nil && w.trial.Tools != api.Works {
		body = append(body, dialog.Line{Tone: dialog.Warning, Text: f.Text(setupstep.NoTools)})
	}
	body = append(body, dialog.Line{}, dialog.Line{Tone: dialog.Quiet, Text: f.Text(doneSays, f.cfg.File())})
	if wrong != nil {
		body = append(body, dialog.Line{Tone: dialog.Warning, Text: f.inWords(wrong)})
	}
	save := func(asDefault bool) func(string) tea.Cmd {
		return func(name string) tea.Cmd {
			w.draft.Name = strings.TrimSpace(name)
			return f.save(asDefault)
		}
	}
	return f.Screen.Ask(page.Question{
		Kind: "model", Title: f.title(6, stepDone), Body: body,
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
	}, func() string {
		if f.flow == w {
			f.flow = nil
		}
		if asDefault {
			return f.Text(setupstep.SavedAsDefault, sanitize.Line(d.Name, page.NameCells))
		}
		return f.Text(setupstep.Saved, sanitize.Line(d.Name, page.NameCells))
	})
}

// change changes the settings, and tells the outcome, with what is to be done by hand.
func (f *Feature) change(do func(context.Context) (api.ModelSaved, error), failed func(error) tea.Cmd, said func() string) tea.Cmd {
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
		if m.saved.Overridden != "" {
			text += f.Dot + f.Text(setupstep.Overridden, m.saved.Overridden)
		}
		if f.list.IsOpen() {
			f.list.Renew(f.items())
		}
		if m.saved.Unwritten == nil {
			return f.Inform(text, "")
		}
		lines := strings.Split(strings.TrimSuffix(m.saved.Lines, "\n"), "\n")
		body := []dialog.Line{{Text: text}, {Tone: dialog.Warning, Text: f.inWords(m.saved.Unwritten)}, {}, {Tone: dialog.Strong, Text: f.Text(pasteTitle)}, {Tone: dialog.Quiet, Text: m.saved.File}}
		for _, line := range lines {
			body = append(body, dialog.Line{Text: sanitize.Line(line, page.TextCells), Exact: true})
		}
		return f.Report(f.Text(thisRunOnly), body, page.Choice{Label: f.Text(copyForFile), Keys: []string{"f"}, Run: func() tea.Cmd { return f.Screen.Copy(m.saved.Lines) }})
	})
}
