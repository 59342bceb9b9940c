package tui_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"society-tui/runtime"
	talk "society-tui/runtime/conversation"
	"society-tui/runtime/society"
	"society-tui/tui/screentest"
)

// spoken are conversations of which only some hold the word.
func spoken(f *fakeSociety) {
	family(f)
	for i := range 300 {
		f.say("web-2", talk.Entry{Kind: talk.Answer, From: "web-2", Text: fmt.Sprintf("filler %d", i)})
	}
	time.Sleep(time.Second)
	f.say("web-1", talk.Entry{Kind: talk.Answer, From: "web-1", Text: "The old harbour is to the north of the town."})
	time.Sleep(time.Second)
	f.say("lead-1", talk.Entry{Kind: talk.Inbound, From: "web-1", To: "lead-1", Body: "I have found the Harbour."})
	time.Sleep(time.Second)
	for i := range 300 {
		f.say("lead-1", talk.Entry{Kind: talk.Answer, From: "lead-1", Text: fmt.Sprintf("filler %d", i)})
	}
	f.inbox = []runtime.InboxMessage{{Seq: 1, From: "gone-1", At: time.Now(), Body: "No harbour here."}, {Seq: 2, From: "web-1", At: time.Now(), Body: "harbour, as in its own"}}
}

func TestWhatAnybodySaidIsFoundNewestFirst(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		spoken(f)
		s.Idle().Type("/find harbour").Press("enter").Idle()
		s.Shows("“harbour” in all conversations: 3", "gone-1 → you", "No harbour here.", "web-1 → lead-1", "found the Harbour.", "web-1", "old harbour is to the north").Hides("searched", "as in its own")
		var at []int
		for _, text := range []string{"No harbour here.", "I have found the Harbour.", "The old harbour"} {
			_, y := s.Find(text)
			at = append(at, y)
		}
		if at[0] >= at[1] || at[1] >= at[2] {
			t.Errorf("not the newest first: %v\n%s", at, s)
		}
		s.Press("down", "enter").Idle().Shows("to: lead-1", "I have found the Harbour.", "/harbour", "1 of 1", "/find goes back to the list")
		s.Press("esc").Hides("1 of 1")
		s.Press("esc").Type("/find").Press("esc", "enter").Shows("“harbour” in all conversations: 3").Press("down", "enter").Idle().Shows("to: web-1", "The old harbour", "1 of 1")
	})
}

func TestAPlaceInTheInboxIsGoneTo(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		spoken(f)
		s.Idle().Type("/find no harbour").Press("enter").Idle().Press("enter").Idle().Shows("you (inbox)", "No harbour here.", "1 of 1")
	})
}

func TestASearchOfAllEndsWhenItsListIsClosedAndGoesOnWithIt(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		for i := range 9_000 {
			f.say("web-2", talk.Entry{Kind: talk.Answer, From: "web-2", Text: fmt.Sprintf("filler %d", i)})
		}
		f.failPages(errors.New("the disk is gone\x1b[2J"))
		s.Idle().Type("/find filler").Press("enter").Idle().Shows("that failed: the disk is gone")
		f.failPages(nil)
		s.Press("esc").Type("/find filler").Press("enter").Idle().Shows("“filler” in all conversations: 9,000", "the newest 500", "filler 8999")
		f.failPages(errors.New("again"))
		s.Press("esc").Type("/find nothing at all").Press("enter").Idle().Shows("that failed: again")
		read := f.pageCount()
		s.Press("esc").Pass(time.Second)
		if f.pageCount() != read {
			t.Error("a list that is closed is searched on")
		}
	})
}

func TestAFindOfNothingIsRefusedAndASearchWithoutPlacesSaysSo(t *testing.T) {
	onScreen(t, 60, 20, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		spoken(f)
		s.Idle().Type("/find").Press("esc", "enter").Shows("/find needs a text to look for").Press("ctrl+c")
		s.Type("/find " + strings.Repeat("lighthouse ", 3)).Press("enter").Idle().Shows("not found").Press("enter").Shows("not found").Press("esc").Hides("not found")
	})
}

func TestAPlaceOfAnAgentThatIsGoneSaysSo(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		spoken(f)
		s.Idle().Type("/find old harbour").Press("enter").Idle().Shows("The old harbour")
		if _, err := f.Do(t.Context(), society.Terminate{Agent: "web-1", By: society.User}); err != nil {
			t.Fatal(err)
		}
		s.Idle().Press("enter").Shows("web-1 is gone already", "The old harbour")
	})
}
