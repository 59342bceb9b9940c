package tui

import (
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"society-tui/tui/command"
	"society-tui/tui/dialog"
	"society-tui/tui/statusline"
	"society-tui/tui/symbols"
)

// openHelp shows all keys, made from the one table, from those on that are for where
// the person is.
func (a *app) openHelp() { a.openHelpAt(a.helpHere(), "") }

// openKeys shows all keys, from those on that hold anywhere.
func (a *app) openKeys() tea.Cmd {
	a.openHelpAt(a.words.keys.Anywhere, "")
	return nil
}

// openHelpAt shows the help from a heading on, or what it says about a text.
func (a *app) openHelpAt(heading, about string) {
	w, body, here := a.words.keys, a.helpBody(), a.helpHere()
	from := 0
	for i := range body {
		if body[i].Tone == dialog.Strong && body[i].Text == heading {
			from = i
		}
		if body[i].Tone == dialog.Strong && body[i].Text == here {
			body[i].Text = fmt.Sprintf(w.Here, here)
		}
	}
	a.dialogs.Open(dialog.Dialog{
		Kind: helpKind, Title: a.words.app.HelpTitle, Body: body, Wide: true,
		Search:  &dialog.Search{Text: about, Nothing: w.NothingFound, From: from},
		Buttons: []dialog.Button{{Choice: "close", Label: a.words.app.Close, Keys: slices.Clone(a.registry.Binding("help").Keys)}},
	}, a.now())
}

// runHelp opens the help, at what is written about where it was.
func (a *app) runHelp(in command.Input) tea.Cmd {
	if in.Written {
		a.openHelpAt(a.words.keys.Commands, in.Text)
	} else {
		a.openHelp()
	}
	return nil
}

// helpHere is the heading of the keys that are for where the user is.
func (a *app) helpHere() string { return a.top().heading() }

func (a *app) helpBody() []dialog.Line {
	var body []dialog.Line
	head := func(title string) {
		if len(body) > 0 {
			body = append(body, dialog.Line{})
		}
		body = append(body, dialog.Line{Tone: dialog.Strong, Text: title})
	}
	w := a.words.keys
	for _, p := range []struct {
		title   string
		in      command.Scope
		outside bool
	}{
		{w.Composer, command.Composer, false},
		{w.Anywhere, command.Global, false},
		{w.Outside, command.Global, true},
		{w.Prefix, command.Verbs, false},
		{w.Tree, command.Tree, false},
		{w.Chat, command.Conversation, false},
		{w.Inspector, command.Inspector, false},
		{w.List, command.List, false},
		{w.Sheet, command.Prompt, false},
	} {
		head(p.title)
		for _, b := range a.registry.In(p.in) {
			keys := b.Keys
			if p.in == command.Global { // letters of it are text where one writes
				keys = b.Typing(p.outside)
			}
			if len(keys) > 0 {
				body = append(body, dialog.Line{Key: a.drawableKey(command.Label(keys)), Text: a.text(b.Title), Also: strings.Join(keys, " ") + " " + a.also(b.Command)})
			}
		}
	}
	head(w.Mouse)
	for _, m := range [][2]string{
		{w.Click, w.MouseClick}, {w.DoubleClick, w.MouseDouble}, {w.Wheel, w.MouseWheel}, {w.Drag, w.MouseDrag}, {"OSC 52", w.Clipboard},
	} {
		body = append(body, dialog.Line{Key: m[0], Text: m[1]})
	}
	head(w.Commands)
	for _, c := range a.registry.Written() {
		body = append(body, dialog.Line{Key: strings.TrimSpace(c.Slash + " " + a.text(c.Args.Label)), Text: a.text(c.Title), Also: a.also(c)})
	}
	head(a.words.signs.Heading)
	return append(body, a.signs()...)
}

// signs say what the signs of the screen mean, as they are drawn.
func (a *app) signs() []dialog.Line {
	w, still := a.words.signs, symbols.Set{ASCII: a.set.ASCII, Still: true}
	var lines []dialog.Line
	add := func(sign, meaning string, also ...string) {
		lines = append(lines, dialog.Line{Key: sign, Text: meaning, Also: strings.Join(also, " ")})
	}
	for _, k := range symbols.Kinds() {
		add(still.Symbol(k, 0), a.text(k.Meaning()), "s:"+k.Name())
	}
	var tally symbols.Tally
	tally.Add(symbols.Thinking, 3)
	tally.Add(symbols.Asks, 2)
	tally.Add(symbols.Failed, 1)
	var counts []string
	for _, p := range tally.Parts() {
		counts = append(counts, p.Label(still, 0))
	}
	add(strings.Join(counts, " "), w.Counts)
	add("+"+symbols.Count(tally.Sum()), w.Below)
	add(a.set.Unread(3), w.Unread)
	add(symbols.Tokens(88_000)+" "+a.text(statusline.TextTokens), w.Tokens)
	add(symbols.Tokens(812)+" "+a.text(statusline.TextRate), w.Rate)
	add(symbols.Clock(87*time.Second), w.Worked)
	add(symbols.Age(3*time.Minute), w.Ago)
	add("14:02", w.At)
	add("@", w.You)
	for m, meaning := range []string{
		symbols.Cursor: w.Cursor, symbols.Marked: w.Marked, symbols.MarkedCursor: w.MarkedCursor, symbols.Folded: w.Folded, symbols.Unfolded: w.Unfolded,
	} {
		add(a.set.Mark(symbols.Mark(m)), meaning)
	}
	return lines
}

// drawableKey writes keys as the terminal can draw them.
func (a *app) drawableKey(keys string) string {
	if a.set.ASCII {
		return strings.ReplaceAll(keys, "…", "...")
	}
	return keys
}
