package models

import (
	"slices"
	"strconv"
	"strings"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/api"
	"society-tui/tui/dialog"
	"society-tui/tui/list"
	"society-tui/tui/page"
	"society-tui/tui/sanitize"
	"society-tui/tui/setupstep"
)

func (f *Feature) showProviders() {
	w := f.flow
	w.given = false
	f.providers.Show(f.title(providerStep, stepProvider), "", f.providerItems())
	if chosen := slices.Index(w.Providers, w.Provider); chosen >= 0 { // by a user who has come back
		f.providers.Pick(providerRow(chosen))
	}
}

// By these words users look for a server of their own.
const (
	localWords        = "local localhost 本地 本机"
	otherAddressWords = localWords + " url server 局域网 服务器"
)

func (f *Feature) providerItems() []list.Item {
	items := []list.Item{{ID: other, Name: f.Text(otherAddress), Text: f.Text(otherAddressSays), Stays: true, Alone: f.Text(otherAddressAlone), Also: otherAddressWords, Takes: setupstep.IsAddress}}
	for i, p := range f.flow.Providers {
		note, words := sanitize.Line(p.Address, page.NameCells), setupstep.ProviderWords(p)
		if p.Local {
			note, words = note+f.Dot+f.Text(onThisMachine), words+" "+localWords
		}
		var text []string
		if p.Models > 0 {
			text = append(text, f.Printer.N(countModels, p.Models))
		}
		if p.KeySet {
			text = append(text, f.Text(variableIsSet, p.KeyEnv))
		}
		items = append(items, list.Item{ID: providerRow(i), Name: f.providerName(p), Note: note, Text: strings.Join(text, f.Dot), Also: sanitize.Line(words, page.TextCells)})
	}
	return items
}

func (f *Feature) providerName(of api.ModelProvider) string {
	return sanitize.Line(setupstep.ProviderName(f.Printer, of), page.NameCells)
}

// providerRow returns the id of the row of a provider by its index.
func providerRow(i int) string { return strconv.Itoa(i + 1) }

// otherAddress asks for another address after a failure; esc returns to that.
func (f *Feature) otherAddress(failed func() tea.Cmd) func() tea.Cmd {
	return func() tea.Cmd {
		w := f.flow
		draft, given := w.draft, w.given
		w.failed = func() tea.Cmd {
			w.draft, w.given, w.failed = draft, given, nil
			return failed()
		}
		return f.askAddress(nil)
	}
}

// takeProvider goes on with the selected provider.
func (f *Feature) takeProvider() tea.Cmd {
	item, ok := f.providers.Picked()
	w := f.flow
	if w == nil || !ok {
		return nil
	}
	if typed := f.providers.Asked(); item.ID == other && setupstep.IsAddress(typed) {
		w.draft.URL = typed
	} else if w.Provider.Name != "" { // of which the address was
		w.draft.URL = ""
	}
	before := w.Provider
	w.Provider = api.ModelProvider{}
	for i, p := range w.Providers {
		if item.ID == providerRow(i) {
			w.Provider, w.draft.URL = p, p.Address
		}
	}
	if w.Provider != before { // which the key was for
		w.draft.Key, w.draft.Entered, w.place = api.NoKey, "", ""
	}
	f.providers.Close()
	if w.given = setupstep.IsWhole(w.Provider.Address); w.given {
		return f.onAddress(w.Provider.Address)
	}
	return f.askAddress(nil)
}

func (f *Feature) askAddress(wrong error) tea.Cmd {
	w := f.flow
	w.enter(addressStep)
	w.given = false
	says := f.Text(setupstep.Address)
	if w.Provider.Name != "" && !setupstep.IsWhole(w.Provider.Address) {
		says = f.Text(setupstep.OwnAddress, f.providerName(w.Provider)) + " " + says
	}
	back := f.back(addressStep, func() tea.Cmd { f.showProviders(); return nil })
	if w.failed != nil {
		back = w.failed
	}
	return f.field(f.title(addressStep, stepAddress), f.withMistake(says, wrong),
		dialog.Field{Label: f.Text(addressLabel), Text: w.draft.URL, Most: mostAddress},
		back, f.onAddress)
}

// backToAddress returns from the step of the key.
func (f *Feature) backToAddress() tea.Cmd {
	if f.flow.given {
		f.showProviders()
		return nil
	}
	return f.askAddress(nil)
}

func (f *Feature) onAddress(text string) tea.Cmd {
	at, err := f.cfg.Setup.Address(text)
	if err != nil {
		f.flow.draft.URL = text
		return f.askAddress(err)
	}
	w := f.flow
	setupstep.Move(&w.draft, at)
	w.public, w.keyless, w.notes = at.Public, false, nil
	for _, note := range at.Mended {
		w.notes = append(w.notes, f.inWords(note))
	}
	if at.Plain && !w.draft.PlainHTTP {
		return f.askPlain()
	}
	w.failed = nil
	return f.askKeyPlace()
}

// askPlain asks whether what can be read on the way may be sent.
func (f *Feature) askPlain() tea.Cmd {
	f.flow.enter(addressStep)
	f.flow.given = false // this is a part of its step
	body := dialog.Text(f.flow.notes...)
	says := setupstep.PlainSays
	if f.flow.public {
		says = setupstep.PublicSays
	}
	allow := func(key bool) func() tea.Cmd {
		return func() tea.Cmd {
			f.flow.draft.PlainHTTP, f.flow.keyless, f.flow.failed = key || f.flow.public, !key, nil
			if key {
				return f.askKeyPlace()
			}
			f.flow.draft.Key, f.flow.draft.Entered = api.NoKey, ""
			return f.findModels()
		}
	}
	return f.Screen.Ask(page.Question{
		Kind: "model", Title: f.title(addressStep, stepAddress), Body: append(body, dialog.Line{Tone: dialog.Warning, Text: f.Text(says, f.flow.draft.URL)}),
		Choices: []page.Choice{
			{Label: f.Text(goBack), Run: func() tea.Cmd { return f.askAddress(nil) }},
			{Label: f.Text(withoutKey), Keys: []string{"o"}, Run: allow(false)},
			{Label: f.Text(withKey), Keys: []string{"k"}, Grave: true, Run: allow(true)},
		},
	})
}
