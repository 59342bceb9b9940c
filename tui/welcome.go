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
	if !a.showsWelcome(w, h) {
		return rows
	}
	rows = slices.Clone(rows)
	at := welcomePlace(w, h)
	lines, _ := a.welcome(at.W, at.H)
	layout.Overlay(a.set.Measure, rows, w, layout.Part{At: at, Rows: lines})
	return rows
}

// showsWelcome reports whether the welcome stands in a pane of that size.
func (a *app) showsWelcome(w, h int) bool { return a.welcoming() && w >= 20 && h >= 6 }

// welcomePlace is where the welcome stands in the pane: over the transcript's text for an
// empty conversation.
func welcomePlace(w, h int) layout.Rect { return layout.Rect{X: 1, Y: 1, W: w - 2, H: h - 1} }

// clickedExample returns the suggestion at a row of the conversation's pane, counted from 1,
// or 0. A text of the user's is not replaced.
func (a *app) clickedExample(y int, pane layout.Rect) int {
	if !a.showsWelcome(pane.W, pane.H) || !a.takesExample() {
		return 0
	}
	at := welcomePlace(pane.W, pane.H)
	if _, examples := a.welcome(at.W, at.H); y >= at.Y && y-at.Y < len(examples) {
		return examples[y-at.Y]
	}
	return 0
}

// welcome shows the agents and the model, and lists the examples. With each row it tells
// which suggestion it belongs to, counted from 1, or 0.
func (a *app) welcome(w, h int) (lines []string, examples []int) {
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
	if a.cfg.Workspace.Own {
		add(a.text(action.TextNoFolder), a.appearance.styles.muted.Draw)
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
		for len(examples) < len(lines) {
			examples = append(examples, 0)
		}
		for _, row := range a.set.Wrap(short, room) {
			lines, examples = append(lines, pen.Draw(lead+a.set.Fit(row, room, a.set.Tail()))), append(examples, i+1)
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
		if len(lines)+1 < h { // on a small screen the text matters more
			lines = append(lines, cells.Blank(w))
		}
		add(a.text(textWelcomeTeam), a.appearance.styles.muted.Draw)
	}
	above := max(min(seen, len(lines))-h, 0)
	below := min(len(lines), above+h)
	return lines[above:below], examples[min(above, len(examples)):min(below, len(examples))]
}

// takesExample reports whether the composer has no text that an example would replace: another
// example that was not touched may go.
func (a *app) takesExample() bool {
	return a.composer.Empty() || slices.Contains(a.cfg.Examples, a.composer.Text())
}

// choosesExample reports whether keys go to the list of examples: under the welcome, in a
// composer that takes one.
func (a *app) choosesExample() bool {
	return a.composing.example > 0 && a.offersExamples()
}

func (a *app) offersExamples() bool {
	return len(a.suggestions()) > 0 && a.welcoming() && a.layout.Transcript.Shown() && a.prefs.Focus == layout.Composer && a.takesExample()
}

// moveExample moves the selection in the list of examples, into it and out of
// it; it returns false if the key means something else.
func (a *app) moveExample(by int) bool {
	if !a.offersExamples() || a.composing.example+by < 0 {
		return false
	}
	at := a.composing.example
	if at == 0 { // from the one that was written
		at = slices.Index(a.suggestions(), a.composer.Text()) + 1
	}
	a.composing.example = min(at+by, len(a.suggestions()))
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
	if root := a.replica.Agent(society.Root); root != nil {
		for _, child := range root.Children {
			names = append(names, a.name(child.Row.ID))
		}
	}
	return a.printer.List(names)
}
