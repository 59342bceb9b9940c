package tui

import (
	"strings"
	"time"

	"society-tui/tui/dialog"
	"society-tui/tui/statusline"
	"society-tui/tui/symbols"
)

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
