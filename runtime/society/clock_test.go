package society

import (
	"testing"
	"time"

	"pgregory.net/rapid"

	"society-tui/runtime/propertytest"
)

// Jumps of the clock.
var clockJumps = map[string]time.Duration{
	"an hour forward":     time.Hour,
	"a sleep of 8 hours":  8 * time.Hour,
	"an hour back":        -time.Hour,
	"to 1970":             time.Unix(0, 0).Sub(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)),
	"from 1970 to 2026":   time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).Sub(time.Unix(0, 0)),
	"to a year before it": time.Unix(-365*24*3600, 0).Sub(time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)),
}

// After a start with another clock nothing waits longer than it was to, and a run has no
// less time than it had.
func TestNothingWaitsLongerBecauseTheClockJumped(t *testing.T) {
	t.Parallel()
	for name, jump := range clockJumps {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			restarts := func(w *world) {
				w.at = w.at.Add(jump)
				w.restart(false)
				w.restart(false) // once more, so that nothing is counted twice
			}
			left := func(what string, until, at time.Time, least, most time.Duration) {
				t.Helper()
				if left := until.Sub(at); left > most || left < least && jump < 0 {
					t.Errorf("%s has %v left, not %v to %v", what, left, least, most)
				}
			}

			w := newWorld(t, DefaultLimits())
			w.send(Root, "go")
			w.must(Failed{Work: w.thinks(Root), Class: "overload", Text: "busy", Retryable: true, RetryAfter: 9 * time.Minute})
			restarts(w)
			left("a retry", untilOf(w.owed(Root, WaitStep)), w.at, 9*time.Minute, 9*time.Minute)
			if retry := w.agent(Root).Turn.Retry; !retry.At.Equal(untilOf(w.owed(Root, WaitStep))) {
				t.Errorf("shown is a retry at %v", retry.At)
			}

			w = through(t, "limits")
			restarts(w)
			run := w.agent(Root).Turn.Run
			if got := run.Deadline.Sub(w.at); got != 2*time.Minute {
				t.Errorf("the run has %v left", got)
			}
			left("a node", run.Due(), w.at, 20*time.Second, 20*time.Second)
			left("the wait for it", untilOf(w.owed(Root, WaitStep)), w.at, 20*time.Second, 20*time.Second)
			w.must(Failed{Work: w.thinks(Root), Class: "auth", Text: "no"})
			restarts(w)
			left("a node's retry", untilOf(w.owed(Root, WaitStep)), w.at, 3*time.Second, 3*time.Second)

			w = through(t, "limits")
			w.calling(Root, w.call("write", object{}))
			w.at = w.at.Add(jump)
			w.acts(Root, "done") // the clock has jumped within a node
			w.restart(false)
			left("a run with an earlier clock", w.agent(Root).Turn.Run.Deadline, w.at, 0, 2*time.Minute)
			left("a node with an earlier clock", w.agent(Root).Turn.Run.Due(), w.at, 0, 20*time.Second)

			w = through(t, "side by side")
			w.says(Root, "two sides")
			w.must(Failed{Work: w.in("left", ThinkStep), Class: "overload", Text: "busy", Retryable: true})
			w.at = w.at.Add(jump)
			w.callsAt("right", w.call("look", object{})) // the other branch has gone on by the other clock
			w.restart(false)
			left("the retry of a branch", untilOf(w.in("left", WaitStep)), w.at, 0, time.Second)

			l := DefaultLimits()
			l.SpawnsPerMinute = 2
			w = newWorld(t, l)
			w.spawn(Root)
			w.spawn(Root)
			restarts(w)
			w.spawn(Root)
		})
	}
}

// Whenever and however the clock jumps, messages are delivered once and in the order of
// their numbers, the invariants hold, and after a start nothing waits longer than the
// longest wait that there is here: the run of two minutes.
func TestNoJumpOfTheClockBreaksAHistory(t *testing.T) {
	t.Parallel()
	met := propertytest.Met[string]{}
	met.Check(t, propertytest.Once("jump", "wait"), func(t *rapid.T) {
		w := peopled(t, small())
		w.jumps = true
		for range rapid.IntRange(5, 50).Draw(t, "steps") {
			switch rapid.IntRange(0, 5).Draw(t, "clock") {
			case 0:
				w.at = w.at.Add(rapid.SampledFrom([]time.Duration{time.Hour, -time.Hour, 8 * time.Hour}).Draw(t, "jump"))
				met["jump"]++
			case 1:
				w.at = rapid.SampledFrom([]time.Time{time.Unix(0, 0).UTC(), time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)}).Draw(t, "clock set")
				met["jump"]++
			case 2:
				w.anyDelay(t)
			default:
				w.step(t)
			}
		}
		w.agrees(w.s)
		w.restart(false)
		for _, work := range w.s.Owed() {
			if work.Kind() == WaitStep {
				met["wait"]++
				if left := untilOf(work).Sub(w.at); left > 2*time.Minute {
					t.Fatalf("%s waits %v: %+v", work.Item().Agent, left, work)
				}
			}
		}
	})
}
