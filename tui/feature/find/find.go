// Package find searches all conversations for a text, lists the places, and
// opens them.
package find

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/i18n"
	"society-tui/runtime/society"
	"society-tui/tui/action"
	"society-tui/tui/command"
	"society-tui/tui/list"
	"society-tui/tui/page"
	"society-tui/tui/statusline"
	"society-tui/tui/symbols"
	"society-tui/tui/transcript"
)

// A Config has the functions of the screen that find needs.
type Config struct {
	Query func(text string) (transcript.Query, bool)
	// Take ends the search of the open conversation and returns its text, or "".
	Take func() string
	// Back focuses what had the focus before the search.
	Back func() tea.Cmd
	// Visit opens a place and searches its conversation for text. List is called
	// when the user goes back.
	Visit func(at *transcript.Place, text string, list func()) tea.Cmd
}

// A Feature searches all conversations. Results stay when the list is closed,
// so that the user can return to them.
type Feature struct {
	*page.Deps
	cfg  Config
	list *page.List
	last *findState // nil before the first search
}

// New returns the feature.
func New(deps *page.Deps, cfg Config) *Feature {
	f := &Feature{Deps: deps, cfg: cfg}
	f.list = deps.NewList(page.Choosing{Take: f.goToMarked, Takes: takes, By: page.BestFirst, More: f.hints, Back: f.back})
	return f
}

func (f *Feature) Commands() []*command.Command {
	return []*command.Command{{
		ID: "search_all", Group: command.GroupConversation, Title: TextTitle, Hint: i18n.Text{EN: "all conversations", ZH: "所有对话"},
		Also: i18n.Text{EN: "find grep look history past", ZH: "查找 历史 过去"}, Keys: command.Keys(command.Conversation, "ctrl+f"), AnyPane: true, Run: command.Run(f.run),
	}}
}

// run searches all conversations for the search text of the open one. Without
// one the list asks for a text, and shows the last results.
func (f *Feature) run() tea.Cmd {
	if text := f.cfg.Take(); text != "" || f.last == nil {
		f.seek(text)
	}
	f.showAgain()
	return nil
}

// showAgain lists the results, with the place selected that was opened last.
func (f *Feature) showAgain() {
	f.show()
	f.list.Pick(f.last.opened)
}

// show lists the results so far, newest first.
func (f *Feature) show() {
	s := f.last
	items := make([]list.Item, len(s.places))
	for i := range s.places {
		items[i] = f.item(&s.places[i])
	}
	title, empty := s.Title(f.Printer), f.Text(notFound)
	switch {
	case s.query.Text() == "":
		title, empty = f.Text(TextTitle), f.Text(whatToType)
	case s.failed != "":
		title += f.Dot + f.Text(action.TextFailed, s.failed)
	case !s.done():
		progress := f.Text(searched, symbols.Count(int(s.read)), symbols.Count(int(s.all)))
		title, empty = title+f.Dot+progress, progress
	case s.count > len(s.places):
		title += f.Dot + f.Text(TextNewest, symbols.Count(len(s.places)))
	}
	f.list.Show(title, empty, items)
	f.list.Ask(s.typed)
}

func (f *Feature) item(p *transcript.Place) list.Item {
	who := f.Replica.Name(p.From)
	for i, to := range p.To {
		between := " " + f.Text(arrow) + " "
		if i > 0 {
			between = f.Text(symbols.TextListComma)
		}
		who += between + f.Replica.Name(to)
	}
	note := strings.Join(Kind(f.Printer, p), f.Dot)
	return list.Item{
		ID: placeID(p), Name: page.Moment(f.Now(), p.At) + "  " + who, Note: note,
		Text: p.Before + p.Match + p.After, Marked: [2]int{len(p.Before), len(p.Before) + len(p.Match)},
	}
}

// Kind returns what a place is if it is not what was said, and whether it was set aside.
func Kind(p i18n.Printer, at *transcript.Place) (kind []string) {
	if at.Aside {
		kind = append(kind, p.T(isSetAside))
	}
	in := map[transcript.Part]i18n.Text{transcript.Thought: inThought, transcript.Called: inCall, transcript.Came: inResult}[at.Part]
	if !in.IsZero() {
		kind = append(kind, strings.TrimSpace(p.T(in)+" "+at.Tool))
	}
	return kind
}

func placeID(p *transcript.Place) string { return fmt.Sprintf("%s %d %d", p.Agent, p.Slot, p.N) }

func (f *Feature) hints() []statusline.Hint {
	return []statusline.Hint{{Key: page.Arrows(f.Printer), Does: f.Text(page.HintMove)}, {Key: f.Text(letters), Does: f.Text(page.HintSearch)}}
}

// back closes the list.
func (f *Feature) back() tea.Cmd {
	f.list.Close()
	return f.cfg.Back()
}

// goToMarked opens the selected place, with its conversation searched.
func (f *Feature) goToMarked() tea.Cmd {
	item, ok := f.list.Picked()
	if !ok || f.last == nil {
		return nil
	}
	at := slices.IndexFunc(f.last.places, func(p transcript.Place) bool { return placeID(&p) == item.ID })
	if at < 0 {
		return nil
	}
	p := f.last.places[at]
	if _, present := f.Replica.Row(p.Agent); !present && p.Agent != society.User {
		return f.Warn(f.Text(page.TextGone, f.Replica.Name(p.Agent)), "")
	}
	f.list.Close()
	f.last.opened = item.ID
	return f.cfg.Visit(&p, f.last.query.Text(), f.showAgain)
}
