package tui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
	"society-tui/tui/action"
	"society-tui/tui/cells"
	"society-tui/tui/composer"
	"society-tui/tui/feature/models"
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
	at := layout.Rect{X: 1, Y: 1, W: w - 2, H: h - 1} // over the transcript's text for an empty conversation
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
	if api.IsOffline(a.cfg.Society.Models()) {
		add(a.text(textWelcomeOffline), a.appearance.styles.muted.Draw)
		if !a.offersSetUp() {
			add(a.text(textWelcomeModels), a.appearance.styles.muted.Draw)
		}
	} else {
		add(a.text(action.TextModel, a.replica.Model()), a.appearance.styles.muted.Draw)
	}
	suggestions := a.suggestions()
	if len(suggestions) > 0 {
		lines = append(lines, cells.Blank(w))
		add(a.text(textWelcomePick, a.registry.Key("composer.newer")), a.appearance.styles.muted.Draw)
	}
	seen := 0 // rows down to the selected example
	for i, example := range suggestions {
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
	} else if len(suggestions) > 0 {
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
	return len(a.suggestions()) > 0 && a.welcoming() && a.layout.Transcript.Shown() && a.prefs.Focus == layout.Composer && a.composer.Empty()
}

// moveExample moves the selection in the list of examples, into it and out of
// it; it returns false if the key means something else.
func (a *app) moveExample(by int) bool {
	if !a.offersExamples() || a.composing.example+by < 0 {
		return false
	}
	a.composing.example = min(a.composing.example+by, len(a.suggestions()))
	return true
}

// offersSetUp reports whether the first suggestion is to set up a model: there is only the
// built-in one.
func (a *app) offersSetUp() bool {
	return a.cfg.ModelSetup != nil && !a.cfg.Look && api.IsOffline(a.cfg.Society.Models())
}

// suggestions are the rows of the welcome that can be chosen: to set up a model, and examples.
func (a *app) suggestions() []string {
	if !a.offersSetUp() {
		return a.cfg.Examples
	}
	return append([]string{a.text(textWelcomeSetUp)}, a.cfg.Examples...)
}

// useExample writes the selected example into the composer, or sets up a model.
func (a *app) useExample() tea.Cmd {
	at := a.composing.example - 1
	a.composing.example = 0
	if at == 0 && a.offersSetUp() {
		return a.runWritten(composer.Submitted{To: a.recipient(), Text: models.SetUp})
	}
	a.composer.SetText(a.suggestions()[at])
	return nil
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
