package help

import (
	"strings"
	"time"

	"society-tui/tui/dialog"
	"society-tui/tui/statusline"
	"society-tui/tui/symbols"
)

// Symbols explains the signs on the screen, as they are drawn.
func (f *Feature) Symbols() []dialog.Line {
	set := f.Set()
	still := symbols.Set{ASCII: set.ASCII, Still: true}
	var lines []dialog.Line
	add := func(sign, meaning string, also ...string) {
		lines = append(lines, dialog.Line{Key: sign, Text: meaning, Also: strings.Join(also, " ")})
	}
	for _, k := range symbols.Kinds() {
		add(still.Symbol(k, 0), f.Text(k.Meaning()), "s:"+k.Name())
	}
	var tally symbols.Tally
	tally.Add(symbols.Thinking, 3)
	tally.Add(symbols.Asks, 2)
	tally.Add(symbols.Failed, 1)
	var counts []string
	for _, p := range tally.Parts() {
		counts = append(counts, p.Label(still, 0))
	}
	add(strings.Join(counts, " "), f.Text(signCounts))
	add("+"+symbols.Count(tally.Sum()), f.Text(signBelow))
	add(set.Unread(3), f.Text(signUnread))
	add("3/7", f.Text(signTodo))
	add("&2", f.Text(signProcesses))
	add(symbols.Tokens(88_000)+" "+f.Text(statusline.TextTokens), f.Text(signTokens))
	add(symbols.Tokens(812)+" "+f.Text(statusline.TextRate), f.Text(signRate))
	add(symbols.Clock(87*time.Second), f.Text(signWorked))
	add(symbols.Age(3*time.Minute), f.Text(signAgo))
	add("14:02", f.Text(signAt))
	add("@", f.Text(signYou))
	for m, meaning := range []string{
		symbols.Cursor: f.Text(signCursor), symbols.Marked: f.Text(signMarked), symbols.MarkedCursor: f.Text(signMarkedCursor), symbols.Folded: f.Text(signFolded), symbols.Unfolded: f.Text(signUnfolded),
	} {
		add(set.Mark(symbols.Mark(m)), meaning)
	}
	return lines
}
