package tui

import (
	"context"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/api"
	"society-tui/runtime/i18n"
	"society-tui/runtime/society"
	"society-tui/tui/command"
	"society-tui/tui/feature/find"
	"society-tui/tui/layout"
	"society-tui/tui/page"
	"society-tui/tui/statusline"
	"society-tui/tui/transcript"
)

// scanned is the result of searching a part of a conversation.
type scanned struct {
	scan  transcript.Scan
	found transcript.Found
	err   error
}

// searchOn searches the next part of the conversation outside the event loop,
// so that esc ends a search at any time.
func (a *app) searchOn() tea.Cmd {
	scan, ok := a.transcript.Scan()
	if !ok {
		return nil
	}
	return page.Later(a.deps.Screen, func(ctx context.Context) scanned {
		s := scanned{scan: scan}
		if scan.Agent == society.User {
			messages, err := a.society.Inbox(ctx, api.InboxQuery{From: scan.From})
			if s.err = err; err == nil {
				s.found = scan.InInbox(messages)
			}
			return s
		}
		page, err := a.society.Entries(ctx, scan.Agent, scan.From, scan.Upto)
		if s.err = err; err == nil {
			s.found = scan.In(page)
		}
		return s
	}, a.onScanned)
}

func (a *app) onScanned(s scanned) tea.Cmd {
	if s.err != nil {
		a.transcript.NotFound(s.scan, a.reason(s.err))
		return nil
	}
	a.transcript.Found(s.found)
	return nil
}

// beginSearch opens the search line.
func (a *app) beginSearch() tea.Cmd {
	a.noteBeforeSearch()
	cmd := a.focus(layout.Transcript)
	a.nav.visit = visit{} // esc ends the new search
	a.transcript.BeginSearch()
	return cmd
}

// noteBeforeSearch remembers the pane that a new search is started from.
func (a *app) noteBeforeSearch() {
	if a.prefs.Focus != layout.Transcript || !a.transcript.Searching() {
		a.nav.beforeSearch = a.prefs.Focus
	}
}

// leaveSearch returns from an ended search to where it was started, unless another pane has the
// focus by now.
func (a *app) leaveSearch() tea.Cmd {
	if a.prefs.Focus != layout.Transcript {
		return nil
	}
	return a.focus(a.nav.beforeSearch)
}

// pressInSearch handles a key in the search line.
func (a *app) pressInSearch(k tea.KeyPressMsg) tea.Cmd {
	key := command.Stroke(k)
	if a.openHelpOn(key, true) {
		return nil
	}
	if b := a.registry.Find(key, command.Conversation, true); b != nil && b.ID == "search_all" {
		return a.pressBinding(b, key)
	}
	meant := a.meant(a.transcript.Typed())
	switch key {
	case "tab":
		if meant != "" {
			a.transcript.EndSearch()
			return a.writeCommand(meant)
		}
	case "enter":
		a.transcript.Search()
		if meant != "" {
			return a.inform(a.text(textSearchedFor, a.transcript.Typed()), a.text(textHintCommand, meant))
		}
	case "esc", "alt+esc", "ctrl+c":
		a.transcript.EndSearch()
		return a.leaveSearch()
	case "backspace", "ctrl+h":
		a.transcript.BackspaceSearch()
	case "ctrl+u":
		a.transcript.ClearSearch()
	default:
		a.transcript.TypeSearch(k.Text)
	}
	return nil
}

// nextMatch goes to another match.
func (a *app) nextMatch(step func()) tea.Cmd {
	if !a.transcript.Searching() {
		return a.inform(i18n.Capitalized(a.text(whyNoSearch)), "")
	}
	step()
	return nil
}

func (a *app) runSearch(in command.Input) tea.Cmd {
	cmd := a.beginSearch()
	if in.Text != "" {
		a.transcript.TypeSearch(in.Text)
		a.transcript.Search()
	}
	return cmd
}

func (a *app) pasteInSearch(text string) tea.Cmd {
	a.transcript.TypeSearch(text)
	return nil
}

// searchHints returns the hints while the search line is open.
func (a *app) searchHints() []statusline.Hint {
	hints := []statusline.Hint{{Key: "enter", Does: a.text(page.HintSearch)}}
	if meant := a.meant(a.transcript.Typed()); meant != "" {
		hints = append(hints, statusline.Hint{Key: "tab", Does: a.text(hintMeant, meant)})
	}
	return append(hints, statusline.Hint{Key: "esc", Does: a.text(hintSearchEnd)}, a.searchAllHint())
}

// searchAllHint returns the hint for searching all conversations.
func (a *app) searchAllHint() statusline.Hint {
	b := a.registry.Binding("conversation.search_all")
	return statusline.Hint{Key: b.HintKey(), Does: a.text(b.Hint)}
}

var backToFound = i18n.Text{EN: "back to the list", ZH: "回到列表"}

// searchEnd describes where esc leads from a search.
func (a *app) searchEnd() string {
	if a.isVisiting() {
		return a.text(backToFound)
	}
	return a.text(hintSearchEnd)
}

// findsPlaces is the configuration of find.
func (a *app) findsPlaces() find.Config {
	return find.Config{
		Query: func(text string) (transcript.Query, bool) { return a.transcript.Query(text) },
		Take: func() string {
			text := a.transcript.Typed()
			a.noteBeforeSearch()
			a.transcript.EndSearch()
			a.nav.visit = visit{}
			return text
		},
		Visit: a.visitPlace,
		Back:  func() tea.Cmd { return a.focus(a.nav.beforeSearch) },
	}
}

// visitPlace opens the conversation of a place, and searches it. List shows the
// places again.
func (a *app) visitPlace(at *transcript.Place, text string, list func()) tea.Cmd {
	from, pane := a.nav.open, a.prefs.Focus
	a.transcript.EndSearch()
	cmd := tea.Batch(a.openAgentTo(at.Agent, true), a.focus(layout.Transcript))
	a.transcript.SearchFrom(text, at)
	a.nav.visit = visit{at.Agent, func() tea.Cmd {
		a.transcript.EndSearch()
		var cmd tea.Cmd
		if from != a.nav.open {
			cmd = a.openPrevious()
		}
		cmd = tea.Batch(cmd, a.focus(pane))
		list()
		return cmd
	}}
	return cmd
}

// isVisiting reports whether the open conversation is searched because a list of
// places opened it.
func (a *app) isVisiting() bool {
	return a.transcript.Searching() && a.nav.visit.to != "" && a.nav.visit.to == a.nav.open
}

// endVisit returns to the list of places.
func (a *app) endVisit() tea.Cmd {
	back := a.nav.visit.back
	a.nav.visit = visit{}
	return back()
}
