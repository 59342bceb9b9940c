// Package setupstep has what the steps of setting up a model say and do, on the screen and in
// lines alike.
package setupstep

import (
	"slices"
	"strings"

	"society-tui/runtime/api"
	"society-tui/runtime/i18n"
)

// usualVariable is where the key of any endpoint usually is.
const usualVariable = "OPENAI_API_KEY"

// MaxName is the length of the longest name of a model, in characters.
const MaxName = 64

// NameFor returns the name by which a model of an endpoint can be set up.
func NameFor(model string) string {
	name := strings.Map(func(r rune) rune {
		if r < 0x80 && (r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("._:/-", r)) {
			return r
		}
		return '-'
	}, model)
	return name[:min(len(name), MaxName)]
}

// Choose sets the model of a draft, with the name and the window that follow from it.
func Choose(d *api.ModelDraft, model string, listed []api.ListedModel) {
	if d.Name == "" || d.Name == NameFor(d.Model) {
		d.Name = NameFor(model)
	}
	if d.Model != model {
		d.Window = 0
	}
	d.Model = model
	for _, m := range listed {
		if m.ID == model && d.Window == 0 {
			d.Window = m.Window
		}
	}
}

// Move sets the address of a draft. A key that stays is for the address before.
func Move(d *api.ModelDraft, at api.ModelAddress) {
	if d.URL != at.URL && d.Key == api.KeyStays {
		d.Key = api.NoKey
	}
	if d.URL != at.URL || len(at.Query) > 0 {
		d.Query = at.Query
	}
	d.URL, d.PlainHTTP = at.URL, false
}

// IsEntered reports whether something is to be typed for a place of a key.
func IsEntered(place api.KeyPlace) bool {
	switch place {
	case api.KeyInKeyring, api.KeyInFile, api.KeyInEnv, api.KeyByCommand:
		return true
	case api.NoKey, api.KeyStays:
	}
	return false
}

// A Place is where the key of a model can be. Variable is set if the key is there already.
type Place struct {
	Is       api.KeyPlace
	Variable string
}

// Places returns where the key of a draft can be, the likeliest first.
func Places(providers []api.ModelProvider, d api.ModelDraft, provider api.ModelProvider) []Place {
	var all []Place
	if d.Before != "" && d.Key == api.KeyStays {
		all = append(all, Place{Is: api.KeyStays})
	}
	local := provider.Local || strings.HasPrefix(d.URL, "http://127.0.0.1") || strings.HasPrefix(d.URL, "http://localhost")
	if local {
		all = append(all, Place{Is: api.NoKey})
	}
	if v := provider.KeyEnv; provider.KeySet {
		all = append(all, Place{api.KeyInEnv, v})
	}
	all = append(all, Place{Is: api.KeyInKeyring}, Place{Is: api.KeyInFile})
	usual := func(p api.ModelProvider) bool { return p.KeyEnv == usualVariable && p.KeySet }
	if provider.KeyEnv == "" && slices.ContainsFunc(providers, usual) { // behind others: it may be for another address
		all = append(all, Place{api.KeyInEnv, usualVariable})
	}
	all = append(all, Place{Is: api.KeyInEnv}, Place{Is: api.KeyByCommand})
	if !local {
		all = append(all, Place{Is: api.NoKey})
	}
	return all
}

// A Part is a part of a trial, and how it went.
type Part struct {
	Name i18n.Text
	Is   api.Finding
}

// Parts are the parts of a trial.
func Parts(t *api.ModelTrial) []Part {
	return []Part{{partReached, t.Reached}, {partKey, t.Key}, {partStream, t.Stream}, {partTools, t.Tools}, {partUsage, t.Usage}}
}

// InWords returns how a part of a trial went.
func (p Part) InWords() i18n.Text {
	return map[api.Finding]i18n.Text{api.Works: works, api.Fails: fails, api.NotFound: Unknown}[p.Is]
}

// Next returns what to do after a failure of a class.
func Next(class string) i18n.Text {
	if step, ok := nextSteps[class]; ok {
		return step
	}
	return nextOther
}

// Label names a place.
func (p Place) Label(printer i18n.Printer) string {
	if p.Variable != "" {
		return printer.T(variableSet, p.Variable)
	}
	return printer.T(places[p.Is].name)
}

// About explains a place.
func (p Place) About() i18n.Text { return places[p.Is].about }

// Asks tells what to type for a place of a key, and what it is called.
func Asks(place api.KeyPlace) (says, label i18n.Text) {
	p := places[place]
	return p.says, p.label
}
