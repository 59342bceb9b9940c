package tui_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"society-tui/runtime/api"
	talk "society-tui/runtime/conversation"
	"society-tui/runtime/society"
	"society-tui/tui/screentest"
)

// spoken has conversations of which only some contain the word.
func spoken(f *fakeSociety) {
	family(f)
	for i := range 300 {
		f.Say("web-2", talk.Entry{Kind: talk.Answer, From: "web-2", Text: fmt.Sprintf("filler %d", i)})
	}
	time.Sleep(time.Second)
	f.Say("web-1", talk.Entry{Kind: talk.Answer, From: "web-1", Text: "The old harbour is to the north of the town."})
	time.Sleep(time.Second)
	f.Say("lead-1", talk.Entry{Kind: talk.Inbound, From: "web-1", To: "lead-1", Body: "I have found the Harbour."})
	time.Sleep(time.Second)
	for i := range 300 {
		f.Say("lead-1", talk.Entry{Kind: talk.Answer, From: "lead-1", Text: fmt.Sprintf("filler %d", i)})
	}
	f.Messages = []api.InboxMessage{{Seq: 1, From: "gone-1", At: time.Now(), Body: "No harbour here."}, {Seq: 2, From: "web-1", At: time.Now(), Body: "harbour, as in its own"}}
}

func TestClosingTheListOfMatchesReturnsTheFocus(t *testing.T) {
	onScreen(t, 160, 45, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		spoken(f)
		s.Idle().Type("/find harbour").Press("enter", "ctrl+f").Idle().Shows("in all conversations").Press("esc")
		s.Type("typed").Shows("typed") // in the composer, where the search was written
		s.Press("ctrl+c", "alt+2", "ctrl+f").Idle().Press("esc", "/").Shows("enter search")
	})
}

func TestEscReturnsFromASearchToWhereItWasStarted(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		for i := range 3 {
			f.Say("root", talk.Entry{Kind: talk.Answer, From: "root", Text: fmt.Sprintf("walk %d", i)})
		}
		s.Idle().Type("/find walk").Press("enter").Idle().Shows("1 of 3").Press("n").Shows("2 of 3").Press("/", "esc").Type("one").Shows("> one")
		s.Press("ctrl+c").Type("/find walk").Press("enter").Idle().Press("n", "/").Type("walk").Press("enter").Idle().Press("esc").Type("two").Shows("> two")
		s.Press("ctrl+c").Type("/find").Press("esc", "enter").Shows("enter search").Press("esc").Type("three").Shows("> three")
		s.Press("alt+2", "/").Type("walk").Press("enter").Idle().Shows("1 of 3").Press("esc").Hides("1 of 3").Press("/").Shows("enter search").Press("esc")
		s.Press("/").Type("walk").Press("enter").Idle().Press("alt+1", "esc").Hides("1 of 3").Press("/").Shows("enter keep the filter")
		asked(t, f)
	})
}

func TestFindListsMatchesNewestFirst(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		spoken(f)
		s.Idle().Type("/find harbour").Press("enter", "ctrl+f").Idle()
		s.Shows("“harbour” in all conversations: 4", "gone-1 → you", "No harbour here.", "web-1 → lead-1", "found the Harbour.", "web-1", "old harbour is to the north").Hides("searched")
		var at []int
		for _, text := range []string{"No harbour here.", "I have found the Harbour.", "The old harbour"} {
			_, y := s.Find(text)
			at = append(at, y)
		}
		if at[0] >= at[1] || at[1] >= at[2] {
			t.Errorf("not the newest first: %v\n%s", at, s)
		}
		s.Press("down", "down", "enter").Idle().Shows("to: lead-1", "I have found the Harbour.", "/harbour", "1 of 1")
	})
}

// A request of the agent does not cover the place that was found; it waits in the conversation.
func TestAPlaceThatIsFoundIsNotCoveredByARequest(t *testing.T) {
	onScreen(t, 160, 45, func(_ *testing.T, s *screentest.Screen, f *fakeSociety) {
		spoken(f)
		asksToEdit(f, "web-1", 1, "src/a.go")
		s.Idle().Type("/find old harbour").Press("enter", "ctrl+f").Idle().Press("enter").Idle()
		s.Shows("to: web-1", "1 of 1", "The old harbour is to the north").Hides("(request 1)", "Allow once")
		s.Press("alt+a").Shows("(request 1)", "Allow once")
	})
}

// esc and alt+left go back to the unchanged list, and from it to the position
// before.
func TestEscLeadsBackToTheListOfPlaces(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		spoken(f)
		for i := range 100 {
			f.Say("root", talk.Entry{Kind: talk.Answer, From: "root", Text: fmt.Sprintf("line %d", i)})
		}
		seen := func() string { return strings.Join(regexp.MustCompile(`line \d+`).FindAllString(s.String(), -1), ",") }
		s.Idle().Press("alt+2").Press("pgup").Press("pgup").Idle()
		before := seen()
		for _, back := range []string{"esc", "alt+left"} {
			s.Type("/") // starts another search
			s.Press("esc").Press("alt+2")
			s.Press("tab").Type("/find harbour").Press("enter", "ctrl+f").Idle().Press("down", "down", "enter").Idle().Shows("to: lead-1", "1 of 1", "esc back to the list")
			s.Press(back).Idle().Shows("“harbour” in all conversations: 4", "to: root", "▸ 0")
			_, marked := s.Find("▸ 0")
			if _, y := s.Find("web-1 → lead-1"); y != marked {
				t.Errorf("after %s another place is marked:\n%s", back, s)
			}
			s.Press("esc").Press("alt+2").Idle()
			if after := seen(); after != before || before == "" {
				t.Errorf("after %s and esc stands %s, before %s", back, after, before)
			}
		}
		s.Press("tab").Type("/find harbour").Press("enter", "ctrl+f").Idle().Press("enter").Idle().Press("/").Type("no").Press("enter").Idle()
		s.Press("esc").Hides("in all conversations")
	})
}

// The selected place is opened: of several matches in one answer the shown one,
// in the order of the conversation. The counter says that it counts this
// conversation.
func TestListOpensTheSelectedPlace(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		f.Say("root", talk.Entry{Kind: talk.Answer, From: "root", Reasoning: "Is the quay open?", Text: "The quay is first.\n" + strings.Repeat("\nfiller\n", 30) + "\nThe quay is last.", Calls: []talk.Call{
			{ID: "a", Name: "web_fetch", Arguments: `{"url":"http://quay.one"}`}, {ID: "b", Name: "web_fetch", Arguments: `{"url":"http://quay.two"}`},
		}})
		s.Idle()
		for n, at := range []struct{ shown, place string }{
			{"quay.two", "1 of 5 in this conversation"}, {"quay.one", "2 of 5 in"}, {"The quay is first.", "4 of 5 in"}, {"Is the quay open?", "5 of 5 in"},
		} {
			s.Type("/find quay").Press("enter", "ctrl+f").Idle().Shows("“quay” in all conversations: 4").Press("home")
			for range n {
				s.Press("down")
			}
			s.Press("enter").Idle().Shows("/quay", at.place, at.shown).Press("esc").Idle().Press("esc", "esc").Idle()
		}
	})
}

// A message is listed once, with its sender; one without a copy at the sender
// is listed with the recipient.
func TestAMessageIsFoundOnce(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		f.Say("lead-1", talk.Entry{Kind: talk.Inbound, From: "user", To: "lead-1", Body: "Where is the lighthouse?"})
		time.Sleep(time.Second)
		f.Say("web-1", talk.Entry{Kind: talk.Answer, From: "web-1", To: "lead-1", Text: "The **lighthouse** is here."})
		f.Say("lead-1", talk.Entry{Kind: talk.Inbound, From: "web-1", To: "lead-1", Body: "The **lighthouse** is here."})
		time.Sleep(time.Second)
		f.Messages = []api.InboxMessage{{Seq: 1, From: "root", At: time.Now(), Body: "There is a lighthouse."}}
		f.Say("root", talk.Entry{Kind: talk.Answer, From: "root", To: "user", Text: "There is a lighthouse."})
		time.Sleep(time.Second)
		f.Say("lead-1", talk.Entry{Kind: talk.Inbound, From: "web-2", To: "lead-1", Body: "web-2 has failed: no lighthouse"})
		s.Idle().Type("/find lighthouse").Press("enter", "ctrl+f").Idle()
		s.Shows("“lighthouse” in all conversations: 4", "web-2 → lead-1", "root → you", "web-1 → lead-1", "you → lead-1").Hides("**")
		s.Press("down", "enter").Idle().Shows("to: root").Press("esc")
		s.Press("down", "enter").Idle().Shows("to: web-1").Press("esc")
		s.Press("down", "enter").Idle().Shows("to: lead-1", "Where is the lighthouse?")
	})
}

func TestFindSearchesWhileTyping(t *testing.T) {
	onScreen(t, 60, 20, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		spoken(f)
		s.Idle().Type("/find").Press("esc", "enter", "ctrl+f").Idle().Shows("Search all conversations", "Type what to look for")
		_, top := s.Find("Search all conversations")
		s.Type("ol").Idle().Shows("“ol” in all conversations: 1").Type("d harbour").Idle().Shows("“old harbour” in all conversations: 1", "The old harbour")
		if _, y := s.Find("in all conversations"); y != top {
			t.Errorf("the list has jumped:\n%s", s)
		}
		s.Type("x").Idle().Shows("No matches").Press("backspace").Idle().Shows("The old harbour").Press("ctrl+u").Shows("Type what to look for")
		s.Type("no harbour").Idle().Press("esc").Hides("in all conversations")
		s.Type("/find").Press("esc", "enter", "ctrl+f").Idle().Shows("“no harbour” in all conversations: 1").Press("enter").Idle().Shows("No harbour here.", "1 of 1")
	})
}

func TestPlaceInTheInboxIsOpened(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		spoken(f)
		s.Idle().Type("/find no harbour").Press("enter", "ctrl+f").Idle().Press("enter").Idle().Shows("you (inbox)", "No harbour here.", "1 of 1")
	})
}

func TestPlaceOfARemovedAgentSaysSo(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		spoken(f)
		s.Idle().Type("/find old harbour").Press("enter", "ctrl+f").Idle().Shows("The old harbour")
		if _, err := f.Do(t.Context(), society.Terminate{Agent: "web-1", By: society.User}); err != nil {
			t.Fatal(err)
		}
		s.Idle().Press("enter").Shows("web-1 no longer exists", "The old harbour")
	})
}

// A call and its result are one place wherever their pages are cut, and so is a
// message with its copy.
func TestACallAndItsResultOnTwoPagesAreOnePlace(t *testing.T) {
	for _, between := range []int{0, 60} {
		t.Run(fmt.Sprint(between), func(t *testing.T) {
			onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
				family(f)
				fill := func(n int) {
					for range n {
						f.Say("web-1", talk.Entry{Kind: talk.Inbound, From: "lead-1", To: "web-1", Body: "filler"})
					}
				}
				now := time.Now()
				fill(300)
				f.Say("web-1", talk.Entry{Kind: talk.Answer, At: now, From: "web-1", Calls: []talk.Call{
					{ID: "c1", Name: "http_request", Arguments: `{"url":"harbour.example"}`},
					{ID: "c2", Name: "send_message", Arguments: `{"to":["lead-1"],"payload":"to the harbour"}`},
				}})
				fill(between)
				f.Say("web-1", talk.Entry{Kind: talk.Result, At: now, CallID: "c1", Outcome: talk.OK, Text: "a harbour page"})
				sent := now.Add(time.Minute)
				f.Say("web-1", talk.Entry{Kind: talk.Result, At: sent, CallID: "c2", Outcome: talk.OK, Text: "{}"})
				fill(248) // the newest page begins with the first result
				f.Say("lead-1", talk.Entry{Kind: talk.Inbound, At: sent, From: "web-1", To: "lead-1", Body: "to the harbour"})
				s.Idle().Type("/find harbour").Press("enter", "ctrl+f").Idle()
				s.Shows("“harbour” in all conversations: 2", "http_request", "web-1 → lead-1")
			})
		})
	}
}
