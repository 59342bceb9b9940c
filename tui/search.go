package tui

import (
	"context"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/society"
	"society-tui/tui/conversation"
)

// scanned is what came of searching a part of a conversation.
type scanned struct {
	scan  conversation.Scan
	found conversation.Found
	err   error
}

// searchOn searches the next part of what the person searches. It is read and
// searched outside the event loop, part by part, so that esc ends it at any time.
func (a *app) searchOn() tea.Cmd {
	scan, ok := a.chat.Scan()
	if !ok {
		return nil
	}
	return a.command(func(ctx context.Context) tea.Msg {
		s := scanned{scan: scan}
		if scan.Agent == society.User {
			messages, err := a.society.Inbox(ctx, scan.From)
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
	})
}

func (a *app) takeScanned(s scanned) tea.Cmd {
	if s.err != nil {
		a.chat.NotFound(s.scan, a.reason(s.err))
		return nil
	}
	a.chat.Found(s.found)
	return nil
}

// beginSearch lets the person type what to search the conversation for.
func (a *app) beginSearch() tea.Cmd {
	cmd := a.focus(chatPane)
	if a.visits() { // esc is for the new search
		a.finding.gone.to = ""
	}
	a.chat.BeginSearch()
	return cmd
}

// pressInSearch types what is searched for.
func (a *app) pressInSearch(k tea.KeyPressMsg) tea.Cmd {
	key := stroke(k)
	if a.keys.helps(key, true) {
		a.openHelp()
		return nil
	}
	command := a.meant(a.chat.Typed())
	switch key {
	case "tab":
		if command != "" {
			a.chat.EndSearch()
			return a.writeCommand(command)
		}
	case "enter":
		a.chat.Search()
		if command != "" {
			return a.tell(fmt.Sprintf(a.words.notices.SearchedFor, a.chat.Typed()), fmt.Sprintf(a.words.notices.HintCommand, command))
		}
	case "esc", "alt+esc", "ctrl+c":
		a.chat.EndSearch()
	case "backspace", "ctrl+h":
		a.chat.BackspaceSearch()
	case "ctrl+u":
		a.chat.ClearSearch()
	default:
		a.chat.TypeSearch(k.Text)
	}
	return nil
}

// nextMatch goes to another of the places that were found.
func (a *app) nextMatch(does action) tea.Cmd {
	switch {
	case !a.chat.Searching():
		return a.tell(a.words.palette.NoSearch, "")
	case does == olderMatch:
		a.chat.Older()
	default:
		a.chat.Newer()
	}
	return nil
}

func (a *app) slashSearch(w written) (tea.Cmd, bool) {
	cmd := a.beginSearch()
	if w.rest != "" {
		a.chat.TypeSearch(w.rest)
		a.chat.Search()
	}
	return cmd, true
}
