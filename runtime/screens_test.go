package runtime_test

import (
	"testing"
	"testing/synctest"

	"society-tui/storage/memdb"
)

func TestEveryWatcherIsToldHowManyScreensThereAre(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r, leave := openSilent(t, memdb.New())
		defer leave()
		w := r.Watch()
		defer w.Close()
		for i, more := range []int{1, 1, -1} {
			want := []int{1, 2, 1}[i]
			if got := r.CountScreens(more); got != want {
				t.Errorf("CountScreens(%d) = %d, want %d", more, got, want)
			}
			if c, err := w.Next(t.Context()); err != nil || c.Screens != want {
				t.Errorf("after CountScreens(%d) a watcher is told %d screens, %v, want %d", more, c.Screens, err, want)
			}
		}
	})
}
