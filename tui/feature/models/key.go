package models

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/api"
	"society-tui/tui/dialog"
	"society-tui/tui/list"
	"society-tui/tui/page"
	"society-tui/tui/sanitize"
	"society-tui/tui/setupstep"
)

// askKeyring finds out whether there is a keyring, once and not before a key is asked for: one
// that is locked asks its user to unlock it.
func (f *Feature) askKeyring() tea.Cmd {
	w := f.flow
	if w.keyring {
		return nil
	}
	w.keyring = true
	return page.Later(f.Screen, f.cfg.Setup.NoKeyring, func(why error) tea.Cmd {
		w.NoKeyring = why != nil
		if f.flow == w && f.places.IsOpen() {
			f.renew(f.places, f.placeItems())
		}
		return nil
	})
}

// askKeyPlace lists where the key can be.
func (f *Feature) askKeyPlace() tea.Cmd {
	w := f.flow
	w.enter(keyStep)
	f.places.Show(f.title(keyStep, stepKey), "", f.placeItems())
	f.places.Pick(idOf(w.Usual(w.draft)))
	f.places.Pick(w.place) // has no effect if none was chosen
	return f.askKeyring()
}

// idOf returns the id of the row of a place.
func idOf(p setupstep.Place) string { return string(p.Is) + "\n" + p.In }

// addressRow is the id of the row that leads to the step of the address, which no place has.
const addressRow = "address"

func (f *Feature) placeItems() []list.Item {
	w := f.flow
	var items []list.Item
	for _, p := range w.Places(w.draft) {
		items = append(items, list.Item{ID: idOf(p), Name: p.Label(f.Printer), Text: p.About(f.Printer)})
	}
	if len(w.notes) > 0 {
		items[0].Head = w.notes[0]
	}
	if w.given {
		items = append(items, list.Item{ID: addressRow, Name: f.Text(changeAddress), Text: f.Text(addressIs, sanitize.Line(w.draft.URL, page.TextCells))})
	}
	return items
}

// takePlace goes on with the selected place of the key.
func (f *Feature) takePlace() tea.Cmd {
	item, ok := f.places.Picked()
	w := f.flow
	if !ok || w == nil {
		return nil
	}
	f.places.Close()
	if item.ID == addressRow {
		return f.askAddress(nil)
	}
	place, in, _ := strings.Cut(item.ID, "\n")
	d := &w.draft
	if api.KeyPlace(place) != d.Key {
		d.Entered = ""
	}
	d.Key, w.place = api.KeyPlace(place), item.ID
	if !setupstep.IsEntered(d.Key) {
		return f.findModels()
	}
	if in != "" { // the variable that is set, or the model that has the key
		d.Entered = api.Entered(in)
		return f.findModels()
	}
	return f.askKey(nil)
}

// typeKey takes what was typed on the list of places as a key, for the selected place or the first
// where one is entered.
func (f *Feature) typeKey(text string) tea.Cmd {
	w := f.flow
	item, _ := f.places.Picked()
	isKey := func(p api.KeyPlace) bool { return p == api.KeyInKeyring || p == api.KeyInFile }
	place := w.Places(w.draft)
	at := slices.IndexFunc(place, func(p setupstep.Place) bool { return isKey(p.Is) && idOf(p) == item.ID })
	if at < 0 {
		at = slices.IndexFunc(place, func(p setupstep.Place) bool { return isKey(p.Is) })
	}
	f.places.Close()
	w.draft.Key, w.draft.Entered, w.place = place[at].Is, api.Entered(sanitize.Line(text, mostKey)), idOf(place[at])
	return f.askKey(nil)
}

func (f *Feature) askKey(wrong error) tea.Cmd {
	d := &f.flow.draft
	says, label := setupstep.Asks(d.Key)
	line := dialog.Field{Label: f.Text(label), Text: string(d.Entered), Most: mostKey, Secret: d.Key == api.KeyInKeyring || d.Key == api.KeyInFile}
	if d.Key == api.KeyInEnv && line.Text == "" {
		line.Text = f.flow.Provider.KeyEnv
	}
	return f.field(f.title(keyStep, stepKey), f.withMistake(f.Text(says), wrong), line, f.askKeyPlace, func(text string) tea.Cmd {
		d.Entered = api.Entered(text)
		if text == "" {
			return f.askKey(setupstep.Needs(d.Key).With())
		}
		return f.findModels()
	})
}

// backToKey returns to the step of the key, as it was shown.
func (f *Feature) backToKey() tea.Cmd {
	w := f.flow
	typed := w.place == idOf(setupstep.Place{Is: w.draft.Key}) // not read from a variable that is set
	switch {
	case w.keyless:
		return f.askPlain()
	case setupstep.IsEntered(w.draft.Key) && typed:
		return f.askKey(nil)
	}
	return f.askKeyPlace()
}

// otherKey asks for another key after a failure, in an empty field, so that a paste replaces the
// refused one; where none was sent, the first place to enter one is selected.
func (f *Feature) otherKey() tea.Cmd {
	w := f.flow
	switch w.draft.Key {
	case api.KeyInKeyring, api.KeyInFile:
		w.draft.Entered = ""
	case api.NoKey:
		places := w.Places(w.draft)
		w.place = idOf(places[slices.IndexFunc(places, func(p setupstep.Place) bool { return setupstep.IsEntered(p.Is) })])
	}
	return f.backToKey()
}
