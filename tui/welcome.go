package tui

import (
	"slices"
	"strings"

	"society-tui/runtime/society"
	"society-tui/tui/action"
	"society-tui/tui/cells"
	"society-tui/tui/layout"
)

// welcoming reports whether root is open and has no messages: then a welcome
// replaces the conversation.
func (a *app) welcoming() bool {
	row, ok := a.replica.Row(society.Root)
	return ok && a.recipient() == society.Root && row.Next == 0 && row.Waiting == 0 && !row.Asks && !row.State.Active()
}

// transcriptRows draws the conversation, or the welcome in its place.
func (a *app) transcriptRows(w, h int) []string {
	rows := a.transcript.Rows(w, h)
	if !a.welcoming() || w < 20 || h < 6 {
		return rows
	}
	rows = slices.Clone(rows)
	at := layout.Rect{X: 2, Y: 1, W: w - 4, H: h - 2} // over the transcript's text for an empty conversation
	if !a.layout.Framed {
		at = layout.Rect{X: 1, Y: 1, W: w - 2, H: h - 1}
	}
	lines := a.welcome(at.W, at.H)
	layout.Overlay(a.set.Measure, rows, w, layout.Part{At: at, Rows: lines})
	return rows
}

// welcome shows the agents and the model, and lists the examples.
func (a *app) welcome(w, h int) []string {
	var lines []string
	add := func(text string, draw func(string) string) {
		for _, row := range a.set.Wrap(text, w) {
			lines = append(lines, draw(a.set.Fit(row, w, a.set.Tail())))
		}
	}
	add(a.text(textWelcome), a.appearance.styles.title.Draw)
	if a.cfg.Offline {
		add(a.text(textWelcomeOffline), a.appearance.styles.muted.Draw)
		add(a.text(textWelcomeModels), a.appearance.styles.muted.Draw)
	} else {
		add(a.text(action.TextModel, a.replica.Model()), a.appearance.styles.muted.Draw)
	}
	if len(a.cfg.Examples) > 0 {
		lines = append(lines, cells.Blank(w))
		add(a.text(textWelcomePick, a.registry.Key("composer.newer")), a.appearance.styles.muted.Draw)
	}
	seen := 0 // rows down to the selected example
	for i, example := range a.cfg.Examples {
		lead, pen := "  - ", a.appearance.styles.text
		if a.choosesExample() && i == a.composing.example-1 {
			lead, pen = "  "+a.mark()+" ", a.appearance.styles.chosen
		}
		room := max(w-a.set.Width(lead), 1)
		// Two rows of each are enough; the composer shows the rest.
		short := a.set.Cut(strings.Join(strings.Fields(example), " "), 2*room-8, a.set.Tail())
		for _, row := range a.set.Wrap(short, room) {
			lines = append(lines, pen.Draw(lead+a.set.Fit(row, room, a.set.Tail())))
			lead = cells.Blank(a.set.Width(lead))
		}
		if i < a.composing.example {
			seen = len(lines)
		}
	}
	if names := a.waiting(); names != "" {
		lines = append(lines, cells.Blank(w))
		add(a.text(textWelcomeWaits, names), a.appearance.styles.text.Draw)
	} else if len(a.cfg.Examples) > 0 {
		lines = append(lines, cells.Blank(w))
		add(a.text(textWelcomeTeam), a.appearance.styles.muted.Draw)
	}
	above := max(min(seen, len(lines))-h, 0)
	return lines[above:min(len(lines), above+h)]
}

// choosesExample reports whether keys go to the list of examples: in the empty
// composer under the welcome.
func (a *app) choosesExample() bool {
	return a.composing.example > 0 && a.offersExamples()
}

func (a *app) offersExamples() bool {
	return len(a.cfg.Examples) > 0 && a.welcoming() && a.layout.Transcript.Shown() && a.prefs.Focus == layout.Composer && a.composer.Empty()
}

// moveExample moves the selection in the list of examples, into it and out of
// it; it returns false if the key means something else.
func (a *app) moveExample(by int) bool {
	if !a.offersExamples() || a.composing.example+by < 0 {
		return false
	}
	a.composing.example = min(a.composing.example+by, len(a.cfg.Examples))
	return true
}

// useExample writes the selected example into the composer.
func (a *app) useExample() {
	a.composer.SetText(a.cfg.Examples[a.composing.example-1])
	a.composing.example = 0
}

// waiting names the agents of a team that was added below root and has no
// messages yet.
func (a *app) waiting() string {
	var names []string
	for _, id := range a.replica.Subtree(society.Root) {
		if row, _ := a.replica.Row(id); row.Parent == society.Root {
			names = append(names, a.name(id))
		}
	}
	return a.printer.List(names)
}
