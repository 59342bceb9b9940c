package tui

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/society"
	"society-tui/tui/attachment"
	"society-tui/tui/command"
	"society-tui/tui/layout"
	"society-tui/tui/page"
	"society-tui/tui/sanitize"
)

// mostCandidates is the height of the list of candidates.
const mostCandidates = 10

// A candidate is a completion of the text.
type candidate struct {
	text, help string
	called     string // the text with the name of the agent instead of its id, "" for no agent
	whole      bool   // nothing is missing: choosing it runs it
	then       string // written behind it when it is chosen
}

// completions returns the completions of the text while their list is open.
func (a *app) completions() []candidate {
	if a.composing.completion.shut || a.prefs.Focus != layout.Composer {
		return nil
	}
	if text := a.completed(); a.composing.completion.stem == "" || a.composing.completion.wrote != text {
		return a.candidates(text)
	}
	return a.candidates(a.composing.completion.stem)
}

// completed returns the text that is completed: the name of a file at the cursor, else the
// whole of a line.
func (a *app) completed() string {
	if a.namesFile() {
		return a.composer.Mention()
	}
	return a.line()
}

// line returns the text of a single line, a command in half width.
func (a *app) line() string { return a.registry.Narrow(a.composer.Line()) }

// writeCompleted replaces it.
func (a *app) writeCompleted(text string) {
	if a.namesFile() {
		a.composer.Complete(text)
		return
	}
	a.composer.SetText(text)
}

// candidates returns the completions of a text with their meaning: commands,
// their arguments, and after an @ agents or files.
func (a *app) candidates(text string) []candidate {
	if a.namesFile() {
		return a.fileCandidates(text)
	}
	if at, ok := strings.CutPrefix(text, "@"); ok {
		return append(a.recipients(at), a.fileCandidates(text)...)
	}
	if !strings.HasPrefix(text, "/") {
		return nil
	}
	name, rest, more := strings.Cut(text, " ")
	if c := a.registry.Slash(name); more && c != nil {
		var found []candidate
		for _, f := range c.Complete(rest) {
			found = append(found, candidate{text: name + " " + f.Text, help: f.Help, called: a.withName(name + " " + f.Text), whole: f.AtOnce})
		}
		return found
	}
	var found []candidate
	if more {
		meant := a.registry.InOtherWords(name) // written in its place with the same argument
		called := func(i int) bool { return i < len(meant) && meant[i].IsCalled(name[1:]) }
		for i, c := range meant { // the best first, which is run as by an alias if no other is called so
			found = append(found, candidate{text: c.Slash + " " + rest, help: a.text(c.Title), whole: i == 0 && rest != "" && called(0) && !called(1)})
		}
		return found
	}
	for _, c := range a.commandsLike(name) {
		of := a.candidateOf(c)
		if slices.Contains(c.Aliases, name) { // enter runs it as it is
			of.called = name
		}
		found = append(found, of)
	}
	return found
}

// commandsLike returns the commands that begin with a name, else the one that has it as its
// alias, else those whose alias begins so, and then those that have it as another word.
func (a *app) commandsLike(name string) []*command.Command {
	all := a.registry.Written()
	with := func(is func(*command.Command) bool) (found []*command.Command) {
		for _, c := range all {
			if is(c) {
				found = append(found, c)
			}
		}
		return found
	}
	found := with(func(c *command.Command) bool { return strings.HasPrefix(c.Slash, name) })
	if len(found) == 0 {
		found = with(func(c *command.Command) bool { return slices.Contains(c.Aliases, name) })
	}
	if len(found) > 0 || a.registry.Slash(name) != nil {
		return found
	}
	if len(name) > len("/ab") {
		found = with(func(c *command.Command) bool {
			return slices.ContainsFunc(c.Aliases, func(alias string) bool { return strings.HasPrefix(alias, name) })
		})
	}
	for _, c := range a.registry.Like(name[1:]) {
		if !slices.Contains(found, c) {
			found = append(found, c)
		}
	}
	return found
}

// candidateOf returns a command as a completion.
func (a *app) candidateOf(c *command.Command) candidate {
	if len(c.Args) == 0 || c.Args[0].Rare {
		return candidate{text: c.Slash, help: a.text(c.Title), whole: true}
	}
	return candidate{text: c.Slash + " ", help: a.text(c.Title)}
}

// recipients returns the agents with a name prefix.
func (a *app) recipients(name string) []candidate {
	if strings.Contains(name, " ") {
		return nil
	}
	var found []candidate
	for _, id := range a.actions.Called(name) {
		found = append(found, candidate{text: "@" + string(id) + " ", help: a.actions.About(id)})
	}
	return found
}

// marked returns the row that enter takes, or -1: the one that the user
// selected, else the written one, else the first, but none if the argument is
// optional.
func (a *app) marked(found []candidate) int {
	text := a.completed()
	if a.composing.completion.of != text {
		a.composing.completion = completion{of: text, shut: a.composing.completion.shut, stem: a.composing.completion.stem, wrote: a.composing.completion.wrote, spaced: a.composing.completion.spaced}
	}
	if a.composing.completion.moved {
		return min(a.composing.completion.mark, len(found)-1)
	}
	if at := slices.IndexFunc(found, func(c candidate) bool { return c.says(text) }); at >= 0 {
		return at
	}
	if strings.HasPrefix(text, "/") && strings.HasSuffix(text, " ") {
		return -1
	}
	return 0
}

// says reports whether a text has the effect of the candidate.
func (c *candidate) says(text string) bool {
	return same(c.text, text) || c.called != "" && same(c.called, text)
}

// withName returns a text that ends in the id of an agent with the agent's name instead, ""
// for any other.
func (a *app) withName(text string) string {
	at := strings.LastIndexByte(strings.TrimSpace(text), ' ') + 1
	id := society.AgentID(strings.TrimSpace(text[at:]))
	if _, present := a.replica.Row(id); !present {
		return ""
	}
	return text[:at] + a.name(id)
}

// same reports whether two texts have the same effect.
func same(a, b string) bool { return strings.TrimSpace(a) == strings.TrimSpace(b) }

// moveMark moves the selection of the list, wrapping around, and reports
// whether there is a list.
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

// choose writes the selected row, and reports whether the text should run now:
// without a list, if the row was written already, or if nothing is missing.
func (a *app) choose() (carryOut bool) {
	found := a.completions()
	if len(found) == 0 {
		return true
	}
	at := a.marked(found)
	if at < 0 || found[at].says(a.completed()) {
		return true
	}
	a.writeCompleted(found[at].text + found[at].then)
	a.composing.completion = completion{spaced: a.spaced()}
	return found[at].whole
}

// complete writes the row that the user selected, else the common prefix of all
// candidates; if that adds nothing, the first candidate, and then the next one
// each time. Meanwhile the list keeps all of them.
func (a *app) complete() bool {
	found := a.completions()
	if len(found) == 0 {
		return false
	}
	text := a.completed()
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
	if !strings.HasPrefix(common, text) { // a file is found by any part of its path
		common = text
	}
	if common == text && len(found) > 1 && !a.composing.completion.moved {
		a.writeNext(text, found[at].text)
		return true
	}
	if a.composing.completion.moved || common == text || len(found) == 1 {
		common = found[at].text + found[at].then
	}
	a.writeCompleted(common)
	a.composing.completion = completion{spaced: a.spaced()}
	return true
}

// completesNothing tells that nothing completes the word at the cursor, and reports whether that
// is why a key to complete it stays: elsewhere the rest of a sentence would be keys.
func (a *app) completesNothing() (said tea.Cmd, stays bool) {
	word, f := a.composer.Word(), &a.composing.files
	mention := a.composer.Mention()
	switch named := attachment.Mentions(mention); {
	case len(a.candidates(a.completed())) > 0: // esc has closed their list
	case mention != "" && len(named) == 1 && a.composing.attached.status[named[0].Path].Found: // of which it may name lines
	case mention != "" && !a.composing.completion.shut && (!f.known || f.like != wantedFiles(a.completed())):
		return nil, true // they are still being looked for
	case mention != "":
		return a.warn(a.text(textNoneBegins, sanitize.Line(wantedFiles(mention), page.NameCells)), ""), true
	case len(word) > 1 && strings.HasPrefix(word, "/") && a.registry.Slash(word) == nil:
		return a.warn(a.text(textNoCompletion, sanitize.Line(word, page.NameCells)), ""), true
	}
	return nil, false
}

// writeNext writes the next candidate of stem.
func (a *app) writeNext(stem, text string) {
	a.writeCompleted(text)
	a.composing.completion = completion{stem: stem, wrote: text, spaced: a.spaced()}
}

// spaced returns the draft if a blank is before the cursor, else "".
func (a *app) spaced() string {
	if !a.composer.AfterBlank() {
		return ""
	}
	return a.composer.Text()
}

// tellUsage shows the arguments that a command which was just chosen needs.
func (a *app) tellUsage() tea.Cmd {
	name, chosen := strings.CutSuffix(a.line(), " ")
	c := a.registry.Slash(name)
	if !chosen || c == nil || !c.NeedsArgs {
		return nil
	}
	return a.inform(c.Usage(a.printer.Lang), a.text(c.Title))
}

// drawCompletion draws the list of candidates above the composer. It scrolls if
// they do not fit.
func (a *app) drawCompletion() (layout.Part, bool) {
	l := &a.layout
	found := a.completions()
	most := min(len(found), mostCandidates, l.Composer.Y-2)
	if most <= 0 || a.topPage() != nil {
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
	// Its frame joins those of the panes, and its note needs some width.
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

// clickCompletion takes the nth of the shown candidates, as enter does. Its frame takes nothing.
func (a *app) clickCompletion(nth, shown int) tea.Cmd {
	if nth < 0 || nth >= shown {
		return nil
	}
	list := &a.composing.completion
	list.mark, list.moved = list.top+nth, true
	a.guardRepeat(clickKey(a.pointer.to.Y)) // the second of two clicks is not for what it opens
	return a.enter()
}

// loadArgs loads completions of a command's arguments, once per command.
func (a *app) loadArgs() tea.Cmd {
	name, _, more := strings.Cut(a.line(), " ")
	c := a.registry.Slash(name)
	wanted := more && c != nil && c.Load() != nil
	if !wanted || a.composing.argsLoaded {
		a.composing.argsLoaded = wanted
		return nil
	}
	a.composing.argsLoaded = true
	return c.Load()()
}
