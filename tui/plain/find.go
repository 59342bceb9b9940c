package plain

import (
	"context"
	"strings"
	"time"

	"society-tui/runtime/society"
	"society-tui/tui/command"
	"society-tui/tui/feature/find"
	"society-tui/tui/page"
	"society-tui/tui/symbols"
	"society-tui/tui/transcript"
)

// mostFound is how many places /find prints.
const mostFound = 20

// find searches all conversations, and prints the newest places with the text, the newest last.
func (f *frontend) find(in command.Input) {
	query, ok := f.text.Query(in.Text)
	if !ok {
		f.warn(f.printer.T(textFindWhat))
		return
	}
	search := find.Begin(query, f.replica)
	f.work(func(ctx context.Context) func() {
		err := search.Finish(ctx, f.cfg.Society)
		return func() {
			places := search.Places(mostFound)
			title := search.Title(f.printer)
			if search.Count() > len(places) {
				title += f.printer.T(symbols.TextComma) + f.printer.T(find.TextNewest, symbols.Count(len(places)))
			}
			f.say(f.sentence(title))
			for i := len(places) - 1; i >= 0; i-- {
				f.sayPlace(&places[i])
			}
			f.notify(f.actions.NoticeFor(err))
		}
	})
}

// sayPlace prints when a text was written, by whom to whom, and the line with the match.
func (f *frontend) sayPlace(p *transcript.Place) {
	who := f.replica.Name(p.From)
	if len(p.To) > 0 {
		names := make([]string, len(p.To))
		for i, id := range p.To {
			names[i] = f.replica.Name(id)
		}
		who = f.printer.T(textFromTo, who, f.printer.List(names))
	}
	about := append([]string{who}, find.Kind(f.printer, p)...)
	if p.Agent != p.From && p.Agent != society.User && len(p.To) == 0 {
		about = append(about, f.replica.Name(p.Agent))
	}
	said := strings.Join(strings.Fields(p.Before+p.Match+p.After), " ")
	f.say("  " + page.Moment(time.Now(), p.At) + " " + strings.Join(about, f.printer.T(symbols.TextComma)) + f.printer.T(symbols.TextColon) + said)
}
