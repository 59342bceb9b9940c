package find_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	tea "charm.land/bubbletea/v2"

	"society-tui/runtime/api"
	"society-tui/runtime/api/apitest"
	"society-tui/runtime/conversation"
	"society-tui/runtime/i18n"
	"society-tui/runtime/society"
	"society-tui/themes"
	"society-tui/tui/feature/find"
	"society-tui/tui/page"
	"society-tui/tui/page/pagetest"
	"society-tui/tui/symbols"
	"society-tui/tui/transcript"
)

// onPage runs a script with the feature. Web-1 has said 600 fillers and, last,
// something about a harbour.
func onPage(t *testing.T, script func(*testing.T, *pagetest.Screen, *apitest.Society)) {
	t.Helper()
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := apitest.New()
		f.Put(api.Row{ID: society.Root})
		f.Put(api.Row{ID: "web-1", Parent: society.Root})
		for i := range 600 {
			f.Say("web-1", conversation.Entry{Kind: conversation.Answer, From: "web-1", Text: fmt.Sprintf("filler %d", i)})
		}
		f.Say("web-1", conversation.Entry{Kind: conversation.Answer, From: "web-1", Text: "The new jetty.", SetAside: time.Now()})
		f.Say("web-1", conversation.Entry{Kind: conversation.Answer, From: "web-1", Text: "The old harbour."})
		widget := transcript.New(themes.Plain(), i18n.Printer{}, symbols.Set{})
		script(t, pagetest.New(t, f, func(d *page.Deps) page.Feature {
			return find.New(d, find.Config{
				Back:  func() tea.Cmd { return nil },
				Query: widget.Query,
				Take:  func() string { return "" },
				Visit: func(at *transcript.Place, _ string, _ func()) tea.Cmd { return d.Screen.OpenAgent(at.Agent, at.At) },
			})
		}), f)
	})
}

func TestPlaceIsFoundAndOpened(t *testing.T) {
	onPage(t, func(t *testing.T, s *pagetest.Screen, _ *apitest.Society) {
		s.Do("search_all").Shows("Type what to look for").Type("lighthouse").Shows("No matches").Press("enter").Shows("No matches")
		s.Press("ctrl+u").Type("filler nonsense").Press("ctrl+w", "backspace").Shows("“filler” in all conversations: 600", "the newest 500", "filler 599")
		s.Press("ctrl+u").Type("harbour").Shows("“harbour” in all conversations: 1", "The old harbour.").Press("enter").Hides("in all conversations")
		if s.Opened != "web-1" {
			t.Errorf("%q is open, want web-1", s.Opened)
		}
	})
}

func TestSearchRunsOnlyWhileItsListIsOpen(t *testing.T) {
	onPage(t, func(t *testing.T, s *pagetest.Screen, f *apitest.Society) {
		reads := 0
		f.Call = func(context.Context, string) error {
			reads++
			return errors.New("the disk is gone\x1b[2J")
		}
		s.Do("search_all").Type("nothing").Shows("Failed: the disk is gone").Press("esc", "esc")
		before := reads
		if s.Pass(time.Second); reads != before {
			t.Errorf("a list that is closed was searched %d times, want %d", reads, before)
		}
	})
}

// What was set aside is found, and marked.
func TestAPlaceThatWasSetAsideIsMarked(t *testing.T) {
	onPage(t, func(_ *testing.T, s *pagetest.Screen, _ *apitest.Society) {
		s.Do("search_all").Type("jetty").Shows("The new jetty.", "set aside")
		s.Press("ctrl+u").Type("harbour").Shows("The old harbour.").Hides("set aside")
	})
}
