package tui_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"

	"society-tui/tui/screentest"
)

// The history belongs to the society, also after a restart. Neither it nor its
// search replaces the draft, and the wheel does not walk it.
func TestHistoryBelongsToTheSocietyAndKeepsTheDraft(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := newFake()
		ctx, cancel := context.WithCancel(t.Context())
		s := screentest.DriveContext(ctx, t, 100, 30, config(f))
		s.Type("compare the boats").Press("enter").Type("count the trains").Press("enter")
		cancel()
		if _, err := s.Ended(); !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		f.restart()
		s = screentest.Drive(t, 100, 30, config(f))
		s.Type("unsent").Press("up").Shows("> count the trains").Press("up").Shows("> compare the boats")
		s.Press("down", "down").Shows("> unsent")
		s.Press("ctrl+c").Type("boat").Press("ctrl+r").Shows("> compare the boats").Press("down", "down", "down").Shows("> boat")
		s.Press("ctrl+c").Type("unsent")

		_, y := s.Find("> unsent")
		for _, n := range []int{-5, 5} {
			for _, over := range []int{y, y - 10} {
				s.Wheel(40, over, n).Shows("> unsent").Hides("> count", "> compare")
			}
		}
		s.Press("alt+2").Wheel(40, y, -3).Press("esc").Shows("> unsent")
		asked(t, f, send("root", "compare the boats"), send("root", "count the trains"))

		other := screentest.Drive(t, 100, 30, config(newFake()))
		other.Type("mine").Press("up", "up").Shows("> mine").Hides("boats", "trains")
	})
}
