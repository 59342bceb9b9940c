package tui

import (
	"fmt"
	"slices"

	"society-tui/runtime/society"
	"society-tui/tui/cells"
)

// welcoming says whether nothing was said yet to root, who is open: then the
// conversation's place tells what can be done.
func (a *app) welcoming() bool {
	row, ok := a.tree.Row(society.Root)
	return ok && a.receiver() == society.Root && row.Next == 0 && row.Waiting == 0 && !row.State.Active()
}

// chatRows draws the conversation, or the welcome in its place.
func (a *app) chatRows(w, h int) []string {
	rows := a.chat.Rows(w, h)
	if !a.welcoming() || w < 20 || h < 6 {
		return rows
	}
	rows = slices.Clone(rows)
	lines := a.welcome(w-6, h-4)
	overlay(rows, w, part{rect{3, 2, w - 6, len(lines)}, lines})
	return rows
}

// welcome says in two lines what there is, and lists the examples.
func (a *app) welcome(w, h int) []string {
	say := a.words.app
	var lines []string
	add := func(text string, draw func(string) string) {
		for _, row := range cells.Wrap(text, w) {
			lines = append(lines, draw(cells.Fit(row, w, a.set.Tail())))
		}
	}
	add(say.Welcome, a.pens.title.Draw)
	if a.cfg.Offline {
		add(say.WelcomeOffline+" "+say.WelcomeSet, a.pens.muted.Draw)
	} else {
		add(fmt.Sprintf(say.WelcomeModel, a.model), a.pens.muted.Draw)
	}
	if len(a.cfg.Examples) > 0 {
		lines = append(lines, cells.Blank(w))
		add(say.WelcomePick, a.pens.muted.Draw)
	}
	for i, example := range a.cfg.Examples[:min(len(a.cfg.Examples), 9)] {
		key := fmt.Sprintf("  %d  ", i+1)
		for j, row := range cells.Wrap(example, max(w-len(key), 1)) {
			if j > 0 {
				key = cells.Blank(len(key))
			}
			lines = append(lines, a.pens.key.Draw(key)+a.pens.text.Draw(cells.Fit(row, w-len(key), a.set.Tail())))
		}
	}
	return lines[:min(len(lines), h)]
}
