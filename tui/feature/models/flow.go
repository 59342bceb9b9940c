package models

import (
	"context"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/api"
	"society-tui/runtime/i18n"
	"society-tui/tui/dialog"
	"society-tui/tui/list"
	"society-tui/tui/page"
	"society-tui/tui/sanitize"
	"society-tui/tui/setupstep"
)

// Longest texts of the steps, in characters.
const (
	mostAddress = 300
	mostKey     = 8 << 10
)

// The steps of setting a model up.
const (
	providerStep = iota + 1
	addressStep
	keyStep
	modelStep
	testStep
	doneStep
)

// A flow is a model that is being set up, changed or tested, step by step. Esc goes back one
// step, and nothing is written before the last one.
type flow struct {
	setupstep.Keys

	draft    api.ModelDraft
	first    int    // the earliest step that was shown: esc leaves it
	given    bool   // the address is the provider's: its step is left out
	testing  bool   // the model is only tested
	fromList bool   // esc on its first step leads back to the list of models
	public   bool   // its address is not in the own network
	keyless  bool   // no key is sent, because it could be read on the way
	keyring  bool   // it was asked for
	place    string // the id of the place of its key, "" if none was chosen
	notes    []string
	listed   api.ModelList
	trial    *api.ModelTrial // nil until it is over
	// failed returns to the failure from which the address is changed, nil for none.
	failed func() tea.Cmd
	// asking is set while the endpoint is asked; a question that shows it closes afterwards.
	asking bool
	serial int // of the last request: an answer to an earlier one is too late
}

// other is the id of the row for another address, or another name.
const other = ""

// begin opens the first step, with what was entered before if the last set-up was left.
func (f *Feature) begin() tea.Cmd {
	if f.cfg.Setup == nil {
		return f.showSetUp()
	}
	last := flow{first: providerStep}
	if f.begun != nil {
		last = *f.begun
	}
	last.Others = f.keys(api.ModelDraft{}).Others
	last.fromList, last.asking, last.failed = false, false, nil
	w := f.start(last)
	f.begun = w
	f.showProviders()
	return page.Later(f.Screen, f.cfg.Setup.Providers, func(found []api.ModelProvider) tea.Cmd {
		w.Providers = found
		if f.flow == w && f.providers.IsOpen() {
			f.renew(f.providers, f.providerItems())
		}
		return nil
	})
}

// start begins a flow, in place of an earlier one.
func (f *Feature) start(w flow) *flow {
	w.serial = f.nextSerial()
	f.flow = &w
	return f.flow
}

// renew replaces the items of an open list; the selected one stays selected.
func (f *Feature) renew(l *page.List, items []list.Item) {
	marked, _ := l.Picked()
	l.Renew(items)
	l.Pick(marked.ID)
}

func (f *Feature) nextSerial() int {
	f.serial++
	return f.serial
}

// title returns the title of a step, numbered among those that are shown.
func (f *Feature) title(step int, of i18n.Text) string {
	w := f.flow
	at, all := step-w.first+1, doneStep-w.first+1
	if w.given {
		all--
		if step > addressStep {
			at--
		}
	}
	if w.Before.Before != "" {
		const cells = 20 // so that the step is seen on a narrow screen
		return f.Text(editTitle, sanitize.Line(w.Before.Name, cells), at, all, f.Text(of))
	}
	return f.Text(stepTitle, at, all, f.Text(of))
}

// back goes back from a step, or to the models if nothing was shown before it.
func (f *Feature) back(from int, to func() tea.Cmd) func() tea.Cmd {
	return func() tea.Cmd {
		if w := f.flow; w == nil || w.first == from && from > providerStep {
			f.flow = nil
			return f.open()
		}
		return to()
	}
}

// enter notes that a step is shown.
func (w *flow) enter(step int) { w.first = min(w.first, step) }

// leave ends the set-up, and tells how to go on with what was entered.
func (f *Feature) leave() tea.Cmd {
	w := f.flow
	f.providers.Close()
	f.flow = nil
	var cmds []tea.Cmd
	if w != nil && w.draft.URL != "" {
		cmds = append(cmds, f.Inform(f.Text(leftSays), f.Text(hintGoOn, SetUp)))
	}
	if w != nil && w.fromList {
		cmds = append(cmds, f.open())
	}
	return tea.Batch(cmds...)
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

// asks shows a question while ask runs outside the event loop, and hands its answer to then. Esc
// ends it, and back follows.
func asks[T any](f *Feature, title, says string, back func() tea.Cmd, ask func(context.Context) T, then func(T) tea.Cmd) tea.Cmd {
	w := f.flow
	w.asking, w.serial = true, f.nextSerial()
	serial := w.serial
	asked, giveUp := context.WithCancel(context.Background())
	label := goBack
	if w.testing {
		label = page.TextCancel
	}
	q := page.Question{Kind: "model-asks", Title: title, Body: dialog.Text(says), Choices: []page.Choice{{Label: f.Text(label), Run: func() tea.Cmd {
		giveUp()
		w.asking = false
		w.serial = f.nextSerial()
		return back()
	}}}}
	q.Again = func() (page.Question, bool) { return q, f.flow == w && w.asking && w.serial == serial }
	return tea.Batch(f.Screen.Ask(q), page.Later(f.Screen, func(ctx context.Context) T {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		defer context.AfterFunc(asked, cancel)()
		return ask(ctx)
	}, func(answer T) tea.Cmd {
		giveUp()
		if f.flow != w || w.serial != serial {
			return nil
		}
		w.asking = false
		f.Screen.Renew()
		return then(answer)
	}))
}

// remedies are the choices after a failure.
var remedies = map[setupstep.Remedy]struct {
	label i18n.Text
	key   string
}{
	setupstep.OtherKey: {changeKey, "k"}, setupstep.OtherAddress: {changeAddress, "a"}, setupstep.OtherModel: {changeModel, "m"}, setupstep.AskAgain: {askAgain, "t"},
}

func (f *Feature) remedy(is setupstep.Remedy, run func() tea.Cmd) page.Choice {
	r := remedies[is]
	return page.Choice{Label: f.Text(r.label), Keys: []string{r.key}, Run: run}
}

// askRemedy asks what to do after a failure of a class; what usually helps is selected.
func (f *Feature) askRemedy(class string, q page.Question) tea.Cmd {
	key := remedies[setupstep.Helps(class)].key
	q.Selected = max(slices.IndexFunc(q.Choices, func(c page.Choice) bool { return slices.Contains(c.Keys, key) }), 0)
	return f.Screen.Ask(q)
}
