package tui_test

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"
	"time"

	"society-tui/runtime/api"
	"society-tui/runtime/conversation"
	"society-tui/runtime/society"
	"society-tui/tui/screentest"
)

// clip returns the last content of the clipboard.
func clip(t *testing.T, s *screentest.Screen) string {
	t.Helper()
	all := s.Copied()
	if len(all) == 0 {
		t.Fatalf("nothing was copied:\n%s", s)
	}
	text, err := base64.StdEncoding.DecodeString(all[len(all)-1])
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// The text under a drag inside one pane is copied, without padding and line
// breaks of the layout.
func TestDraggedTextIsCopied(t *testing.T) {
	const long = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		f.Say(society.Root, conversation.Entry{Kind: conversation.Answer, Text: long + "\nnext 第七章 end", To: "user"})

		s.Pass(time.Second).Shows("one two three", "next 第七章 end")
		x, y := s.Find("one two")
		endX, endY := s.Find("next 第七章")
		s.Drag(x, y, endX+len("next 第"), endY) // on the second half of a wide character
		if got := clip(t, s); got != long+"\nnext 第七" {
			t.Errorf("copied %q", got)
		}
		s.Shows(fmt.Sprintf("Copied %d characters", len([]rune(long))+8))

		// Across the border only the conversation is selected.
		s.Drag(x+4, y, 2, y)
		if got := clip(t, s); !strings.HasSuffix(got, "one t") || strings.ContainsAny(got, "│├") {
			t.Errorf("copied %q", got)
		}

		// It can be copied again, and cleared; then keys work as before.
		s.Press("esc", "esc").Type("text").Press("ctrl+c").Shows("Cleared")
		s.Type("text").Drag(x, y, x+2, y).Press("ctrl+c").Shows("clipboard", "text").Press("ctrl+c").Shows("Cleared")
		if got := clip(t, s); got != "one" {
			t.Errorf("copied %q", got)
		}
	})
}

func TestAClickMarksNothing(t *testing.T) {
	onScreen(t, 160, 45, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		f.spawn("web-1", society.Root, "web")
		f.Say(society.Root, conversation.Entry{Kind: conversation.Answer, Text: "an answer", To: "user"})

		s.Press("alt+3", "alt+2").Pass(time.Second)
		for _, text := range []string{"an answer", "web-1", "mailbox"} {
			x, y := s.Find(text)
			s.Click(x, y)
			if got := s.Copied(); len(got) > 0 {
				t.Errorf("a click on %q copies %q", text, got)
			}
		}
		s.Press("alt+left") // root again
		// Other panes are selectable, too.
		for text, want := range map[string]string{"web-1": "web-1", "mailbox": "mailbox"} {
			s.Press("alt+2").Pass(time.Second) // the inspector shows root
			x, y := s.Find(text)
			s.Drag(x, y, x+len(text)-1, y)
			if got := clip(t, s); got != want {
				t.Errorf("copied %q, want %q", got, want)
			}
		}
	})
}

// The selection moves with its text.
func TestASelectionStaysOnItsText(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		f.spawn("web-1", society.Root, "web")
		for i := range 26 {
			f.Say(society.Root, conversation.Entry{Kind: conversation.Answer, Text: fmt.Sprintf("answer %c", 'A'+i%26), To: "user"})
		}

		s.Pass(time.Second)
		x, y := s.Find("answer Z")
		s.Drag(x, y, x+7, y)
		f.Say(society.Root, conversation.Entry{Kind: conversation.Answer, Text: "more", To: "user"})
		s.Pass(time.Second).Press("ctrl+c")
		if got := clip(t, s); got != "answer Z" {
			t.Errorf("copied %q", got)
		}
		// The selection of a streaming answer stays.
		f.set(society.Root, func(r *api.Row) { r.State = society.WaitingLLM })
		f.stream(society.Root, "the first line\nand a sec")
		s.Pass(time.Second).Press("end").Pass(time.Second)
		x, y = s.Find("the first line")
		s.Drag(x, y, x+8, y)
		f.stream(society.Root, "the first line\nand a second one\nand a third")
		s.Pass(time.Second).Press("ctrl+c")
		if got := clip(t, s); got != "the first" {
			t.Errorf("copied %q", got)
		}
		x, y = s.Find("the first line")
		s.Drag(x, y, x+8, y)
		f.stream(society.Root, "something else")
		s.Pass(time.Second).Press("ctrl+c").Shows("Quit?").Press("esc")
		// The selection is cleared when the tree's row changes.
		x, y = s.Find("web-1")
		s.Drag(x, y, x+4, y)
		f.Mu.Lock()
		f.Pending.Gone = append(f.Pending.Gone, "web-1")
		delete(f.Rows, "web-1")
		f.Touch()
		f.Mu.Unlock()
		f.spawn("other-1", society.Root, "other")
		s.Pass(time.Second).Shows("other-1").Press("ctrl+c").Shows("Quit?")
		if got := clip(t, s); got != "web-1" {
			t.Errorf("copied %q", got)
		}
	})
}

// Beyond the edge the text scrolls while the button is held.
func TestDraggingBeyondTheEdgeScrolls(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		for i := range 60 {
			f.Say(society.Root, conversation.Entry{Kind: conversation.Answer, Text: fmt.Sprintf("line number %d.", i), To: "user"})
		}
		f.set(society.Root, func(r *api.Row) { r.State = society.Idle })

		s.Pass(time.Second)
		x, y := s.Find("line number 55.")
		s.Hold(x, y, x+5, 0).Pass(3*time.Second).Release(x+5, 0)
		got := clip(t, s)
		if !strings.HasSuffix(got, "\nl") || !strings.Contains(got, "line number 36.\n") {
			t.Errorf("copied %q", got)
		}
	})
}
