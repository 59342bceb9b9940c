package tui

import (
	"fmt"
	"slices"
	"strings"

	"society-tui/runtime/society"
	"society-tui/tui/cells"
)

// welcoming says whether nothing was said yet to root, who is open: then the
// conversation's place tells what can be done.
func (a *app) welcoming() bool {
	row, ok := a.tree.Row(society.Root)
	return ok && a.receiver() == society.Root && row.Next == 0 && row.Waiting == 0 && !row.Asks && !row.State.Active()
}

// chatRows draws the conversation, or the welcome in its place.
func (a *app) chatRows(w, h int) []string {
	rows := a.chat.Rows(w, h)
	if !a.welcoming() || w < 20 || h < 6 {
		return rows
	}
	rows = slices.Clone(rows)
	at := rect{2, 1, w - 4, h - 2} // over what the room says of an empty conversation
	if !a.layout.framed {
		at = rect{1, 1, w - 2, h - 1}
	}
	lines := a.welcome(at.w, at.h)
	overlay(a.set.Measure, rows, w, part{at, lines})
	return rows
}

// welcome says what there is and what thinks, and lists the examples.
func (a *app) welcome(w, h int) []string {
	say := a.words.app
	var lines []string
	add := func(text string, draw func(string) string) {
		for _, row := range a.set.Wrap(text, w) {
			lines = append(lines, draw(a.set.Fit(row, w, a.set.Tail())))
		}
	}
	add(say.Welcome, a.pens.title.Draw)
	if a.cfg.Offline {
		add(say.WelcomeOffline, a.pens.muted.Draw)
		add(say.WelcomeModels, a.pens.muted.Draw)
	} else {
		add(fmt.Sprintf(say.WelcomeModel, a.model), a.pens.muted.Draw)
	}
	if len(a.cfg.Examples) > 0 {
		lines = append(lines, cells.Blank(w))
		add(say.WelcomePick, a.pens.muted.Draw)
	}
	for i, example := range a.cfg.Examples[:min(len(a.cfg.Examples), 9)] {
		key := fmt.Sprintf("  %d  ", i+1)
		room := max(w-len(key), 1)
		// Two rows of each are enough to choose by; the composer shows the rest.
		short := a.set.Cut(strings.Join(strings.Fields(example), " "), 2*room-8, a.set.Tail())
		for _, row := range a.set.Wrap(short, room) {
			lines = append(lines, a.pens.key.Draw(key)+a.pens.text.Draw(a.set.Fit(row, room, a.set.Tail())))
			key = cells.Blank(len(key))
		}
	}
	if names := a.waiting(); names != "" {
		lines = append(lines, cells.Blank(w))
		add(fmt.Sprintf(say.WelcomeWaits, names), a.pens.text.Draw)
	} else if len(a.cfg.Examples) > 0 {
		lines = append(lines, cells.Blank(w))
		add(say.WelcomeTeam, a.pens.muted.Draw)
	}
	return lines[:min(len(lines), h)]
}

// waiting names the agents right below root, which were planted there: nothing was
// said yet.
func (a *app) waiting() string {
	var names []string
	for _, id := range a.tree.Subtree(society.Root) {
		if row, _ := a.tree.Row(id); row.Parent == society.Root {
			names = append(names, a.name(id))
		}
	}
	return strings.Join(names, a.words.app.Comma)
}
