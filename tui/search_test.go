package tui_test

import (
	"fmt"
	"strings"
	"testing"

	"society-tui/runtime/conversation"
	"society-tui/tui/screentest"
)

func TestSearchFindsUnloadedTextAndEscLeadsBack(t *testing.T) {
	for _, size := range [][2]int{{160, 45}, {100, 30}, {60, 20}} {
		t.Run(fmt.Sprint(size), func(t *testing.T) {
			onScreen(t, size[0], size[1], func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
				for i := range 1200 {
					f.Say("root", conversation.Entry{Kind: conversation.Answer, From: "root", To: "user", Text: fmt.Sprintf("answer %d is hay", i)})
				}
				f.Say("root", conversation.Entry{Kind: conversation.Answer, From: "root", To: "user", Calls: []conversation.Call{{ID: "c", Name: "read_file", Arguments: "{}"}}})
				f.Say("root", conversation.Entry{Kind: conversation.Result, CallID: "c", Outcome: conversation.OK, Text: "first\nanswer 17 is hay in a fold"})
				s.Press("alt+2").Idle().Shows("read_file").Hides("in a fold")
				before := s.String()
				s.Press("/").Type("Answer 17")
				if x, y, shown := s.Cursor(); !shown || !strings.Contains(s.Rows()[y], "/Answer 17") || x == 0 {
					t.Errorf("the cursor is at %d, %d (%v)", x, y, shown)
				}
				s.Press("ctrl+u").Type("answer 17 is").Press("enter").Idle().Shows("1 of 2", "in a fold")
				s.Press("n").Idle().Shows("2 of 2", "answer 17 is hay", "answer 16 is hay")
				s.Press("n").Idle().Shows("1 of 2", "in a fold").Press("N").Idle().Shows("2 of 2", "answer 16 is hay")
				s.Press("esc").Idle().Hides("2 of 2", "/answer")
				if after := s.String(); after != before {
					t.Errorf("esc leads to\n%s\nnot back to\n%s", after, before)
				}
				s.Press("esc").Type("/search answer 3 is").Press("enter").Idle().Shows("1 of 1", "answer 3 is hay")
				s.Press("esc").Idle().Hides("answer 3 is")
			})
		})
	}
}
