package tui

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"society-tui/tui/layout"
)

// mostCandidates is how many rows the list of candidates has.
const mostCandidates = 10

// A candidate is a text that completes what is written.
type candidate struct {
	text, help string
	whole      bool // nothing can follow: choosing it carries it out
}

// completions are what the text can be completed to, while the list of them is
// open.
func (a *app) completions() []candidate {
	if a.composing.completion.shut || a.prefs.Focus != layout.Composer {
		return nil
	}
	if text := a.composer.Line(); a.composing.completion.stem == "" || a.composing.completion.wrote != text {
		return a.candidates(text)
	}
	return a.candidates(a.composing.completion.stem)
}

// candidates are the whole texts that what is written can be completed to, with
// what they do: names of commands, then what may follow one; names of agents
// behind an @.
func (a *app) candidates(text string) []candidate {
	if at, ok := strings.CutPrefix(text, "@"); ok {
		return a.recipients(at)
	}
	if !strings.HasPrefix(text, "/") {
		return nil
	}
	name, rest, more := strings.Cut(text, " ")
	if c := a.registry.Slash(name); more && c != nil && c.Args.Complete != nil {
		var found []candidate
		for _, f := range c.Args.Complete(rest) {
			found = append(found, candidate{name + " " + f.Text, f.Help, false})
		}
		return found
	}
	var found []candidate
	for _, c := range a.registry.Written() {
		switch {
		case more || !strings.HasPrefix(c.Slash, name):
		case c.Args.Label.IsZero():
			found = append(found, candidate{c.Slash, a.text(c.Title), true})
		default:
			found = append(found, candidate{c.Slash + " ", a.text(c.Title), false})
		}
	}
	return found
}

// recipients are the agents whose names begin so.
func (a *app) recipients(name string) []candidate {
	if strings.Contains(name, " ") {
		return nil
	}
	var found []candidate
	for _, id := range a.agentsCalled(name) {
		found = append(found, candidate{"@" + string(id) + " ", a.about(id), false})
	}
	return found
}

// marked is the row of the list that enter takes; -1 for none. It is the one
// that the user went to, else what is written already, else the first: but not
// where what may follow a command can be left away.
func (a *app) marked(found []candidate) int {
	text := a.composer.Text()
	if a.composing.completion.of != text {
		a.composing.completion = completion{of: text, shut: a.composing.completion.shut, stem: a.composing.completion.stem, wrote: a.composing.completion.wrote}
	}
	if a.composing.completion.moved {
		return min(a.composing.completion.mark, len(found)-1)
	}
	if at := slices.IndexFunc(found, func(c candidate) bool { return same(c.text, text) }); at >= 0 {
		return at
	}
	if strings.HasPrefix(text, "/") && strings.HasSuffix(text, " ") {
		return -1
	}
	return 0
}

// same says whether two texts would be carried out alike.
func same(a, b string) bool { return strings.TrimSpace(a) == strings.TrimSpace(b) }

// moveMark goes to the next or previous row of the list, round and round, and
// says whether there is a list.
func (a *app) moveMark(by int) bool {
	found := a.completions()
	if len(found) == 0 {
		return false
	}
	at := a.marked(found)
	if at < 0 && by < 0 {
		at = 0
	}
	a.composing.completion.mark, a.composing.completion.moved = (at+by+len(found))%len(found), true
	return true
}

// choose writes the marked row, and says whether the text is to be carried out
// now: when there is no list, when the row is what was written, or when nothing
// can follow it.
func (a *app) choose() (carryOut bool) {
	found := a.completions()
	if len(found) == 0 {
		return true
	}
	at := a.marked(found)
	if at < 0 || same(found[at].text, a.composer.Text()) {
		return true
	}
	a.composer.SetText(found[at].text)
	a.composing.completion = completion{}
	return found[at].whole
}

// complete writes the marked row if the user marked one, else as much as all
// candidates have in common; when that is nothing new, the first of them, and
// then each time the next one. The list of all of them stays meanwhile.
func (a *app) complete() bool {
	found := a.completions()
	if len(found) == 0 {
		return false
	}
	text := a.composer.Text()
	at := max(a.marked(found), 0)
	if a.composing.completion.stem != "" && a.composing.completion.wrote == text && !a.composing.completion.moved {
		a.writeNext(a.composing.completion.stem, found[(at+1)%len(found)].text)
		return true
	}
	common := found[0].text
	for _, c := range found[1:] {
		for !strings.HasPrefix(c.text, common) {
			common = common[:len(common)-1]
		}
	}
	if common == text && len(found) > 1 && !a.composing.completion.moved {
		a.writeNext(text, found[at].text)
		return true
	}
	if a.composing.completion.moved || common == text {
		common = found[at].text
	}
	a.composer.SetText(common)
	a.composing.completion = completion{}
	return true
}

// writeNext writes one of the candidates of stem.
func (a *app) writeNext(stem, text string) {
	a.composer.SetText(text)
	a.composing.completion = completion{stem: stem, wrote: text}
}

// drawCompletion lists, above the composer, what the text can be completed to. What
// has no room is reached by going on.
func (a *app) drawCompletion() (layout.Part, bool) {
	l := &a.layout
	found := a.completions()
	most := min(len(found), mostCandidates, l.Composer.Y-2)
	if most <= 0 || a.dialogs.Shown() || a.list.Kind() != "" || a.promptEditor.IsOpen() {
		return layout.Part{}, false
	}
	keyWidth, helpWidth := 0, 0
	for _, c := range found {
		keyWidth = max(keyWidth, a.set.Width(c.text)+2)
		helpWidth = max(helpWidth, a.set.Width(c.help))
	}
	at := a.marked(found)
	note := ""
	if len(found) > most {
		note = fmt.Sprintf("%d/%d", max(at, 0)+1, len(found))
	}
	// The frame stands on those of the panes; its note needs some room too.
	w := min(max(keyWidth+helpWidth+3, a.set.Width(note)+6), l.W)
	top := min(max(a.composing.completion.top, at-most+1), max(at, 0), len(found)-most)
	a.composing.completion.top = top
	rows := make([]string, most)
	for i, c := range found[top : top+most] {
		key, help := a.appearance.styles.key, a.appearance.styles.muted
		lead := " "
		if top+i == at {
			key, help = a.appearance.styles.chosen, a.appearance.styles.chosen
			lead = a.mark()
		}
		cell := a.set.Fit(lead+c.text, min(keyWidth, w-2), a.set.Tail())
		rows[i] = key.Draw(cell) + help.Draw(a.set.Fit(c.help, w-2-a.set.Width(cell), a.set.Tail()))
	}
	box := a.appearance.frame.Box(rows, w, "", note, true)
	return layout.Part{At: layout.Rect{X: 0, Y: l.Composer.Y - len(box), W: w, H: len(box)}, Rows: box}, true
}

// loadArgs reads, once while the user writes a command, what completes it.
func (a *app) loadArgs() tea.Cmd {
	name, _, more := strings.Cut(a.composer.Line(), " ")
	c := a.registry.Slash(name)
	wanted := more && c != nil && c.Args.Load != nil
	if !wanted || a.composing.argsLoaded {
		a.composing.argsLoaded = wanted
		return nil
	}
	a.composing.argsLoaded = true
	return c.Args.Load()
}
