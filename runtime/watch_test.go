package runtime

import (
	"testing"

	"society-tui/runtime/api"
	"society-tui/runtime/society"
)

// What changes behind what a waiting watcher was told wakes it once more, whichever of
// the two it hears of first.
func TestAWatcherHearsWhatComesBehindWhatItWasTold(t *testing.T) {
	for range 100 { // it hears of one of two, by chance
		r := &Runtime{watchers: watchers{all: map[*Watcher]struct{}{}}}
		w := r.Watch()
		<-w.wake
		if w.await() {
			t.Fatal("it was told something before anything was")
		}
		for _, w := range r.mark([]society.AgentID{"a"}, nil, true) {
			w.ask.reply <- api.Changes{}
		}
		r.mark([]society.AgentID{"b"}, nil, true)
		_, seen, err := w.look(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if !seen && !w.await() {
			t.Fatal("it has not seen what it was told")
		}
		if len(w.wake) == 0 {
			t.Fatal("nothing wakes it for what came behind")
		}
	}
}
