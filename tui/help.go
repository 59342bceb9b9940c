package tui

import (
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"society-tui/tui/dialog"
	"society-tui/tui/symbols"
	"society-tui/tui/words"
)

// help are the keys of the help.
func (m *keymap) help() []string {
	at := slices.IndexFunc(m.bindings, func(b binding) bool { return b.does == showHelp })
	return slices.Clone(m.bindings[at].keys)
}

// helps says whether a key opens the help where one writes, or with letters where
// one does not.
func (m *keymap) helps(key string, writing bool) bool {
	return slices.Contains(m.help(), key) && (!writing || !TypesText(key))
}

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
		Buttons: []dialog.Button{{Choice: "close", Label: a.words.app.Close, Keys: a.keys.help()}},
	}, a.now())
}

// helpHere is the heading of the keys that are for where the person is.
func (a *app) helpHere() string {
	w := a.words.keys
	switch {
	case a.sheet != nil:
		return w.Sheet
	case a.picks.Kind() != "":
		return w.List
	case a.place() == inComposer && strings.HasPrefix(a.pad.Line(), "/"):
		return w.Commands
	}
	return a.placeName(a.place())
}

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
		where   place
		outside bool
	}{
		{w.Composer, inComposer, false},
		{w.Anywhere, anywhere, false},
		{w.Outside, anywhere, true},
		{w.Prefix, afterPrefix, false},
		{w.Tree, inTree, false},
		{w.Chat, inChat, false},
		{w.Inspector, inInspector, false},
		{w.List, inList, false},
		{w.Sheet, inSheet, false},
	} {
		head(p.title)
		for _, b := range a.keys.of(p.where) {
			keys := b.keys
			if p.where == anywhere { // letters of it are text where one writes
				keys = b.part(p.outside)
			}
			if len(keys) > 0 {
				body = append(body, dialog.Line{Key: a.drawableKey(label(keys)), Text: b.help, Also: strings.Join(keys, " ") + " " + a.alsoCalled(b.does, nil)})
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
	for i := range a.slashes {
		s := &a.slashes[i]
		body = append(body, dialog.Line{Key: strings.TrimSpace(s.name + " " + a.argument(s.takes)), Text: s.help, Also: a.alsoCalled(s.is, s)})
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
		add(still.Symbol(k, 0), k.Meaning(w), "s:"+k.Name())
	}
	var tally symbols.Tally
	tally.Add(symbols.Thinking, 3)
	tally.Add(symbols.Asks, 2)
	tally.Add(symbols.Failed, 1)
	var counts []string
	for _, p := range tally.Parts() {
		counts = append(counts, p.Label(still, 0))
	}
	bar := drawable(words.ForStatusline(a.cfg.Lang), a.set.ASCII, a.rename)
	add(strings.Join(counts, " "), w.Counts)
	add("+"+symbols.Count(tally.Sum()), w.Below)
	add(a.set.Unread(3), w.Unread)
	add(symbols.Tokens(88_000)+" "+bar.Tokens, w.Tokens)
	add(symbols.Tokens(812)+" "+bar.Rate, w.Rate)
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

// argument writes what may follow a command.
func (a *app) argument(takes string) string {
	switch takes {
	case "":
		return ""
	case "agent":
		return "[" + a.words.app.TakesAgent + "]"
	case "role":
		return a.words.app.TakesRole
	case "text":
		return "[" + a.words.app.TakesText + "]"
	case "template", "graph", "theme":
		return "[" + a.words.app.TakesName + "]"
	case "export":
		return "[subtree] [md|json] [" + a.words.app.TakesFile + "]"
	case logOfAll:
		return "[" + logOfAll + "]"
	case "file":
		return a.words.app.TakesFile
	}
	return takes
}
