package tui_test

import (
	"context"
	"testing"
	"time"

	"society-tui/tui/screentest"
)

// A text that the society has not taken after a second is not on the screen anywhere: the
// screen says that it waits, until the reply.
func TestAReplyThatTakesLongIsTold(t *testing.T) {
	onScreen(t, 100, 30, func(t *testing.T, s *screentest.Screen, f *fakeSociety) {
		family(f)
		s.Idle()
		taken := make(chan struct{})
		f.Call = func(ctx context.Context, method string) error {
			if method == "Do" {
				select {
				case <-taken:
				case <-ctx.Done():
					return ctx.Err()
				}
			}
			return nil
		}
		const waits = "Waiting for the society to take it"
		s.Type("hello").Press("enter").Hides(waits).Pass(1100 * time.Millisecond).Shows(waits)
		s.Pass(10 * time.Second).Shows(waits)
		close(taken)
		s.Idle().Hides(waits)
	})
}
