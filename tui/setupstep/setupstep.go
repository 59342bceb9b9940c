// Package setupstep has what the steps of setting up a model say and do, on the screen and in
// lines alike.
package setupstep

import (
	"cmp"
	"net/url"
	"slices"
	"strings"
	"unicode"

	"society-tui/runtime/api"
	"society-tui/runtime/i18n"
	"society-tui/tui/symbols"
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

// CheckModel returns why a text that was typed is no name of a model, nil if it may be one, as
// one that the endpoint lists is in any case.
func CheckModel(name string, listed []api.ListedModel) error {
	if !strings.ContainsFunc(name, unicode.IsSpace) || slices.ContainsFunc(listed, func(m api.ListedModel) bool { return m.ID == name }) {
		return nil
	}
	return blankInModel.With()
}

// Choose sets the model of a draft, with the name that follows from it. A model that is changed
// keeps its name, and the window of the settings as long as it is the same model there.
func Choose(d *api.ModelDraft, model string) {
	if d.Name == "" || d.Before == "" && d.Name == NameFor(d.Model) {
		d.Name = NameFor(model)
	}
	if d.Model != model {
		d.Window = 0
	}
	d.Model = model
}

// Size tells the window of a model that was tried: the setting, else what its endpoint listed,
// else what the trial knows. What is listed is not saved, because the endpoint may load the
// model with another window later, and a setting would win over that.
func Size(p i18n.Printer, d api.ModelDraft, listed []api.ListedModel, t *api.ModelTrial) string {
	window := cmp.Or(d.Window, t.Window)
	for _, m := range listed {
		if m.ID == d.Model && m.Window > 0 && d.Window == 0 {
			window = m.Window
		}
	}
	if window == 0 {
		return p.T(NoContext)
	}
	return symbols.Tokens(window)
}

// About tells what is known of a model that an endpoint listed.
func About(p i18n.Printer, m api.ListedModel) []string {
	var about []string
	if m.Window > 0 {
		about = append(about, p.T(ContextOf, symbols.Tokens(m.Window)))
	}
	if m.Input != nil && m.Output != nil {
		old := ""
		if m.Old {
			old = "~"
		}
		about = append(about, p.T(pricesAre, old, *m.Input, *m.Output))
	}
	if m.Thinks {
		about = append(about, p.T(thinks))
	}
	if m.NoTools {
		about = append(about, p.T(noTools))
	}
	return about
}

// Move sets the address of a draft. A key that stays is for the host before, and that it may be
// sent in plain text for the address before.
func Move(d *api.ModelDraft, at api.ModelAddress) {
	if d.Key == api.KeyStays && !sameHost(d.URL, at.URL) {
		d.Key = api.NoKey
	}
	if d.URL != at.URL || len(at.Query) > 0 {
		d.Query = at.Query
	}
	d.URL, d.PlainHTTP = at.URL, d.PlainHTTP && d.URL == at.URL
}

// IsAddress reports whether a text that was typed in place of a name is an address.
func IsAddress(text string) bool {
	text = strings.TrimSpace(text)
	return strings.ContainsAny(text, ".:/") || strings.EqualFold(text, "localhost")
}

// IsWhole reports whether the address of a provider can be asked as it is, with nothing to be
// filled in.
func IsWhole(address string) bool {
	return address != "" && !strings.ContainsAny(address, "{}<>$")
}

// IsEntered reports whether something is to be typed for a place of a key.
func IsEntered(place api.KeyPlace) bool {
	switch place {
	case api.KeyInKeyring, api.KeyInFile, api.KeyInEnv, api.KeyByCommand, api.KeyOfOther:
		return true
	case api.NoKey, api.KeyStays:
	}
	return false
}

// sameHost reports whether two addresses have the same scheme, host and port, so that a key for
// one can be sent to the other.
func sameHost(a, b string) bool {
	x, err := url.Parse(a)
	y, err2 := url.Parse(b)
	return err == nil && err2 == nil && strings.EqualFold(x.Scheme+"://"+x.Host, y.Scheme+"://"+y.Host)
}

// A Place is where the key of a model can be. In is the variable, the file or the command if the
// key is there already.
type Place struct {
	Is api.KeyPlace
	In string
	// Kept is where a key that stays is.
	Kept api.KeyPlace
}

// Keys are what is known of the keys of a draft.
type Keys struct {
	Providers []api.ModelProvider
	Provider  api.ModelProvider // zero for another address
	Before    api.ModelDraft    // as it was before any change, zero for a new model
	Others    []api.ModelDraft  // the models of the settings
	NoKeyring bool
}

// Saved tells that a model is kept, with the name to be put in, and whether it answers now.
func Saved(name string, asDefault bool, disabled []api.DisabledModel) i18n.Text {
	switch {
	case asDefault:
		return savedAsDefault
	case slices.ContainsFunc(disabled, func(d api.DisabledModel) bool { return d.Name == name && d.Waits }):
		return savedWaits
	}
	return saved
}

// Drafts returns the models of the settings, to be changed.
func Drafts(models []api.Model, draft func(name string) (api.ModelDraft, bool)) []api.ModelDraft {
	var all []api.ModelDraft
	for _, m := range models {
		if d, ok := draft(m.Name); ok {
			all = append(all, d)
		}
	}
	return all
}

// Places returns where the key of a draft can be, the likeliest first.
func (k Keys) Places(d api.ModelDraft) []Place {
	var all []Place
	if k.Before.Key == api.KeyStays && sameHost(k.Before.URL, d.URL) {
		all = append(all, Place{Is: api.KeyStays, Kept: k.Before.Kept, In: k.Before.KeptIn})
	}
	for _, other := range k.Others {
		if other.Key == api.KeyStays && other.Name != d.Before && sameHost(other.URL, d.URL) {
			all = append(all, Place{Is: api.KeyOfOther, In: other.Name})
			break
		}
	}
	provider := k.Provider
	local := provider.Local || strings.HasPrefix(d.URL, "http://127.0.0.1") || strings.HasPrefix(d.URL, "http://localhost")
	if keyless := k.Before.Before != "" && k.Before.Key == api.NoKey; local || keyless {
		all = append(all, Place{Is: api.NoKey})
		local = true
	}
	if v := provider.KeyEnv; provider.KeySet {
		all = append(all, Place{Is: api.KeyInEnv, In: v})
	}
	if !k.NoKeyring {
		all = append(all, Place{Is: api.KeyInKeyring})
	}
	all = append(all, Place{Is: api.KeyInFile})
	usual := func(p api.ModelProvider) bool { return p.KeyEnv == usualVariable && p.KeySet }
	if provider.KeyEnv == "" && slices.ContainsFunc(k.Providers, usual) { // behind others: it may be for another address
		all = append(all, Place{Is: api.KeyInEnv, In: usualVariable})
	}
	all = append(all, Place{Is: api.KeyInEnv}, Place{Is: api.KeyByCommand})
	if !local {
		all = append(all, Place{Is: api.NoKey})
	}
	return all
}

// Usual returns the place that is presumed: where the key of the model is now, else the
// likeliest.
func (k Keys) Usual(d api.ModelDraft) Place {
	all := k.Places(d)
	if all[0].Is == api.KeyStays {
		return all[0]
	}
	for _, p := range all {
		if k.Before.Key == api.KeyStays && p.Is == k.Before.Kept && p.In == "" {
			return p
		}
	}
	return all[0]
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

// A Remedy is what usually helps after a failure.
type Remedy uint8

// The remedies.
const (
	GoBack Remedy = iota
	AskAgain
	OtherKey
	OtherAddress
	OtherModel
)

// Next returns what to do after a failure of a class, in words.
func Next(class string) i18n.Text {
	if step, ok := nextSteps[class]; ok {
		return step.says
	}
	return nextOther
}

// Helps returns what usually helps after a failure of a class.
func Helps(class string) Remedy { return nextSteps[class].is }

// Label names a place.
func (p Place) Label(printer i18n.Printer) string {
	if p.Is == api.KeyOfOther {
		return printer.T(sameKey, p.In)
	}
	if p.Is == api.KeyInEnv && p.In != "" {
		return printer.T(variableSet, p.In)
	}
	return printer.T(places[p.Is].name)
}

// About explains a place.
func (p Place) About(printer i18n.Printer) string {
	if p.Is != api.KeyStays {
		return printer.T(places[p.Is].about)
	}
	now, known := keptIn[p.Kept]
	switch {
	case !known:
		now = places[api.KeyStays].about
	case p.Kept != api.KeyInKeyring:
		return printer.T(now, p.In)
	}
	return printer.T(now)
}

// Needs tells that something is to be entered for a place of a key.
func Needs(place api.KeyPlace) i18n.Text {
	if place == api.KeyInKeyring || place == api.KeyInFile {
		return needsKey
	}
	return needsText
}

// Asks tells what to type for a place of a key, and what it is called.
func Asks(place api.KeyPlace) (says, label i18n.Text) {
	p := places[place]
	return p.says, p.label
}
