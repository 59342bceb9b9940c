package tui_test

import (
	"fmt"
	"testing"
	"time"

	"society-tui/runtime/api"
	talk "society-tui/runtime/conversation"
	"society-tui/runtime/society"
	"society-tui/tui/screentest"
)

// happened sends a timeline to the screen.
func happened(f *fakeSociety, events ...api.TimelineEvent) {
	f.Tell(func(c *api.Changes) {
		for i, e := range events {
			e.Seq = uint64(i + 1)
			if e.At.IsZero() {
				e.At = time.Now().Add(time.Duration(i) * time.Second)
			}
			c.Log = append(c.Log, e)
		}
	})
}

func TestTimelineOpensTheTextOfThatTime(t *testing.T) {
	onScreenWith(t, 100, 30, still, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		var then time.Time
		for i := range 60 {
			text := "filler"
			if i == 20 {
				text, then = "the very words", time.Now()
			}
			f.Say("web-1", talk.Entry{Kind: talk.Answer, From: "web-1", Text: text})
			time.Sleep(time.Second)
		}
		happened(f, api.TimelineEvent{Agent: "web-1", Kind: "asks", At: then})
		s.Idle().Hides("the very words").Press("ctrl+t", "enter").Idle().Shows("to: web-1", "the very words")
	})
}

// Events from before the start are in the timeline, but not notified.
func TestEventsBeforeTheStartAreNotNotified(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		happened(f, api.TimelineEvent{Agent: "web-1", Kind: "failed", Text: "no route", Before: true})
		s.Idle().Hides("no route").Press("ctrl+t").Shows("web-1  error")
	})
}

// Events that happen while the timeline is open are appended without moving
// visible or filtered lines.
func TestTheTimelineFollowsWhileItIsOpen(t *testing.T) {
	onScreenWith(t, 100, 30, still, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		n := uint64(0)
		more := func(agent society.AgentID, kind string) {
			n++
			f.Tell(func(c *api.Changes) {
				c.Log = append(c.Log, api.TimelineEvent{Seq: n, At: time.Now(), Agent: agent, Kind: kind, Text: fmt.Sprint("no. ", n)})
			})
			s.Idle()
		}
		for range 40 {
			more("web-1", "retry")
		}
		s.Press("alt+1", "down", "ctrl+t").Shows("Timeline of lead-1", "no. 40")
		more("web-2", "retry")
		s.Shows("no. 41") // the selection is at the end
		for range 25 {
			s.Press("up")
		}
		s.Shows("no. 16").Hides("no. 41")
		x, y := s.Find("no. 16")
		more("web-1", "retry")
		if nowX, nowY := s.Find("no. 16"); nowX != x || nowY != y {
			t.Errorf("what is read moved from %d,%d to %d,%d", x, y, nowX, nowY)
		}
		s.Hides("no. 42").Press("end").Shows("no. 42")

		more("web-2", "failed")
		s.Shows("error no. 43").Press("tab").Hides("error no. 43")
		more("web-2", "failed")
		more("web-2", "retry")
		s.Shows("no. 45").Hides("error no. 44")
		f.spawn("new-1", "lead-1", "new")
		more("new-1", "retry")
		s.Shows("new-1  retry no. 46")
		more(society.Root, "retry")
		s.Hides("no. 47") // not below lead-1
	})
}
